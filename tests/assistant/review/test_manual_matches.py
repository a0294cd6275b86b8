"""A match that a person found is measured like any other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant import pipeline
from assistant.check import loaded_models
from assistant.claims.claim_index import ClaimIndex
from assistant.core.errors import ReviewError
from assistant.core.settings import EMBEDDED
from assistant.review import manual_matches
from tests.assistant.test_pipeline import CLAIMS, transcript


@pytest.fixture(scope="module")
def index() -> ClaimIndex:
    return ClaimIndex.in_memory(CLAIMS, loaded_models.encoders(EMBEDDED))


@pytest.fixture(scope="module")
def report(index):
    return pipeline.check(transcript(), index, replace(EMBEDDED, check_worthiness=0.0))


def test_its_measures_are_those_of_a_check(report, index):
    """The same 19 numbers, stance, agreement and key sentences as if the search had found it."""
    checked_match = next(
        m
        for c in report.sentences
        for m in c.matches
        if (c.sentence.number, m.claim.id) == (2, "c1")
    )

    match = manual_matches.match_sentence_with_claim(report, 2, "c1", index, EMBEDDED)

    assert pytest.approx(match.measures, abs=1e-4) == checked_match.measures
    assert checked_match.claim == match.claim
    assert checked_match.stance == match.stance
    assert checked_match.agreement == match.agreement
    assert [k.text for k in checked_match.key_sentences] == [k.text for k in match.key_sentences]


def test_any_sentence_can_have_any_fact_check(report, index):
    """A far one has no tier, and its contributions still sum to its score."""
    match = manual_matches.match_sentence_with_claim(report, 1, "c2", index, EMBEDDED)

    assert match.claim.id == "c2"
    assert match.tier is None
    assert sum(match.contributions.values()) == pytest.approx(match.score, abs=1e-3)


@pytest.mark.parametrize(("number", "claim_id"), [(99, "c1"), (1, "nobody's")])
def test_what_is_not_there_is_refused(report, index, number, claim_id):
    """In one line."""
    with pytest.raises(ReviewError):
        manual_matches.match_sentence_with_claim(report, number, claim_id, index, EMBEDDED)
