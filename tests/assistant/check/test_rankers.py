"""Rankers from the inputs of pairs: scores, contributions, tiers, files."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from assistant.check.pairs import Pairs
from assistant.check.rankers import (
    LIKELY_MIN_WORDS,
    NO_CANDIDATE,
    TIERS,
    MaxSkip,
    PairsFirst,
    Pooling,
    Ranker,
    load,
    padded_by_sentence,
)
from assistant.check.reranking import RerankedLogOdds, RerankerEffect
from assistant.core.domain import Stance
from assistant.core.errors import ModelUnavailable, SettingsError
from features.models.reranker import LOG_ODDS_RANGE
from features.similarity.catalogue import COLUMN
from features.similarity.catalogue import NAMES as MEASURES
from features.similarity.input_catalogue import NAMES, RERANKER_GAIN
from ranking.claim_ranker import ClaimRanker, KindWeights
from ranking.pooling import scale
from ranking.ranksvm import RankSVM
from ranking.tier_thresholds import LIKELY, POSSIBLE, Thresholds
from training.ranker.fitting import fit_weights

THRESHOLDS = Thresholds(likely=1.0, possible=-1.0)


def made_inputs(n: int = 12, k: int = 4, seed: int = 0) -> Pairs:
    """Pairs of n sentences with k candidates each.

    Every third claim is half-true, the last sentence is short.
    """
    rng = np.random.default_rng(seed)
    p = n * k
    word_count = np.full(p, 12)
    word_count[-k:] = LIKELY_MIN_WORDS - 1
    return replace(
        Pairs.from_positions(n, np.repeat(np.arange(n), k), np.arange(p)),
        inputs=rng.normal(size=(p, len(NAMES))).astype(np.float32),
        similarities=rng.uniform(size=(p, 19)).astype(np.float32),
        claim_kind=np.arange(p) % 2,
        may_raise_sentence=np.arange(p) % 3 != 0,
        word_count=word_count,
    )


@pytest.fixture
def pairs_first() -> PairsFirst:
    """A pair ranker whose sureness learnt the first input, and whose order learnt another."""
    inputs = made_inputs(60, seed=1)
    label = (inputs.inputs[:, 0] > 0.3).astype(float)
    weights = fit_weights(inputs.inputs.astype(float), label, np.ones(len(inputs)), C=1.0)
    order = fit_weights(inputs.inputs[:, ::-1].astype(float), label, np.ones(len(inputs)), C=1.0)
    order = KindWeights(order.mean, order.scale, order.coef, 0.0)
    return PairsFirst(
        ClaimRanker(NAMES, (weights, weights)), ClaimRanker(NAMES, (order, order)), THRESHOLDS
    )


def test_likely_goes_by_what_reads_the_statement_alone(pairs_first: PairsFirst) -> None:
    """Order, scores and *possible* stay.

    A sentence is likely if a claim that may lift it is, first or not.
    """
    inputs = made_inputs(60)
    sure = np.zeros(len(NAMES))
    sure[3] = 1.0
    weights = KindWeights(np.zeros(len(NAMES)), np.ones(len(NAMES)), sure, 0.0)
    there = pairs_first.rank(inputs)
    ranking = replace(pairs_first, sureness=ClaimRanker(NAMES, (weights, weights))).rank(inputs)
    assert np.array_equal(ranking.pair_scores, there.pair_scores)
    assert np.array_equal(ranking.best_pair, there.best_pair)
    assert ranking.sureness == pytest.approx(inputs.inputs[:, 3])
    assert np.array_equal(there.sureness, there.pair_scores)
    assert np.array_equal(
        ranking.standalone_scores, np.maximum(there.standalone_scores, ranking.sureness)
    )
    shown = np.minimum(ranking.pair_scores, ranking.standalone_scores) >= -1.0
    likely = (ranking.sureness >= 1.0) & shown & (inputs.word_count >= LIKELY_MIN_WORDS)
    assert likely.any()
    assert np.array_equal(ranking.pair_tiers == LIKELY, likely)
    lifted = np.unique(inputs.sentence_index[likely & inputs.may_raise_sentence])
    assert np.flatnonzero(ranking.sentence_tiers == LIKELY).tolist() == lifted.tolist()


def test_what_likely_goes_by_adds_up_for_every_shown_pair(pairs_first: PairsFirst) -> None:
    """Its parts sum to it, exactly; without a ranker of its own there are none."""
    inputs = made_inputs()
    weights = KindWeights(
        np.full(len(NAMES), 0.1), np.full(len(NAMES), 2.0), np.linspace(-1, 1, len(NAMES)), -0.5
    )
    ranking = replace(pairs_first, sureness=ClaimRanker(NAMES, (weights, weights))).rank(inputs)
    assert (
        sorted(ranking.confidence_contributions)
        == np.flatnonzero(ranking.pair_tiers).tolist()
        != []
    )
    assert all(
        pair_parts.sum() == pytest.approx(ranking.sureness[pair])
        for pair, pair_parts in ranking.confidence_contributions.items()
    )
    assert {len(pair_parts) for pair_parts in ranking.confidence_contributions.values()} == {
        len(ranking.contribution_names)
    }
    assert pairs_first.rank(inputs).confidence_contributions == {}


USUAL = np.array([-3.0, -1.0])
REREADING = RerankerEffect(
    score=RerankedLogOdds(0.5, np.array([0.5, 0.25]), -1.0),
    sureness=RerankedLogOdds(1.0, np.array([1.0, 0.0]), 0.5),
    usual=USUAL,
)


def test_what_is_read_again_moves_score_and_sureness(pairs_first: PairsFirst) -> None:
    """All pairs of a sentence move by what is said of its first; an unread one counts as usual.

    Sums stay sums.
    """
    inputs = made_inputs()
    weights = KindWeights(
        np.full(len(NAMES), 0.1), np.full(len(NAMES), 2.0), np.linspace(-1, 1, len(NAMES)), -0.5
    )
    ranker = replace(
        pairs_first, sureness=ClaimRanker(NAMES, (weights, weights)), rereading=REREADING
    )
    ranking_before = ranker.rank(inputs)
    lead = ranking_before.best_pair[0]
    other_pair = 4 + (ranking_before.best_pair[1] - 4 + 1) % 4
    ranking_after = ranker.rerank(
        ranking_before,
        inputs,
        np.array([lead, other_pair, 8]),
        np.array([[4.0, 5.0], [4.0, 5.0], USUAL]),
    )
    assert (
        pytest.approx(
            ranking_before.pair_scores / 2 - 2.75 + np.where(inputs.sentence_index == 0, 5.0, 0.0)
        )
        == ranking_after.pair_scores
    )
    added = np.where(np.isin(np.arange(len(inputs)), [lead, other_pair]), 7.0, 0.0)
    assert pytest.approx(ranking_before.sureness + added - 2.5) == ranking_after.sureness
    assert np.array_equal(ranking_after.best_pair, ranking_before.best_pair)
    assert ranking_after.contributions.sum(axis=1) == pytest.approx(ranking_after.pair_scores)
    assert ranking_after.contribution_names[-1] == RERANKER_GAIN
    assert pytest.approx(5.0) == ranking_after.contributions[lead, -1]
    assert ranking_after.confidence_contributions
    assert len(ranking_after.confidence_contributions) == (ranking_after.pair_tiers > 0).sum()
    assert all(
        pair_parts.sum() == pytest.approx(ranking_after.sureness[pair])
        for pair, pair_parts in ranking_after.confidence_contributions.items()
    )
    lifted = [
        ranking_after.pair_scores[(inputs.sentence_index == n) & inputs.may_raise_sentence].max()
        for n in range(inputs.sentence_count)
    ]
    assert pytest.approx(lifted) == ranking_after.sentence_scores
    is_read = np.isin(np.arange(len(inputs)), [lead, other_pair])  # each for itself
    assert (
        pytest.approx(ranking_before.standalone_scores / 2 - 2.75 + np.where(is_read, 5.0, 0.0))
        == ranking_after.standalone_scores
    )
    assert np.array_equal(
        ranking_after.pair_tiers > 0,
        np.minimum(ranking_after.pair_scores, ranking_after.standalone_scores) >= -1.0,
    )


def test_a_further_claim_is_shown_for_its_own_sake_only(pairs_first: PairsFirst) -> None:
    """However sure the first one is.

    What the claim ranker would not show alone is not shown beside it.
    """
    inputs = made_inputs(1)
    inputs.inputs[:] = 0.0
    inputs.inputs[1] = 5.0  # may lift its sentence, and comes first
    inputs.inputs[2, 0] = -9.0  # no match by itself, and near the first by the order
    inputs.inputs[2, 1:] = 5.0
    ranking = pairs_first.rank(inputs)
    assert ranking.best_pair.tolist() == [1]
    assert ranking.pair_scores[2] > THRESHOLDS.possible > ranking.standalone_scores[2]
    assert ranking.pair_tiers[[1, 2]].tolist()[1] == 0 < ranking.pair_tiers[1]


def test_without_weights_nothing_is_read_again(pairs_first: PairsFirst) -> None:
    """Neither by a ranker that has none nor by the published method."""
    inputs = made_inputs()
    readings = (np.array([0]), np.zeros((1, 2)))
    for ranker in (pairs_first, max_skip("text", "linear")):
        ranking = ranker.rank(inputs)
        assert ranker.rerank(ranking, inputs, *readings) is ranking


def test_the_most_that_a_reading_can_give_is_reached_and_never_passed() -> None:
    """So no pair that could become likely is left unread."""
    odds = np.array(
        [[a, b] for a in np.linspace(*LOG_ODDS_RANGE, 21) for b in np.linspace(*LOG_ODDS_RANGE, 21)]
    )
    for weights in ([1.0, 0.0], [0.5, 0.25], [-0.5, 1.0]):
        rereading = replace(REREADING, sureness=RerankedLogOdds(0.8, np.array(weights), 0.5))
        confidences = rereading.sureness.after(np.full(len(odds), 1.5), odds)
        assert confidences.max() == pytest.approx(rereading.most_sure(np.array([1.5]))[0])


def test_the_file_of_a_ranker_has_what_reading_again_does() -> None:
    """It is read as it was written."""
    again = RerankerEffect.from_json(json.loads(json.dumps(REREADING.to_json())))
    assert again.to_json() == REREADING.to_json()


def max_skip(reading: str, kernel: str) -> MaxSkip:
    """The published method, trained on made-up rows."""
    inputs = made_inputs(60, seed=2)
    pooling = Pooling(reading, 3)
    sentence_inputs = pooling.rows(inputs).astype(float)
    low = sentence_inputs.min(axis=0)
    high = sentence_inputs.max(axis=0)
    label = sentence_inputs[:, 0] > np.median(sentence_inputs[:, 0])
    return MaxSkip(
        RankSVM(kernel=kernel).fit(scale(sentence_inputs, low, high), label),
        pooling,
        low,
        high,
        THRESHOLDS,
    )


@pytest.fixture(params=["lectern", "text", "code", "rbf"])
def ranker(request: pytest.FixtureRequest, pairs_first: PairsFirst) -> Ranker:
    """Each ranker in turn."""
    if request.param == "lectern":
        return pairs_first
    return max_skip("text", "rbf") if request.param == "rbf" else max_skip(request.param, "linear")


def test_contributions_sum_to_the_pair_score(ranker: Ranker) -> None:
    """Exact wherever there are any; the rbf kernel has none."""
    ranking = ranker.rank(made_inputs())
    assert len(ranking.contribution_names) == ranking.contributions.shape[1]
    if ranking.contribution_names:
        assert ranking.contributions.sum(axis=1) == pytest.approx(ranking.pair_scores)


def test_half_true_claims_never_lift_a_sentence(ranker: Ranker) -> None:
    """Making a half-true match perfect changes neither score, nor tier, nor best pair of any sentence."""
    inputs = made_inputs()
    ranking_before = ranker.rank(inputs)
    inputs.inputs[~inputs.may_raise_sentence] = 9.0
    inputs.similarities[~inputs.may_raise_sentence, : COLUMN["bm25_body"]] = 1.0
    ranking_after = ranker.rank(inputs)
    assert np.array_equal(ranking_after.sentence_scores, ranking_before.sentence_scores)
    assert np.array_equal(ranking_after.sentence_tiers, ranking_before.sentence_tiers)
    assert np.array_equal(ranking_after.best_pair, ranking_before.best_pair)


def test_a_short_sentence_is_never_likely(ranker: Ranker) -> None:
    """With thresholds below every score, all sentences are likely but the short one."""
    ranking = ranker.rank(made_inputs(), thresholds=Thresholds(-1e9, -1e9))
    assert ranking.sentence_tiers.tolist() == [LIKELY] * 11 + [POSSIBLE]
    assert TIERS[LIKELY] == "likely"
    assert TIERS[POSSIBLE] == "possible"
    assert TIERS[0] is None


def test_a_sentence_does_not_depend_on_the_others(ranker: Ranker) -> None:
    """Ranking the first sentences alone gives them the same scores."""
    inputs = made_inputs()
    few = replace(inputs.only(inputs.sentence_index < 5), sentence_count=5)
    assert ranker.rank(few).sentence_scores == pytest.approx(
        ranker.rank(inputs).sentence_scores[:5], abs=1e-9
    )


def test_no_stance_is_clear_before_the_texts_are_read(ranker: Ranker) -> None:
    """A ranker reads numbers alone; there is room for every stance."""
    stances = ranker.rank(made_inputs()).stances
    assert {Stance(stance) for stance in stances} == {Stance.UNCLEAR}
    stances[: len(Stance)] = [stance.value for stance in Stance]
    assert {Stance(stance) for stance in stances} == set(Stance)


def test_the_best_lifting_pair_makes_the_score(pairs_first: PairsFirst) -> None:
    """Pairs first: the sentence has the score of the pair that lifts it."""
    ranking = pairs_first.rank(made_inputs())
    assert pytest.approx(ranking.pair_scores[ranking.best_pair]) == ranking.sentence_scores


def test_one_ranker_finds_the_claim_and_the_other_says_how_sure(pairs_first: PairsFirst) -> None:
    """Claims stand by the order's scores.

    The first that may lift has the log-odds of the claim ranker.
    """
    inputs = made_inputs()
    ranking = pairs_first.rank(inputs)
    order = pairs_first.order.score(inputs.inputs, inputs.claim_kind)
    sure = pairs_first.claim_ranker.score(inputs.inputs, inputs.claim_kind)
    for sent in range(inputs.sentence_count):
        pairs = np.flatnonzero(inputs.sentence_index == sent)
        assert np.argsort(ranking.pair_scores[pairs]).tolist() == np.argsort(order[pairs]).tolist()
        first_pair = max(pairs[inputs.may_raise_sentence[pairs]], key=lambda pair: order[pair])
        assert ranking.best_pair[sent] == first_pair
        assert pytest.approx(sure[first_pair]) == ranking.sentence_scores[sent]


def test_a_sentence_without_candidates_comes_last(pairs_first: PairsFirst) -> None:
    """It has no pair, no tier, and the lowest score."""
    inputs = made_inputs()
    ranking = pairs_first.rank(inputs.only(inputs.sentence_index != 3))
    assert ranking.sentence_scores[3] == NO_CANDIDATE
    assert ranking.best_pair[3] == -1
    assert ranking.sentence_tiers[3] == 0
    assert ranking.order()[-1] == 3


def test_an_event_without_any_candidate_is_ranked(ranker: Ranker) -> None:
    """An empty database gives scores and no tier."""
    inputs = made_inputs(3)
    ranking = ranker.rank(inputs.only(np.zeros(len(inputs), bool)))
    assert ranking.sentence_tiers.tolist() == [0, 0, 0]
    assert np.isfinite(ranking.sentence_scores).all()


def test_candidates_stand_in_the_order_of_the_articles_bm25() -> None:
    """The first N of the paper's words are the first N by BM25 of the article."""
    inputs = made_inputs()
    X, there, lifts = padded_by_sentence(inputs)
    body = X[:, :, COLUMN["bm25_body"]]
    assert there.all()
    assert (np.diff(body, axis=1) <= 0).all()
    assert lifts.sum() == inputs.may_raise_sentence.sum()


