"""The view Review without a browser.

What its buttons store, and what it says when others decide too.
"""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from assistant.core.domain import Decision, MatchOrder
from assistant.report import stored_reports
from assistant.reports.markdown_form import escape_markdown
from assistant.review import deciding
from assistant.review.decision_store import DecisionStore
from tests.assistant.ui import factory
from tests.assistant.ui.conftest import PATIENCE_S, REPORT_ID, ROOT

PAGE = ROOT / "assistant" / "ui" / "pages" / "review_page.py"


@pytest.fixture
def desk(home):
    """The page on the report, with a name given, not yet run."""
    app = AppTest.from_file(str(PAGE), default_timeout=PATIENCE_S)
    app.query_params["report"] = REPORT_ID
    app.session_state["by"] = "Ada"
    return app


@pytest.fixture
def store(home):
    with DecisionStore.open(f"sqlite:///{home / 'lectern.db'}") as opened:
        yield opened


def text(app: AppTest) -> str:
    return "\n".join(str(block.proto.body) for block in app.get("html"))


def press(app: AppTest, key: str) -> AppTest:
    return app.button(key=key).click().run()


def shown_sentence(app: AppTest) -> str:
    """Return the number of the sentence in the address."""
    value = app.query_params["s"]
    return value[0] if isinstance(value, list) else value


def sent_rows(app: AppTest) -> list[dict]:
    """Return the rows that the list was given."""
    sent = (json.loads(component.proto.json) for component in app.get("bidi_component"))
    return next(data["rows"] for data in sent if "rows" in data)


def verdicts(store) -> list[str]:
    return [record.decision.verdict for record in store.all() if record.decision]


def test_confirming_stores_the_decision_and_goes_on(desk, store):
    """Name, time and models are kept; the next sentence is on the screen."""
    press(desk.run(), "do_confirm")

    assert not desk.exception
    (record,) = store.all()
    assert record.decision.verdict == "confirm"
    assert record.decision.by == "Ada"
    assert "models" in json.loads(record.anchor.made_with)
    assert record.decision.at.endswith("Z")
    assert "1 of 24 statements decided: 1 confirmed" in text(desk)
    assert shown_sentence(desk) == "3"


def test_the_order_of_matches_is_that_of_the_address(desk):
    """The menu is on the card."""
    desk.query_params["matches"] = "newest"
    desk.run()

    assert not desk.exception
    assert desk.radio(key="match_order").value == MatchOrder.NEWEST
    desk.radio(key="match_order").set_value(MatchOrder.CLOSEST).run()
    assert "matches" not in desk.query_params


def test_the_list_has_the_statements_that_nobody_has_decided_on(desk):
    """The same rows as in the other views, without the decided ones."""
    numbers = [row["number"] for row in sent_rows(desk.run())]

    press(desk, "do_confirm")

    assert [row["number"] for row in sent_rows(desk)] == numbers[1:]


def test_a_statement_marked_later_is_last_also_when_the_review_is_opened_anew(desk):
    """The first row, whose card is shown, is an undecided one."""
    numbers = [sent_row["number"] for sent_row in sent_rows(desk.run())]
    press(desk, "do_later")
    del desk.query_params["s"]
    desk.session_state["chosen"] = None

    desk.run()

    assert [sent_row["number"] for sent_row in sent_rows(desk)] == [*numbers[1:], numbers[0]]
    assert shown_note(desk).key == f"note_{numbers[1]}.1"


def shown_note(app: AppTest):
    return next(field for field in app.text_input if field.label == "Note")


def test_a_note_stays_until_a_decision_saves_it(desk):
    """Also while another statement is shown."""
    listed_rows = sent_rows(desk.run())
    noted_number = str(listed_rows[0]["number"])
    shown_note(desk).set_value("half a note").run()
    desk.query_params["s"] = str(listed_rows[1]["number"])
    desk.run()
    assert shown_note(desk).value == ""

    desk.query_params["s"] = noted_number
    desk.run()

    assert shown_note(desk).value == "half a note"
    press(desk, "do_confirm")
    assert desk.session_state["note_drafts"] == {}


def test_the_empty_list_says_when_all_is_decided(desk, store, home):
    factory.keep(home, REPORT_ID, factory.report(8))
    desk.run()
    while not desk.button(key="do_confirm").disabled and sent_rows(desk):
        press(desk, "do_confirm")

    assert len(verdicts(store)) == 3
    sent = (json.loads(component.proto.json) for component in desk.get("bidi_component"))
    assert next(data["empty"] for data in sent if "rows" in data).startswith("All done.")


