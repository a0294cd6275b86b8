"""The relation of an article to a wording: how well is it read off the article's sentences?

    python -m bench.articles.relation --data DIR --index DIR --work DIR [--models DIR] [--unmasked DIR] [--test]

Without ``--test`` the development parts are read, which choose: FEVER's, the database's, and sentences of the
sixty-three debates. With ``--test``, once: FEVER's claims with evidence from its test file that neither the
cross-encoder nor this network learnt from; PolitiHop valid, the relation that of PolitiFact's rating; judged pairs of
the seven debates. ``--unmasked`` is the folder of a network that learnt from articles in which the words that name a
rating were left, read beside the shipped one. Expected with ``--test``: .761 on FEVER, .750 on PolitiHop valid.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assistant.claims.index import ClaimIndex
from bench.command import command, data_option, table
from features.articles.relation import READ, RELATIONS, WEIGHTS, RelationNetwork, calibrated
from features.spec import Floats
from features.weights import read_card
from training.evidence.scores import interval
from training.relation import cases as source
from training.relation.borders import read, said
from training.relation.gather import HELD_OUT, SEED, Gatherer, labels
from training.relation.memory import Item
from training.shared.opening import open_index

Row = dict[str, object]
PAIRS = 200  # of each kind from the seven debates
MOST = 1500  # claims of FEVER's test part, the first in a drawn order


def alone(items: Sequence[Item]) -> Floats:
    """Return the relation by the cross-encoder alone: its mean probabilities over the sentences it read, (n, 3)."""
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
        "macro F1": round(macro_f1(chosen, wanted), 4),
        "majority": round(majority, 4),
        "chosen": dict(zip(RELATIONS, np.bincount(chosen, minlength=3).tolist(), strict=True)),
    }


def macro_f1(chosen: NDArray[np.integer], wanted: NDArray[np.integer]) -> float:
    """Return the mean F1 of the relations that are wanted or chosen at all."""
    scores = []
    for relation in np.union1d(chosen, wanted):
        both = ((chosen == relation) & (wanted == relation)).sum()
        scores.append(2 * both / ((chosen == relation).sum() + (wanted == relation).sum()))
    return float(np.mean(scores))


def first(items: Sequence[Sequence[Item]]) -> list[Item]:
    """Return one item of each statement that has any."""
    return [one[0] for one in items if one]


def development(gatherer: Gatherer, network: RelationNetwork, index: ClaimIndex) -> list[Row]:
    """Return the rows of the development parts, which choose."""
    database = gatherer.politifact(index)["dev"]
    sets = {"FEVER, dev": gatherer.fever("dev", HELD_OUT["fever"])}
    sets |= {f"{name}, dev": [item for item in database if item.raw.source == name] for name in PARTS}
    linked = gatherer.linked(index)
    sets |= {name: [item for item in linked if item.raw.source == name] for name in ("linked", "stranger")}
    return [made for name, items in sets.items() if items for made in both(name, network, items)]


PARTS = ("politifact", "neighbour", "denied")


def both(name: str, network: RelationNetwork, items: Sequence[Item]) -> list[Row]:
    """Return the rows of the network and of the cross-encoder alone."""
    wanted = labels(items)
    return [row(name, read(network, items), wanted), row(f"{name}: cross-encoder alone", alone(items), wanted)]


def test(gatherer: Gatherer, network: RelationNetwork, unmasked: tuple[Gatherer, RelationNetwork] | None) -> list[Row]:
    """Return the rows of FEVER and of PolitiHop valid."""
    rows = both("FEVER claim-evidence test", network, gatherer.fever("test", MOST))
    rows += both("PolitiHop valid", network, first(gatherer.politihop("valid")))
    rows += both("PolitiHop valid, whole articles", network, first(gatherer.politihop("valid", whole=True)))
    if unmasked:
        other, learnt = unmasked
        hop, whole = first(other.politihop("valid")), first(other.politihop("valid", whole=True))
        rows.append(row("PolitiHop valid: unmasked", read(learnt, hop), labels(hop)))
        rows.append(row("PolitiHop valid, whole articles: unmasked", read(learnt, whole), labels(whole)))
    return rows


def seven(gatherer: Gatherer, network: RelationNetwork, index: ClaimIndex, card: Row) -> list[Row]:
    """Return what the product would say of the judged pairs of the seven debates, and how much of it is right."""
    judged = source.judged(gatherer.data, index)
    temperature, borders = float(str(card["temperature"])), dict(card["borders"])  # type: ignore[call-overload]
    rows: list[Row] = []
    for kind in ("same", "unrelated"):
        pairs = [(text, article) for text, article, which in judged if which == kind]
        items = gatherer.pairs(random.Random(SEED).sample(pairs, min(len(pairs), PAIRS)))
        odds, wanted = calibrated(read(network, items), temperature), labels(items)
        rows.append(row(f"seven debates, {kind}", odds, wanted) | {"said": said(odds, wanted, borders)})
    return rows


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this bench."""
    parser.add_argument("--index", type=Path, required=True, help="a claim index with the articles' vectors")
    parser.add_argument("--work", type=Path, required=True, help="where vectors and readings are kept")
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--unmasked", type=Path, help="folder of a network that learnt unmasked")
    parser.add_argument("--test", action="store_true", help="read the test sets instead of what chooses")


def measure(options: argparse.Namespace) -> dict[str, list[Row]]:
    """Print and return the rows of the development parts or of the tests."""
    index = open_index(options.index)
    gatherer, network = Gatherer.make(options.data, options.work), RelationNetwork.load(options.models)
    if options.test:
        other = Gatherer.make(options.data, options.work, masked=False)
        unmasked = (other, RelationNetwork.load(options.unmasked)) if options.unmasked else None
        card = read_card(str((options.models / WEIGHTS).resolve()))
        rows = test(gatherer, network, unmasked) + seven(gatherer, network, index, card)
    else:
        rows = development(gatherer, network, index)
    print(table(rows, digits=4))
    return {"rows": rows}


main = command("articles.relation", __doc__, measure, data_option, add_arguments)

if __name__ == "__main__":
    sys.exit(main())
