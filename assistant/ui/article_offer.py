"""Offers to fetch the article of a fact-check that came without one, from its publisher's page.

Nothing is requested until a person turns the switch on; the sites that would be contacted are
named beside it.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
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
from assistant.reports.markdown_form import escape_markdown
from assistant.ui import account
from assistant.ui.shown_text import draw_error, draw_warning, escape

if TYPE_CHECKING:
    from assistant.claims.article_fetching import ArticlePage, FetchResult
    from assistant.claims.records import Attempt

NO_ARTICLE_STORED = (
    "No article is stored for this fact-check: it was matched on its statement alone."
)
MAX_NAMED_SITES = 6
SITES_CACHE_S = 30
MAX_JOB_PAGES = 50  # per job: other jobs wait for it
FETCHING_NOT_ALLOWED = "Lectern asks no page of the web here: the operator has not allowed it, or your role is not editor."
NOTHING_ELSE_SENT = "and nothing else; nothing about your transcripts is sent."


def draw_fetch_offer(
    check_service: CheckService, report: Report, claim: VerifiedClaim | None
) -> None:
    """Say that a claim has no article and, on the page of a report, offer to fetch it and to check again with it."""
    st.html(f'<p class="lx-soft">{NO_ARTICLE_STORED}</p>')
    if not account.may_fetch() or claim is None or "report" not in st.query_params:
        return
    # a fact-check may have no web address
    if urlsplit(claim.url).scheme not in ("http", "https"):
        return
    with check_service.store() as store:
        failure_words = failed_attempt_words(store.attempt(claim.id))
    if failure_words:
        st.html(f'<p class="lx-soft">{escape(failure_words)}</p>')
    site = urlsplit(claim.url).hostname or ""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        is_allowed = draw_permission_switch(
            check_service, f"Ask {escape_markdown(site)}", key=f"may_fetch_{claim.id}"
        )
        if st.button("Fetch the article", disabled=not is_allowed, key=f"fetch_{claim.id}"):
            _fetch_article_and_check(check_service, report, claim)
    st.html(
        f'<p class="lx-soft">This requests the page and the robots.txt of {escape(site)} {NOTHING_ELSE_SENT} '
        "Then the debate is checked again.</p>"
    )


def draw_permission_switch(check_service: CheckService, label: str, *, key: str) -> bool:
    """Draw the switch that allows requests to publishers.

    The settings say whether it starts on.
    """
    return st.toggle(
        label, value=bool(check_service.settings.network), key=key, help="Off until you allow it."
    )


def failed_attempt_words(attempt: Attempt | None) -> str:
    """Return when fetching an article last failed and why, in words.

    "" if it was never tried or succeeded.
    """
    if attempt is None or attempt.fetched_at is not None:
        return ""
    reason = f" ({attempt.note})" if attempt.note else ""
    return f"Asked on {wording.day(attempt.asked_at.date())}: {attempt.outcome}{reason}."


def article_origin_words(attempt: Attempt | None) -> str:
    """Return in words where a fetched article comes from, "" for one that came with its claim."""
    if attempt is None or attempt.fetched_at is None:
        return ""
    origin_words = f"Fetched on {wording.day(attempt.fetched_at.date())} from {attempt.source_url}"
    if attempt.note.startswith(article_extraction.SHORTENED_NOTE):
        origin_words += f" ({attempt.note})"
    return origin_words


def article_doubt_words(attempt: Attempt | None, claim: VerifiedClaim) -> str:
    """Return in words that a fetched article does not seem to be about its claim.

    "" for one that came with it.
    """
    if not article_origin_words(attempt):
        return ""
    return article_extraction.unrelated_page_warning(claim.statement, claim.body)


def draw_fetch_all_offer(check_service: CheckService) -> str:
    """Draw the offer to fetch all missing articles.

    Return the id of the job if one was started.
    """
    if not account.may_fetch():
        st.html(f'<p class="lx-soft">{FETCHING_NOT_ALLOWED}</p>')
        return ""
    summary = _missing_articles_summary(check_service, check_service.settings.database)
    if not summary:
        st.html(
            '<p class="lx-soft">Every fact-check with an address has its article, or was asked lately.</p>'
        )
        return ""
    st.html(
        f'<p class="lx-line">{escape(summary)} This requests them and the robots.txt of their sites, {NOTHING_ELSE_SENT}</p>'
    )
    is_allowed = draw_permission_switch(check_service, "Ask the publishers' pages", key="may_fetch")
    if st.button("Fetch articles", disabled=not is_allowed, key="fetch_articles"):
        return start_fetching(check_service, _missing_pages(check_service)[:MAX_JOB_PAGES]).id
    return ""


def _missing_pages(check_service: CheckService) -> list[ArticlePage]:
    from assistant.claims import article_fetching

    with check_service.store() as store:
        return article_fetching.due_pages(store.without_article(), datetime.now(UTC))


@st.cache_data(show_spinner=False, ttl=SITES_CACHE_S)
def _missing_articles_summary(_check_service: CheckService, database: str) -> str:
    """Return which sites a run would contact.

    Cached, because a large feed takes most of a second.
    """
    pages = _missing_pages(_check_service)
    return pages_and_sites_words(pages) if pages else ""


def pages_and_sites_words(pages: Sequence[ArticlePage]) -> str:
    """Return in words how many pages would be requested, and from which sites."""
    from assistant.claims.article_fetching import site

    page_counts = Counter(site(page.url) for page in pages)
    sites = [name for name, _ in page_counts.most_common()]
    site_names = ", ".join(sites[:MAX_NAMED_SITES])
    if len(sites) > MAX_NAMED_SITES:
        site_names += f" and {len(sites) - MAX_NAMED_SITES:,} more"
    summary_words = f"{wording.count(len(pages), 'page')} of {site_names}."
    if len(pages) > MAX_JOB_PAGES:
        summary_words += f" The newest {MAX_JOB_PAGES:,} come first."
    return summary_words


def start_fetching(check_service: CheckService, pages: Sequence[ArticlePage]) -> Job:
    """Start a job that fetches pages one by one and can be stopped.

    Fetched articles are then indexed.
    """
    job_id = f"articles{secrets.token_hex(6)}"
    title = f"Fetching {wording.count(len(pages), 'article')}"
    account_name = account.name() if account.uses_login() else ""
    job_request = JobRequest(job_id, title, account_name or check_service.current_person())

    def run(on_progress: OnProgress, is_cancelled: IsCancelled) -> bytes:
        return _fetch_and_index(check_service, pages, account_name, on_progress, is_cancelled)

    return check_service.jobs.submit(job_request, run)


def _fetch_and_index(
    check_service: CheckService,
    pages: Sequence[ArticlePage],
    account_name: str,
    on_progress: OnProgress,
    is_cancelled: IsCancelled,
) -> bytes:
    from assistant import pipeline
    from assistant.claims import article_fetching
    from assistant.ui.claim_tables import articles_json

    # a list that grows: after a cancellation the pages so far count
    results: list[FetchResult] = []
    on_progress("asking the publishers' pages", 0, len(pages))
    with article_fetching.open_fetcher() as fetcher, check_service.store() as store:
        visitor = article_fetching.PageVisitor(fetcher, cancelled=is_cancelled)
        try:
            for result in article_fetching.fetch_articles(store, pages, visitor):
                results.append(result)
                on_progress("asking the publishers' pages", len(results), len(pages))
        except Cancelled:
            on_progress("stopped; what came is made searchable", 0, 0)
    pipeline.build_index(check_service.settings, progress=on_progress)
    return articles_json(results, account_name)


def _fetch_article_and_check(
    check_service: CheckService, report: Report, claim: VerifiedClaim
) -> None:
    """Fetch one article; if that succeeds, check the debate again and open the new report."""
    from assistant.claims import article_fetching

    try:
        with (
            st.spinner("Asking the page"),
            article_fetching.open_fetcher() as fetcher,
            check_service.store() as store,
        ):
            claims_without_article = store.without_article([claim.id])
            # again: also if fetching failed lately
            pages = article_fetching.due_pages(
                claims_without_article, datetime.now(UTC), again=True
            )
            page_visitor = article_fetching.PageVisitor(fetcher)
            (fetch_result,) = article_fetching.fetch_articles(store, pages, page_visitor)
    except LecternError as error:
        draw_error(error)
        return
    if fetch_result.outcome is not article_fetching.FetchOutcome.FETCHED:
        draw_warning(f"{str(fetch_result.outcome).capitalize()}: {fetch_result.note}.")
        return
    # with older fact-checks only, if the report has only those
    as_of_event = bool(report.manifest.settings.get("as_of_event"))
    job = check_service.start(job_spec_of(report, as_of_event=as_of_event))
    st.query_params["report"] = job.id
    st.rerun()
