"""Ageing of a verified claim: the reasons in its words and dates why it may no longer hold.

A claim was checked for the day it was said. When it is repeated later, its record may have been
broken, its "today" is another day, its figure describes a past period, and an office in it may have
changed hands. Records, days and figures may have changed: a person has to look up whether they
have.
"""

from __future__ import annotations

import re
from datetime import date

from assistant.core.domain import Agreement, Match, VerifiedClaim
from assistant.report.offices import changed_hands
from features.language.agreement import particulars
from features.language.figures.dates import SINCE, UNTIL, DateMention
from features.language.figures.numbers import MULTIPLE, RANK

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


def ageing_of_match(match: Match, event: date | None) -> list[str]:
    """Return the reasons why the claim of a match may have aged until the event."""
    has_same_dates = match.agreement.get("dates") == Agreement.SAME
    return ageing(match.claim, event, has_same_dates=has_same_dates)


def ageing(claim: VerifiedClaim, event: date | None, *, has_same_dates: bool = False) -> list[str]:
    """Return the reasons why a claim may have aged until the event, none if a date is unknown.

    ``has_same_dates``: the sentence names the dates of the claim. The figures of a year that was
    over when the claim was made don't age then.
    """
    claim_date = claim.claim_date
    if event is None or claim_date is None or (event - claim_date).days <= MIN_AGE_DAYS:
        return []
    reasons = []
    month = f"{claim_date:%B %Y}"
    record = _RECORD_PATTERN.search(claim.statement)
    if record:
        record_words = record["words"] or record["alone"]
        reasons.append(
            f"“{record_words}” was said in {month}: the record may have been broken since"
        )
    present_time = _NOW_PATTERN.search(claim.statement)
    if present_time:
        reasons.append(f"“{present_time['words']}” was {month}: it may have changed since")
    if not reasons:
        year = _year_of_figures(claim.statement, claim_date, event, has_same_dates)
        if year:
            reasons.append(f"the claim’s figure is for {year}, and may have changed since")
    return reasons + _office_reasons(claim.statement, claim_date, event)


def _office_reasons(statement: str, claim_date: date, event: date) -> list[str]:
    """Return a reason for each office that another person holds by the day of the event."""
    reasons = []
    for office_words, holder, office in changed_hands(statement, claim_date, event):
        # “the mayor” was Jane Doe, but “Mayor Doe” was said: its words name the holder.
        *_, surname = holder.split()
        holder_then = "said" if surname in office_words else holder
        reasons.append(
            f"“{office_words}” was {holder_then} in {claim_date.year}: "
            f"{office} has changed hands since"
        )
    return reasons


def _year_of_figures(statement: str, claim_date: date, event: date, has_same_dates: bool) -> str:
    """Return the year of a statement with a figure if it ended before the event, else ""."""
    numbers_and_dates = particulars(statement)
    has_amount = any(figure.kind not in (RANK, MULTIPLE) for figure in numbers_and_dates.numbers)
    # The periods that the amount may be of
    periods = [mention for mention in numbers_and_dates.dates if mention.role != UNTIL]
    if not has_amount or not periods:
        return ""
    latest_day = max(_last_day(period, claim_date) for period in periods)
    are_calendar_dates = all(period.is_calendar_date for period in periods)
    if has_same_dates and are_calendar_dates and latest_day < claim_date:
        return ""
    return str(latest_day.year) if latest_day.year < event.year else ""


def _last_day(period: DateMention, claim_date: date) -> date:
    """Return the last day of a period; one that is still going on ends on the day it was said."""
    if period.role == SINCE:
        return claim_date
    claim_day = claim_date.toordinal()
    _, end_day = period.days_for_speaker_on(claim_day)
    return date.fromordinal(max(1, min(int(end_day), claim_day)))
