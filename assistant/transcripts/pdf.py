"""Reads PDF text by its position on the page, and rejoins its lines.

Line numbers, running heads and page numbers are left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import pairwise
from statistics import median
from typing import Any

from assistant.core.errors import MalformedTranscript
from assistant.transcripts.line_repair import joined_word
from assistant.transcripts.numbered_lines import NumberedLine
from assistant.transcripts.plain import read_lines
from assistant.transcripts.speech_pieces import ParsedTranscript
from assistant.transcripts.text_decoding import RawSource
from assistant.transcripts.title_and_date import dates_in_text

MIN_RUNNING_SHARE = 0.5  # of pages must have a line at their edge for it to be a running head
EDGE_LINES = 3  # searched for running heads at the top and bottom of a page
MIN_NUMBERED_SHARE = 0.7  # of a page's lines must count up for their numbers to be line numbers
MIN_GUTTER_WORDS = 60  # a page with fewer words is not searched for columns
GUTTER_SHIFTS_POINTS = (0, -15, 15, -30, 30)
LEFT_MARGIN_POINTS = 12  # beside the gap between two columns, in which few words begin or end
RIGHT_MARGIN_POINTS = 6
MAX_CROSSING_SHARE = 0.01  # share of words that may cross the gap
MAX_TOUCHING_SHARE = 0.5  # words that touch the margins, per printed line
MIN_SIDE_SHARE = 0.3  # share of words on either side of the gap
WORD_TOLERANCE_POINTS = 2
MAX_SHOWN_CHARACTERS = 60
MAX_HEAD_ROWS = 3  # printed lines above or below the columns
HEAD_GAP = 1.6  # of the usual distance of lines sets a running head apart
MAX_WORD_GAP_POINTS = 7

# A line that begins with a line number
_LINE_NUMBER_PATTERN = re.compile(r"^\s*(?P<number>\d{1,2})(?:\s+|$)(?P<text>.*)$")
# An object that is only a reference to an object
_ONLY_REFERENCE_PATTERN = re.compile(rb"obj\s{1,20}\d{1,10}\s{1,20}\d{1,5}\s{1,20}R\s{0,20}endobj")
_DIGITS_PATTERN = re.compile(r"\d+")
# A long line behind a number is speech with a line number
_LONG_NUMBERED_SHAPE_PATTERN = re.compile(r"0 .{40,}")
_DEFAULT_TITLES = ("untitled", "(anonymous)", "anonymous")
# "- 12 -", "Page 3 of 40"
_PAGE_NUMBER_PATTERN = re.compile(
    r"^\W*(?:page\s*)?\d{1,4}(?:\s*(?:of|/)\s*\d{1,4})?\W*$", re.IGNORECASE
)
# A hyphen that divides a word at the end of a line
_HYPHEN_AT_END_PATTERN = re.compile(r"(?<=[a-z])-$")
_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl"})


def sniff(source: RawSource) -> bool:
    """Return whether the file is a PDF. Some have a few bytes before their mark."""
    return b"%PDF-" in source.data[:1024]


def parse(source: RawSource) -> ParsedTranscript:
    """Return the turns of a PDF. Lines are counted through the document, as printed."""
    pages, document_title = _read_pages(source)
    if not any(line.strip() for page in pages for line in page):
        raise MalformedTranscript(
            "the PDF contains no text, only images of pages.",
            where=source.name,
            remedy="Run text recognition (OCR) on the PDF first, or get a version with text.",
        )
    # Running lines are the heads, feet and page numbers; their shapes leave out the figures.
    running_shapes = _running_shapes(pages)
    running_lines = [
        line for page in pages for line in page if _without_digits(line) in running_shapes
    ]
    numbered_page_count = sum(_has_line_numbers(page, running_shapes) for page in pages)
    is_numbered = 2 * numbered_page_count > len(pages)
    lines = list(_speech_lines(pages, running_shapes, is_numbered))
    parsed = read_lines(lines, source.accepted_labels, source.refused_labels)
    if not parsed.title:
        running_titles = [line for line in running_lines if not _PAGE_NUMBER_PATTERN.match(line)]
        first_running_title = running_titles[0] if running_titles else ""
        parsed.title = document_title or first_running_title
    # The date of the event, if the running lines have a single one
    days = {day for line in running_lines for day in dates_in_text(line)}
    parsed.event_date = days.pop() if len(days) == 1 else None
    if running_lines:
        sample = running_lines[0][:MAX_SHOWN_CHARACTERS]
        parsed.warnings.append(
            f"running heads, feet and page numbers left out ({len(running_lines)}): “{sample}”"
        )
    if is_numbered:
        parsed.warnings.append("line numbers were left out")
    return parsed


def _read_pages(source: RawSource) -> tuple[list[list[str]], str]:
    """Return the lines of each page, and the title in the document's properties."""
    import pdfplumber

    # An object that refers to itself makes pdfminer loop forever.
    if _ONLY_REFERENCE_PATTERN.search(source.data):
        raise MalformedTranscript(
            "the PDF is damaged.",
            where=source.name,
            remedy="Save the PDF again, or save it as text.",
        )
    try:
        with pdfplumber.open(BytesIO(source.data)) as document:
            title = str((document.metadata or {}).get("Title") or "").strip()
            pages = [_page_lines(page) for page in document.pages]
    except MemoryError:
        raise
    except Exception as error:  # pdfminer raises whatever a damaged file makes it raise
        names_password = "assword" in f"{error!r}{error.__cause__!r}"
        is_locked = names_password or "Encrypt" in repr(error)
        raise MalformedTranscript(
            "the PDF is locked with a password." if is_locked else "the PDF is damaged.",
            where=source.name,
            remedy="Save the PDF again without a password, or save it as text.",
        ) from error
    if title.lower() in _DEFAULT_TITLES:
        title = ""
    return pages, title


