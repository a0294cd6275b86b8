"""Ageing of a verified claim.

In plain sentences, what its words and dates alone say about whether it still holds.

A claim was checked for the day it was said. When it is repeated later, its record may have been
broken, its "today" is another day, its figure describes a past period, and an office in it may
have changed hands. Records, days and figures are only said to have possibly changed: whether they
have is for a person to look up.
"""

from __future__ import annotations

import re
from datetime import date

from assistant.core.domain import VerifiedClaim
from assistant.report.offices import changed_hands
from features.language.agreement import particulars
from features.language.figures.dates import SINCE, UNTIL, DateMention
from features.language.figures.numbers import RANK, TIMES

SOON = 60  # days within which nothing ages
_RECORD = re.compile(
    r"\b(?:\w{2,}est|worst|best|most|least|record|first|only|never|more|any|all)\b.{0,60}?"
    r"(?P<words>\b(?:ever|in (?:\w+ )?history|in u\.s\. history|in the history of|on record|of all time|than ever)\b)|"
    r"\b(?P<alone>all-time (?:high|low|record)|record[- ](?:high|low)s?)\b",
    re.I,
)
_NOW = re.compile(
    r"\b(?P<words>today|right now|currently|at (?:the|this) moment|at present|these days|as we speak|"
    r"this (?:year|month|week)|(?:is|are|has|have|we've|it's) now|now (?:at|has|have|is|are|the))\b(?!'s)",
    re.I,
)


def ageing(claim: VerifiedClaim, event: date | None) -> list[str]:
    """Return why the claim may have aged between the day it was said and the event.

    Nothing where a day is unknown.
    """
    claimed = claim.claim_date
    if event is None or claimed is None or (event - claimed).days <= SOON:
        return []
    reasons = []
    if record := _RECORD.search(claim.statement):
        words = record["words"] or record["alone"]
        reasons.append(
            f"“{words}” was said of {claimed:%B %Y}: the record may have been broken since"
        )
    if now := _NOW.search(claim.statement):
        reasons.append(f"“{now['words']}” was {claimed:%B %Y}: it may have changed since")
    if not reasons and (period := _period(claim.statement, claimed, event)):
        reasons.append(f"said of {period}: figures of a period may have changed since")
    for words, who, office in changed_hands(claim.statement, claimed, event):
        then = "said" if who.split()[-1] in words else who
        reasons.append(f"“{words}” was {then} in {claimed.year}: {office} has changed hands since")
    return reasons


def _period(statement: str, claimed: date, event: date) -> str:
    """Return the latest period of a statement with a figure, in words, if it ended before the event; else nothing."""
    particular = particulars(statement)
    if not any(figure.kind not in (RANK, TIMES) for figure in particular.numbers):
        return ""
    ends = [_end(when, claimed) for when in particular.dates if when.role != UNTIL]
    last = max((end for end in ends if end <= claimed), default=None)
    return str(last.year) if last and last.year < event.year else ""


def _end(when: DateMention, claimed: date) -> date:
    """Return the last day of a date.

    A period that is still going on ends on the day it was said.
    """
    if when.role == SINCE:
        return claimed
    return date.fromordinal(
        max(1, min(int(when.resolve(claimed.toordinal())[1]), claimed.toordinal()))
    )
