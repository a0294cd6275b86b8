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


def with_current_words(vclaim: VerifiedClaim, reviews: Reviews) -> VerifiedClaim:
    """Return a claim with its statement, rating and date as they are now, if they are known."""
    review = reviews.get(vclaim.id)
    if review is None:
        return vclaim
    return replace(
        vclaim,
        statement=review.statement,
        rating=review.rating,
        rating_class=review.rating_class,
        review_date=review.review_date,
    )


def revised(match: Match, reviews: Reviews) -> Match:
    """Return a match with the words of a change of its fact-check since the check."""
    review = reviews.get(match.claim.id)
    if review is None:
        return match
    current = with_current_words(match.claim, reviews)
    words = _since(match.claim, current, review)
    return replace(match, revised=words) if words else match


def decided(match: Match, record: Record, reviews: Reviews) -> Match:
    """Return a match with a decision, or with the decision that a change has opened again."""
    decision = record.decision
    if decision is None or decision.verdict == "later":
        return replace(match, decision=decision)
    reopened = _reopened(decision, record.anchor, match, reviews)
    if reopened is None:
        return replace(match, decision=decision)
    return replace(match, decision=None, reopened=reopened)


def opened_again(record: Record, reviews: Reviews) -> str:
    """Return why a decision is open again: words before and after the change, "" if it is not."""
    match = stored_reports.load_match(json.loads(record.anchor.match))
    current = replace(match, claim=with_current_words(match.claim, reviews))
    reopened = decided(current, record, reviews).reopened
    return f"open again: {reopened.was}; {reopened.since}" if reopened else ""


def decisions_open_again(store: DecisionStore) -> dict[str, str]:
    """Return why decisions are open again, by their keys; the others are left out."""
    decided_records = [record for record in store.all() if record.decision]
    reviews = store.current_reviews({record.anchor.claim_id for record in decided_records})
    words_by_key = {}
    for record in decided_records:
        words = opened_again(record, reviews)
        if words:
            words_by_key[record.key] = words
    return words_by_key


def withdrawn_words(review: CurrentReview | None) -> str:
    """Return when and why a fact-check was withdrawn, "" if it was not."""
    if review is None or review.withdrawn is None:
        return ""
    withdrawal = review.withdrawn
    words = f"withdrawn on {wording.day(withdrawal.withdrawn_at.date())}"
    return f"{words} ({withdrawal.why})" if withdrawal.why else words


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
    claim_values["review_date"] = review.review_date and review.review_date.isoformat()
    return match_values


def _reopened(
    decision: Decision, anchor: Anchor, match: Match, reviews: Reviews
) -> ReopenedDecision | None:
    """Return a decision as open again if the publisher has changed the fact-check since."""
    former = decided_claim(anchor)
    review = reviews.get(former.id)
    is_withdrawn = review is not None and review.withdrawn is not None
    # A match that was rejected stays rejected without its fact-check.
    if is_withdrawn and decision.verdict != "confirm":
        return None
    current = with_current_words(match.claim, reviews)
    since = _since(former, current, review)
    if not since:
        return None
    was = f"it was {_rated(former)}"
    if not is_withdrawn and not _has_same_statement(former, current):
        was = f"it said “{former.statement}” and was {_rated(former)}"
    return ReopenedDecision(decision, was, since)


def _since(former: VerifiedClaim, current: VerifiedClaim, review: CurrentReview | None) -> str:
    """Return the words of a change, "" if rating and statement are the same."""
    withdrawn = withdrawn_words(review)
    if withdrawn:
        return withdrawn
    day = f" since {wording.day(current.review_date)}" if current.review_date else " by now"
    has_same_rating = same_words(former.rating) == same_words(current.rating)
    if not _has_same_statement(former, current):
        return f"it says “{current.statement}” and is {_rated(current)}{day}"
    return "" if has_same_rating else f"{_rated(current)}{day}"


def _has_same_statement(former: VerifiedClaim, current: VerifiedClaim) -> bool:
    return same_words(former.statement) == same_words(current.statement)


def _rated(vclaim: VerifiedClaim) -> str:
    return f"rated {vclaim.rating}" if vclaim.rating else NO_RATING
