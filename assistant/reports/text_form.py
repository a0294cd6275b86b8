"""The report as plain text with links, for a live blog or a message.

Confirmed matches come before suggestions. Every suggestion is labelled in its own first line,
because people paste parts of the text.
"""

from __future__ import annotations

from collections.abc import Iterator

from assistant.core.domain import Match
from assistant.report import contents, wording
from assistant.report.selection import selection_words
from assistant.report.view import ReportView

UNREVIEWED = "[not reviewed] "


def render(view: ReportView) -> bytes:
    """Return the block as UTF-8."""
    return ("\n".join(_lines(view)).rstrip() + "\n").encode()


def _lines(view: ReportView) -> Iterator[str]:
    yield f"{_line(view.title)} · {contents.opening(view)}"
    yield f"{wording.review_state(view)}."
    yield ""
    confirmed = contents.entries(view, contents.is_confirmed)
    suggested = contents.entries(view, contents.is_suggestion)
    yield from _section(contents.CONFIRMED, confirmed, "", view)
    yield from _section(contents.SUGGESTED, suggested, UNREVIEWED, view)
    if not confirmed and not suggested:
        yield wording.nothing_found(view)
        yield ""
    yield wording.RATINGS_ARE_THE_PUBLISHERS


def _section(
    heading: str, entries: list[contents.ReportEntry], label: str, view: ReportView
) -> Iterator[str]:
    """Yield a heading and the entries below it, each with a label in front."""
    if not entries:
        return
    yield heading.upper()
    yield ""
    for entry in entries:
        yield from _entry(entry, label, view)


def _entry(entry: contents.ReportEntry, label: str, view: ReportView) -> Iterator[str]:
    text = contents.passage_text(entry.passage.sentences, entry.best, _line, _line)
    yield f"{label}{_line(entry.speaker)} ({entry.place}): “{text}”"
    if entry.repeats:
        yield f"  {_line(contents.repeats_line(entry))}"
    for checked, match in entry.matches:
        if checked is not entry.best:
            yield f"  {_line(contents.sentence_note(entry, checked))}:"
        yield from _match(match, view)
    yield ""


def _match(match: Match, view: ReportView) -> Iterator[str]:
    claim = match.claim
    yield f"→ {_line(wording.rating_sentence(claim))}: {_line(wording.quoted(claim.statement))}"
    if not selection_words(view.report):
        yield from _evidence(match, view)
    for line in contents.comment_lines(match):
        yield f"  {_line(line)}"
    url = contents.address(claim)
    if url:
        yield f"  {url}"


def _evidence(match: Match, view: ReportView) -> Iterator[str]:
    """Yield the dates, cautions and key sentences of a match."""
    yield f"  {_line(contents.dates(match, view.event_date))}"
    if match.reopened:
        yield f"  {_line(contents.review_status(match))}"
    caution_line = wording.caution_line(match, view.event_date)
    if caution_line:
        yield f"  {_line(caution_line)}"
    for key in wording.quoted_key_sentences(match):
        yield f"  {key.why}: {_line(wording.quoted(key.text))}"


def _line(text: str) -> str:
    """Return text on one line."""
    return " ".join(text.split())
