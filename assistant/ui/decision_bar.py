"""The decision bar: confirm, reject, later, undo and note for one match, each with its key.

A decision is stored before the next match is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from assistant.core.access import Role
from assistant.core.domain import Decision
from assistant.core.errors import LecternError
from assistant.report.view import ReportView
from assistant.reports.markdown_form import escape_markdown
from assistant.review import deciding, review_queue
from assistant.review.decision_placement import DecidedReport
from assistant.review.decision_store import Record
from assistant.review.review_queue import ReviewItem
from assistant.ui import account, contested_decisions
from assistant.ui.component import component
from assistant.ui.shared_resources import check_service, decisions
from assistant.ui.shown_text import draw_warning

DECISION_HELP = (
    "Confirm adds the match to the confirmed report. Reject removes it from this debate’s matches "
    "and asks why. Later puts it at the end of the review. Undo takes back your last decision. "
    "Your note and your name are saved with the decision and printed in exports."
)
REJECT_HELP = (
    "Reports, counts and the timeline leave the match out. The list crosses the statement out and "
    "moves it to its end. The fact-check itself stays."
)
DRAFTS_KEY = "note_drafts"  # in the session: notes that no decision has saved, by match
UNDO_HELP = "Takes back your last decision on this debate, and opens its statement."


@dataclass(frozen=True)
class DecisionStep:
    """A match to decide on, the queue that it is from, and a function that opens an item of it.

    ``position`` is None for a match that is not in the queue.
    """

    placed: DecidedReport
    item: ReviewItem
    queue: Sequence[ReviewItem]
    position: int | None
    open_item: Callable[[str], None]

    @property
    def next_name(self) -> str:
        """Return the name of the next open item, of this one if nothing is open."""
        if not self.queue:
            return self.item.name
        if self.position is None:
            next_position = review_queue.at(self.queue, "")  # the first open item
        else:
            next_position = review_queue.following(self.queue, self.position)
        return self.queue[next_position].name


def step_of(
    view: ReportView,
    placed: DecidedReport,
    item: ReviewItem,
    open_item: Callable[[str], None],
    *,
    every: bool = False,
    board: Sequence[int] | None = None,
) -> DecisionStep:
    """Return the step that decides on a match of a card; ``view`` is that of the placed report.

    ``every``: each match of a statement is in the queue, not only the best one. ``board``: the
    numbers of the sentences of a live event that its list shows, which then make the queue.
    """
    if board is None:
        queue = review_queue.items(view, every_match=every)
    else:
        queue = review_queue.items_of_sentences(view, board)
    for position, queued_item in enumerate(queue):
        if queued_item.name == item.name:
            # an item of the queue also has the passages grouped with it
            return DecisionStep(placed, queued_item, queue, position, open_item)
    return DecisionStep(placed, item, queue, None, open_item)


def covered_items(item: ReviewItem) -> tuple[ReviewItem, ...]:
    """Return the items that a decision covers: the shown one and the ticked passages below it."""
    ticked_items = [
        grouped_item
        for grouped_item in item.grouped_items
        if st.session_state.get(tick_key(grouped_item))
    ]
    return (item, *ticked_items)


def tick_key(item: ReviewItem) -> str:
    """Return the key of the box by which a decision covers a passage, too."""
    return f"also_{item.name}"


def keys_path() -> Path:
    """Return the path of this computer's key bindings."""
    return check_service().settings.home / "review-keys.json"


def draw_decisions(step: DecisionStep) -> None:
    """Draw the decisions with their keys, and the reasons once Reject was pressed."""
    keys = review_queue.load_keys(keys_path())
    refusal = account.review_refusal()  # why this visitor cannot decide, or ""
    error_text = st.session_state.pop("refused", "")  # from the last click
    if error_text:
        draw_warning(error_text)
    contested_decisions.draw_question(step.item.checked.sentence.number)
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="decision_buttons"
    ):
        _verdict_buttons(step, keys, is_refused=bool(refusal))
        own_decision = None
        if not refusal:
            own_decision = deciding.last_decision_by(step.placed.records.values(), account.name())
        st.button(
            "Undo",
            shortcut=keys["undo"],
            key="do_undo",
            help=UNDO_HELP,
            type="tertiary",
            disabled=own_decision is None,
            on_click=_undo,
            args=(step, own_decision),
        )
        _note_field(step)
    if st.session_state.get("rejecting") and not refusal:
        _reason_buttons(step)
    component("typing_guard")(key="typing_guard")  # typed letters trigger no shortcut


