"""The results of a check: filters above, the list at the left, the card of the chosen sentence at the right.

Nothing is computed here: moving redraws the card, filters redraw list and card. The state is in
the URL.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import streamlit as st

from assistant.check.report_warnings import OLD_DATABASE, about_check
from assistant.core.access import Role
from assistant.core.domain import RatingClass, Report
from assistant.jobs.check_service import CheckService, job_spec_of
from assistant.report import match_order, timeline, wording
from assistant.report.view import ReportView
from assistant.review import deciding
from assistant.ui import (
    account,
    debate_timeline,
    export_menu,
    match_order_choice,
    recording_player,
    sentence_list,
)
from assistant.ui.address_values import number_in_address
from assistant.ui.card import card
from assistant.ui.sentence_list import RANKED, Filters, Row, draw_list
from assistant.ui.shared_resources import decisions
from assistant.ui.shown_text import escape
from assistant.ui.term_help import TERMS, explained
from assistant.ui.theme import SIGNS
from assistant.ui.tour import tour

NOTHING_LEFT = "No sentence fits these filters."


def draw_results(desk: CheckService, report: Report) -> None:
    """Draw a finished report; when it is first shown, no sentence is chosen yet."""
    view = ReportView(report)
    document = report.transcript.source.sha256
    if st.session_state.get("shown") != document:
        st.session_state["shown"] = document
        st.session_state["chosen"] = None
    with st.container(gap="xsmall"):
        _head(desk, view)
        tour()
        _warnings(view)
        draw_finder(desk, report)


@account.fragment(key="finder")
def draw_finder(desk: CheckService, report: Report) -> None:
    """Draw filters, list and card with people's decisions, and remember the chosen sentence."""
    decided = ReportView(deciding.placed(decisions(), report).report)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="bar"):
        layout = _layout_control()
        order = match_order_choice.chosen_order(decided.event_date)
        arranged = ReportView(match_order.arranged(decided.report, order))
        all_rows = sentence_list.list_rows(arranged, layout)
        filters = _filters(all_rows, layout)
    marks = timeline.marks(arranged)
    if marks:
        marked_sentences = debate_timeline.draw_timeline(arranged.report, marks)
        filters = replace(filters, marked_sentences=marked_sentences)
    rows = sentence_list.filtered_rows(all_rows, filters)
    if st.session_state.pop("to_below", False):
        _request_first_below(rows)
    chosen_number = sentence_list.chosen_number(rows, _requested_number())
    st.session_state["chosen"] = chosen_number
    recording_player.recording_panel(desk, decided.report, chosen_number)
    list_column, card_column = st.columns([5, 7], gap="medium")
    with list_column:
        counts = sentence_list.kind_counts(all_rows)
        has_matches = counts[sentence_list.LIKELY] + counts[sentence_list.POSSIBLE] > 0
        draw_list(
            rows,
            view=layout,
            selected=chosen_number,
            empty=NOTHING_LEFT if has_matches else wording.nothing_found(decided),
            on_select=_selected,
            marks=marks,
        )
        if layout == RANKED and sentence_list.UNMATCHED not in filters.kinds:
            _below_button(all_rows, filters)
    with card_column:
        card(desk, decided)


def _request_first_below(rows: Sequence[Row]) -> None:
    """Choose the first row below the list."""
    for row in rows:
        if row.kind in sentence_list.BELOW_KINDS:
            st.query_params["s"] = str(row.number)
            return


def _below_button(all_rows: Sequence[Row], filters: Filters) -> None:
    """Draw the button that shows or hides the rows below the list, if there are any."""
    below_filters = replace(filters, kinds=sentence_list.BELOW_KINDS)
    below_rows = sentence_list.filtered_rows(all_rows, below_filters)
    if not below_rows:
        return
    if _shows_below():
        label = "Hide what stands below the list"
    else:
        counts = Counter(row.kind for row in below_rows)
        label = wording.below_list(counts[sentence_list.ON_TOPIC], counts[sentence_list.MIXED])
    st.button(label, key="topics", type="tertiary", on_click=_toggle_below)


def _head(desk: CheckService, view: ReportView) -> None:
    report = view.report
    transcript = report.transcript
    day = wording.day(transcript.event_date, "date of the event not set")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="head"):
        st.html(
            f'<div class="lx-title"><h1>{escape(transcript.title)} · {day}</h1>'
            f'<span class="lx-count">{explained(wording.coverage(view))}</span></div>'
        )
        _as_of_event(desk, report)
        export_menu.export_menu(report)
        report_id = st.query_params.get("report", "")
        query_params = {"report": report_id, **match_order_choice.url_parameters()}
        st.page_link("assistant/ui/pages/review_page.py", label="Review", query_params=query_params)
        if st.button("New check"):
            del st.query_params["report"]  # filters stay: they are bound to their fields
            st.session_state.pop("transcript", None)
            st.rerun()


