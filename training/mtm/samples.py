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
        """Return the mean reciprocal rank of right articles per kind of development query, and of all."""
        # (score, label) of the articles of each query, by kind and query
        results: dict[str, dict[str, list[tuple[float, float]]]] = {}
        for sample, score in zip(self.dev, predicted.tolist(), strict=True):
            query_id = sample.of[0]
            results_of_kind = results.setdefault(sample.kind, {})
            results_of_kind.setdefault(query_id, []).append((score, sample.label))
        means = {}
        for kind, results_by_query in results.items():
            ranks = [_reciprocal_rank(pairs) for pairs in results_by_query.values()]
            means[f"dev_mrr_{kind}"] = float(np.mean(ranks))
        mean = float(np.mean(list(means.values())))
        return {**means, "dev_mrr": mean}


def _reciprocal_rank(results: Sequence[tuple[float, float]]) -> float:
    best = max(score for score, label in results if label)
    rivals = sum(score >= best for score, label in results if not label)
    return 1 / (1 + rivals)


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

    def of(self, kind: str, split: str) -> list[Query]:
        """Return the queries of a kind and part."""
        return [query for query in self.queries if (query.kind, query.part) == (kind, split)]


def library(data: Path, work: Path) -> Library:
    """Return the pools and queries of the data folder, the slow parts cached in ``work``."""
    checked = politifact(data, work)
    tweeted_pool = tweeted(data, work)
    held_out = held_out_claims(data)
    learnable_checked = np.array(
        [name not in held_out and part_of(name) == "train" for name in checked.articles.ids]
    )
    learnable_tweeted = np.array([split == "train" for split in tweet_parts(data, tweeted_pool)])
    queries = [
        *statements(data, checked, tweeted_pool),
        *debate_sentences(data, checked),
        *tweets(data, tweeted_pool),
    ]
    learnable = {
        "statement": learnable_checked,
        "debate": learnable_checked,
        "tweet": learnable_tweeted,
    }
    return Library(checked, tweeted_pool, queries, learnable)


def material(source: Library, sizes: Sizes, *, seed: int) -> Material:
    """Return the pairs to learn from and to choose by."""
    train = []
    dev = []
    counts = {"statement": sizes.statements, "tweet": sizes.tweets, "debate": sizes.debates}
    for kind, count in counts.items():
        queries = drawn(source.of(kind, "train"), count, seed=seed)
        train += _training(source, kind, queries, sizes.wrong, seed=seed)
        dev_queries = drawn(source.of(kind, "dev"), sizes.dev, seed=seed)
        dev += _development(source, kind, dev_queries)
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
    samples = []
    candidates, _ = pool.candidates(queries)
    for query, articles in zip(queries, candidates.tolist(), strict=True):
        wrong_articles = [i for i in articles if usable[i] and i not in query.articles]
        hard_candidates = wrong_articles[:NEAR]
        easy_candidates = wrong_articles[NEAR:]
        hard = rng.sample(hard_candidates, min(len(hard_candidates), (wrong + 1) // 2))
        easy = rng.sample(easy_candidates, min(len(easy_candidates), wrong - len(hard)))
        right = [i for i in query.articles if usable[i]]
        samples += [sample(pool, query, i) for i in (*right, *hard, *easy)]
    return samples


def _development(source: Library, kind: str, queries: Sequence[Query]) -> list[Sample]:
    """Return queries whose article BM25 finds, with that article and BM25's best wrong ones."""
    pool = source.pool(kind)
    samples = []
    candidates, _ = pool.candidates(queries)
    for query, articles in zip(queries, candidates.tolist(), strict=True):
        right = [i for i in articles if i in query.articles]
        wrong = [i for i in articles if i not in query.articles][:RIVALS]
        if right:
            samples += [sample(pool, query, i) for i in (*right, *wrong)]
    return samples


def sample(pool: Pool, query: Query, article_index: int) -> Sample:
    """Return a query beside one article."""
    sentences = [
        pool.articles.ids_of(sentence_number)
        for sentence_number in pool.articles.rows(article_index)
    ]
    return Sample(
        word_pieces([query.text])[0],
        sentences,
        float(article_index in query.articles),
        (query.id, article_index),
        query.kind,
    )
