"""The passages that say a statement again, each with a box to tick if the decision covers it, too."""

from __future__ import annotations

import streamlit as st

from assistant.report import wording
from assistant.report.view import ReportView
from assistant.reports.markdown_form import escape_markdown
from assistant.review.review_queue import ReviewItem
from assistant.ui import account, sentence_list
from assistant.ui import card_html as html
from assistant.ui.decision_bar import tick_key

ALSO_HELP = "Your decision covers this passage, too. Without the tick it becomes a row of its own."


def draw_grouped(view: ReportView, item: ReviewItem) -> None:
    """Draw the grouped passages of an item with their boxes."""
    is_refused = bool(account.review_refusal())
    title = f"Also confirm or reject these ({len(item.grouped_items):,})"
    is_expanded = len(item.grouped_items) <= wording.MAX_LISTED_REPEATS
    with st.expander(title, key=f"beside_{item.name}", expanded=is_expanded):
        for grouped_item in item.grouped_items:
            line = sentence_list.passage_line(view, grouped_item.checked)
            with st.container(
                horizontal=True,
                vertical_alignment="top",
                gap="small",
                key=f"apart_{grouped_item.name}",
            ):
                st.checkbox(
                    f"Also this passage at {escape_markdown(line.beginning)}",
                    help=ALSO_HELP,
                    key=tick_key(grouped_item),
                    disabled=is_refused,
                )
                st.html(html.passage_html(line), width="stretch")
