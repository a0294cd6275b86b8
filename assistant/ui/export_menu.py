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
from assistant.review import deciding, evaluation
from assistant.ui import match_order_choice
from assistant.ui.shared_resources import decisions

FILE_SLOTS = cycle(range(32))  # as many files are kept; the next one takes the place of the oldest


def export_menu(report: Report) -> None:
    """Draw the menu; a file is rendered when its button is clicked, in the order of matches on the screen."""
    order = match_order_choice.chosen_order(report.transcript.event_date)
    with st.popover("Export"):
        for form in reports.offered(report):
            file = partial(_rendered, report, form.name, order)
            download_button(
                form.label,
                file,
                _file_stem(report) + form.suffix,
                form.media_type,
                f"export_{form.name}",
            )
        name = _file_stem(report) + ".evaluation.zip"
        download_button(
            "Evaluation set (TREC)",
            partial(_evaluation_zip, report),
            name,
            "application/zip",
            "export_evaluation",
        )


def download_button(
    label: str, file: Callable[[], bytes], name: str, media_type: str, key: str
) -> None:
    """Draw a button that makes a file when it is clicked."""
    st.download_button(
        label,
        data=lambda: _keep_for_download(file(), name, media_type),
        file_name=name,
        mime=media_type,
        on_click="ignore",
        key=key,
        width="stretch",
    )


def _keep_for_download(file: bytes, name: str, media_type: str) -> bytes:
    """Keep a file until its browser has fetched it.

    Streamlit (1.67) throws a file that was made at a click away once the server has drawn two
    pages, whoever looks at them, and somebody who watches a board has one drawn every second.
    """
    if runtime.exists():
        files = runtime.get_instance().media_file_mgr
        files.add(
            file,
            media_type,
            f"export {next(FILE_SLOTS)}",
            file_name=name,
            is_for_static_download=True,
        )
    return file


def _rendered(report: Report, name: str, order: MatchOrder) -> bytes:
    return reports.render(
        match_order.arranged(deciding.placed(decisions(), report).report, order), name
    )


def _evaluation_zip(report: Report) -> bytes:
    return evaluation.zipped(deciding.placed(decisions(), report).records.values())


def _file_stem(report: Report) -> str:
    return (
        "".join(c if c.isalnum() else "-" for c in report.transcript.title).strip("-").lower()
        or "report"
    )
