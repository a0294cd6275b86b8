"""The switch for ratings such as half true: listed, or skipped as in the paper.

The choice is in the address, and list, review, report and exports follow it.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from assistant.core.domain import Report
from assistant.live.event_view import LiveEntry
from assistant.passages import listing
from assistant.report import wording
from assistant.report.view import ReportView
from assistant.reports.markdown_form import escape_markdown

HALF_TRUE_HELP = (
    "Half-true ratings, and ratings that are not about truth, are listed by the strength of the "
    "match. The published method skips them."
)
CHOICES = (listing.MIXED_LISTED, listing.MIXED_SKIPPED)


def chosen_listing() -> str:
    """Return the choice in the address, "" if the address has none."""
    choice = st.query_params.get(listing.MIXED_SETTING, "")
    return choice if choice in CHOICES else ""


def with_choice(report: Report, choice: str) -> Report:
    """Return the report with half-true ratings listed or skipped, unchanged without a choice."""
    return listing.with_mixed(report, choice) if choice else report


def draw_live_half_true_switch(entries: Sequence[LiveEntry]) -> None:
    """Draw the switch of a live event if it has sentences to list or skip."""
    half_true_count = sum(1 for entry in entries if entry.is_half_true_only)
    if not half_true_count:
        return
    is_skipped = chosen_listing() == listing.MIXED_SKIPPED
    opposite_choice = listing.MIXED_LISTED if is_skipped else listing.MIXED_SKIPPED
    st.toggle(
        escape_markdown(wording.half_true_switch(half_true_count, is_skipped=is_skipped)),
        value=not is_skipped,
        key=f"half_true_{is_skipped}",
        help=HALF_TRUE_HELP,
        on_change=_store_choice,
        args=(opposite_choice,),
    )


def draw_half_true_switch(view: ReportView, *, counts_sentences: bool = False) -> None:
    """Draw the switch if the report has matches to list or skip.

    ``counts_sentences``: the list below it has a row per sentence, not per passage.
    """
    count = view.half_true_sentence_count if counts_sentences else view.half_true_count
    if not count:
        return
    opposite_choice = listing.MIXED_LISTED if view.skips_mixed else listing.MIXED_SKIPPED
    st.toggle(
        escape_markdown(wording.half_true_switch(count, is_skipped=view.skips_mixed)),
        value=not view.skips_mixed,
        key=f"half_true_{view.skips_mixed}",
        help=HALF_TRUE_HELP,
        on_change=_store_choice,
        args=(opposite_choice,),
    )


def _store_choice(choice: str) -> None:
    st.query_params[listing.MIXED_SETTING] = choice