@pytest.mark.parametrize("reading", ["text", "code", "retrieved"])
def test_the_published_method_pools_what_a_sentence_finds_alone(reading: str) -> None:
    """A candidate that only the window found changes no row, however high its measures."""
    inputs = made_inputs()
    heard = inputs.position_in_sentence == 3
    found_without_context = inputs.only(~heard)
    inputs.similarities[heard] = 100.0
    widened = replace(inputs, found_without_context=~heard)
    alone_inputs = Pooling(reading, 3).rows(found_without_context)
    assert Pooling(reading, 3).rows(widened) == pytest.approx(alone_inputs)


@pytest.mark.parametrize(("reading", "width"), [("text", 19), ("code", 57), ("retrieved", 57)])
def test_each_reading_names_its_inputs(reading: str, width: int) -> None:
    """As many names as columns, the largest of a measure first."""
    pooling = Pooling(reading, 3)
    sentence_inputs = pooling.rows(made_inputs())
    assert sentence_inputs.shape[1] == len(pooling.names()) == len(set(pooling.names())) == width
    if reading == "code":
        column = pooling.names().index("sbert_statement_1")
        assert (sentence_inputs[:, column] >= sentence_inputs[:, column + 1]).all()


def test_ablated_measures_are_not_read() -> None:
    """Only the measures named are pooled."""
    pooling = Pooling("code", 2, used=tuple(n for n in MEASURES if not n.startswith("nli")))
    assert pooling.rows(made_inputs()).shape[1] == 2 * 16


