"""Reads web pages (HTML): block tags become lines, inline tags nothing, then the page is read as plain text.

Speakers are in ``<b>``, ``<cite>`` or ``<dt>`` as often as in the text; article extractors drop
them: none is used.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator
from typing import Any

from assistant.core.errors import MalformedTranscript
from assistant.transcripts.numbered_lines import numbered
from assistant.transcripts.plain import read_lines
from assistant.transcripts.speech_pieces import Parsed
from assistant.transcripts.tables import TableRow, is_grid, read_rows
from assistant.transcripts.text_decoding import RawSource
from assistant.transcripts.title_and_date import dates

_TAGS = re.compile(
    r"<(?:!doctype html|html|head|body|p|div|span|br|cite|table|dl|article|h[1-6]|ul|b|strong|time|pre)\b[^<>]*>",
    re.I,
)
_UNREAD_TAGS = frozenset(
    "script style noscript template nav footer aside form button select iframe svg head title".split()
)
_INLINE_TAGS = frozenset(
    "a abbr b big cite code em font i mark q s small span strong sub sup time u dt".split()
)
_CONTAINER_CLASSES = (
    "cnnBodyText",
    "field-docs-content",
)  # classes that broadcasters and archives give it
_LINE_MARK = "\x1f"
_BLOCK_MARK = "\x1e"
MAX_TAG_DEPTH = 250  # tags in each other; pages have up to 40
MAX_CONTAINER_DEPTH = 6  # tables or containers in each other
MIN_CONTAINER_SHARE = (
    0.5  # a part of the page is taken for the transcript if it has so much of the text
)


def sniff(source: RawSource) -> bool:
    """Whether the text begins with a tag of a page and has several.

    XML is a page only if it has an <html>.
    """
    xml = source.head.startswith("<?xml") and "<html" not in source.head.lower()
    return source.head.startswith("<") and not xml and len(_TAGS.findall(source.head)) >= 2


def parse(source: RawSource) -> Parsed:
    """Return the turns of a page. Lines are counted in the text of the page, as it is shown."""
    page = _parse_page(source.text)
    remedy = "Copy the text from the browser into a .txt file."
    if _is_deeper(page, MAX_TAG_DEPTH):
        what = "the tags of the page are nested too deeply."
        raise MalformedTranscript(what, where=source.name, remedy=remedy)
    body = _container(page)
    parsed = _table(body, source.name) or read_lines(numbered(_lines(body)))
    if not parsed.pieces:
        what = "the page has no speech; it may be filled in by a script."
        raise MalformedTranscript(what, where=source.name, remedy=remedy)
    heading = page.find("h1") or page.title
    parsed.title = heading.get_text(" ", strip=True) if heading else parsed.title
    parsed.event_date = _date(page)
    return parsed


def _parse_page(text: str) -> Any:
    from bs4 import BeautifulSoup, XMLParsedAsHTMLWarning

    with warnings.catch_warnings():  # XHTML begins like XML, and is a page
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        return BeautifulSoup(text, "lxml")


def _is_deeper(page: Any, most: int) -> bool:
    """Whether tags are nested in more than so many others."""
    depth = {id(page): 0}
    for tag in page.find_all(True):
        depth[id(tag)] = depth[id(tag.parent)] + 1
    return max(depth.values()) > most


def _table(body: Any, name: str) -> Parsed | None:
    """Return the rows of a table with most of the text, None if there is none."""
    whole = len(body.get_text())
    for table in _shallow_tags(body.find_all("table"), "table"):
        if len(table.get_text()) < MIN_CONTAINER_SHARE * whole:
            continue
        own = [row for row in table.find_all("tr") if row.find_parent("table") is table]
        rows = [
            [cell.get_text(" ", strip=True) for cell in row.find_all(["td", "th"], recursive=False)]
            for row in own
        ]
        if is_grid(rows):
            return read_rows([TableRow(i, tuple(row)) for i, row in enumerate(rows, 1)], name)
    return None


def _container(page: Any) -> Any:
    """Return the part of the page with the transcript, the whole body if none has most of the text."""
    body = page.body or page
    whole = len(body.get_text())
    for part in _shallow_tags(body.find_all(_is_container), _is_container):
        if len(part.get_text()) >= MIN_CONTAINER_SHARE * whole:
            return part
    return body


def _shallow_tags(tags: Iterable[Any], kind: Any) -> Iterator[Any]:
    """Yield tags that are in no more than a few others of their kind.

    Pages lay out by tables, but not by hundreds.
    """
    return (
        tag
        for tag in tags
        if len(tag.find_parents(kind, limit=MAX_CONTAINER_DEPTH)) < MAX_CONTAINER_DEPTH
    )


def _is_container(tag: Any) -> bool:
    """Whether a tag's name or class says that it is the text of the page, or the transcript."""
    names = " ".join([*tag.get("class", []), str(tag.get("id", ""))])
    return (
        tag.name in ("article", "main")
        or "transcript" in names.lower()
        or any(c in names for c in _CONTAINER_CLASSES)
    )


def _lines(body: Any) -> Iterator[str]:
    """Yield the lines of the page as a browser breaks them, an empty one between blocks."""
    for block in _marked_text(body).split(_BLOCK_MARK):
        shown = [
            line for line in (" ".join(line.split()) for line in block.split(_LINE_MARK)) if line
        ]
        if shown:
            yield from shown
            yield ""


def _marked_text(node: Any) -> str:
    """Return the text under a node with marks for line breaks and for the borders of blocks.

    A line break in the source of a page is a space, but not inside ``pre``.
    """
    from bs4.element import NavigableString, PreformattedString

    parts: list[str] = []
    for child in node.children:
        if isinstance(child, NavigableString):
            line_break = _LINE_MARK if node.name == "pre" else " "
            parts.append(
                "" if isinstance(child, PreformattedString) else child.replace("\n", line_break)
            )
        elif child.name == "br":
            parts.append(_LINE_MARK)
        elif child.name not in _UNREAD_TAGS:
            parts.append(
                _marked_text(child)
                if child.name in _INLINE_TAGS
                else f"{_BLOCK_MARK}{_marked_text(child)}{_BLOCK_MARK}"
            )
    return "".join(parts)


def _date(page: Any) -> Any:
    """Return the date that the page gives for itself, if it gives one."""
    tag = page.find("meta", itemprop="startDate") or page.find(
        class_=["docdate", "date-display-single"]
    )
    days = dates((tag.get("content") or tag.get_text(" ")) if tag else "")
    return days[0] if len(days) == 1 else None
