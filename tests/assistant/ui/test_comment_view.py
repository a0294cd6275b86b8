"""Comments, assignments and who is here, on the page of a debate without a browser."""

from __future__ import annotations

import json
from dataclasses import replace
from html import unescape

import pytest
from streamlit.testing.v1 import AppTest

from assistant.core.domain import Decision
from assistant.review import comment_threads, deciding
from assistant.review.assignment_store import AssignmentStore
from assistant.review.comment_store import CommentStore
from assistant.review.decision_store import DecisionStore
from assistant.review.presence_store import PresenceStore
from assistant.ui import comment_view
from tests.assistant.ui import factory
from tests.assistant.ui.conftest import PATIENCE_S, REPORT_ID, ROOT

REVIEW_PAGE = ROOT / "assistant" / "ui" / "pages" / "review_page.py"
DEBATES_PAGE = ROOT / "assistant" / "ui" / "pages" / "check_page.py"
REPORT = factory.report(60)
BEST = REPORT.ranked()[0]
NUMBER = BEST.sentence.number
ITEM = f"{NUMBER}.1"


@pytest.fixture
def url(home):
    return f"sqlite:///{home / 'lectern.db'}"


@pytest.fixture
def desk(home):
    """The view Review with a name, not yet run."""
    app = AppTest.from_file(str(REVIEW_PAGE), default_timeout=PATIENCE_S)
    app.query_params["report"] = REPORT_ID
    app.session_state["by"] = "Ada"
    return app


def text(app: AppTest) -> str:
    return "\n".join(str(block.proto.body) for block in app.get("html"))


def sent_rows(app: AppTest) -> list[dict]:
    """Return the rows that the list was given."""
    sent = (json.loads(component.proto.json) for component in app.get("bidi_component"))
    return next(data["rows"] for data in sent if "rows" in data)


def keys(app: AppTest) -> set[str]:
    return {button.key for button in app.button}


def write(app: AppTest, words: str) -> AppTest:
    return app.chat_input(key=f"comment_{ITEM}").set_value(words).run()


def comment_of_ben(url: str, words: str = "I doubt it.") -> None:
    """Let a colleague comment on the match that is open."""
    with CommentStore.open(url) as comments, DecisionStore.open(url) as decisions:
        placed = comment_threads.placed_comments(comments, decisions, REPORT)
        match = BEST.matches[0]
        thread = comment_threads.thread_of(placed, decisions, REPORT, NUMBER, match)
        comments.add(thread, "Ben", words, [])


def test_a_comment_is_on_the_card_and_counted_in_the_row(desk):
    desk.run()
    assert 'class="lx-comment"' not in text(desk)

    write(desk, "Is it the <b>same</b> bridge?\nSee p. 2.")

    assert not desk.exception
    assert "Is it the &lt;b&gt;same&lt;/b&gt; bridge?\nSee p. 2." in text(desk)
    row = next(row for row in sent_rows(desk) if row["number"] == NUMBER)
    assert row["comments"] == 1
    assert sum(row["comments"] for row in sent_rows(desk)) == 1


def test_a_colleague_is_mentioned_and_an_unknown_name_is_named(desk, url):
    comment_of_ben(url)
    desk.run()

    write(desk, "@ben and @Bob, look")

    with CommentStore.open(url) as comments:
        assert [mention.person for mention in comments.mentions(since=0.0)] == ["Ben"]
    notice = "@Bob isn't one known person. You can mention Ben."
    assert notice in unescape(text(desk))


def test_an_own_comment_is_changed_and_deleted(desk, url):
    write(desk.run(), "Frist.")
    with CommentStore.open(url) as comments:
        (thread,) = comments.of_debate(REPORT.transcript.source.sha256, "", None)
        (comment,) = comments.comments([thread.key])[thread.key]

    desk.text_area(key=f"own_text_{comment.id}").set_value("First.").run()
    desk.button(key=f"own_save_{comment.id}").click().run()
    assert "First." in text(desk)
    assert ", edited" in text(desk)
    desk.button(key=f"own_delete_{comment.id}").click().run()

    assert 'class="lx-comment"' not in text(desk)


def test_a_comment_of_a_colleague_has_no_menu(desk, url):
    comment_of_ben(url)

    desk.run()

    assert "I doubt it." in text(desk)
    assert [key for key in keys(desk) if (key or "").startswith("own_")] == []


def test_of_a_long_thread_the_newest_comments_are_shown(desk, url):
    for number in range(1, 6):
        comment_of_ben(url, f"Comment number {number}.")
    desk.run()
    assert "Comment number 2." not in text(desk)
    assert "Comment number 3." in text(desk)

    desk.button(key="earlier_comments").click().run()

    assert "Comment number 1." in text(desk)


