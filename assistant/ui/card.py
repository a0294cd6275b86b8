"""Draws the card of the chosen sentence.

Its passage, its matches one at a time, the article and the reasons.
"""

from __future__ import annotations

from datetime import date
from html import escape

import streamlit as st

from assistant.core.domain import CheckedSentence, Match
from assistant.jobs.check_service import CheckService
from assistant.report import match_order, wording
from assistant.report.settled_parts import left_open
from assistant.report.view import ReportView
from assistant.reports.markdown_form import plain
from assistant.ui import (
    account,
    article_offer,
    card_redraw,
    match_order_choice,
    rank_reasons,
    recording_player,
    sentence_list,
)
from assistant.ui import card_html as html
from assistant.ui.term_help import explained

NO_CHART = "This ranker gives no contributions; the raw measures are below."


@account.fragment(key="card")
def card(desk: CheckService, view: ReportView, *, is_stored: bool = True) -> None:
    """Draw the card of the sentence that is chosen in the list.

    Only a stored report can be corrected.
    """
    checked = view.sentence(st.session_state.get("chosen"))
    with st.container(key="card", gap="small"):
        if checked is None:
            st.html('<p class="lx-soft">No sentence is chosen.</p>')
        elif checked.matches:
            _ordered(desk, view, checked)
        else:
            _unmatched(desk, view, checked)
        if checked is not None and is_stored:
            recording_player.correction_form(desk, view.report, checked)
        card_redraw.draw_mark()


def _ordered(desk: CheckService, view: ReportView, checked: CheckedSentence) -> None:
    """Draw the matches in the chosen order, and say what that order leaves out or puts last."""
    event = view.event_date
    order = match_order_choice.chosen_order(event)
    shown = match_order.of_sentence(checked, order, event)
    at = _match_number(len(shown.matches))
    _context(view, checked)
    _pager(shown, at, len(checked.matches), event, row_rank(view, checked))
    if notes := match_order.notes(checked.matches, order, event):
        st.html(f'<p class="lx-soft lx-tight">{escape(" ".join(notes))}</p>')
    if shown.matches:
        _matched(desk, view, shown, shown.matches[at - 1])


def _matched(desk: CheckService, view: ReportView, checked: CheckedSentence, match: Match) -> None:
    differ = sentence_list.disagreement(checked)
    if differ:
        st.html(f'<p class="lx-warn">{escape(differ)}</p>')
    if left := left_open(checked):
        st.html(f'<p class="lx-line">{escape(left)}.</p>')
    _match(desk, view, checked, match)
    reasons(view, checked, match)


def _unmatched(desk: CheckService, view: ReportView, checked: CheckedSentence) -> None:
    _context(view, checked)
    worth = f"check-worthiness {checked.check_worthiness:.2f}"
    if not checked.kept:
        reason = escape(checked.dropped_reason or "no reason given")
        st.html(f'<p class="lx-line">Dropped before the search: {reason} ({worth}).</p>')
        return
    claims = int(view.report.manifest.database.get("claims", 0))
    nothing = (
        "On the topic of a fact-check, but too far from its claim for the list"
        if checked.on_topic
        else f"No match: nothing close enough among {wording.count(claims, 'fact-check')}"
    )
    st.html(f'<p class="lx-line">{nothing} ({worth}).</p>')
    if checked.nearest is None:
        return
    title = "The nearest fact-check" if checked.on_topic else "The nearest candidate, rejected"
    with st.expander(title, expanded=checked.on_topic, key="nearest"):
        _match(desk, view, checked, checked.nearest)


def _context(view: ReportView, checked: CheckedSentence) -> None:
    number = checked.sentence.number
    st.html(html.turns_html(sentence_list.surrounding_turns(view, number), number))
    others, beside = sentence_list.related_passages(view, number)
    here = f"{wording.count(len(beside), 'more sentence')} with a match in this passage"
    for title, passages in ((wording.also_at([p.place for p in others]), others), (here, beside)):
        if passages:
            with st.expander(title[:1].upper() + title[1:], key=f"beside_{passages is beside}"):
                for p in passages:
                    label = plain(f"{p.time} · {p.text}")
                    st.button(
                        label,
                        key=f"to_{p.number}",
                        type="tertiary",
                        on_click=_choose_sentence,
                        args=(p.number,),
                    )


