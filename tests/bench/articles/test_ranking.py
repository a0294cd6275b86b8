"""Ranking articles: the measures of candidate lists, and how scores of several systems are put together."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from bench.articles import ranking as article_ranking
from bench.articles import systems
from bench.articles.ranking import Lists, measures, reciprocal_ranks
from training.mtm.queries import Query
from training.mtm.samples import Sample


def pair(query: str, rank: int, label: float = 0.0) -> Sample:
    return Sample([5], [[6, 7], [8]], label, (query, rank), "debate")


LISTS = Lists(
    [pair("a", 1), pair("a", 2, 1.0), pair("b", 1, 1.0), pair("b", 3)],
    np.zeros(4, np.float32),
    [
        Query(name, name, (place,), "debate", "test")
        for name, place in (("a", 2), ("b", 1), ("c", 9))
    ],
)


def test_measures_count_what_bm25_missed():
    """a: second, b: first, c: its article is no candidate and counts 0."""
    measured = measures(LISTS, np.array([0.9, 0.1, 0.8, 0.2], np.float32))

    assert measured == {
        "MRR": 0.5,
        "MAP@1": 0.333,
        "MAP@3": 0.5,
        "MAP@5": 0.5,
        "HIT@3": 0.667,
        "HIT@5": 0.667,
    }


def test_places_are_scaled_within_their_query():
    """Each score gets two columns: 0 to 1 within its query, and one over its rank there."""
    columns = systems.with_places(
        {"x": np.array([3.0, 1.0, 5.0, 5.0], np.float32)}, np.array([0, 0, 1, 1])
    )

    assert columns.tolist() == [[1, 1], [0, 0.5], [0, 1], [0, 0.5]]


def test_groups_number_queries_as_they_come():
    """One number a query."""
    assert systems.groups(LISTS.pairs).tolist() == [0, 0, 1, 1]


def test_rank_svm_learns_which_system_to_trust():
    """Of two systems the one that puts the right article first gets its way."""
    rng = np.random.default_rng(1)
    pairs = [pair(f"q{i // 3}", i % 3, float(i % 3 == 0)) for i in range(60)]
    good = systems.labels_of(pairs) + rng.normal(0, 0.1, 60).astype(np.float32)
    scores = {"good": good.astype(np.float32), "noise": rng.normal(size=60).astype(np.float32)}

    svm = systems.rank_svm(scores, pairs)
    decisions = svm.decision_function(systems.with_places(scores, systems.groups(pairs))).reshape(
        -1, 3
    )

    assert (decisions.argmax(axis=1) == 0).all()


def test_the_small_net_learns_and_follows_its_seed():
    """Five cosines in, a score out: higher where they are; the same net for the same seed."""
    rng = np.random.default_rng(2)
    labels = (np.arange(200) % 5 == 0).astype(np.float32)
    inputs = (rng.normal(0.3, 0.1, (200, 5)) + 0.4 * labels[:, None]).astype(np.float32)

    predictions = systems.apply_net(systems.small_net(inputs, labels, seed=3), inputs)

    assert predictions[labels == 1].mean() > predictions[labels == 0].mean()
    np.testing.assert_array_equal(
        predictions, systems.apply_net(systems.small_net(inputs, labels, seed=3), inputs)
    )


def test_the_opening_is_the_first_word_pieces():
    """All sentences joined and cut; the pair stays the same pair."""
    opened = systems.opening(Sample([5], [[6] * 60, [7] * 60], 1.0, ("a", 2), "tweet"))

    assert opened.sentences == [[6] * 60 + [7] * 30]
    assert opened.label == 1.0
    assert opened.of == ("a", 2)


class Nothing:
    """A stand-in for a library without texts and for material without pairs."""

    dev = []
    train = []
    queries = []

    class politifact:
        articles = None


class Unread:
    """A stand-in for MTM that has read nothing and keeps nothing."""

    class learner:
        settings = None

    def keep(self, path):
        assert path.parent.exists()


class Known:
    """A stand-in for MTM's static space: lengths by the first word piece."""

    class space:
        vectors = ()

        @staticmethod
        def residuals(query, sentences):
            return np.array([[sentence[0]] for sentence in sentences], np.float32)


