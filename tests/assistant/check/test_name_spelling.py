"""Sentences are compared with claims as the claims spell their names."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.check import pair_features
from assistant.check.name_spelling import (
    compare_respelled_pairs,
    respelled,
    texts_in_claims_spelling,
)
from assistant.check.pairs import Pairs
from assistant.claims.claim_index import ClaimIndex
from assistant.core.domain import VerifiedClaim

STATEMENTS = {
    "a": "The Environmental Protection Agency closed forty mines.",
    "b": "Forty mines were closed last year.",
}
TEXTS = ["The EPA closed forty mines.", "Nobody closed a mine."]
WHOLE = "The Environmental Protection Agency closed forty mines."


@pytest.fixture(scope="module")
def index(encoders):
    claims = [VerifiedClaim(id=i, statement=statement) for i, statement in STATEMENTS.items()]
    return ClaimIndex.in_memory(claims, encoders)


@pytest.fixture(scope="module")
def pairs():
    return Pairs.from_claims([np.array([0, 1]), np.array([0, 1])])


def test_only_the_claim_with_the_whole_name_respells_the_sentence(pairs, index) -> None:
    is_respelled, spelled = respelled(pairs, TEXTS, index)

    assert is_respelled.tolist() == [True, False, False, False]
    assert spelled == [WHOLE, TEXTS[0], TEXTS[1], TEXTS[1]]
    assert texts_in_claims_spelling(pairs, np.array([1, 0]), TEXTS, index) == [TEXTS[0], WHOLE]


def test_a_respelled_pair_has_the_features_of_the_whole_name(pairs, index, encoders) -> None:
    """The other pairs keep theirs."""
    plain = pair_features.compare(pairs, TEXTS, index, encoders)
    whole = pair_features.compare(pairs, [WHOLE, TEXTS[1]], index, encoders)

    compared = compare_respelled_pairs(plain, TEXTS, index, encoders)

    np.testing.assert_allclose(compared.similarities[0], whole.similarities[0], atol=1e-5)
    np.testing.assert_array_equal(compared.similarities[1:], plain.similarities[1:])
    assert (compared.similarities[0] > plain.similarities[0]).any()


def test_pairs_without_abbreviations_stay_as_they_are(pairs, index, encoders) -> None:
    texts = ["Mines were closed.", TEXTS[1]]
    plain = pair_features.compare(pairs, texts, index, encoders)

    assert compare_respelled_pairs(plain, texts, index, encoders) is plain
