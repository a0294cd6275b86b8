"""The export menu: every format of a report, with the decisions made up to the moment of the click."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import cycle

import streamlit as st
from streamlit import runtime

from assistant import reports
from assistant.core.domain import MatchOrder, Report
from assistant.report import match_order
from assistant.reports.markdown_form import plain
from assistant.review import deciding, evaluation
from assistant.ui import match_order_choice
from assistant.ui.shared_resources import decisions

FILE_SLOTS = cycle(range(32))  # as many files are kept; the next one takes the place of the oldest


def export_menu(report: Report) -> None:
    """Draw the menu; a click on a button renders its file, in the order of matches on the screen."""
    order = match_order_choice.chosen_order(report.transcript.event_date)
    stem = _file_stem(report)
    with st.popover("Export"):
        for form in reports.offered(report):
            render = partial(_rendered, report, form.name, order)
            file_name = stem + form.suffix
            download_button(form.label, render, file_name, form.media_type, f"export_{form.name}")
        download_button(
            "Evaluation set (TREC)",
            partial(_evaluation_zip, report),
            f"{stem}.evaluation.zip",
            "application/zip",
            "export_evaluation",
        )


def download_button(
    label: str, render: Callable[[], bytes], name: str, media_type: str, key: str
) -> None:
    """Draw a button that renders a file when it is clicked."""
    st.download_button(
        plain(label),
        data=lambda: _keep_for_download(render(), name, media_type),
        file_name=name,
        mime=media_type,
        on_click="ignore",
        key=key,
        width="stretch",
    )


def _keep_for_download(file: bytes, name: str, media_type: str) -> bytes:
    """Keep a file until its browser has fetched it, and return it.

    Streamlit (1.67) deletes a file that a click made as soon as the server has drawn two pages for
    anybody, and a live view is drawn every second.
    """
    if runtime.exists():
        files = runtime.get_instance().media_file_mgr
        slot = f"export {next(FILE_SLOTS)}"
        files.add(file, media_type, slot, file_name=name, is_for_static_download=True)
    return file


def _rendered(report: Report, name: str, order: MatchOrder) -> bytes:
    decided_report = deciding.placed(decisions(), report).report
    return reports.render(match_order.arranged(decided_report, order), name)


def _evaluation_zip(report: Report) -> bytes:
    records = deciding.placed(decisions(), report).records
    return evaluation.zipped(records.values())


def _file_stem(report: Report) -> str:
    characters = []
    for character in report.transcript.title:
        characters.append(character if character.isalnum() else "-")
    return "".join(characters).strip("-").lower() or "report"
