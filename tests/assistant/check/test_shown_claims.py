"""The rating that is shown is the one that is stored."""

from dataclasses import replace
from datetime import date

import pytest

from assistant.check import report_warnings, shown_claims
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

    assert shown_claims.with_stored_claims(sentences, index) == (tuple(sentences), ())


@pytest.mark.threat("local account")
@pytest.mark.parametrize(
    "changes", [{"rating": "True!"}, {"url": "http://other"}, {"review_date": date(2001, 1, 1)}]
)
def test_a_rating_that_was_changed_in_the_index_is_refused(sentences, changes):
    claims = stored(sentences, **changes)
    digests = dict.fromkeys(claims, "digest")

    with pytest.raises(ClaimIndexError, match="differs from the database for fact-check"):
        shown_claims.with_stored_claims(sentences, Index(Store(claims, digests), digests))


def test_a_rating_that_was_changed_in_the_store_since_is_shown(sentences):
    claims = stored(sentences, rating="Corrected")
    index = Index(Store(claims, dict.fromkeys(claims, "new")), dict.fromkeys(claims, "old"))

    assert ratings(shown_claims.with_stored_claims(sentences, index)[0]) == {"Corrected"}


@pytest.mark.threat("local account")
def test_a_match_whose_claim_the_store_lacks_is_left_out(sentences):
    claims = stored(sentences)
    matched = next(checked for checked in sentences if checked.matches)
    forged = replace(matched.matches[0], claim=replace(matched.matches[0].claim, id="forged"))
    checked = replace(matched, matches=(forged, replace(matched.matches[0], rank=2)))

    shown, missing_ids = shown_claims.with_stored_claims([checked], Index(Store(claims, {}), {}))

    assert shown == (replace(checked, matches=matched.matches[:1]),)
    assert missing_ids == ("forged",)


def test_a_sentence_without_a_stored_match_has_no_tier(sentences):
    shown, _ = shown_claims.with_stored_claims(sentences, Index(Store({}, {}), {}))

    assert {checked.tier for checked in shown} == {None}
    assert {checked.matches for checked in shown} == {()}
    assert {checked.nearest for checked in shown} == {None}


def test_an_index_without_a_store_stays(sentences):
    assert shown_claims.with_stored_claims(sentences, Index(None, {})) == (tuple(sentences), ())


def test_the_warning_names_the_first_claims():
    ids = [f"c{number}" for number in range(report_warnings.MAX_NAMED_IDS + 2)]
    (warning,) = report_warnings.of_missing_claims(ids)

    assert "c0, c1, c2, c3, c4 and 2 more" in warning
    assert report_warnings.about_check(warning)
    assert report_warnings.of_missing_claims([]) == ()
