"""The report as Markdown for a content management system.

Head, confirmed, suggestions, rejected, transcript.

Whatever was said stands there as text: every character that Markdown or HTML would read as mark-up
is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from assistant.core.domain import CheckedSentence, Match
from assistant.report import contents, wording
from assistant.report.view import ReportView

_MARK_UP = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~=:&^$\"'@/])")


def render(view: ReportView) -> bytes:
    """Return the page as UTF-8."""
    return ("\n".join(_lines(view)).rstrip() + "\n").encode()


def plain(text: str) -> str:
    """Return text as one line of Markdown that shows exactly these words."""
    return _MARK_UP.sub(r"\\\1", " ".join(text.split()))


def _lines(view: ReportView) -> Iterable[str]:
    yield from (f"# {plain(view.title)}", "", plain(contents.opening(view)), "")
    yield from (f"**{plain(wording.reviewed(view))}.**", "")
    yield from (f"- {plain(text)}" for text in view.report.warnings)
    yield ""
    for heading, which in contents.SECTIONS:
        entries = contents.entries(view, which)
        if entries:
            yield from (f"## {heading}", "")
            for entry in entries:
                yield from _entry(entry, view)
    yield from _nothing(view)
    yield from _transcript(view)
    yield from ("## About this report", "", "| | |", "|---|---|")
    yield from (f"| {plain(name)} | {plain(value)} |" for name, value in contents.about(view))
    yield from ("", plain(wording.RATINGS_ARE_THE_PUBLISHERS))


def _entry(entry: contents.ReportEntry, view: ReportView) -> Iterable[str]:
    yield f"### {plain(entry.speaker)} · {plain(entry.place)}{f' · {entry.best.tier}' if entry.best.tier else ''}"
    yield ""
    if entry.passage.context:
        yield from (f"*{plain(contents.points_back(entry))}*", "")
    yield from (f"> {_words(entry.passage.sentences, entry.best)}", "")
    if entry.repeats:
        yield from (f"{plain(contents.also_said(entry))}\\:", "")
        yield from (
            f"* {plain(contents.place(repeat.sentences))} {_words(repeat.sentences, repeat.best)}"
            for repeat in entry.repeats
        )
        yield ""
    for checked, match in entry.matches:
        if checked is not entry.best:
            yield from ("", plain(contents.other_sentence(entry, checked)), "")
        yield from _match(match, view)
    yield ""


def _words(said: Sequence[CheckedSentence], best: CheckedSentence | None) -> str:
    """The words of a passage, the sentence that matches best in bold."""
    return contents.quoted(said, best, plain, lambda text: f"**{plain(text)}**")


def _match(match: Match, view: ReportView) -> Iterable[str]:
    claim, link = match.claim, contents.address(match.claim)
    source = (
        f" [{plain(claim.title or 'Open the article')}](<{link}>)"
        if link
        else f" {plain(claim.title)}"
    )
    yield f"- **{plain(claim.rating or 'no rating')}** · {plain(wording.rated(claim))}\\.{source}  "
    yield f"  “{plain(claim.statement)}”  "
    yield f"  {plain(contents.dates(match, view.event_date))}  "
    cautions = wording.cautions(match, view.event_date)
    if cautions:
        yield f"  but {plain(', '.join(cautions))}  "
    yield from (f"  {plain(key.why)}: “{plain(key.text)}”  " for key in match.key_sentences)
    if not match.key_sentences:
        yield f"  {plain(wording.NO_SENTENCES)}\\.  "
    yield f"  *{plain(contents.status(match))}*"


def _nothing(view: ReportView) -> Iterable[str]:
    rows = view.unmatched
    half = contents.mixed(view)
    if half:
        yield from (f"## {contents.MIXED}", "")
        yield from (f"- {number}\\. {plain(text)} — {plain(words)}" for number, text, words in half)
        yield ""
    if not rows:
        return
    yield from ("## Nothing found", "")
    if not view.matches:
        yield from (plain(wording.nothing_found(view)), "")
    yield from (f"- {row.sentence.number}\\. {plain(row.sentence.text)}" for row in rows)
    yield ""


def _transcript(view: ReportView) -> Iterable[str]:
    yield from ("## Transcript", "")
    for speaker, turn in groupby(
        view.report.sentences, key=lambda checked: checked.sentence.speaker
    ):
        rows = list(turn)
        start = rows[0].sentence.start
        time = plain(wording.clock(start))
        if place := wording.played(view.report.transcript, start):
            time = f"[{time}]({place})"
        yield f"**{plain(speaker or 'Speaker unknown')}**{f' {time}' if time else ''}  "
        yield " ".join(_sentence(checked) for checked in rows)
        yield ""


def _sentence(checked: CheckedSentence) -> str:
    text = plain(checked.sentence.text)
    matches = contents.standing(checked)
    if not matches:
        return text
    ratings = "; ".join(
        plain(f"{wording.publisher(m.claim) or 'unnamed publisher'}: {m.claim.rating}")
        + (f" ({warned})" if (warned := wording.beside_rating(m)) else "")
        for m in matches
    )
    mark = "confirmed" if contents.is_confirmed(matches[0]) else "not reviewed"
    return f"**{text}** \\[{ratings} · {mark}\\]"
