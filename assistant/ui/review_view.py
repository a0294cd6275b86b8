"""The review of a report: one match after another, decided by key, with what others decide meanwhile.

A decision is stored before the next match is shown. The state of the page is in the URL or the
database, so that a reload or a lost connection changes nothing.
"""

from __future__ import annotations

import streamlit as st

from assistant.core.access import Role
from assistant.core.domain import Report
from assistant.core.errors import LecternError
from assistant.report import match_order, wording
from assistant.report.view import ReportView
from assistant.reports.markdown_form import plain
from assistant.review import deciding, review_queue
from assistant.review.decision_placement import Placed
from assistant.ui import account, decision_bar, match_order_choice, review_adding, review_card
from assistant.ui.decision_bar import DecisionStep
from assistant.ui.shared_resources import decisions
from assistant.ui.shown_text import escape

EVERY_MATCH = "All"
BEST_MATCHES = "One per statement"


@account.fragment(key="workplace")
def draw_review(report: Report) -> None:
    """Draw the controls, the current match with its buttons, and decisions that have no match here."""
    placed = deciding.placed(decisions(), report)
    scope = _controls(report)
    ordered_report, order_notes = _in_chosen_order(placed.report)
    view = ReportView(ordered_report)
    items = review_queue.items(view, every=scope == EVERY_MATCH)
    st.html(f'<p class="lx-line" role="status">{review_queue.progress(items)}</p>')
    if order_notes:
        st.html(f'<p class="lx-soft lx-tight">{escape(order_notes)}</p>')
    if not items:
        st.html(f'<p class="lx-line">{escape(wording.nothing_found(view))}</p>')
        review_adding.missed_match(placed, report.sentences[0].sentence.number)
        review_adding.fact_check(report)
        return
    counts = review_queue.counts(items)
    st.progress(counts["decided"] / counts["all"])
    if counts["decided"] == counts["all"]:
        st.success("All done. Export the report, or go through it again.")
    position = review_queue.at(items, st.query_params.get("at", ""))
    item = items[position]
    step = DecisionStep(placed, item, items, position, _open_item)
    queue_column, match_column = st.columns([4, 8], gap="medium")
    queue_column.html(review_card.queue_list(items, position))
    with match_column:
        decision_bar.draw_decisions(step, has_moves=True)
    with match_column, st.container(key="card", gap="small"):
        is_refused = bool(account.review_refusal())
        review_card.draw_match(view, item, is_refused=is_refused)
        review_adding.missed_match(placed, item.checked.sentence.number)
        review_adding.fact_check(report)
    _orphans(placed)


def _open_item(name: str) -> None:
    st.query_params["at"] = name


def _controls(report: Report) -> str:
    """Draw the bar of controls, and return which matches to review."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="review_bar"):
        account.name_field()
        scope = st.segmented_control(
            "What to review",
            (BEST_MATCHES, EVERY_MATCH),
            default=BEST_MATCHES,
            required=True,
            key="which",
            bind="query-params",
        )
        match_order_choice.order_menu(report.transcript.event_date)
        _keys_menu()
    return scope


def _in_chosen_order(report: Report) -> tuple[Report, str]:
    """Return the report with its matches in the chosen order, and a note on what that leaves out or puts last."""
    event = report.transcript.event_date
    order = match_order_choice.chosen_order(event)
    matches = [match for checked in report.sentences for match in checked.matches]
    return match_order.arranged(report, order), " ".join(match_order.notes(matches, order, event))


def _keys_menu() -> None:
    """Draw the menu that assigns a letter to each action, for those who may change settings."""
    if not account.may(Role.EDITOR):
        return
    with st.popover("Keys"):
        saved_keys = review_queue.load_keys(decision_bar.keys_path())
        typed_keys = {}
        for action in review_queue.KEYS:
            typed_keys[action] = st.text_input(
                plain(action.capitalize()), saved_keys[action], key=f"key_{action}"
            )
        st.html(
            '<p class="lx-soft">One letter each; never c or r. Reasons have the digits 1 to 7.</p>'
        )
        if st.button("Save these keys", key="keep_keys"):
            try:
                review_queue.save_keys(decision_bar.keys_path(), typed_keys)
                st.rerun()
            except LecternError as error:
                st.error(plain(str(error)))


def _orphans(placed: Placed) -> None:
    """List the decisions that have no match in this report."""
    if not placed.orphans:
        return
    count = wording.count(len(placed.orphans), "earlier decision")
    with st.expander(f"{count} without a place in this report"):
        for orphan in placed.orphans:
            anchor = orphan.record.anchor
            decision = wording.decision_text(orphan.record.decision)
            line = f"{decision}: “{anchor.text}” — {anchor.statement} ({orphan.why})"
            st.html(f'<p class="lx-line">{escape(line)}</p>')
