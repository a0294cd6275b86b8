"""The review of a report: one match after another, decided by key, with what others decide meanwhile.

A decision is stored before the next match is shown. The state of the page is in the URL or the
database, so that a reload or a lost connection changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from assistant.core.access import Role
from assistant.core.domain import Decision, Report
from assistant.core.errors import DecisionConflict, LecternError
from assistant.report import match_order, wording
from assistant.report.view import ReportView
from assistant.reports.markdown_form import plain
from assistant.review import deciding, review_queue
from assistant.review.decision_placement import Placed
from assistant.review.decision_store import Record
from assistant.review.review_queue import Item
from assistant.ui import account, match_order_choice, review_adding, review_card
from assistant.ui.component import component
from assistant.ui.shared_resources import decisions, desk
from assistant.ui.shown_text import escape

EVERY_MATCH = "Every match"
BEST_MATCHES = "Best match of each row"


class ReviewStep(NamedTuple):
    """A decision to be made: the item, and the name of the next open item."""

    placed: Placed
    item: Item
    next_name: str


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
        st.success("Everything here is decided. Export it, or go through it again.")
    position = review_queue.at(items, st.query_params.get("at", ""))
    item = items[position]
    _draw_conflict(placed)
    queue_column, match_column = st.columns([4, 8], gap="medium")
    queue_column.html(review_card.queue_list(items, position))
    with match_column:
        _buttons(placed, items, position)
    with match_column, st.container(key="card", gap="small"):
        is_refused = bool(account.review_refusal())
        review_card.draw_match(view, item, is_refused=is_refused)
        review_adding.missed_match(placed, item.checked.sentence.number)
        review_adding.fact_check(report)
    _orphans(placed)


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


def keys_path() -> Path:
    """Return the path of this computer's key bindings."""
    return desk().settings.home / "review-keys.json"


def _buttons(placed: Placed, items: list[Item], position: int) -> None:
    """Draw the decisions with their keys, and the reasons once Reject was pressed."""
    item = items[position]
    keys = review_queue.load_keys(keys_path())
    next_item = items[review_queue.following(items, position)]
    step = ReviewStep(placed, item, next_item.name)
    refusal = account.review_refusal()
    with st.container(horizontal=True, gap="small"):
        _verdict_buttons(step, keys, is_refused=bool(refusal))
        own_decision = None
        if not refusal:
            own_decision = deciding.last_by(placed.records.values(), account.name())
        st.button(
            "Undo",
            shortcut=keys["undo"],
            key="do_undo",
            disabled=own_decision is None,
            on_click=_undo,
            args=(placed, own_decision, items),
        )
        for action, offset in (("previous", -1), ("next", 1)):
            target = items[(position + offset) % len(items)]
            st.button(
                plain(action.capitalize()),
                shortcut=keys[action],
                key=f"do_{action}",
                on_click=_open_item,
                args=(target.name,),
            )
    if refusal:
        st.html(f'<p class="lx-warn">{refusal}</p>')
    elif st.session_state.get("rejecting"):
        _reason_buttons(step)
    record = placed.records.get((item.checked.sentence.number, item.match.claim.id))
    st.text_input(
        "Note",
        key=f"note_{item.name}",
        value=_note_of(record),
        placeholder="saved with the decision",
    )
    component("typing_guard")(key="typing_guard")  # typed letters trigger no shortcut


def _verdict_buttons(step: ReviewStep, keys: Mapping[str, str], *, is_refused: bool) -> None:
    st.button(
        "Confirm",
        shortcut=keys["confirm"],
        key="do_confirm",
        disabled=is_refused,
        on_click=_decide,
        args=(step, "confirm", ""),
    )
    st.button(
        "Reject…",
        shortcut=keys["reject"],
        key="do_reject",
        disabled=is_refused,
        on_click=_toggle_reasons,
    )
    st.button(
        "Later",
        shortcut=keys["later"],
        key="do_later",
        disabled=is_refused,
        on_click=_decide,
        args=(step, "later", ""),
    )


