"""Which article is about this query? MTM, what it is compared with, and what its parts give, on three held-out tests.

``python -m bench.articles.ranking --data DIR --work DIR [--candidates 50] [--statements 60] [--tweets 60] [--json F]``

Tests: all queries of CheckThat! 2021 2B dev and held-out statements among all fact-checks, held-out tweets of Vo and
Lee among their articles. Every system ranks the same candidates of BM25: its recall bounds them all. Nets learn from
the pairs that MTM learnt from, combinations of scores from the development queries. With ``--groups``: the groups of
Table 3 on some tests, which learn the last net and the patterns anew over MTM's blocks from a third of the queries, as
does the row they are compared with. Scores are kept in ``--work``: a stopped run goes on, and no test is read twice.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from bench.articles import systems
from features.articles.mtm import load
from features.articles.mtm.loading import card
from ranking import metrics
from training.evidence.scores import interval
from training.mtm import space as mtm_space
from training.mtm.loop import Learner, Read, Recipe, Run, settle, train
from training.mtm.queries import Query, drawn
from training.mtm.samples import Library, Material, Sample, Sizes, library, material, sample
from training.mtm.train import MODELS, special

Floats = NDArray[np.float32]
SEED = 17
SHARE = 3  # of the queries that MTM learnt from, one in so many teaches a group of Table 3
TESTS = {"debate": "CheckThat! 2B dev", "tweet": "held-out tweets", "statement": "held-out statements"}
COLUMNS = ("MRR", "MAP@1", "MAP@3", "MAP@5", "HIT@3", "HIT@5")


@dataclass(frozen=True)
class Lists:
    """Candidate lists of some queries, one after another: the pairs, BM25's scores (n,), and the queries themselves."""

    pairs: list[Sample]
    bm25: Floats
    queries: list[Query]


def test_lists(found: Library, kind: str, count: int, candidates: int) -> Lists:
    """Return the candidates of the held-out queries of a kind."""
    queries, pool = drawn(found.of(kind, "test"), count, seed=SEED), found.pool(kind)
    places, scores = pool.candidates(queries, k=candidates)
    pairs = [sample(pool, query, place) for query, row in zip(queries, places.tolist(), strict=True) for place in row]
    return Lists(pairs, scores.ravel().astype(np.float32), queries)


def bm25_of(found: Library, pairs: Sequence[Sample]) -> Floats:
    """Return BM25's score of each pair."""
    texts = {query.id: query.text for query in found.queries}
    values = np.zeros(len(pairs), np.float32)
    for kind in TESTS:
        rows = [row for row, pair in enumerate(pairs) if pair.kind == kind]
        if rows:
            places = np.array([[pairs[row].of[1]] for row in rows], np.int32)
            values[rows] = found.pool(kind).bm25.pairs([texts[pairs[row].of[0]] for row in rows], places)[:, 0]
    return values


def run_of(lists: Lists, scores: Floats) -> tuple[metrics.Run, metrics.Qrels]:
    """Return one system's scores of one test by query and article, and which articles are right."""
    run: dict[str, dict[str, float]] = {}
    for pair, score in zip(lists.pairs, scores.tolist(), strict=True):
        run.setdefault(pair.of[0], {})[str(pair.of[1])] = score
    return run, {query.id: {str(place): 1 for place in query.articles} for query in lists.queries}


def reciprocal_ranks(lists: Lists, scores: Floats) -> NDArray[np.float64]:
    """Return the reciprocal rank of each query's first right article, (queries,)."""
    return np.array([*metrics.per_qid(metrics.reciprocal_rank, *run_of(lists, scores)).values()])


def measures(lists: Lists, scores: Floats) -> dict[str, float]:
    """Return the columns of one system on one test; an article that is no candidate is never found."""
    run, qrels = run_of(lists, scores)
    values = [metrics.mean(metrics.reciprocal_rank, run, qrels)]
    values += [metrics.mean_average_precision(run, qrels, depth=k) for k in (1, 3, 5)]
    values += [metrics.mean(lambda s, g, k=k: metrics.hit_at(s, g, k), run, qrels) for k in (3, 5)]
    return dict(zip(COLUMNS, (round(value, 3) for value in values), strict=True))


@dataclass
class Bench:
    """What is ranked, and the scores of systems that are known: one array over all pairs, development first."""

    found: Library
    learnt: Material
    tests: dict[str, Lists]
    work: Path

    @property
    def pairs(self) -> list[Sample]:
        """Return the pairs of the development queries, then of each test."""
        return [*self.learnt.dev, *(pair for lists in self.tests.values() for pair in lists.pairs)]

    def scored(self, system: str, score: Callable[[], Floats]) -> Floats:
        """Return a system's scores of all pairs, from the file of an earlier run where there is one."""
        path = self.work / f"{system.replace(' ', '-').replace(',', '').lower()}-{len(self.pairs)}.npy"
        if not path.exists():
            print(f"reading: {system}", flush=True)
            np.save(path, score())
        return np.load(path)

    def texts(self, pair: Sample) -> tuple[str, list[str]]:
        """Return the query and the sentences of the article of a pair, as text."""
        return self._texts[pair.of[0]], self.found.pool(pair.kind).articles.sentences(pair.of[1])

    def __post_init__(self) -> None:
        self._texts = {query.id: query.text for query in self.found.queries}
        self.work.mkdir(parents=True, exist_ok=True)


