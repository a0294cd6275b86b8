"""Decisions on the card of a live event: stored, shown in the list, found again in the debate."""

from __future__ import annotations

import json
import time
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup
from streamlit.testing.v1 import AppTest

from assistant.core.access import Account, Role
from assistant.core.domain import Decision
from assistant.jobs.check_service import CheckService
from assistant.live.event import Event
from assistant.live.event_log import EventLog
from assistant.live.event_report import report as live_report
from assistant.live.event_report import transcript as event_transcript
from assistant.review import deciding
from assistant.review.comment_store import CommentStore
from assistant.review.debate_identity import renew_live_note
from assistant.review.decision_store import DecisionStore
from assistant.ui import account
from tests.assistant.ui.conftest import PATIENCE_S
from tests.assistant.ui.test_live_page import MATCHED, PAGE, say
from tests.assistant.ui.test_pages import labels, sent_rows, text

EVENT = Event("city", "City hall debate", date(2024, 9, 10))
JOB = SimpleNamespace(id="a report")


@pytest.fixture
def log(home):
    with EventLog.open(f"sqlite:///{home / 'lectern.db'}") as opened:
        opened.begin(EVENT, time.time())
        say(opened, 0)
        say(opened, 1)
        yield opened


@pytest.fixture
def store(home, log):
    with DecisionStore.open(f"sqlite:///{home / 'lectern.db'}") as opened:
        yield opened


@pytest.fixture
def board(home, log):
    """The page on the event with the card of its first sentence, for a reviewer with a name."""
    app = AppTest.from_file(str(PAGE), default_timeout=PATIENCE_S)
    app.query_params["event"] = EVENT.name
    app.query_params["s"] = "1"
    app.session_state["by"] = "Ada"
    return app


@contextmanager
def begun_event(home):
    """Open the stores with an event of one sentence, which has a match."""
    database = f"sqlite:///{home / 'lectern.db'}"
    with EventLog.open(database) as log, DecisionStore.open(database) as store:
        log.begin(EVENT, time.time())
        say(log, 0)
        yield log, store


def press(app, key):
    return app.button(key=key).click().run()


def row_verdicts(app):
    """Return the verdict in each row of the list, by the number of its sentence."""
    return {row["number"]: row["verdict"] for row in sent_rows(app)}


def verdict_of(report):
    """Return the verdict on the best match of each matched sentence, in the order of the sentences."""
    matches = [checked.matches[0] for checked in report.sentences if checked.matches]
    return [match.decision.verdict if match.decision else "" for match in matches]


def checked_event(log):
    """Return the report of a check of the whole event, with the matches that it had live."""
    finished = event_transcript(log, EVENT)
    return replace(live_report(log, EVENT), transcript=finished)


def test_a_confirmed_match_is_stored_with_its_event(board, store):
    """The name, the statement and the event are stored; the list shows the decision."""
    board.run()
    press(board, "do_confirm").run()

    assert not board.exception
    (record,) = store.all()
    assert (record.decision.verdict, record.decision.by) == ("confirm", "Ada")
    assert record.anchor.text == MATCHED[0].sentence.text
    assert record.anchor.title == EVENT.title
    assert row_verdicts(board) == {1: "confirm", 2: ""}


def matched_count(app):
    """Return the number of sentences with a match in the table of speakers."""
    tables = BeautifulSoup(text(app), "html.parser").select("details.lx-notes")
    (speaker_table,) = [table for table in tables if table.summary.get_text() == "By speaker"]
    speaker_rows = speaker_table.select("tbody tr")
    return sum(int(speaker_row.select("td")[-1].get_text()) for speaker_row in speaker_rows)


def test_a_rejected_match_is_not_counted_for_its_speaker(board):
    board.run()
    assert matched_count(board) == 2
    press(board, "do_reject")

    press(board, "reason_2").run()

    assert matched_count(board) == 1


def test_the_next_undecided_row_of_the_list_is_opened(board):
    board.run()
    press(board, "do_confirm")

    assert board.session_state["chosen"] == 2


def test_a_match_is_rejected_with_a_reason_and_that_is_undone(board, store):
    board.run()
    press(board, "do_reject")
    press(board, "reason_2").run()
    assert row_verdicts(board) == {1: "reject", 2: ""}
    assert store.all()[0].decision.reason == deciding.REASONS[1]

    press(board, "do_undo").run()

    assert store.all()[0].decision is None
    assert row_verdicts(board) == {1: "", 2: ""}
    assert board.session_state["chosen"] == 1


