"""Cues in SRT and WebVTT files: blocks of lines around timing lines, and their mark-up.

Line numbers and text without a timing line must survive, which the ``srt`` and ``webvtt-py``
packages do not offer; they are the oracles of the tests instead.
"""

from __future__ import annotations

import html
import re
from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from assistant.transcripts.timestamps import seconds_of, span_at

# Tags of captions and style overrides: <i>, <c.yellow>, {\an8}
_MARKUP_PATTERN = re.compile(
    r"</?(?:[bius]|c|v|font|ruby|rt|lang|span)(?:[.\s][^<>]*)?/?>|</?>|\{\\[^{}]*\}", re.IGNORECASE
)
# The time of a word inside a cue: <00:00:12.345>
_WORD_TIME_PATTERN = re.compile(r"<\d[\d:.]*>")
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad"))
# Characters without which a text has no mark-up
_MARKUP_SIGN_PATTERN = re.compile(r"[<&{\u00ad\u200b-\u200f\u2060\ufeff]")
# A timing line: 00:00:09,209 --> 00:00:12,312 align:start
_TIMING_PATTERN = re.compile(
    r"^\s*(?P<start>\d[\w.,;-]*:[\w:.,;-]*?)\s*-{1,2}>"
    r"\s*+(?P<end>\d[^\s\[:]*[:.,;][^\s\[]*|(?=$))(?P<settings>.*)$"
)
# Arrows that people and programs write for "-->"
_ARROW_MARK_PATTERN = re.compile(r">|[→⟶⇒➔➜»]")
# The number of a cue
_CUE_NUMBER_PATTERN = re.compile(r"^\s*\d+\s*$")

MAX_NUMBER_DIGITS = 15
MAX_SHOWN_CHARACTERS = 40  # characters of a wrong time in a warning


class SourceLine(NamedTuple):
    """A line of a file. ``number`` counts from 1."""

    number: int
    text: str


def is_cue_number(text: str) -> bool:
    """Return whether a text is the number of a cue; Python refuses to read thousands of digits."""
    return text.isdecimal() and len(text) <= MAX_NUMBER_DIGITS


@dataclass(frozen=True, slots=True)
class CueTiming:
    """The times of a timing line as they are written, and the text behind them."""

    start: str
    end: str
    settings: str


def timing_at(line: str) -> CueTiming | None:
    """Return the times of a timing line, with any arrow, None for a line of text.

    A time with a typing error is one, so that a warning can quote it; a word is none.
    """
    if not _ARROW_MARK_PATTERN.search(line):
        return None
    # "00:00:01.000 --> 00:00:04.000 align:start"
    match = _TIMING_PATTERN.match(line)
    if match:
        return CueTiming(match["start"], match["end"], match["settings"].strip())
    # Otherwise two times in any other form with an arrow between them
    span = span_at(line)
    if span is None or not _ARROW_MARK_PATTERN.search(span.arrow):
        return None
    text_before_times = line[: span.start.begin]
    if text_before_times.strip():
        return None  # brackets around the times belong to lines of text
    start = line[span.start.begin : span.start.end]
    end = line[span.stop.begin : span.stop.end]
    settings = line[span.end :].strip()
    return CueTiming(start, end, settings)


def checked_times(
    start_clock: str, end_clock: str, where: str
) -> tuple[float | None, float | None, list[str]]:
    """Return start and end in seconds, and a warning if one of them cannot be used."""
    start = seconds_of(start_clock)
    end = seconds_of(end_clock)
    shown_start = start_clock[:MAX_SHOWN_CHARACTERS]
    shown_end = end_clock[:MAX_SHOWN_CHARACTERS] or "(none)"
    if start is None:
        warning = f"{where}: start {shown_start} is not a time; the cue was kept without times"
        return None, None, [warning]
    if end is not None and end >= start:
        return start, end, []
    reason = "is not a time" if end is None else f"is before start {shown_start}"
    warning = f"{where}: end {shown_end} {reason}; the cue was kept with its start only"
    return start, None, [warning]


