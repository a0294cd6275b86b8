"""The export menu: every format of a report, with the decisions made up to the moment of the click."""

from __future__ import annotations

import streamlit as st

from assistant import reports
from assistant.explain import match_order
from assistant.ground.domain import MatchOrder, Report
from assistant.review import deciding, evaluation
from assistant.ui import match_order_choice
from assistant.ui.resources import decisions


def menu(report: Report) -> None:
    """Draw the menu; a file is rendered when its button is clicked, in the order of matches on the screen."""
    order = match_order_choice.chosen(report.transcript.event_date)
    with st.popover("Export"):
        for form in reports.offered(report):
            st.download_button(
                form.label,
                data=lambda name=form.name: _file(report, name, order),
                file_name=_stem(report) + form.suffix,
                mime=form.media_type,
                on_click="ignore",
                key=f"export_{form.name}",
                width="stretch",
            )
        st.download_button(
            "Evaluation set (TREC)",
            data=lambda: evaluation.zipped(deciding.placed(decisions(), report).records.values()),
            file_name=_stem(report) + ".evaluation.zip",
            mime="application/zip",
            on_click="ignore",
            key="export_evaluation",
            width="stretch",
        )


def _file(report: Report, name: str, order: MatchOrder) -> bytes:
    return reports.render(match_order.arranged(deciding.placed(decisions(), report).report, order), name)


def _stem(report: Report) -> str:
    return "".join(c if c.isalnum() else "-" for c in report.transcript.title).strip("-").lower() or "report"
