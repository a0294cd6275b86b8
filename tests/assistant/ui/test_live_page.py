"""The page Live without a browser.

Events, the board, the bar of new sentences, the card that stays.
"""

from __future__ import annotations

import time
from dataclasses import replace
from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from assistant.claims.claim_store import ClaimStore
from assistant.core import settings
from assistant.core.access import Account, Role
from assistant.core.domain import OWN_NOTE, Report, Stance, Tier
from assistant.core.errors import LecternError
from assistant.jobs.check_service import CheckService
from assistant.live.background import BackgroundEngines
from assistant.live.event import EVENT_NAME, Event, Feed, Health, Outcome, name_of_title
from assistant.live.event_log import EventLog
from assistant.live.event_view import LiveEntry
from assistant.live.live_lines import Line
from assistant.live.sources import browser_microphone
from assistant.live.sources.replay import REPLAY_PREFIX, ReplaySource
from assistant.report import stored_reports
from assistant.reports.markdown_form import escape_markdown
from assistant.transcription.recogniser import MAX_HINT_CHARACTERS
from assistant.ui import account, live_start, live_view
from tests.assistant import made_up
from tests.assistant.ui import factory
from tests.assistant.ui.conftest import PATIENCE_S, ROOT, forget_start
from tests.assistant.ui.test_pages import labels, sent_rows, text

PAGE = ROOT / "assistant" / "ui" / "pages" / "live_page.py"
MATCHED = [s for s in factory.report(60).sentences if s.matches]


@pytest.fixture
def log(home):
    with EventLog.open(f"sqlite:///{home / 'lectern.db'}") as opened:
        opened.begin(Event("city", "City hall debate"), time.time())
        yield opened


@pytest.fixture
def app(home, log):
    app_test = AppTest.from_file(str(PAGE), default_timeout=PATIENCE_S)
    app_test.query_params["event"] = "city"
    return app_test


@pytest.fixture
def monitored(monkeypatch):
    """An event that this process monitors."""
    monkeypatch.setattr(BackgroundEngines, "follows", lambda engines, event: True)


def say(log, number, *, speaker="REYES", with_match=True):
    """Put a sentence of the factory's report into the log, with its matches."""
    checked = MATCHED[number]
    now = time.time()
    log.store_lines(
        "city", "test", (Line("test", str(number), checked.sentence.text, speaker),), now=now
    )
    if not with_match:
        return
    (sentence,) = log.waiting("city", now=now, limit=9)
    sixty_report = factory.report(60)
    report = Report(sixty_report.transcript, (checked,), sixty_report.manifest)
    claim = checked.matches[0].claim.id
    log.store_outcome(
        sentence,
        Outcome(0.9, True, "", Tier.LIKELY, 1.0, claim, stored_reports.archive(report)),
        now=now,
    )


def shown(app):
    """Return what the session shows: the numbers on the board."""
    return [entry.sentence.number for entry in app.session_state["entries"]]


def test_the_board_shows_what_was_found_newest_first(app, log):
    """Sentences with a match; the health line above, the speakers below."""
    say(log, 0)
    say(log, 1)

    app.run()

    assert not app.exception
    assert shown(app) == [2, 1]
    assert "City hall debate" in text(app)
    assert "all sentences are checked" in text(app)
    assert "Reyes" in text(app)


def test_a_row_quotes_the_sentence_that_settles_it(app, log):
    """One line of the article under each row with a match, as the list of a report has it.

    None without an article.
    """
    for number in range(5):
        say(log, number)
    say(log, 5, with_match=False)

    app.run()

    board = {entry.sentence.number: live_view._row(entry) for entry in app.session_state["entries"]}
    keys = {number: MATCHED[number - 1].matches[0].key_sentences for number in board}
    assert any(keys.values())
    assert not all(keys.values())
    assert {n: matches[0].text if matches else "" for n, matches in keys.items()} == {
        n: r.quote for n, r in board.items()
    }
    assert {f"{r.sign[:1]} {r.quote_reason}" for r in board.values()} == {
        "⚖ decides the rating",
        " ",
    }


@pytest.mark.parametrize(
    ("stance", "warning"), [(Stance.CONTRADICTS, "may say the opposite"), (Stance.REPEATS, "")]
)
def test_a_row_warns_where_the_sentence_may_say_the_opposite(log, stance, warning):
    """As a row of the finished list does.

    No rating is read under the words of somebody who denies the claim.
    """
    say(log, 0)
    (sentence,) = log.sentences("city")

    board_row = live_view._row(LiveEntry(sentence, replace(MATCHED[0].matches[0], stance=stance)))

    assert warning == board_row.stance
    assert MATCHED[0].matches[0].claim.rating == board_row.rating