def decision_help() -> str:
    """Return the effect of each decision as HTML, after the reason if the visitor cannot decide."""
    refusal = account.review_refusal()
    refusal_html = f"<b>{refusal}</b> " if refusal else ""
    return f'<p class="lx-decision-help">{refusal_html}{DECISION_HELP}</p>'


def _note_field(step: DecisionStep) -> None:
    item = step.item
    record = step.placed.records.get((item.checked.sentence.number, item.match.claim.id))
    # Streamlit forgets the text of a field that it no longer draws.
    note = _drafts().get(_draft_key(step), _note_of(record))
    st.text_input(
        "Note",
        key=f"note_{item.name}",
        value=note,
        placeholder="Note, printed in exports",
        label_visibility="collapsed",
        width="stretch",
        on_change=_keep_draft,
        args=(step,),
    )


def _keep_draft(step: DecisionStep) -> None:
    _drafts()[_draft_key(step)] = st.session_state[f"note_{step.item.name}"]


def _drafts() -> dict[tuple[str, str], str]:
    """Return the notes of this session that no decision has saved."""
    drafts: dict[tuple[str, str], str] = st.session_state.setdefault(DRAFTS_KEY, {})
    return drafts


def _draft_key(step: DecisionStep) -> tuple[str, str]:
    return step.placed.report.transcript.source.sha256, step.item.name


def _verdict_buttons(step: DecisionStep, keys: Mapping[str, str], *, is_refused: bool) -> None:
    st.button(
        "Confirm",
        shortcut=keys["confirm"],
        key="do_confirm",
        type="primary",
        disabled=is_refused,
        on_click=_decide,
        args=(step, "confirm", ""),
    )
    st.button(
        "Reject…",
        shortcut=keys["reject"],
        key="do_reject",
        help=REJECT_HELP,
        disabled=is_refused,
        on_click=_toggle_reasons,
    )
    st.button(
        "Later",
        shortcut=keys["later"],
        key="do_later",
        type="tertiary",
        disabled=is_refused,
        on_click=_decide,
        args=(step, "later", ""),
    )


def _reason_buttons(step: DecisionStep) -> None:
    st.html('<p class="lx-line">Why not?</p>')
    with st.container(horizontal=True, gap="small"):
        for number, reason in enumerate(deciding.REASONS, 1):
            st.button(
                escape_markdown(reason.capitalize()),
                shortcut=str(number),
                key=f"reason_{number}",
                on_click=_decide,
                args=(step, "reject", reason),
            )


def _note_of(record: Record | None) -> str:
    return record.decision.note if record and record.decision else ""


def _toggle_reasons() -> None:
    st.session_state["rejecting"] = not st.session_state.get("rejecting")


def _open_item(step: DecisionStep, name: str) -> None:
    st.session_state["rejecting"] = False
    step.open_item(name)


def _decide(step: DecisionStep, verdict: str, reason: str) -> None:
    """Store a decision on the shown match and the ticked passages, and open the next open item."""
    item = step.item
    note = st.session_state.get(f"note_{item.name}", "").strip()
    decision = Decision(verdict, reason, account.name(), note=note)
    st.session_state["rejecting"] = False
    _store(step, covered_items(item), decision)


def _store(step: DecisionStep, items: Sequence[ReviewItem], decision: Decision) -> None:
    try:
        account.require(Role.REVIEWER)
        matches = [(item.checked.sentence.number, item.match) for item in items]
        contested = deciding.decide_all(decisions(), step.placed, matches, decision)
    except LecternError as error:
        st.session_state["refused"] = str(error)
        return
    _drafts().pop(_draft_key(step), None)
    contested_decisions.ask(contested)
    if not contested:
        _open_item(step, step.next_name)


def _undo(step: DecisionStep, record: Record) -> None:
    """Undo the person's newest decision, and open its match."""
    try:
        account.require(Role.REVIEWER)
        deciding.undo_all(decisions(), step.placed.records.values(), record, account.name())
    except LecternError as error:
        st.session_state["refused"] = str(error)
        return
    # the undone decision may be on another match, which is opened now
    name_to_open = step.item.name
    for item in review_queue.items(ReportView(step.placed.report), every_match=True):
        is_same_claim = item.match.claim.id == record.anchor.claim_id
        if is_same_claim and item.match.decision == record.decision:
            name_to_open = item.name
    _open_item(step, name_to_open)
