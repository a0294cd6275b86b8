"""The report as Markdown for a content management system.

Every character of a text that Markdown or HTML would read as mark-up is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from assistant.core.clean_text import without_direction_marks
from assistant.core.domain import CheckedSentence, Match, VerifiedClaim
from assistant.report import contents, wording
from assistant.report.view import ReportView

_MARK_UP = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~=:&^$\"'@/])")


def render(view: ReportView) -> bytes:
    """Return the page as UTF-8."""
    return ("\n".join(_lines(view)).rstrip() + "\n").encode()


def plain(text: str) -> str:
    """Return text as one line of Markdown that shows exactly these words."""
    return _MARK_UP.sub(r"\\\1", " ".join(without_direction_marks(text).split()))


def _lines(view: ReportView) -> Iterator[str]:
    yield f"# {plain(view.title)}"
    yield ""
    yield plain(contents.opening(view))
    yield ""
    yield f"**{plain(wording.review_state(view))}.**"
    yield ""
    for warning in view.report.warnings:
        yield f"- {plain(warning)}"
    yield ""
    for heading, is_wanted in contents.SECTIONS:
        entries = contents.entries(view, is_wanted)
        if entries:
            yield from _heading(heading)
        for entry in entries:
            yield from _entry(entry, view)
    yield from _unlisted(view)
    yield from _transcript(view)
    yield from _heading("About this report")
    yield "| | |"
    yield "|---|---|"
    for name, value in contents.report_facts(view):
        yield f"| {plain(name)} | {plain(value)} |"
    yield ""
    yield plain(wording.RATINGS_ARE_THE_PUBLISHERS)


def _heading(text: str) -> Iterator[str]:
    yield f"## {text}"
    yield ""


def _entry(entry: contents.ReportEntry, view: ReportView) -> Iterator[str]:
    tier = f" · {entry.best.tier}" if entry.best.tier else ""
    yield f"### {plain(entry.speaker)} · {plain(entry.place)}{tier}"
    yield ""
    if entry.passage.context:
        yield f"*{plain(contents.context_line(entry))}*"
        yield ""
    yield f"> {_passage_text(entry.passage.sentences, entry.best)}"
    yield ""
    if entry.repeats:
        yield f"{plain(contents.repeats_line(entry))}\\:"
        yield ""
        for repeat in entry.repeats:
            time = plain(contents.passage_time(repeat.sentences))
            yield f"* {time} {_passage_text(repeat.sentences, repeat.best)}"
        yield ""
    for checked, match in entry.matches:
        if checked is not entry.best:
            yield ""
            yield plain(contents.sentence_note(entry, checked))
            yield ""
        yield from _match(match, view)
    yield ""


def _passage_text(sentences: Sequence[CheckedSentence], best: CheckedSentence | None) -> str:
    """Return the text of a passage, its best sentence in bold."""
    return contents.passage_text(sentences, best, plain, _bold)


def _bold(text: str) -> str:
    return f"**{plain(text)}**"


def _match(match: Match, view: ReportView) -> Iterator[str]:
    claim = match.claim
    rating = plain(claim.rating or "no rating")
    yield f"- **{rating}** · {plain(wording.rating_sentence(claim))}\\. {_article(claim)}  "
    yield f"  “{plain(claim.statement)}”  "
    yield f"  {plain(contents.dates(match, view.event_date))}  "
    cautions = wording.cautions(match, view.event_date)
    if cautions:
        yield f"  but {plain(', '.join(cautions))}  "
    for key in match.key_sentences:
        yield f"  {plain(key.why)}: “{plain(key.text)}”  "
    if not match.key_sentences:
        yield f"  {plain(wording.NO_SENTENCES)}\\.  "
    yield f"  *{plain(contents.review_status(match))}*"


def _article(claim: VerifiedClaim) -> str:
    """Return a link to the article, its title if it has no web address."""
    url = contents.address(claim)
    if not url:
        return plain(claim.title)
    return f"[{plain(claim.title or 'Open the article')}](<{url}>)"


def _unlisted(view: ReportView) -> Iterator[str]:
    """Yield the sentences with a mixed rating only, then those without a match."""
    mixed_sentences = contents.mixed_sentences(view)
    if mixed_sentences:
        yield from _heading(contents.MIXED)
        for number, text, fact_check in mixed_sentences:
            yield f"- {number}\\. {plain(text)} — {plain(fact_check)}"
        yield ""
    if not view.unmatched:
        return
    yield from _heading("Nothing found")
    if not view.matches:
        yield plain(wording.nothing_found(view))
        yield ""
    for checked in view.unmatched:
        yield f"- {checked.sentence.number}\\. {plain(checked.sentence.text)}"
    yield ""


def _transcript(view: ReportView) -> Iterator[str]:
    yield from _heading("Transcript")
    for turn in view.turns:
        time = plain(wording.clock(turn.start_s))
        recording = wording.recording_link(view.report.transcript, turn.start_s)
        if recording:
            time = f"[{time}]({recording})"
        speaker = f"**{plain(turn.speaker or contents.SPEAKER_UNKNOWN)}**"
        yield f"{speaker} {time}  " if time else f"{speaker}  "
        yield " ".join(_sentence(checked) for checked in turn.sentences)
        yield ""


def _sentence(checked: CheckedSentence) -> str:
    """Return a sentence, with its ratings and the state of the review if it has matches."""
    text = plain(checked.sentence.text)
    matches = contents.unrejected_matches(checked)
    if not matches:
        return text
    ratings = "; ".join(_short_rating(match) for match in matches)
    state = "confirmed" if contents.is_confirmed(matches[0]) else "not reviewed"
    return f"**{text}** \\[{ratings} · {state}\\]"


def _short_rating(match: Match) -> str:
    publisher = wording.publisher(match.claim) or "unnamed publisher"
    rating = plain(f"{publisher}: {match.claim.rating}")
    comparison = wording.comparison_note(match)
    return f"{rating} ({plain(comparison)})" if comparison else rating
