"""Measures over the whole database, against all pairs measured one by one and sorted."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from assistant.check.pair_features import NLI, compare
from assistant.check.pairs import Pairs
from assistant.claims.claim_index import ClaimIndex
from assistant.core.domain import RatingClass, VerifiedClaim
from bench.paper import whole_database as whole
from bench.paper.whole_database import BODY, GATED
from features.similarity import bm25
from features.similarity.catalogue import COLUMN
from features.similarity.coverage import WordWeights
from training.shared.debates import PAPER_CLAIMS, Debate, Pair
from training.shared.measures import Bench

WORDS = ("coal", "miners", "taxes", "wall", "border", "jobs", "steel", "trade", "deficit", "crime")
TEXTS = (
    "Coal miners have jobs and taxes are low.",
    "The wall at the border is trade.",
    "Crime and steel.",
    "Thanks!",
)
DAY = date(2018, 1, 1)


def claim(i: int) -> VerifiedClaim:
    """Every third is half-true, every fourth was checked after the event, two are not in the paper's database."""
    words = [WORDS[(i * step + step) % len(WORDS)] for step in (1, 2, 3)]
    return VerifiedClaim(
        f"vclaim-pol-{i if i < 10 else PAPER_CLAIMS + i:05}",
        f"On {words[0]}, {words[1]} are up {i} percent.",
        f"{words[2]} again",
        " ".join(f"{words[(i + j) % 3].capitalize()} fell in {j} states." for j in range(i % 6)),
        rating_class=RatingClass.MIXTURE if i % 3 == 0 else RatingClass.FALSE,
        review_date=date(2018 if i % 4 == 0 else 2017, 6, 1),
    )


CLAIMS = [claim(i) for i in range(12)]
PAIRS = (
    Pair(1, CLAIMS[1].id, judged=True),
    Pair(1, CLAIMS[11].id, judged=True),
    Pair(3, CLAIMS[4].id, linked=True),
)
DEBATE = Debate("20180101_X", DAY.toordinal(), (1, 2, 3, 4), TEXTS, ("",) * 4, PAIRS)


class Read(Bench):
    """A bench whose product has read NLI for the first two claims of each sentence."""

    def measures(self, debate, *, as_of_event):
        """Return pairs with probabilities that tell the pair."""
        pairs = Pairs.from_claims([np.array([0, 1])] * len(debate.texts))
        entailment = 0.2 + pairs.claim_index * 0.1 + pairs.sentence_index * 0.01
        pairs.similarities[:, COLUMN["nli_entailment"]] = entailment
        pairs.similarities[:, COLUMN["nli_neutral"]] = 1 - entailment
        return pairs


@pytest.fixture(scope="module")
def bench(tiny_encoders, tmp_path_factory) -> Bench:
    """Twelve claims in an index, with tiny models."""
    index = ClaimIndex.in_memory(CLAIMS, tiny_encoders)
    weights = WordWeights.of(index.statements)
    return Read(index, tiny_encoders, None, weights, tmp_path_factory.mktemp("bench"))


