"""Training of the borders of passages.

A linear model of how neighbouring sentences cohere, learnt from read talk.

``python -m training.passages.train --data DIR [--write]`` learns from the half of the debates that teaches, chooses
penalty and bias there by cross-validation, and reads the other half once. With ``--write`` the weights and their card
replace ``models/passages.json``, and the old file is unchanged unless the new one is complete. The readings
(``training/passages/readings.tsv``) were made by a language model that follows docs/guide.md. Expected: F1 of borders
.636 on the half that tests, beside .326 of fixed windows of three sentences.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from assistant.check import checkworthiness, loaded_models
from assistant.core.settings import EMBEDDED
from assistant.passages.boundaries import NAMES, WEIGHTS, cohesion, segment
from features.models.atomic_write import replacing
from features.models.weight_files import MODELS
from training.shared.debates import linked

READINGS = Path(__file__).parent / "readings.tsv"
PENALTIES = (0.03, 0.1, 0.3)
BIASES = (0.0, 0.2, 0.4, 0.6)
PARTS = 5
Mask = NDArray[np.bool_]
Floats = NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class Stretch:
    """The sentences of a speaker in a stretch of talk.

    Texts, and which after the first begin a passage, (n - 1,).
    """

    half: str
    texts: tuple[str, ...]
    begins: Mask


def stretches(folder: Path) -> list[Stretch]:
    """Return the stretches that were read; a border is one where two of the readings have it."""
    debates = {debate.name: debate for debate in linked(folder / "debates")}
    made = []
    for row in READINGS.read_text("utf-8").splitlines():
        if row.startswith("#"):
            continue
        name, half, lines, *readings = row.split("\t")
        debate = debates[name]
        places = [debate.lines.index(int(line)) for line in lines.split()]
        given = [{int(place) for place in reading.split()} for reading in readings if reading]
        speakers = [debate.speakers[place] for place in places]
        main = max(dict.fromkeys(speakers), key=speakers.count)
        own = [n for n, speaker in enumerate(speakers, 1) if speaker == main]
        begins = [sum(n in reading for reading in given) >= 2 for n in own[1:]]
        made.append(
            Stretch(half, tuple(debate.texts[places[n - 1]] for n in own), np.array(begins, bool))
        )
    return [stretch for stretch in made if len(stretch.texts) > 1]


def f1(predicted: Sequence[Mask], begins: Sequence[Mask]) -> tuple[float, float, float]:
    """Return the F1 of borders with its 95 % interval over resampled stretches."""
    counts = np.array(
        [((p & b).sum(), p.sum(), b.sum()) for p, b in zip(predicted, begins, strict=True)]
    )
    rng = np.random.default_rng(0)
    drawn = counts[rng.integers(0, len(counts), (1000, len(counts)))].sum(axis=1)
    values = 2 * drawn[:, 0] / (drawn[:, 1] + drawn[:, 2])
    whole = counts.sum(axis=0)
    return float(2 * whole[0] / (whole[1] + whole[2])), *map(
        float, np.percentile(values, (2.5, 97.5))
    )


def fit(values: Sequence[Floats], begins: Sequence[Mask], C: float) -> tuple[Floats, float]:
    """Return weights (f,) and bias of a logistic regression on standardised columns, folded into the plain ones."""
    X = np.concatenate(values)
    y = np.concatenate(begins)
    mean = X.mean(axis=0)
    scale = X.std(axis=0) + 1e-9
    model = LogisticRegression(C=C, max_iter=5000).fit((X - mean) / scale, y)
    weights = model.coef_[0] / scale
    return weights, float(model.intercept_[0] - weights @ mean)


def borders(odds: Floats) -> Mask:
    """Return which sentences after the first begin a passage, (n - 1,), in the most likely division."""
    begins = np.zeros(len(odds) + 1, bool)
    begins[segment(odds)] = True
    return begins[1:]


def choose(values: Sequence[Floats], begins: Sequence[Mask]) -> tuple[float, float, float]:
    """Return the penalty and the bias with the best F1 in cross-validation, and that F1."""

    def held_out(C: float) -> list[Floats]:
        odds: list[Floats] = [np.zeros(0)] * len(values)
        for part in range(PARTS):
            teach = [i for i in range(len(values)) if i % PARTS != part]
            weights, bias = fit([values[i] for i in teach], [begins[i] for i in teach], C)
            for i in range(part, len(values), PARTS):
                odds[i] = values[i] @ weights + bias
        return odds

    scored = {
        (C, more): f1([borders(odds + more) for odds in held], begins)[0]
        for C, held in ((C, held_out(C)) for C in PENALTIES)
        for more in BIASES
    }
    best = max(scored, key=lambda choice: scored[choice])
    return *best, scored[best]


def write(path: Path, content: Mapping[str, object]) -> None:
    """Replace the file of the weights by a complete new one."""
    with replacing(path) as unfinished:
        unfinished.write_text(json.dumps(content, indent=1) + "\n", "utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    """Learn, measure on the half that tests, and write the weights with ``--write``."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="the data folder")
    parser.add_argument("--write", action="store_true", help="replace the weights that ship")
    options = parser.parse_args(arguments)
    folder = options.data
    encoders = loaded_models.encoders(EMBEDDED)
    worth = checkworthiness.load()
    read = stretches(folder)
    columns = [
        cohesion(s.texts, encoders.sbert.encode(s.texts), worth.score(s.texts)) for s in read
    ]
    halves = {
        half: [i for i, stretch in enumerate(read) if stretch.half == half]
        for half in ("teach", "test")
    }
    taught = [columns[i] for i in halves["teach"]], [read[i].begins for i in halves["teach"]]
    C, more, chosen = choose(*taught)
    weights, bias = fit(*taught, C)
    gold = [read[i].begins for i in halves["test"]]
    systems: dict[str, Callable[[int], Mask]] = {
        "learnt": lambda i: borders(columns[i] @ weights + bias + more),
        "windows of three": lambda i: np.arange(1, len(read[i].texts)) % 3 == 0,
        "every sentence": lambda i: np.ones(len(read[i].texts) - 1, bool),
    }
    scores = {
        name: f1([system(i) for i in halves["test"]], gold) for name, system in systems.items()
    }
    for name, (value, low, high) in scores.items():
        print(f"{name:18} F1 {value:.3f} [{low:.3f}, {high:.3f}]")
    card = {
        "made_by": "python -m training.passages.train --data DIR --write",
        "data": "training/passages/readings.tsv: 200 stretches, read by a language model that follows docs/guide.md",
        "licence": "CC BY-NC-SA 4.0, as the debates",
        "chosen": {"C": C, "bias": more, "F1 in cross-validation": round(chosen, 3)},
        "F1 on the test half": {
            name: [round(v, 3) for v in values] for name, values in scores.items()
        },
    }
    learnt = {name: round(float(weight), 6) for name, weight in zip(NAMES, weights, strict=True)}
    if options.write:
        write(MODELS / WEIGHTS, {"card": card, "bias": round(bias + more, 6), "weights": learnt})


if __name__ == "__main__":
    main()
