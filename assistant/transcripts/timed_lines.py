"""Captions of two times and a text: SBV, SubViewer, Avid, Spruce, Encore, CCExtractor, Whisper.

A cue begins with a line that has two times, alone or before the text, and ends at the next one.
The formats differ in their header, their marks inside the text, and the fields behind the times.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from assistant.transcripts import caption_speech
from assistant.transcripts.cues import without_markup
from assistant.transcripts.speech_pieces import ParsedTranscript, SpeechPiece
from assistant.transcripts.text_decoding import RawSource
from assistant.transcripts.timestamps import TimeSpan, span_at

SNIFFED_LINES = 60
MIN_TIMED_SHARE = 0.6  # share of a console's lines with two times
MIN_TIMED_LINES = 2
MAX_QUOTED_CHARACTERS = 60

# "0:00:02.000,0:00:06.000" on a line of its own
_COMMA_TIMES_PATTERN = re.compile(
    r"^\d{1,3}:\d\d:\d\d[.:]\d{2,3}\s?,\s?\d{1,3}:\d\d:\d\d[.:]\d{2,3}\s*$"
)
# "[00:00.000 --> 00:04.000]  Good evening"
_CONSOLE_LINE_PATTERN = re.compile(r"^\[\s?[\d:.,]+\s*-{1,2}>\s*[\d:.,]+\s?\]")
# "00:00:02,000|00:00:06,000|POP|Good evening", and the same with dates
_BAR_LINE_PATTERN = re.compile(
    r"^(?P<start>[\d:.,]{10,18})\|(?P<end>[\d:.,]{10,18})\|[^|]{1,8}\|(?:[^|]{1,8}\|)?(?P<text>.*)$"
)
# 20261120164312.345: year, month, day and time of day in UTC
_DATED_CLOCK_PATTERN = re.compile(r"^\d{8}(\d\d)(\d\d)(\d\d)\.(\d{3})$")
# "1 00:00:02:00 00:00:06:00 Good evening"
_TIMECODE_LINE_PATTERN = re.compile(
    r"^(?:\d{1,5}\s+)?\d\d[:;]\d\d[:;]\d\d[:;.]\d\d\s+\d\d[:;]\d\d[:;]\d\d[:;.]\d\d(?:\s|$)"
)
_SPRUCE_LINE_PATTERN = re.compile(r"^\d\d:\d\d:\d\d[:;.]\d\d\s?,\s?\d\d:\d\d:\d\d[:;.]\d\d\s?,\s?")
_SPRUCE_SETTING_PATTERN = re.compile(r"^(?:\$\w+\s*=|//)")
_CUE_NUMBER_PATTERN = re.compile(r"^\d{1,5}\s+(?=\d\d[:;])")
_SUBVIEWER_HEAD_PATTERN = re.compile(r"^\[(?:INFORMATION|BEGIN|SUBTITLE)\]", re.IGNORECASE)
_SUBVIEWER_TITLE_PATTERN = re.compile(
    r"^\[TITLE\]\s*(?:\n)?([^\n\[]*)", re.IGNORECASE | re.MULTILINE
)
_SUBVIEWER_TAG_PATTERN = re.compile(
    r"^\[(?:COLF|STYLE|SIZE|FONT|END SUBTITLE|DELAY)\b.*", re.IGNORECASE
)
_BREAK_MARK_PATTERN = re.compile(r"(?<!\s)\s*(?:\[br\]|(?<!\|)\|(?!\|))\s*", re.IGNORECASE)
_AVID_MARK_PATTERN = re.compile(r"^(?:<(?:begin|end) subtitles>|@)", re.IGNORECASE)


def sniff_sbv(source: RawSource) -> bool:
    """Return whether the text begins with two times and a comma, as in YouTube's own captions."""
    return _COMMA_TIMES_PATTERN.match(source.head.partition("\n")[0]) is not None


def sniff_subviewer(source: RawSource) -> bool:
    """Return whether the text has SubViewer's header or its line breaks."""
    if _SUBVIEWER_HEAD_PATTERN.match(source.head):
        return True
    return sniff_sbv(source) and "[br]" in source.head.lower()


def sniff_avid(source: RawSource) -> bool:
    """Return whether the text has the mark of Avid's captions, or lines with two timecodes."""
    if "<begin subtitles>" in source.head.lower():
        return True
    return _count(source, _TIMECODE_LINE_PATTERN) >= MIN_TIMED_LINES


def sniff_spruce(source: RawSource) -> bool:
    """Return whether the text is a subtitle script of Spruce or DVD Studio Pro."""
    has_settings = _SPRUCE_SETTING_PATTERN.match(source.head) is not None
    return has_settings and _count(source, _SPRUCE_LINE_PATTERN) > 0


def sniff_ccextractor(source: RawSource) -> bool:
    """Return whether the first line has two times, a mode and a text with bars between them."""
    return _BAR_LINE_PATTERN.match(source.head.partition("\n")[0]) is not None


def sniff_console(source: RawSource) -> bool:
    """Return whether most lines have two times in brackets, as Whisper prints them."""
    lines = source.head.split("\n")[:SNIFFED_LINES]
    filled_lines = [line.strip() for line in lines if line.strip()]
    timed_indexes = []
    for index, line in enumerate(filled_lines):
        if _CONSOLE_LINE_PATTERN.match(line):
            timed_indexes.append(index)
    if len(timed_indexes) < MIN_TIMED_LINES:
        return False
    # Other output of the program may be above the first line with times.
    lines_from_first_time = len(filled_lines) - timed_indexes[0]
    return len(timed_indexes) >= MIN_TIMED_SHARE * lines_from_first_time


