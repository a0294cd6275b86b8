"""The relation of an article to a wording: how well is it read off the article's sentences?

python -m bench.articles.relation --data DIR --index DIR --work DIR [--models DIR] [--test] [--json
FILE]

Without ``--test`` the development parts are read, which choose: FEVER's, the database's, and
sentences of the sixty-three debates. With ``--test``, once: FEVER's claims with evidence from its
test file that neither the cross-encoder nor this network learnt from, and PolitiHop valid, where
the relation is that of PolitiFact's rating. Expected with ``--test``: .761 on FEVER (the
cross-encoder alone .798), .750 on PolitiHop valid.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assistant.claims.claim_index import ClaimIndex
from bench.command import command, data_option, option, table
from features.models.model_spec import Floats
from training.evidence.scores import interval
from training.relation.article_relation import READ_BY_CROSS_ENCODER, RELATIONS, RelationNetwork
from training.relation.borders import read
from training.relation.case_batches import Item
from training.relation.case_gathering import HELD_OUT, Gatherer, labels
from training.shared.opening import open_index
from training.time.scores import macro_f1

Row = dict[str, object]
PARTS = ("politifact", "neighbour", "denied")  # of the database
MOST = 1500  # claims of FEVER's test part, the first in a drawn order


def alone(items: Sequence[Item]) -> Floats:
    """Return the relation by the cross-encoder alone.

    Its mean probabilities over the sentences it read, (n, 3).
    """
    order = [0, 2, 1]  # entailment, contradiction, neutral
    relations = []
    for item in items:
        read_count = min(READ_BY_CROSS_ENCODER, len(item.words))
        readings = item.memory.sentence_features[:read_count, :3]
        probabilities = np.exp((readings - 1) * 6.0)
        relations.append(probabilities.mean(axis=0)[order])
    return np.stack(relations)


def row(name: str, odds: Floats, gold_labels: NDArray[np.integer]) -> Row:
    """Return accuracy with its interval, macro F1, and the share of the most common relation."""
    predicted = odds.argmax(1)
    correct = (predicted == gold_labels).astype(float)
    low, high = interval(correct)
    majority_count = Counter(gold_labels.tolist()).most_common(1)[0][1]
    predicted_counts = np.bincount(predicted, minlength=3).tolist()
    return {
        "system": name,
        "cases": len(gold_labels),
        "accuracy": round(float(correct.mean()), 4),
        "interval": (round(low, 3), round(high, 3)),
        "macro F1": round(macro_f1(gold_labels, predicted), 4),
        "majority": round(majority_count / len(gold_labels), 4),
        "chosen": dict(zip(RELATIONS, predicted_counts, strict=True)),
    }


def first(items: Sequence[Sequence[Item]]) -> list[Item]:
    """Return one item of each statement that has any."""
    return [statement_items[0] for statement_items in items if statement_items]


def development(gatherer: Gatherer, network: RelationNetwork, index: ClaimIndex) -> list[Row]:
    """Return the rows of the development parts, which choose."""
    database = gatherer.politifact(index)["dev"]
    sets = {"FEVER, dev": gatherer.fever("dev", HELD_OUT["fever"])}
    for source in PARTS:
        sets[f"{source}, dev"] = [item for item in database if item.raw.source == source]
    linked = gatherer.linked(index)
    for source in ("linked", "stranger"):
        sets[source] = [item for item in linked if item.raw.source == source]
    table_rows = []
    for name, items in sets.items():
        if items:
            table_rows += both(name, network, items)
    return table_rows


def both(name: str, network: RelationNetwork, items: Sequence[Item]) -> list[Row]:
    """Return the rows of the network and of the cross-encoder alone."""
    gold_labels = labels(items)
    return [
        row(name, read(network, items), gold_labels),
        row(f"{name}: cross-encoder alone", alone(items), gold_labels),
    ]


def test(gatherer: Gatherer, network: RelationNetwork) -> list[Row]:
    """Return the rows of FEVER and of PolitiHop valid."""
    sets = {
        "FEVER claim-evidence test": gatherer.fever("test", MOST),
        "PolitiHop valid": first(gatherer.politihop("valid")),
        "PolitiHop valid, whole articles": first(gatherer.politihop("valid", whole_articles=True)),
    }
    return [table_row for name, items in sets.items() for table_row in both(name, network, items)]


def measure(options: argparse.Namespace) -> dict[str, list[Row]]:
    """Print and return the rows of the development parts or of the tests."""
    gatherer = Gatherer.make(options.data, options.work)
    network = RelationNetwork.load(options.models)
    table_rows = (
        test(gatherer, network)
        if options.test
        else development(gatherer, network, open_index(options.index))
    )
    print(table(table_rows, digits=4))
    return {"rows": table_rows}


main = command(
    measure,
    data_option,
    option("--index", type=Path, required=True, help="a claim index with the articles' vectors"),
    option("--work", type=Path, required=True, help="where vectors and readings are kept"),
    option("--models", type=Path, default=Path("models")),
    option("--test", action="store_true", help="read the test sets instead of what chooses"),
)

if __name__ == "__main__":
    sys.exit(main())
