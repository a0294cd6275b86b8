"""What the re-ranker adds to score and sureness.

``python -m training.reranker.borders --data DIR --folds DIR``, or with ``--apart``.

Takes the half of the debates that teaches through the steps of ``check`` up to the pairs that the
re-ranker would read, and learns the weights of its log-odds beside the score, and beside sureness,
from the pairs that were read (``training/ranker/readings.tsv``, by a language model that follows
docs/research/annotation-guidelines.md). ``--folds`` names the re-rankers that have not learnt from a debate, so that what
they say of it is what they would say of a new one. ``--apart`` takes only the ten debates that the
shipped re-ranker was not trained on, and needs no folds. Writes both into the ranker of the re-ranker;
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
from training.ranker.fitting import fit_weights
from training.ranker.learners import file_of
from training.ranker.strength import debates_of_half
from training.shared import debates as data
from training.shared.command import status
from training.shared.debates import Debate
from training.shared.measures import Bench
from training.shared.opening import add_models_option, add_options, models_folder, open_bench
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
    """Return the pairs of a debate that ``check`` would read again."""
    inputs, _ = bench.as_checked(debate, ranker)
    ranking = ranker.rank(inputs)
    pairs = np.flatnonzero(ranking.pair_scores >= REREADING)
    odds = bench.reread(debate, inputs, pairs)
    claims = bench.ids[inputs.claim_index[pairs]].tolist()
    pair_labels = []
    for sentence_index, claim in zip(inputs.sentence_index[pairs].tolist(), claims, strict=True):
        key = (debate.name, debate.lines[sentence_index], claim)
        pair_labels.append(labels.get(key, ""))
    label = np.array(pair_labels, "<U7")
    return Read(ranking.pair_scores[pairs], ranking.sureness[pairs], odds, label)


def learnt(read_pairs: Sequence[Read]) -> RerankerEffect:
    """Return the weights that labelled pairs teach, beside the score and beside sureness."""
    columns = zip(*read_pairs, strict=True)
    score, sureness, odds, label = (np.concatenate(column) for column in columns)
    usual = odds[score < REREADING + WIDTH].mean(axis=0)
    is_labelled = label != ""
    settled = (label[is_labelled] == SETTLED).astype(float)
    useful = settled + IN_PART * (label[is_labelled] == PART)
    score_weights = _fit(score[is_labelled], odds[is_labelled], useful)
    sureness_weights = _fit(sureness[is_labelled], odds[is_labelled], settled)
    return RerankerEffect(score_weights, sureness_weights, usual.round(3))


def _fit(score: NDArray, odds: NDArray, value: NDArray) -> RerankedLogOdds:
    """Return the log-odds that values (p,), from 0 to 1, teach.

    From those before (p,) and the re-ranker's (p, 2).
    """
    # each pair twice: right with weight ``value``, wrong with the remaining weight
    columns = np.column_stack((score, odds)).astype(float)
    twice = np.concatenate((columns, columns))
    right = np.repeat((1.0, 0.0), len(value))
    importance = np.concatenate((value, 1 - value))
    weights = fit_weights(twice, right, importance, C=C, signs=np.ones(3, int))
    slope, *odds_slopes = weights.coef / weights.scale
    intercept = weights.intercept - float((weights.coef / weights.scale) @ weights.mean)
    return RerankedLogOdds(round(float(slope), 4), np.round(odds_slopes, 4), round(intercept, 4))


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
    add_models_option(parser)
    parser.add_argument(
        "--apart", action="store_true", help="only the debates that no re-ranker was trained on"
    )
    return status(_learnt, parser.parse_args(arguments))


def _learnt(options: argparse.Namespace) -> None:
    bench = open_bench(options)
    folder = models_folder(options)
    ranker = load(LECTERN, folder)
    assert isinstance(ranker, PairsFirst)
    labels = {pair: reading.label for pair, reading in read().items()}
    pairs = [read_again(bench, debate, ranker, labels) for debate in _debates(options)]
    rereading = learnt(pairs)
    labelled_count = sum(int((each.label != "").sum()) for each in pairs)
    about: dict[str, object] = {
        "what": "what the re-ranker's log-odds of settled, and of settled or in part, add to score and sureness",
        "data": f"{labelled_count} pairs read by a language model, of the half of the debates that teaches",
        "command": "python -m training.reranker.borders --data DIR "
        + (f"--reranker {options.reranker} --apart" if options.apart else "--folds DIR"),
        "pairs read again": sum(len(each.score) for each in pairs),
    }
    write(folder, rereading, about)
    print(json.dumps(rereading.to_json(), indent=1), json.dumps(about, indent=1))


def _debates(options: argparse.Namespace) -> list[Debate]:
    """Return the debates for training, or only the ones that no re-ranker was trained on."""
    if options.apart:
        return debates_of_half(options.data, TEACH)
    debates = [*data.seven(options.data), *data.others(options.data)]
    half = halves(debate.name for debate in debates)
    return [debate for debate in debates if half[debate.name] == TEACH]


if __name__ == "__main__":
    sys.exit(main())