def test_an_event_that_is_over_is_checked_as_a_transcript(app, log, monkeypatch):
    """What was said goes to the page Check, where it is reviewed and exported."""
    say(log, 0)
    say(log, 1, with_match=False)
    gone = []
    started = []
    monkeypatch.setattr(
        st, "switch_page", lambda page, *, query_params: gone.append((page, query_params))
    )
    monkeypatch.setattr(
        CheckService,
        "start",
        lambda desk, order: started.append(order) or SimpleNamespace(id="a report"),
    )

    app.run()
    next(button for button in app.button if button.label == "Check the whole event").click().run()

    (order,) = started
    assert [MATCHED[i].sentence.text for i in (0, 1)] == [
        sent.text for sent in order.transcript.sentences
    ]
    assert gone == [(live_view.CHECK_PAGE, {"report": "a report"})]
    assert not app.exception


def test_an_event_that_is_followed_is_not_checked_as_a_whole(app, log, monkeypatch):
    """Its sentences are checked as they are said, by the same two cores."""
    monkeypatch.setattr(BackgroundEngines, "follows", lambda engines, event: True)

    app.run()

    assert "Check the whole event" not in labels(app)
    assert "Stop monitoring" in labels(app)


def test_an_event_without_a_line_waits(app):
    """Nothing was said yet, nobody follows it, and no card is open."""
    app.run()

    assert not app.exception
    assert "Not connected" in text(app)
    assert "Last words <b>none yet</b>" in text(app)
    assert "Choose a sentence" in text(app)


def test_the_card_of_a_live_sentence_offers_no_correction(app, log):
    """There is no stored report yet in which it could be corrected, also where sound gives the sentence a time."""
    log.store_lines(
        "city",
        "test",
        (Line("test", "0", MATCHED[0].sentence.text, start=1.0, end=2.0),),
        now=time.time(),
    )
    app.run()
    app.session_state["chosen"] = 1

    app.run()

    assert not app.exception
    assert MATCHED[0].sentence.text in text(app)
    assert "Correct what was heard" not in [expander.label for expander in app.expander]


def test_the_health_of_an_event_that_is_late_stands_out():
    """Hearing that is far behind is no small print; nor are checks.

    After a while without a sign nobody follows.
    """
    late = Feed("test", 9.0, "", unheard=16.0)
    checks = Health((), 9.0, 7, 4.2, 9.0, None)
    heard = Health((late,), 9.0, 0, 0.0, 9.0, None)

    health_html = [
        live_view._health_html(health, now, max_silence_s=30)
        for health, now in ((heard, 10.0), (checks, 10.0), (heard, 50.0))
    ]
    assert [html.split('"')[1].split()[0] for html in health_html] == [
        "lx-warn",
        "lx-warn",
        "lx-soft",
    ]
    assert "hearing is 16 s behind" in health_html[0]
    assert "Not connected" in health_html[2]


@pytest.mark.parametrize(
    ("source_names", "word"),
    [
        (["replay of City debate"], "Replay"),
        (["replay of City debate", "replay of the same"], "Replay"),
        (["replay of City debate", "hall"], "LIVE"),
        (["captions"], "LIVE"),
        ([], "LIVE"),
    ],
)
def test_a_recorded_debate_that_is_replayed_is_not_called_live(source_names, word):
    """It is live as soon as one source is."""
    feeds = tuple(Feed(name, 9.0, "") for name in source_names)
    health = Health(feeds, 9.0, 0, 0.0, 9.0, None)

    assert f">{word}<" in live_view._health_html(health, 10.0, max_silence_s=30)


def test_the_source_of_a_replay_is_known_by_its_name():
    source = ReplaySource(made_up.report().transcript)

    assert source.name.startswith(REPLAY_PREFIX)


def test_a_note_of_a_source_says_when_it_was_made():
    """So that nobody takes an old one for what is the matter now."""
    at = time.mktime((2026, 9, 10, 21, 14, 5, 0, 0, -1))
    health = Health((Feed("hall", at, "listening has caught up.", at),), at, 0, 0.0, at, None)

    assert "21:14:05 hall: listening has caught up." in live_view._health_html(
        health, at, max_silence_s=30
    )


