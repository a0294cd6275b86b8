"""Fetching an article from the app.

Nothing without the switch, what would be asked, and what came of it.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest
from streamlit.testing.v1 import AppTest

from assistant import pipeline
from assistant.claims import article_fetching
from assistant.claims.article_fetching import ArticlePage, FetchOutcome, FetchResult
from assistant.claims.claim_store import ClaimStore
from assistant.claims.records import Attempt
from assistant.jobs.check_service import CheckService
from assistant.jobs.job_state import JobState
from assistant.ui import article_offer, claim_tables, shared_resources
from assistant.web import fetching
from tests.assistant.claims.pages import ARTICLE, html
from tests.assistant.ui import factory
from tests.assistant.ui.conftest import PATIENCE_S, REPORT_ID
from tests.assistant.ui.test_pages import PAGES, address, text

WITHOUT = next(i for i in range(1, 40) if not factory.vclaim(i).body)
ASKED = Attempt("gone", "answers 404", datetime(2026, 11, 3, tzinfo=UTC), 1)


class FakeFetcher:
    """Answers without a network; ``asked`` are the addresses that it was asked for."""

    def __init__(self) -> None:
        self.asked = []
        self.data = html(*ARTICLE)
        self.status = 200

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    def answer(self, url, *, check_url=lambda url: None, seconds=1.0):
        self.asked.append(url)
        if url.endswith("/robots.txt"):
            return fetching.WebAnswer(url, 404, "", b"")
        return fetching.WebAnswer(url, self.status, "text/html", self.data)


@pytest.fixture
def fetcher(monkeypatch):
    fake_fetcher = FakeFetcher()
    monkeypatch.setattr(article_fetching, "open_fetcher", lambda: fake_fetcher)
    return fake_fetcher


@pytest.fixture
def card(app, home):
    """The app on a sentence whose first match has no article."""
    found_report = factory.report(60)
    checked = next(
        c
        for c in found_report.sentences
        if c.matches and c.matches[0].claim.id == f"claim-{WITHOUT}"
    )
    app.query_params["report"], app.query_params["s"] = REPORT_ID, str(checked.sentence.number)
    return app


def button(app, label):
    return next(b for b in app.button if b.label == label)


def test_nothing_is_asked_before_the_switch_is_on(card, fetcher):
    """The card says that there is no article, whom it would ask, and that nothing else is sent."""
    card.run()

    assert article_offer.NO_ARTICLE_STORED in text(card)
    assert "the page and the robots.txt of example.org and nothing else" in text(card)
    assert button(card, "Fetch the article").disabled
    assert fetcher.asked == []


def test_a_fetched_page_about_something_else_is_doubted_on_the_card(card, home):
    """Above the article, which is shown all the same.

    What came with its claim is never doubted.
    """
    claim = factory.vclaim(WITHOUT)
    with ClaimStore.open(f"sqlite:///{home / 'lectern.db'}") as store:
        now = datetime(2026, 11, 3, tzinfo=UTC)
        store.note_attempt(
            claim.url,
            Attempt("fetched", "", now, 0, source_url=claim.url),
            "Cookies are set by us. " * 40,
        )

    card.run()

    assert "does not seem to be about the claim" in text(card).split("<article")[0]
    assert "Cookies are set by us." in text(card)
    assert article_offer.article_doubt_words(None, claim) == ""


def test_the_switch_begins_where_the_settings_stand(card, fetcher, monkeypatch):
    """Who allowed the network once is not asked again."""
    monkeypatch.setenv("LECTERN_NETWORK", "1")

    assert not button(card.run(), "Fetch the article").disabled


def test_a_fetched_article_leads_to_a_new_check(card, fetcher, monkeypatch, home):
    """It is stored, and the address leads to the report that is made with it."""
    started = []
    monkeypatch.setattr(
        CheckService, "start", lambda self, order: started.append(order) or self.jobs.get(REPORT_ID)
    )
    card.run()

    card.toggle(key=f"may_fetch_claim-{WITHOUT}").set_value(True).run()
    button(card, "Fetch the article").click().run()

    with ClaimStore.open(f"sqlite:///{home / 'lectern.db'}") as store:
        assert ARTICLE[3] in store.get(f"claim-{WITHOUT}").body
    assert len(started) == 1
    assert address(card, "report") == REPORT_ID
    assert "Fetched on" in text(card)


def test_a_refusal_is_told_and_remembered(card, fetcher):
    """What the page answered, and when, at the next look too."""
    fetcher.status = 410
    card.run()
    card.toggle(key=f"may_fetch_claim-{WITHOUT}").set_value(True).run()
    button(card, "Fetch the article").click().run()

    assert [w.value.replace("\\", "") for w in card.warning] == [
        "Gone: the server answered with status 410."
    ]
    assert "gone (the server answered with status 410)" in text(card.run())


def test_the_page_of_claims_names_the_sites_and_fetches(home, fetcher, monkeypatch):
    """How many pages of whom; a job with a line for each that gave nothing."""
    started = []
    monkeypatch.setattr(
        article_offer,
        "start_fetching",
        lambda desk, pages: started.append(pages) or desk.jobs.submit("j1", "", None),
    )
    app = AppTest.from_file(str(PAGES / "claims_page.py"), default_timeout=PATIENCE_S).run()

    assert not app.exception
    assert "8 pages of example.org." in text(app)
    assert button(app, "Fetch articles").disabled
    app.toggle(key="may_fetch").set_value(True).run()
    button(app, "Fetch articles").click().run()
    assert [len(pages) for pages in started] == [8]


def test_a_job_asks_page_after_page_and_indexes_what_came(home, fetcher, monkeypatch):
    """Its outcome is kept for whoever looks later."""
    indexed = []
    monkeypatch.setattr(pipeline, "build_index", lambda *_, **__: indexed.append(True))
    at = shared_resources.check_service()
    with at.store() as store:
        pages = article_fetching.due_pages(
            store.without_article([f"claim-{WITHOUT}"]), ASKED.asked_at
        )

    job = article_offer.start_fetching(at, pages)
    while not at.jobs.get(job.id).has_ended:
        time.sleep(0.05)

    assert at.jobs.get(job.id).state == JobState.DONE
    assert indexed == [True]
    assert claim_tables.article_lines(at.jobs.result(job.id)) == ("1 fetched", [])


def test_an_outcome_is_told_in_one_line_and_its_reasons():
    """Counts by outcome; a line for each page that gave no article."""
    results = [
        FetchResult(
            ArticlePage("https://a.org/1", ("c1",)), FetchOutcome.FETCHED, "900 characters"
        ),
        FetchResult(ArticlePage("https://a.org/2", ("c2",)), FetchOutcome.SLOW, "is too slow."),
    ]

    line, reasons = claim_tables.article_lines(claim_tables.articles_json(results))

    assert line == "1 fetched · 1 slow"
    assert reasons == ["slow: https://a.org/2 (is too slow.)"]


def test_many_sites_are_cut_with_their_number():
    """Six sites are named, the ones with most pages first."""
    pages = [ArticlePage(f"https://site{i % 9}.org/{i}", (f"c{i}",)) for i in range(70)]

    sites_text = article_offer.pages_and_sites_words(pages)

    assert sites_text.startswith("70 pages of site0.org, site1.org, ")
    assert "and 3 more. The newest 50 come first." in sites_text


def test_what_was_asked_before_is_said_in_words():
    """A refusal with its day; nothing where the article came."""
    came = Attempt("fetched", "", ASKED.asked_at, 0, ASKED.asked_at, "https://a.org/1")

    assert article_offer.failed_attempt_words(ASKED) == "Asked on 3 Nov 2026: gone (answers 404)."
    assert article_offer.failed_attempt_words(came) == ""
    assert article_offer.article_origin_words(came) == "Fetched on 3 Nov 2026 from https://a.org/1"
    assert article_offer.article_origin_words(ASKED) == ""
