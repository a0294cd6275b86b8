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
from features.articles.article_relation import READ, RELATIONS, RelationNetwork
from features.models.model_spec import Floats
from training.evidence.scores import interval
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
    read_rows = [item.memory.told[: min(READ, len(item.words)), :3] for item in items]
    return np.stack([np.exp((rows - 1) * 6.0).mean(axis=0)[order] for rows in read_rows])


def row(name: str, odds: Floats, wanted: NDArray[np.integer]) -> Row:
    """Return accuracy with its interval, macro F1, and the share of the most common relation."""
    chosen = odds.argmax(1)
    right = (chosen == wanted).astype(float)
    low, high = interval(right)
    majority = Counter(wanted.tolist()).most_common(1)[0][1] / len(wanted)
    return {
        "system": name,
        "cases": len(wanted),
        "accuracy": round(float(right.mean()), 4),
        "interval": (round(low, 3), round(high, 3)),
        "macro F1": round(macro_f1(wanted, chosen), 4),
        "majority": round(majority, 4),
        "chosen": dict(zip(RELATIONS, np.bincount(chosen, minlength=3).tolist(), strict=True)),
    }


def first(items: Sequence[Sequence[Item]]) -> list[Item]:
    """Return one item of each statement that has any."""
    return [one[0] for one in items if one]


def development(gatherer: Gatherer, network: RelationNetwork, index: ClaimIndex) -> list[Row]:
    """Return the rows of the development parts, which choose."""
    database = gatherer.politifact(index)["dev"]
    sets = {"FEVER, dev": gatherer.fever("dev", HELD_OUT["fever"])}
    sets |= {
        f"{name}, dev": [item for item in database if item.raw.source == name] for name in PARTS
    }
    linked = gatherer.linked(index)
    sets |= {
        name: [item for item in linked if item.raw.source == name]
        for name in ("linked", "stranger")
    }
    return [made for name, items in sets.items() if items for made in both(name, network, items)]


def both(name: str, network: RelationNetwork, items: Sequence[Item]) -> list[Row]:
    """Return the rows of the network and of the cross-encoder alone."""
    wanted = labels(items)
    return [
        row(name, read(network, items), wanted),
        row(f"{name}: cross-encoder alone", alone(items), wanted),
    ]


def test(gatherer: Gatherer, network: RelationNetwork) -> list[Row]:
    """Return the rows of FEVER and of PolitiHop valid."""
    sets = {
        "FEVER claim-evidence test": gatherer.fever("test", MOST),
        "PolitiHop valid": first(gatherer.politihop("valid")),
        "PolitiHop valid, whole articles": first(gatherer.politihop("valid", whole=True)),
    }
    return [made for name, items in sets.items() for made in both(name, network, items)]


def measure(options: argparse.Namespace) -> dict[str, list[Row]]:
    """Print and return the rows of the development parts or of the tests."""
    gatherer = Gatherer.make(options.data, options.work)
    network = RelationNetwork.load(options.models)
    rows = (
        test(gatherer, network)
        if options.test
        else development(gatherer, network, open_index(options.index))
    )
    print(table(rows, digits=4))
    return {"rows": rows}


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
