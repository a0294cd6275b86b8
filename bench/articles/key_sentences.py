"""Key sentences: do they link a claim and its article? 150 labelled pairs, as in section 4.7 of the MTM paper.

``python -m bench.articles.key_sentences --data DIR --work DIR`` prints how many of the first three sentences of each
system are key sentences, from the labels in ``bench/labels/key_sentences.tsv``; how they were made is noted there.
Expected: one of three right for 87.3 % of the pairs by MTM, 88.0 % by SBERT-nearest.

Pairs: 75 held-out statements that their article does not quote verbatim, and 75 sentences of
CheckThat! 2B dev with an article that is linked to them; articles of more than 20 sentences.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.command import command, data_option, option, table
from bench.label_files import label_rows
from features.articles.mtm import key_sentences, load
from features.articles.mtm.model import Mtm
from features.models.weight_files import MODELS
from features.similarity.bm25 import BM25
from training.evidence.scores import interval
from training.mtm.queries import (
    Articles,
    Query,
    debate_sentences,
    drawn,
    politifact,
    statements,
    tweeted,
)
from training.shared.sentence_vectors import sentence_vectors

OF_EACH = 75
LONG = 20
FIRST = 3
SEED = 17
Scores = NDArray[np.floating]
Key = tuple[str, str, int, int]  # query, article, start and end of the sentence


@dataclass(frozen=True)
class Pair:
    """A claim and an article of more than twenty sentences that is about it."""

    query: Query
    article: str
    sentences: list[str]
    spans: list[tuple[int, int]]

    def key(self, sentence_index: int) -> Key:
        """Return what names a sentence without its text."""
        return self.query.id, self.article, *self.spans[sentence_index]


def draw(data: Path, work: Path) -> list[Pair]:
    """Return the labelled pairs, drawn at random: statements first, then debate sentences."""
    pool = politifact(data, work)
    kinds = (statements(data, pool, tweeted(data, work)), debate_sentences(data, pool))
    pairs: list[Pair] = []
    for queries in kinds:
        with_long_article = []
        for query in queries:
            sentence_count = len(pool.articles.rows(query.articles[0]))
            if query.part == "test" and sentence_count > LONG:
                with_long_article.append(query)
        for query in drawn(with_long_article, OF_EACH, seed=SEED):
            pairs.append(_pair(pool.articles, query))
    return pairs


def _pair(articles: Articles, query: Query) -> Pair:
    article = query.articles[0]
    numbers = articles.rows(article)
    spans = [tuple(span) for span in articles.spans[numbers.start : numbers.stop].tolist()]
    return Pair(query, articles.ids[article], articles.sentences(article), spans)


def systems(mtm: Mtm) -> dict[str, Callable[[Pair], Scores]]:
    """Return what scores the sentences of a pair, by name."""
    return {
        "MTM": lambda pair: (
            mtm.explain(pair.query.text, [pair.sentences], relevance=False)[0].scores
        ),
        "MTM without patterns": lambda pair: _residual_scores(mtm, pair),
        "ROUGE-guided transformer": lambda pair: _rouge_scores(mtm, pair),
        "SBERT-nearest": _sbert_scores,
        "BM25": lambda pair: BM25.of(pair.sentences).scores([pair.query.text])[0],
    }


def _residual_scores(mtm: Mtm, pair: Pair) -> Scores:
    query, *pieces = mtm.pieces([pair.query.text, *pair.sentences])
    residuals = mtm.space.residuals(query, pieces)
    return key_sentences.score(residuals, mtm.memory[:0]).combined


def _rouge_scores(mtm: Mtm, pair: Pair) -> Scores:
    """The harmonic mean of the precision and recall of ROUGE-2 that the first transformer predicts."""
    query, *pieces = mtm.pieces([pair.query.text, *pair.sentences])
    predicted = mtm.rouge([query] * len(pieces), pieces)
    return 2 * predicted.prod(axis=1) / predicted.sum(axis=1)


def _sbert_scores(pair: Pair) -> Scores:
    vectors = sentence_vectors([pair.query.text, *pair.sentences]).astype(np.float32)
    return vectors[1:] @ vectors[0]


def first_three(scores: Scores) -> list[int]:
    """Return the places of the three best sentences, best first; of equal ones the earlier."""
    return np.argsort(-scores, kind="stable")[:FIRST].tolist()


def read_labels() -> dict[Key, bool]:
    """Return whether each labelled sentence is a key sentence."""
    records = label_rows("key_sentences.tsv")
    return {
        (query, article, int(start), int(end)): label == "y"
        for query, article, start, end, label in records
    }


def right(
    pairs: Sequence[Pair], best_by_pair: Sequence[Sequence[int]], labels: Mapping[Key, bool]
) -> tuple[NDArray[np.bool_], int]:
    """Return whether each of the first three is a key sentence, (n, 3), and the unlabelled count.

    A sentence without a label counts as no key sentence.
    """
    hits = []
    unlabelled = 0
    for pair, sentence_indices in zip(pairs, best_by_pair, strict=True):
        keys = [pair.key(i) for i in sentence_indices]
        unlabelled += sum(key not in labels for key in keys)
        hits.append([labels.get(key, False) for key in keys])
    return np.array(hits), unlabelled


def row_of(name: str, hits: NDArray[np.bool_], rival: NDArray[np.bool_]) -> dict[str, object]:
    """Return one system's row, with 95 % intervals of its difference from SBERT-nearest."""
    any_hit = hits.any(axis=1)
    shares: dict[str, float] = {"one of 3": any_hit.mean()}
    for k in range(1, FIRST + 1):
        shares[f"P@{k}"] = hits[:, :k].mean()
    for k in range(2, FIRST + 1):
        shares[f"right at rank {k}"] = hits[:, k - 1].mean()
    columns: dict[str, object] = {"system": name}
    columns |= {measure: round(float(share), 3) for measure, share in shares.items()}
    differences = {
        "one of 3": any_hit.astype(float) - rival.any(axis=1).astype(float),
        "P@1": hits[:, 0].astype(float) - rival[:, 0].astype(float),
    }
    for measure, difference in differences.items():
        low, high = interval(difference)
        columns[f"{measure} against SBERT"] = (
            f"{difference.mean():+.3f} ({low:+.3f} to {high:+.3f})"
        )
    return columns


def measure(options: argparse.Namespace) -> dict[str, list[dict[str, object]]]:
    """Print and return the table of the labels."""
    pairs = draw(options.data, options.work)
    labels = read_labels()
    hits_by_system = {}
    unlabelled_by_system = {}
    for name, score in systems(load(options.models)).items():
        best = [first_three(score(pair)) for pair in pairs]
        hits_by_system[name], unlabelled_by_system[name] = right(pairs, best, labels)
    rival = hits_by_system["SBERT-nearest"]
    table_rows = []
    for name, hits in hits_by_system.items():
        table_rows.append(row_of(name, hits, rival) | {"unread": unlabelled_by_system[name]})
    print(table(table_rows))
    return {"rows": table_rows}


main = command(
    measure,
    data_option,
    option("--work", type=Path, default=Path("build/mtm")),
    option("--models", type=Path, default=MODELS),
)

if __name__ == "__main__":
    sys.exit(main())
