"""Writes reports in every format of ``FORMATS``: a report in, bytes out.

A new format is one module and one row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from assistant.core.domain import Report
from assistant.core.errors import SettingsError
from assistant.report import contents
from assistant.report.view import ReportView
from assistant.reports import (
    caption_form,
    csv_form,
    docx_form,
    html_form,
    json_form,
    linked_data,
    markdown_form,
    pdf_form,
    text_form,
    web_annotations,
    xlsx_form,
)


@dataclass(frozen=True, slots=True)
class ReportFormat:
    """A report format: its name on the command line, its label, and its function.

    ``lacking`` says why a report cannot be written so; nothing if it can.
    """

    name: str
    label: str
    suffix: str
    media_type: str
    render: Callable[[ReportView], bytes]
    lacking: Callable[[Report], str] = lambda report: ""


_OFFICE = "application/vnd.openxmlformats-officedocument"
_LD = "application/ld+json"
FORMATS: dict[str, ReportFormat] = {
    f.name: f
    for f in (
        ReportFormat("json", "JSON", ".json", "application/json", json_form.render),
        ReportFormat("html", "Web page", ".html", "text/html", html_form.render),
        ReportFormat(
            "docx", "Word", ".docx", f"{_OFFICE}.wordprocessingml.document", docx_form.render
        ),
        ReportFormat("pdf", "PDF", ".pdf", "application/pdf", pdf_form.render),
        ReportFormat("md", "Markdown", ".md", "text/markdown", markdown_form.render),
        ReportFormat("csv", "Spreadsheet (CSV)", ".csv", "text/csv", csv_form.render),
        ReportFormat(
            "xlsx",
            "Spreadsheet (Excel)",
            ".xlsx",
            f"{_OFFICE}.spreadsheetml.sheet",
            xlsx_form.render,
        ),
        ReportFormat(
            "srt",
            "Captions (SRT)",
            ".srt",
            "application/x-subrip",
            caption_form.srt,
            caption_form.timed,
        ),
        ReportFormat(
            "vtt", "Captions (WebVTT)", ".vtt", "text/vtt", caption_form.vtt, caption_form.timed
        ),
        ReportFormat("txt", "Text for a live blog", ".txt", "text/plain", text_form.render),
        ReportFormat(
            "annotations", "Web annotations", ".annotations.jsonld", _LD, web_annotations.render
        ),
        ReportFormat("jsonld", "Linked data", ".jsonld", _LD, linked_data.render),
    )
}


def offered(report: Report) -> list[ReportFormat]:
    """Return the formats that this report can be written in: captions need times."""
    return [form for form in FORMATS.values() if not form.lacking(report)]


def render(report: Report, name: str) -> bytes:
    """Return the report in a format of ``FORMATS``; the same report gives the same bytes.

    Raises: SettingsError if there is no such format, or this report lacks what it needs.
    """
    return render_all(report, [name])[name]


def render_all(report: Report, names: Iterable[str]) -> dict[str, bytes]:
    """Return the report in several formats of ``FORMATS``, by name, as ``render`` does."""
    renderers = {name: _renderer(report, name) for name in names}
    # All formats print the same view, which takes long for a large report.
    view = contents.printable(report)
    return {name: render_view(view) for name, render_view in renderers.items()}


def _renderer(report: Report, name: str) -> Callable[[ReportView], bytes]:
    """Return the function of a format; raise as ``render`` does."""
    if name not in FORMATS:
        raise SettingsError(
            f"unknown report format {name!r}.", remedy=f"Use one of {', '.join(FORMATS)}."
        )
    lacking = FORMATS[name].lacking(report)
    if lacking:
        raise SettingsError(
            f"the report cannot be written as {name}, because {lacking}.",
            where=report.transcript.source.name,
        )
    return FORMATS[name].render
