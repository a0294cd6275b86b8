"""Reads Word documents (.docx): paragraphs and tables in their order, as plain text or as a table.

Text that tracked changes deleted is left out, and inserted text stays. Soft breaks are line
breaks. Headers, footers, comments and footnotes are not speech.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from assistant.core.errors import MalformedTranscript
from assistant.transcripts import refusals
from assistant.transcripts.document_lines import has_hidden_text, lines_of, paragraphs, text_of
from assistant.transcripts.plain import read_lines
from assistant.transcripts.speech_pieces import ParsedTranscript
from assistant.transcripts.tables import TableRow, is_speech_table, read_rows
from assistant.transcripts.text_decoding import RawSource

_WORD_NAMESPACE = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
MIN_TABLE_SHARE = 0.5  # of the text must be in a table for it to be the transcript
MAX_HEADING_CHARACTERS = 120


def sniff(source: RawSource) -> bool:
    """Return whether the file is a Word document."""
    return refusals.has_archive_member(source.data, "word/document.xml")


def parse(source: RawSource) -> ParsedTranscript:
    """Return the turns of a document. Lines are paragraphs, or rows of its table, from 1."""
    document = _opened_document(source)
    body = document.element.body
    parsed = _transcript_in_tables(document, source.name)
    if parsed is None:
        lines = list(lines_of(body))
        parsed = read_lines(lines, source.accepted_labels, source.refused_labels)
    title = (document.core_properties.title or "").strip()
    is_default_title = title.lower() in ("word document", "document")
    if title and not is_default_title and not parsed.title:
        parsed.title = title
    has_deleted_text = body.find(f".//{_WORD_NAMESPACE}del") is not None
    if has_deleted_text:
        parsed.warnings.append(
            "the document has tracked changes; deleted text was left out, inserted text was read"
        )
    if has_hidden_text(body):
        parsed.warnings.append("hidden text and text that is struck through was left out")
    return parsed


def _opened_document(source: RawSource) -> Any:
    from docx import Document
    from docx.opc.exceptions import OpcError
    from lxml.etree import LxmlError

    refusals.check_unpacked(source)
    try:
        return Document(BytesIO(source.data))
    except (OpcError, LxmlError, zipfile.BadZipFile, KeyError, ValueError, AttributeError) as error:
        raise MalformedTranscript(
            "the document is damaged.", where=source.name, remedy="Save the document again."
        ) from error


def _transcript_in_tables(document: Any, file_name: str) -> ParsedTranscript | None:
    """Return the rows of all tables if they have most of the text and look like speech."""
    body = document.element.body
    cell_rows = [_cells(table_row) for table_row in body.iter(f"{_WORD_NAMESPACE}tr")]
    if not is_speech_table(cell_rows):
        return None
    # The characters in tables, and in all paragraphs
    table_size = sum(len(cell) for cells in cell_rows for cell in cells)
    body_size = sum(len(text_of(paragraph)) for paragraph in paragraphs(body))
    if table_size < MIN_TABLE_SHARE * body_size:
        return None
    table_rows = [TableRow(number, tuple(cells)) for number, cells in enumerate(cell_rows, 1)]
    parsed = read_rows(table_rows, file_name)
    paragraph_texts = [paragraph.text.strip() for paragraph in document.paragraphs]
    filled_texts = [text for text in paragraph_texts if text]
    heading = filled_texts[0] if filled_texts else ""
    if not parsed.title and len(heading) <= MAX_HEADING_CHARACTERS:
        parsed.title = heading
    return parsed


def _cells(table_row: Any) -> list[str]:
    """Return the texts of a row's cells, without empty cells at the end."""
    cells = []
    for cell in _own_cells(table_row):
        texts = [text_of(paragraph) for paragraph in cell.iter(f"{_WORD_NAMESPACE}p")]
        cells.append(" ".join(texts).strip())
    # Tables often have empty cells behind the last column.
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _own_cells(table_row: Any) -> Iterator[Any]:
    """Yield the cells of a row, but not those of tables inside its cells."""
    for cell in table_row.iter(f"{_WORD_NAMESPACE}tc"):
        enclosing_row = next(cell.iterancestors(f"{_WORD_NAMESPACE}tr"))
        if enclosing_row is table_row:
            yield cell
