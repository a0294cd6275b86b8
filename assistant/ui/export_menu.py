"""The export menu: every format of a report, with the decisions made up to the moment of the click."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import cycle

import streamlit as st
from streamlit import runtime

from assistant import reports
from assistant.core.domain import MatchOrder, Report
from assistant.report import contents, match_order, wording
from assistant.report.selection import (
    TOP_STATEMENTS,
    SelectedPassage,
    Selection,
    selected,
    selected_passages,
)
from assistant.report.speaker_names import shown_name
from assistant.report.view import ReportView
from assistant.reports.markdown_form import plain
from assistant.review import deciding, evaluation
from assistant.ui import card_html, match_order_choice
from assistant.ui.shared_resources import decisions
from assistant.ui.shown_text import escape

READERS_FORMS = frozenset(("html", "docx", "pdf", "txt", "xlsx", "csv", "md", "srt", "vtt"))
SELECTION_WORDS = {
    Selection.CONFIRMED: "Confirmed only",
    Selection.STRONG: "Strong",
    Selection.TOP: f"Top {TOP_STATEMENTS}",
    Selection.EVERYTHING: "Everything, with the transcript",
}
PREVIEW_ROWS = 20
MAX_STEM_CHARACTERS = 80  # in the name of a file
FILE_SLOTS = cycle(range(32))  # as many files are kept; the next one takes the place of the oldest


def export_menu(report: Report) -> None:
    """Draw the menu: which statements, a preview, and a button for each form."""
    with st.popover("Export"):
        draw_export(report)


def draw_export(report: Report) -> None:
    """Draw the choice of statements with its preview, and a button that renders each form.

    A click renders its file with the decisions of that moment, in the order on the screen. Data
    for programs is always whole.
    """
    order = match_order_choice.chosen_order(report.transcript.event_date)
    stem = _file_stem(report)
    decided = deciding.placed(decisions(), report).report
    view = ReportView(match_order.arranged(decided, order))
    selection = _selection_choice(view)
    st.html(preview_html(selected_passages(view, selection)))
    offered = reports.offered(report)
    for heading, is_for_readers in (("For readers", True), ("Data, always everything", False)):
        st.html(f'<p class="lx-h4">{heading}</p>')
        with st.container(horizontal=True, gap="xsmall", key=f"forms_{is_for_readers}"):
            for form in offered:
                if (form.name in READERS_FORMS) is is_for_readers:
                    chosen = selection if is_for_readers else Selection.EVERYTHING
                    render = partial(_rendered, report, form.name, order, chosen)
                    file_name = stem + form.suffix
                    key = f"export_{form.name}"
                    download_button(form.label, render, file_name, form.media_type, key)
    download_button(
        "Evaluation set (TREC)",
        partial(_evaluation_zip, report),
        f"{stem}.evaluation.zip",
        "application/zip",
        "export_evaluation",
    )


def _selection_choice(view: ReportView) -> Selection:
    """Draw the choice of statements: those that a person confirmed, if there are any."""
    counts = {selection: len(selected_passages(view, selection)) for selection in Selection}
    options = [selection for selection in Selection if counts[selection]]
    if Selection.EVERYTHING not in options:
        options.append(Selection.EVERYTHING)
    return st.radio(
        "Statements",
        options,
        format_func=lambda selection: f"{SELECTION_WORDS[selection]} ({counts[selection]:,})",
        key="selection",
        horizontal=True,
    )


def preview_html(passages: Sequence[SelectedPassage]) -> str:
    """Return the statements of a selection in short, one row each, as HTML."""
    rows = []
    for selected_passage in passages[:PREVIEW_ROWS]:
        checked, match = selected_passage.first
        claim = match.claim
        badge = card_html.rating_badge(claim.rating, claim.rating_class)
        speaker = escape(shown_name(checked.sentence.speaker or contents.SPEAKER_UNKNOWN))
        rows.append(
            f"<li><b>{speaker}</b> {escape(checked.sentence.text)}<br>"
            f"{badge} {escape(wording.publisher(claim))}: {escape(claim.statement)}</li>"
        )
    more = len(passages) - PREVIEW_ROWS
    tail = f'<p class="lx-soft">and {more:,} more</p>' if more > 0 else ""
    region = 'tabindex="0" role="region" aria-label="Preview"'
    return f'<div class="lx-preview" {region}><ol>{"".join(rows)}</ol>{tail}</div>'


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


def _rendered(report: Report, name: str, order: MatchOrder, selection: Selection) -> bytes:
    decided_report = deciding.placed(decisions(), report).report
    ordered_report = match_order.arranged(decided_report, order)
    return reports.render(selected(ordered_report, selection), name)


def _evaluation_zip(report: Report) -> bytes:
    records = deciding.placed(decisions(), report).records
    return evaluation.zipped(records.values())


def _file_stem(report: Report) -> str:
    characters = []
    for character in report.transcript.title:
        characters.append(character if character.isalnum() else "-")
    return "".join(characters[:MAX_STEM_CHARACTERS]).strip("-").lower() or "report"
