"""From one ``Report`` to the files that people pass on: a report in, bytes out, nothing read or written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from assistant.domain import Report
from assistant.errors import SettingsError
from assistant.reports import csv, html, json


@dataclass(frozen=True, slots=True)
class ReportFormat:
    """A way to write a report: its name on the command line, what a person calls it, and the function that does it."""

    name: str
    label: str
    suffix: str
    media_type: str
    render: Callable[[Report], bytes]


FORMATS: dict[str, ReportFormat] = {
    f.name: f
    for f in (
        ReportFormat("json", "JSON", ".json", "application/json", json.render),
        ReportFormat("html", "Web page", ".html", "text/html", html.render),
        ReportFormat("csv", "Spreadsheet (CSV)", ".csv", "text/csv", csv.render),
    )
}


def render(report: Report, name: str) -> bytes:
    """Return the report in a format of ``FORMATS``; the same report gives the same bytes.

    Raises: SettingsError if there is no such format.
    """
    if name not in FORMATS:
        raise SettingsError(f"no report format {name!r}.", remedy=f"Use one of {', '.join(FORMATS)}.")
    return FORMATS[name].render(report)
