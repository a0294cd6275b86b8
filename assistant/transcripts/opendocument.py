"""OpenDocument texts (.odt, .fodt) of LibreOffice: paragraphs and tables, read as plain text.

Deleted text, notes, comments and text that is struck through or hidden are left out.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from io import BytesIO
from xml.etree.ElementTree import Element

from assistant.core.errors import MalformedTranscript
from assistant.transcripts import refusals
from assistant.transcripts.numbered_lines import NumberedLine
from assistant.transcripts.plain import read_lines
from assistant.transcripts.speech_pieces import ParsedTranscript
from assistant.transcripts.tables import TableRow, is_speech_table, read_rows
from assistant.transcripts.text_decoding import RawSource
from assistant.transcripts.xml_tree import attribute, document_root, elements, tag_name

MIN_TABLE_SHARE_OF_TEXT = 0.5  # for the table to be the transcript
MAX_SPACES = 100  # one element may stand for this many

_TEXT_TYPE = b"application/vnd.oasis.opendocument.text"
_SKIPPED_TAGS = frozenset(
    "tracked-changes note annotation annotation-end sequence-decls forms "
    "table-of-content hidden-text hidden-paragraph script bookmark".split()
)
_FLAT_ROOT = "<office:document "
_SPACES_BY_TAG = {"tab": "\t", "line-break": "\n"}


def sniff(source: RawSource) -> bool:
    """Return whether the file is an OpenDocument text, packed or flat."""
    if _FLAT_ROOT in source.head and "opendocument.text" in source.head:
        return True
    if not refusals.has_archive_member(source.data, "content.xml"):
        return False
    # The list of parts may be whole although a part is not.
    unreadable = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError)
    with zipfile.ZipFile(BytesIO(source.data)) as archive:
        if "mimetype" not in archive.namelist():
            return False
        try:
            return archive.read("mimetype").startswith(_TEXT_TYPE)
        except unreadable:
            return False


def parse(source: RawSource) -> ParsedTranscript:
    """Return the turns of a document. Lines are paragraphs, or rows of its table, from 1."""
    root, title = _root_and_title(source)
    hidden_styles = _hidden_styles(root)
    body = next(elements(root, "text"), root)
    parsed = _transcript_in_tables(body, hidden_styles, source.name)
    if parsed is None:
        lines = list(_lines(body, hidden_styles))
        parsed = read_lines(lines, source.accepted_labels, source.refused_labels)
    if title and not parsed.title:
        parsed.title = title
    if next(elements(body, "tracked-changes"), None) is not None:
        parsed.warnings.append(
            "the document has tracked changes; deleted text was left out, inserted text was read"
        )
    return parsed


def _root_and_title(source: RawSource) -> tuple[Element, str]:
    """Return the root of the document's XML and its title, "" if it has none."""
    if not source.data.startswith(b"PK"):
        root = document_root(source)
        return root, _document_title(root)
    refusals.check_unpacked(source)
    try:
        with zipfile.ZipFile(BytesIO(source.data)) as archive:
            content = archive.read("content.xml")
            has_properties = "meta.xml" in archive.namelist()
            properties = archive.read("meta.xml") if has_properties else b""
    except (zipfile.BadZipFile, KeyError, OSError, RuntimeError, NotImplementedError) as error:
        raise MalformedTranscript(
            "the document is damaged.", where=source.name, remedy="Save the document again."
        ) from error
    title = _document_title(document_root(source, properties)) if properties.strip() else ""
    return document_root(source, content), title


def _document_title(root: Element) -> str:
    return next(("".join(title.itertext()).strip() for title in elements(root, "title")), "")


def _hidden_styles(root: Element) -> frozenset[str]:
    """Return the names of styles for text that is struck through or hidden."""
    names = []
    for style in elements(root, "style"):
        for properties in elements(style, "text-properties"):
            line_type = attribute(properties, "text-line-through-type")
            line_style = attribute(properties, "text-line-through-style")
            is_struck = any(kind not in ("", "none") for kind in (line_type, line_style))
            if is_struck or attribute(properties, "display") == "none":
                names.append(attribute(style, "name"))
    return frozenset(names)


def _transcript_in_tables(
    body: Element, hidden_styles: frozenset[str], file_name: str
) -> ParsedTranscript | None:
    """Return the rows of all tables if they have most of the text and look like speech."""
    cell_rows = []
    for table_row in elements(body, "table-row"):
        cells = [_cell_text(cell, hidden_styles) for cell in elements(table_row, "table-cell")]
        # Tables often have empty cells behind the last column.
        while cells and not cells[-1]:
            cells.pop()
        if cells:
            cell_rows.append(cells)
    if not is_speech_table(cell_rows):
        return None
    # The characters in tables, and in the whole text
    table_size = sum(len(cell) for cells in cell_rows for cell in cells)
    body_size = sum(len(line.text) for line in _lines(body, hidden_styles))
    if table_size < MIN_TABLE_SHARE_OF_TEXT * body_size:
        return None
    table_rows = [TableRow(number, tuple(cells)) for number, cells in enumerate(cell_rows, 1)]
    return read_rows(table_rows, file_name)


def _cell_text(cell: Element, hidden_styles: frozenset[str]) -> str:
    texts = [_text(paragraph, hidden_styles) for paragraph in elements(cell, "p")]
    return " ".join(texts).strip()


def _lines(body: Element, hidden_styles: frozenset[str]) -> Iterator[NumberedLine]:
    """Yield the lines of all paragraphs, numbered by paragraph, an empty one after each."""
    for number, paragraph in enumerate(_paragraphs(body), 1):
        text = _text(paragraph, hidden_styles)
        for line in text.split("\n"):
            yield NumberedLine(number, line)
        if text.strip():
            yield NumberedLine(number, "")


def _paragraphs(element: Element) -> Iterator[Element]:
    """Yield the paragraphs and headings in their order, without notes and comments."""
    for child in element:
        tag = tag_name(child)
        is_paragraph_or_heading = tag in ("p", "h")
        if is_paragraph_or_heading:
            yield child
        if tag not in _SKIPPED_TAGS:
            yield from _paragraphs(child)


def _spaces(count_text: str) -> str:
    """Return as many spaces as an element stands for, one if it does not say how many."""
    if not count_text.isdecimal() or len(count_text) > 3:
        return " "
    return " " * min(int(count_text), MAX_SPACES)


def _text(element: Element, hidden_styles: frozenset[str]) -> str:
    """Return the text of a paragraph, without nested paragraphs and unread styles."""
    texts = [element.text or ""]
    for child in element:
        tag = tag_name(child)
        is_unread = tag in _SKIPPED_TAGS or attribute(child, "style-name") in hidden_styles
        if tag == "s":  # several spaces, whose number is in the attribute c
            texts.append(_spaces(attribute(child, "c")))
        elif tag in _SPACES_BY_TAG:
            texts.append(_SPACES_BY_TAG[tag])
        elif tag not in ("p", "h", "frame") and not is_unread:
            texts.append(_text(child, hidden_styles))
        texts.append(child.tail or "")  # the text behind the element
    return "".join(texts)