def without_markup(text: str) -> str:
    """Return caption text without mark-up and entities, but with its line breaks.

    Any other ``<...>`` is left as text.
    """
    if not _MARKUP_SIGN_PATTERN.search(text):
        return tidy_lines(text)
    bare_text = _MARKUP_PATTERN.sub("", _WORD_TIME_PATTERN.sub("", text))
    return tidy_lines(html.unescape(bare_text).translate(_INVISIBLE))


def tidy_lines(text: str) -> str:
    """Return the filled lines of a text with single spaces."""
    lines = [" ".join(line.split()) for line in text.split("\n")]
    return "\n".join(filter(None, lines))


@dataclass(frozen=True, slots=True)
class CueBlock:
    """A timing line with the identifier above it and the lines below it.

    The first block has no timing line. ``settings`` is the text behind the times.
    """

    line_number: int
    identifier: str
    start: str
    end: str
    settings: str
    lines: tuple[SourceLine, ...]
    has_times: bool


def cue_blocks(text: str, *, has_named_cues: bool) -> Iterator[CueBlock]:
    """Yield the lines before the first timing line, then every cue.

    ``has_named_cues``: the format allows names as identifiers, not only numbers.
    """
    lines = [SourceLine(number, line) for number, line in enumerate(text.split("\n"), 1)]
    timing_by_line_index: dict[int, CueTiming] = {}
    for index, line in enumerate(lines):
        timing = timing_at(line.text)
        if timing:
            timing_by_line_index[index] = timing
    # A block goes from its identifier to the identifier of the next one.
    block_starts = []
    for timing_index in timing_by_line_index:
        block_starts.append(
            _first_line_index_of_cue(lines, timing_index, timing_by_line_index, has_named_cues)
        )
    block_ends = [*block_starts[1:], len(lines)]
    first_cue_start = block_starts[0] if block_starts else len(lines)
    lines_above_cues = tuple(lines[:first_cue_start])
    yield CueBlock(1, "", "", "", "", lines_above_cues, has_times=False)
    for (timing_index, timing), block_start, block_end in zip(
        timing_by_line_index.items(), block_starts, block_ends, strict=False
    ):
        has_identifier = block_start < timing_index
        yield CueBlock(
            line_number=lines[timing_index].number,
            identifier=lines[block_start].text.strip() if has_identifier else "",
            start=timing.start,
            end=timing.end,
            settings=timing.settings,
            lines=tuple(lines[timing_index + 1 : block_end]),
            has_times=True,
        )


def _first_line_index_of_cue(
    lines: list[SourceLine],
    timing_index: int,
    timing_indexes: Container[int],
    has_named_cues: bool,
) -> int:
    """Return the index of the identifier above a timing line, else of the timing line itself."""
    index_above = timing_index - 1
    if index_above < 0 or index_above in timing_indexes:
        return timing_index
    text_above = lines[index_above].text
    if _CUE_NUMBER_PATTERN.match(text_above):
        return index_above
    # Names of cues stand only in formats that have such names, below an empty line.
    is_below_gap = True
    if index_above > 0:
        is_below_gap = not lines[index_above - 1].text.strip()
    is_name = has_named_cues and is_below_gap and bool(text_above.strip())
    return index_above if is_name else timing_index


def lines_by_paragraph(
    lines: tuple[SourceLine, ...], *, is_space_text: bool
) -> list[list[SourceLine]]:
    """Return lines grouped at blank lines.

    With ``is_space_text``, only a line without any character ends a group.
    """
    paragraphs: list[list[SourceLine]] = [[]]
    for line in lines:
        is_blank = line.text == "" if is_space_text else not line.text.strip()
        if is_blank:
            paragraphs.append([])
        else:
            paragraphs[-1].append(line)
    return paragraphs
