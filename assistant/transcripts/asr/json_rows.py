"""Rows of cells in JSON: ``[["Speaker", "Text"], ["Maria", "Good evening."]]``.

The names of the columns may also stand apart, as pandas writes them: ``{"columns": [...],
"data": [[...]]}``.
"""

from __future__ import annotations

from typing import Any

from assistant.transcripts import tables
from assistant.transcripts.asr.json_fields import decoded_json
from assistant.transcripts.speech_pieces import ParsedTranscript
from assistant.transcripts.text_decoding import RawSource

MIN_GRID_COLUMNS = 2
MIN_GRID_ROWS = 2


def sniff(source: RawSource) -> bool:
    """Return whether the JSON has rows of cells whose columns show who spoke what."""
    cell_rows = _cell_rows(decoded_json(source))
    return tables.is_speech_table([[str(cell or "") for cell in cells] for cells in cell_rows])


def parse(source: RawSource) -> ParsedTranscript:
    """Return one piece for each row with a text."""
    table_rows = [
        tables.TableRow(number, tuple(cells))
        for number, cells in enumerate(_cell_rows(decoded_json(source)), 1)
    ]
    return tables.read_rows(table_rows, source.name)


def _cell_rows(data: Any) -> list[list[Any]]:
    """Return the rows of a list of lists, below the names of its columns if the file has them."""
    cell_rows = data
    column_names: Any = None
    if isinstance(data, dict):
        column_names = data.get("columns") or data.get("header")
        cell_rows = data.get("data") or data.get("rows")
    if not isinstance(cell_rows, list) or len(cell_rows) < MIN_GRID_ROWS:
        return []
    for cells in cell_rows:
        if (
            not isinstance(cells, list)
            or len(cells) < MIN_GRID_COLUMNS
            or any(map(_is_object_or_list, cells))
        ):
            return []
    if isinstance(column_names, list):
        return [column_names, *cell_rows]
    return cell_rows


def _is_object_or_list(value: Any) -> bool:
    return isinstance(value, dict | list)