def test_cosines_fall_and_name_their_sentences(monkeypatch):
    """The five largest cosines of the nearest sentences, with zeros for those that are not there."""
    vectors = {"q": [1, 0], "same": [1, 0], "half": [0.6, 0.8], "other": [0, 1]}
    monkeypatch.setattr(
        systems, "sentence_vectors", lambda texts: np.array([vectors[t] for t in texts], np.float16)
    )
    cosines = systems.Cosines(Known, lambda sample: ("q", ["other", "same", "half"]))

    values, sentence_places = cosines.of([Sample([5], [[3], [2], [1]], 0.0, ("a", 1), "debate")])

    assert sentence_places[0] == [1, 2, 0]
    np.testing.assert_allclose([[1, 0.6, 0, 0, 0]], values, atol=1e-3)


@pytest.mark.parametrize("k", [1, 2])
def test_nearest_sentences_have_the_shortest_residuals(k):
    """By the length of the residual, the shortest first."""
    assert (
        systems.nearest(Known, Sample([5], [[3], [2], [1]], 0.0, ("a", 1), "debate"), k)
        == [2, 1][:k]
    )


def test_reciprocal_ranks_come_by_query():
    """In the order of the queries; their mean is the column."""
    scores = np.array([0.9, 0.1, 0.8, 0.2], np.float32)

    assert reciprocal_ranks(LISTS, scores).tolist() == [0.5, 1, 0]


def test_a_group_of_table_3_is_told_with_its_paired_difference(monkeypatch, tmp_path):
    """Each group on each test asked for.

    The first row's difference is 0, and the others are from it.
    """
    scores = {
        "MTM, last net again": [0.9, 0.1, 0.8, 0.2],
        "without the memory": [0.1, 0.9, 0.8, 0.2],
    }
    monkeypatch.setattr(systems, "ablations", lambda *_: {name: name for name in scores})
    monkeypatch.setattr(systems, "relearnt", lambda dataset, share, variant, seed: variant)
    monkeypatch.setattr(
        systems, "predict", lambda dataset, variant, pairs: np.array(scores[variant], np.float32)
    )
    monkeypatch.setattr(article_ranking, "shipped", lambda models, means: Unread())
    monkeypatch.setattr(article_ranking, "load", lambda models: Known)
    monkeypatch.setattr(
        article_ranking.mtm_space, "inverse_frequency", lambda articles, count: None
    )
    bench = article_ranking.Bench(Nothing(), Nothing(), {"debate": LISTS}, tmp_path)

    first_group, second = article_ranking.groups(
        bench, tmp_path, tmp_path / "means.npz", ["debate"]
    )

    assert first_group["MRR"] == 0.5
    assert first_group["gain"] == 0.0
    assert pytest.approx(second["MRR"] - first_group["MRR"], abs=1e-3) == second["gain"]
    assert second["interval"][0] <= second["gain"] <= second["interval"][1]


@pytest.mark.parametrize("kept", [True, False])
def test_what_training_has_read_is_recalled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: bool
) -> None:
    """Where its file is there."""
    recalled: list[Path] = []
    mtm = SimpleNamespace(network=(None, None), space=None, memory=None)
    monkeypatch.setattr(article_ranking, "load", lambda models: mtm)
    monkeypatch.setattr(article_ranking, "special", lambda: None)
    monkeypatch.setattr(article_ranking, "Learner", lambda *arguments: None)
    monkeypatch.setattr(
        article_ranking, "Read", lambda learner: SimpleNamespace(recall=recalled.append)
    )
    means = tmp_path / "means.npz"
    if kept:
        means.touch()
    article_ranking.shipped(tmp_path, means)
    assert recalled == [means] * kept
