"""The report as Markdown for a content management system.

The text reads the same in every Markdown, and pasted as it is: a character is escaped only where it
would be mark-up, and only with a backslash that all dialects know. The others are entities.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from assistant.core.clean_text import without_direction_marks
from assistant.core.domain import CheckedSentence, Match, VerifiedClaim
from assistant.report import contents, wording
from assistant.report.selection import selection_words
from assistant.report.view import ReportView

_MARK_UP_PATTERN = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~=:&^$\"'@/])")
_ALWAYS_MARK_UP_PATTERN = re.compile(r"([\\`*_\[\]])")
# A list, a heading, a quotation or a rule begins with these.
_MARK_UP_AT_START_PATTERN = re.compile(r"^([#>]|[+-](?=\s|$)|-(?=[- ]*$))|^(\d{1,9})([.)])(?=\s|$)")
_CLOSING_HEADING_MARKS_PATTERN = re.compile(r"(?<=\s)(#)(?=#*$)")
# Templates of site generators, and attributes of kramdown.
_TEMPLATE_PATTERN = re.compile(r"(\{)(?=[{%:#.])")
_TAG_START_PATTERN = re.compile(r"<(?=[A-Za-z/!?])")
_ENTITY_PATTERN = re.compile(r"&(?=#?\w+;)")
_RULE_OF_EQUALS_PATTERN = re.compile(r"^=(?==*$)")
_EMOJI_NAME_PATTERN = re.compile(r":(?=[A-Za-z_+-][\w+-]*:)")


def render(view: ReportView) -> bytes:
    """Return the page as UTF-8."""
    return ("\n".join(_lines(view)).rstrip() + "\n").encode()


def escape_markdown(text: str) -> str:
    """Return text as one line of Streamlit's Markdown that shows exactly these words.

    Streamlit also reads formulas and colours, and knows a backslash before each sign.
    """
    return _MARK_UP_PATTERN.sub(r"\\\1", " ".join(without_direction_marks(text).split()))


def shown(text: str) -> str:
    """Return text as one line that shows exactly these words in every Markdown."""
    line = " ".join(without_direction_marks(text).split())
    line = _ENTITY_PATTERN.sub("&amp;", line)
    line = _TAG_START_PATTERN.sub("&lt;", line)
    line = _ALWAYS_MARK_UP_PATTERN.sub(r"\\\1", line)
    line = _TEMPLATE_PATTERN.sub(r"\\\1", line)
    line = _MARK_UP_AT_START_PATTERN.sub(_escaped_start, line)
    line = _CLOSING_HEADING_MARKS_PATTERN.sub(r"\\\1", line)
    line = _RULE_OF_EQUALS_PATTERN.sub("&#61;", line)
    line = _EMOJI_NAME_PATTERN.sub("&#58;", line)
    return _without_strikethrough(line)


def _without_strikethrough(line: str) -> str:
    """Return a line in which no two tildes strike text out; a single one stays as it is."""
    before, last_tilde, after = line.rpartition("~")
    if before.endswith("~"):
        last_tilde = "&#126;"
    return before.replace("~", "&#126;") + last_tilde + after


def _escaped_start(match: re.Match[str]) -> str:
    """Escape the sign that would begin a list, a heading or a quotation."""
    if match[1]:
        return f"\\{match[1]}"
    return f"{match[2]}\\{match[3]}"


def _cell(text: str) -> str:
    """Return text as a cell of a table."""
    return shown(text).replace("|", "&#124;")


def _lines(view: ReportView) -> Iterator[str]:
    yield f"# {shown(view.title)}"
    yield ""
    yield shown(contents.opening(view))
    yield ""
    yield f"**{shown(wording.review_state(view))}.**"
    yield ""
    for warning in view.report.warnings:
        yield f"- {shown(warning)}"
    yield ""
    for heading, is_wanted in contents.SECTIONS:
        entries = contents.entries(view, is_wanted)
        if entries:
            yield from _heading(heading)
        for entry in entries:
            yield from _entry(entry, view)
    if not selection_words(view.report):
        yield from _unlisted(view)
        yield from _transcript(view)
    yield from _heading("About this report")
    yield "| | |"
    yield "|---|---|"
    for name, value in contents.report_facts(view):
        yield f"| {_cell(name)} | {_cell(value)} |"
    yield ""
    yield shown(wording.RATINGS_ARE_THE_PUBLISHERS)


def _heading(text: str) -> Iterator[str]:
    yield f"## {text}"
    yield ""


def _entry(entry: contents.ReportEntry, view: ReportView) -> Iterator[str]:
    strength = contents.strength_word(entry.best)
    position = " · ".join(filter(None, (shown(entry.place), strength)))
    yield f"### {shown(entry.speaker)} · {position}"
    yield ""
    if entry.passage.context:
        yield f"*{shown(contents.context_line(entry))}*"
        yield ""
    yield f"> {_passage_text(entry.passage.sentences, entry.best)}"
    yield ""
    if entry.repeats:
        yield f"{shown(contents.repeats_line(entry))}:"
        yield ""
        for repeat in entry.repeats:
            time = shown(contents.passage_time(repeat.sentences))
            yield f"* {time} {_passage_text(repeat.sentences, repeat.best)}"
        yield ""
    for checked, match in entry.matches:
        if checked is not entry.best:
            yield ""
            yield shown(contents.sentence_note(entry, checked))
            yield ""
        yield from _match(match, view)
    yield ""


def _passage_text(sentences: Sequence[CheckedSentence], best: CheckedSentence | None) -> str:
    """Return the text of a passage, its best sentence in bold."""
    return contents.passage_text(sentences, best, shown, _bold)


def _bold(text: str) -> str:
    return f"**{shown(text)}**"


def _match(match: Match, view: ReportView) -> Iterator[str]:
    claim = match.claim
    rating = shown(claim.rating or "no rating")
    yield f"- **{rating}** · {shown(wording.rating_sentence(claim))}. {_article(claim)}  "
    yield f"  {shown(wording.quoted(claim.statement))}  "
    yield f"  {shown(contents.dates(match, view.event_date))}  "
    caution_line = wording.caution_line(match, view.event_date)
    if caution_line:
        yield f"  {shown(caution_line)}  "
    for key in match.key_sentences:
        yield f"  {shown(key.why)}: {shown(wording.quoted(key.text))}  "
    if not match.key_sentences:
        yield f"  {shown(wording.NO_SENTENCES)}.  "
    comments = contents.comment_lines(match)
    yield f"  *{shown(contents.review_status(match))}*" + ("  " if comments else "")
    for line in comments:
        yield f"  {shown(line)}  "


def _article(claim: VerifiedClaim) -> str:
    """Return a link to the article, its title if it has no web address."""
    url = contents.address(claim)
    if not url:
        return shown(claim.title)
    return f"[{shown(claim.title or 'Open the article')}](<{url}>)"


def _unlisted(view: ReportView) -> Iterator[str]:
    """Yield the sentences with a mixed rating only, then those without a match."""
    mixed_sentences = contents.mixed_sentences(view)
    if mixed_sentences:
        yield from _heading(contents.MIXED)
        for number, text, fact_check in mixed_sentences:
            yield f"- {number}\\. {shown(text)} — {shown(fact_check)}"
        yield ""
    if not view.unmatched:
        return
    yield from _heading("Nothing found")
    if not view.matches:
        yield shown(wording.nothing_found(view))
        yield ""
    for checked_sentence in view.unmatched:
        yield f"- {checked_sentence.sentence.number}\\. {shown(checked_sentence.sentence.text)}"
    yield ""


def _transcript(view: ReportView) -> Iterator[str]:
    yield from _heading("Transcript")
    for turn in view.turns:
        time = shown(wording.clock(turn.start_s))
        recording = wording.recording_link(view.report.transcript, turn.start_s)
        if recording:
            time = f"[{time}]({recording})"
        speaker = f"**{shown(turn.speaker or contents.SPEAKER_UNKNOWN)}**"
        yield f"{speaker} {time}  " if time else f"{speaker}  "
        yield " ".join(_sentence(checked) for checked in turn.sentences)
        yield ""


def _sentence(checked_sentence: CheckedSentence) -> str:
    """Return a sentence, with its ratings and the state of the review if it has matches."""
    text = shown(checked_sentence.sentence.text)
    matches = contents.unrejected_matches(checked_sentence)
    if not matches:
        return text
    ratings = "; ".join(_short_rating(match) for match in matches)
    state = "confirmed" if contents.is_confirmed(matches[0]) else "not reviewed"
    return f"**{text}** \\[{ratings} · {state}\\]"


def _short_rating(match: Match) -> str:
    publisher = wording.publisher(match.claim) or "unnamed publisher"
    rating = shown(f"{publisher}: {match.claim.rating}")
    comparison = wording.comparison_note(match)
    return f"{rating} ({shown(comparison)})" if comparison else rating
