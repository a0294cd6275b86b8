"""The exports of a report, as a menu and as the view Report, with the decisions of the moment of a click."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import cycle

import streamlit as st
from streamlit import runtime

from assistant import reports
from assistant.core.domain import MatchOrder, Report
from assistant.passages.listing import rearranged
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
from assistant.reports.markdown_form import escape_markdown
from assistant.review import comment_threads, deciding, evaluation
from assistant.ui import card_html, comment_view, half_true_choice, match_order_choice
from assistant.ui.shared_resources import decisions
from assistant.ui.shown_text import escape

FORMATS_FOR_READERS = frozenset(("html", "docx", "pdf", "txt", "xlsx", "csv", "md", "srt", "vtt"))
# The forms that most people want, the usual one as the strong button.
MAIN_FORMATS = ("docx", "pdf", "html", "txt")
NONE_CONFIRMED = "Confirmed only (0): confirm a match first, then choose it here."
SELECTION_WORDS = {
    Selection.CONFIRMED: "Confirmed only",
    Selection.STRONG: "Strong or confirmed",
    Selection.TOP: f"Top {TOP_STATEMENTS}",
    Selection.EVERYTHING: "Everything, with the transcript",
}
COMMENTS_HELP = (
    "Adds the comments of colleagues to documents and tables for readers. Captions and data never "
    "have them."
)
SELECTION_HELP = (
    "Files for readers print the decision on each match, with the reviewer’s name and note. Remove "
    "a note that readers shouldn’t see first."
)
PREVIEW_ROWS = 20
MAX_STEM_CHARACTERS = 80  # in the name of a file
MAX_REPORT_ROWS = 200
FILE_SLOTS = cycle(range(32))  # as many files are kept; the next one takes the place of the oldest


@dataclass(frozen=True, slots=True)
class ExportChoice:
    """The choices on the screen that a file follows: order, half-true ratings and statements."""

    order: MatchOrder
    half_true: str
    selection: Selection = Selection.EVERYTHING
    has_comments: bool = False


def export_menu(report: Report) -> None:
    """Draw the menu: which statements, a preview, and a button for each form."""
    # Each opening draws it with the decisions of that moment. A fragment would take the
    # whole width of the bar, and the title beside it would have none.
    menu = st.popover("Export", key="export", on_change="rerun")
    if not menu.open:
        return
    with menu:
        export_choice = _chosen_order_and_ratings(report)
        view = _decided_view(report, export_choice)
        export_choice = replace(export_choice, selection=_selection_choice(view))
        st.html(preview_html(selected_passages(view, export_choice.selection), PREVIEW_ROWS))
        _draw_download_buttons(report, export_choice)


def draw_report_page(report: Report) -> None:
    """Draw the report as its readers see it, beside the choice of statements and forms."""
    export_choice = _chosen_order_and_ratings(report)
    view = _decided_view(report, export_choice)
    choice_column, report_column = st.columns([4, 8], gap="large")
    with choice_column, st.container(key="report_choice", gap="small"):
        export_choice = replace(export_choice, selection=_selection_choice(view))
        half_true_choice.draw_half_true_switch(view)
        _draw_download_buttons(report, export_choice)
    report_column.html(report_html(view, export_choice.selection))


def _chosen_order_and_ratings(report: Report) -> ExportChoice:
    order = match_order_choice.chosen_order(report.transcript.event_date)
    return ExportChoice(order, half_true_choice.chosen_listing())


def _decided_view(report: Report, export_choice: ExportChoice) -> ReportView:
    """Return the report with today's decisions, as the choices on the screen show it."""
    decided_report = deciding.decided_report(decisions(), report).report
    if export_choice.has_comments:
        placed_comments = comment_view.current_comments(decided_report)
        decided_report = comment_threads.with_comments(decided_report, placed_comments)
    listed_report = half_true_choice.with_choice(decided_report, export_choice.half_true)
    return ReportView(match_order.arranged(listed_report, export_choice.order))


