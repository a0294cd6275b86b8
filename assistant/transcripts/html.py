"""Reads web pages (HTML): block tags become lines, and the page is read as plain text.

Speakers are in ``<b>``, ``<cite>`` or ``<dt>`` as often as in the text. Article extractors drop
them, so none is used.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from datetime import date
from typing import Any

from assistant.core.errors import MalformedTranscript
from assistant.transcripts.numbered_lines import NumberedLine
from assistant.transcripts.page_lines import lines_of
from assistant.transcripts.plain import read_lines
from assistant.transcripts.speech_pieces import ParsedTranscript
from assistant.transcripts.tables import TableRow, is_speech_table, read_rows
from assistant.transcripts.text_decoding import RawSource
from assistant.transcripts.title_and_date import only_date_in_text

# Tags that show that a text is a page
_HTML_TAG_PATTERN = re.compile(
    r"<(?:!doctype html|html|head|body|p|div|span|br|cite|table|dl|article|h[1-6]|ul|b|strong"
    r"|time|pre)\b[^<>]*>",
    re.IGNORECASE,
)
# Classes of the transcript in pages of broadcasters and archives
_CONTAINER_CLASSES = ("cnnBodyText", "field-docs-content")
_COPY_REMEDY = "Copy the text from the browser into a .txt file."
MAX_LINES_BEFORE_HEADING = 40
MAX_TAGS = 100_000  # opening and closing ones
MAX_TAG_DEPTH = 250  # pages have up to 40
MAX_CONTAINER_DEPTH = 6  # of tables or containers within each other
MIN_CONTAINER_SHARE = 0.5  # of the page's text must be in its transcript


def sniff(source: RawSource) -> bool:
    """Return whether the text begins with a tag of a page and has several.

    XML is a page only if it has an <html>.
    """
    if not source.head.startswith("<"):
        return False
    is_other_xml = source.head.startswith("<?xml") and "<html" not in source.head.lower()
    return not is_other_xml and len(_HTML_TAG_PATTERN.findall(source.head)) >= 2


def parse(source: RawSource) -> ParsedTranscript:
    """Return the turns of a page. Lines are counted in the text of the page, as it is shown."""
    # Tags are counted before the parser builds an element for each.
    if source.text.count("<") > MAX_TAGS:
        raise MalformedTranscript(
            f"the page has more than {MAX_TAGS:,} tags.", where=source.name, remedy=_COPY_REMEDY
        )
    page = _parse_page(source.text)
    if _is_deeper(page, MAX_TAG_DEPTH):
        raise MalformedTranscript(
            "the tags of the page are nested too deeply.", where=source.name, remedy=_COPY_REMEDY
        )
    body = _transcript_element(page)
    parsed = _speech_in_table(body, source.name)
    if parsed is None:
        heading = page.find("h1")
        lines = _without_heading(list(lines_of(body)), heading)
        parsed = read_lines(lines, source.accepted_labels, source.refused_labels)
    if not parsed.pieces:
        raise MalformedTranscript(
            "the page contains no speech. Perhaps a script loads the text later.",
            where=source.name,
            remedy=_COPY_REMEDY,
        )
    heading = page.find("h1") or page.title
    if heading:
        parsed.title = heading.get_text(" ", strip=True)
    parsed.event_date = _date(page) or parsed.event_date
    return parsed


def _without_heading(lines: list[NumberedLine], heading: Any) -> list[NumberedLine]:
    """Return the lines without the heading of the page, which is its title."""
    if heading is None:
        return lines
    title = " ".join(heading.get_text(" ").split())
    for index, line in enumerate(lines[:MAX_LINES_BEFORE_HEADING]):
        if line.markup == "heading 1" and line.text == title:
            return lines[:index] + lines[index + 1 :]
    return lines


def _parse_page(text: str) -> Any:
    from bs4 import BeautifulSoup, XMLParsedAsHTMLWarning

    with warnings.catch_warnings():  # XHTML begins like XML, and is a page
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        return BeautifulSoup(text, "lxml")


def _is_deeper(page: Any, max_depth: int) -> bool:
    """Return whether tags are nested more deeply than a maximum."""
    # The depth of each tag; a tag comes behind the one around it.
    depths = {id(page): 0}
    for tag in page.find_all(True):
        depths[id(tag)] = depths[id(tag.parent)] + 1
    return max(depths.values()) > max_depth


def _speech_in_table(body: Any, file_name: str) -> ParsedTranscript | None:
    """Return the rows of a table with most of the text, None if there is none."""
    min_size = MIN_CONTAINER_SHARE * len(body.get_text())
    for table in _tags_not_deeply_nested(body, "table"):
        if len(table.get_text()) < min_size:
            continue
        cell_rows = []
        for table_row in table.find_all("tr"):
            is_of_inner_table = table_row.find_parent("table") is not table
            if is_of_inner_table:
                continue
            cells = table_row.find_all(["td", "th"], recursive=False)
            cell_rows.append([cell.get_text(" ", strip=True) for cell in cells])
        if is_speech_table(cell_rows):
            table_rows = [
                TableRow(number, tuple(cells)) for number, cells in enumerate(cell_rows, 1)
            ]
            return read_rows(table_rows, file_name)
    return None


def _transcript_element(page: Any) -> Any:
    """Return the element with the transcript, the whole body if none has most of the text."""
    body = page.body or page
    min_size = MIN_CONTAINER_SHARE * len(body.get_text())
    for tag in _tags_not_deeply_nested(body, _is_container):
        if len(tag.get_text()) >= min_size:
            return tag
    return body


def _tags_not_deeply_nested(body: Any, name_or_filter: Any) -> Iterator[Any]:
    """Yield the tags of a kind that are within only a few others of the same kind.

    Pages use nested tables for their layout, but not hundreds.
    """
    for tag in body.find_all(name_or_filter):
        enclosing_tags = tag.find_parents(name_or_filter, limit=MAX_CONTAINER_DEPTH)
        if len(enclosing_tags) < MAX_CONTAINER_DEPTH:
            yield tag


def _is_container(tag: Any) -> bool:
    """Return whether a tag's name or class says that it is the text of the page."""
    if tag.name in ("article", "main"):
        return True
    classes_and_id = " ".join([*tag.get("class", []), str(tag.get("id", ""))])
    if "transcript" in classes_and_id.lower():
        return True
    return any(container_class in classes_and_id for container_class in _CONTAINER_CLASSES)


def _date(page: Any) -> date | None:
    """Return the date of the event that the page gives, if it gives exactly one."""
    tag = page.find("meta", itemprop="startDate")
    if not tag:
        # Classes that sites of transcripts give to the date
        tag = page.find(class_=["docdate", "date-display-single"])
    if not tag:
        return None
    return only_date_in_text(tag.get("content") or tag.get_text(" "))
