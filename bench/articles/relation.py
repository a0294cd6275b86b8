"""How well is the relation of an article to a wording read off its sentences, and is what the product says right?

    python -m bench.articles.relation --data DIR --index DIR --work DIR [--models DIR] [--unmasked DIR] [--test] [--json
    FILE] python -m bench.articles.relation --speed --index DIR

Without ``--test`` the development parts are read, which choose: FEVER's, the database's, and sentences of the
sixty-three debates. With ``--test``, once: FEVER's claims with evidence from its test file that neither the
cross-encoder nor this network learnt from; PolitiHop valid, the relation that of PolitiFact's rating; judged pairs of
the seven debates. ``--unmasked`` is the folder of a network that learnt with what names a rating left in, read beside
the shipped one.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assistant.claims.index import ClaimIndex
from assistant.explain import key_sentences
from assistant.explain.relation import Relater
from assistant.ground.domain import Relation
from assistant.ground.settings import EMBEDDED
from features.articles.rating_sentences import Floats
from features.articles.relation import WEIGHTS, RelationNetwork
from features.articles.relation_reading import READ, RELATIONS, calibrated
from features.nli import load_nli
from features.weights import read_card
from training.evidence.scores import interval
from training.evidence.weak import open_index
from training.relation import cases as source
from training.relation.borders import read, said
from training.relation.gather import HELD_OUT, SEED, Gatherer, labels
from training.relation.memory import Item

Row = dict[str, object]
PAIRS = 200  # of each kind from the seven debates
MOST = 1500  # claims of FEVER's test part, the first in a drawn order


def alone(items: Sequence[Item]) -> Floats:
    """Return what the cross-encoder alone makes of the sentences that were read: its average relation, (n, 3)."""
    order = [0, 2, 1]  # entailment, contradiction, neutral
    found = []
    for item in items:
        told = item.memory.told[: min(READ, len(item.words)), :3]
        found.append(np.exp((told - 1) * 6.0).mean(axis=0)[order])
    return np.stack(found)


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


def first(found: Sequence[Sequence[Item]]) -> list[Item]:
    """Return one item of each statement that has any."""
    return [one[0] for one in found if one]


def development(gatherer: Gatherer, network: RelationNetwork, index: ClaimIndex) -> list[Row]:
    """Return the rows of what chooses."""
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
    found = both("FEVER claim-evidence test", network, gatherer.fever("test", MOST))
    found += both("PolitiHop valid", network, first(gatherer.politihop("valid")))
    found += both("PolitiHop valid, whole articles", network, first(gatherer.politihop("valid", whole=True)))
    if unmasked:
        other, learnt = unmasked
        hop, whole = first(other.politihop("valid")), first(other.politihop("valid", whole=True))
        found.append(row("PolitiHop valid: unmasked", read(learnt, hop), labels(hop)))
        found.append(row("PolitiHop valid, whole articles: unmasked", read(learnt, whole), labels(whole)))
    return found


def seven(gatherer: Gatherer, network: RelationNetwork, index: ClaimIndex, card: Row) -> list[Row]:
    """Return what the product would say of the judged pairs of the seven debates, and how much of it is right."""
    judged = source.judged(gatherer.data, index)
    temperature, borders = float(str(card["temperature"])), dict(card["borders"])  # type: ignore[call-overload]
    found: list[Row] = []
    for kind in ("same", "unrelated"):
        pairs = [(text, article) for text, article, which in judged if which == kind]
        items = gatherer.pairs(random.Random(SEED).sample(pairs, min(len(pairs), PAIRS)))
        odds, wanted = calibrated(read(network, items), temperature), labels(items)
        found.append(row(f"seven debates, {kind}", odds, wanted) | {"said": said(odds, wanted, borders)})
    return found


def speed(index: ClaimIndex, *, sentences: int = 60) -> dict[str, float]:
    """Return the milliseconds that relating the best match adds to a live sentence: middle and 95 %.

    The sentences are statements of the database with their own articles; everything is said, whatever the borders.
    """
    relater, nli = Relater(RelationNetwork.load(), 1.0, dict.fromkeys(Relation, 0.0)), load_nli(EMBEDDED.nli)
    explainers = key_sentences.load(EMBEDDED)
    ready = np.flatnonzero(index.bodies_ready)[:: max(1, len(index) // (2 * sentences))][: sentences + 5]
    spent = []
    for place in ready.tolist():
        article = key_sentences.Article.of(index, place)
        explainers.decides(index, place, article)  # the card's key sentences need it anyway
        text, vector = index.statements[place], index.statement_vectors[place]
        start = time.perf_counter()
        relater.relate(index, nli, explainers, (text, vector), place)
        spent.append(1000 * (time.perf_counter() - start))
    kept = np.array(spent[5:])
    return {"median_ms": round(float(np.median(kept)), 1), "p95_ms": round(float(np.quantile(kept, 0.95)), 1)}


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the rows, or the speed."""
    parser = argparse.ArgumentParser(prog="python -m bench.articles.relation", description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, help="the data folder")
    parser.add_argument("--index", type=Path, required=True, help="a claim index with the articles' vectors")
    parser.add_argument("--work", type=Path, help="where vectors and readings are kept")
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--unmasked", type=Path, help="folder of a network that learnt unmasked")
    parser.add_argument("--test", action="store_true", help="read the test sets instead of what chooses")
    parser.add_argument("--speed", action="store_true", help="only time the shipped network")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    index = open_index(options.index)
    if options.speed:
        print(json.dumps(speed(index)))
        return
    if not options.data or not options.work:
        parser.error("--data and --work are needed but for --speed")
    gatherer, network = Gatherer.make(options.data, options.work), RelationNetwork.load(options.models)
    if options.test:
        other = Gatherer.make(options.data, options.work, masked=False)
        unmasked = (other, RelationNetwork.load(options.unmasked)) if options.unmasked else None
        card = read_card(str((options.models / WEIGHTS).resolve()))
        found = test(gatherer, network, unmasked) + seven(gatherer, network, index, card)
    else:
        found = development(gatherer, network, index)
    for made in found:
        print(json.dumps(made, ensure_ascii=False), flush=True)
    if options.json:
        options.json.write_text(json.dumps({"rows": found}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