def test_while_a_card_is_read_new_sentences_wait_in_a_bar(app, log, monitored):
    """The board keeps its rows until somebody asks for the new ones."""
    say(log, 0)
    app.run()
    app.session_state["chosen"] = 1
    say(log, 1)

    app.run()

    assert shown(app) == [1]
    assert "1 new" in labels(app)
    next(b for b in app.button if b.label == "1 new").click().run()
    assert shown(app) == [2, 1]


def test_a_paused_board_keeps_still(app, log, monitored):
    """Nothing moves until the pause ends; the bar counts."""
    say(log, 0)
    app.run()
    app.toggle[0].set_value(True).run()
    say(log, 1)
    say(log, 2)
    app.run()

    assert (shown(app), "2 new" in labels(app)) == ([1], True)
    app.toggle[0].set_value(False).run()
    assert shown(app) == [3, 2, 1]


def test_after_the_event_nothing_waits(app, log):
    """Nothing moves any more, so nothing pauses, and all sentences are shown."""
    say(log, 0)
    app.run()
    app.session_state["chosen"] = 1
    say(log, 1)

    app.run()

    assert shown(app) == [2, 1]
    assert not [toggle for toggle in app.toggle if toggle.key == "paused"]


def test_the_running_words_stand_above_the_list(app, log):
    """The newest sentences, also those without a match."""
    say(log, 0)
    say(log, 1, with_match=False)

    app.run()

    running = next(str(b.proto.body) for b in app.get("html") if "lx-running" in str(b.proto.body))
    assert MATCHED[1].sentence.text in running
    assert running.count('title="has a match"') == 1


def say_half_true(log):
    """Put a sentence into the log whose only match is rated half true."""
    checked = MATCHED[2]
    half_true = replace(checked.matches[0], claim=factory.vclaim(2))
    now = time.time()
    log.store_lines("city", "test", (Line("test", "9", checked.sentence.text, "REYES"),), now=now)
    (sentence,) = log.waiting("city", now=now, limit=9)
    sixty_report = factory.report(60)
    checked = replace(checked, tier=None, matches=(half_true,))
    report = Report(sixty_report.transcript, (checked,), sixty_report.manifest)
    outcome = Outcome(
        0.9, True, "", Tier.LIKELY, None, half_true.claim.id, stored_reports.archive(report)
    )
    log.store_outcome(sentence, outcome, now=now)


def test_half_true_matches_are_listed_or_skipped_by_the_switch(app, log):
    say(log, 0)
    say_half_true(log)
    app.run()
    assert "Half True: listed (1)" in [plain_label(toggle.label) for toggle in app.toggle]
    assert len(sent_rows(app)) == 2
    app.query_params["half_true"] = "skipped"

    app.run()

    assert len(sent_rows(app)) == 1


def plain_label(label):
    return label.replace("\\", "")


def test_a_row_has_claim_and_strength_as_in_a_report(app, log):
    say(log, 0)

    (row,) = sent_rows(app.run())

    assert row["claim"] == MATCHED[0].matches[0].claim.statement
    assert row["strength"] == "strong"


def test_two_sessions_show_the_same_board(app, log):
    """Another browser, opened later, has the same rows."""
    say(log, 0)
    app.run()
    other_app = AppTest.from_file(str(PAGE), default_timeout=PATIENCE_S)
    other_app.query_params["event"] = "city"
    say(log, 1)

    app.run()
    other_app.run()

    assert shown(app) == shown(other_app) == [2, 1]


@pytest.mark.parametrize("folder", ["", "captions"])
def test_a_file_that_grows_needs_a_folder_that_the_operator_names(app, home, monkeypatch, folder):
    """Without one nobody may follow a file of this computer."""
    monkeypatch.setenv("LECTERN_LIVE_FOLDER", folder and str(home / folder))
    del app.query_params["event"]
    app.run()

    assert bool(folder) == ("A file that grows" in app.selectbox[0].options)


@pytest.mark.parametrize(
    "name", ["/etc/passwd", "../lectern.db", "link", "a/../../lectern.db", "", " ", "a\0b"]
)
def test_a_file_outside_the_folder_is_not_followed(tmp_path, name):
    """Nor one to which a link in the folder leads."""
    folder = tmp_path / "captions"
    folder.mkdir()
    (folder / "link").symlink_to("/etc/passwd")

    with pytest.raises(LecternError):
        live_start.path_in_folder(folder, name)