def _draw_download_buttons(report: Report, export_choice: ExportChoice) -> None:
    """Draw a button for each form.

    A click renders its file with the decisions of that moment. Data for programs is always whole.
    """
    file_stem = _file_stem(report)
    readers_choice = replace(export_choice, has_comments=_comments_choice(report))
    data_choice = replace(export_choice, selection=Selection.EVERYTHING, has_comments=False)
    format_by_name = {
        report_format.name: report_format for report_format in reports.offered(report)
    }
    with st.container(horizontal=True, gap="xsmall", key="main_forms"):
        for name in MAIN_FORMATS:
            if name in format_by_name:
                _draw_format_button(report, format_by_name[name], file_stem, readers_choice)
    with st.expander("More forms and data", key="more_forms"):
        st.html('<p class="lx-h4">For readers</p>')
        with st.container(horizontal=True, gap="xsmall", key="forms_True"):
            for name, report_format in format_by_name.items():
                if name in FORMATS_FOR_READERS and name not in MAIN_FORMATS:
                    _draw_format_button(report, report_format, file_stem, readers_choice)
        st.html('<p class="lx-h4">Data, always everything</p>')
        with st.container(horizontal=True, gap="xsmall", key="forms_False"):
            for name, report_format in format_by_name.items():
                if name not in FORMATS_FOR_READERS:
                    _draw_format_button(report, report_format, file_stem, data_choice)
            download_button(
                "Evaluation set (TREC)",
                partial(_evaluation_zip, report),
                f"{file_stem}.evaluation.zip",
                "application/zip",
                "export_evaluation",
            )


def _draw_format_button(
    report: Report, report_format: reports.ReportFormat, file_stem: str, export_choice: ExportChoice
) -> None:
    """Draw the button of a form; the usual one is the strong button."""
    render_file = partial(_rendered_file, report, report_format.name, export_choice)
    file_name = f"{file_stem}{report_format.suffix}"
    is_usual_format = report_format.name == MAIN_FORMATS[0]
    download_button(
        report_format.label,
        render_file,
        file_name,
        report_format.media_type,
        f"export_{report_format.name}",
        is_strong=is_usual_format,
    )


def _selection_choice(view: ReportView) -> Selection:
    """Draw the choice of statements: those that a person confirmed, if there are any."""
    counts = {selection: len(selected_passages(view, selection)) for selection in Selection}
    options = [selection for selection in Selection if counts[selection]]
    if Selection.EVERYTHING not in options:
        options.append(Selection.EVERYTHING)
    selection = st.radio(
        "Statements",
        options,
        format_func=lambda selection: f"{SELECTION_WORDS[selection]} ({counts[selection]:,})",
        key="selection",
        horizontal=True,
        help=SELECTION_HELP,
    )
    if not counts[Selection.CONFIRMED]:
        st.html(f'<p class="lx-soft lx-tight">{NONE_CONFIRMED}</p>')
    return selection


def _comments_choice(report: Report) -> bool:
    """Draw the box for the comments of colleagues, off at first; nothing without comments."""
    comment_count = sum(comment_view.current_comments(report).counts().values())
    if not comment_count:
        return False
    # A key for each debate: a box that was ticked elsewhere puts no comment into a file.
    debate_digest = report.transcript.source.sha256
    return st.checkbox(
        escape_markdown(f"Comments ({comment_count:,})"),
        key=f"export_comments_{debate_digest}",
        help=COMMENTS_HELP,
    )


def preview_html(passages: Sequence[SelectedPassage], limit: int) -> str:
    """Return the statements of a selection in short, one row each, as HTML."""
    list_items = []
    for selected_passage in passages[:limit]:
        checked_sentence, match = selected_passage.first  # its first selected match
        claim = match.claim
        rating_mark = card_html.rating_badge(claim.rating, claim.rating_class)
        speaker = escape(shown_name(checked_sentence.sentence.speaker or contents.SPEAKER_UNKNOWN))
        list_items.append(
            f"<li><b>{speaker}</b> {escape(checked_sentence.sentence.text)}<br>"
            f"{rating_mark} {escape(wording.publisher(claim))}: {escape(claim.statement)}</li>"
        )
    hidden_count = len(passages) - limit
    hidden_count_line = (
        f'<p class="lx-soft">and {hidden_count:,} more</p>' if hidden_count > 0 else ""
    )
    region_attributes = 'tabindex="0" role="region" aria-label="Preview"'
    return f'<div class="lx-preview" {region_attributes}><ol>{"".join(list_items)}</ol>{hidden_count_line}</div>'


