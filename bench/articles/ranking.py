"""Article ranking: MTM, the systems it is compared with, and what its parts give, on three held-out tests.

``python -m bench.articles.ranking --data DIR --work DIR [--candidates 50] [--statements 60] [--tweets 60] [--json F]``

Tests: all sentences of CheckThat! 2021 2B dev and held-out statements among all fact-checks,
held-out tweets of Vo and Lee among their articles. Every system ranks the same candidates of BM25,
whose recall bounds them all. Networks learn from the pairs that MTM learnt from, combinations of
scores from the development sentences. With ``--groups``: the groups of the MTM paper's Table 3 on
some tests, with the last network and the patterns learnt anew over MTM's blocks from a third of
the pairs, as is the row they are compared with. Scores are kept in ``--work``: a stopped run
continues, and no test is run twice. Expected: MRR .478 of MTM on debate sentences with 50
candidates.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from bench.articles import systems
from bench.command import command, data_option, option, table
from features.articles.mtm import load
from features.articles.mtm.loading import card
from ranking import metrics
from training.evidence.scores import interval
from training.mtm import word_weights as mtm_space
from training.mtm.main_phase import Learner, MainPhaseSettings, Read, settle
from training.mtm.queries import Query, drawn
from training.mtm.samples import Library, Material, Sample, Sizes, library, material, sample
from training.mtm.train import MODELS, special

Floats = NDArray[np.float32]
SEED = 17
SHARE = 3  # of the queries that MTM learnt from, one in so many teaches a group of Table 3
TESTS = {
    "debate": "CheckThat! 2B dev",
    "tweet": "held-out tweets",
    "statement": "held-out statements",
}
COLUMNS = ("MRR", "MAP@1", "MAP@3", "MAP@5", "HIT@3", "HIT@5")


@dataclass(frozen=True)
class Lists:
    """The candidates of some input texts, one list after another.

    Pairs, BM25's scores (n,), and the texts.
    """

    pairs: list[Sample]
    bm25: Floats
    queries: list[Query]


def test_lists(articles: Library, kind: str, count: int, candidates: int) -> Lists:
    """Return the candidates of the held-out input texts of a kind."""
    queries = drawn(articles.of(kind, "test"), count, seed=SEED)
    pool = articles.pool(kind)
    article_indices, scores = pool.candidates(queries, k=candidates)
    pairs = [
        sample(pool, query, article_index)
        for query, query_articles in zip(queries, article_indices.tolist(), strict=True)
        for article_index in query_articles
    ]
    return Lists(pairs, scores.ravel().astype(np.float32), queries)


def bm25_of(articles: Library, pairs: Sequence[Sample]) -> Floats:
    """Return BM25's score of each pair."""
    texts = {query.id: query.text for query in articles.queries}
    values = np.zeros(len(pairs), np.float32)
    for kind in TESTS:
        pair_indices = [i for i, pair in enumerate(pairs) if pair.kind == kind]
        if not pair_indices:
            continue
        query_texts = []
        article_indices = []
        for i in pair_indices:
            query_id, article = pairs[i].of
            query_texts.append(texts[query_id])
            article_indices.append(article)
        text_indices = np.arange(len(pair_indices))
        values[pair_indices] = articles.pool(kind).bm25.pairs(
            query_texts, text_indices, np.array(article_indices, np.int32)
        )
    return values


def run_of(lists: Lists, scores: Floats) -> tuple[metrics.Run, metrics.Qrels]:
    """Return one system's scores of one test by query and article, and which articles are right."""
    run: dict[str, dict[str, float]] = {}
    for pair, score in zip(lists.pairs, scores.tolist(), strict=True):
        run.setdefault(pair.of[0], {})[str(pair.of[1])] = score
    return run, {
        query.id: {str(article_index): 1 for article_index in query.articles}
        for query in lists.queries
    }


def reciprocal_ranks(lists: Lists, scores: Floats) -> NDArray[np.float64]:
    """Return the reciprocal rank of each query's first right article, (queries,)."""
    return np.array([*metrics.per_qid(metrics.reciprocal_rank, *run_of(lists, scores)).values()])


