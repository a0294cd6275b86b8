"""What the re-ranker adds to score and sureness.

``python -m training.reranker.borders --data DIR --folds DIR``.

Takes the half of the debates that teaches through the steps of ``check`` up to the pairs that the
re-ranker would read, and learns the weights of its log-odds beside the score, and beside sureness,
from the pairs that were read (``training/ranker/readings.tsv``, by a language model that follows
docs/guide.md). ``--folds`` names the re-rankers that have not learnt from a debate, so that what
they say of it is what they would say of a new one. Writes both into models/ranker-lectern.json;
``training.ranker.likely_border`` and ``bench.matches.rows --possible`` then show the borders of
the tiers.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assistant.check.rankers import LECTERN, PairsFirst, load
from assistant.check.reranking import RerankedLogOdds, RerankerEffect
from assistant.core import files
from features.models.weight_files import MODELS
from training.ranker.fitting import fit_weights
from training.ranker.learners import file_of
from training.shared import debates as data
from training.shared.command import status
from training.shared.debates import Debate
from training.shared.measures import Bench
from training.shared.opening import add_options, open_bench
from training.shared.readings import PART, SETTLED, TEACH, Pair, halves, read

FILE = f"ranker-{LECTERN}.json"
REREADING = -4.5  # score from which a pair is read again, some 500 pairs for 1,000 sentences
POSSIBLE = -2.55  # log-odds from which a match is shown once it has been read again
TOPIC = -3.25  # log-odds from which what is left out is counted below the list: nine in ten linked passages are above
WIDTH = 1.0  # of the scores above it whose pairs are usual ones
IN_PART = 0.5  # what a pair that is settled in part is worth to a row's place, where a settled one is worth 1
C = 1.0  # inverse of the penalty


class Read(NamedTuple):
    """Pairs that are read again.

    Their scores (p,), sureness (p,) and log-odds (p, 2), and their labels (p,).
    """

    score: NDArray[np.floating]
    sureness: NDArray[np.floating]
    odds: NDArray[np.floating]
    label: NDArray[np.str_]


def read_again(bench: Bench, debate: Debate, ranker: PairsFirst, labels: dict[Pair, str]) -> Read:
    """Return the pairs of a debate that ``check`` would read again.

    The label of one that nobody has read is empty.
    """
    inputs, _ = bench.as_checked(debate, ranker)
    ranking = ranker.rank(inputs)
    pairs = np.flatnonzero(ranking.pair_scores >= REREADING)
    odds = bench.reread(debate, inputs, pairs)
    of_pairs = zip(
        inputs.sentence_index[pairs].tolist(),
        bench.ids[inputs.claim_index[pairs]].tolist(),
        strict=True,
    )
    label = [labels.get((debate.name, debate.lines[place], claim), "") for place, claim in of_pairs]
    return Read(ranking.pair_scores[pairs], ranking.sureness[pairs], odds, np.array(label, "<U7"))


def learnt(read_pairs: Sequence[Read]) -> RerankerEffect:
    """Return the weights that pairs with labels teach, beside the score and beside sureness as they are."""
    score, sureness, odds, label = (
        np.concatenate(columns) for columns in zip(*read_pairs, strict=True)
    )
    usual = odds[score < REREADING + WIDTH].mean(axis=0)
    known = label != ""
    settled = (label[known] == SETTLED).astype(float)
    useful = settled + IN_PART * (label[known] == PART)
    score_ = _fit(score[known], odds[known], useful)
    sureness_ = _fit(sureness[known], odds[known], settled)
    return RerankerEffect(score_, sureness_, usual.round(3))


def _fit(before: NDArray, odds: NDArray, value: NDArray) -> RerankedLogOdds:
    """Return the log-odds that values (p,), from 0 to 1, teach.

    From those before (p,) and the re-ranker's (p, 2).
    """
    columns = np.column_stack((before, odds)).astype(float)
    twice = np.concatenate((columns, columns))
    right = np.repeat((1.0, 0.0), len(value))
    found = fit_weights(
        twice, right, np.concatenate((value, 1 - value)), C=C, signs=np.ones(3, int)
    )
    slope, *of_odds = found.coef / found.scale
    intercept = found.intercept - float((found.coef / found.scale) @ found.mean)
    return RerankedLogOdds(round(float(slope), 4), np.round(of_odds, 4), round(intercept, 4))


def write(folder: Path, rereading: RerankerEffect, about: dict[str, object]) -> None:
    """Put the weights into the ranker of a folder, with what they were learnt from."""
    path = folder / FILE
    shipped = load(LECTERN, folder)
    assert isinstance(shipped, PairsFirst)
    thresholds = shipped.thresholds._replace(possible=POSSIBLE, topic=TOPIC, rereading=REREADING)
    value = replace(shipped, rereading=rereading, thresholds=thresholds).to_json()
    card = json.loads(path.read_text("utf-8"))["card"] | {"rereading": about}
    files.write(path, file_of(card, value))


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn the weights and write them."""
    parser = argparse.ArgumentParser(
        prog="python -m training.reranker.borders", description=(__doc__ or "").split("\n")[0]
    )
    add_options(parser)
    parser.add_argument(
        "--models",
        type=Path,
        default=MODELS,
        metavar="DIR",
        help="where to write (default: models/)",
    )
    return status(_learnt, parser.parse_args(arguments))


def _learnt(options: argparse.Namespace) -> None:
    bench = open_bench(options)
    ranker = load(LECTERN, options.models)
    assert isinstance(ranker, PairsFirst)
    labels = {pair: reading.label for pair, reading in read().items()}
    debates = [*data.seven(options.data), *data.others(options.data)]
    half = halves(debate.name for debate in debates)
    pairs = [read_again(bench, d, ranker, labels) for d in debates if half[d.name] == TEACH]
    rereading = learnt(pairs)
    known = sum(int((each.label != "").sum()) for each in pairs)
    about: dict[str, object] = {
        "what": "what the re-ranker's log-odds of settled, and of settled or in part, add to score and sureness",
        "data": f"{known} pairs read by a language model, of the half of the debates that teaches",
        "command": "python -m training.reranker.borders --data DIR --folds DIR",
        "pairs read again": sum(len(each.score) for each in pairs),
    }
    write(options.models, rereading, about)
    print(json.dumps(rereading.to_json(), indent=1), json.dumps(about, indent=1))


if __name__ == "__main__":
    sys.exit(main())
