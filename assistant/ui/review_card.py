"""The card of the match under review, with its decision, and the queue of matches beside it."""

from __future__ import annotations

import streamlit as st

from assistant.report import contents, wording
from assistant.report.speaker_names import shown_name
from assistant.report.view import ReportView
from assistant.reports.markdown_form import plain
from assistant.review.review_queue import Item
from assistant.ui import card, sentence_list
from assistant.ui import card_html as html
from assistant.ui.decision_bar import tick_key
from assistant.ui.match_strength import match_strength
from assistant.ui.shared_resources import desk
from assistant.ui.shown_text import escape
from assistant.ui.term_help import explained

ALSO_HELP = "Your decision covers this passage, too. Without the tick it becomes a row of its own."


def draw_match(view: ReportView, item: Item, *, is_refused: bool) -> None:
    """Draw the evidence for a decision."""
    checked = item.checked
    match = item.match
    number = checked.sentence.number
    match_number = checked.matches.index(match) + 1
    position = f"Match {match_number} of {len(checked.matches)} · {match_strength(match)}"
    publishers_differ = sentence_list.disagreement(checked)
    warning = f'<p class="lx-warn">{escape(publishers_differ)}</p>' if publishers_differ else ""
    said_by = card.said_by(checked.sentence)
    match_parts = html.match_html(match, checked.sentence.text, view.event_date, said_by)
    status = escape(contents.review_status(match))
    st.html(
        f'<p class="lx-soft lx-tight">{explained(position)} · {status}</p>{warning}'
        + "".join(match_parts)
    )
    if item.also:
        _grouped_passages(view, item, is_refused=is_refused)
    card.article(desk(), view, match, name=f"_{item.name}")
    turns = html.turns_html(sentence_list.surrounding_turns(view, number), number)
    st.html(f'<h2 class="lx-h4">In context</h2>{turns}')
    card.reasons(view, checked, match, name=f"_{item.name}")


def _grouped_passages(view: ReportView, item: Item, *, is_refused: bool) -> None:
    """Draw the grouped passages, each with a box to tick if the decision covers it, too."""
    title = f"Also confirm or reject these ({len(item.also):,})"
    is_expanded = len(item.also) <= wording.LIST_REPEATS
    with st.expander(title, key=f"beside_{item.name}", expanded=is_expanded):
        for grouped_item in item.also:
            line = sentence_list.passage_line(view, grouped_item.checked)
            with st.container(
                horizontal=True,
                vertical_alignment="top",
                gap="small",
                key=f"apart_{grouped_item.name}",
            ):
                st.checkbox(
                    f"Also this passage at {plain(line.beginning)}",
                    help=ALSO_HELP,
                    key=tick_key(grouped_item),
                    disabled=is_refused,
                )
                st.html(html.passage_html(line), width="stretch")


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
    claim = item.match.claim
    decision = item.match.decision
    state = ""
    if decision:
        signs = {"confirm": "✓ confirmed", "reject": "✗ rejected", "later": "… later"}
        state = f"{signs.get(decision.verdict, '')} · "
    current = ' aria-current="true"' if is_current else ""
    speaker = escape(shown_name(sentence.speaker or sentence_list.UNKNOWN_SPEAKER))
    also = f" · {len(item.also):,} more" if item.also else ""
    head = f"{state}<b>{speaker}</b> {wording.clock(sentence.start)}{also}"
    badge = html.rating_badge(claim.rating, claim.rating_class)
    return (
        f'<li value="{number}"{current}><span class="lx-soft">{head}</span>'
        f'<span class="lx-queued">{escape(sentence.text)}</span>'
        f'<span class="lx-queued-claim">{badge} {escape(claim.statement)}</span></li>'
    )
