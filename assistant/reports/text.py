"""The report as plain text with links, for a live blog or a message: confirmed matches, then suggestions.

Every suggestion says so in its own first line, because people paste pieces.
"""

from __future__ import annotations

from collections.abc import Iterable

from assistant.ground.domain import Match, Report
from assistant.reports import contents, phrases

UNREVIEWED = "[not reviewed] "


def render(report: Report) -> bytes:
    """Return the block as UTF-8."""
    return ("\n".join(_lines(report)).rstrip() + "\n").encode()


def _lines(report: Report) -> Iterable[str]:
    yield f"{_line(contents.title(report))} · {contents.opening(report)}"
    yield f"{phrases.reviewed(report)}."
    yield ""
    confirmed = contents.found(report, contents.is_confirmed)
    suggested = contents.found(report, contents.is_suggestion)
    for heading, rows, mark in (
        (contents.CONFIRMED, confirmed, ""),
        (contents.SUGGESTED, suggested, UNREVIEWED),
    ):
        if rows:
            yield from (heading.upper(), "")
            for row in rows:
                yield from _entry(row, mark, report)
    if not confirmed and not suggested:
        yield from (phrases.nothing_found(report), "")
    yield phrases.RATINGS_ARE_THE_PUBLISHERS


def _entry(row: contents.Found, mark: str, report: Report) -> Iterable[str]:
    yield f"{mark}{_line(row.speaker)} ({row.place}): “{contents.quoted(row.said, row.best, _line, _line)}”"
    if row.also:
        yield f"  {_line(contents.also_said(row))}"
    for checked, match in row.pairs:
        if checked is not row.best:
            yield f"  {_line(contents.other_sentence(row, checked))}:"
        yield from _rating(match, report)
    yield ""


def _rating(match: Match, report: Report) -> Iterable[str]:
    claim = match.claim
    yield f"→ {_line(phrases.rated(claim))}: “{_line(claim.statement)}”"
    yield f"  {_line(contents.dates(match, report))}"
    cautions = phrases.cautions(match, report.transcript.event_date)
    if cautions:
        yield f"  but: {_line(', '.join(cautions))}"
    yield from (f"  {key.why}: “{_line(key.text)}”" for key in phrases.proofs(match))
    link = contents.address(claim)
    if link:
        yield f"  {link}"


def _line(text: str) -> str:
    return " ".join(text.split())
