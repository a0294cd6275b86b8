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
ALL_OPTION_LABELS = {"publisher": "All publishers", "rating": "All ratings", "year": "All years"}
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
        search_mode = st.segmented_control(
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
    filter_conditions = _draw_facets(check_service)
    query = (text or "")[:MAX_SEARCH_CHARACTERS]
    try:
        search_results = _found_fact_checks(
            check_service, query, filter_conditions, is_by_meaning=search_mode == BY_MEANING
        )
    except LecternError as error:
        draw_error(error)
        return
    _draw_count(search_results, is_nearest=search_mode == BY_MEANING and bool(query.strip()))
    claim_cards = []
    for claim in search_results.claims:
        claim_cards.append(
            claim_tables.claim_card(claim, search_results.similarities.get(claim.id))
        )
    st.html("".join(claim_cards) or f'<p class="lx-soft">{NOTHING_FOUND}</p>')
    _draw_pages(search_results.total)
    claim_withdrawal.withdrawal_panel(check_service, list(search_results.claims))


def _draw_facets(check_service: CheckService) -> FactCheckFilter:
    """Draw the filters with their counts, and return the chosen ones."""
    with check_service.store() as store:
        publishers = store.counts("publisher")
        rating_classes = store.counts("rating_class")
        counts_by_day = store.review_days()
    years = dict(claim_tables.counts_by_year(counts_by_day))
    years.pop(claim_tables.UNKNOWN_YEAR, None)
    # publishers with most fact-checks first; rating classes in the order of RatingClass
    publishers_by_count = sorted(publishers, key=lambda name: (-publishers[name], name))
    named_publishers = {name: publishers[name] for name in publishers_by_count if name}
    counts_by_class = {
        str(name): rating_classes[name] for name in RatingClass if rating_classes.get(name)
    }
    with st.container(horizontal=True, gap="small", key="facets"):
        chosen_publisher = _draw_facet("publisher", named_publishers)
        chosen_class = _draw_facet("rating", counts_by_class)
        chosen_year = _draw_facet("year", years)
    return FactCheckFilter(
        publisher=chosen_publisher,
        rating_class=RatingClass(chosen_class) if chosen_class else None,
        reviewed_from=date(int(chosen_year), 1, 1) if chosen_year else None,
        reviewed_to=date(int(chosen_year), 12, 31) if chosen_year else None,
    )


def _draw_facet(key: str, counts: Mapping[str, int]) -> str:
    """Draw a filter with its counts; return the chosen option, "" for all."""

    def option_words(option: str) -> str:
        if not option:
            return ALL_OPTION_LABELS[key]
        words = wording.shown_publisher(option)
        if key == "rating":
            words = RATING_SIGNS[RatingClass(option)].words
        return f"{words} ({counts[option]:,})"

    widget_options: dict[str, Any] = {"bind": "query-params", "on_change": _to_first_page}
    option_values = ["", *counts]
    widget_options["label_visibility"] = "collapsed"
    chosen_option = st.selectbox(
        FACET_LABELS[key], option_values, key=key, format_func=option_words, **widget_options
    )
    return chosen_option or ""


def _found_fact_checks(
    check_service: CheckService,
    query: str,
    filter_conditions: FactCheckFilter,
    *,
    is_by_meaning: bool,
) -> SearchResults:
    """Search by words or by meaning, and return the page that the address asks for.

    Raises: LecternError.
    """
    offset = (number_in_address(PAGE_KEY) or 0) * RESULTS_PER_PAGE
    search = fact_check_search()
    similarities: dict[str, float] = {}
    if is_by_meaning and query.strip():
        allowed_ids = None if filter_conditions.is_empty else search.ids(filter_conditions)
        nearest_hits = meaning_search.nearest_fact_checks(
            claim_index(),
            check_service.settings.profile,
            query,
            limit=MAX_NEAREST,
            allowed_ids=allowed_ids,
        )
        similarities = {hit.claim_id: hit.similarity for hit in nearest_hits}  # the nearest first
        page_ids = list(similarities)[offset : offset + RESULTS_PER_PAGE]
        total = len(nearest_hits)
    else:
        word_conditions = replace(filter_conditions, words=query)
        page_ids, total = search.page(word_conditions, limit=RESULTS_PER_PAGE, offset=offset)
    with check_service.store() as store:
        claim_by_id = store.many(page_ids)
    # in the order of the search; one that was deleted meanwhile is left out
    page_claims = tuple(claim_by_id[claim_id] for claim_id in page_ids if claim_id in claim_by_id)
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
    first_shown = page * RESULTS_PER_PAGE + 1
    last_shown = min(first_shown + RESULTS_PER_PAGE - 1, total)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="pager"):
        st.html(
            f'<p class="lx-soft">{first_shown:,} to {last_shown:,} of {total:,}</p>',
            width="content",
        )
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