def test_a_note_is_stored_with_the_decision(board, store):
    board.run()
    board.text_input(key="note_1.1").set_value("said twice").run()
    press(board, "do_later")

    (record,) = store.all()
    assert (record.decision.verdict, record.decision.note) == ("later", "said twice")


def test_a_comment_on_a_live_match_is_shown_on_its_card(board, home):
    board.run()
    board.chat_input(key="comment_1.1").set_value("ask the desk").run()

    assert not board.exception
    assert "ask the desk" in text(board)
    with CommentStore.open(f"sqlite:///{home / 'lectern.db'}") as comments:
        assert list(comments.people()) == ["Ada"]


def test_the_decision_of_a_colleague_appears_while_the_page_is_open(board, store, log):
    """The page asks for it as it asks for new sentences."""
    board.run()
    placed = deciding.decided_report(store, live_report(log, EVENT))
    match = placed.report.sentences[1].matches[0]
    deciding.decide(store, placed, (2, match), Decision("confirm", "", "Bea"))

    board.run()

    assert row_verdicts(board) == {1: "", 2: "confirm"}


def test_two_decisions_at_once_are_both_kept_and_one_is_asked_for(board, store, log, monkeypatch):
    board.run()
    placed = deciding.decided_report(store, live_report(log, EVENT))
    match = placed.report.sentences[0].matches[0]
    # a colleague decides between the drawing of the card and the click
    deciding.decide(store, placed, (1, match), Decision("reject", "other", "Bea"))
    monkeypatch.setattr(deciding, "decided_report", lambda *arguments: placed)
    press(board, "do_confirm")
    monkeypatch.undo()

    assert "Bea chose" in text(board)
    press(board, "take_mine")
    assert store.all()[0].decision.verdict == "confirm"


def test_a_reader_sees_matches_but_no_decisions(board, monkeypatch):
    """Neither the buttons nor the keys in the list."""
    monkeypatch.setattr(account, "current", lambda: Account("Rita", Role.READER))
    board.run()

    assert not board.exception
    assert MATCHED[0].matches[0].claim.statement in text(board)
    assert not {"Confirm", "Reject…", "Later", "Undo"} & set(labels(board))
    sent = [json.loads(component.proto.json) for component in board.get("bidi_component")]
    assert [data["can_decide"] for data in sent if "can_decide" in data] == [False]


def test_the_check_of_the_whole_event_has_the_decisions(board, store, log, monkeypatch):
    """It knows the event by all its sentences."""
    board.run()
    press(board, "do_confirm")
    orders = []
    monkeypatch.setattr(CheckService, "start", lambda desk, order: orders.append(order) or JOB)
    for number in range(2, 6):
        say(log, number)
    monkeypatch.setattr("streamlit.switch_page", lambda page, *, query_params: None)

    board.run()
    next(b for b in board.button if b.label == "Check the whole event").click().run()

    assert len(orders) == 1
    debate = deciding.decided_report(store, checked_event(log)).report
    assert verdict_of(debate)[:2] == ["confirm", ""]


def test_a_decision_on_the_first_sentence_of_an_event_is_kept_while_the_event_goes_on(home):
    """One sentence is too little to recognise a debate by, but a live event is known by its name."""
    with begun_event(home) as (log, store):
        placed = deciding.decided_report(store, live_report(log, EVENT))
        match = placed.report.sentences[0].matches[0]
        deciding.decide(store, placed, (1, match), Decision("confirm", "", "Ada"))
        for number in range(1, 4):
            say(log, number)

        assert (
            verdict_of(deciding.decided_report(store, live_report(log, EVENT)).report)[0]
            == "confirm"
        )
        renew_live_note(store, event_transcript(log, EVENT))
        assert verdict_of(deciding.decided_report(store, checked_event(log)).report)[0] == "confirm"


def test_an_event_without_decisions_is_not_noted(home):
    """There is nothing to find again."""
    with begun_event(home) as (log, store):
        placed = deciding.decided_report(store, live_report(log, EVENT))
        match = placed.report.sentences[0].matches[0]
        anchor = deciding.position_anchor(placed.report, 1, match)

        renew_live_note(store, event_transcript(log, EVENT))

        assert store.sentences_of(anchor) is None
