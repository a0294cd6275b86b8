"""Articles fetched by their links from a local site.

What comes, what does not, which site is asked how often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from assistant.claims import article_fetching
from assistant.claims.article_fetching import ArticlePage, FetchOutcome, PageVisitor
from assistant.claims.records import Attempt, WithoutArticle
from assistant.core.domain import VerifiedClaim
from assistant.core.errors import Cancelled
from assistant.web import fetching

from .pages import ARTICLE, Site

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def site() -> Iterator[Site]:
    running = Site()
    yield running
    running.close()


class Clock:
    """A clock that moves only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def visitor(clock) -> Iterator[PageVisitor]:
    """A visitor that may ask only 127.0.0.1, and waits by a fake clock."""
    with fetching.Fetcher(
        is_allowed=lambda a: a == "127.0.0.1",
        limit=article_fetching.MAX_PAGE_BYTES,
        make_client=lambda: httpx.Client(trust_env=False, timeout=2.0),
    ) as fetcher:
        yield PageVisitor(fetcher, clock=clock, sleep=clock.sleep)


def claim(number: int, url: str) -> VerifiedClaim:
    return VerifiedClaim(
        f"c{number}", f"Taxes fell by {number} percent.", url=url, publisher="Example News"
    )


def run(store, visitor, *urls: str, again: bool = False) -> dict[str, tuple[FetchOutcome, str]]:
    store.upsert([claim(i, url) for i, url in enumerate(urls)], source="test")
    pages = article_fetching.due_pages(store.without_article(), datetime.now(UTC), again=again)
    return {
        r.page.url: (r.outcome, r.note)
        for r in article_fetching.fetch_articles(store, pages, visitor)
    }


@pytest.mark.parametrize(
    ("path", "outcome", "reason"),
    [
        ("/good", FetchOutcome.FETCHED, "characters"),
        ("/moved", FetchOutcome.FETCHED, "characters"),
        ("/charset", FetchOutcome.FETCHED, "characters"),
        ("/wall", FetchOutcome.EMPTY, "a paywall"),
        ("/empty", FetchOutcome.EMPTY, "no text"),
        ("/pdf", FetchOutcome.NOT_HTML, "application/pdf"),
        ("/huge", FetchOutcome.TOO_LARGE, "larger than 5,000,000 bytes"),
        ("/bomb", FetchOutcome.TOO_LARGE, "larger than 5,000,000 bytes"),
        ("/slow", FetchOutcome.SLOW, "the server didn't answer within"),
        ("/secret/good", FetchOutcome.ROBOTS, "disallows automated access"),
        ("/to-secret", FetchOutcome.ROBOTS, "disallows automated access"),
        ("/inside", FetchOutcome.FAILED, "private network"),
        ("/home", FetchOutcome.GONE, "start page"),
        ("/none", FetchOutcome.GONE, "404"),
        ("/old", FetchOutcome.GONE, "410"),
        ("/error", FetchOutcome.FAILED, "500"),
        ("/busy", FetchOutcome.FAILED, "429"),
    ],
)
def test_what_a_link_leads_to_is_reported_and_stored(store, visitor, site, path, outcome, reason):
    """An article, or the reason why there is none, in the result and in the database with its date."""
    url = site.url + path
    results = run(store, visitor, url)

    attempt = store.attempt("c0")
    assert outcome == results[url][0]
    assert outcome == attempt.outcome
    assert reason in results[url][1]
    assert reason in attempt.note
    assert (
        (outcome is FetchOutcome.FETCHED)
        == (ARTICLE[7] in store.get("c0").body)
        == (attempt.fetched_at is not None)
    )


def test_an_article_knows_where_it_stood(store, visitor, site):
    """After a redirect the source is the last address.

    The text is verbatim, whatever encoding is declared.
    """
    run(store, visitor, f"{site.url}/moved", f"{site.url}/charset")

    assert store.attempt("c0").source_url == f"{site.url}/good"
    assert "The mayor’s word." in store.get("c1").body


