"""The tools of the view Review: progress, which matches to decide, keys, and decisions without a place.

List and card are the same in every view; the list begins with the undecided
statements. A decision is stored before the next match is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from assistant.core.access import Role
from assistant.core.errors import LecternError
from assistant.report import wording
from assistant.report.view import ReportView
from assistant.reports.markdown_form import escape_markdown
from assistant.review import review_queue
from assistant.review.decision_placement import DecidedReport
from assistant.ui import account, decision_bar
from assistant.ui.shown_text import draw_error, escape

EVERY_MATCH = "All"
BEST_MATCHES = "One per statement"
MOVE_ACTIONS = ("next", "previous")
OLD_POSITION = "at"  # in old addresses: the item under review, ``12.1``


@dataclass(frozen=True, slots=True)
class Review:
    """A review that is going on.

    ``is_every_match``: each match of a statement is decided, not only the best one.
    """

    is_every_match: bool = False


def open_old_position() -> None:
    """Turn the position in an old address of a review into sentence and match."""
    position = st.query_params.pop(OLD_POSITION, "")  # "12.1": sentence 12, first match
    number, _, match_number = position.partition(".")
    if number.isdigit() and match_number.isdigit():
        st.query_params["s"] = number
        st.query_params["match"] = match_number


def chosen_review() -> Review:
    """Return the review that the address asks for."""
    return Review(is_every_match=st.query_params.get("which") == EVERY_MATCH)


def draw_progress(view: ReportView, review: Review) -> None:
    """Draw how many statements are decided, or how many matches."""
    every_match = review.is_every_match
    verdicts = review_queue.verdicts_to_give(view, every_match=every_match)
    progress_words = escape(review_queue.progress(verdicts, every_match=every_match))
    verdict_counts = review_queue.verdict_counts(verdicts)
    decided_percent = 100 * verdict_counts["decided"] / max(1, verdict_counts["all"])
    st.html(
        f'<p class="lx-count lx-progress" role="status">{progress_words}'
        f'<span class="lx-done" style="width:{decided_percent:.0f}%"></span></p>',
        width="stretch",
    )


def is_done(view: ReportView, review: Review) -> bool:
    """Return whether every statement is decided, or every match."""
    counts = review_queue.verdict_counts(
        review_queue.verdicts_to_give(view, every_match=review.is_every_match)
    )
    return counts["decided"] == counts["all"]


def draw_tools() -> None:
    """Draw the choice of matches to review, and the keys of the decisions."""
    st.segmented_control(
        "Review",
        (BEST_MATCHES, EVERY_MATCH),
        default=BEST_MATCHES,
        required=True,
        key="which",
        bind="query-params",
    )
    _draw_key_settings()


def move_keys() -> Sequence[str]:
    """Return the keys that lead to the next and to the previous statement."""
    keys = review_queue.load_keys(decision_bar.keys_path())
    return [keys[action] for action in MOVE_ACTIONS]


def _draw_key_settings() -> None:
    """Draw a letter for each action, for people who may change settings."""
    if not account.has_role(Role.EDITOR):
        return
    with st.expander("Keys"):
        saved_keys = review_queue.load_keys(decision_bar.keys_path())
        typed_keys = {}
        for action in review_queue.KEYS:
            typed_keys[action] = st.text_input(
                escape_markdown(action.capitalize()), saved_keys[action], key=f"key_{action}"
            )
        st.html(
            '<p class="lx-soft">One letter each; never c or r. Reasons have the digits 1 to 7.</p>'
        )
        if st.button("Save these keys", key="keep_keys"):
            try:
                review_queue.save_keys(decision_bar.keys_path(), typed_keys)
                st.rerun()
            except LecternError as error:
                draw_error(error)


def draw_orphans(decided_report: DecidedReport) -> None:
    """List the decisions that have no match in this report."""
    if not decided_report.orphans:
        return
    count = wording.count(len(decided_report.orphans), "earlier decision")
    with st.expander(f"{count} without a place in this report"):
        for orphan in decided_report.orphans:
            anchor = orphan.record.anchor  # the words of the sentence and of the claim
            decision = wording.decision_text(orphan.record.decision)
            orphan_line = f"{decision}: “{anchor.text}” — {anchor.statement} ({orphan.why})"
            st.html(f'<p class="lx-line">{escape(orphan_line)}</p>')