def report_html(view: ReportView, selection: Selection) -> str:
    """Return the chosen statements as a page to read: quote, claim, rating, source, decision."""
    passages = selected_passages(view, selection)
    list_items = []
    for selected_passage in passages[:MAX_REPORT_ROWS]:
        list_items.append(_report_row(view, selected_passage))
    hidden_count = len(passages) - MAX_REPORT_ROWS
    closing_line = ""
    if hidden_count > 0:
        closing_line = f'<p class="lx-soft">The files have {hidden_count:,} more.</p>'
    if not list_items:
        closing_line = f'<p class="lx-line">{escape(wording.nothing_found(view))}</p>'
    # The state of the review covers the chosen statements, as in the files.
    exported_view = ReportView(rearranged(selected(view.report, selection)))
    review_state = escape(wording.review_state(exported_view))
    return (
        f'<article class="lx-report"><p class="lx-soft">{review_state}. '
        f"{escape(wording.RATINGS_ARE_THE_PUBLISHERS)}</p>"
        f'<ol class="lx-report-rows">{"".join(list_items)}</ol>{closing_line}</article>'
    )


def _report_row(view: ReportView, selected_passage: SelectedPassage) -> str:
    checked_sentence, match = selected_passage.first  # its first selected match
    sentence = checked_sentence.sentence
    speaker = shown_name(sentence.speaker or contents.SPEAKER_UNKNOWN)
    said_by = ", ".join(filter(None, (speaker, wording.time_or_numbers(sentence))))
    badge = card_html.rating_badge(match.claim.rating, match.claim.rating_class)
    line = card_html.rating_line(match, view.event_date)
    status = escape(contents.review_status(match))
    return (
        f'<li><p class="lx-soft lx-tight">{escape(said_by)}</p>'
        f"<blockquote>{escape(sentence.text)}</blockquote>"
        f'<p class="lx-line">{badge} {escape(match.claim.statement)}</p>'
        f'<p class="lx-soft lx-tight">{line} {status}. {card_html.article_link(match.claim)}</p></li>'
    )


def download_button(
    label: str,
    render: Callable[[], bytes],
    name: str,
    media_type: str,
    key: str,
    *,
    is_strong: bool = False,
) -> None:
    """Draw a button that renders a file when it is clicked."""
    st.download_button(
        escape_markdown(label),
        data=lambda: _keep_for_download(render(), name, media_type),  # called by a click
        file_name=name,
        mime=media_type,
        on_click="ignore",
        key=key,
        type="primary" if is_strong else "secondary",
        width="stretch",
    )


def _keep_for_download(file: bytes, name: str, media_type: str) -> bytes:
    """Keep a file until its browser has fetched it, and return it.

    Streamlit (1.67) deletes a file that a click made as soon as the server has drawn two pages for
    anybody, and a live view is drawn every second.
    """
    if runtime.exists():
        media_files = runtime.get_instance().media_file_mgr
        slot = f"export {next(FILE_SLOTS)}"  # a later file of the same slot replaces this one
        media_files.add(file, media_type, slot, file_name=name, is_for_static_download=True)
    return file


def _rendered_file(report: Report, name: str, choice: ExportChoice) -> bytes:
    view = _decided_view(report, choice)
    return reports.render(selected(view.report, choice.selection), name)


def _evaluation_zip(report: Report) -> bytes:
    records = deciding.decided_report(decisions(), report).records
    return evaluation.evaluation_zip(records.values())


def _file_stem(report: Report) -> str:
    title = report.transcript.title[:MAX_STEM_CHARACTERS]
    plain_title = "".join(letter if letter.isalnum() else "-" for letter in title)
    return plain_title.strip("-").lower() or "report"
