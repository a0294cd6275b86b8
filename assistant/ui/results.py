"""One debate on one page: best first, transcript, review and report, four views of the same thing.

Nothing is computed here: moving redraws the card, filters redraw list and card. The state is in
the URL.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from assistant.check.report_warnings import OLD_DATABASE, about_check
from assistant.core.access import Role
from assistant.core.domain import MatchOrder, Report
from assistant.core.logo import LOGO_PATH
from assistant.jobs.check_service import CheckService, job_spec_of
from assistant.report import match_order, timeline, wording
from assistant.report.view import ReportView
from assistant.reports.markdown_form import escape_markdown
from assistant.review import deciding
from assistant.review.assignment_store import Assignment
from assistant.transcripts.title_and_date import dates_in_text
from assistant.ui import (
    account,
    assignment_view,
    comment_view,
    debate_timeline,
    export_menu,
    half_true_choice,
    joined_changes,
    list_filters,
    match_order_choice,
    presence_view,
    recording_player,
    review_view,
    sentence_list,
)
from assistant.ui.address_values import number_in_address
from assistant.ui.card import card
from assistant.ui.review_view import Review
from assistant.ui.sentence_list import IN_ORDER, RANKED, Filters, ListAids, Row, draw_list
from assistant.ui.shared_resources import decisions
from assistant.ui.shown_text import escape
from assistant.ui.term_help import term
from assistant.ui.tour import tour

NOTHING_LEFT = "No statement fits these filters."
SAMPLES_ONLY = (
    "All fact-checks here are samples, invented to show how Lectern works. "
    '<a href="claims">Load real ones</a>.'
)
ALL_DECIDED = "All done. Open Report to export, or choose Confirmed or Rejected under Decision."
REVIEW = "Review"
TO_BELOW_KEY = "to_below"  # in the session: the next card belongs to the first row below
REPORT_VIEW = "Report"
VIEWS = (RANKED, IN_ORDER, REVIEW, REPORT_VIEW)
# Width in percent of list and card. In a review the card is the work, the list a quiet queue.
READING_COLUMNS = (42, 58)
REVIEW_COLUMNS = (30, 70)
BEFORE_HELP = "Shows only fact-checks published before the debate. Nothing is checked again."
RECHECK_NOTE = (
    "A match can be hidden behind a later fact-check. To search among the older ones only, check "
    "the debate again: this takes about a minute, and this report stays."
)


def draw_results(check_service: CheckService, report: Report, usual_view: str = RANKED) -> None:
    """Draw a finished report; when it is first shown, no sentence is chosen yet."""
    view = ReportView(report)
    st.set_page_config(
        page_title=f"{view.title} · Lectern", page_icon=str(LOGO_PATH), layout="wide"
    )
    document = report.transcript.source.sha256  # identifies the debate, also after a new check
    if st.session_state.get("shown") != document:
        st.session_state["shown"] = document
        st.session_state["chosen"] = None
    shown_view = _draw_title_and_views(view, usual_view)
    if shown_view == REPORT_VIEW:
        export_menu.draw_report_page(report)
        return
    if shown_view == REVIEW:
        review_view.open_old_position()
    with st.container(gap="xsmall", key="desk"):
        _draw_warnings(check_service, view)
        draw_finder(check_service, report, shown_view)
        tour()


@account.fragment(key="finder")
def draw_finder(check_service: CheckService, report: Report, shown_view: str) -> None:
    """Draw filters, list and card with people's decisions, and remember the chosen sentence."""
    # the report with people's decisions and the choice for half-true ratings ...
    decided_report = deciding.decided_report(decisions(), report)
    listed_report = half_true_choice.with_choice(
        decided_report.report, half_true_choice.chosen_listing()
    )
    decided_report = replace(decided_report, report=listed_report)
    decided_view = ReportView(decided_report.report)
    layout = IN_ORDER if shown_view == IN_ORDER else RANKED
    review = review_view.chosen_review() if shown_view == REVIEW else None
    # ... and for the list also with the matches of each sentence in the chosen order
    order = match_order_choice.chosen_order(decided_view.event_date)
    ordered_view = decided_view
    if order is not MatchOrder.CLOSEST:
        ordered_view = ReportView(match_order.arranged(decided_view.report, order))
    # the boxes of the page in their order; they are filled below, the card first if possible
    filter_bar = st.container(horizontal=True, vertical_alignment="center", gap="small", key="bar")
    timeline_box = st.container(gap=None)
    recording_box = st.container(gap=None)
    list_column, card_column = _draw_columns(review)
    chosen_number = None if TO_BELOW_KEY in st.session_state else _requested_number(ordered_view)
    if chosen_number is not None:  # the next card after a decision does not wait for the list
        st.session_state["chosen"] = chosen_number
        with card_column:
            card(check_service, decided_view, decided_report, review)
    placed_comments = comment_view.current_comments(decided_report.report)
    all_rows = sentence_list.list_rows(ordered_view, layout)
    if review is not None:
        all_rows = sentence_list.put_off_last(all_rows, counts_every_match=review.is_every_match)
    all_rows = comment_view.with_counts(all_rows, placed_comments.counts())
    debate_assignments: list[Assignment] = []
    with filter_bar:
        filters = _draw_search_and_filters(
            check_service, decided_view, ordered_view, all_rows, layout, review
        )
        if review is not None:
            debate_assignments = assignment_view.debate_assignments(decided_view.report)
            assigned_sentences = assignment_view.draw_mine(
                decided_view.report, all_rows, debate_assignments
            )
            filters = replace(filters, assigned_sentences=assigned_sentences)
        assign_slot = st.container(width="content")
    marks = _shown_marks(ordered_view, all_rows, filters)
    if marks:
        timeline_form = debate_timeline.chosen_timeline_form(is_review=review is not None)
        with timeline_box:
            marked_sentences = debate_timeline.draw_timeline(
                ordered_view.report, marks, timeline_form
            )
        filters = replace(filters, marked_sentences=marked_sentences)
    rows = sentence_list.filtered_rows(all_rows, filters)
    if review is not None:
        with assign_slot:
            assignment_view.draw_assign_menu(
                decided_view.report, rows, debate_assignments, every_match=review.is_every_match
            )
    if chosen_number is None:
        if st.session_state.pop(TO_BELOW_KEY, False):
            _request_first_below(rows)
        chosen_number = _chosen_number(ordered_view, rows)
        st.session_state["chosen"] = chosen_number
        with card_column:
            card(check_service, decided_view, decided_report, review)
    with recording_box:
        recording_player.recording_panel(check_service, decided_view.report, chosen_number)
    with list_column:
        draw_list(
            rows,
            view=layout,
            selected=chosen_number,
            empty=_empty_words(ordered_view, review, has_matches=_has_matches(all_rows)),
            on_select=_open_selected_row,
            aids=ListAids(
                marks,
                filters.search,
                review_view.move_keys(),
                is_queue=review is not None,
                can_decide=account.has_role(Role.REVIEWER),
            ),
        )
        _draw_below_list(decided_view, all_rows, filters, layout)
        if review is not None:
            review_view.draw_orphans(decided_report)
            comment_view.draw_unplaced(placed_comments.unplaced)


