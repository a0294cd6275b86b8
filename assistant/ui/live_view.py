"""The board of a live event.

Health above, sentences at the left, the card at the right, redrawn every second.

The card being read never moves: while one is open, or the board is paused, new sentences wait in a
bar. Nothing here is computed by the page, so every browser that looks at an event sees the same.
"""

from __future__ import annotations

import time
from datetime import datetime
from html import escape

import streamlit as st

from assistant.core.access import Role
from assistant.core.domain import Tier
from assistant.jobs.check_service import CheckService
from assistant.jobs.job_specs import JobSpec
from assistant.live import event_output, event_view
from assistant.live.background import BackgroundEngines
from assistant.live.event import BEHIND_S, Event, Feed, Health, LiveSentence
from assistant.live.event_log import EventLog
from assistant.live.event_report import report, transcript
from assistant.live.event_view import LiveEntry
from assistant.report import wording
from assistant.report.view import ReportView
from assistant.report.wording import comparison_note, deciding_key_sentence, publisher
from assistant.ui import account, card_redraw, live_microphone
from assistant.ui.card import card
from assistant.ui.component import component
from assistant.ui.sentence_list import DROPPED, UNKNOWN_SPEAKER, UNMATCHED, Row, draw_list, quoted

NEWEST, BEST, IN_ORDER = BOARD_ORDERS = ("Newest", "Best", "Transcript")
UNSETTLED = "unsettled"  # a row whose text may still change
NO_MATCH_YET = "Nothing found yet. Sentences with a match appear here as they are said."
BOARD_POLL_S = 1
# without a sign of an engine, and where this process has ended its own: nobody follows
SILENT_ENGINE_S = 30
ENDED_ENGINE_S = 5
CHECK_PAGE = "assistant/ui/pages/check_page.py"
WHOLE_EVENT_HELP = (
    "As a transcript, to review and to export: each sentence with what followed it, in passages."
)
LEGEND = "<i>Grey and slanted</i>: may still change. Grey: holds nothing to check."


def draw_event(desk: CheckService, engines: BackgroundEngines, event: Event) -> None:
    """Draw an event; when it is first shown in a session, no sentence is chosen."""
    if st.session_state.get("watched") != event.name:
        st.session_state.update(
            {"watched": event.name, "chosen": None, "seen": [], "entries": (), "drawn": None}
        )
    _head(desk, engines, event)
    live_microphone.microphone_panel(engines, event)
    log = engines.log
    left, right = st.columns([5, 7], gap="medium")
    with right, st.container(key="live_card"):
        _chosen_card(desk, log, event)
    with left:  # last: it asks for itself from here on, and must find the rest of the page there
        _board(engines, event)


def _head(desk: CheckService, engines: BackgroundEngines, event: Event) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="live_head"):
        st.html(
            f'<div class="lx-title"><h1>{escape(event.title)} · {wording.day(event.day)}</h1></div>'
        )
        st.session_state["followed"] = engines.follows(event.name)
        if (
            st.session_state["followed"]
            and account.may(Role.EDITOR)
            and st.button("Stop following")
        ):
            engines.stop(event.name, account=account.actor_name())
            st.rerun()
        over = not st.session_state["followed"] and account.may(Role.REVIEWER)
        if over and st.button("Check the whole event", help=WHOLE_EVENT_HELP):
            job = desk.start(JobSpec(transcript(engines.log, event)))
            st.switch_page(CHECK_PAGE, query_params={"report": job.id})
        if st.button("Other events"):
            del st.query_params["event"]
            st.rerun()


@account.fragment(run_every=BOARD_POLL_S, key="board")
def _board(engines: BackgroundEngines, event: Event) -> None:
    """Draw health, the bar of new sentences and the list, from the log as it is now."""
    if engines.follows(event.name) != st.session_state["followed"]:
        st.rerun()  # the head says so
    log = engines.log
    now = time.time()
    sentences = log.sentences(event.name)
    health = log.health(event.name, now=now)
    st.html(
        _health_html(
            health, now, quiet=ENDED_ENGINE_S if engines.ended(event.name) else SILENT_ENGINE_S
        )
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="bar"):
        order = st.segmented_control(
            "Order", BOARD_ORDERS, default=NEWEST, required=True, key="order", bind="query-params",
            label_visibility="collapsed",
        )  # fmt: skip
        paused = st.toggle("Pause", key="paused", help="New sentences wait until you go on.")
        if st.session_state.get("chosen") is not None:
            st.button("Close card", on_click=_choose, args=(None,), key="close")
    waiting = event_view.unseen(sentences, st.session_state["seen"])
    if waiting and (paused or st.session_state.get("chosen") is not None):
        st.button(
            f"{len(waiting):,} new",
            on_click=_show_waiting,
            args=(sentences,),
            key="new",
            type="primary",
            width="stretch",
        )
    elif waiting:
        _show_waiting(sentences)
    seen = set(st.session_state["seen"])
    shown = (
        sentences
        if order == IN_ORDER
        else [
            s for s in event_view.ordered(sentences, best_first=order == BEST) if s.number in seen
        ]
    )
    state = [(s.number, s.revision, s.final, s.checked) for s in shown]
    if state != st.session_state.get("drawn") and not (paused and st.session_state["entries"]):
        st.session_state.update(
            {"drawn": state, "entries": tuple(event_view.entries(log, event, shown))}
        )
    rows = [_row(entry) for entry in st.session_state["entries"]]
    view = "Transcript" if order == IN_ORDER else "Ranked"
    draw_list(
        rows,
        view=view,
        selected=st.session_state.get("chosen"),
        empty=NO_MATCH_YET,
        on_select=_selected,
    )
    if order == IN_ORDER:
        with st.container(key="legend"):
            st.html(f'<p class="lx-soft lx-tight">{LEGEND}</p>')
    _alert_on_likely(sentences)
    card_redraw.watch_mark()
    if sentences:
        st.html(_speaker_counts_html(event_view.speakers(sentences)))


