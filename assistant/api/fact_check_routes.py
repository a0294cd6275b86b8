"""``GET /v1/fact-checks``: search by words and by meaning, with filters and pages."""

from __future__ import annotations

from datetime import date
from typing import Annotated
from urllib.parse import urlencode

import numpy as np
from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from assistant.api.authorisation import MayReadFactChecks, Services
from assistant.api.etags import tagged
from assistant.api.problems import PROBLEM_RESPONSES, ApiProblem, described_problems
from assistant.api.services import ApiServices
from assistant.api.wire_types import FactCheck, PlainText
from assistant.check import loaded_models
from assistant.claims.fact_check_search import FactCheckFilter
from assistant.core.domain import RatingClass
from features.similarity import nearest

DEFAULT_PAGE_SIZE = 20
MAX_PAGE_SIZE = 100
MAX_PAGES = 1_000
MAX_NEAREST = 1_000  # fact-checks that a search by meaning finds
MAX_ID_CHARACTERS = 500
router = APIRouter(tags=["fact-checks"])
ShortText = Annotated[PlainText, Field(max_length=300)]


class SearchQuery(BaseModel):
    """The parameters of a search."""

    model_config = ConfigDict(extra="forbid")

    words: ShortText = Field(
        "", description="words or beginnings of words in the statement or the claimant's name"
    )
    meaning: ShortText = Field(
        "", description="a sentence. The fact-checks nearest in meaning come first"
    )
    publisher: ShortText = Field("", description="the publisher's full name")
    claimant: ShortText = Field("", description="part of the claimant's name")
    rating_class: RatingClass | None = None
    language: ShortText = Field("", description="a language code, such as en")
    reviewed_from: date | None = Field(None, description="earliest publication date")
    reviewed_to: date | None = Field(None, description="latest publication date")
    page: int = Field(1, ge=1, le=MAX_PAGES)
    per_page: int = Field(DEFAULT_PAGE_SIZE, ge=1, le=MAX_PAGE_SIZE)

    @property
    def conditions(self) -> FactCheckFilter:
        """Return the conditions of the search without its page and its meaning."""
        return FactCheckFilter(
            words=self.words,
            publisher=self.publisher,
            claimant=self.claimant,
            rating_class=self.rating_class,
            language=self.language,
            reviewed_from=self.reviewed_from,
            reviewed_to=self.reviewed_to,
        )

    @property
    def offset(self) -> int:
        """Return the number of fact-checks on earlier pages."""
        return (self.page - 1) * self.per_page


class ListedFactCheck(FactCheck):
    """A fact-check in a list. In a search by meaning, ``similarity`` is the cosine."""

    similarity: float | None = None


class FactCheckPage(BaseModel):
    """A page of fact-checks."""

    total: int = Field(
        description=f"number of results (in a search by meaning, at most {MAX_NEAREST:,})"
    )
    page: int
    per_page: int
    next: str | None = Field(description="the address of the next page")
    items: list[ListedFactCheck]


class FactCheckDetails(FactCheck):
    """A fact-check with its article, one paragraph per line."""

    article: str = Field(description="the article, empty if Lectern has none")


@router.get("/fact-checks", response_model=FactCheckPage, responses=PROBLEM_RESPONSES)
def search_fact_checks(
    request: Request,
    search: Annotated[SearchQuery, Query()],
    services: Services,
    _: MayReadFactChecks,
) -> Response:
    """Search the stored fact-checks, and return a page of results.

    Without `meaning`, fact-checks that contain `words` as a phrase come first, then the newest.
    """
    if search.meaning.strip():
        items, total = _search_by_meaning(services, search)
    else:
        items, total = _search_by_words(services, search)
    next_page = None
    headers = {}
    has_next_page = search.offset + search.per_page < total
    if has_next_page and search.page < MAX_PAGES:
        next_page = _address_of_page(request, search.page + 1)
        headers["Link"] = f'<{next_page}>; rel="next"'
    page = FactCheckPage(
        total=total, page=search.page, per_page=search.per_page, next=next_page, items=items
    )
    return tagged(request, page, headers=headers)


@router.get(
    "/fact-checks/{fact_check_id:path}",
    response_model=FactCheckDetails,
    responses=described_problems(410),
)
def read_fact_check(
    request: Request,
    fact_check_id: Annotated[PlainText, Path(min_length=1, max_length=MAX_ID_CHARACTERS)],
    services: Services,
    _: MayReadFactChecks,
) -> Response:
    """Return a fact-check with its article, or status 410 if the fact-check was withdrawn."""
    claim = services.claims.get(fact_check_id)
    if claim is None:
        # A withdrawn fact-check differs from one that never existed.
        withdrawals = services.claims.withdrawn([fact_check_id])
        if withdrawals:
            day = withdrawals[0].withdrawn_at.date().isoformat()
            raise ApiProblem(410, f"This fact-check was withdrawn on {day}: {withdrawals[0].why}")
        raise ApiProblem(404, "There is no fact-check with this id.")
    details = FactCheckDetails(**FactCheck.of(claim).model_dump(), article=claim.body)
    return tagged(request, details)


def _search_by_words(
    services: ApiServices, search: SearchQuery
) -> tuple[list[ListedFactCheck], int]:
    ids, total = services.search.page(
        search.conditions, limit=search.per_page, offset=search.offset
    )
    claims = services.claims.many(ids)  # a dict in the order of the ids
    items = [ListedFactCheck(**FactCheck.of(claim).model_dump()) for claim in claims.values()]
    return items, total


def _search_by_meaning(
    services: ApiServices, search: SearchQuery
) -> tuple[list[ListedFactCheck], int]:
    """Return the page of the fact-checks whose statements are nearest, and how many are found."""
    index = services.index.current()
    # Whether each fact-check of the index meets the conditions: (claims,)
    is_allowed = np.ones(len(index), bool)
    if not search.conditions.is_empty:
        allowed_ids = services.search.ids(search.conditions)
        is_allowed = np.array([claim_id in allowed_ids for claim_id in services.index.ids()], bool)
    encoder = loaded_models.encoders(services.settings.profile).sbert
    vectors = encoder.encode([search.meaning])  # (1, dimensions)
    # Positions in the index, the nearest first, and the exact cosines of those on the page
    (positions,) = index.nearest(vectors, "statement", MAX_NEAREST, is_allowed)
    page_end = search.offset + search.per_page
    page_positions = positions[search.offset : page_end]
    cosines = nearest.exact(vectors[0], index.statement_vectors[page_positions])
    similarity_by_id = {}
    for position, cosine in zip(page_positions.tolist(), cosines.tolist(), strict=True):
        similarity_by_id[str(index.ids[position])] = round(float(cosine), 4)
    items = []
    for claim_id, claim in services.claims.many(similarity_by_id).items():
        values = FactCheck.of(claim).model_dump()
        items.append(ListedFactCheck(**values, similarity=similarity_by_id[claim_id]))
    return items, len(positions)


def _address_of_page(request: Request, page: int) -> str:
    """Return path and query of another page of the same search."""
    parameters = [
        (name, value) for name, value in request.query_params.multi_items() if name != "page"
    ]
    return f"{request.url.path}?{urlencode([*parameters, ('page', page)])}"