def _draw_columns(review: Review | None) -> tuple[DeltaGenerator, ...]:
    """Return the columns of list and card, in a box that tells the style which view is open."""
    if review is None:
        return st.container(key="reading_desk").columns(READING_COLUMNS, gap="medium")
    return st.container(key="review_desk").columns(REVIEW_COLUMNS, gap="large")


def _draw_search_and_filters(
    check_service: CheckService,
    decided_view: ReportView,
    ordered_view: ReportView,
    all_rows: Sequence[Row],
    layout: str,
    review: Review | None,
) -> Filters:
    """Draw counts, search and the two menus, and return the chosen filters.

    The counts are of the matches that the chosen order leaves, as the list is.
    """
    if review is None:
        head = _strength_counts(ordered_view) + _checked_day(check_service)
        st.html(f'<p class="lx-count">{head}</p>', width="content")
    else:
        review_view.draw_progress(ordered_view, review)
    search = list_filters.draw_search()
    filter_keys = list_filters.filter_keys(layout, review)
    with list_filters.filter_menu(filter_keys, is_before=_is_before(ordered_view.event_date)):
        filters = list_filters.draw_chips(
            all_rows, layout, search, review, shows_below=_shows_below()
        )
        _draw_older_only_filter(ordered_view.event_date)
        half_true_choice.draw_half_true_switch(ordered_view, counts_sentences=layout == IN_ORDER)
        min_worthiness = _draw_worthiness_filter(ordered_view)
    with st.popover("More", key="more_choices"):
        _draw_more(check_service, decided_view, is_review=review is not None)
    return replace(filters, min_worthiness=min_worthiness)


