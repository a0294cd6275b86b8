"""Changes of fact-checks by their publishers since a person decided, or since the check.

A decision on words that are no longer the publisher's is open again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from assistant.claims.records import CurrentReview
from assistant.core.domain import Decision, Match, ReopenedDecision, VerifiedClaim
from assistant.report import stored_reports, wording
from assistant.review.decision_store import Anchor, DecisionStore, Record
from features.language.same_words import same_words

Reviews = Mapping[str, CurrentReview]
NO_RATING = "without a rating"


def with_current_words(claim: VerifiedClaim, reviews: Reviews) -> VerifiedClaim:
    """Return a claim with its statement, rating and date as they are now, if they are known."""
    review = reviews.get(claim.id)
    if review is None:
        return claim
    return replace(
        claim,
        statement=review.statement,
        rating=review.rating,
        rating_class=review.rating_class,
        review_date=review.review_date,
    )


def with_revision_note(match: Match, reviews: Reviews) -> Match:
    """Return a match with the words of a change of its fact-check since the check."""
    review = reviews.get(match.claim.id)
    if review is None:
        return match
    # The fact-check may have other words in the database than in the report.
    current_claim = with_current_words(match.claim, reviews)
    change = _change_in_words(match.claim, current_claim, review)
    return replace(match, revised=change) if change else match


def with_decision(match: Match, record: Record, reviews: Reviews) -> Match:
    """Return a match with a decision, or with the decision that a change has opened again."""
    decision = record.decision
    if decision is None or decision.verdict == "later":
        return replace(match, decision=decision)
    # None unless the fact-check has changed since
    reopened = _reopened_decision(decision, record.anchor, match, reviews)
    if reopened is None:
        return replace(match, decision=decision)
    return replace(match, decision=None, reopened=reopened)


def reason_open_again(record: Record, reviews: Reviews) -> str:
    """Return why a decision is open again: words before and after the change, "" if it is not."""
    former_match = stored_reports.load_match(json.loads(record.anchor.match))
    current_claim = with_current_words(former_match.claim, reviews)
    current_match = replace(former_match, claim=current_claim)
    reopened = with_decision(current_match, record, reviews).reopened
    return f"open again: {reopened.was}; {reopened.since}" if reopened else ""


def decisions_open_again(store: DecisionStore) -> dict[str, str]:
    """Return why decisions are open again, by their keys; the others are left out."""
    decided_records = [record for record in store.all() if record.decision]
    reviews = store.current_reviews({record.anchor.claim_id for record in decided_records})
    reason_by_key = {}
    for record in decided_records:
        reason = reason_open_again(record, reviews)
        if reason:
            reason_by_key[record.key] = reason
    return reason_by_key


def withdrawn_words(review: CurrentReview | None) -> str:
    """Return when and why a fact-check was withdrawn, "" if it was not."""
    if review is None or review.withdrawn is None:
        return ""
    withdrawal = review.withdrawn
    text = f"withdrawn on {wording.day(withdrawal.withdrawn_at.date())}"
    return f"{text} ({withdrawal.why})" if withdrawal.why else text


def decided_claim(anchor: Anchor) -> VerifiedClaim:
    """Return the fact-check as it was when a person decided."""
    return stored_reports.load_match(json.loads(anchor.match)).claim


def with_reviewed_words(match_values: dict[str, Any], reviews: Reviews) -> dict[str, Any]:
    """Return the values of a match with the words of its fact-check on which a person decides."""
    claim_values = match_values["claim"]
    review = reviews.get(claim_values["id"])
    if review is None:
        return match_values
    claim_values["statement"] = review.statement
    claim_values["rating"] = review.rating
    claim_values["rating_class"] = str(review.rating_class)
    claim_values["review_date"] = None
    if review.review_date is not None:
        claim_values["review_date"] = review.review_date.isoformat()
    return match_values


def _reopened_decision(
    decision: Decision, anchor: Anchor, match: Match, reviews: Reviews
) -> ReopenedDecision | None:
    """Return a decision as open again if the publisher has changed the fact-check since."""
    former_claim = decided_claim(anchor)
    current_claim = with_current_words(match.claim, reviews)
    review = reviews.get(former_claim.id)
    is_withdrawn = review is not None and review.withdrawn is not None
    # A match that was rejected stays rejected without its fact-check.
    if is_withdrawn and decision.verdict != "confirm":
        return None
    # "rated True since 3 May 2017", or "" without a change
    change = _change_in_words(former_claim, current_claim, review)
    if not change:
        return None
    former_state = f"it was {_rating_in_words(former_claim)}"
    has_new_statement = not _has_same_statement(former_claim, current_claim)
    if has_new_statement and not is_withdrawn:
        former_state = (
            f"it said “{former_claim.statement}” and was {_rating_in_words(former_claim)}"
        )
    return ReopenedDecision(decision, was=former_state, since=change)


def _change_in_words(
    former: VerifiedClaim, current: VerifiedClaim, review: CurrentReview | None
) -> str:
    """Describe the change of a fact-check; "" if rating and statement are the same."""
    withdrawal = withdrawn_words(review)
    if withdrawal:
        return withdrawal
    since_when = " by now"
    if current.review_date:
        since_when = f" since {wording.day(current.review_date)}"
    if not _has_same_statement(former, current):
        return f"it says “{current.statement}” and is {_rating_in_words(current)}{since_when}"
    has_same_rating = same_words(former.rating) == same_words(current.rating)
    return "" if has_same_rating else f"{_rating_in_words(current)}{since_when}"


def _has_same_statement(former: VerifiedClaim, current: VerifiedClaim) -> bool:
    return same_words(former.statement) == same_words(current.statement)


def _rating_in_words(claim: VerifiedClaim) -> str:
    return f"rated {claim.rating}" if claim.rating else NO_RATING