def test_a_page_is_asked_once_for_all_its_claims(store, visitor, site):
    """Two claims of one page are one request and two articles; a second run asks nothing."""
    url = f"{site.url}/good"

    run(store, visitor, url, url)
    run(store, visitor, url, url)

    assert site.asked == ["/robots.txt", "/good"]
    assert store.get("c0").body == store.get("c1").body != ""


def test_an_article_that_came_with_its_claim_is_never_asked_for(store, visitor, site):
    """An article that came with the claim is unchanged."""
    store.upsert([replace(claim(9, f"{site.url}/good"), body="Given.")], source="test")

    assert run(store, visitor) == {}
    assert site.asked == []
    assert store.get("c9").body == "Given."


def test_refusals_are_not_asked_again_soon(store, visitor, site):
    """A second run asks neither paywalls nor forbidden pages.

    ``again`` does, but robots.txt still counts.
    """
    urls = [f"{site.url}/wall", f"{site.url}/secret/good"]
    run(store, visitor, *urls)
    asked_earlier = list(site.asked)

    assert run(store, visitor, *urls) == {}
    assert site.asked == asked_earlier
    assert {o for o, _ in run(store, visitor, *urls, again=True).values()} == {
        FetchOutcome.EMPTY,
        FetchOutcome.ROBOTS,
    }
    assert Counter(asked_earlier) + Counter(["/wall"]) == Counter(site.asked)
    assert [store.attempt(i).tries for i in ("c0", "c1")] == [2, 2]


@pytest.mark.parametrize(
    ("outcome", "tries", "days"),
    [
        ("failed", 1, 1),
        ("failed", 4, 8),
        ("failed", 99, 180),
        ("slow", 2, 2),
        ("paywalled or empty", 1, 30),
        ("refused by robots.txt", 1, 30),
        ("gone", 2, 180),
    ],
)
def test_a_failed_address_waits_longer_each_time(outcome, tries, days):
    """A day after a failure, a month after a refusal, twice as long each time, half a year at most."""
    attempt = Attempt(outcome, "", NOW, tries)
    wanting = [WithoutArticle("c1", "https://example.org/1", attempt)]

    assert NOW + timedelta(days=days) == article_fetching.again_at(attempt)
    assert article_fetching.due_pages(wanting, NOW + timedelta(days=days, seconds=-1)) == []
    assert [ArticlePage("https://example.org/1", ("c1",), attempt)] == article_fetching.due_pages(
        wanting, NOW + timedelta(days=days)
    )


def test_pages_of_a_site_are_parted_by_its_pause(store, visitor, clock, site):
    """Five seconds between two pages of a site, more if its robots.txt says so."""
    site.pages["/robots.txt"] = (200, {}, b"User-agent: *\nCrawl-delay: 12\n")

    run(store, visitor, f"{site.url}/good", f"{site.url}/wall", f"{site.url}/pdf")

    assert pytest.approx(sum(clock.slept)) == 24
    assert max(clock.slept) <= article_fetching.SLEEP_SLICE_S


def test_another_site_is_asked_while_one_rests(store, visitor, clock, site):
    """The order is that of the claims unless a site has to be waited for."""
    other_site = f"http://localhost:{site.port}"
    run(store, visitor, f"{site.url}/good", f"{site.url}/wall", f"{other_site}/pdf")

    assert [path for path in site.asked if path != "/robots.txt"] == ["/good", "/pdf", "/wall"]
    assert pytest.approx(sum(clock.slept)) == 5


def test_a_site_that_wants_a_long_pause_is_not_asked(store, visitor, site):
    """A site that wants ten minutes between pages is not visited."""
    site.pages["/robots.txt"] = (200, {}, b"User-agent: *\nCrawl-delay: 600\n")

    ((outcome, note),) = run(store, visitor, f"{site.url}/good").values()

    assert outcome == FetchOutcome.ROBOTS
    assert site.asked == ["/robots.txt"]
    assert "600 seconds" in note