def _shown_marks(
    view: ReportView, all_rows: Sequence[Row], filters: Filters
) -> tuple[timeline.Mark, ...]:
    """Return the marks of the timeline, only the found ones if a search finds any."""
    marks = timeline.marks(view)
    if not filters.search:
        return marks
    found_numbers = _numbers_found_by_search(all_rows, filters)
    found_marks = tuple(mark for mark in marks if mark.number in found_numbers)
    return found_marks or marks


def _has_matches(all_rows: Sequence[Row]) -> bool:
    counts = sentence_list.kind_counts(all_rows)
    return counts[sentence_list.LIKELY] + counts[sentence_list.POSSIBLE] > 0


def _draw_below_list(
    decided_view: ReportView, all_rows: Sequence[Row], filters: Filters, layout: str
) -> None:
    """Draw buttons for rows that the list leaves out."""
    with st.container(horizontal=True, vertical_alignment="center", key="below_list"):
        if layout == RANKED:
            _draw_below_button(all_rows, filters)
            if sentence_list.UNMATCHED not in filters.kinds:
                _draw_unmatched_button(all_rows, filters)


def _empty_words(view: ReportView, review: Review | None, *, has_matches: bool) -> str:
    """Return the words of a list without rows."""
    if not has_matches:
        return wording.nothing_found(view)
    if review is not None and review_view.is_done(view, review):
        return ALL_DECIDED
    return NOTHING_LEFT


def _numbers_found_by_search(all_rows: Sequence[Row], filters: Filters) -> set[int]:
    """Return the numbers of the sentences in the rows that a search finds."""
    found_numbers: set[int] = set()
    for row in sentence_list.filtered_rows(all_rows, filters):
        found_numbers.add(row.number)
        found_numbers.update(line.number for line in row.grouped)
        found_numbers.update(row.other_sentences)
    return found_numbers


def _requested_number(view: ReportView) -> int | None:
    """Return the number of the sentence that the address asks for, None if the report lacks it.

    A link may name any sentence of the debate, also one that no row of the list shows.
    """
    requested = number_in_address("s")
    if requested is None or view.sentence(requested) is None:
        return None
    return requested


def _chosen_number(view: ReportView, rows: Sequence[Row]) -> int | None:
    """Return the number of the sentence whose card is shown."""
    requested = _requested_number(view)
    if requested is not None:
        return requested
    return sentence_list.chosen_number(rows, st.session_state.get("chosen"))


def _strength_counts(view: ReportView) -> str:
    """Return the number of listed passages by strength, as HTML, and of those with no match left."""
    counts = wording.strength_counts(view.groups)
    total = wording.count(sum(counts.values()), "statement")
    by_strength = [f"{count:,} {term(strength)}" for strength, count in counts.items()]
    rejected_count = sum(group.is_rejected for group in view.groups)
    if rejected_count:
        by_strength.append(f"{rejected_count:,} rejected")
    if not counts:
        return " · ".join([f"<b>{wording.NO_STATEMENT}</b>", *by_strength])
    return f"<b>{total}</b> may already be fact-checked: {' · '.join(by_strength)}"


def _checked_day(check_service: CheckService) -> str:
    """Return when the debate was checked, as HTML for a wide window, "" if that is not known."""
    report_id = st.query_params.get("report", "")
    written_at = check_service.jobs.report_store.written_at(report_id)
    if written_at is None:
        return ""
    day = wording.day(datetime.fromtimestamp(written_at).date())
    return f' <span class="lx-checked-day">· checked {day}</span>'


