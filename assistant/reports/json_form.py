"""The report as JSON, schema ``lectern.report/1``: the form that other programs read."""

from __future__ import annotations

from assistant.report.stored_reports import report_row, to_bytes
from assistant.report.view import ReportView


def render(view: ReportView) -> bytes:
    """Return the report as UTF-8 JSON in the published schema."""
    return to_bytes(report_row(view))
