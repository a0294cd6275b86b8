"""The report as plain text with links, for a live blog or a message.

Confirmed matches, then suggestions.

Every suggestion says so in its own first line, because people paste pieces.
"""

from __future__ import annotations

from collections.abc import Iterable

from assistant.core.domain import Match, Report
from assistant.report import contents, wording

UNREVIEWED = "[not reviewed] "


def render(report: Report) -> bytes:
    """Return the block as UTF-8."""
    return ("\n".join(_lines(report)).rstrip() + "\n").encode()


def _lines(report: Report) -> Iterable[str]:
    yield f"{_line(contents.title(report))} · {contents.opening(report)}"
    yield f"{wording.reviewed(report)}."
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
        yield from (wording.nothing_found(report), "")
    yield wording.RATINGS_ARE_THE_PUBLISHERS


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
    yield f"→ {_line(wording.rated(claim))}: “{_line(claim.statement)}”"
    yield f"  {_line(contents.dates(match, report))}"
    cautions = wording.cautions(match, report.transcript.event_date)
    if cautions:
        yield f"  but: {_line(', '.join(cautions))}"
    yield from (f"  {key.why}: “{_line(key.text)}”" for key in wording.proofs(match))
    link = contents.address(claim)
    if link:
        yield f"  {link}"


def _line(text: str) -> str:
    return " ".join(text.split())
