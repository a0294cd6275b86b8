"""The live view of an event.

Status and running words above the list at the left, the card at the right, redrawn every second.

The card being read never moves: while one is open, or the board is paused, new sentences wait in a
bar. Nothing here is computed by the page, so every browser that looks at an event sees the same.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import streamlit as st

from assistant.core.access import Role
from assistant.jobs.check_service import CheckService
from assistant.jobs.job_specs import JobSpec
from assistant.live import event_output, event_view
from assistant.live.background import BackgroundEngines
from assistant.live.event import BEHIND_S, Event, Feed, Health, LiveSentence
from assistant.live.event_log import EventLog
from assistant.live.event_report import report, transcript
from assistant.live.event_view import LiveEntry
from assistant.live.sources.replay import REPLAY_PREFIX
from assistant.passages import listing
from assistant.report import wording
from assistant.report.speaker_names import shown_name
from assistant.report.view import ReportView
from assistant.report.wording import deciding_key_sentence
from assistant.review import debate_identity, deciding
from assistant.ui import (
    account,
    card_redraw,
    half_true_choice,
    joined_changes,
    live_microphone,
    review_view,
)
from assistant.ui.address_values import number_in_address
from assistant.ui.card import card
from assistant.ui.component import component
from assistant.ui.page_paths import CHECK_PAGE
from assistant.ui.sentence_list import (
    DROPPED,
    UNKNOWN_SPEAKER,
    UNMATCHED,
    ListAids,
    Row,
    best_match_fields,
    decision_fields,
    draw_list,
    quote_fields,
)
from assistant.ui.shared_resources import decisions
from assistant.ui.shown_text import escape

NEWEST = "Newest"
BEST = "Best"
IN_ORDER = "Transcript"
BOARD_ORDERS = (NEWEST, BEST, IN_ORDER)
UNSETTLED = "unsettled"  # kind of a row with an interim text
NO_MATCH_YET = "No match yet. Sentences with a match appear here as they are said."
RUNNING_SENTENCES = 4  # shown above the list
BOARD_POLL_S = 1
# silence of an engine after which an event counts as disconnected; less if it ended here
SILENT_ENGINE_S = 30
ENDED_ENGINE_S = 5
WHOLE_EVENT_HELP = "Checks the finished transcript again, so that you can review and export it."
LEGEND = "<i>Grey italics</i>: may still change. Grey: nothing to check."


def draw_event(check_service: CheckService, engines: BackgroundEngines, event: Event) -> None:
    """Draw an event; when it is first shown in a session, only a link has chosen a sentence."""
    if st.session_state.get("watched") != event.name:
        st.session_state["watched"] = event.name
        # the number of the sentence on the card: a link may name it
        st.session_state["chosen"] = number_in_address("s")
        st.session_state["seen"] = []  # numbers of the sentences that the list shows
        st.session_state["entries"] = ()  # the list as it was drawn last
        st.session_state["drawn"] = None  # the state of its sentences at that moment
        if st.session_state["chosen"] is not None:
            _open_list(engines.log, event)
    _draw_event_head(check_service, engines, event)
    live_microphone.microphone_panel(engines, event)
    board_column, card_column = st.columns([5, 7], gap="medium")
    with card_column, st.container(key="live_card"):
        _draw_chosen_card(check_service, engines.log, event)
    # drawn last: from here on the board redraws itself and must find the rest of the page there
    with board_column:
        _draw_board(engines, event)


def _open_list(log: EventLog, event: Event) -> None:
    """Let the list of an event begin with everything found, below the card that a link opens."""
    sentences = log.sentences(event.name)
    _show_waiting(sentences)
    order = st.query_params.get("order", NEWEST)
    _update_entries(log, event, _shown_sentences(sentences, order), is_paused=False)


def _draw_event_head(check_service: CheckService, engines: BackgroundEngines, event: Event) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="live_head"):
        st.html(
            f'<div class="lx-title"><h1>{escape(event.title)} · {wording.day(event.day)}</h1></div>'
        )
        is_followed = engines.follows(event.name)
        st.session_state["followed"] = is_followed
        if is_followed and account.has_role(Role.EDITOR) and st.button("Stop monitoring"):
            engines.stop(event.name, account=account.actor_name())
            st.rerun()
        if not is_followed and account.has_role(Role.REVIEWER):
            if st.button("Check the whole event", help=WHOLE_EVENT_HELP):
                whole_event = transcript(engines.log, event)
                # so that the check finds the decisions that were made during the event
                debate_identity.renew_live_note(decisions(), whole_event)
                job = check_service.start(JobSpec(whole_event))
                st.switch_page(CHECK_PAGE, query_params={"report": job.id})
        if st.button("Other events", type="tertiary"):
            del st.query_params["event"]
            st.rerun()


@account.fragment(run_every=BOARD_POLL_S, key="board")
def _draw_board(engines: BackgroundEngines, event: Event) -> None:
    """Draw health, the bar of new sentences and the list, from the log as it is now."""
    if engines.follows(event.name) != st.session_state["followed"]:
        st.rerun()  # the head says so
    log = engines.log
    now = time.time()
    sentences = log.sentences(event.name)
    health = log.health(event.name, now=now)
    # an engine of this process that has ended will not write again: less silence says so
    max_silence_s = ENDED_ENGINE_S if engines.ended(event.name) else SILENT_ENGINE_S
    st.html(_health_html(health, now, max_silence_s=max_silence_s))
    is_live = st.session_state["followed"] or _is_connected(health, now, max_silence_s)
    order, is_paused = _board_controls(is_live=is_live)
    if order != IN_ORDER and sentences:
        st.html(running_html(sentences))
    # new sentences wait while a card is open, so that the list does not move under the reader
    is_card_open = st.session_state.get("chosen") is not None
    _draw_new_sentences(sentences, waits=is_paused or (is_card_open and is_live))
    shown_sentences = _shown_sentences(sentences, order)
    is_new = _update_entries(log, event, shown_sentences, is_paused=is_paused)
    _update_decisions(event, sentences, is_new=is_new)
    draw_list(
        [_row(entry) for entry in _listed_entries()],
        view="Transcript" if order == IN_ORDER else "Ranked",
        selected=st.session_state.get("chosen"),
        empty=NO_MATCH_YET,
        on_select=_selected,
        aids=ListAids(
            move_keys=review_view.move_keys(), can_decide=account.has_role(Role.REVIEWER)
        ),
    )
    with st.container(key="below_list"):
        half_true_choice.draw_live_half_true_switch(st.session_state["entries"])
    if order == IN_ORDER:
        with st.container(key="legend"):
            st.html(f'<p class="lx-soft lx-tight">{LEGEND}</p>')
    rejected_numbers = event_view.rejected_numbers(st.session_state["entries"])
    _alert_on_strong(sentences)
    card_redraw.watch_mark()
    if sentences:
        st.html(_speaker_counts_html(event_view.speakers(sentences, rejected_numbers)))


def _board_controls(*, is_live: bool) -> tuple[str, bool]:
    """Draw order, pause and the button that closes the card; return the order and if it is paused.

    An event that is over has nothing to pause.
    """
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="bar"):
        order = st.segmented_control(
            "Order",
            BOARD_ORDERS,
            default=NEWEST,
            required=True,
            key="order",
            bind="query-params",
            label_visibility="collapsed",
        )
        is_paused = False
        if is_live:
            is_paused = st.toggle(
                "Pause", key="paused", help="New sentences wait until you resume."
            )
        if st.session_state.get("chosen") is not None:
            st.button("Close card", on_click=_choose, args=(None,), key="close", type="tertiary")
    return order, is_paused


def _draw_new_sentences(sentences: list[LiveSentence], *, waits: bool) -> None:
    """Show new sentences, behind a button if they wait: a card is open or the list is paused."""
    unseen = event_view.unseen(sentences, st.session_state["seen"])
    if not unseen:
        return
    if waits:
        st.button(
            f"{len(unseen):,} new",
            on_click=_show_waiting,
            args=(sentences,),
            key="new",
            type="primary",
            width="stretch",
        )
    else:
        _show_waiting(sentences)


def _shown_sentences(sentences: list[LiveSentence], order: str) -> list[LiveSentence]:
    if order == IN_ORDER:
        return sentences
    seen_numbers = set(st.session_state["seen"])
    ordered = event_view.ordered(sentences, best_first=order == BEST)
    return [sentence for sentence in ordered if sentence.number in seen_numbers]


def _update_entries(
    log: EventLog, event: Event, shown_sentences: list[LiveSentence], *, is_paused: bool
) -> bool:
    """Read the entries of the list anew if a shown sentence has changed, unless it is paused.

    Return whether they were read.
    """
    # reading entries is slow, and this runs every second: nothing to do if no sentence changed
    sentence_states = [
        (sentence.number, sentence.revision, sentence.final, sentence.checked)
        for sentence in shown_sentences
    ]
    if sentence_states == st.session_state.get("drawn"):
        return False
    if is_paused and st.session_state["entries"]:
        return False
    st.session_state["drawn"] = sentence_states
    st.session_state["entries"] = tuple(event_view.entries(log, event, shown_sentences))
    return True


def _update_decisions(event: Event, sentences: Sequence[LiveSentence], *, is_new: bool) -> None:
    """Put the decisions on the entries of the list if one was made since, or the list is new."""
    version_count = decisions().version_count()
    if not is_new and version_count == st.session_state.get("decision_versions"):
        return
    st.session_state["decision_versions"] = version_count
    live_report = event_view.list_report(event, sentences, st.session_state["entries"])
    decided_view = ReportView(deciding.decided_report(decisions(), live_report).report)
    decided_entries = []
    for entry in st.session_state["entries"]:
        checked_sentence = decided_view.sentence(entry.sentence.number)
        if entry.best is not None and checked_sentence is not None:
            entry = replace(entry, best=checked_sentence.matches[0])
        decided_entries.append(entry)
    st.session_state["entries"] = tuple(decided_entries)


def _listed_entries() -> tuple[LiveEntry, ...]:
    """Return the entries that the list shows, without half-true ones if they are skipped."""
    entries: tuple[LiveEntry, ...] = st.session_state["entries"]
    if half_true_choice.chosen_listing() == listing.MIXED_SKIPPED:
        return tuple(entry for entry in entries if not entry.is_half_true_only)
    return entries


@account.fragment(key="finder")  # as on the page of a report: the decisions draw it again
def _draw_chosen_card(check_service: CheckService, log: EventLog, event: Event) -> None:
    """Draw the card of the chosen sentence as it was when it was opened, with its decisions."""
    chosen_number = st.session_state.get("chosen")
    # A line also without words: the browser would keep the line of the old card above a new one
    # that has none, or the old card beside a new one that has another position.
    repeats_line = ""
    for entry in st.session_state["entries"]:
        if entry.sentence.number == chosen_number and entry.repeats:
            repeats_line = f"{entry.repeats[:1].upper()}{entry.repeats[1:]}."
            break
    hidden = "" if repeats_line else " hidden"
    with st.container(gap=None):
        st.html(f'<p class="lx-warn lx-again"{hidden}>{escape(repeats_line)}</p>')
    if chosen_number is None:
        st.html(
            '<p class="lx-soft">Choose a sentence to see its fact-check. '
            "New sentences then wait behind a button.</p>"
        )
        card_redraw.draw_mark()
    else:
        decided_report = deciding.decided_report(decisions(), report(log, event))
        shown_numbers = [entry.sentence.number for entry in _listed_entries()]
        card(check_service, ReportView(decided_report.report), decided_report, board=shown_numbers)


def _alert_on_strong(sentences: list[LiveSentence]) -> None:
    """Let the browser play a sound or notify when the number of strong matches rises.

    Rejected ones count, too: otherwise the browser would ring when a rejection is undone.
    """
    strong_sentences = [sentence for sentence in sentences if sentence.is_strong]
    latest_text = ""
    if strong_sentences:
        # checked: the time of the check, in seconds since 1970
        latest_sentence = max(strong_sentences, key=lambda sentence: sentence.checked or 0.0)
        latest_text = latest_sentence.text
    component_data = {"strong": len(strong_sentences), "text": latest_text}
    component("match_alert")(key="match_alert", data=component_data)


def _show_waiting(sentences: list[LiveSentence]) -> None:
    st.session_state["seen"] = [sentence.number for sentence in sentences if sentence.tier]


def _choose(number: int | None) -> None:
    st.session_state["chosen"] = number
    st.query_params.pop("s", None)  # the link that led here, or the sentence decided on last
    joined_changes.redraw("finder")


def _selected() -> None:
    st.query_params.pop("match", None)
    _choose(st.session_state["list"]["selected"])


def _row(entry: LiveEntry) -> Row:
    sentence = entry.sentence
    match_fields: dict[str, Any] = {}
    if entry.best is not None:
        match_fields = {
            **best_match_fields(entry.best),
            **quote_fields(deciding_key_sentence(entry.best)),
            **decision_fields(entry.best),
        }
    # the list says beside the publisher how often the claim was made, if it was made before
    publisher_and_repeats = (match_fields.pop("publisher", ""), entry.repeats)
    speaker = sentence.speaker or UNKNOWN_SPEAKER
    return Row(
        number=sentence.number,
        text=sentence.text,
        speaker=speaker,
        time=datetime.fromtimestamp(sentence.said).strftime("%H:%M:%S"),
        kind=_row_kind(sentence),
        rank=None,
        worth=sentence.worthiness or 0.0,
        name=shown_name(speaker),
        publisher=" · ".join(filter(None, publisher_and_repeats)),
        other_matches=entry.more,
        **match_fields,
    )


def running_html(sentences: list[LiveSentence]) -> str:
    """Return the newest sentences as they were said, each marked if it has a match, as HTML."""
    sentence_lines = []
    for sentence in sentences[-RUNNING_SENTENCES:]:
        time_text = datetime.fromtimestamp(sentence.said).strftime("%H:%M:%S")
        speaker = escape(shown_name(sentence.speaker or UNKNOWN_SPEAKER))
        match_sign = "●" if sentence.tier else ""
        match_label = "has a match" if sentence.tier else ""
        # the recogniser may still change the words of a sentence that is not final
        css_class = "" if sentence.final else ' class="lx-interim"'
        sentence_lines.append(
            f'<p{css_class}><span class="lx-margin" title="{match_label}">{match_sign}</span>'
            f"<b>{speaker}</b> <time>{time_text}</time> {escape(sentence.text)}</p>"
        )
    return f'<div class="lx-running" aria-label="Running words" role="log">{"".join(sentence_lines)}</div>'


def _row_kind(sentence: LiveSentence) -> str:
    if not sentence.final:
        return UNSETTLED
    if sentence.checked is None:
        return "waiting"
    if sentence.tier:
        return str(sentence.tier)
    return UNMATCHED if sentence.kept else DROPPED


def _is_connected(health: Health, now: float, max_silence_s: float) -> bool:
    """Return whether the engine of an event has shown a sign of life lately."""
    # a beat in the future is from before the clock was set back
    return health.beat is not None and abs(now - health.beat) <= max_silence_s


def _health_html(health: Health, now: float, *, max_silence_s: float) -> str:
    """Return the health line, with the notes of sources that have problems.

    The event is disconnected if its engine was silent for longer than ``max_silence_s``.
    """
    is_connected = _is_connected(health, now, max_silence_s)
    untranscribed_s = health.unheard_s or 0.0
    is_late = health.behind or untranscribed_s > BEHIND_S
    css_class = "lx-warn" if is_connected and is_late else "lx-soft"
    connection_state = f'<b class="lx-live">{_running_word(health)}</b>'
    if not is_connected:
        connection_state = "<b>Not connected</b>"
    field_spans = []
    for label, words in event_output.health_fields(health):
        field_spans.append(f"<span>{label} <b>{escape(words)}</b></span>")
    health_details = escape(event_output.health_line(health, followed=is_connected))
    health_line = (
        f'<p class="{css_class} lx-health" role="status" title="{health_details}">'
        f"{connection_state} {' '.join(field_spans)}</p>"
    )
    feed_notes = [_feed_note(feed) for feed in health.feeds if feed.warning]
    if not feed_notes:
        return health_line
    note_items = "".join(f"<li>{escape(note)}</li>" for note in feed_notes)
    summary = wording.count(len(feed_notes), "note")
    return f'{health_line}<details class="lx-notes"><summary>{summary}</summary><ul>{note_items}</ul></details>'


def _running_word(health: Health) -> str:
    """Return the word for an event that runs: a recorded debate that is replayed is not live."""
    is_replay = bool(health.feeds) and all(
        feed.name.startswith(REPLAY_PREFIX) for feed in health.feeds
    )
    return "Replay" if is_replay else "LIVE"


def _feed_note(feed: Feed) -> str:
    time_text = ""
    if feed.warned:
        time_text = datetime.fromtimestamp(feed.warned).strftime("%H:%M:%S ")
    return f"{time_text}{feed.name}: {feed.warning}"


def _speaker_counts_html(speaker_counts: list[event_view.SpeakerCount]) -> str:
    """Return the speakers with their numbers of sentences; nothing here says who is right."""
    table_rows = []
    for count in speaker_counts:
        column_counts = (count.sentences, count.worthy, count.matched)  # worthy: checkable
        cells = "".join(f"<td>{number:,}</td>" for number in column_counts)
        speaker = escape(shown_name(count.speaker))
        table_rows.append(f'<tr><th scope="row">{speaker}</th>{cells}</tr>')
    column_titles = ("Speaker", "sentences", "checkable", "with a match")
    header_cells = "".join(f'<th scope="col">{name}</th>' for name in column_titles)
    table = (
        f'<table class="lx-table"><thead><tr>{header_cells}</tr></thead>'
        f"<tbody>{''.join(table_rows)}</tbody></table>"
    )
    return f'<details class="lx-notes"><summary>By speaker</summary>{table}</details>'