def _count(source: RawSource, pattern: re.Pattern[str]) -> int:
    """Return the number of lines at the head that match a pattern."""
    return sum(bool(pattern.match(line)) for line in source.head.split("\n")[:SNIFFED_LINES])


def parse(source: RawSource) -> ParsedTranscript:
    """Return the speech of every cue. Text before the first cue is left out with a warning."""
    return _parse(source, _plain_text)


def parse_subviewer(source: RawSource) -> ParsedTranscript:
    """Return the speech and the title of a SubViewer file, whose lines break at ``[br]``."""
    parsed = _parse(source, _subviewer_text)
    title = _SUBVIEWER_TITLE_PATTERN.search(source.head)
    if title:
        parsed.title = title[1].strip()
    return parsed


def parse_avid(source: RawSource) -> ParsedTranscript:
    """Return the speech of an Avid file, without its marks."""
    return _parse(source, _avid_text)


def parse_spruce(source: RawSource) -> ParsedTranscript:
    """Return the speech of a Spruce file, whose lines break at bars."""
    return _parse(source, _spruce_text)


def parse_ccextractor(source: RawSource) -> ParsedTranscript:
    """Return the text of every line between bars; dated times count from the first."""
    cues = []
    first_dated_start_s: float | None = None
    for line_number, line in enumerate(source.text.split("\n"), 1):
        caption_line = barred_text_at(line)
        if caption_line is None:
            continue
        if caption_line.is_dated and first_dated_start_s is None:
            first_dated_start_s = caption_line.start
        recording_start_s = first_dated_start_s or 0.0
        start = round(caption_line.start - recording_start_s, 3)
        end = round(caption_line.end - recording_start_s, 3)
        cues.append(SpeechPiece(without_markup(caption_line.text), line_number, None, start, end))
    return caption_speech.read_cues(cues, source.name)


@dataclass(frozen=True, slots=True)
class BarredText:
    """A line of CCExtractor. Dated times are seconds of the day."""

    start: float
    end: float
    text: str
    is_dated: bool


def barred_text_at(line: str) -> BarredText | None:
    """Return the times and the text of a line of CCExtractor, None for any other line."""
    # "20170503200001.200|20170503200003.400|TLT|text", or with times from the start
    match = _BAR_LINE_PATTERN.match(line)
    if match is None:
        return None
    start = _seconds_of_day(match["start"])
    end = _seconds_of_day(match["end"])
    if start is not None and end is not None:
        return BarredText(start, end, match["text"], is_dated=True)
    span = span_at(f"{match['start']}|{match['end']}")
    if span is None:
        return None
    return BarredText(span.start.seconds, span.stop.seconds, match["text"], is_dated=False)


def _seconds_of_day(dated_clock: str) -> float | None:
    """Return the seconds since midnight of a clock with a date, None for any other text."""
    clock = _DATED_CLOCK_PATTERN.match(dated_clock)
    if clock is None:
        return None
    hours, minutes, whole_seconds, thousandths = map(int, clock.groups())
    return hours * 3600 + minutes * 60 + whole_seconds + thousandths / 1000


_TextCleaner = Callable[[str], str]


def _parse(source: RawSource, clean_text: _TextCleaner) -> ParsedTranscript:
    """Return the cues between lines with two times, their text cleaned line by line."""
    warnings: list[str] = []
    head_lines: list[str] = []
    cues: list[SpeechPiece] = []
    for line_number, span, texts in _timed_blocks(source.text.split("\n")):
        cleaned_texts = [clean_text(text) for text in texts]
        if span is None:
            head_lines = [text for text in cleaned_texts if text.strip()]
            continue
        start = span.start.seconds
        end: float | None = span.stop.seconds
        if end is not None and end < start:
            warnings.append(
                f"{source.name}:{line_number}: end {end} s is before start {start} s; "
                "the cue was kept with its start only"
            )
            end = None
        cues.append(
            SpeechPiece(without_markup("\n".join(cleaned_texts)), line_number, None, start, end)
        )
    if head_lines:
        quoted = head_lines[0][:MAX_QUOTED_CHARACTERS]
        warnings.append(f"the text before the first caption was left out: “{quoted}”")
    return caption_speech.read_cues(cues, source.name, warnings)


def _timed_blocks(lines: Sequence[str]) -> Iterator[tuple[int, TimeSpan | None, list[str]]]:
    """Yield the lines before the first cue with no span, then the number, span and lines of each."""
    block_number = 1
    block_span: TimeSpan | None = None
    texts: list[str] = []
    for line_number, line in enumerate(lines, 1):
        cue_number = _CUE_NUMBER_PATTERN.match(line)
        line_without_number = line[cue_number.end() :] if cue_number else line
        span = span_at(line_without_number)
        if span is None:
            texts.append(line)
            continue
        # The times of the next cue end the block so far.
        yield block_number, block_span, texts
        block_number = line_number
        block_span = span
        texts = [line_without_number[span.end :]]
    yield block_number, block_span, texts


def _plain_text(line: str) -> str:
    return line


def _subviewer_text(line: str) -> str:
    return _SUBVIEWER_TAG_PATTERN.sub("", _BREAK_MARK_PATTERN.sub("\n", line))


def _avid_text(line: str) -> str:
    return "" if _AVID_MARK_PATTERN.match(line) else line


def _spruce_text(line: str) -> str:
    if _SPRUCE_SETTING_PATTERN.match(line):
        return ""
    return _BREAK_MARK_PATTERN.sub("\n", line.lstrip(" ,"))