def test_an_unknown_ranker_is_named() -> None:
    """The error gives the names there are."""
    with pytest.raises(SettingsError, match="lectern, ranksvm-max-skip"):
        load("magic")


def test_missing_and_foreign_weights_are_told_in_one_line(tmp_path) -> None:
    """The file is named, with what to do."""
    with pytest.raises(ModelUnavailable, match="ranker-lectern.json"):
        load("lectern", tmp_path)
    (tmp_path / "ranker-lectern.json").write_text('{"weights": {"names": ["x"], "kinds": []}}')
    with pytest.raises(ModelUnavailable, match="different features"):
        load("lectern", tmp_path)


RANGES = {"nli_entailment": (0.0, 1.0), "nli_contradiction": (0.0, 1.0), "same_claim": (-3.0, 3.0)}
MAX_WORDS_READ = [NAMES.index(name) for name in RANGES]


@pytest.mark.parametrize("seed", range(8))
def test_a_pair_that_is_left_unread_would_have_changed_nothing_that_is_shown(
    pairs_first: PairsFirst, seed: int
) -> None:
    """Scores and tiers of sentences, their best pairs, and every shown pair are as if all pairs had been read."""
    full = made_inputs(k=9, seed=seed)
    ends = np.array(list(RANGES.values()))
    full.inputs[:, MAX_WORDS_READ] = np.clip(full.inputs[:, MAX_WORDS_READ], ends[:, 0], ends[:, 1])
    unread = full.position_in_sentence < 7  # the others cannot be read and stay as they are
    inputs = replace(full, inputs=full.inputs.copy())
    inputs.inputs[np.ix_(unread, MAX_WORDS_READ)] = np.nan
    readable = unread.copy()
    while (now := pairs_first.undecided(inputs, unread, RANGES, THRESHOLDS)).any():
        assert not (now & ~unread).any()
        inputs.inputs[now] = full.inputs[now]
        unread = unread & ~now

    ranking = pairs_first.rank(inputs)
    expected = pairs_first.rank(full)

    assert 0 < unread.sum() < readable.sum()
    assert np.array_equal(expected.sentence_scores, ranking.sentence_scores)
    assert np.array_equal(expected.sentence_tiers, ranking.sentence_tiers)
    assert np.array_equal(expected.pair_tiers, ranking.pair_tiers)
    assert np.array_equal(expected.best_pair, ranking.best_pair)
    shown = expected.pair_tiers > 0
    assert np.array_equal(expected.pair_scores[shown], ranking.pair_scores[shown])
    assert not (shown & unread).any()