def _reason_buttons(step: ReviewStep) -> None:
    st.html('<p class="lx-line">Why is it no match?</p>')
    with st.container(horizontal=True, gap="small"):
        for number, reason in enumerate(deciding.REASONS, 1):
            st.button(
                plain(reason.capitalize()),
                shortcut=str(number),
                key=f"reason_{number}",
                on_click=_decide,
                args=(step, "reject", reason),
            )


def _note_of(record: Record | None) -> str:
    return record.decision.note if record and record.decision else ""


def _toggle_reasons() -> None:
    st.session_state["rejecting"] = not st.session_state.get("rejecting")


def _open_item(name: str) -> None:
    st.query_params["at"] = name
    st.session_state["rejecting"] = False


def _decide(step: ReviewStep, verdict: str, reason: str) -> None:
    """Store a decision on the shown match and the ticked passages, and open the next open item."""
    item = step.item
    note = st.session_state.get(f"note_{item.name}", "").strip()
    decision = Decision(verdict, reason, account.name(), note=note)
    _store(step.placed, review_card.covered_items(item), decision, step.next_name)
    st.session_state["rejecting"] = False


def _store(placed: Placed, items: Sequence[Item], decision: Decision, next_name: str) -> None:
    try:
        account.require(Role.REVIEWER)
        matches = [(item.checked.sentence.number, item.match) for item in items]
        deciding.decide_all(decisions(), placed, matches, decision)
    except DecisionConflict as error:
        st.session_state["conflict"] = (error.theirs, decision, items[0].name)
    except LecternError as error:
        st.session_state["refused"] = str(error)
    else:
        _open_item(next_name)


def _undo(placed: Placed, record: Record, items: list[Item]) -> None:
    """Undo the person's newest decision, and open its match."""
    try:
        account.require(Role.REVIEWER)
        deciding.undo_all(decisions(), placed.records.values(), record, account.name())
    except LecternError as error:
        st.session_state["refused"] = str(error)
        return
    for item in items:
        is_same_claim = item.match.claim.id == record.anchor.claim_id
        if is_same_claim and item.match.decision == record.decision:
            _open_item(item.name)


def _draw_conflict(placed: Placed) -> None:
    """Show another person's decision of the meantime, and let the reviewer choose between the two."""
    refusal = st.session_state.pop("refused", "")
    if refusal:
        st.warning(plain(refusal))
    if "conflict" not in st.session_state:
        return
    their_record, own_decision, name = st.session_state["conflict"]
    if their_record.decision:
        their_words = wording.decision_text(their_record.decision)
    else:
        their_words = f"Taken back by {their_record.done_by}"
    own_words = wording.decision_text(own_decision)
    st.warning(f"Somebody else changed this: {plain(their_words)}. You wanted: {plain(own_words)}.")
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Take theirs",
            key="take_theirs",
            on_click=_resolve_conflict,
            args=(None, None, name),
        )
        st.button(
            "Take mine",
            key="take_mine",
            on_click=_resolve_conflict,
            args=(their_record, own_decision, name),
        )


def _resolve_conflict(
    their_record: Record | None, own_decision: Decision | None, name: str
) -> None:
    st.session_state.pop("conflict", None)
    if their_record is not None and own_decision is not None:
        try:
            account.require(Role.REVIEWER)
            deciding.follow(decisions(), their_record, own_decision)
        except DecisionConflict as error:
            st.session_state["conflict"] = (error.theirs, own_decision, name)
        except LecternError as error:
            st.session_state["refused"] = str(error)
    _open_item(name)


def _keys_menu() -> None:
    """Draw the menu that assigns a letter to each action, for those who may change settings."""
    if not account.may(Role.EDITOR):
        return
    with st.popover("Keys"):
        saved_keys = review_queue.load_keys(keys_path())
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
                review_queue.save_keys(keys_path(), typed_keys)
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
