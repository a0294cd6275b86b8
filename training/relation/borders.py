"""Find the borders of relations, the confidence from which one is shown, and write them into ``relation.json``.

    python -m training.relation.borders --data DIR --index DIR --work DIR [--models models]

They are chosen on sentences of the sixty-three debates that say by themselves what a claim says,
with its article and with the article of another claim on a similar matter. A border is the lowest
confidence from which nine in ten are right.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from features.models.model_spec import Floats
from training.relation.article_relation import WEIGHTS, RelationNetwork, calibrated
from training.relation.case_batches import Item
from training.relation.case_gathering import Gatherer, labels
from training.shared.command import parser
from training.shared.opening import open_index

RIGHT = 0.9
FEWEST = 15  # that a border must let through: fewer show nothing
NAMES = (
    "supports",
    "contradicts",
    "does not settle",
)  # as ``assistant.core.domain.Relation``, in the order of ``RELATIONS``
Ints = NDArray[np.integer]


def read(network: RelationNetwork, items: Sequence[Item]) -> Floats:
    """Return the average relation of each item, (n, 3) probabilities, read as the product reads."""
    return np.stack([network.read(item.memory).relation for item in items])


def temperature_of(odds: Floats, gold_labels: Ints) -> float:
    """Return the temperature between .3 and 3 under which the wanted relations are most likely."""
    indices = np.arange(len(gold_labels))

    def loss(temperature: float) -> float:
        probabilities = calibrated(odds, temperature)[indices, gold_labels]
        return float(-np.log(np.maximum(probabilities, 1e-9)).mean())

    return min([0.3 + 0.02 * i for i in range(136)], key=loss)


def border(odds: Floats, gold_labels: Ints, relation: int, *, right: float = RIGHT) -> float | None:
    """Return the lowest confidence from which so many of the relations shown are right.

    None where there is none.

    Shapes: ``odds`` (n, 3), ``gold_labels`` (n,). Only what is most likely is said; ``FEWEST`` must be
    left.
    """
    predicted = odds.argmax(1) == relation
    confidence = odds[predicted, relation]
    order = np.argsort(-confidence, kind="stable")
    # the share that is right among the most confident ones, (n,)
    correct = gold_labels[predicted][order] == relation
    precision = np.cumsum(correct) / np.arange(1, len(order) + 1)
    sufficient = np.flatnonzero(precision >= right)
    if not len(sufficient) or sufficient[-1] + 1 < FEWEST:
        return None
    return float(confidence[order[sufficient[-1]]])


def said(
    odds: Floats, gold_labels: Ints, borders: dict[str, float]
) -> dict[str, dict[str, float | None]]:
    """Return for each relation how many are said, what share of them is right, and what share of all cases it is."""
    counts: dict[str, dict[str, float | None]] = {}
    sure = odds.max(1)
    for relation_index, name in enumerate(NAMES):
        spoken = (odds.argmax(1) == relation_index) & (sure >= borders.get(name, 2.0))
        right = (
            round(float((gold_labels[spoken] == relation_index).mean()), 4)
            if spoken.any()
            else None
        )
        counts[name] = {
            "said": int(spoken.sum()),
            "right": right,
            "share": round(float(spoken.mean()), 4),
        }
    return counts


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit temperature and borders, print what is then said, and write them into the card."""
    command_line = parser("relation.borders", __doc__, out="")
    command_line.add_argument(
        "--index", type=Path, required=True, help="a claim index with the articles' vectors"
    )
    command_line.add_argument("--models", type=Path, default=Path("models"))
    options = command_line.parse_args(arguments)
    path = (options.models / WEIGHTS).with_suffix(".json")
    card = json.loads(path.read_text("utf-8"))
    items = Gatherer.make(options.data, options.work).linked(open_index(options.index))
    gold_labels = labels(items)
    relation = read(RelationNetwork.load(options.models), items)
    temperature = temperature_of(relation, gold_labels)
    odds = calibrated(relation, temperature)
    limits = {
        name: border(odds, gold_labels, relation_index) for relation_index, name in enumerate(NAMES)
    }
    borders = {name: round(limit, 4) for name, limit in limits.items() if limit is not None}
    figures: dict[str, object] = {
        "cases": len(items),
        "accuracy": round(float((odds.argmax(1) == gold_labels).mean()), 4),
    }
    figures |= said(odds, gold_labels, borders)
    print(json.dumps({"temperature": temperature, "borders": borders, **figures}, indent=1))
    card |= {"temperature": round(temperature, 4), "borders": borders, "borders_chosen_on": figures}
    path.write_text(json.dumps(card, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
