"""The report as Markdown for a content management system.

Head, confirmed, suggestions, rejected, transcript.

Whatever was said stands there as text: every character that Markdown or HTML would read as mark-up
is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from assistant.core.domain import CheckedSentence, Match, Report
from assistant.report import contents, wording

_MARK_UP = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~=:&^$\"'@/])")


def render(report: Report) -> bytes:
    """Return the page as UTF-8."""
    return ("\n".join(_lines(report)).rstrip() + "\n").encode()


def plain(text: str) -> str:
    """Return text as one line of Markdown that shows exactly these words."""
    return _MARK_UP.sub(r"\\\1", " ".join(text.split()))


def _lines(report: Report) -> Iterable[str]:
    yield from (f"# {plain(contents.title(report))}", "", plain(contents.opening(report)), "")
    yield from (f"**{plain(wording.reviewed(report))}.**", "")
    yield from (f"- {plain(text)}" for text in report.warnings)
    yield ""
    for heading, which in contents.SECTIONS:
        rows = contents.found(report, which)
        if rows:
            yield from (f"## {heading}", "")
            for row in rows:
                yield from _entry(row, report)
    yield from _nothing(report)
    yield from _transcript(report)
    yield from ("## About this report", "", "| | |", "|---|---|")
    yield from (f"| {plain(name)} | {plain(value)} |" for name, value in contents.about(report))
    yield from ("", plain(wording.RATINGS_ARE_THE_PUBLISHERS))


def _entry(row: contents.Found, report: Report) -> Iterable[str]:
    yield f"### {plain(row.speaker)} · {plain(row.place)}{f' · {row.best.tier}' if row.best.tier else ''}"
    yield ""
    if row.row.passage.context:
        yield from (f"*{plain(contents.points_back(row))}*", "")
    yield from (f"> {_words(row.said, row.best)}", "")
    if row.also:
        yield from (f"{plain(contents.also_said(row))}\\:", "")
        yield from (
            f"* {plain(contents.place(other.said))} {_words(other.said, other.best)}"
            for other in row.also
        )
        yield ""
    for checked, match in row.pairs:
        if checked is not row.best:
            yield from ("", plain(contents.other_sentence(row, checked)), "")
        yield from _match(match, report)
    yield ""


def _words(said: Sequence[CheckedSentence], best: CheckedSentence) -> str:
    """The words of a passage, the sentence that matches best in bold."""
    return contents.quoted(said, best, plain, lambda text: f"**{plain(text)}**")


def _match(match: Match, report: Report) -> Iterable[str]:
    claim, link = match.claim, contents.address(match.claim)
    source = (
        f" [{plain(claim.title or 'Open the article')}](<{link}>)"
        if link
        else f" {plain(claim.title)}"
    )
    yield f"- **{plain(claim.rating or 'no rating')}** · {plain(wording.rated(claim))}\\.{source}  "
    yield f"  “{plain(claim.statement)}”  "
    yield f"  {plain(contents.dates(match, report))}  "
    cautions = wording.cautions(match, report.transcript.event_date)
    if cautions:
        yield f"  but {plain(', '.join(cautions))}  "
    yield from (f"  {plain(key.why)}: “{plain(key.text)}”  " for key in match.key_sentences)
    if not match.key_sentences:
        yield f"  {plain(wording.NO_SENTENCES)}\\.  "
    if match.relation:
        yield f"  {plain(wording.relation(match.relation))}  "
    yield f"  *{plain(contents.status(match))}*"


def _nothing(report: Report) -> Iterable[str]:
    rows = contents.unmatched(report)
    half = contents.mixed(report)
    if half:
        yield from (f"## {contents.MIXED}", "")
        yield from (f"- {number}\\. {plain(text)} — {plain(words)}" for number, text, words in half)
        yield ""
    if not rows:
        return
    yield from ("## Nothing found", "")
    if not wording.matches(report):
        yield from (plain(wording.nothing_found(report)), "")
    yield from (f"- {row.sentence.number}\\. {plain(row.sentence.text)}" for row in rows)
    yield ""


def _transcript(report: Report) -> Iterable[str]:
    yield from ("## Transcript", "")
    for speaker, turn in groupby(report.sentences, key=lambda checked: checked.sentence.speaker):
        rows = list(turn)
        start = rows[0].sentence.start
        time = plain(wording.clock(start))
        if place := wording.played(report.transcript, start):
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
