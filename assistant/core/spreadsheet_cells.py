"""Cells of tables that no spreadsheet runs as a formula: an apostrophe in front makes them text."""

from __future__ import annotations

import re

_FORMULA_PATTERN = re.compile(r"^[\s\u200b-\u200f\ufeff]*[=+\-@＝＋－＠]")


def as_text(cell: str) -> str:
    """Return a cell with an apostrophe in front if a spreadsheet would take it for a formula."""
    return f"'{cell}" if _FORMULA_PATTERN.match(cell) else cell


def without_mark(cell: str) -> str:
    """Return a cell without the apostrophe of ``as_text``."""
    is_marked = cell.startswith("'") and _FORMULA_PATTERN.match(cell[1:])
    return cell[1:] if is_marked else cell
