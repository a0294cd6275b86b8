"""The review of a report: one match after another, decided by key, with what others decide meanwhile.

A decision is stored before the next match is shown. The state of the page is in the URL or the
database, so that a reload or a lost connection changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

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
from assistant.ui import account, export_menu, match_order_choice, review_adding, review_card
from assistant.ui.component import component
from assistant.ui.shared_resources import decisions, desk

EVERY_MATCH = "Every match"
BEST_MATCHES = "Best match of each row"


def review(report: Report) -> None:
    """Draw the review of one report."""
    transcript = report.transcript
    day = wording.day(transcript.event_date, "date of the event not set")
    st.html(f'<div class="lx-title"><h1>Review · {escape(transcript.title)} · {day}</h1></div>')
    draw_review(report)


@account.fragment(key="workplace")
def draw_review(report: Report) -> None:
    """Draw name, progress, the current match with its buttons, and decisions without a place in the report."""
    placed = deciding.placed(decisions(), report)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="review_bar"):
        account.name_field()
        which = st.segmented_control(
            "What to review",
            (BEST_MATCHES, EVERY_MATCH),
            default=BEST_MATCHES,
            required=True,
            key="which",
            bind="query-params",
        )
        match_order_choice.order_menu(report.transcript.event_date)
        export_menu.export_menu(report)
        _keys_menu()
    shown_report, notes = _in_chosen_order(placed.report)
    shown = ReportView(shown_report)
    items = review_queue.items(shown, every=which == EVERY_MATCH)
    st.html(f'<p class="lx-line" role="status">{review_queue.progress(items)}</p>')
    if notes:
        st.html(f'<p class="lx-soft lx-tight">{escape(notes)}</p>')
    if not items:
        st.html(f'<p class="lx-line">{escape(wording.nothing_found(shown))}</p>')
        review_adding.missed_match(placed, report.sentences[0].sentence.number)
        review_adding.fact_check(report)
        return
    counted = review_queue.counts(items)
    st.progress(counted["decided"] / counted["all"])
    if counted["decided"] == counted["all"]:
        st.success("Everything here is decided. Export it, or go through it again.")
    place = review_queue.at(items, st.query_params.get("at", ""))
    _draw_conflict(placed)
    left, right = st.columns([4, 8], gap="medium")
    left.html(review_card.queue_list(items, place))
    with right:
        _buttons(placed, items, place)
    with right, st.container(key="card", gap="small"):
        hindered = bool(account.review_refusal())
        review_card.draw_match(
            shown, items[place], partial(_set_apart, placed, items[place]), hindered=hindered
        )
        review_adding.missed_match(placed, items[place].checked.sentence.number)
        review_adding.fact_check(report)
    _orphans(placed)


def _in_chosen_order(report: Report) -> tuple[Report, str]:
    """Return the report with its matches in the chosen order, and a note on what that leaves out or puts last."""
    event = report.transcript.event_date
    order = match_order_choice.chosen_order(event)
    matches = [match for checked in report.sentences for match in checked.matches]
    return match_order.arranged(report, order), " ".join(match_order.notes(matches, order, event))


def keys_path() -> Path:
    """Return the path of this computer's key bindings."""
    return desk().settings.home / "review-keys.json"


def _buttons(placed: Placed, items: list[Item], place: int) -> None:
    """Draw the decisions with their keys, and the reasons once Reject was pressed."""
    item = items[place]
    keys = review_queue.load_keys(keys_path())
    names = [one.name for one in items]
    record = placed.records.get((item.checked.sentence.number, item.match.claim.id))
    bound = (placed, item, items[review_queue.following(items, place)].name)
    hindrance = account.review_refusal()
    with st.container(horizontal=True, gap="small"):
        for verdict in ("confirm", "reject", "later"):
            rejecting = verdict == "reject"
            st.button(
                verdict.capitalize() + ("…" if rejecting else ""),
                shortcut=keys[verdict],
                key=f"do_{verdict}",
                disabled=bool(hindrance),
                on_click=_toggle_reasons if rejecting else _decide,
                args=() if rejecting else (bound, verdict, ""),
            )
        own = None if hindrance else deciding.last_by(placed.records.values(), account.name())
        back = (placed, own, items)
        st.button(
            "Undo",
            shortcut=keys["undo"],
            key="do_undo",
            disabled=own is None,
            on_click=_undo,
            args=back,
        )
        for action, step in (("previous", -1), ("next", 1)):
            to = names[(place + step) % len(names)]
            st.button(
                action.capitalize(),
                shortcut=keys[action],
                key=f"do_{action}",
                on_click=_open_item,
                args=(to,),
            )
    if hindrance:
        st.html(f'<p class="lx-warn">{hindrance}</p>')
    if st.session_state.get("rejecting") and not hindrance:
        _reason_buttons(bound)
    st.text_input(
        "Note",
        key=f"note_{item.name}",
        value=_note_of(record),
        placeholder="saved with the decision",
    )
    component("typing")(key="typing")  # letters stay in the field where they are typed