def baselines(bench: Bench, models: Path) -> dict[str, Floats]:
    """Return the scores of the systems that MTM is compared with."""
    mtm, pairs, dev = load(models), bench.pairs, len(bench.learnt.dev)
    labels = systems.labels_of(bench.learnt.dev)
    made = {"BM25": bench.scored("BM25", lambda: bm25_of(bench.found, pairs))}
    made["cross-encoder on the start"] = bench.scored("cross-encoder on the start", lambda: opened(bench, models))
    cosines = systems.Cosines(mtm, bench.texts)

    def sentence_bert() -> Floats:
        values, _ = cosines.of(pairs)
        np.save(bench.work / "cosines.npy", values)
        return systems.apply_net(systems.small_net(values[:dev], labels, seed=SEED), values)

    def transferred() -> Floats:
        _, best = cosines.of(pairs)
        inputs = np.column_stack((systems.same_claim(pairs, bench.texts, best), made["BM25"] / 10))
        return LogisticRegression().fit(inputs[:dev], labels).decision_function(inputs).astype(np.float32)

    made["Sentence-BERT"] = bench.scored("Sentence-BERT", sentence_bert)
    made["cross-encoder on the best three sentences"] = bench.scored("three sentences", transferred)
    svm = systems.rank_svm({name: values[:dev] for name, values in made.items()}, bench.learnt.dev)
    group = systems.groups(pairs)
    made["RankSVM on all of these"] = svm.decision_function(systems.with_places(made, group)).astype(np.float32)
    return made


def opened(bench: Bench, models: Path) -> Floats:
    """Return the scores of a cross-encoder on the start of the article, learnt as MTM is, from the same pairs."""
    recipe = Recipe(key=1, told=False, longest=160, rounds=card(models)["recipe"]["rounds"])
    learner = systems.untrained(load(models), recipe)
    learnt = Material(*([systems.opening(pair) for pair in part] for part in (bench.learnt.train, bench.learnt.dev)))
    settle(learner, learnt.train, Read(learner), lambda number, loss: None, seed=SEED)
    if recipe.rounds:
        train(learner, learnt, Run(bench.work, SEED, every=10_000))
    return learner.predict([systems.opening(pair) for pair in bench.pairs])


def shipped(models: Path, means: Path) -> Read:
    """Return MTM as it ships, ready to read. ``means``: what its training read, of use if its blocks stood still."""
    mtm = load(models)
    read = Read(Learner(*mtm.network, mtm.space, mtm.memory, special(), Recipe()))
    if means.exists() and not card(models)["recipe"]["rounds"]:
        read.recall(means)
    return read


def groups(bench: Bench, models: Path, means: Path, kinds: Sequence[str]) -> list[dict[str, object]]:
    """Return a row for each group of Table 3 and each of some tests, with its paired difference from the first row."""
    kept = bench.work / "means.npz"
    read = shipped(models, means)
    if kept.exists():
        read.recall(kept)
    number = systems.groups(bench.learnt.train)
    share = [pair for pair, g in zip(bench.learnt.train, number.tolist(), strict=True) if g % SHARE == 0]
    mtm = load(models)
    plain = mtm_space.inverse_frequency(bench.found.politifact.articles, len(mtm.space.vectors))
    rows: list[dict[str, object]] = []
    against: dict[str, NDArray[np.float64]] = {}
    for name, variant in systems.ablations(mtm, plain, read.learner.recipe).items():

        def again(pairs: Sequence[Sample], variant: systems.Variant = variant) -> Floats:
            found = systems.predict(read, systems.relearnt(read, share, variant, seed=SEED), pairs)
            read.keep(kept)
            return found

        for kind in kinds:
            lists = bench.tests[kind]
            scores = bench.scored(f"{name} {kind}", lambda pairs=lists.pairs: again(pairs))
            ranks = reciprocal_ranks(lists, scores)
            gain = ranks - against.setdefault(kind, ranks)
            told = {"gain": round(float(gain.mean()), 3), "interval": [round(end, 3) for end in interval(gain)]}
            rows.append({"test": TESTS[kind], "system": name, **measures(lists, scores), **told})
    return rows


def table(bench: Bench, scores: Mapping[str, Floats]) -> list[dict[str, object]]:
    """Return a row for each system and test."""
    rows, at = [], len(bench.learnt.dev)
    for kind, lists in bench.tests.items():
        part = slice(at, at + len(lists.pairs))
        rows += [{"test": TESTS[kind], "system": name, **measures(lists, v[part])} for name, v in scores.items()]
        at = part.stop
    dev = bench.learnt
    for name, values in scores.items():
        rows.append({"test": "development", "system": name, **dev.development(values[: len(dev.dev)])})
    return rows


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables, and write them where asked."""
    parser = argparse.ArgumentParser(prog="python -m bench.articles.ranking", description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path("build/mtm"))
    parser.add_argument("--models", type=Path, default=MODELS)
    parser.add_argument("--candidates", type=int, default=50, help="K1, how many articles BM25 hands on")
    parser.add_argument("--statements", type=int, default=60)
    parser.add_argument("--tweets", type=int, default=60)
    parser.add_argument(
        "--groups", nargs="+", choices=TESTS, default=(), help="the groups of Table 3 too, on these tests"
    )
    parser.add_argument("--json", type=Path)
    args = parser.parse_args(arguments)
    found = library(args.data, args.work)
    counts = {"debate": 10_000, "tweet": args.tweets, "statement": args.statements}
    tests = {kind: test_lists(found, kind, counts[kind], args.candidates) for kind in TESTS}
    sizes = Sizes(**card(args.models)["queries"])
    bench = Bench(found, material(found, sizes, seed=SEED), tests, args.work / "article_ranking")
    means = args.work / "means.npz"
    made = {"MTM": bench.scored("MTM", lambda: shipped(args.models, means).predict(bench.pairs))}
    rows = table(bench, made | baselines(bench, args.models)) + groups(bench, args.models, means, args.groups)
    for row in rows:
        print(*row.values(), sep="\t")
    if args.json:
        args.json.write_text(json.dumps({"rows": rows}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