def test_without_a_name_there_is_no_field(desk, url):
    comment_of_ben(url)
    del desk.session_state["by"]

    desk.run()

    assert "I doubt it." in text(desk)
    assert len(desk.chat_input) == 0


@pytest.mark.threat("reader")
def test_a_reader_reads_comments_and_writes_none(desk, url, monkeypatch):
    """The roles of accounts; the callbacks have tests of their own."""
    comment_of_ben(url)
    reader = comment_view.account.Account("cleo", comment_view.Role.READER)
    monkeypatch.setattr(comment_view.account, "current", lambda: reader)

    desk.run()

    assert "I doubt it." in text(desk)
    assert len(desk.chat_input) == 0
    assert "assign" not in keys(desk)


def test_comments_without_a_place_are_listed_in_the_review(desk, home, url):
    comment_of_ben(url)
    factory.keep(home, REPORT_ID, factory.report(60, matched=False))

    desk.run()

    assert not desk.exception
    assert "I doubt it." in text(desk)
    assert "1 comment without a place in this report" in [it.label for it in desk.expander]


def test_the_statements_shown_are_assigned_and_are_mine(desk, url):
    """The list of that moment, whatever the filters are later."""
    desk.query_params["speaker"] = BEST.sentence.speaker
    desk.run()
    numbers = [row["number"] for row in sent_rows(desk)]
    desk.selectbox(key="assign_person").set_value("Ada")

    desk.button(key="assign").click().run()

    assert not desk.exception
    (assignment,) = AssignmentStore.open(url).all()
    assert [match.number for match in assignment.matches] == sorted(numbers)
    del desk.query_params["speaker"]
    desk.run()
    assert len(sent_rows(desk)) > len(numbers)
    desk.checkbox(key="mine").check().run()
    assert [row["number"] for row in sent_rows(desk)] == numbers


def test_a_whole_debate_is_assigned_to_a_colleague_and_taken_back(desk, url):
    comment_of_ben(url)
    desk.run()
    desk.selectbox(key="assign_person").set_value("Ben")
    desk.radio(key="assign_extent").set_value("The whole debate")

    desk.button(key="assign").click().run()

    (assignment,) = AssignmentStore.open(url).all()
    assert (assignment.person, assignment.by, assignment.matches) == ("Ben", "Ada", None)
    assert "Assigned to Ben: the whole debate." in text(desk)
    assert "mine" not in {box.key for box in desk.checkbox}
    desk.button(key=f"unassign_{assignment.id}").click().run()
    assert AssignmentStore.open(url).all() == []


def test_debates_of_a_person_are_a_filter_of_the_list(home, url):
    with AssignmentStore.open(url) as store:
        anchor = deciding.position_anchor(REPORT, NUMBER, BEST.matches[0])
        store.add(anchor, "Ada", "Ben")
    transcript = REPORT.transcript
    other_source = replace(transcript.source, sha256="1" * 64)
    other = replace(REPORT, transcript=replace(transcript, source=other_source))
    factory.keep(home, "another", other)
    app = AppTest.from_file(str(DEBATES_PAGE), default_timeout=PATIENCE_S)
    app.session_state["by"] = "Ada"
    app.run()
    assert {f"kept_{REPORT_ID}", "kept_another"} <= keys(app)
    assert "assigned to Ada" in text(app)

    app.checkbox(key="my_debates").check().run()

    assert f"kept_{REPORT_ID}" in keys(app)
    assert "kept_another" not in keys(app)


def test_colleagues_who_have_the_debate_open_are_named(desk, url):
    document = REPORT.transcript.source.sha256
    with PresenceStore.open(url) as presence:
        presence.note(document, "Ben")
        desk.run()

        assert "Also here: Ben" in text(desk)
        assert presence.note(document, "Ben") == ["Ada"]


def test_a_visitor_is_not_listed_as_a_colleague_before_the_browser_tells_their_name(desk, url):
    document = REPORT.transcript.source.sha256
    with PresenceStore.open(url) as presence:
        presence.note(document, "Ada")  # before the reload
        desk.session_state["by"] = ""
        desk.run()
        assert "Also here" not in text(desk)

        desk.session_state["by"] = "Ada"
        desk.run()
        assert "Also here" not in text(desk)


def test_a_visitor_without_a_name_sees_colleagues_at_the_second_look(desk, url):
    document = REPORT.transcript.source.sha256
    with PresenceStore.open(url) as presence:
        presence.note(document, "Ben")
        desk.session_state["by"] = ""
        desk.run()
        desk.run()

        assert "Also here: Ben" in text(desk)


def test_a_decision_still_opens_the_next_statement_with_its_own_thread(desk, url):
    comment_of_ben(url)
    desk.run()

    desk.button(key="do_confirm").click().run()

    assert "I doubt it." not in text(desk)
    with DecisionStore.open(url) as store:
        (record,) = store.all()
    assert isinstance(record.decision, Decision)