def measures(lists: Lists, scores: Floats) -> dict[str, float]:
    """Return the columns of one system on one test.

    An article that is no candidate is never found.
    """
    run, qrels = run_of(lists, scores)
    values = [metrics.mean(metrics.reciprocal_rank, run, qrels)]
    values += [metrics.mean_average_precision(run, qrels, depth=k) for k in (1, 3, 5)]
    values += [
        metrics.mean(lambda scores, gold, k=k: metrics.hit_at(scores, gold, k), run, qrels)
        for k in (3, 5)
    ]
    return dict(zip(COLUMNS, (round(value, 3) for value in values), strict=True))


@dataclass
class Bench:
    """The pairs that are ranked, development first, and the scores of systems over all of them, kept in ``work``."""

    articles: Library
    learnt: Material
    tests: dict[str, Lists]
    work: Path

    @property
    def pairs(self) -> list[Sample]:
        """Return the pairs of the development queries, then of each test."""
        return [*self.learnt.dev, *(pair for lists in self.tests.values() for pair in lists.pairs)]

    def scored(self, system: str, score: Callable[[], Floats]) -> Floats:
        """Return a system's scores of all pairs, from the file of an earlier run if there is one."""
        stem = system.replace(" ", "-").replace(",", "").lower()
        path = self.work / f"{stem}-{len(self.pairs)}.npy"
        if not path.exists():
            print(f"reading: {system}", flush=True)
            np.save(path, score())
        return np.load(path)

    def texts(self, pair: Sample) -> tuple[str, list[str]]:
        """Return the query and the sentences of the article of a pair, as text."""
        return self._texts[pair.of[0]], self.articles.pool(pair.kind).articles.sentences(pair.of[1])

    def __post_init__(self) -> None:
        self._texts = {query.id: query.text for query in self.articles.queries}
        self.work.mkdir(parents=True, exist_ok=True)


def baselines(bench: Bench, models: Path) -> dict[str, Floats]:
    """Return the scores of the systems that MTM is compared with."""
    mtm = load(models)
    pairs = bench.pairs
    dev_count = len(bench.learnt.dev)
    dev_labels = systems.labels_of(bench.learnt.dev)
    scores = {"BM25": bench.scored("BM25", lambda: bm25_of(bench.articles, pairs))}
    scores["cross-encoder on the start"] = bench.scored(
        "cross-encoder on the start", lambda: opened(bench, models)
    )
    cosines = systems.Cosines(mtm, bench.texts)

    def sentence_bert() -> Floats:
        values, _ = cosines.of(pairs)
        np.save(bench.work / "cosines.npy", values)
        net = systems.small_net(values[:dev_count], dev_labels, seed=SEED)
        return systems.apply_net(net, values)

    def transferred() -> Floats:
        _, best = cosines.of(pairs)
        same_claim_odds = systems.same_claim(pairs, bench.texts, best)
        inputs = np.column_stack((same_claim_odds, scores["BM25"] / 10))
        regression = LogisticRegression().fit(inputs[:dev_count], dev_labels)
        return regression.decision_function(inputs).astype(np.float32)

    scores["Sentence-BERT"] = bench.scored("Sentence-BERT", sentence_bert)
    scores["cross-encoder on the best three sentences"] = bench.scored(
        "three sentences", transferred
    )
    dev_scores = {name: values[:dev_count] for name, values in scores.items()}
    svm = systems.rank_svm(dev_scores, bench.learnt.dev)
    inputs = systems.with_places(scores, systems.groups(pairs))
    scores["RankSVM on all of these"] = svm.decision_function(inputs).astype(np.float32)
    return scores


def opened(bench: Bench, models: Path) -> Floats:
    """Return the scores of a cross-encoder on the start of the article, learnt as MTM is, from the same pairs."""
    learner = systems.untrained(load(models), MainPhaseSettings(key=1, told=False, longest=160))
    means_reader = Read(learner)
    settle(
        learner,
        [*map(systems.opening, bench.learnt.train)],
        means_reader,
        lambda number, loss: None,
        seed=SEED,
    )
    return means_reader.predict([*map(systems.opening, bench.pairs)])


