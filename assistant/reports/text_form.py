"""The report as plain text with links, for a live blog or a message.

Confirmed matches, then suggestions.

Every suggestion says so in its own first line, because people paste pieces.
"""

from __future__ import annotations

from collections.abc import Iterable

from assistant.core.domain import Match
from assistant.report import contents, wording
from assistant.report.view import ReportView

UNREVIEWED = "[not reviewed] "


def render(view: ReportView) -> bytes:
    """Return the block as UTF-8."""
    return ("\n".join(_lines(view)).rstrip() + "\n").encode()


def _lines(view: ReportView) -> Iterable[str]:
    yield f"{_line(view.title)} · {contents.opening(view)}"
    yield f"{wording.reviewed(view)}."
    yield ""
    confirmed = contents.entries(view, contents.is_confirmed)
    suggested = contents.entries(view, contents.is_suggestion)
    for heading, entries, mark in (
        (contents.CONFIRMED, confirmed, ""),
        (contents.SUGGESTED, suggested, UNREVIEWED),
    ):
        if entries:
            yield from (heading.upper(), "")
            for entry in entries:
                yield from _entry(entry, mark, view)
    if not confirmed and not suggested:
        yield from (wording.nothing_found(view), "")
    yield wording.RATINGS_ARE_THE_PUBLISHERS


def _entry(entry: contents.ReportEntry, mark: str, view: ReportView) -> Iterable[str]:
    yield f"{mark}{_line(entry.speaker)} ({entry.place}): “{contents.quoted(entry.passage.sentences, entry.best, _line, _line)}”"
    if entry.repeats:
        yield f"  {_line(contents.also_said(entry))}"
    for checked, match in entry.matches:
        if checked is not entry.best:
            yield f"  {_line(contents.other_sentence(entry, checked))}:"
        yield from _rating(match, view)
    yield ""


def _rating(match: Match, view: ReportView) -> Iterable[str]:
    claim = match.claim
    yield f"→ {_line(wording.rated(claim))}: “{_line(claim.statement)}”"
    yield f"  {_line(contents.dates(match, view.event_date))}"
    cautions = wording.cautions(match, view.event_date)
    if cautions:
        yield f"  but: {_line(', '.join(cautions))}"
    yield from (f"  {key.why}: “{_line(key.text)}”" for key in wording.proofs(match))
    link = contents.address(claim)
    if link:
        yield f"  {link}"


def _line(text: str) -> str:
    return " ".join(text.split())