@pytest.mark.parametrize(
    ("status", "outcome"),
    [(404, FetchOutcome.FETCHED), (403, FetchOutcome.FETCHED), (503, FetchOutcome.FAILED)],
)
def test_rules_that_are_not_there_allow_and_rules_that_fail_forbid(
    store, visitor, site, status, outcome
):
    """RFC 9309, 2.3.1: a missing robots.txt allows everything; a failing server is left alone."""
    site.pages["/robots.txt"] = (status, {}, b"")

    ((results, _),) = run(store, visitor, f"{site.url}/good").values()

    assert outcome is results


def test_rules_may_name_lectern(store, visitor, site):
    """A site that excludes Lectern by name only."""
    site.pages["/robots.txt"] = (
        200,
        {},
        b"User-agent: *\nAllow: /\n\nUser-agent: lectern\nDisallow: /\n",
    )

    assert FetchOutcome.ROBOTS is next(iter(run(store, visitor, f"{site.url}/good").values()))[0]


def test_a_site_that_keeps_failing_is_left_alone(store, visitor, site):
    """After three failures in a row the rest is left for another run, and not counted as failed."""
    urls = [f"{site.url}/error?{i}" for i in range(5)]
    for url in urls:
        site.pages[url.removeprefix(site.url)] = (500, {}, b"")

    results = run(store, visitor, *urls)

    assert [results[url][0] for url in urls] == [FetchOutcome.FAILED] * 3 + [FetchOutcome.LATER] * 2
    assert store.attempt("c3") is None
    assert store.attempt("c4") is None
    assert len(site.asked) == 4


def test_a_busy_site_is_left_alone_at_once(store, visitor, site):
    """After a 429 the site is not asked again in this run."""
    results = run(store, visitor, f"{site.url}/busy", f"{site.url}/good")

    assert [outcome for outcome, _ in results.values()] == [FetchOutcome.FAILED, FetchOutcome.LATER]


def test_a_stopped_run_goes_on_where_it_was(store, visitor, site):
    """What was fetched before the stop is stored; the next run fetches only the rest."""
    urls = [f"{site.url}/good", f"{site.url}/moved"]
    store.upsert([claim(i, url) for i, url in enumerate(urls)], source="test")
    fetched_pages = article_fetching.fetch_articles(
        store, article_fetching.due_pages(store.without_article(), NOW), visitor
    )
    next(fetched_pages)
    visitor.cancelled = lambda: True
    with pytest.raises(Cancelled, match="The articles fetched so far are stored"):
        next(fetched_pages)

    visitor.cancelled = lambda: False
    assert list(run(store, visitor)) == [urls[1]]
    assert store.status().with_body == 2


def test_a_malformed_address_is_reported(store, visitor):
    """A malformed address in a feed is a failure with a reason."""
    results = run(
        store, visitor, "ftp://example.org/x", "http://[", "https://example.org/" + "x" * 3000
    )

    assert {outcome for outcome, _ in results.values()} == {FetchOutcome.FAILED}


@pytest.mark.threat("publisher")
@pytest.mark.parametrize(
    ("length", "note"), [(400_000, "400,000 characters"), (512_000, "shortened")]
)
def test_a_page_without_end_never_becomes_an_article_without_end(monkeypatch, length, note):
    """The note says that the article was cut, and to how many characters."""
    monkeypatch.setattr(
        article_fetching.article_extraction, "extract_article", lambda _: "a" * length
    )
    answer = fetching.WebAnswer("https://a.example/1", 200, "text/html", b"<html><p>a</p></html>")

    result = article_fetching.fetch_result(ArticlePage("https://a.example/1", ("c",)), answer)

    assert result.outcome is FetchOutcome.FETCHED
    assert len(result.body) == 400_000
    assert note in result.note
    assert ("of 512,000 characters were kept" in result.note) == (length > 400_000)
