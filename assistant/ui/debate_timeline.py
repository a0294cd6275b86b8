"""Draws the picture of a debate above the list, and says which stretch of it the reader has marked.

The list draws nothing of it, but listens: a click on a mark, the keys of time and the table lead
to a row (list.js).
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from assistant.core.domain import RatingClass, Report
from assistant.report import timeline
from assistant.report.timeline import BRUSH, PAPER, Mark
from assistant.reports.markdown_form import escape_markdown
from assistant.ui.shown_text import data_for_page, escape
from assistant.ui.theme import RATING_SIGNS

TIMELINE_PARAMETER = "picture"  # in the address: STRIP, LANES or HIDDEN
STRIP = "strip"
LANES = "lanes"
HIDDEN = "off"
TIMELINE_LABELS = {STRIP: "Strip", LANES: "Lanes", HIDDEN: "None"}
# CSS variables: the colours follow the theme without being drawn again
PALETTE = {name: f"var(--lx-{name})" for name in PAPER}


def usual_timeline_form(*, is_review: bool) -> str:
    """Return the form of the timeline if the address names none; a review begins without it."""
    return HIDDEN if is_review else STRIP


def chosen_timeline_form(*, is_review: bool) -> str:
    """Return the form of the timeline that the address asks for."""
    form = st.query_params.get(TIMELINE_PARAMETER, "")
    return form if form in TIMELINE_LABELS else usual_timeline_form(is_review=is_review)


def draw_timeline(
    report: Report, marks: Sequence[Mark], timeline_form: str
) -> frozenset[int] | None:
    """Draw the timeline of a report that has matches: one strip, or a lane per speaker.

    Return the sentences in the range that the reader marked, or None without a marked range.
    """
    if timeline_form == HIDDEN:
        return None
    key = f"picture_{st.session_state.get('unmarked', 0)}"  # a new key clears the marked range
    marked_range = _marked_range(key)
    box_key = "picture" if timeline_form == LANES else "picture_strip"
    with st.container(key=f"debate_{box_key}"), st.container(key="picture", gap=None):
        _draw_legend_line(report, marks, marked_range)
        if timeline_form == LANES:
            chart_specification = timeline.chart_specification(
                report, marks, PALETTE, legend=False, brush=True
            )
        else:
            chart_specification = timeline.strip_specification(report, marks, PALETTE)
        st.vega_lite_chart(
            spec=data_for_page(chart_specification),
            width="stretch",
            theme=None,
            key=key,
            on_select="rerun",
        )
    return timeline.sentences_within(report, marked_range) if marked_range else None


def timeline_choice(*, is_review: bool) -> None:
    """Draw the buttons that show the lanes, the strip or no timeline."""
    timeline_form = chosen_timeline_form(is_review=is_review)
    for new_form, label in TIMELINE_LABELS.items():
        st.button(
            escape_markdown(label),
            key=f"picture_to_{label.lower()}",
            type="tertiary",
            disabled=timeline_form == new_form,
            on_click=_choose_form,
            args=(new_form, usual_timeline_form(is_review=is_review)),
        )


def _draw_legend_line(
    report: Report, marks: Sequence[Mark], marked_range: Sequence[float] | None
) -> None:
    """Draw the legend, and the button that clears the marked range."""
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="picture_head"
    ):
        st.html(_legend(marks), width="stretch")
        if marked_range:
            words = timeline.interval_words(report, marked_range)
            st.button(
                escape_markdown(f"{words}: show all"),
                key="unmark",
                type="tertiary",
                on_click=_clear_marked_range,
            )


def _legend(marks: Sequence[Mark]) -> str:
    """Return the rating classes that occur, with sign and colour, and an explanation of the rest."""
    occurring_classes = {mark.rating_class for mark in marks}
    sign_legends = []
    for rating_class in RatingClass:  # in this order, whatever the order of the marks
        if rating_class not in occurring_classes:
            continue
        sign = RATING_SIGNS[rating_class]
        sign_legends.append(
            f'<span class="lx-key"><span class="lx-{sign.colour}" aria-hidden="true">{sign.mark}'
            f"</span> {escape(sign.words)}</span>"
        )
    explanation = f'<span class="lx-key">{timeline.HOW_TO_READ}</span>'
    return f'<p class="lx-soft lx-tight">{" ".join(sign_legends)} {explanation}</p>'


def _marked_range(key: str) -> Sequence[float] | None:
    """Return the two ends of the range that the reader marked in the chart of this key."""
    chart_state = st.session_state.get(key)
    if not chart_state:
        return None
    # the ends in the unit of the time axis; a click without a move marks nothing
    ends = chart_state["selection"].get(BRUSH, {}).get("x")
    if not ends or ends[0] == ends[1]:
        return None
    return ends


def _clear_marked_range() -> None:
    st.session_state["unmarked"] = st.session_state.get("unmarked", 0) + 1


def _choose_form(form: str, usual: str) -> None:
    if form == usual:
        st.query_params.pop(TIMELINE_PARAMETER, None)
    else:
        st.query_params[TIMELINE_PARAMETER] = form