def _page_lines(page: Any) -> list[str]:
    """Return the lines of a page, of its left column first if it has two.

    Lines that run across both columns at the top and bottom of the page are not divided.
    """
    words = page.extract_words(x_tolerance=WORD_TOLERANCE_POINTS)
    gutter = _gutter(page, words)
    areas = _areas_of_columns(page, words, gutter) if gutter else [page]
    lines: list[str] = []
    for area in areas:
        text = area.extract_text(x_tolerance=WORD_TOLERANCE_POINTS) or ""
        area_lines = [line.translate(_LIGATURES).rstrip() for line in text.split("\n")]
        if len(areas) == 1 or text.strip():
            lines += area_lines
    page.close()
    return lines


def _areas_of_columns(page: Any, words: Sequence[dict[str, Any]], gutter: float) -> list[Any]:
    """Return the head of a page with two columns, the left and the right column, and the foot."""
    top, bottom = _column_band(page, words, gutter)
    # Heads and feet are left whole: half of one would be read as speech.
    # Boxes: left, top, right and bottom in points from the upper left corner
    head_box = (0, 0, page.width, top)
    left_column_box = (0, top, gutter, bottom)
    right_column_box = (gutter, top, page.width, bottom)
    foot_box = (0, bottom, page.width, page.height)
    areas = []
    for box in (head_box, left_column_box, right_column_box, foot_box):
        _, box_top, _, box_bottom = box
        if box_bottom - box_top > 1:
            areas.append(page.crop(box))
    return areas


def _column_band(page: Any, words: Sequence[dict[str, Any]], gutter: float) -> tuple[float, float]:
    """Return the y positions between which a page has two columns."""
    # A page has its y axis from the top down. A title or a footer may run across both columns.
    words_by_top: dict[int, list[dict[str, Any]]] = {}
    for word in words:
        words_by_top.setdefault(round(word["top"]), []).append(word)
    tops = sorted(words_by_top)
    # The words of each printed line, from the top of the page
    printed_lines = [words_by_top[top] for top in tops]
    spacing = median(next_top - top for top, next_top in pairwise(tops))
    # The first and the last line in columns
    first = 0
    while first < MAX_HEAD_ROWS and _runs_across(
        printed_lines[first], gutter, spacing, tops[first + 1]
    ):
        first += 1
    last = len(tops) - 1
    min_last = last - MAX_HEAD_ROWS
    while last > min_last and _runs_across(printed_lines[last], gutter, spacing, tops[last - 1]):
        last -= 1
    # The columns begin halfway below the head, and end halfway above the foot.
    top = 0.0
    if first > 0:
        head_bottom = _bottom_of(printed_lines[first - 1])
        top = (head_bottom + _top_of(printed_lines[first])) / 2
    bottom = page.height
    if last < len(tops) - 1:
        foot_top = _top_of(printed_lines[last + 1])
        bottom = (_bottom_of(printed_lines[last]) + foot_top) / 2
    return top, bottom


def _top_of(line_words: Sequence[dict[str, Any]]) -> float:
    return line_words[0]["top"]


def _bottom_of(line_words: Sequence[dict[str, Any]]) -> float:
    return line_words[0]["bottom"]


def _runs_across(
    line_words: Sequence[dict[str, Any]], gutter: float, spacing: float, neighbour_top: float
) -> bool:
    """Return whether a printed line is set apart from the columns, or has no gap between them."""
    distance = abs(line_words[0]["top"] - neighbour_top)
    is_set_apart = distance > HEAD_GAP * spacing
    if is_set_apart:
        return True
    # x0 and x1 are the left and the right end of a word, ``gutter`` the middle of the gap.
    left_ends = [word["x1"] for word in line_words if word["x0"] < gutter]
    right_starts = [word["x0"] for word in line_words if word["x1"] > gutter]
    if not right_starts:
        return False
    gap = min(right_starts) - max(left_ends, default=0.0)
    return gap < MAX_WORD_GAP_POINTS


