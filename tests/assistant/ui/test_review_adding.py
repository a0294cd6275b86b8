"""Adding a missed match and a fact-check on the page Review, with the models that ship."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from assistant.review.decision_store import DecisionStore
from assistant.ui import account, shared_resources
from tests.assistant.ui import factory
from tests.assistant.ui.conftest import PATIENCE_S
from tests.assistant.ui.test_review_view import PAGE, text

SMALL = "small"


@pytest.fixture
def desk(home):
    """The page on a debate of eight sentences, with a name given."""
    factory.keep(home, SMALL, factory.report(8))
    app = AppTest.from_file(str(PAGE), default_timeout=PATIENCE_S)
    app.query_params["report"] = SMALL
    app.session_state["by"] = "Ada"
    return app.run().button(key="ask_missed").click().run()


def test_the_form_for_a_missed_match_is_open_once_it_is_asked_for(desk):
    """No second click opens it."""
    assert not [expander for expander in desk.expander if "missed match" in expander.label]
    assert desk.text_input(key="missed_search").value == ""


def test_without_a_name_the_form_says_so_and_asks_for_it(desk):
    """The card of a statement without a match has no other field for it."""
    report = factory.report(8)
    unmatched = next(checked for checked in report.sentences if not checked.matches)
    del desk.session_state["by"]
    desk.query_params["s"] = str(unmatched.sentence.number)
    desk.run()

    desk.button(key="ask_missed").click().run()

    assert desk.button(key="missed_add").disabled
    assert account.NAME_MISSING in text(desk)
    desk.text_input(key="typed_name").set_value("Ada").run()
    assert not desk.button(key="missed_add").disabled
    assert account.NAME_MISSING not in text(desk)


def submit(app: AppTest, label: str) -> AppTest:
    return next(b for b in app.button if b.label == label).click().run()


def address(app: AppTest, name: str) -> str:
    value = app.query_params[name]
    return value[0] if isinstance(value, list) else value


def test_a_missed_match_is_added_as_confirmed_by_the_person(desk, home):
    """Any sentence, any fact-check of the database; it is shown, and stays after a reload."""
    desk.text_input(key="missed_search").set_value("cost 25 million").run()
    sentence = next(s for s in desk.selectbox if s.label == "Sentence")
    sentence.set_value(6).run()
    desk.button(key="missed_add").click().run()

    assert not desk.exception
    assert not desk.error
    with DecisionStore.open(f"sqlite:///{home / 'lectern.db'}") as store:
        (record,) = store.all()
    assert (
        *(record.anchor.number, record.anchor.claim_id),
        *(record.decision.verdict, record.decision.by),
    ) == (6, "claim-5", "confirm", "Ada")
    assert address(desk, "s") == "6"
    assert "Confirmed by Ada" in text(desk)


def test_a_fact_check_to_choose_is_text(desk):
    """Dollar signs are no mathematics and brackets no links."""
    with shared_resources.check_service().store() as store:
        store.upsert(
            [replace(factory.vclaim(99), statement="From $5 to $9 for [all](x).")], source="test"
        )
    desk.text_input(key="missed_search").set_value("from").run()

    option = next(r for r in desk.radio if r.label == "Fact-check").options[0]
    assert option.startswith(r"From \$5 to \$9 for \[all\]\(x\)\.")


def test_a_fact_check_from_the_form_is_matched_against_the_open_debate(desk):
    """Indexed at once; the new report has it beside the sentence that it settles."""
    values = {
        "statement": "Our river has never been as clean as it is today.",
        "rating": "Mostly True",
        "publisher": "Harbour Herald",
        "url": "https://example.org/river",
        "review_date": "2024-08-30",
    }
    for name, value in values.items():
        desk.text_input(key=f"bring_{name}_field").set_value(value)
    submit(desk, "Add this fact-check")
    assert not desk.error
    factory.wait_for_jobs(shared_resources.check_service())

    desk.run()

    assert address(desk, "report") != SMALL
    report = shared_resources.check_service().report(address(desk, "report"))
    best = report.sentences[2].matches[0].claim
    assert best.publisher == "Harbour Herald"
    assert best.rating == "Mostly True"
    assert '<h1 title="City hall debate' in text(desk)


def test_a_link_into_this_machine_is_refused_in_one_line(desk):
    """And nothing is stored."""
    desk.text_input(key="bring_url").set_value("http://127.0.0.1:9/page")

    submit(desk, "Read its ClaimReview")

    assert "private network" in desk.error[0].value
    assert "\n" not in desk.error[0].value
    assert shared_resources.check_service().status().claims == 40


def test_pasted_json_ld_of_another_site_is_refused_in_one_line(desk):
    """And nothing is stored."""
    review = {
        "@type": "ClaimReview",
        "claimReviewed": "The moon is cheese.",
        "url": "https://politifact.com/moon",
    }
    desk.text_input(key="bring_page").set_value("https://evil.example/moon")
    desk.text_area(key="bring_json").set_value(json.dumps(review))

    submit(desk, "Add it")

    message = desk.error[0].value
    assert r"not on \'evil\.example\'" in message
    assert "\n" not in message
    assert shared_resources.check_service().status().claims == 40
