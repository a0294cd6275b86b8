"""Fetches the articles of claims that came without one from their links.

Page by page, politely, no page twice.

``robots.py`` knows what a site allows, ``article_extraction.py`` reads the pages. Each attempt is stored at once, so
that a stopped run continues where it was.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from urllib.parse import urlsplit

import httpx

from assistant.claims import article_extraction
from assistant.claims.claim_store import ClaimStore
from assistant.claims.records import Attempt, WithoutArticle
from assistant.core import confined
from assistant.core.errors import Cancelled, NetworkError, TooLarge, TooSlow
from assistant.web import fetching
from assistant.web.robots import Forbidden, Robots

MOST_BYTES = 5_000_000  # of a page; of its article, claim_fields.LONGEST_BODY characters
LONGEST_URL = 2_000  # characters
GONE = (httpx.codes.NOT_FOUND, httpx.codes.GONE)
BUSY = (httpx.codes.TOO_MANY_REQUESTS, httpx.codes.SERVICE_UNAVAILABLE)
SLICE_S = 0.2  # a waiting run reacts to a stop within this time


class Outcome(StrEnum):
    """How an attempt to fetch an article can end.

    ``LATER`` was not tried in this run, and is not stored.
    """

    FETCHED = "fetched"
    EMPTY = "paywalled or empty"
    ROBOTS = "refused by robots.txt"
    NOT_HTML = "not HTML"
    TOO_LARGE = "too large"
    SLOW = "slow"
    GONE = "gone"
    FAILED = "failed"
    LATER = "left for later"


# After how many days an address is asked again; the time doubles with every further failure.
AGAIN_DAYS = {
    Outcome.FAILED: 1,
    Outcome.SLOW: 1,
    Outcome.EMPTY: 30,
    Outcome.ROBOTS: 30,
    Outcome.NOT_HTML: 90,
    Outcome.TOO_LARGE: 90,
    Outcome.GONE: 90,
}
MOST_DAYS = 180


@dataclass(frozen=True, slots=True)
class Page:
    """An address to fetch, the claims whose article it is, and the last attempt."""

    url: str
    claims: tuple[str, ...]
    attempt: Attempt | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """How fetching a page ended; ``note`` is the reason in words."""

    page: Page
    outcome: Outcome
    note: str
    source_url: str = ""
    body: str = ""


def again_at(attempt: Attempt) -> datetime:
    """Return when an address that gave no article may be asked again."""
    days = AGAIN_DAYS.get(Outcome(attempt.outcome), MOST_DAYS) * 2 ** min(
        max(attempt.tries - 1, 0), 10
    )
    return attempt.asked_at + timedelta(days=min(days, MOST_DAYS))


def due(claims: Iterable[WithoutArticle], now: datetime, *, again: bool = False) -> list[Page]:
    """Return the pages to fetch now, one for all claims of an address, in the order of their first claims.

    ``again`` includes those that were fetched, or failed not long ago.
    """
    by_url: dict[str, list[WithoutArticle]] = {}
    for claim in claims:
        by_url.setdefault(claim.url, []).append(claim)
    pages = [
        Page(url, tuple(claim.id for claim in same), same[0].attempt)
        for url, same in by_url.items()
    ]
    return [page for page in pages if again or _is_due(page.attempt, now)]


def _is_due(attempt: Attempt | None, now: datetime) -> bool:
    return attempt is None or (attempt.fetched_at is None and again_at(attempt) <= now)


def open_fetcher() -> fetching.Fetcher:
    """Return a fetcher of pages.

    No connection is reused: many sites share a server but not its certificate.
    """
    client = httpx.Client(
        trust_env=False,
        timeout=fetching.TIMEOUT_S,
        limits=httpx.Limits(max_keepalive_connections=0),
    )
    return fetching.Fetcher(
        may=fetching.allowed(), limit=MOST_BYTES, accept="text/html", client=client
    )


@dataclass
class Visitor:
    """Visits one page after the other, with ``delay_s`` between two pages of a site, more if its robots.txt says so.

    A site that fails ``most_failures`` times in a row, or says that it is busy, is skipped for the
    rest of the run.
    """

    fetcher: fetching.Fetcher
    delay_s: float = 5.0
    seconds: float = 30.0  # for a whole page
    most_failures: int = 3
    cancelled: Callable[[], bool] = lambda: False
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    robots: Robots = field(init=False)
    _next: dict[str, float] = field(default_factory=dict)
    _failures: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.robots = Robots(self.fetcher)

    def visit(self, page: Page) -> Result:
        """Return how fetching a page ends. Raises: Cancelled."""
        name = site(page.url)
        if self._failures.get(name, 0) >= self.most_failures:
            return Result(page, Outcome.LATER, f"{name} does not answer as it should")
        if not name or len(page.url) > LONGEST_URL:
            return Result(
                page, Outcome.FAILED, "is no web address" if not name else "the address is too long"
            )
        result = self._fetch(page, name)
        failed = result.outcome in (Outcome.SLOW, Outcome.FAILED)
        self._failures[name] = self._failures.get(name, 0) + 1 if failed else 0
        return result

    def ready_at(self, url: str) -> float:
        """Return when, by the clock, the site of an address may be visited."""
        return self._next.get(site(url), 0.0)

    def _fetch(self, page: Page, name: str) -> Result:
        try:
            self.robots.check(page.url)
            self._wait(page.url)
            answer = self.fetcher.answer(page.url, step=self.robots.check, seconds=self.seconds)
        except Forbidden as error:
            return Result(page, Outcome.ROBOTS, error.what)
        except TooLarge as error:
            return Result(page, Outcome.TOO_LARGE, error.what)
        except TooSlow as error:
            return Result(page, Outcome.SLOW, error.what)
        except NetworkError as error:
            return Result(page, Outcome.FAILED, error.what)
        finally:
            self._next[name] = self.clock() + max(self.delay_s, self.robots.delay(page.url))
        if answer.status in BUSY:
            self._failures[name] = self.most_failures
        try:
            return confined.call(
                read, page, answer, where=page.url[: fetching.SHOWN], refusal=NetworkError
            )
        except NetworkError as error:  # a page that stops or fills its reader
            return Result(page, Outcome.FAILED, error.what)

    def _wait(self, url: str) -> None:
        while (left := self.ready_at(url) - self.clock()) > 0 or self.cancelled():
            if self.cancelled():
                raise Cancelled("Stopped; what was fetched is kept.")
            self.sleep(min(left, SLICE_S))


def read(page: Page, answer: fetching.Answer) -> Result:
    """Return the result of an answer: its article, or why there is none."""
    if answer.status != httpx.codes.OK:
        outcome = Outcome.GONE if answer.status in GONE else Outcome.FAILED
        return Result(page, outcome, f"answers {answer.status}")
    if not article_extraction.is_html(answer.kind, answer.data):
        return Result(page, Outcome.NOT_HTML, answer.kind.partition(";")[0] or "no web page")
    if _is_start(answer.url) and not _is_start(page.url):
        return Result(page, Outcome.GONE, "leads to the start page of the site")
    text = article_extraction.decoded(answer.data, answer.kind)
    body = article_extraction.article(text)
    why = article_extraction.missing(text, body)
    if why:
        return Result(page, Outcome.EMPTY, why)
    return Result(page, Outcome.FETCHED, f"{len(body):,} characters", answer.url, body)


def fetch_articles(store: ClaimStore, pages: Iterable[Page], visitor: Visitor) -> Iterator[Result]:
    """Yield the result of each page, after it is stored.

    The page whose site may be visited first comes first, so that the wait for one site is used for
    the others.

    Raises: Cancelled; StoreError.
    """
    sites: dict[str, deque[Page]] = {}
    for page in pages:
        sites.setdefault(site(page.url), deque()).append(page)
    while sites:
        first = min(sites, key=lambda name: visitor.ready_at(sites[name][0].url))
        result = visitor.visit(sites[first].popleft())
        if not sites[first]:
            del sites[first]
        if result.outcome is not Outcome.LATER:
            _store(store, result)
        yield result


def _store(store: ClaimStore, result: Result) -> None:
    before = result.page.attempt.tries if result.page.attempt else 0
    tries = 0 if result.body else before + 1
    attempt = Attempt(
        result.outcome, result.note, datetime.now(UTC), tries, source_url=result.source_url
    )
    store.note_attempt(result.page.url, attempt, result.body)


def site(url: str) -> str:
    """Return the site of an address, "" if it is none."""
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def _is_start(url: str) -> bool:
    parts = urlsplit(url)
    return parts.path in ("", "/") and not parts.query
