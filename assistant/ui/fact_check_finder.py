"""The search on the page Fact-checks: by words or by meaning, with filters, counts and cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import streamlit as st

from assistant.check import meaning_search
from assistant.claims.fact_check_search import FactCheckFilter
from assistant.core.domain import RatingClass, VerifiedClaim
from assistant.core.errors import LecternError
from assistant.jobs.check_service import CheckService
from assistant.report import wording
from assistant.ui import account, claim_tables, claim_withdrawal
from assistant.ui.address_values import number_in_address
from assistant.ui.shared_resources import claim_index, fact_check_search
from assistant.ui.shown_text import draw_error
from assistant.ui.theme import RATING_SIGNS

RESULTS_PER_PAGE = 20
MAX_SEARCH_CHARACTERS = 300
MAX_NEAREST = 100  # results of a search by meaning
BY_WORDS = "Words"
BY_MEANING = "Meaning"
PAGE_KEY = "results"  # in the address: the page of the results, from 0
FACET_LABELS = {"publisher": "Publisher", "rating": "Rating", "year": "Year"}
ALL_LABELS = {"publisher": "All publishers", "rating": "All ratings", "year": "All years"}
NOTHING_FOUND = "No fact-check fits. Use fewer words, or search by meaning."


@dataclass(frozen=True, slots=True)
class SearchResults:
    """One page of fact-checks, the number of all that were found, and similarities by id."""

    claims: tuple[VerifiedClaim, ...]
    total: int
    similarities: Mapping[str, float]


@account.fragment
def draw_search(check_service: CheckService) -> None:
    """Draw the search and its results; the newest fact-checks if nothing is searched."""
    with st.container(
        horizontal=True, vertical_alignment="bottom", gap="small", key="find_fact_checks"
    ):
        text = st.text_input(
            "Search the fact-checks",
            key="find",
            type="search",
            placeholder="Search the fact-checks",
            label_visibility="collapsed",
            live="300ms",
            bind="query-params",
            on_change=_to_first_page,
            width="stretch",
        )
        how = st.segmented_control(
            "Search by",
            (BY_WORDS, BY_MEANING),
            default=BY_WORDS,
            required=True,
            key="how",
            bind="query-params",
            format_func=lambda option: f"By {option.lower()}",
            label_visibility="collapsed",
            on_change=_to_first_page,
        )
    conditions = _draw_facets(check_service)
    query = (text or "")[:MAX_SEARCH_CHARACTERS]
    try:
        results = _results(check_service, query, conditions, is_by_meaning=how == BY_MEANING)
    except LecternError as error:
        draw_error(error)
        return
    _draw_count(results, is_nearest=how == BY_MEANING and bool(query.strip()))
    rows = []
    for claim in results.claims:
        rows.append(claim_tables.claim_card(claim, results.similarities.get(claim.id)))
    st.html("".join(rows) or f'<p class="lx-soft">{NOTHING_FOUND}</p>')
    _draw_pages(results.total)
    claim_withdrawal.withdrawal_panel(check_service, list(results.claims))


def _draw_facets(check_service: CheckService) -> FactCheckFilter:
    """Draw the filters with their counts, and return the chosen ones."""
    with check_service.store() as store:
        publishers = store.counts("publisher")
        rating_classes = store.counts("rating_class")
        days = store.review_days()
    years = dict(claim_tables.by_year(days))
    years.pop(claim_tables.UNKNOWN_YEAR, None)
    # publishers with most fact-checks first; rating classes in the order of RatingClass
    by_count = sorted(publishers, key=lambda name: (-publishers[name], name))
    named_publishers = {name: publishers[name] for name in by_count if name}
    classes = {str(name): rating_classes[name] for name in RatingClass if rating_classes.get(name)}
    with st.container(horizontal=True, gap="small", key="facets"):
        publisher = _facet("publisher", named_publishers)
        rating = _facet("rating", classes)
        year = _facet("year", years)
    return FactCheckFilter(
        publisher=publisher,
        rating_class=RatingClass(rating) if rating else None,
        reviewed_from=date(int(year), 1, 1) if year else None,
        reviewed_to=date(int(year), 12, 31) if year else None,
    )


def _facet(key: str, counts: Mapping[str, int]) -> str:
    """Draw a filter with its counts; return the chosen option, "" for all."""

    def option_words(option: str) -> str:
        if not option:
            return ALL_LABELS[key]
        words = RATING_SIGNS[RatingClass(option)].words if key == "rating" else option
        return f"{words} ({counts[option]:,})"

    options: dict[str, Any] = {"bind": "query-params", "on_change": _to_first_page}
    choices = ["", *counts]
    options["label_visibility"] = "collapsed"
    chosen = st.selectbox(FACET_LABELS[key], choices, key=key, format_func=option_words, **options)
    return chosen or ""


def _results(
    check_service: CheckService, query: str, conditions: FactCheckFilter, *, is_by_meaning: bool
) -> SearchResults:
    """Search by words or by meaning, and return the page that the address asks for.

    Raises: LecternError.
    """
    offset = (number_in_address(PAGE_KEY) or 0) * RESULTS_PER_PAGE
    search = fact_check_search()
    similarities: dict[str, float] = {}
    if is_by_meaning and query.strip():
        allowed_ids = None if conditions.is_empty else search.ids(conditions)
        nearest = meaning_search.nearest_fact_checks(
            claim_index(),
            check_service.settings.profile,
            query,
            limit=MAX_NEAREST,
            allowed_ids=allowed_ids,
        )
        similarities = {hit.claim_id: hit.similarity for hit in nearest}  # the nearest first
        ids = list(similarities)[offset : offset + RESULTS_PER_PAGE]
        total = len(nearest)
    else:
        word_conditions = replace(conditions, words=query)
        ids, total = search.page(word_conditions, limit=RESULTS_PER_PAGE, offset=offset)
    with check_service.store() as store:
        claims = store.many(ids)
    # in the order of the search; one that was deleted meanwhile is left out
    page_claims = tuple(claims[claim_id] for claim_id in ids if claim_id in claims)
    return SearchResults(page_claims, total, similarities)


def _draw_count(results: SearchResults, *, is_nearest: bool) -> None:
    count = wording.count(results.total, "fact-check")
    words = f"The {count} nearest in meaning" if is_nearest else count
    st.html(f'<p class="lx-line" role="status">{words}</p>')


def _draw_pages(total: int) -> None:
    """Draw the way to the next and previous results."""
    page = number_in_address(PAGE_KEY) or 0  # counted from 0
    last_page = max(total - 1, 0) // RESULTS_PER_PAGE
    if not last_page:
        return
    # the results of the page, counted from 1
    first = page * RESULTS_PER_PAGE + 1
    last = min(first + RESULTS_PER_PAGE - 1, total)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="pager"):
        st.html(f'<p class="lx-soft">{first:,} to {last:,} of {total:,}</p>', width="content")
        st.button(
            "Previous", key="previous", disabled=not page, on_click=_open_page, args=(page - 1,)
        )
        st.button(
            "Next", key="next", disabled=page >= last_page, on_click=_open_page, args=(page + 1,)
        )


def _open_page(page: int) -> None:
    st.query_params[PAGE_KEY] = str(page)


def _to_first_page() -> None:
    st.query_params.pop(PAGE_KEY, None)
