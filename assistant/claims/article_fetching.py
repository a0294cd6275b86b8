"""Fetches the articles of claims that came without one from their links.

One page after the other, with pauses, and no page twice.

``robots.py`` reads the rules of a site, ``article_extraction.py`` reads the pages. Each attempt is
stored at once, so that a stopped run continues from there.
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
from assistant.claims.claim_fields import MAX_BODY_CHARACTERS
from assistant.claims.claim_store import ClaimStore
from assistant.claims.records import Attempt, WithoutArticle
from assistant.core import confined
from assistant.core.errors import Cancelled, NetworkError, TooLarge, TooSlow
from assistant.web import fetching
from assistant.web.robots import Robots, RobotsForbidden

MAX_PAGE_BYTES = 5_000_000
MAX_URL_CHARACTERS = 2_000
GONE_STATUSES = (httpx.codes.NOT_FOUND, httpx.codes.GONE)
BUSY_STATUSES = (httpx.codes.TOO_MANY_REQUESTS, httpx.codes.SERVICE_UNAVAILABLE)
SLEEP_SLICE_S = 0.2  # a waiting run reacts to a stop within this time


class FetchOutcome(StrEnum):
    """The ways in which an attempt to fetch an article can end.

    ``LATER``: not tried in this run, and not stored.
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


# Days until an address is tried again; they double with every further failure.
RETRY_DAYS = {
    FetchOutcome.FAILED: 1,
    FetchOutcome.SLOW: 1,
    FetchOutcome.EMPTY: 30,
    FetchOutcome.ROBOTS: 30,
    FetchOutcome.NOT_HTML: 90,
    FetchOutcome.TOO_LARGE: 90,
    FetchOutcome.GONE: 90,
}
MAX_RETRY_DAYS = 180
_MAX_DOUBLINGS = 10
_FAILED_OUTCOMES = (FetchOutcome.SLOW, FetchOutcome.FAILED)


@dataclass(frozen=True, slots=True)
class ArticlePage:
    """An address to fetch, the ids of the claims whose article it has, and the last attempt."""

    url: str
    claim_ids: tuple[str, ...]
    attempt: Attempt | None = None


@dataclass(frozen=True, slots=True)
class FetchResult:
    """The outcome of fetching a page; ``note`` is the reason in words."""

    page: ArticlePage
    outcome: FetchOutcome
    note: str
    source_url: str = ""
    body: str = ""


def again_at(attempt: Attempt) -> datetime:
    """Return when an address that gave no article may be tried again."""
    first_days = RETRY_DAYS.get(FetchOutcome(attempt.outcome), MAX_RETRY_DAYS)
    doublings = min(max(attempt.tries - 1, 0), _MAX_DOUBLINGS)
    days = min(first_days * 2**doublings, MAX_RETRY_DAYS)
    return attempt.asked_at + timedelta(days=days)


def due_pages(
    claims: Iterable[WithoutArticle], now: datetime, *, again: bool = False
) -> list[ArticlePage]:
    """List the pages to fetch now, in the order of their first claims.

    All claims of an address share a page. ``again`` includes the pages that were fetched, or
    failed not long ago.
    """
    claims_by_url: dict[str, list[WithoutArticle]] = {}
    for claim in claims:
        claims_by_url.setdefault(claim.url, []).append(claim)
    pages_to_fetch = []
    for url, claims_of_page in claims_by_url.items():
        # An attempt is stored for the address, so all claims of the page have the same one.
        last_attempt = claims_of_page[0].attempt
        if again or _is_due(last_attempt, now):
            claim_ids = tuple(claim.id for claim in claims_of_page)
            pages_to_fetch.append(ArticlePage(url, claim_ids, last_attempt))
    return pages_to_fetch


def _is_due(attempt: Attempt | None, now: datetime) -> bool:
    """Return whether an address without an article may be tried now."""
    if attempt is None:
        return True
    return attempt.fetched_at is None and again_at(attempt) <= now


def _client_without_reuse() -> httpx.Client:
    return httpx.Client(
        trust_env=False,
        timeout=fetching.BYTE_TIMEOUT_S,
        limits=httpx.Limits(max_keepalive_connections=0),
    )


def open_fetcher() -> fetching.Fetcher:
    """Open a fetcher of pages.

    No connection is reused: many sites share a server but not its certificate.
    """
    return fetching.Fetcher(
        is_allowed=fetching.allowed_addresses(),
        limit=MAX_PAGE_BYTES,
        accept="text/html",
        make_client=_client_without_reuse,
    )