def _as_of_event(desk: CheckService, report: Report) -> None:
    """Draw the switch to fact-checks from before the event; it starts a check or opens one."""
    current = bool(report.manifest.settings.get("as_of_event"))
    has_date = report.transcript.event_date is not None
    if has_date:
        help_text = TERMS["as of the event"]
    else:
        help_text = (
            "The date of the event is not set, so nobody can say what had been checked before it."
        )
    requested = st.toggle(
        "As of the event",
        value=current,
        key=f"as_of_{current}",
        disabled=not has_date or not account.may(Role.REVIEWER),
        help=help_text,
    )
    if requested != current and account.may(Role.REVIEWER):
        job = desk.start(job_spec_of(report, as_of_event=requested))
        st.query_params["report"] = job.id
        st.rerun()


def _warnings(view: ReportView) -> None:
    report = view.report
    newest = report.manifest.database.get("newest_review_date")
    newest_day = date.fromisoformat(newest) if newest else None
    warnings = []
    old_database = wording.old_database(newest_day, report.transcript.event_date)
    if old_database:
        warnings.append(old_database)
    if not view.counts["likely"] + view.counts["possible"]:
        nothing_found = wording.nothing_found(view)
        warnings.append(f"{nothing_found} The nearest candidates are in the cards.")
    notes = []
    for line in report.warnings:
        if not about_check(line):
            notes.append(line)
        elif OLD_DATABASE not in line:  # already shown, in the words of this page
            warnings.append(escape(line))
    for warning in warnings:
        st.html(f'<p class="lx-warn">{warning}</p>')
    if notes:
        items = "".join(f"<li>{escape(line)}</li>" for line in notes)
        title = f"{wording.count(len(notes), 'note')} on how this transcript was read"
        st.html(f'<details class="lx-notes"><summary>{title}</summary><ul>{items}</ul></details>')


def _layout_control() -> str:
    return st.segmented_control(
        "View",
        sentence_list.LAYOUTS,
        default=RANKED,
        required=True,
        key="view",
        bind="query-params",
        label_visibility="collapsed",
    )


def _filters(all_rows: Sequence[Row], layout: str) -> Filters:
    counts = sentence_list.kind_counts(all_rows)
    is_ranked = layout == RANKED
    kinds = st.pills(
        "Show",
        sentence_list.ROW_KINDS,
        selection_mode="multi",
        default=_default_kinds(counts, is_ranked=is_ranked),
        key="tier" if is_ranked else "show",
        bind="query-params",
        label_visibility="collapsed",
    )
    text = st.text_input(
        "Search",
        key="q",
        type="search",
        placeholder="Search sentences and claims",
        live="250ms",
        bind="query-params",
        label_visibility="collapsed",
        width="stretch",
    )
    with st.popover("Filters"):
        speakers, rating_classes, min_worthiness = _more_filters(all_rows)
    if _shows_below() or sentence_list.UNMATCHED in kinds:
        kinds = [*kinds, *sentence_list.BELOW_KINDS]
    return Filters(tuple(speakers), tuple(rating_classes), tuple(kinds), min_worthiness, text or "")


def _default_kinds(counts: dict[str, int], *, is_ranked: bool) -> list[str]:
    if not is_ranked:
        return list(sentence_list.ROW_KINDS)
    kinds = list(sentence_list.DEFAULT_KINDS)
    if not any(counts[kind] for kind in kinds):
        kinds.append(sentence_list.UNMATCHED)
    return kinds


def _shows_below() -> bool:
    return "topics" in st.query_params


def _toggle_below() -> None:
    if _shows_below():
        st.query_params.pop("topics")
    else:
        st.query_params["topics"] = "shown"
        st.session_state["to_below"] = True  # the list scrolls to the first of them


def _more_filters(all_rows: Sequence[Row]) -> tuple[list[str], list[str], float]:
    # the URL holds the displayed text of an option, so the options carry no counts
    names = [name for name, _ in sentence_list.speakers(all_rows)]
    speakers = st.multiselect("Speaker", names, key="speaker", bind="query-params")
    rating_classes = st.multiselect(
        "Rating",
        sentence_list.rating_classes(all_rows),
        format_func=lambda name: SIGNS[RatingClass(name)].words,
        key="rating",
        bind="query-params",
    )
    min_worthiness = st.slider(
        "Check-worthiness at least", 0.0, 1.0, 0.0, 0.05, key="worth", bind="query-params"
    )
    return speakers, rating_classes, min_worthiness


def _requested_number() -> int | None:
    number = number_in_address("s")
    return st.session_state.get("chosen") if number is None else number


def _selected() -> None:
    number = st.session_state["list"]["selected"]
    st.session_state["chosen"] = number
    st.query_params["s"] = str(number)
    st.query_params.pop("match", None)
    st.rerun("card")