def test_a_file_in_the_folder_is_followed(tmp_path):
    """Whether or not it is there yet; without a folder there is none."""
    assert live_start.path_in_folder(tmp_path, " tonight.txt ") == tmp_path / "tonight.txt"
    with pytest.raises(LecternError, match="LECTERN_LIVE_FOLDER"):
        live_start.path_in_folder(None, "tonight.txt")


def test_without_an_event_the_page_offers_those_there_are(app, monkeypatch):
    """And a form for a new one, which says what is missing."""
    monkeypatch.setenv("LECTERN_LIVE_FOLDER", "/nowhere")
    del app.query_params["event"]
    app.run()

    assert any(label.startswith("City hall debate") for label in labels(app))
    next(b for b in app.button if b.label == "Start monitoring").click().run()
    assert "No file name was entered" in app.error[0].value


def test_an_own_note_is_kept_and_made_searchable(home, monkeypatch):
    """From the form to the database, labelled as a note; events that are followed here reload."""
    notices = []
    monkeypatch.setattr(
        "assistant.live.background.BackgroundEngines.refresh",
        lambda engines: notices.append(engines.settings.home),
    )
    app = AppTest.from_file(str(PAGE), default_timeout=PATIENCE_S).run()

    app.button(key=next(b.key for b in app.button if b.label == "Save this note")).click().run()
    assert "The note is empty" in app.error[0].value
    assert not notices

    app.text_input(key="note_statement").input("The bridge cost $400 million.")
    app.text_area(key="note_about").input("Budget of 2023, page 4.")
    app.button(key=next(b.key for b in app.button if b.label == "Save this note")).click().run()

    assert not app.exception
    assert "The note is saved" in app.success[0].value
    assert [home] == notices
    with ClaimStore.open(f"sqlite:///{home / 'lectern.db'}") as store:
        (own_note,) = [
            vclaim for vclaim in store.search("", limit=1000) if vclaim.publisher == OWN_NOTE
        ]
    assert own_note.statement == "The bridge cost $400 million."
    assert own_note.body == "Budget of 2023, page 4."
    assert own_note.rating == ""


@pytest.fixture
def started(monkeypatch):
    """Return the events and sources that the page begins to follow; nothing is followed."""
    begun = []

    def start(engines, event, source, *, account):
        begun.append((event, source, account))
        return engines.log.begin(event, time.time(), who=account)

    monkeypatch.setattr("assistant.live.background.BackgroundEngines.start", start)
    return begun


def follow_sound(address, names="", **details):
    """Fill in the form for a stream or recording and press the button."""
    app = AppTest.from_file(str(PAGE), default_timeout=PATIENCE_S)
    for key, value in details.items():
        app.query_params[key] = value
    app.run()
    next(box for box in app.selectbox if box.label == "Source").select(
        "A stream or recording, listened to"
    ).run()
    next(field for field in app.text_input if field.label == "Address or file").input(address)
    next(
        field for field in app.text_input if field.label == "Names and terms that will be said"
    ).input(names)
    next(b for b in app.button if b.label == "Start monitoring").click().run()
    assert not app.exception
    return app


def test_a_stream_is_listened_to_with_the_names_of_the_briefing(home, started):
    """The names given come first, then speakers and topics of the briefing, then those of its fact-checks."""
    claimant = factory.vclaim(0).claimant
    follow_sound(
        "https://example.org/night.m3u8",
        "Kestrel  Bay,, Tremblay",
        brief_speakers=claimant,
        brief_topics="bridges",
    )

    ((event, source, _),) = started
    names = source.hot_words.split(", ")
    assert event.name == "night"
    assert source.address == "https://example.org/night.m3u8"
    assert source.speed == 1.0
    assert ["Kestrel Bay", "Tremblay", claimant, "bridges"] == names[:4]
    assert home == source.app_settings.home
    assert not source.private
    assert len(source.hot_words) <= MAX_HINT_CHARACTERS


def test_a_recording_is_listened_to_in_the_operators_folder_only(
    home, started, monkeypatch, tmp_path_factory
):
    """The same folder as of files that grow, links followed."""
    folder = tmp_path_factory.mktemp("operator")
    (folder / "night.mp3").write_bytes(b"ID3")
    monkeypatch.setenv("LECTERN_LIVE_FOLDER", str(folder))

    follow_sound("night.mp3")
    refused = follow_sound("../../etc/passwd")

    ((event, source, _),) = started
    assert event.name == "night"
    assert str(folder / "night.mp3") == source.address
    assert "only files in this folder" in refused.error[0].value


