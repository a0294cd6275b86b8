"""Reads Word documents (.docx): paragraphs and tables in their order, as plain text or as a table.

Text that tracked changes deleted is left out, inserted text stays; soft breaks are line breaks;
headers, footers, comments and footnotes are not speech.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from assistant.core.errors import MalformedTranscript
from assistant.transcripts import refusals
from assistant.transcripts.numbered_lines import NumberedLine
from assistant.transcripts.plain import read_lines
from assistant.transcripts.speech_pieces import Parsed
from assistant.transcripts.tables import TableRow, is_grid, read_rows
from assistant.transcripts.text_decoding import RawSource

_WORD_NAMESPACE = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_UNREAD_TAGS = {
    _WORD_NAMESPACE + tag
    for tag in ("del", "moveFrom", "delText", "instrText", "pPr", "rPr", "footnoteReference")
}
_UNREAD_TAGS |= {
    "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
}  # text boxes come twice
_SIGN_CHARACTERS = {
    f"{_WORD_NAMESPACE}tab": "\t",
    f"{_WORD_NAMESPACE}br": "\n",
    f"{_WORD_NAMESPACE}cr": "\n",
    f"{_WORD_NAMESPACE}noBreakHyphen": "-",
}
TABLE_SHARE = 0.5  # a table with so much of the text is the transcript


def sniff(source: RawSource) -> bool:
    """Whether the file is a Word document."""
    return refusals.holds_part(source.data, "word/document.xml")


def parse(source: RawSource) -> Parsed:
    """Return the turns of a document. Lines are paragraphs, or rows of its table, from 1."""
    document = _opened(source)
    parsed = _from_tables(document, source.name) or read_lines(list(_lines(document)))
    core = document.core_properties
    title = (core.title or "").strip()
    if title and not parsed.title and title.lower() not in ("word document", "document"):
        parsed.title = title
    if document.element.body.find(f".//{_WORD_NAMESPACE}del") is not None:
        parsed.warnings.append(
            "the document has tracked changes; deleted text was left out, inserted text was read"
        )
    return parsed


def _opened(source: RawSource) -> Any:
    from docx import Document
    from docx.opc.exceptions import OpcError
    from lxml.etree import LxmlError

    refusals.check_unpacked(source)
    try:
        return Document(BytesIO(source.data))
    except (OpcError, LxmlError, zipfile.BadZipFile, KeyError, ValueError, AttributeError) as error:
        raise MalformedTranscript(
            "the document is damaged.", where=source.name, remedy="Save it again."
        ) from error


def _from_tables(document: Any, name: str) -> Parsed | None:
    """Return the rows of all tables if they have most of the text and look like speech."""
    rows = [_cells(row) for row in document.element.body.iter(f"{_WORD_NAMESPACE}tr")]
    size = sum(len(cell) for row in rows for cell in row)
    if not is_grid(rows) or size < TABLE_SHARE * sum(
        len(_text(p)) for p in document.element.body.iter(f"{_WORD_NAMESPACE}p")
    ):
        return None
    parsed = read_rows([TableRow(i, tuple(row)) for i, row in enumerate(rows, 1)], name)
    headings = [p.text.strip() for p in document.paragraphs if p.text.strip()]
    if headings and len(headings[0]) <= 120:
        parsed.title = parsed.title or headings[0]
    return parsed


def _cells(row: Any) -> list[str]:
    """Return the cells of a row; empty ones at the end are dropped."""
    cells = [
        " ".join(_text(p) for p in cell.iter(f"{_WORD_NAMESPACE}p")).strip()
        for cell in _own(row, f"{_WORD_NAMESPACE}tc")
    ]
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _own(row: Any, tag: str) -> Iterator[Any]:
    """Yield the cells of a row, those of tables inside its cells left out.

    They are in rows of their own.
    """
    return (
        cell for cell in row.iter(tag) if next(cell.iterancestors(f"{_WORD_NAMESPACE}tr")) is row
    )


def _lines(document: Any) -> Iterator[NumberedLine]:
    """Yield the lines of all paragraphs, numbered by paragraph, an empty one after each."""
    for number, paragraph in enumerate(document.element.body.iter(f"{_WORD_NAMESPACE}p"), 1):
        text = _text(paragraph)
        for part in text.split("\n"):
            yield NumberedLine(number, part)
        if text.strip():
            yield NumberedLine(number, "")


def _text(node: Any) -> str:
    """Return the text of a paragraph, soft breaks as line feeds, without deleted text and nested paragraphs' marks."""
    parts = []
    for child in node:
        if child.tag in _UNREAD_TAGS:
            continue
        if child.tag == f"{_WORD_NAMESPACE}t":
            parts.append(child.text or "")
        elif child.tag in _SIGN_CHARACTERS:
            parts.append(_SIGN_CHARACTERS[child.tag])
        elif child.tag != f"{_WORD_NAMESPACE}p":
            parts.append(_text(child))
    return "".join(parts)