def test_decided_statements_are_listed_on_request(desk):
    """The filter is in the address."""
    press(desk.run(), "do_confirm")
    desk.query_params["reviewed"] = "confirm"

    desk.run()

    assert [row["verdict"] for row in sent_rows(desk)] == ["confirm"]


def half_true_only(report, rank: int):
    """Return a report in which the sentence of a rank matches a half-true rating only."""
    half_true = factory.vclaim(2)
    sentences = []
    for checked in report.sentences:
        if checked.rank == rank:
            match = replace(checked.matches[0], claim=half_true)
            checked = replace(checked, tier=None, matches=(match,))
        sentences.append(checked)
    return replace(report, sentences=tuple(sentences))


def toggle_labels(page):
    """Return the labels of the switches of a page, without the marks of Markdown."""
    return [toggle.label.replace("\\", "") for toggle in page.toggle]


def test_the_review_follows_the_switch_of_half_true_ratings(desk, home):
    """What is skipped as in the paper isn't reviewed."""
    factory.keep(home, REPORT_ID, half_true_only(factory.report(60), rank=3))
    desk.run()
    assert "0 of 24 statements decided" in text(desk)
    assert "Half True: listed (1)" in toggle_labels(desk)
    desk.query_params["half_true"] = "skipped"

    desk.run()

    assert "Half True: skipped as in the paper (1)" in toggle_labels(desk)
    assert "0 of 23 statements decided" in text(desk)
    assert len(sent_rows(desk)) == 23


def test_rejecting_asks_for_the_reason(desk, store):
    """Seven reasons with digits; the note goes with it."""
    desk.run()
    next(t for t in desk.text_input if t.label == "Note").set_value("other bridge").run()
    press(desk, "do_reject")
    assert store.all() == []
    assert list(deciding.REASONS) == [
        b.label.lower() for b in desk.button if (b.key or "").startswith("reason_")
    ]

    press(desk, "reason_2")

    (record,) = store.all()
    assert (*(record.decision.verdict, record.decision.reason, record.decision.note),) == (
        "reject",
        "wrong number",
        "other bridge",
    )
    assert not [b for b in desk.button if (b.key or "").startswith("reason_")]


def test_undo_takes_the_last_decision_back_and_shows_it_again(desk, store):
    """Press by press, back to where nothing was decided."""
    press(press(desk.run(), "do_confirm"), "do_later")
    assert sorted(verdicts(store)) == ["confirm", "later"]

    press(desk, "do_undo")
    assert verdicts(store) == ["confirm"]
    press(desk, "do_undo")

    assert verdicts(store) == []
    assert desk.button(key="do_undo").disabled
    assert shown_sentence(desk) == "2"


@pytest.fixture
def rows(desk, home):
    """The page on a report in which a row has three folded passages, at that row."""
    factory.keep(home, REPORT_ID, factory.passages(60))
    desk.query_params["at"] = "4.1"
    return desk.run()


def test_a_decision_covers_the_shown_passage_alone(rows, store):
    """Those that say it again are shown below it, not ticked, and become rows of their own."""
    assert [box.value for box in rows.checkbox if box.key.startswith("also_")] == [False] * 3

    press(rows, "do_confirm")

    assert {r.anchor.number: r.decision.verdict for r in store.all()} == {4: "confirm"}
    assert "1 of 14 statements decided" in text(rows)


def test_a_decision_covers_the_ticked_passages(rows, store):
    """One key decides on all of them, one takes all of it back."""
    rows.checkbox(key="also_15.1").check()
    rows.checkbox(key="also_31.1").check()

    press(rows, "do_confirm")
    assert {r.anchor.number: r.decision.verdict for r in store.all()} == {
        4: "confirm",
        15: "confirm",
        31: "confirm",
    }
    press(rows, "do_undo")

    assert verdicts(store) == []
    assert "0 of 11 statements decided" in text(rows)


def test_without_a_name_nothing_can_be_decided(desk):
    """A decision says who made it.

    A name in the address, as links of colleagues had it, is not theirs to give.
    """
    desk.query_params["by"] = "Ada"
    del desk.session_state["by"]

    desk.run()

    assert desk.button(key="do_confirm").disabled
    assert "Enter your name first" in text(desk)


def ben_rejects(store):
    """Store what a colleague says of the match that is open here."""
    report = stored_reports.load(stored_reports.archive(factory.report(60)))
    best = report.ranked()[0]
    where = (best.sentence.number, best.matches[0])
    deciding.decide(
        store,
        deciding.decided_report(store, report),
        where,
        Decision("reject", "wrong time", "Ben"),
    )


