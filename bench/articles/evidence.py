"""Evidence: which losses find the sentences that decide a rating, and does the shipped scorer reach its bars?

    python -m bench.articles.evidence --data DIR --work DIR [--test] [--json FILE]
    python -m bench.articles.evidence --speed

The table follows Bekoulis et al. 2021, Table 1: losses, negatives a positive and sentences a list, means over seeds.
Without ``--test`` every row is measured on PolitiHop train, five folds divided by statement: that chooses. With
``--test`` on PolitiHop valid, a statement's evidence being the union of its chains: run once. Expected of the shipped
scorer there: P@1 .643, one in the first three .875.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from bench.command import command, option, table
from bench.lexicon import lexicon
from features.articles.evidence import EvidenceScorer
from training.evidence.articles import Article, politihop
from training.evidence.lists import List
from training.evidence.scores import MEASURES, interval, measures
from training.evidence.scores import table as means
from training.evidence.train import (
    EvidenceSettings,
    held_out,
    make_lists,
    trained,
    training_examples,
)

LEXICON = lexicon(__file__)
ROWS = {name: EvidenceSettings(**settings) for name, settings in LEXICON.rows.items()}
FOLDS = 5
CHANCES = 200  # random orders
Measured = NDArray[np.float64]  # (articles, MEASURES)


def baselines(lists: Sequence[List]) -> dict[str, Measured]:
    """Return the measures of orders without learning.

    Random, and by the cosine of SBERT vectors with the claim.
    """
    rng = np.random.default_rng(17)
    targets = [member.target for member in lists]
    chance = []
    for _ in range(CHANCES):
        chance.append([rng.random(len(member)) for member in lists])
    cosines = [member.rows.astype(np.float32) @ member.claim for member in lists]
    return {"chance": means(chance, targets), "SBERT-nearest": means([cosines], targets)}


def shipped(articles: Sequence[Article], lists: Sequence[List]) -> Measured:
    """Return the measures of the scorer in ``models/``, read as the product reads it."""
    scorer = EvidenceScorer.load()
    values = []
    for article, member in zip(articles, lists, strict=True):
        scores = scorer.scores(member.claim, member.rows, article.texts)
        values.append(measures(scores, member.target))
    return np.array(values)


def development(data: Path, work: Path, seeds: Sequence[int]) -> dict[str, Measured]:
    """Return the measures of every row on PolitiHop train, each statement held out in turn."""
    examples = training_examples(data, work)
    lists, runs_by_row = held_out(examples, list(ROWS.values()), seeds, FOLDS)
    targets = [member.target for member in lists]
    measured = baselines(lists)
    for name, runs in zip(ROWS, runs_by_row, strict=True):
        measured[name] = means(runs, targets)
    return measured


def test(data: Path, work: Path, seeds: Sequence[int]) -> dict[str, Measured]:
    """Return the measures of every row, and of the weights that ship, on PolitiHop valid."""
    articles = politihop(data, "valid")
    lists = make_lists(articles, work)
    targets = [member.target for member in lists]
    scorers_by_row = trained(training_examples(data, work), list(ROWS.values()), seeds)
    measured = baselines(lists)
    for name, scorers in zip(ROWS, scorers_by_row, strict=True):
        measured[name] = means([scorer.scores(lists) for scorer in scorers], targets)
    return measured | {"models/evidence.safetensors": shipped(articles, lists)}


def show(measured: dict[str, Measured]) -> dict[str, object]:
    """Print means with 95 % intervals over statements, and paired differences."""
    report: dict[str, object] = {"statements": len(next(iter(measured.values())))}
    table_rows = []
    for name, values in measured.items():
        cells = map(cell, values.T)
        table_rows.append({"system": name, **dict(zip(MEASURES, cells, strict=True))})
        means_by_measure = values.mean(axis=0).round(4).tolist()
        report[name] = dict(zip(MEASURES, means_by_measure, strict=True))
    for system, rival in LEXICON.pairs:
        difference = measured[system] - measured[rival]
        cells = [cell(column, sign="+") for column in difference.T]
        name = f"{system} − {rival}"
        report[name] = dict(zip(MEASURES, cells, strict=True))
        table_rows.append({"system": name, **dict(zip(MEASURES, cells, strict=True))})
    print(table(table_rows))
    return report


def cell(values: NDArray[np.float64], *, sign: str = "") -> str:
    """Return the mean of values by statement with its 95 % interval."""
    low, high = interval(values)
    return f"{values.mean():{sign}.3f} ({low:{sign}.2f} to {high:{sign}.2f})"


def speed(*, sentences: int = 40, articles: int = 200) -> float:
    """Return the milliseconds of processor time that the shipped scorer takes for an article, vectors at hand."""
    scorer = EvidenceScorer.load()
    rng = np.random.default_rng(17)
    vectors = rng.normal(size=(articles, sentences + 1, scorer.width)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=-1, keepdims=True)
    words = [f"word{i}" for i in range(3000)]
    texts = []
    for _ in range(articles):
        texts.append([" ".join(rng.choice(words, 22)) + "." for _ in range(sentences)])
    scorer.scores(vectors[0, 0], vectors[0, 1:], texts[0])
    start = time.process_time()
    for article_vectors, sentences_of in zip(vectors, texts, strict=True):
        scorer.scores(article_vectors[0], article_vectors[1:], sentences_of)
    return 1000 * (time.process_time() - start) / articles


def measure(options: argparse.Namespace) -> dict[str, object] | None:
    """Print and return the table, or print the speed."""
    torch.set_num_threads(1)
    if options.speed:
        print(f"{speed():.2f} ms of processor time for an article of 40 sentences")
        return None
    if not options.data or not options.work:
        raise argparse.ArgumentError(None, "--data and --work are needed but for --speed")
    return show(
        (test if options.test else development)(options.data, options.work, range(options.seeds))
    )


main = command(
    measure,
    option("--data", type=Path, metavar="DIR", help="the data folder"),
    option("--work", type=Path, metavar="DIR", help="where vectors are kept for the next run"),
    option("--seeds", type=int, default=3),
    option(
        "--test",
        action="store_true",
        help="measure on PolitiHop valid instead of choosing on train",
    ),
    option("--speed", action="store_true", help="only time the shipped scorer"),
)

if __name__ == "__main__":
    sys.exit(main())