@account.fragment(key="reading")
def _chosen_card(desk: CheckService, log: EventLog, event: Event) -> None:
    """Draw the card of the chosen sentence as it was when it was opened."""
    number = st.session_state.get("chosen")
    entry = next((e for e in st.session_state["entries"] if e.sentence.number == number), None)
    if entry and entry.repeats:
        st.html(f'<p class="lx-warn">{escape(entry.repeats[:1].upper() + entry.repeats[1:])}.</p>')
    if number is None:
        st.html(
            '<p class="lx-soft">Choose a sentence to see what was checked. New ones then wait in a bar.</p>'
        )
        card_redraw.draw_mark()
    else:
        card(desk, ReportView(report(log, event)), is_stored=False)


def _alert_on_likely(sentences: list[LiveSentence]) -> None:
    likely = [sentence for sentence in sentences if sentence.tier is Tier.LIKELY]
    latest = max(likely, key=lambda s: s.checked or 0.0, default=None)
    component("bell")(
        key="bell", data={"likely": len(likely), "text": latest.text if latest else ""}
    )


def _show_waiting(sentences: list[LiveSentence]) -> None:
    st.session_state["seen"] = [sentence.number for sentence in sentences if sentence.tier]


def _choose(number: int | None) -> None:
    st.session_state["chosen"] = number
    st.rerun("reading")


def _selected() -> None:
    st.query_params.pop("match", None)
    _choose(st.session_state["list"]["selected"])


def _row(entry: LiveEntry) -> Row:
    sentence, best, claim = entry.sentence, entry.best, entry.best.claim if entry.best else None
    return Row(
        number=sentence.number,
        text=sentence.text,
        speaker=sentence.speaker or UNKNOWN_SPEAKER,
        time=datetime.fromtimestamp(sentence.said).strftime("%H:%M:%S"),
        kind=_row_kind(sentence),
        rank=None,
        worth=sentence.worthiness or 0.0,
        reason="",
        rating=claim.rating if claim else "",
        rating_class=str(claim.rating_class) if claim else "",
        publisher=" · ".join(filter(None, (publisher(claim) if claim else "", entry.repeats))),
        found="",
        ratings=(),
        more=entry.more,
        stance=comparison_note(best) if best else "",
        **quoted(deciding_key_sentence(best) if best else None),
    )


def _row_kind(sentence: LiveSentence) -> str:
    if not sentence.final:
        return UNSETTLED
    if sentence.checked is None:
        return "waiting"
    return str(sentence.tier) if sentence.tier else UNMATCHED if sentence.kept else DROPPED


def _health_html(health: Health, now: float, *, quiet: float) -> str:
    """Return the health line, with the sources that have problems.

    After ``quiet`` seconds nobody follows.
    """
    followed = health.beat is not None and now - health.beat <= quiet
    status = event_output.health_line(health, followed=followed)
    status = (
        status[:1].upper() + status[1:] if followed else f"Nobody follows this event now · {status}"
    )
    wrong = [_feed_note(feed) for feed in health.feeds if feed.warning]
    notes = "".join(f"<li>{escape(line)}</li>" for line in wrong)
    more = f'<details class="lx-notes"><summary>{wording.count(len(wrong), "note")}</summary><ul>{notes}</ul></details>'
    look = (
        "lx-warn"
        if followed and (health.behind or (health.unheard or 0.0) > BEHIND_S)
        else "lx-soft"
    )
    return f'<p class="{look} lx-health" role="status">{escape(status)}</p>' + (
        more if wrong else ""
    )


def _feed_note(feed: Feed) -> str:
    at = datetime.fromtimestamp(feed.warned).strftime("%H:%M:%S ") if feed.warned else ""
    return f"{at}{feed.name}: {feed.warning}"


def _speaker_counts_html(counted: list[event_view.SpeakerCount]) -> str:
    """Return the speakers with their numbers; nothing here says who is right."""
    cells = "".join(
        f'<tr><th scope="row">{escape(c.speaker)}</th><td>{c.sentences:,}</td><td>{c.worthy:,}</td>'
        f"<td>{c.likely:,}</td><td>{c.possible:,}</td></tr>"
        for c in counted
    )
    head = "".join(
        f'<th scope="col">{name}</th>'
        for name in ("Speaker", "sentences", "check-worthy", "likely", "possible")
    )
    table = f'<table class="lx-table"><thead><tr>{head}</tr></thead><tbody>{cells}</tbody></table>'
    return f'<details class="lx-notes"><summary>By speaker</summary>{table}</details>'
