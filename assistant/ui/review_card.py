"""The card of the match under review, with its decision, and the queue of matches beside it."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import streamlit as st

from assistant.report import contents, wording
from assistant.report.view import ReportView
from assistant.review.review_queue import Item
from assistant.ui import card, sentence_list
from assistant.ui import card_html as html
from assistant.ui.shared_resources import desk

APART_HELP = (
    "Puts this passage off: it becomes a row of its own, and your decision here leaves it alone."
)


def draw_match(
    view: ReportView, item: Item, take_out: Callable[[Item], None], *, hindered: bool
) -> None:
    """Draw everything that a person needs to decide; ``take_out`` sets a folded passage apart."""
    checked = item.checked
    match = item.match
    number = checked.sentence.number
    tier = f"{match.tier} · " if match.tier else ""
    at = checked.matches.index(match) + 1
    place = f"{tier}match {at} of {len(checked.matches)} · rank {card.row_rank(view, checked)}"
    differ = sentence_list.disagreement(checked)
    st.html(html.turns_html(sentence_list.surrounding_turns(view, number), number))
    if item.also:
        _grouped_passages(view, item, take_out, hindered=hindered)
    parts = (
        f'<p class="lx-soft">{escape(place)}</p>',
        f'<p class="lx-warn">{escape(differ)}</p>' if differ else "",
        *html.match_html(match, checked.sentence.text, view.event_date),
        f'<p class="lx-line"><b>Review:</b> {escape(contents.review_status(match))}</p>',
    )
    st.html("".join(parts))
    card.article(desk(), view, match, name=f"_{item.name}")
    card.reasons(view, checked, match, name=f"_{item.name}")


def _grouped_passages(
    view: ReportView, item: Item, take_out: Callable[[Item], None], *, hindered: bool
) -> None:
    """Draw the folded passages on which the decision holds as well, each with a way out."""
    passages = {
        passage.number: passage
        for passage in sentence_list.related_passages(view, item.checked.sentence.number)[0]
    }
    below = [(other, passages[other.checked.sentence.number]) for other in item.also]
    title = f"Your decision holds {wording.also_at([passage.place for _, passage in below])}"
    with st.expander(title, key=f"beside_{item.name}", expanded=len(below) <= wording.LIST_REPEATS):
        for other, passage in below:
            with st.container(
                horizontal=True, vertical_alignment="top", gap="small", key=f"apart_{other.name}"
            ):
                st.html(html.passage_html(passage), width="stretch")
                st.button(
                    "Not this one",
                    type="tertiary",
                    help=APART_HELP,
                    key=f"out_{other.name}",
                    on_click=take_out,
                    args=(other,),
                    disabled=hindered,
                )


def queue_list(items: list[Item], place: int, *, around: int = 6) -> str:
    """Return the queue around the current match as HTML, each with a sign and a word for its decision."""
    first = max(0, min(place - around, len(items) - 2 * around - 1))
    shown = range(first, min(len(items), first + 2 * around + 1))
    lines = "".join(_queue_line(items[i], i + 1, chosen=i == place) for i in shown)
    return f'<ol class="lx-queue" aria-label="What there is to review" start="{first + 1}">{lines}</ol>'


def _queue_line(item: Item, number: int, *, chosen: bool) -> str:
    sent = item.checked.sentence
    decision = item.match.decision
    signs = {"confirm": "✓ confirmed", "reject": "✗ rejected", "later": "… later"}
    state = signs.get(decision.verdict, "") if decision else "○ open"
    here = ' aria-current="true"' if chosen else ""
    speaker = escape(sent.speaker or sentence_list.UNKNOWN_SPEAKER)
    also = f" · {len(item.also):,} more" if item.also else ""
    head = f'<span class="lx-soft">{state} · {speaker} {wording.clock(sent.start)}{also}</span>'
    return f'<li value="{number}"{here}>{head}<br>{escape(sent.text)}</li>'