@dataclass
class PageVisitor:
    """Visits one page after the other.

    Two visits to a site are ``delay_s`` apart, more if its robots.txt says so. A site that fails
    ``max_failures`` times in a row, or says that it is busy, is skipped for the rest of the run.
    """

    fetcher: fetching.Fetcher
    delay_s: float = 5.0
    page_timeout_s: float = 30.0
    max_failures: int = 3
    cancelled: Callable[[], bool] = lambda: False
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    robots: Robots = field(init=False)
    _ready_at: dict[str, float] = field(default_factory=dict)
    _failures_by_host: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.robots = Robots(self.fetcher)

    def visit(self, page: ArticlePage) -> FetchResult:
        """Fetch a page. Raises: Cancelled."""
        host = site(page.url)
        has_given_up_host = self._failures_by_host.get(host, 0) >= self.max_failures
        if has_given_up_host:
            return FetchResult(page, FetchOutcome.LATER, f"{host} does not answer as it should")
        if not host:
            return FetchResult(page, FetchOutcome.FAILED, "isn't a valid web address")
        if len(page.url) > MAX_URL_CHARACTERS:
            return FetchResult(page, FetchOutcome.FAILED, "the address is too long")
        result = self._fetch(page, host)
        if result.outcome in _FAILED_OUTCOMES:
            self._failures_by_host[host] = self._failures_by_host.get(host, 0) + 1
        else:
            self._failures_by_host[host] = 0
        return result

    def ready_at(self, url: str) -> float:
        """Return when, by the clock, the site of an address may be visited."""
        return self._ready_at.get(site(url), 0.0)

    def _fetch(self, page: ArticlePage, host: str) -> FetchResult:
        """Fetch a page of a host, and extract its article in another process."""
        try:
            self.robots.check(page.url)
            self._wait_until_ready(page.url)
            answer = self.fetcher.answer(
                page.url, check_url=self.robots.check, seconds=self.page_timeout_s
            )
        except RobotsForbidden as error:
            return FetchResult(page, FetchOutcome.ROBOTS, error.what)
        except TooLarge as error:
            return FetchResult(page, FetchOutcome.TOO_LARGE, error.what)
        except TooSlow as error:
            return FetchResult(page, FetchOutcome.SLOW, error.what)
        except NetworkError as error:
            return FetchResult(page, FetchOutcome.FAILED, error.what)
        finally:
            delay_s = max(self.delay_s, self.robots.delay(page.url))
            self._ready_at[host] = self.clock() + delay_s
        if answer.status in BUSY_STATUSES:
            # The other pages of this host are skipped.
            self._failures_by_host[host] = self.max_failures
        where = page.url[: fetching.MAX_SHOWN_CHARACTERS]
        try:
            return confined.call(fetch_result, page, answer, where=where, refusal=NetworkError)
        except NetworkError as error:  # a page that stops its reader or fills its memory
            return FetchResult(page, FetchOutcome.FAILED, error.what)

    def _wait_until_ready(self, url: str) -> None:
        """Wait until the site of an address may be visited. Raises: Cancelled."""
        while True:
            if self.cancelled():
                raise Cancelled("Stopped. The articles fetched so far are stored.")
            remaining_s = self.ready_at(url) - self.clock()
            if remaining_s <= 0:
                return
            self.sleep(min(remaining_s, SLEEP_SLICE_S))


def fetch_result(page: ArticlePage, web_answer: fetching.WebAnswer) -> FetchResult:
    """Return the result of an answer: its article, or why there is none."""
    if web_answer.status in GONE_STATUSES:
        return FetchResult(
            page, FetchOutcome.GONE, f"the server answered with status {web_answer.status}"
        )
    if web_answer.status != httpx.codes.OK:
        return FetchResult(
            page, FetchOutcome.FAILED, f"the server answered with status {web_answer.status}"
        )
    if not article_extraction.is_html(web_answer.kind, web_answer.data):
        media_type = web_answer.kind.partition(";")[0]
        return FetchResult(page, FetchOutcome.NOT_HTML, media_type or "no web page")
    # Many sites redirect the address of a removed page to their start page.
    if _is_start_page(web_answer.url) and not _is_start_page(page.url):
        return FetchResult(page, FetchOutcome.GONE, "leads to the start page of the site")
    page_html = article_extraction.decode_page(web_answer.data, web_answer.kind)
    body = article_extraction.extract_article(page_html)
    reason_for_no_article = article_extraction.missing_reason(page_html, body)
    if reason_for_no_article:
        return FetchResult(page, FetchOutcome.EMPTY, reason_for_no_article)
    note = f"{len(body):,} characters"
    if len(body) > MAX_BODY_CHARACTERS:
        note = f"{article_extraction.SHORTENED_NOTE} {MAX_BODY_CHARACTERS:,} of {len(body):,} characters were kept"
        body = body[:MAX_BODY_CHARACTERS]
    return FetchResult(page, FetchOutcome.FETCHED, note, web_answer.url, body)


def fetch_articles(
    store: ClaimStore, pages: Iterable[ArticlePage], visitor: PageVisitor
) -> Iterator[FetchResult]:
    """Yield the result of each page, after it is stored.

    The page whose site may be visited first comes first, so that the pause of one site is used for
    the others.

    Raises: Cancelled; StoreError.
    """
    waiting_pages_by_site: dict[str, deque[ArticlePage]] = {}
    for page in pages:
        waiting_pages_by_site.setdefault(site(page.url), deque()).append(page)

    def site_ready_at(host: str) -> float:
        next_page = waiting_pages_by_site[host][0]
        return visitor.ready_at(next_page.url)

    while waiting_pages_by_site:
        next_site = min(waiting_pages_by_site, key=site_ready_at)
        result = visitor.visit(waiting_pages_by_site[next_site].popleft())
        if not waiting_pages_by_site[next_site]:
            del waiting_pages_by_site[next_site]
        if result.outcome is not FetchOutcome.LATER:
            _store_result(store, result)
        yield result


def _store_result(store: ClaimStore, result: FetchResult) -> None:
    """Store an attempt, and the article if there is one."""
    last_attempt = result.page.attempt
    # The number of attempts without an article since the last one with an article.
    earlier_tries = last_attempt.tries if last_attempt else 0
    attempt = Attempt(
        outcome=result.outcome,
        note=result.note,
        asked_at=datetime.now(UTC),
        tries=0 if result.body else earlier_tries + 1,
        source_url=result.source_url,
    )
    store.note_attempt(result.page.url, attempt, result.body)


def site(url: str) -> str:
    """Return the site of an address, "" if it isn't a valid one."""
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def _is_start_page(url: str) -> bool:
    address = urlsplit(url)
    return address.path in ("", "/") and not address.query