def test_a_colleague_who_was_faster_is_not_overwritten(desk, store):
    """Theirs is shown; taking mine puts it on top, with theirs in the history."""
    desk.run()
    ben_rejects(store)

    press(desk, "do_confirm")
    assert verdicts(store) == ["reject"]
    question = "Ben chose Rejected (wrong time) while you were deciding. You chose Confirmed."
    assert question in text(desk)
    press(desk, "take_mine")

    assert verdicts(store) == ["confirm"]
    history = [r.decision.verdict for r in store.history(store.all()[0].key)]
    assert history == ["reject", "confirm", "reject", "confirm"]
    assert "Which counts?" not in text(desk)


def test_the_other_may_be_right(desk, store):
    """Taking theirs leaves it as it is."""
    desk.run()
    ben_rejects(store)
    press(desk, "do_confirm")

    press(desk, "take_theirs")

    assert verdicts(store) == ["reject"]
    assert "Which counts?" not in text(desk)


def test_the_question_stays_on_the_next_card_with_its_sentence(desk, store):
    """It is answered later: it names the sentence that it is about."""
    desk.run()
    ben_rejects(store)
    press(desk, "do_confirm")

    desk.query_params["s"] = "3"
    desk.run()

    number = store.all()[0].anchor.number
    assert number != 3
    assert f"Sentence {number}: Ben chose Rejected" in text(desk)


def test_two_who_decide_alike_are_not_asked(desk, store):
    """The next statement opens."""
    desk.run()
    report = stored_reports.load(stored_reports.archive(factory.report(60)))
    best = report.ranked()[0]
    where = (best.sentence.number, best.matches[0])
    deciding.decide(
        store, deciding.decided_report(store, report), where, Decision("confirm", by="Ben")
    )

    press(desk, "do_confirm")

    assert "Which counts?" not in text(desk)
    assert shown_sentence(desk) == "3"


def test_a_reload_goes_on_where_the_review_was(desk, home):
    """Another session, the same address: the decisions and the place are there."""
    press(press(desk.run(), "do_confirm"), "do_confirm")
    again = AppTest.from_file(str(PAGE), default_timeout=PATIENCE_S)
    again.query_params["report"] = REPORT_ID

    again.run()

    assert "2 of 24 statements decided: 2 confirmed" in text(again)
    assert len(sent_rows(again)) == 22


def test_keys_can_be_changed_and_never_to_those_of_the_framework(desk, home):
    """A letter twice, c and r are refused in one line; a good set is kept and used."""
    desk.run()
    desk.text_input(key="key_confirm").set_value("c")
    press(desk, "keep_keys")
    assert "The key c cannot be used" in desk.error[0].value

    desk.text_input(key="key_confirm").set_value("a")
    press(desk, "keep_keys")

    assert json.loads((home / "review-keys.json").read_text())["confirm"] == "a"
    assert desk.button(key="do_confirm").proto.shortcut == "a"


def test_every_match_can_be_reviewed(desk):
    """Not the best of each sentence only."""
    desk.query_params["which"] = "All"

    desk.run()

    total = sum(len(s.matches) for s in factory.report(60).sentences)
    assert f"0 of {total} matches decided" in text(desk)


def test_without_a_report_the_page_offers_those_there_are(home):
    """One click opens one."""
    app = AppTest.from_file(str(PAGE), default_timeout=PATIENCE_S).run()

    press(app, f"review_{REPORT_ID}")

    assert '<h1 title="City hall debate' in text(app)


def test_exports_of_every_format_are_offered(desk):
    """The same menu as on the page Check, and the evaluation set."""
    from assistant import reports

    desk.session_state["export"] = True  # the menu is open
    labels = {b.label for b in desk.run().get("download_button")}

    expected = {form.label for form in reports.FORMATS.values()} | {"Evaluation set (TREC)"}
    assert {escape_markdown(label) for label in expected} == labels


def test_the_note_says_that_exports_print_it(desk):
    """The field, the line below it and the choice of the export menu say so before readers see it."""
    desk.session_state["export"] = True  # the menu is open

    note = next(field for field in desk.run().text_input if field.label == "Note")
    statements = next(choice for choice in desk.radio if choice.label == "Statements")

    assert "printed in exports" in note.placeholder
    assert "Your note and your name are saved with the decision and printed in exports" in text(
        desk
    )
    assert "the reviewer’s name and note" in statements.help
