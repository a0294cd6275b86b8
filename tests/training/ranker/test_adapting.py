"""The ranker moved toward decisions: what moves it, how far, and what never moves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from assistant.check.rankers import PairsFirst
from features.similarity.input_catalogue import NAMES, SIGNS
from ranking.claim_ranker import ClaimRanker, KindWeights
from ranking.tier_thresholds import Thresholds
from tests.training.ranker.decided import document
from training.ranker.adapting import Strength, adapted, chosen, folds, order, sureness

INPUT = NAMES.index("bertscore")  # may speak only for a match
CLASH = NAMES.index("numbers_clash")  # may speak only against one


def ranker() -> PairsFirst:
    """A ranker whose weights are nothing but an intercept."""
    nothing = np.zeros(len(NAMES))
    kind = KindWeights(nothing, nothing + 1, nothing, -1.0)
    plain = ClaimRanker(NAMES, (kind, kind))
    return PairsFirst(plain, plain, Thresholds(1.0, 0.0), "shipped")


def test_what_tells_confirmed_from_rejected_gets_weight():
    """In both parts, and the confirmed pairs rise above the rejected ones."""
    learnt = adapted(ranker(), [document("a", seed=1), document("b", seed=2)], Strength(0.1, 0.1))

    held_out = document("c", seed=3)
    scores = learnt.rank(held_out.inputs).pair_scores
    assert learnt.claim_ranker.kinds[0].coef[INPUT] > 0.1
    assert learnt.order.kinds[0].coef[INPUT] > 0.1
    assert scores[held_out.confirmed].mean() > scores[held_out.rejected].mean() + 0.5


def test_the_further_it_may_move_the_further_it_moves():
    """No strength, no change; the thresholds stay, and the digest of the shipped weights goes."""
    apart = []
    for strength in (0.0, 0.01, 0.1):
        learnt = adapted(ranker(), [document("a")], Strength(strength, strength))
        apart.append(float(np.abs(learnt.claim_ranker.kinds[0].coef).sum()))
    assert 0.0 == apart[0] < apart[1] < apart[2]
    assert learnt.digest == ""
    assert Thresholds(1.0, 0.0) == learnt.thresholds


def test_no_input_speaks_against_its_sign():
    """However the decisions fall.

    Here each confirmed pair has the clash, and is the least alike.
    """
    turned = document("a", tells=(CLASH, 4.0), other_tells=(INPUT, -4.0))

    for kind_weights in (adapted(ranker(), [turned], Strength(0.3, 0.3))).claim_ranker.kinds:
        assert (kind_weights.coef * np.array(SIGNS) >= 0).all()
        assert 0 == kind_weights.coef[CLASH] == kind_weights.coef[INPUT]


def test_what_likely_goes_by_moves_in_the_inputs_it_reads_only():
    """The border stays; an input without a weight gets none."""
    blank = ranker()
    reads = np.zeros(len(NAMES))
    reads[CLASH] = -0.1
    weights = replace(blank.claim_ranker.kinds[0], coef=reads)
    shipped = replace(blank, sureness=ClaimRanker(NAMES, (weights, weights)))

    learnt = adapted(shipped, [document("a"), document("b", seed=2)], Strength(0.1, 0.1))

    assert learnt.sureness is not None
    assert learnt.thresholds == shipped.thresholds
    for kind in learnt.sureness.kinds:
        assert np.flatnonzero(kind.coef).tolist() in ([CLASH], [])
        assert kind.intercept != weights.intercept


def test_a_match_added_by_hand_teaches_order_only():
    """Nobody would have rejected it, so it says nothing of how sure a match is."""
    added_document = document("a", added=1)

    assert int(added_document.decided.sum()) - 1 == sureness([added_document]).size
    assert int(added_document.confirmed.sum()) == order([added_document]).size


@pytest.mark.parametrize("lesson", [sureness, order])
def test_the_slope_is_that_of_the_loss(lesson):
    """By differences, at a random place."""
    taught = lesson([document("a", seed=4), document("b", seed=5)])
    scores = np.random.default_rng(0).normal(size=len(taught.values))

    slope = approx_fprime(scores, lambda s: taught.loss(s)[0], 1e-6)

    assert pytest.approx(taught.loss(scores)[1], abs=1e-4) == slope


def test_whole_documents_are_folds():
    """Each in exactly one part, whatever order they come in."""
    documents = [document(name) for name in "gbdacfe"]

    fold_list = folds(documents)

    assert [[d.name for d in fold] for fold in fold_list] == [
        ["a", "f"],
        ["b", "g"],
        ["c"],
        ["d"],
        ["e"],
    ]


def test_held_out_documents_say_how_far_it_may_move():
    """Far where what was confirmed looks alike everywhere, hardly where verdicts fall by the toss of a coin."""
    tried = 0.0, 0.001, 0.03
    noise = [
        document(name, n=30, tells=(INPUT, 0.0), seed=seed) for seed, name in enumerate("abcd")
    ]
    clear = [document(name, n=30, seed=seed) for seed, name in enumerate("abcd")]

    assert chosen(ranker(), clear, tried).order == 0.03
    assert chosen(ranker(), noise, tried).order <= 0.001


def test_one_document_moves_it_by_little():
    """Nothing can be held out to choose how far."""
    assert Strength(0.001, 0.001) == chosen(ranker(), [document("a")])