def shipped(models: Path, means: Path) -> Read:
    """Return MTM as it ships, ready to read.

    ``means``: what its training has read of the same pairs.
    """
    mtm = load(models)
    means_reader = Read(
        Learner(*mtm.network, mtm.space, mtm.memory, special(), MainPhaseSettings())
    )
    if means.exists():
        means_reader.recall(means)
    return means_reader


def groups(
    bench: Bench, models: Path, means: Path, kinds: Sequence[str]
) -> list[dict[str, object]]:
    """Return a row for each group of Table 3 and each of some tests, with its paired difference from the first row."""
    means_path = bench.work / "means.npz"
    means_reader = shipped(models, means)
    if means_path.exists():
        means_reader.recall(means_path)
    number = systems.groups(bench.learnt.train)
    share = []
    for pair, group in zip(bench.learnt.train, number.tolist(), strict=True):
        if group % SHARE == 0:
            share.append(pair)
    mtm = load(models)
    plain = mtm_space.inverse_frequency(bench.articles.politifact.articles, len(mtm.space.vectors))
    table_rows: list[dict[str, object]] = []
    against: dict[str, NDArray[np.float64]] = {}
    for name, variant in systems.ablations(mtm, plain, means_reader.learner.settings).items():

        def again(pairs: Sequence[Sample], variant: systems.Variant = variant) -> Floats:
            scores = systems.predict(
                means_reader, systems.relearnt(means_reader, share, variant, seed=SEED), pairs
            )
            means_reader.keep(means_path)
            return scores

        for kind in kinds:
            lists = bench.tests[kind]
            scores = bench.scored(f"{name} {kind}", lambda pairs=lists.pairs: again(pairs))
            ranks = reciprocal_ranks(lists, scores)
            gain = ranks - against.setdefault(kind, ranks)
            gained = {
                "gain": round(float(gain.mean()), 3),
                "interval": [round(end, 3) for end in interval(gain)],
            }
            table_rows.append(
                {"test": TESTS[kind], "system": name, **measures(lists, scores), **gained}
            )
    return table_rows


def by_test(bench: Bench, scores: Mapping[str, Floats]) -> list[dict[str, object]]:
    """Return a row for each system and test."""
    table_rows = []
    material = bench.learnt
    start = len(material.dev)
    for kind, lists in bench.tests.items():
        end = start + len(lists.pairs)
        for name, values in scores.items():
            columns = {"test": TESTS[kind], "system": name, **measures(lists, values[start:end])}
            table_rows.append(columns)
        start = end
    for name, values in scores.items():
        dev_scores = material.development(values[: len(material.dev)])
        table_rows.append({"test": "development", "system": name, **dev_scores})
    return table_rows


def measure(options: argparse.Namespace) -> dict[str, list[dict[str, object]]]:
    """Print and return a row for each system and test."""
    articles = library(options.data, options.work)
    counts = {"debate": 10_000, "tweet": options.tweets, "statement": options.statements}
    tests = {kind: test_lists(articles, kind, counts[kind], options.candidates) for kind in TESTS}
    sizes = Sizes(**card(options.models)["queries"])
    bench = Bench(
        articles, material(articles, sizes, seed=SEED), tests, options.work / "article_ranking"
    )
    means = options.work / "means.npz"
    scores = {
        "MTM": bench.scored("MTM", lambda: shipped(options.models, means).predict(bench.pairs))
    }
    table_rows = by_test(bench, scores | baselines(bench, options.models))
    table_rows += groups(bench, options.models, means, options.groups)
    print(table(table_rows))
    return {"rows": table_rows}


main = command(
    measure,
    data_option,
    option("--work", type=Path, default=Path("build/mtm")),
    option("--models", type=Path, default=MODELS),
    option("--candidates", type=int, default=50, help="K1, how many articles BM25 hands on"),
    option("--statements", type=int, default=60),
    option("--tweets", type=int, default=60),
    option(
        "--groups",
        nargs="+",
        choices=TESTS,
        default=(),
        help="the groups of Table 3 on these tests",
    ),
)

if __name__ == "__main__":
    sys.exit(main())