@pytest.fixture(scope="module", autouse=True)
def short_gate():
    """Let three claims through the gate."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(whole, "GATE", 3)
        yield


def dense(bench: Bench, may: np.ndarray, database: np.ndarray) -> np.ndarray:
    """Return the measures of every sentence with every claim as the published code has them, (n, m, 19)."""
    every = Pairs.from_claims([np.arange(len(CLAIMS))] * len(TEXTS))
    compared = compare(every, TEXTS, bench.index, bench.encoders)
    X = compared.similarities.reshape(len(TEXTS), len(CLAIMS), 19)
    similarities = bench.measures(DEBATE, as_of_event=False).similarities
    X[:, :2, NLI] = similarities[:, NLI].reshape(len(TEXTS), 2, 3)
    for field in whole.FIELDS:
        scores = np.zeros((len(TEXTS), len(CLAIMS)))
        texts = [getattr(c, field) for c in CLAIMS]
        scores[:, database] = bm25.BM25.of(
            [t for t, d in zip(texts, database, strict=True) if d], bm25.LUCENE
        ).scores(TEXTS)
        first_places = np.argsort(-np.where(may & (scores > 0), scores, -1), axis=1, kind="stable")[
            :, :3
        ]
        is_kept = np.zeros(scores.shape, bool)
        np.put_along_axis(is_kept, first_places, True, axis=1)
        is_kept &= may & (scores > 0)
        X[:, :, COLUMN[f"bm25_{field}"]] = np.where(is_kept, scores, 0)
        if field == "body":
            X[:, :, GATED] *= is_kept[:, :, None]
    return X


@pytest.mark.parametrize("paper", [False, True], ids=["all", "paper"])
@pytest.mark.parametrize("late", [False, True], ids=["whenever", "as of the event"])
def test_the_largest_of_every_measure(bench: Bench, paper: bool, late: bool) -> None:
    """In every setting, with half-true claims and with them at 0, the same as sorting all pairs."""
    paper_bench = replace(bench, paper_only=paper)
    database = whole.in_paper(bench) | (not paper)
    may = paper_bench.usable(DEBATE, as_of_event=late)
    X = dense(bench, may, database)
    half = np.array([c.rating_class is RatingClass.MIXTURE for c in CLAIMS])
    measured = whole.measured(paper_bench, [DEBATE])[DEBATE.name, late]
    for skip in (0, 1):
        values = np.where(half[None, :, None], 0, X) if skip else X
        expected = -np.sort(-values[:, may], axis=1)[:, :3].transpose(0, 2, 1)
        body = measured.largest[skip][:, BODY, : min(3, may.sum())]
        assert (
            pytest.approx(expected[:, BODY], abs=2e-3) == body
        )  # vectors of articles are read in half precision
        other_columns = [i for i in range(19) if i not in BODY]
        assert (
            pytest.approx(np.maximum(expected[:, other_columns], 0), abs=1e-4)
            == measured.largest[skip][:, other_columns, :3]
        )


def test_places_of_annotated_claims(bench: Bench) -> None:
    """A claim's place is 1 and the number of claims before it.

    A claim that may not be used has none.
    """
    measured = whole.measured(bench, [DEBATE])
    X = dense(bench, np.ones(len(CLAIMS), bool), np.ones(len(CLAIMS), bool))
    full = measured[DEBATE.name, False]
    late = measured[DEBATE.name, True]
    assert full.pairs == ((1, CLAIMS[1].id), (1, CLAIMS[11].id), (3, CLAIMS[4].id))
    for pair, (line_index, position) in enumerate([(0, 1), (0, 11), (2, 4)]):
        for name in ("bertscore", "bm25_body", "sbert_title", "nli_entailment"):
            scores = X[line_index, :, COLUMN[name]]
            order = np.lexsort((np.arange(len(CLAIMS)), -np.round(scores, 5)))
            assert 1 + order.tolist().index(position) == full.places[COLUMN[name], pair], name
    assert late.places[:, 2].tolist() == [0] * len(whole.PLACED)
    assert (late.places[:, 0] > 0).all()


def test_the_gate_is_in_the_order_of_the_articles_bm25(bench: Bench) -> None:
    """Measures of the gate fall by BM25 of the article.

    A sentence that shares no word has an empty gate.
    """
    measured = whole.measured(bench, [DEBATE])[DEBATE.name, False]
    assert (np.diff(measured.X[:, :, COLUMN["bm25_body"]], axis=1) <= 1e-6).all()
    assert (measured.gate[3] == -1).all()
    assert not measured.X[3].any()
    assert (measured.half_true == np.isin(measured.gate, [0, 3, 6, 9])).all()


def test_equal_scores_stand_in_the_order_of_the_claims() -> None:
    """Two claims before the third with the same score, one after it."""
    assert whole.place(np.array([[1.0, 2.0, 1.0, 1.0]]), 2).tolist() == [3]