def test_the_published_method_reads_every_pair() -> None:
    """Any pair may have the largest value of a measure."""
    inputs = made_inputs()
    unread = np.arange(48) % 2 == 0

    assert np.array_equal(
        unread, load("ranksvm-max-skip").undecided(inputs, unread, RANGES, THRESHOLDS)
    )


@pytest.mark.parametrize("seed", range(4))
def test_what_cannot_be_likely_never_is(pairs_first: PairsFirst, seed: int) -> None:
    """Whatever the unknown inputs turn out to be, a pair that becomes likely was among those that could."""
    full = made_inputs(40, seed=seed)
    ends = np.array(list(RANGES.values()))
    full.inputs[:, MAX_WORDS_READ] = np.clip(full.inputs[:, MAX_WORDS_READ], ends[:, 0], ends[:, 1])
    sure = replace(pairs_first, sureness=pairs_first.claim_ranker)
    unread = full.inputs.copy()
    unread[:, MAX_WORDS_READ] = np.nan
    able = sure.may_be_likely(unread, RANGES, THRESHOLDS)

    likely = sure.rank(full).pair_tiers == LIKELY
    assert likely.any()
    assert not (likely & ~able).any()
    assert 0 < able.sum() < len(able)
    assert pairs_first.may_be_likely(
        unread, RANGES, THRESHOLDS
    ).all()  # likely goes by the score, which is relative
    assert load("ranksvm-max-skip").may_be_likely(unread, RANGES, THRESHOLDS).all()