def _choose_sentence(number: int) -> None:
    st.session_state["chosen"] = number
    st.query_params["s"] = str(number)
    st.query_params.pop("match", None)


def _pager(
    shown: CheckedSentence, at: int, matches: int, event: date | None, rank: int | None
) -> None:
    """Draw which match this is, the order of all ``matches``, and buttons to the next and previous one."""
    total = len(shown.matches)
    tier = f" · {tier}" if total and (tier := shown.matches[at - 1].tier) else ""
    tier = (
        f" · {sentence_list.MIXED}"
        if sentence_list.row_kind(shown) == sentence_list.MIXED
        else tier
    )
    ranked = f" · rank {rank:,}" if rank and at == 1 else ""
    label = f"Match {at} of {total}{tier}{ranked}" if total else f"No match to show{ranked}"
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="pager"):
        st.html(f'<p class="lx-soft">{explained(label)}</p>')
        if matches > 1 or matches > total:
            match_order_choice.order_menu(event)
        if total > 1:
            st.button(
                "Previous",
                shortcut="p",
                disabled=at == 1,
                on_click=_open_match,
                args=(at - 1,),
                key="previous",
            )
            st.button(
                "Next",
                shortcut="n",
                disabled=at == total,
                on_click=_open_match,
                args=(at + 1,),
                key="next",
            )


def _match(desk: CheckService, view: ReportView, checked: CheckedSentence, match: Match) -> None:
    rating, beside, below = html.match_html(match, checked.sentence.text, view.event_date)
    st.html(rating)
    with st.container(key="compared", gap=None):  # stays in sight while the card scrolls
        st.html(beside)
    st.html(html.copy_buttons(match) + below)
    article(desk, view, match)


def article(desk: CheckService, view: ReportView, match: Match, *, name: str = "") -> None:
    """Draw the whole article with its origin, or offer to fetch it.

    ``name`` sets apart what is drawn for one match.
    """
    claim = desk.claim(match.claim.id)
    if claim is None or not claim.body:
        article_offer.offer(desk, view.report, claim)
        return
    with desk.store() as store:
        attempt = store.attempt(claim.id)
    origin = article_offer.origin(attempt)
    if doubt := article_offer.doubt(attempt, claim):
        st.html(f'<p class="lx-warn">{escape(doubt)}</p>')
    with st.expander("The whole article", key=f"article{name}"):
        if origin:
            st.html(f'<p class="lx-soft">{escape(origin)}</p>')
        st.html(html.article_html(claim.title, claim.body, match.key_sentences))


def reasons(view: ReportView, checked: CheckedSentence, match: Match, *, name: str = "") -> None:
    """Draw why the match has its rank and its tier.

    ``name`` sets apart what is drawn for one match.
    """
    rank = row_rank(view, checked)
    with st.expander(
        f"Why rank {rank:,}" if rank and match.rank == 1 else "Why this match", key=f"why{name}"
    ):
        groups = rank_reasons.rank_groups(match)
        bars = html.contribution_chart(groups) if groups else f'<p class="lx-soft">{NO_CHART}</p>'
        summary = escape(rank_reasons.rank_words(match, view.event_date))
        st.html(
            f'<p class="lx-line">{summary}</p>{bars}{html.measures_table(rank_reasons.raw_measures(match))}'
        )
    if match.tier:
        with st.expander(rank_reasons.tier_title(match), key=f"why_tier{name}"):
            st.html(html.tier_html(match, checked, view.report.manifest.settings))


def row_rank(view: ReportView, checked: CheckedSentence) -> int | None:
    """Return the rank of the row in which a sentence stands, None if it stands in none."""
    group = view.group_of(checked.sentence.number)
    return None if group is None else group.rank


def _match_number(total: int) -> int:
    given = st.query_params.get("match", "1")
    return max(1, min(int(given), total)) if given.isdecimal() else 1


def _open_match(at: int) -> None:
    st.query_params["match"] = str(at)
