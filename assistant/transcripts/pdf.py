"""Reads PDF text by its place on the page, without line numbers, running heads and page numbers.

Rejoins lines.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Any

from assistant.core.errors import MalformedTranscript
from assistant.transcripts.numbered_lines import NumberedLine
from assistant.transcripts.plain import read_lines
from assistant.transcripts.speech_pieces import Parsed
from assistant.transcripts.text_decoding import RawSource
from assistant.transcripts.title_and_date import dates

MIN_RUNNING_SHARE = 0.5  # a line at the edge of more pages than this is a running head or foot
EDGE_LINES = 3  # how deep from the top and bottom of a page such lines are looked for
MIN_NUMBERED_SHARE = 0.7  # of a page's lines must count up for their numbers to be line numbers

_NUMBER = re.compile(r"^\s*(\d{1,2})(?:\s+|$)(.*)$")
_ONLY_REFERENCE = re.compile(rb"obj\s{1,20}\d{1,10}\s{1,20}\d{1,5}\s{1,20}R\s{0,20}endobj")
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(r"^\W*(?:page\s*)?\d{1,4}(?:\s*(?:of|/)\s*\d{1,4})?\W*$", re.IGNORECASE)
_HYPHENATED = re.compile(r"(?<=[a-z])-$")
_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl"})


def sniff(source: RawSource) -> bool:
    """Whether the file is a PDF; some have a few bytes before their mark."""
    return b"%PDF-" in source.data[:1024]


def parse(source: RawSource) -> Parsed:
    """Return the turns of a PDF. Lines are counted through the document, as printed."""
    pages, title = _read_pages(source)
    if not any(line.strip() for page in pages for line in page):
        raise MalformedTranscript(
            "the PDF has no text, only images of it.",
            where=source.name,
            remedy="Run text recognition (OCR) on it first, or ask for the text.",
        )
    running = _running_shapes(pages)
    heads = [line for page in pages for line in page if _shape(line) in running]
    numbered = sum(_has_line_numbers(page, running) for page in pages) * 2 > len(pages)
    parsed = read_lines(list(_speech_lines(pages, running, numbered)))
    parsed.title = (
        parsed.title or title or next((h for h in heads if not _PAGE_NUMBER.match(h)), "")
    )
    days = sorted({day for head in heads for day in dates(head)})
    parsed.event_date = days[0] if len(days) == 1 else None
    if heads:
        parsed.warnings.append(
            f"running heads, feet and page numbers left out ({len(heads)}): “{heads[0][:60]}”"
        )
    if numbered:
        parsed.warnings.append("line numbers were left out")
    return parsed


def _read_pages(source: RawSource) -> tuple[list[list[str]], str]:
    """Return the lines of each page and the title that the document gives itself."""
    import pdfplumber

    if _ONLY_REFERENCE.search(
        source.data
    ):  # may refer to itself, which pdfminer would follow for ever
        raise MalformedTranscript(
            "the PDF is damaged.", where=source.name, remedy="Save it again, or as text."
        )
    try:
        with pdfplumber.open(BytesIO(source.data)) as document:
            title = str((document.metadata or {}).get("Title") or "").strip()
            pages = [_page_lines(page) for page in document.pages]
    except MemoryError:
        raise
    except Exception as error:  # pdfminer raises whatever a damaged file makes it raise
        locked = "assword" in f"{error!r}{error.__cause__!r}" or "Encrypt" in repr(error)
        what = "the PDF is locked with a password." if locked else "the PDF is damaged."
        raise MalformedTranscript(
            what, where=source.name, remedy="Save it again without one, or as text."
        ) from error
    return pages, "" if title.lower() in ("untitled", "(anonymous)", "anonymous") else title


def _page_lines(page: Any) -> list[str]:
    """Return the lines of a page, of its left column first if it has two."""
    gap = _gutter(page)
    halves = (
        [page.crop((0, 0, gap, page.height)), page.crop((gap, 0, page.width, page.height))]
        if gap
        else [page]
    )
    texts = [half.extract_text(x_tolerance=2) or "" for half in halves]
    page.close()
    return [line.translate(_LIGATURES).rstrip() for text in texts for line in text.split("\n")]


def _gutter(page: Any) -> float | None:
    """Return the place of a white band down the middle of a page, None if lines run across."""
    words = page.extract_words(x_tolerance=2)
    if len(words) < 60:
        return None
    middle = page.width / 2
    rows = len({round(word["top"]) for word in words})
    for place in (middle, middle - 15, middle + 15, middle - 30, middle + 30):
        crossing = sum(word["x0"] < place < word["x1"] for word in words)
        left = sum(word["x1"] <= place for word in words)
        near = sum(
            word["x1"] <= place and word["x1"] > place - 12 or place <= word["x0"] < place + 6
            for word in words
        )
        if crossing <= 0.01 * len(words) and 0.3 < left / len(words) < 0.7 and near < 0.5 * rows:
            return float(place)
    return None


def _shape(line: str) -> str:
    """Return a line with its figures replaced, so that ``Page 2`` is like ``Page 3``."""
    return _DIGITS.sub("0", " ".join(line.split()))


def _running_shapes(pages: Sequence[Sequence[str]]) -> set[str]:
    """Return the shapes of lines that come back at the edges of pages, and of bare page numbers."""
    edges: Counter[str] = Counter()
    for page in pages:
        filled = [line for line in page if line.strip()]
        edges.update({_shape(line) for line in filled[:EDGE_LINES] + filled[-EDGE_LINES:]})
    often = {
        shape
        for shape, count in edges.items()
        if len(pages) > 1 and count > MIN_RUNNING_SHARE * len(pages)
    }
    outermost = [line for page in pages for line in (*page[-1:], *page[:1])]
    last = {_shape(line) for line in outermost if _PAGE_NUMBER.match(line)}
    return {shape for shape in often if not re.fullmatch(r"0 .{40,}", shape)} | last


def _has_line_numbers(page: Sequence[str], running: set[str]) -> bool:
    """Whether the lines of a page begin with numbers that count up by one."""
    lines = [line for line in page if line.strip() and _shape(line) not in running]
    numbers = [int(match[1]) for match in map(_NUMBER.match, lines) if match]
    steps = sum(later == earlier + 1 for earlier, later in zip(numbers, numbers[1:], strict=False))
    return len(lines) > 2 and steps + 1 >= MIN_NUMBERED_SHARE * len(lines)


def _speech_lines(
    pages: Sequence[Sequence[str]], running: set[str], numbered: bool
) -> Iterator[NumberedLine]:
    """Yield the lines of speech.

    Hyphens at line ends are taken back where the next line goes on in lower case.
    """
    count = 0
    carried = ""
    for page in pages:
        for printed in page:
            count += 1
            if _shape(printed) in running and (
                not numbered or not _NUMBER.match(printed) or _PAGE_NUMBER.match(printed)
            ):
                continue
            match = _NUMBER.match(printed) if numbered else None
            text = carried + (match[2] if match else printed).strip()
            carried = ""
            if _HYPHENATED.search(text):
                text, _, carried = text.rpartition(" ")
                carried = carried[:-1]
            yield NumberedLine(count, text)
    if carried:
        yield NumberedLine(count, carried)
