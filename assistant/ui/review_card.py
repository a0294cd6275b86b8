"""The card of the match under review, with its decision, and the queue of matches beside it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from assistant.report import contents, wording
from assistant.report.view import ReportView
from assistant.reports.markdown_form import plain
from assistant.review.review_queue import Item
from assistant.ui import card, sentence_list
from assistant.ui import card_html as html
from assistant.ui.shared_resources import desk
from assistant.ui.shown_text import escape

APART_HELP = (
    "Puts this passage off: it becomes a row of its own, and your decision here leaves it alone."
)


def draw_match(
    view: ReportView, item: Item, set_apart: Callable[[Item], None], *, is_refused: bool
) -> None:
    """Draw the evidence for a decision; ``set_apart`` is called for a grouped passage."""
    checked = item.checked
    match = item.match
    number = checked.sentence.number
    st.html(html.turns_html(sentence_list.surrounding_turns(view, number), number))
    if item.also:
        _grouped_passages(view, item, set_apart, is_refused=is_refused)
    tier = f"{match.tier} · " if match.tier else ""
    match_number = checked.matches.index(match) + 1
    position = (
        f"{tier}match {match_number} of {len(checked.matches)} · "
        f"rank {card.row_rank(view, checked)}"
    )
    publishers_differ = sentence_list.disagreement(checked)
    warning = f'<p class="lx-warn">{escape(publishers_differ)}</p>' if publishers_differ else ""
    match_parts = html.match_html(match, checked.sentence.text, view.event_date)
    status = escape(contents.review_status(match))
    st.html(
        f'<p class="lx-soft">{escape(position)}</p>{warning}{"".join(match_parts)}'
        f'<p class="lx-line"><b>Review:</b> {status}</p>'
    )
    card.article(desk(), view, match, name=f"_{item.name}")
    card.reasons(view, checked, match, name=f"_{item.name}")


def _grouped_passages(
    view: ReportView, item: Item, set_apart: Callable[[Item], None], *, is_refused: bool
) -> None:
    """Draw the grouped passages that the decision covers, each with a button to set it apart."""
    related = sentence_list.related_passages(view, item.checked.sentence.number)
    lines_by_number = {line.number: line for line in related.passages}
    grouped = [
        (grouped_item, lines_by_number[grouped_item.checked.sentence.number])
        for grouped_item in item.also
    ]
    beginnings = [line.beginning for _, line in grouped]
    title = f"Your decision holds {wording.also_at(beginnings)}"
    is_expanded = len(grouped) <= wording.LIST_REPEATS
    with st.expander(plain(title), key=f"beside_{item.name}", expanded=is_expanded):
        for grouped_item, line in grouped:
            with st.container(
                horizontal=True,
                vertical_alignment="top",
                gap="small",
                key=f"apart_{grouped_item.name}",
            ):
                st.html(html.passage_html(line), width="stretch")
                st.button(
                    "Not this one",
                    type="tertiary",
                    help=APART_HELP,
                    key=f"out_{grouped_item.name}",
                    on_click=set_apart,
                    args=(grouped_item,),
                    disabled=is_refused,
                )


def queue_list(items: list[Item], position: int, *, reach: int = 6) -> str:
    """Return the queue as HTML, ``reach`` matches on each side of the current one."""
    length = 2 * reach + 1
    start = max(0, min(position - reach, len(items) - length))
    lines = []
    for index, item in enumerate(items[start : start + length], start):
        lines.append(_queue_line(item, index + 1, is_current=index == position))
    return (
        f'<ol class="lx-queue" aria-label="What there is to review" start="{start + 1}">'
        f"{''.join(lines)}</ol>"
    )


def _queue_line(item: Item, number: int, *, is_current: bool) -> str:
    sentence = item.checked.sentence
    decision = item.match.decision
    state = "○ open"
    if decision:
        signs = {"confirm": "✓ confirmed", "reject": "✗ rejected", "later": "… later"}
        state = signs.get(decision.verdict, "")
    current = ' aria-current="true"' if is_current else ""
    speaker = escape(sentence.speaker or sentence_list.UNKNOWN_SPEAKER)
    also = f" · {len(item.also):,} more" if item.also else ""
    head = f"{state} · {speaker} {wording.clock(sentence.start)}{also}"
    return (
        f'<li value="{number}"{current}><span class="lx-soft">{head}</span>'
        f"<br>{escape(sentence.text)}</li>"
    )