def _gutter(page: Any, words: Sequence[dict[str, Any]]) -> float | None:
    """Return the x position of a white band down the middle, None if lines run across."""
    if len(words) < MIN_GUTTER_WORDS:
        return None
    # The band may be a little beside the middle.
    for shift in GUTTER_SHIFTS_POINTS:
        gutter = page.width / 2 + shift
        if _divides_columns(gutter, words):
            return float(gutter)
    return None


def _divides_columns(gutter: float, words: Sequence[dict[str, Any]]) -> bool:
    """Return whether hardly any words of a page cross or touch the line at an x position."""
    left_count = 0
    crossing_count = 0
    # Words that touch the line: many of them are words of lines that run across.
    touching_count = 0
    for word in words:
        left_end = word["x0"]
        right_end = word["x1"]
        left_count += right_end <= gutter
        crossing_count += left_end < gutter < right_end
        touches_from_left = gutter - LEFT_MARGIN_POINTS < right_end <= gutter
        touches_from_right = gutter <= left_end < gutter + RIGHT_MARGIN_POINTS
        touching_count += touches_from_left or touches_from_right
    line_count = len({round(word["top"]) for word in words})
    is_rarely_crossed = crossing_count <= MAX_CROSSING_SHARE * len(words)
    is_rarely_touched = touching_count < MAX_TOUCHING_SHARE * line_count
    left_share = left_count / len(words)
    has_words_on_both_sides = MIN_SIDE_SHARE < left_share < 1 - MIN_SIDE_SHARE
    return is_rarely_crossed and is_rarely_touched and has_words_on_both_sides


def _without_digits(line: str) -> str:
    """Return a line with its figures replaced, so that ``Page 2`` is like ``Page 3``."""
    return _DIGITS_PATTERN.sub("0", " ".join(line.split()))


def _running_shapes(pages: Sequence[Sequence[str]]) -> set[str]:
    """Return the shapes of lines that recur at the edges of pages, and of bare page numbers."""
    # The shape of a line has the same sign for all digits, so that page numbers are alike.
    page_counts: Counter[str] = Counter()
    shapes = set()
    for page in pages:
        filled_lines = [line for line in page if line.strip()]
        edge_lines = filled_lines[:EDGE_LINES] + filled_lines[-EDGE_LINES:]
        page_counts.update({_without_digits(line) for line in edge_lines})
        for line in (*page[:1], *page[-1:]):
            if _PAGE_NUMBER_PATTERN.match(line):
                shapes.add(_without_digits(line))
    if len(pages) > 1:
        for shape, page_count in page_counts.items():
            is_frequent = page_count > MIN_RUNNING_SHARE * len(pages)
            if is_frequent and not _LONG_NUMBERED_SHAPE_PATTERN.fullmatch(shape):
                shapes.add(shape)
    return shapes


def _has_line_numbers(page: Sequence[str], running_shapes: set[str]) -> bool:
    """Return whether the lines of a page begin with numbers that count up by one."""
    line_count = 0
    numbers = []
    for line in page:
        if not line.strip() or _without_digits(line) in running_shapes:
            continue
        line_count += 1
        match = _LINE_NUMBER_PATTERN.match(line)
        if match:
            numbers.append(int(match["number"]))
    step_count = sum(number == previous + 1 for previous, number in pairwise(numbers))
    numbered_count = step_count + 1  # the first number follows no other
    return line_count > 2 and numbered_count >= MIN_NUMBERED_SHARE * line_count


def _speech_lines(
    pages: Sequence[Sequence[str]], running_shapes: set[str], is_numbered: bool
) -> Iterator[NumberedLine]:
    """Yield the lines of speech.

    A word divided by a hyphen at the end of a line moves to the next line.
    """
    number = 0
    word_start = ""  # the first half of a word that a hyphen divides at the end of a line
    for page in pages:
        for printed_line in page:
            number += 1
            numbered = _LINE_NUMBER_PATTERN.match(printed_line) if is_numbered else None
            # Running heads and feet are left out. A line of speech may look like one but for its
            # number.
            is_page_number = _PAGE_NUMBER_PATTERN.match(printed_line) is not None
            is_numbered_speech = numbered is not None and not is_page_number
            if _without_digits(printed_line) in running_shapes and not is_numbered_speech:
                continue
            text = numbered["text"] if numbered else printed_line
            text = text.strip()
            if word_start:
                text = joined_word(word_start, text)
                word_start = ""
            if _HYPHEN_AT_END_PATTERN.search(text):
                text, _, word_start = text.rpartition(" ")
            yield NumberedLine(number, text)
    if word_start:
        yield NumberedLine(number, word_start)
