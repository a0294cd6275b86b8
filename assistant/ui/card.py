"""Draws the card of the chosen sentence.

Its passage, its matches one at a time, the article and the reasons.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from assistant.core.access import Role
from assistant.core.domain import CheckedSentence, Match, MatchOrder, Sentence
from assistant.jobs.check_service import CheckService
from assistant.report import contents, match_order, wording
from assistant.report.settled_parts import left_open
from assistant.report.speaker_names import shown_name
from assistant.report.view import ReportView, shown_match
from assistant.reports.markdown_form import escape_markdown
from assistant.review.decision_placement import DecidedReport
from assistant.review.review_queue import ReviewItem
from assistant.ui import (
    account,
    article_offer,
    card_redraw,
    comment_view,
    decision_bar,
    joined_changes,
    match_order_choice,
    rank_reasons,
    recording_player,
    review_adding,
    review_card,
    sentence_list,
)
from assistant.ui import card_html as html
from assistant.ui.address_values import number_in_address
from assistant.ui.match_strength import match_strength
from assistant.ui.review_view import Review
from assistant.ui.sentence_list import PassageLine
from assistant.ui.shown_text import escape
from assistant.ui.term_help import explained, with_tip

QUESTION = "Does this fact-check cover what was said?"
NO_CHART = "This ranker gives no contributions; the raw measures are below."


@account.fragment(key="card")
def card(
    check_service: CheckService,
    view: ReportView,
    placed: DecidedReport | None = None,
    review: Review | None = None,
    board: Sequence[int] | None = None,
) -> None:
    """Draw the card of the sentence that is chosen in the list.

    ``placed`` is a report with its decisions; only one can be decided on. ``review`` says which
    matches the next card is chosen from. ``board`` is given for a live event: the numbers of the
    sentences that its list shows. Only a stored report can be corrected.
    """
    is_stored = placed is not None and board is None
    checked = view.sentence(st.session_state.get("chosen"))
    has_decision_bar = False
    with st.container(key="card", gap="small"):
        if checked is None:
            st.html('<p class="lx-soft">No sentence is chosen.</p>')
        elif checked.matches:
            shown_match = _matched_sentence(check_service, view, checked, is_stored=is_stored)
            if placed is not None and shown_match is not None:
                item = ReviewItem(checked, shown_match)
                if board is None or account.has_role(Role.REVIEWER):
                    has_decision_bar = True
                    _decisions(view, placed, item, review, board)
                else:
                    comment_view.draw_thread(placed.report, item)
        else:
            _unmatched_sentence(check_service, view, checked)
        if checked is not None and placed is not None and is_stored:
            _missed_match(placed, checked, has_decision_bar=has_decision_bar)
            if review is not None:
                review_adding.draw_fact_check_forms(view.report)
            recording_player.correction_form(check_service, view.report, checked)
        card_redraw.draw_mark()


def _decisions(
    view: ReportView,
    placed: DecidedReport,
    item: ReviewItem,
    review: Review | None,
    board: Sequence[int] | None,
) -> None:
    """Draw the decision bar, which stays in sight while the card scrolls.

    ``view`` is that of the placed report; ``review`` and ``board`` as in ``card``.
    """
    # outside a review only the best match of each statement is in the queue
    is_every_match = review is not None and review.is_every_match
    open_item = partial(_open_decided, view)
    step = decision_bar.step_of(view, placed, item, open_item, every=is_every_match, board=board)
    if step.item.grouped_items:
        # other passages with the same statement, which one decision may cover, too
        review_card.draw_grouped(view, step.item)
    with st.container(key="decide", gap="xsmall"):
        account.remember_name()
        _decision_heading(step.item.match)
        decision_bar.draw_decisions(step)
        _decision_foot()
        comment_view.draw_thread(placed.report, step.item)


def _decision_heading(match: Match) -> None:
    """Draw the question, the state of its answer, and the field for a missing name."""
    status = contents.review_status(match)
    status_words = escape(status[:1].upper() + status[1:])
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="decision_status"
    ):
        st.html(
            f'<p class="lx-question"><b>{QUESTION}</b> '
            f'<span class="lx-soft">{status_words}</span></p>',
            width="stretch",
        )
        if not account.name():
            account.name_field()


def _decision_foot() -> None:
    """Draw the effect of each decision, and the name that decisions carry.

    Its menu stands between the note and the comments: the Tab key leaves the note for it, so that
    the next letter is a key and no comment.
    """
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="decision_foot"
    ):
        st.html(decision_bar.decision_help(), width="stretch")
        if account.name() and not account.uses_login():
            with st.popover("Decided by", type="tertiary"):
                account.name_field()


def _open_decided(view: ReportView, name: str) -> None:
    """Open the card of a match by the name of its item, ``12.1``, and draw the list again."""
    number_text, _, rank_text = name.partition(".")
    number = int(number_text)
    rank = int(rank_text)
    _choose_sentence(number)
    checked = view.sentence(number)
    if checked is not None:
        # the address has the place of a match in the chosen order, which is not its rank
        order = match_order_choice.chosen_order(view.event_date)
        ordered = match_order.sentence_in_order(checked, order, view.event_date)
        for position, match in enumerate(ordered.matches, 1):
            if match.rank == rank and position > 1:
                _open_match(position)
    joined_changes.redraw("finder")  # only the fragment with the list and the card


def _missed_match(
    placed: DecidedReport, checked: CheckedSentence, *, has_decision_bar: bool
) -> None:
    """Draw the form for a match that the search missed, once it is asked for."""
    if not account.has_role(Role.REVIEWER):
        return
    number = checked.sentence.number
    is_asked = st.session_state.get("missed_for") == number
    label = "Close" if is_asked else "Add a missed match"
    st.button(
        escape_markdown(label),
        key="ask_missed",
        type="tertiary",
        on_click=_ask_missed,
        args=(number,),
    )
    if is_asked:
        review_adding.draw_missed_match_form(placed, number, has_decision_bar=has_decision_bar)


def _ask_missed(number: int) -> None:
    is_asked = st.session_state.get("missed_for") == number
    st.session_state["missed_for"] = None if is_asked else number


def _matched_sentence(
    check_service: CheckService, view: ReportView, checked: CheckedSentence, *, is_stored: bool
) -> Match | None:
    """Draw the matches in the chosen order, and return the shown one.

    Note which ones the order leaves out or puts last. The page of a stored report has the orders
    in its menu, other cards have a menu of their own.
    """
    event = view.event_date
    order = match_order_choice.chosen_order(event)
    # the sentence with its matches in that order, which may leave out some of them
    ordered = match_order.sentence_in_order(checked, order, event)
    match_number = _match_number(ordered)
    # the ranks are those of the list in this order; the list of a live event has another one
    rank = row_rank(view, checked) if is_stored and order is MatchOrder.CLOSEST else None
    _pager(view, ordered, match_number, rank)
    if not is_stored and len(checked.matches) > 1:
        match_order_choice.order_menu(event)
    notes = match_order.order_notes(checked.matches, order, event)
    if notes:
        st.html(f'<p class="lx-soft lx-tight">{escape(" ".join(notes))}</p>')
    if not ordered.matches:
        _context(view, checked)
        return None
    publishers_differ = sentence_list.publisher_disagreement(ordered)
    if publishers_differ:
        st.html(f'<p class="lx-warn">{escape(publishers_differ)}</p>')
    open_part_words = left_open(ordered)  # about a part that no match covers
    if open_part_words:
        st.html(f'<p class="lx-line">{escape(open_part_words)}.</p>')
    match = ordered.matches[match_number - 1]
    _match(check_service, view, ordered, match)
    _context(view, checked)
    reasons(view, ordered, match, rank)
    if is_stored:
        st.html(html.archive_link(match.claim))
    return match


def _unmatched_sentence(
    check_service: CheckService, view: ReportView, checked: CheckedSentence
) -> None:
    if not checked.kept:  # not checkable, so nothing was searched
        reason = escape(checked.dropped_reason or "no reason given")
        st.html(f'<p class="lx-line">Skipped before the search: {reason}.</p>')
        _context(view, checked)
        return
    if checked.on_topic:
        result = "Related to a fact-check, but too different from its claim for the list."
    else:
        claims = int(view.report.manifest.database.get("claims", 0))
        result = f"No match was found in {wording.count(claims, 'fact-check')}."
    st.html(f'<p class="lx-line">{result}</p>')
    _context(view, checked)
    if checked.nearest is None:
        return
    title = "Closest fact-check"
    if not checked.on_topic:
        title = "Closest fact-check (too different to list)"
    with st.expander(title, expanded=checked.on_topic, key="nearest"):
        _match(check_service, view, checked, checked.nearest)


def _context(view: ReportView, checked: CheckedSentence) -> None:
    """Draw the sentence in its passage, and links to related passages and sentences."""
    number = checked.sentence.number
    turns = html.turns_html(sentence_list.surrounding_turns(view, number), number)
    st.html(f'<h2 class="lx-h4">In context</h2>{turns}')
    related = sentence_list.related_passages(view, number)
    if related.passages:
        title = wording.also_at([line.beginning for line in related.passages])
        _sentence_links(title, related.passages, key="beside_False")
    if related.sentences:
        count = wording.count(len(related.sentences), "more sentence")
        _sentence_links(
            f"{count} with a match in this passage", related.sentences, key="beside_True"
        )


def _sentence_links(title: str, lines: Sequence[PassageLine], *, key: str) -> None:
    with st.expander(escape_markdown(title[:1].upper() + title[1:]), key=key):
        for line in lines:
            st.button(
                escape_markdown(f"{line.time} · {line.text}"),
                key=f"to_{line.number}",
                type="tertiary",
                on_click=_choose_sentence,
                args=(line.number,),
            )


def _choose_sentence(number: int) -> None:
    st.session_state["chosen"] = number
    st.query_params["s"] = str(number)
    st.query_params.pop("match", None)


def _pager(view: ReportView, ordered: CheckedSentence, match_number: int, rank: int | None) -> None:
    """Draw rank, number and strength of the match, and buttons to the next and previous one."""
    label = _pager_label(ordered, match_number)
    if rank is not None:
        rank_label = rank_reasons.rank_label(view.groups, rank)
        rank_line = rank_reasons.rank_line(view.groups, rank)
        label = f"{with_tip(rank_label, rank_line)} · {label}"
    total = len(ordered.matches)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="pager"):
        st.html(f'<p class="lx-soft lx-tight">{label}</p>')
        if total > 1:
            st.button(
                "Previous",
                shortcut="p",
                type="tertiary",
                disabled=match_number == 1,
                on_click=_open_match,
                args=(match_number - 1,),
                key="previous",
            )
            st.button(
                "Next",
                shortcut="m",
                type="tertiary",
                disabled=match_number == total,
                on_click=_open_match,
                args=(match_number + 1,),
                key="next",
            )


def _pager_label(ordered: CheckedSentence, match_number: int) -> str:
    """Return the label of the shown match, ``Match 1 of 3 · strong``, as HTML."""
    if not ordered.matches:
        return "No match to show"
    strength = match_strength(ordered.matches[match_number - 1])
    label = f"Match {match_number} of {len(ordered.matches)}"
    return explained(" · ".join(filter(None, (label, strength))))


def _match(
    check_service: CheckService, view: ReportView, checked: CheckedSentence, match: Match
) -> None:
    match_parts = html.match_html(
        match, checked.sentence.text, view.event_date, said_by(checked.sentence)
    )
    with st.container(key="compared", gap=None):  # stays in sight while the card scrolls
        st.html(match_parts.texts)
    st.html(match_parts.rating + match_parts.evidence)
    article(check_service, view, match)


def said_by(sentence: Sentence) -> str:
    """Return who said a sentence and when: ``Achterberg, 00:21:14``."""
    name = shown_name(sentence.speaker or sentence_list.UNKNOWN_SPEAKER)
    return ", ".join(filter(None, (name, wording.clock(sentence.start))))


def article(check_service: CheckService, view: ReportView, match: Match, *, name: str = "") -> None:
    """Draw the whole article with its origin, or offer to fetch it.

    ``name`` makes the keys of the elements unique.
    """
    claim = check_service.claim(match.claim.id)
    if claim is None or not claim.body:
        article_offer.draw_fetch_offer(check_service, view.report, claim)
        return
    with check_service.store() as store:
        # how the article was fetched, None if it came with the claim
        attempt = store.attempt(claim.id)
    doubt = article_offer.article_doubt_words(attempt, claim)
    if doubt:
        st.html(f'<p class="lx-warn">{escape(doubt)}</p>')
    with st.expander("The whole article", key=f"article{name}"):
        origin = article_offer.article_origin_words(attempt)
        if origin:
            st.html(f'<p class="lx-soft">{escape(origin)}</p>')
        st.html(html.article_html(claim.title, claim.body, match.key_sentences))


def reasons(view: ReportView, checked: CheckedSentence, match: Match, rank: int | None) -> None:
    """Draw a drawer with the reasons for a match, the features one level deeper.

    ``rank`` is that of its row, None if the list has another order.
    """
    with st.expander("Why is this here?", key="why"):
        if rank is not None:
            st.html(f'<p class="lx-line">{escape(rank_reasons.rank_line(view.groups, rank))}</p>')
        sentence_text = checked.sentence.text
        summary = escape(rank_reasons.rank_words(match, sentence_text, view.event_date))
        compared = html.comparison_html(match, sentence_text, view.event_date)
        st.html(f'<p class="lx-line">{summary}</p>{compared}')
        groups = rank_reasons.rank_groups(match)
        if groups:
            chart = html.contribution_chart(groups)
        else:
            chart = f'<p class="lx-soft">{NO_CHART}</p>'
        table = html.measures_table(rank_reasons.raw_measures(match))
        tier_html = ""
        if match.tier:
            title = escape(rank_reasons.tier_title(match))
            tier_reasons = html.tier_html(match, checked, view.report.manifest.settings)
            tier_html = f'<h3 class="lx-h4">{title}</h3>{tier_reasons}'
        st.html(html.technical_details(f"{chart}{tier_html}{table}"))


def row_rank(view: ReportView, checked: CheckedSentence) -> int | None:
    """Return the rank of the row that a sentence is in, None if it is in no row."""
    group = view.group_of(checked.sentence.number)
    return None if group is None else group.rank


def _match_number(ordered: CheckedSentence) -> int:
    """Return the number of the match in the URL, else of the one in the row of the sentence."""
    number = number_in_address("match")
    if number is None and ordered.matches:
        number = ordered.matches.index(shown_match(ordered)) + 1
    return max(1, min(number or 1, len(ordered.matches)))


def _open_match(match_number: int) -> None:
    st.query_params["match"] = str(match_number)
