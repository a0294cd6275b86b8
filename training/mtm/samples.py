"""Samples for MTM: pairs of a query and an article to learn from, with BM25's wrong candidates, and to choose by."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.edits.same_claim import part_of
from training.mtm.queries import (
    Pool,
    Query,
    debate_sentences,
    drawn,
    politifact,
    statements,
    tweet_parts,
    tweeted,
    tweets,
    word_pieces,
)
from training.shared.loaders import held_out_claims

NEAR = 8  # wrong candidates of BM25 that are hard
RIVALS = 7  # wrong candidates of a development query


@dataclass(frozen=True)
class Sample:
    """A query and an article as word pieces, whether the article is about it, and which query and article they are."""

    query: list[int]
    sentences: list[list[int]]
    label: float
    of: tuple[str, int]
    kind: str


@dataclass(frozen=True)
class Sizes:
    """How many queries of each kind are learnt from and chosen by, and how many wrong articles each is learnt with."""

    statements: int = 350
    tweets: int = 400
    debates: int = 400
    wrong: int = 2
    dev: int = 25


@dataclass(frozen=True)
class Material:
    """Everything the main phase reads."""

    train: list[Sample]
    dev: list[Sample]

    def development(self, predicted: NDArray[np.float32]) -> dict[str, float]:
        """Return the mean reciprocal rank of the right articles of each kind of development query, and of all."""
        ranks: dict[str, dict[str, list[tuple[float, float]]]] = {}
        for sample, value in zip(self.dev, predicted.tolist(), strict=True):
            ranks.setdefault(sample.kind, {}).setdefault(sample.of[0], []).append(
                (value, sample.label)
            )
        means = {
            kind: float(np.mean([_reciprocal(rows) for rows in of.values()]))
            for kind, of in ranks.items()
        }
        mean = float(np.mean([*means.values()]))
        return {**{f"dev_mrr_{kind}": value for kind, value in means.items()}, "dev_mrr": mean}


def _reciprocal(rows: Sequence[tuple[float, float]]) -> float:
    best = max(value for value, label in rows if label)
    return 1 / (1 + sum(value >= best for value, label in rows if not label))


@dataclass(frozen=True)
class Library:
    """Both pools and the queries of all kinds."""

    politifact: Pool
    tweeted: Pool
    queries: list[Query]
    learnable: dict[str, NDArray[np.bool_]]  # kind of pool: which articles a training may see

    def pool(self, kind: str) -> Pool:
        """Return the pool that a kind of query searches."""
        return self.tweeted if kind == "tweet" else self.politifact

    def of(self, kind: str, part: str) -> list[Query]:
        """Return the queries of a kind and part."""
        return [query for query in self.queries if (query.kind, query.part) == (kind, part)]


def library(data: Path, work: Path) -> Library:
    """Return the pools and queries of the data folder, the slow parts kept in ``work``."""
    checked = politifact(data, work)
    about = tweeted(data, work)
    held_out = held_out_claims(data)
    seen = np.array(
        [name not in held_out and part_of(name) == "train" for name in checked.articles.ids]
    )
    train = np.array([part == "train" for part in tweet_parts(data, about)])
    queries = (
        statements(data, checked, about) + debate_sentences(data, checked) + tweets(data, about)
    )
    return Library(checked, about, queries, {"statement": seen, "debate": seen, "tweet": train})


def material(source: Library, sizes: Sizes, *, seed: int) -> Material:
    """Return the pairs to learn from and to choose by."""
    train = []
    dev = []
    for kind, count in (
        ("statement", sizes.statements),
        ("tweet", sizes.tweets),
        ("debate", sizes.debates),
    ):
        queries = drawn(source.of(kind, "train"), count, seed=seed)
        train += _training(source, kind, queries, sizes.wrong, seed=seed)
        dev += _development(source, kind, drawn(source.of(kind, "dev"), sizes.dev, seed=seed))
        print(f"{kind}: {len(queries)} queries to learn from")
    return Material(train, dev)


def _training(
    source: Library, kind: str, queries: Sequence[Query], wrong: int, *, seed: int
) -> list[Sample]:
    """Return each query with its right articles, and wrong ones.

    Half of them, at least one, hard.
    """
    pool = source.pool(kind)
    rng = random.Random(seed)
    usable = source.learnable[kind]
    made = []
    candidates, _ = pool.candidates(queries)
    for query, places in zip(queries, candidates.tolist(), strict=True):
        others = [place for place in places if usable[place] and place not in query.articles]
        near = others[:NEAR]
        far = others[NEAR:]
        hard = rng.sample(near, min(len(near), (wrong + 1) // 2))
        easy = rng.sample(far, min(len(far), wrong - len(hard)))
        right = [place for place in query.articles if usable[place]]
        made += [sample(pool, query, place) for place in (*right, *hard, *easy)]
    return made


def _development(source: Library, kind: str, queries: Sequence[Query]) -> list[Sample]:
    """Return each query that BM25 finds its article for with that article and BM25's best wrong ones."""
    pool = source.pool(kind)
    made = []
    candidates, _ = pool.candidates(queries)
    for query, places in zip(queries, candidates.tolist(), strict=True):
        right = [place for place in places if place in query.articles]
        others = [place for place in places if place not in query.articles][:RIVALS]
        if right:
            made += [sample(pool, query, place) for place in (*right, *others)]
    return made


def sample(pool: Pool, query: Query, place: int) -> Sample:
    """Return a query beside one article."""
    sentences = [pool.articles.ids_of(row) for row in pool.articles.rows(place)]
    return Sample(
        word_pieces([query.text])[0],
        sentences,
        float(place in query.articles),
        (query.id, place),
        query.kind,
    )
