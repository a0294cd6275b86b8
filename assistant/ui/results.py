"""The results of a check: filters above, the list at the left, the card of the chosen sentence at the right.

Nothing is computed here: moving redraws the card, filters redraw list and card. The state is in
the URL.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date
from html import escape

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
from assistant.ui.card import card
from assistant.ui.sentence_list import draw_list
from assistant.ui.shared_resources import decisions
from assistant.ui.term_help import TERMS, explained
from assistant.ui.theme import SIGNS
from assistant.ui.tour import tour

NOTHING_LEFT = "No sentence fits these filters."


def draw_results(desk: CheckService, report: Report) -> None:
    """Draw a finished report; when it is first shown, its first sentence is chosen."""
    view = ReportView(report)
    if st.session_state.get("shown") != (shown := report.transcript.source.sha256):
        st.session_state.update({"shown": shown, "chosen": None})
    with st.container(gap="xsmall"):
        _head(desk, view)
        tour()
        _warnings(view)
        draw_finder(desk, report)


@account.fragment(key="finder")
def draw_finder(desk: CheckService, report: Report) -> None:
    """Draw filters, list and card, with what people decided; remember which sentence is chosen."""
    decided = ReportView(deciding.placed(decisions(), report).report)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="bar"):
        layout = _view()
        order = match_order_choice.chosen_order(decided.event_date)
        arranged = ReportView(match_order.arranged(decided.report, order))
        everything = sentence_list.list_rows(arranged, layout)
        filters = _filters(everything, layout)
    marks = timeline.marks(arranged)
    if marks:
        filters = replace(filters, stretch=debate_timeline.draw_timeline(arranged.report, marks))
    rows = sentence_list.filtered_rows(everything, filters)
    first_below = next((row.number for row in rows if row.kind in sentence_list.BELOW_KINDS), None)
    if st.session_state.pop("to_below", False) and first_below:
        st.query_params["s"] = str(first_below)
    st.session_state["chosen"] = chosen = sentence_list.chosen_number(rows, _requested_number())
    recording_player.recording_panel(desk, decided.report, chosen)
    left, right = st.columns([5, 7], gap="medium")
    with left:
        counts = sentence_list.kind_counts(everything)
        settled = counts[sentence_list.LIKELY] + counts[sentence_list.POSSIBLE]
        empty = NOTHING_LEFT if settled else wording.nothing_found(decided)
        draw_list(rows, view=layout, selected=chosen, empty=empty, on_select=_selected, marks=marks)
        below = Counter(
            row.kind
            for row in sentence_list.filtered_rows(
                everything, replace(filters, kinds=sentence_list.BELOW_KINDS)
            )
        )
        if (
            below
            and layout == sentence_list.LAYOUTS[0]
            and sentence_list.UNMATCHED not in filters.kinds
        ):
            left_out = wording.below_list(below[sentence_list.ON_TOPIC], below[sentence_list.MIXED])
            line = "Hide what stands below the list" if _shows_below() else left_out
            st.button(line, key="topics", type="tertiary", on_click=_toggle_below)
    with right:
        card(desk, decided)


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
        here = {"report": st.query_params.get("report", ""), **match_order_choice.url_parameters()}
        st.page_link("assistant/ui/pages/review_page.py", label="Review", query_params=here)
        if st.button("New check"):
            del st.query_params["report"]  # filters stay: they are bound to their fields
            st.session_state.pop("transcript", None)
            st.rerun()


def _as_of_event(desk: CheckService, report: Report) -> None:
    now = bool(report.manifest.settings.get("as_of_event"))
    known = report.transcript.event_date is not None
    wanted = st.toggle(
        "As of the event",
        value=now,
        key=f"as_of_{now}",
        disabled=not known or not account.may(Role.REVIEWER),
        help=TERMS["as of the event"]
        if known
        else "The date of the event is not set, so nobody can say what had been checked before it.",
    )
    if wanted != now and account.may(Role.REVIEWER):
        st.query_params["report"] = desk.start(job_spec_of(report, as_of_event=wanted)).id
        st.rerun()


def _warnings(view: ReportView) -> None:
    report = view.report
    newest = report.manifest.database.get("newest_review_date")
    old = wording.old_database(
        date.fromisoformat(newest) if newest else None, report.transcript.event_date
    )
    if old:
        st.html(f'<p class="lx-warn">{old}</p>')
    counts = view.counts
    if not counts["likely"] + counts["possible"]:
        st.html(
            f'<p class="lx-warn">{wording.nothing_found(view)} The nearest candidates are in the cards.</p>'
        )
    for line in report.warnings:
        if (
            about_check(line) and OLD_DATABASE not in line
        ):  # that one is above, in the words of the page
            st.html(f'<p class="lx-warn">{escape(line)}</p>')
    notes = [line for line in report.warnings if not about_check(line)]
    if notes:
        lines = "".join(f"<li>{escape(line)}</li>" for line in notes)
        title = f"{wording.count(len(notes), 'note')} on how this transcript was read"
        st.html(f'<details class="lx-notes"><summary>{title}</summary><ul>{lines}</ul></details>')


def _view() -> str:
    return st.segmented_control(
        "View", sentence_list.LAYOUTS, default=sentence_list.LAYOUTS[0], required=True, key="view", bind="query-params",
        label_visibility="collapsed",
    )  # fmt: skip


def _filters(everything: tuple[sentence_list.Row, ...], layout: str) -> sentence_list.Filters:
    counts = sentence_list.kind_counts(everything)
    ranked = layout == sentence_list.LAYOUTS[0]
    kinds = st.pills(
        "Show", sentence_list.ROW_KINDS, selection_mode="multi", default=_default_kinds(counts, ranked),
        key="tier" if ranked else "show", bind="query-params", label_visibility="collapsed",
    )  # fmt: skip
    text = st.text_input(
        "Search", key="q", type="search", placeholder="Search sentences and claims", live="250ms", bind="query-params",
        label_visibility="collapsed", width="stretch",
    )  # fmt: skip
    with st.popover("Filters"):
        who, classes, worth = _more_filters(everything)
    if _shows_below() or sentence_list.UNMATCHED in kinds:
        kinds = [*kinds, *sentence_list.BELOW_KINDS]
    return sentence_list.Filters(tuple(who), tuple(classes), tuple(kinds), worth, text or "")


def _default_kinds(counts: dict[str, int], ranked: bool) -> list[str]:
    if not ranked:
        return list(sentence_list.ROW_KINDS)
    matched = counts[sentence_list.LIKELY] + counts[sentence_list.POSSIBLE]
    return (
        list(sentence_list.DEFAULT_KINDS)
        if matched
        else [*sentence_list.DEFAULT_KINDS, sentence_list.UNMATCHED]
    )


def _shows_below() -> bool:
    return "topics" in st.query_params


def _toggle_below() -> None:
    if _shows_below():
        st.query_params.pop("topics")
    else:
        st.query_params["topics"] = "shown"
        st.session_state["to_below"] = True  # the list goes where they begin


def _more_filters(everything: tuple[sentence_list.Row, ...]) -> tuple[list[str], list[str], float]:
    # the address holds what the reader sees of an option, so the options carry no counts
    names = [name for name, _ in sentence_list.speakers(everything)]
    chosen = st.multiselect("Speaker", names, key="speaker", bind="query-params")
    present = sentence_list.rating_classes(everything)
    classes = st.multiselect(
        "Rating",
        present,
        format_func=lambda name: SIGNS[RatingClass(name)].words,
        key="rating",
        bind="query-params",
    )
    worth = st.slider(
        "Check-worthiness at least", 0.0, 1.0, 0.0, 0.05, key="worth", bind="query-params"
    )
    return chosen, classes, worth


def _requested_number() -> int | None:
    number_text = st.query_params.get("s", "")
    return int(number_text) if number_text.isdecimal() else st.session_state.get("chosen")


def _selected() -> None:
    number = st.session_state["list"]["selected"]
    st.session_state["chosen"] = number
    st.query_params["s"] = str(number)
    st.query_params.pop("match", None)
    st.rerun("card")