def _reason_buttons(bound: Any) -> None:
    st.html('<p class="lx-line">Why is it no match?</p>')
    with st.container(horizontal=True, gap="small"):
        for number, reason in enumerate(deciding.REASONS, 1):
            st.button(
                reason.capitalize(),
                shortcut=str(number),
                key=f"reason_{number}",
                on_click=_decide,
                args=(bound, "reject", reason),
            )


def _note_of(record: Record | None) -> str:
    return record.decision.note if record and record.decision else ""


def _toggle_reasons() -> None:
    st.session_state["rejecting"] = not st.session_state.get("rejecting")


def _open_item(name: str) -> None:
    st.query_params["at"] = name
    st.session_state["rejecting"] = False


def _decide(bound: Any, verdict: str, reason: str) -> None:
    """Store a decision on the match on the screen and on those of folded passages, and go on to the next open one."""
    placed, item, after = bound
    note = st.session_state.get(f"note_{item.name}", "").strip()
    _store(placed, (item, *item.also), Decision(verdict, reason, account.name(), note=note), after)
    st.session_state["rejecting"] = False


def _set_apart(placed: Placed, item: Item, folded: Item) -> None:
    """Put off a folded passage by itself: decided on apart, it is a row of its own."""
    _store(placed, (folded,), Decision("later", by=account.name()), item.name)


def _store(placed: Placed, together: Sequence[Item], decision: Decision, after: str) -> None:
    try:
        account.require(Role.REVIEWER)
        places = [(item.checked.sentence.number, item.match) for item in together]
        deciding.decide_all(decisions(), placed, places, decision)
    except DecisionConflict as error:
        st.session_state["conflict"] = (error.theirs, decision, together[0].name)
    except LecternError as error:
        st.session_state["refused"] = str(error)
    else:
        _open_item(after)


def _undo(placed: Placed, record: Record, items: list[Item]) -> None:
    """Take back the newest decision of the person, and go to where it was made."""
    try:
        account.require(Role.REVIEWER)
        deciding.undo_all(decisions(), placed.records.values(), record, account.name())
    except LecternError as error:
        st.session_state["refused"] = str(error)
        return
    for item in items:
        if (item.match.claim.id, item.match.decision) == (record.anchor.claim_id, record.decision):
            _open_item(item.name)


def _draw_conflict(placed: Placed) -> None:
    """Show what somebody else decided meanwhile, and let the person choose between the two decisions."""
    refused = st.session_state.pop("refused", "")
    if refused:
        st.warning(plain(refused))
    if "conflict" not in st.session_state:
        return
    their_record, own_decision, name = st.session_state["conflict"]
    decision = (
        wording.decision_text(their_record.decision)
        if their_record.decision
        else f"Taken back by {their_record.done_by}"
    )
    st.warning(
        f"Somebody else changed this: {plain(decision)}. You wanted: {plain(wording.decision_text(own_decision))}."
    )
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Take theirs", key="take_theirs", on_click=_resolve_conflict, args=(None, None, name)
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
        keys = review_queue.load_keys(keys_path())
        typed_keys = {
            action: st.text_input(action.capitalize(), keys[action], key=f"key_{action}")
            for action in review_queue.KEYS
        }
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
    """List the decisions that have no place in this report."""
    if not placed.orphans:
        return
    with st.expander(
        f"{wording.count(len(placed.orphans), 'earlier decision')} without a place in this report"
    ):
        for orphan in placed.orphans:
            anchor = orphan.record.anchor
            line = f"{wording.decision_text(orphan.record.decision)}: “{anchor.text}” — {anchor.statement} ({orphan.why})"
            st.html(f'<p class="lx-line">{escape(line)}</p>')
