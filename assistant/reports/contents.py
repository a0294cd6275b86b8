"""The contents that all formats share: head, confirmed matches, suggestions, and sentences without a match.

A match is *confirmed* only if a person confirmed it. Everything else that nobody rejected is a suggestion and is called
unreviewed wherever it stands.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

from assistant.ground.domain import CheckedSentence, Match, Report, VerifiedClaim
from assistant.reports import phrases

CONFIRMED, SUGGESTED, REJECTED = "Confirmed", "Suggestions, not reviewed", "Rejected in review"
# Characters that no format may contain: control characters, lone surrogates, and marks that change the text direction.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069\ufffe\uffff]")


class Found(NamedTuple):
    """A sentence with some of its matches."""

    checked: CheckedSentence
    matches: tuple[Match, ...]


def is_confirmed(match: Match) -> bool:
    """Return whether a person confirmed the match."""
    return match.decision is not None and match.decision.verdict == "confirm"


def is_rejected(match: Match) -> bool:
    """Return whether a person rejected the match."""
    return match.decision is not None and match.decision.verdict == "reject"


def is_suggestion(match: Match) -> bool:
    """Return whether nobody has settled the match yet."""
    return not is_confirmed(match) and not is_rejected(match)


def standing(checked: CheckedSentence) -> list[Match]:
    """Return the matches of a sentence that no person has rejected, confirmed ones first."""
    kept = [match for match in checked.matches if not is_rejected(match)]
    return sorted(kept, key=lambda match: not is_confirmed(match))


def found(report: Report, which: Callable[[Match], bool]) -> list[Found]:
    """Return the ranked sentences that have such matches, best first, each with these matches."""
    rows = (Found(c, tuple(m for m in c.matches if which(m))) for c in report.ranked())
    return [row for row in rows if row.matches]


def unmatched(report: Report) -> list[CheckedSentence]:
    """Return the check-worthy sentences for which nothing was found, in reading order."""
    return [checked for checked in report.sentences if checked.kept and not checked.matches]


SECTIONS = ((CONFIRMED, is_confirmed), (SUGGESTED, is_suggestion), (REJECTED, is_rejected))


def opening(report: Report) -> str:
    """Return the line below the title: the date of the event and the counts."""
    return f"{phrases.day(report.transcript.event_date, 'date of the event not known')} · {phrases.coverage(report)}"


def title(report: Report) -> str:
    """Return the title of the transcript, else the name of its file."""
    return report.transcript.title or report.transcript.source.name


def status(match: Match) -> str:
    """Return how far a match can be used: ``Confirmed by Ada, 2024-09-11 09:30``, ``Suggestion, not reviewed``."""
    if match.decision is None:
        return "Suggestion, not reviewed"
    decision = phrases.decided(match.decision)
    return f"Suggestion, not settled: {decision}" if is_suggestion(match) else decision


def reviewers(report: Report) -> list[str]:
    """Return the names of those who decided anything, in alphabetical order."""
    return sorted({m.decision.by for m in phrases.matches(report) if m.decision and m.decision.by})


def review_counts(report: Report) -> dict[str, int]:
    """Return how many matches were confirmed, rejected, put off and left undecided."""
    verdicts = [match.decision.verdict if match.decision else "" for match in phrases.matches(report)]
    kinds = {"confirmed": "confirm", "rejected": "reject", "put off": "later", "undecided": ""}
    return {name: verdicts.count(verdict) for name, verdict in kinds.items()}


def about(report: Report) -> list[tuple[str, str]]:
    """Return the head of a report as rows: what was read, compared with what, by which models, reviewed by whom."""
    source, manifest = report.transcript.source, report.manifest
    tables = (("Database", manifest.database), ("Model", manifest.models), ("Setting", manifest.settings))
    counted = report.counts()
    return [
        ("Date of the event", phrases.day(report.transcript.event_date, "not known")),
        ("File", source.name),
        ("Read as", source.format),
        ("SHA-256 of the file", source.sha256),
        ("Lectern", manifest.lectern),
        ("Profile", manifest.profile),
        *((f"{label}: {name}", value) for label, table in tables for name, value in phrases.settings(table.items())),
        *((name.replace("_", " ").capitalize(), f"{n:,}") for name, n in counted.items()),
        ("Matches", f"{len(phrases.matches(report)):,}"),
        *((name.capitalize(), f"{n:,}") for name, n in review_counts(report).items()),
        ("Reviewed by", ", ".join(reviewers(report)) or "nobody"),
    ]


def dates(match: Match, report: Report) -> str:
    """Return when the claim was said and checked, each with its distance to the event in words."""
    event, claim = report.transcript.event_date, match.claim
    parts = [phrases.said(claim), phrases.gap(event, claim.claim_date)]
    checked = [f"checked {phrases.day(claim.review_date, 'on an unknown day')}", phrases.gap(event, claim.review_date)]
    return " · ".join(", ".join(part for part in pair if part) for pair in (parts, checked))


def address(vclaim: VerifiedClaim) -> str:
    """Return the address of the article if it is one of the web, with nothing in it that could end a link early."""
    url = "".join(vclaim.url.split())
    try:
        scheme = urlsplit(url).scheme.lower()
    except ValueError:  # half an IPv6 address, and the like
        return ""
    if scheme not in ("http", "https"):
        return ""
    return quote(url, safe=":/?#[]@!$&'*+,;=%~-._").replace("'", "%27")


def legible(report: Report) -> Report:
    """Return the report with every character that some format cannot contain replaced by U+FFFD."""
    return _legible(report)


def _legible(value: Any) -> Any:
    if isinstance(value, str):
        return _UNPRINTABLE.sub("\ufffd", value) if type(value) is str else value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = (field.name for field in dataclasses.fields(value))
        return dataclasses.replace(value, **{name: _legible(getattr(value, name)) for name in names})
    if isinstance(value, Mapping):
        return {_legible(key): _legible(part) for key, part in value.items()}
    return tuple(map(_legible, value)) if isinstance(value, Iterable) else value