def _request_first_below(rows: Sequence[Row]) -> None:
    """Choose the first row below the list."""
    for row in rows:
        if row.kind in sentence_list.BELOW_KINDS:
            st.query_params["s"] = str(row.number)
            return


def _draw_below_button(all_rows: Sequence[Row], filters: Filters) -> None:
    """Draw the button that shows or hides the rows below the list, if there are any."""
    below_filters = replace(filters, kinds=sentence_list.BELOW_KINDS)
    below_rows = sentence_list.filtered_rows(all_rows, below_filters)
    if not below_rows:
        return
    help_text = None
    if _shows_below():
        button_label = "Hide related statements"
    else:
        count_by_kind = Counter(row.kind for row in below_rows)
        button_label = f"{wording.count(len(below_rows), 'related statement')}, not in the list"
        help_text = wording.below_list(
            count_by_kind[sentence_list.ON_TOPIC],
            count_by_kind[sentence_list.MIXED],
            count_by_kind[sentence_list.ASIDE],
        )
    st.button(
        escape_markdown(button_label),
        key="topics",
        type="tertiary",
        help=escape_markdown(help_text) if help_text else None,
        on_click=_toggle_below,
    )


def _draw_unmatched_button(all_rows: Sequence[Row], filters: Filters) -> None:
    """Draw the button that lists the searched words also in sentences without a match."""
    if not filters.search:
        return
    unmatched_filters = replace(
        filters, kinds=(sentence_list.UNMATCHED, sentence_list.DROPPED), strengths=()
    )
    unmatched_count = len(sentence_list.filtered_rows(all_rows, unmatched_filters))
    if unmatched_count:
        sentence_words = wording.count(unmatched_count, "more sentence")
        st.button(
            escape_markdown(f"{sentence_words} without a match"),
            key="unmatched",
            type="tertiary",
            on_click=list_filters.show_unmatched,
        )


def _draw_title_and_views(view: ReportView, usual_view: str) -> str:
    """Draw title, views and export in the bar of the page; return the chosen view."""
    transcript = view.report.transcript
    day = wording.day(transcript.event_date, "date not set")
    if st.query_params.get("view") not in VIEWS:
        st.query_params.pop("view", None)  # an old address names a view that is gone
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="head"):
        title = escape(transcript.title)
        if transcript.event_date not in dates_in_text(transcript.title):
            title += f" · {day}"
        st.html(f'<h1 title="{title}">{title}</h1>', width="stretch")
        shown_view = st.segmented_control(
            "View",
            VIEWS,
            default=usual_view,
            required=True,
            key="view",
            bind="query-params",
            label_visibility="collapsed",
        )
        document = transcript.source.sha256
        if document:
            with st.container(width="content", key="who_is_here"):
                presence_view.draw_presence(document)
        if shown_view != REPORT_VIEW:  # the view itself exports
            export_menu.export_menu(view.report)
        if st.button("New check"):
            del st.query_params["report"]  # filters stay: they are bound to their fields
            st.session_state.pop("transcript", None)
            st.rerun()
    return shown_view


def _draw_more(check_service: CheckService, view: ReportView, *, is_review: bool) -> None:
    """Draw the rarer choices: timeline, order of matches, recording, another check, notes."""
    if is_review:
        review_view.draw_tools()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html('<p class="lx-soft lx-tight">Timeline</p>', width="content")
        debate_timeline.timeline_choice(is_review=is_review)
    match_order_choice.draw_orders(view.event_date)
    recording_player.add_recording(check_service, view.report)
    _draw_recheck_button(check_service, view.report)
    _reading_notes(view.report)


def _draw_worthiness_filter(view: ReportView) -> float:
    """Draw the least check-worthiness of a sentence, and return it."""
    min_worthiness = st.slider(
        "Hide sentences unlikely to be checkable",
        0.0,
        1.0,
        0.0,
        0.05,
        key=list_filters.WORTH_KEY,
        bind="query-params",
    )
    sentence_counts = view.counts
    st.html(
        f'<p class="lx-soft">{sentence_counts["sentences"]:,} sentences were read, '
        f"{sentence_counts['check_worthy']:,} may be checkable; the others were skipped.</p>"
    )
    return min_worthiness