def test_no_stream_is_opened_where_the_operator_forbids_the_network(home, started, monkeypatch):
    """Nor any address of another protocol, anywhere."""
    refused_app = follow_sound("file:///etc/passwd")
    monkeypatch.setenv("LECTERN_NETWORK", "0")
    forget_start()
    st.cache_resource.clear()
    forbidden = follow_sound("https://example.org/night.m3u8")

    assert not started
    assert "an audio source" in refused_app.error[0].value
    assert escape_markdown(live_start.STREAMS_NOT_ALLOWED) == forbidden.error[0].value


def test_the_microphone_of_the_browser_is_listened_to(home, started):
    """With the names that are given.

    The board offers to go on where listening has ended, to editors.
    """
    app = AppTest.from_file(str(PAGE), default_timeout=PATIENCE_S).run()
    next(box for box in app.selectbox if box.label == "Source").select(
        "The microphone of this browser"
    ).run()
    next(field for field in app.text_input if field.label == "Name of the event").input("Town hall")
    next(
        field for field in app.text_input if field.label == "Names and terms that will be said"
    ).input("Tremblay")
    next(b for b in app.button if b.label == "Start monitoring").click().run()
    assert not app.exception

    ((event, source, _),) = started
    assert event.name == "Town hall"
    assert source.name == browser_microphone.NAME
    assert source.hot_words == "Tremblay"
    next(b for b in app.button if b.label == "Go on with the microphone").click().run()
    assert [event.name for event, *_ in started] == ["Town hall", "Town hall"]


def test_readers_have_no_microphone(app, home, monkeypatch):
    """Nor has an event that listens to something else."""
    assert "Go on with the microphone" not in labels(app.run())

    browser_microphone.source("city", settings.load(home=home)).sound_buffer.open()
    assert "Go on with the microphone" in labels(app.run())
    monkeypatch.setattr(account, "current", lambda: Account("Ada", Role.REVIEWER))
    assert "Go on with the microphone" not in labels(app.run())


def test_other_events_are_reached_whatever_the_order_of_the_board(app, log):
    """The order is in the address, and the way back to the choice of events is not barred by it."""
    app.query_params["order"] = "Best"
    app.run()

    next(b for b in app.button if b.label == "Other events").click().run()

    assert not app.exception
    assert any(label.startswith("City hall debate") for label in labels(app))


@pytest.mark.threat("operator")
@pytest.mark.parametrize(
    ("now", "is_followed"),
    [(1000.0, True), (1029.0, True), (1031.0, False), (999.0, True), (1000.0 - 3600, False)],
)
def test_an_event_never_counts_as_followed_after_the_clock_was_set_back(now, is_followed):
    """The last sign of life is then an hour in the future."""
    health = Health((), None, 0, 0.0, 1000.0, None)

    shown_health = live_view._health_html(health, now, max_silence_s=30)

    assert ("LIVE" in shown_health) == is_followed


def test_a_second_rehearsal_begins_anew(home, log, monkeypatch):
    """It has an event of its own; a rehearsal that is running is opened again."""
    started = []
    running = set()
    monkeypatch.setattr(
        BackgroundEngines,
        "start",
        lambda engines, event, source, *, account: (
            started.append(engines.log.begin(event, time.time())) or running.add(event.name)
        ),
    )
    monkeypatch.setattr(BackgroundEngines, "follows", lambda engines, name: name in running)

    def rehearse():
        app_test = AppTest.from_file(str(PAGE), default_timeout=PATIENCE_S)
        app_test.run().button(key="replay_sample").click().run()
        assert not app_test.exception
        return app_test.query_params["event"]

    first = rehearse()
    assert rehearse() == first
    running.clear()
    second = rehearse()

    assert second != first
    assert [event.name for event in started] == [first, second]
    assert started[1].title == f"{started[0].title} (2)"
    assert started[1].day == started[0].day


@pytest.mark.parametrize(
    ("title", "name"),
    [("Q&A: who pays?", "Q A who pays"), ("Biden / Trump", "Biden Trump"), ("::", "")],
)
def test_a_title_with_any_sign_names_an_event(title, name):
    """The key of an event is part of addresses; the title keeps its signs."""
    assert name_of_title(title) == name
    assert not name or EVENT_NAME.fullmatch(name)


def test_speeds_are_words():
    assert [live_start.speed_words(1), live_start.speed_words(20)] == [
        "as it was said",
        "20 times as fast",
    ]
