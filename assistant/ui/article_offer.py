"""Offers to fetch the article of a fact-check that came without one, from its publisher's page.

Nothing is requested until a person turns the switch on; the sites that would be contacted are
named beside it.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import streamlit as st

from assistant.claims import article_extraction
from assistant.core.domain import Report, VerifiedClaim
from assistant.core.errors import Cancelled, LecternError
from assistant.jobs.check_service import CheckService, job_spec_of
from assistant.jobs.job_state import Job
from assistant.jobs.report_store import JobRequest
from assistant.jobs.worker_pool import IsCancelled, OnProgress
from assistant.report import wording
from assistant.reports.markdown_form import plain
from assistant.ui import account

if TYPE_CHECKING:
    from assistant.claims.article_fetching import Page, Result
    from assistant.claims.records import Attempt

NONE_STORED = "No article is stored for this fact-check: it was matched on its statement alone."
SITES_TOLD = 6
REMEMBERED_S = 30
RUN = 50  # pages of one job: others wait for it
NOT_ALLOWED = "Lectern asks no page of the web here: the operator has not allowed it, or your role is not editor."
ASKED_ONLY = "and nothing else; nothing about your transcripts is sent."


def offer(desk: CheckService, report: Report, claim: VerifiedClaim | None) -> None:
    """Say that a claim has no article and, on the page of a report, offer to fetch it and to check again with it."""
    st.html(f'<p class="lx-soft">{NONE_STORED}</p>')
    if not account.may_fetch() or claim is None or "report" not in st.query_params:
        return
    if urlsplit(claim.url).scheme not in ("http", "https"):
        return
    with desk.store() as store:
        attempted = last_time(store.attempt(claim.id))
    if attempted:
        st.html(f'<p class="lx-soft">{escape(attempted)}</p>')
    site = urlsplit(claim.url).hostname or ""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        may = switch(desk, f"Ask {site}", key=f"may_fetch_{claim.id}")
        if st.button("Fetch the article", disabled=not may, key=f"fetch_{claim.id}"):
            _one(desk, report, claim)
    st.html(
        f'<p class="lx-soft">This requests the page and the robots.txt of {escape(site)} {ASKED_ONLY} '
        "Then the debate is checked again.</p>"
    )


def switch(desk: CheckService, label: str, *, key: str) -> bool:
    """Draw the switch that allows requests to publishers.

    The settings say whether it starts on.
    """
    return st.toggle(
        label, value=bool(desk.settings.network), key=key, help="Off until you allow it."
    )


def last_time(attempt: Attempt | None) -> str:
    """Return when fetching an article last failed and why, in words.

    "" if it was never tried or succeeded.
    """
    if attempt is None or attempt.fetched_at is not None:
        return ""
    reason = f" ({attempt.note})" if attempt.note else ""
    return f"Asked on {wording.day(attempt.asked_at.date())}: {attempt.outcome}{reason}."


def origin(attempt: Attempt | None) -> str:
    """Return in words where a fetched article comes from, "" for one that came with its claim."""
    if attempt is None or attempt.fetched_at is None:
        return ""
    return f"Fetched on {wording.day(attempt.fetched_at.date())} from {attempt.source_url}"


def doubt(attempt: Attempt | None, claim: VerifiedClaim) -> str:
    """Return in words that a fetched article does not seem to be about its claim.

    "" for one that came with it.
    """
    return article_extraction.doubt(claim.statement, claim.body) if origin(attempt) else ""


def all_of_them(desk: CheckService) -> str:
    """Draw the offer to fetch all missing articles.

    Return the id of the job if one was started.
    """
    if not account.may_fetch():
        st.html(f'<p class="lx-soft">{NOT_ALLOWED}</p>')
        return ""
    summary = _contacted(desk, desk.settings.database)
    if not summary:
        st.html(
            '<p class="lx-soft">Every fact-check with an address has its article, or was asked lately.</p>'
        )
        return ""
    st.html(
        f'<p class="lx-line">{escape(summary)} This requests them and the robots.txt of their sites, {ASKED_ONLY}</p>'
    )
    may = switch(desk, "Ask the publishers' pages", key="may_fetch")
    if st.button("Fetch articles", disabled=not may, key="fetch_articles"):
        return start(desk, _due(desk)[:RUN]).id
    return ""


def _due(desk: CheckService) -> list[Page]:
    from assistant.claims import article_fetching

    with desk.store() as store:
        return article_fetching.due(store.without_article(), datetime.now(UTC))


@st.cache_data(show_spinner=False, ttl=REMEMBERED_S)
def _contacted(_desk: CheckService, database: str) -> str:
    """Return which sites a run would contact.

    Cached, because a large feed takes most of a second.
    """
    pages = _due(_desk)
    return contacted(pages) if pages else ""


def contacted(pages: Sequence[Page]) -> str:
    """Return how many pages of which sites would be fetched, in words."""
    from assistant.claims.article_fetching import site

    sites = [name for name, _ in Counter(site(page.url) for page in pages).most_common()]
    more = f" and {len(sites) - SITES_TOLD:,} more" if len(sites) > SITES_TOLD else ""
    summary = f"{wording.count(len(pages), 'page')} of {', '.join(sites[:SITES_TOLD])}{more}."
    return summary + (f" The newest {RUN:,} come first." if len(pages) > RUN else "")


def start(desk: CheckService, pages: Sequence[Page]) -> Job:
    """Start a job that fetches pages one by one and can be stopped.

    Fetched articles are then indexed.
    """
    job_id = f"articles{secrets.token_hex(6)}"
    title = f"Fetching {wording.count(len(pages), 'article')}"
    by = account.name() if account.by_login() else ""
    ask = JobRequest(job_id, title, by or desk.current_person())
    return desk.jobs.submit(ask, lambda tell, stop: _run(desk, pages, by, tell, stop))


def _run(
    desk: CheckService, pages: Sequence[Page], by: str, tell: OnProgress, stop: IsCancelled
) -> bytes:
    from assistant import pipeline
    from assistant.claims import article_fetching
    from assistant.ui.claim_tables import articles_outcome

    results: list[Result] = []
    tell("asking the publishers' pages", 0, len(pages))
    with article_fetching.open_fetcher() as fetcher, desk.store() as store:
        visitor = article_fetching.Visitor(fetcher, cancelled=stop)
        try:
            for result in article_fetching.fetch_articles(store, pages, visitor):
                results.append(result)
                tell("asking the publishers' pages", len(results), len(pages))
        except Cancelled:
            tell("stopped; what came is made searchable", 0, 0)
    pipeline.build_index(desk.settings, progress=tell)
    return articles_outcome(results, by)


def _one(desk: CheckService, report: Report, claim: VerifiedClaim) -> None:
    """Fetch one article; if that succeeds, check the debate again and lead the URL to the new report."""
    from assistant.claims import article_fetching

    try:
        with (
            st.spinner("Asking the page"),
            article_fetching.open_fetcher() as fetcher,
            desk.store() as store,
        ):
            pages = article_fetching.due(
                store.without_article([claim.id]), datetime.now(UTC), again=True
            )
            (result,) = article_fetching.fetch_articles(
                store, pages, article_fetching.Visitor(fetcher)
            )
    except LecternError as error:
        st.error(plain(str(error)))
        return
    if result.outcome is not article_fetching.Outcome.FETCHED:
        st.warning(plain(f"{result.outcome}: {result.note}."))
        return
    as_of_event = bool(report.manifest.settings.get("as_of_event"))
    st.query_params["report"] = desk.start(job_spec_of(report, as_of_event=as_of_event)).id
    st.rerun()
