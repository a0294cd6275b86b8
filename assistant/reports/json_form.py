"""The report as JSON, schema ``lectern.report/1``: the form that other programs read."""

from __future__ import annotations

from assistant.core.domain import Report
from assistant.report.stored_reports import report_row, to_bytes


def render(report: Report) -> bytes:
    """Return the report as UTF-8 JSON in the published schema."""
    return to_bytes(report_row(report))
