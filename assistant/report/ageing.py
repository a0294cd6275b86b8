"""Ageing of a verified claim: the reasons in its words and dates why it may no longer hold.

A claim was checked for the day it was said. When it is repeated later, its record may have been
broken, its "today" is another day, its figure describes a past period, and an office in it may have
changed hands. Records, days and figures may have changed: a person has to look up whether they
have.
"""

from __future__ import annotations

import re
from datetime import date

from assistant.core.domain import VerifiedClaim
from assistant.report.offices import changed_hands
from features.language.agreement import particulars
from features.language.figures.dates import SINCE, UNTIL, DateMention
from features.language.figures.numbers import RANK, TIMES

MIN_AGE_DAYS = 60  # a younger claim has not aged
_RECORD_PATTERN = re.compile(
    r"\b(?:\w{2,}est|worst|best|most|least|record|first|only|never|more|any|all)\b.{0,60}?"
    r"(?P<words>\b(?:ever|in (?:\w+ )?history|in u\.s\. history|in the history of|on record|of all time|than ever)\b)|"
    r"\b(?P<alone>all-time (?:high|low|record)|record[- ](?:high|low)s?)\b",
    re.I,
)
_NOW_PATTERN = re.compile(
    r"\b(?P<words>today|right now|currently|at (?:the|this) moment|at present|these days|as we speak|"
    r"this (?:year|month|week)|(?:is|are|has|have|we've|it's) now|now (?:at|has|have|is|are|the))\b(?!'s)",
    re.I,
)


def ageing(claim: VerifiedClaim, event: date | None) -> list[str]:
    """Return the reasons why a claim may have aged until the event, none if a date is unknown."""
    claim_date = claim.claim_date
    if event is None or claim_date is None or (event - claim_date).days <= MIN_AGE_DAYS:
        return []
    reasons = []
    month = f"{claim_date:%B %Y}"
    record = _RECORD_PATTERN.search(claim.statement)
    if record:
        record_words = record["words"] or record["alone"]
        reasons.append(
            f"“{record_words}” was said of {month}: the record may have been broken since"
        )
    present_time = _NOW_PATTERN.search(claim.statement)
    if present_time:
        reasons.append(f"“{present_time['words']}” was {month}: it may have changed since")
    period = "" if reasons else _period(claim.statement, claim_date, event)
    if period:
        reasons.append(f"said of {period}: figures of a period may have changed since")
    # Offices that another person holds by the day of the event.
    for office_words, holder, office in changed_hands(claim.statement, claim_date, event):
        # The holder is named unless the claim's own words have the name.
        last_name = holder.split()[-1]
        holder_then = "said" if last_name in office_words else holder
        reasons.append(
            f"“{office_words}” was {holder_then} in {claim_date.year}: "
            f"{office} has changed hands since"
        )
    return reasons


def _period(statement: str, claimed: date, event: date) -> str:
    """Return the year of a statement with a figure if it ended before the event, else ""."""
    # The figures and the dates in the statement
    details = particulars(statement)
    has_figure = any(figure.kind not in (RANK, TIMES) for figure in details.numbers)
    if not has_figure:
        return ""
    # The periods that the figure may be about, by their last days.
    last_days = [_last_day(mention, claimed) for mention in details.dates if mention.role != UNTIL]
    past_days = [last_day for last_day in last_days if last_day <= claimed]
    if not past_days:
        return ""
    latest_year = max(past_days).year
    return str(latest_year) if latest_year < event.year else ""


def _last_day(when: DateMention, claimed: date) -> date:
    """Return the last day of a period; one that is still going on ends on the day it was said."""
    if when.role == SINCE:
        return claimed
    claimed_ordinal = claimed.toordinal()
    end_ordinal = int(when.resolve(claimed_ordinal)[1])
    return date.fromordinal(max(1, min(end_ordinal, claimed_ordinal)))
