"""The rating that is shown is the one that is stored."""

from dataclasses import replace
from datetime import date

import pytest

from assistant.check import shown_claims
from assistant.core.errors import ClaimIndexError
from tests.assistant import made_up


class Store:
    def __init__(self, claims, digests):
        self.claims = claims
        self.digests = digests

    def many(self, ids):
        return {claim_id: self.claims[claim_id] for claim_id in ids if claim_id in self.claims}

    def fingerprints(self):
        return self.digests


class Index:
    def __init__(self, stored_claims, fingerprints):
        self.stored_claims = stored_claims
        self.fingerprints = fingerprints


@pytest.fixture
def sentences():
    return made_up.report().sentences


def stored(sentences, **changes):
    claims = [match.claim for checked in sentences for match in checked.matches]
    return {claim.id: replace(claim, **changes) for claim in claims}


def ratings(sentences):
    return {match.claim.rating for checked in sentences for match in checked.matches}


def test_the_same_claims_stay(sentences):
    claims = stored(sentences)
    index = Index(Store(claims, {}), {})

    assert shown_claims.reread(sentences, index) == tuple(sentences)


@pytest.mark.threat("local account")
@pytest.mark.parametrize(
    "changes", [{"rating": "True!"}, {"url": "http://other"}, {"review_date": date(2001, 1, 1)}]
)
def test_a_rating_that_was_changed_in_the_index_is_refused(sentences, changes):
    claims = stored(sentences, **changes)
    digests = dict.fromkeys(claims, "digest")

    with pytest.raises(ClaimIndexError, match="something else about fact-check"):
        shown_claims.reread(sentences, Index(Store(claims, digests), digests))


def test_a_rating_that_was_changed_in_the_store_since_is_shown(sentences):
    claims = stored(sentences, rating="Corrected")
    index = Index(Store(claims, dict.fromkeys(claims, "new")), dict.fromkeys(claims, "old"))

    assert ratings(shown_claims.reread(sentences, index)) == {"Corrected"}


def test_a_claim_that_was_deleted_since_stays(sentences):
    assert shown_claims.reread(sentences, Index(Store({}, {}), {})) == tuple(sentences)