def _is_before(event_date: date | None) -> bool:
    """Return whether fact-checks from after the debate are left out, which is an order of matches."""
    return match_order_choice.chosen_order(event_date) is MatchOrder.BEFORE


def _draw_recheck_button(check_service: CheckService, report: Report) -> None:
    """Draw the button that checks the debate again with older fact-checks only, or with all."""
    if report.transcript.event_date is None or not account.has_role(Role.REVIEWER):
        return
    is_as_of_event = bool(report.manifest.settings.get("as_of_event"))
    label = "Check again with all" if is_as_of_event else "Check again with older ones only"
    st.html(f'<p class="lx-soft">{RECHECK_NOTE}</p>')
    st.button(
        escape_markdown(label),
        key="recheck",
        on_click=_recheck,
        args=(check_service, report, not is_as_of_event),
    )


def _recheck(check_service: CheckService, report: Report, as_of_event: bool) -> None:
    account.require(Role.REVIEWER)
    job = check_service.start(job_spec_of(report, as_of_event=as_of_event))
    st.query_params["report"] = job.id
    st.rerun()  # the whole page, not the fragment with the button


def _draw_older_only_filter(event_date: date | None) -> None:
    """Draw the filter for fact-checks from before the debate."""
    has_only_older = _is_before(event_date)
    help_text = BEFORE_HELP if event_date else "Set the date of the event to use this filter."
    st.checkbox(
        "Only fact-checks from before the debate",
        value=has_only_older,
        key=f"published_before_{has_only_older}",
        disabled=event_date is None,
        help=help_text,
        on_change=_toggle_before,
        args=(has_only_older,),
    )


def _toggle_before(is_before: bool) -> None:
    if is_before:
        st.query_params.pop(match_order_choice.ORDER_PARAMETER, None)
    else:
        st.query_params[match_order_choice.ORDER_PARAMETER] = str(MatchOrder.BEFORE)
    st.query_params.pop("match", None)


def _draw_warnings(check_service: CheckService, view: ReportView) -> None:
    report = view.report
    newest_text = report.manifest.database.get("newest_review_date")
    newest_day = date.fromisoformat(newest_text) if newest_text else None
    warnings = []
    old_database = wording.old_database(newest_day, report.transcript.event_date)
    if old_database:
        warnings.append(old_database)
    if not view.groups:
        nothing_found = wording.nothing_found(view)
        warning = f"{nothing_found} The closest fact-checks are in the cards."
        if check_service.status().only_samples:
            warning += f" {SAMPLES_ONLY}"
        warnings.append(warning)
    for line in report.warnings:
        if about_check(line) and OLD_DATABASE not in line:  # said above already
            warnings.append(escape(line))
    for warning in warnings:
        st.html(f'<p class="lx-warn">{warning}</p>')


def _reading_notes(report: Report) -> None:
    """Draw the notes on how the transcript was read."""
    notes = [line for line in report.warnings if not about_check(line)]
    if notes:
        items = "".join(f"<li>{escape(line)}</li>" for line in notes)
        title = f"{wording.count(len(notes), 'note')} on how this transcript was read"
        st.html(f'<div class="lx-notes">{title}<ul>{items}</ul></div>')


def _shows_below() -> bool:
    return "topics" in st.query_params


def _toggle_below() -> None:
    if _shows_below():
        st.query_params.pop("topics")
    else:
        st.query_params["topics"] = "shown"
        st.session_state[TO_BELOW_KEY] = True  # the list scrolls to the first of them


def _open_selected_row() -> None:
    number = st.session_state["list"]["selected"]
    st.session_state["chosen"] = number
    if number_in_address("s") != number:  # the list has written it there (list.js)
        st.query_params["s"] = str(number)
    st.query_params.pop("match", None)
    joined_changes.redraw("card")
