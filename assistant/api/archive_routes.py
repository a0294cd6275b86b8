"""``GET /v1/archive/repeats``: claims that were said again in several debates."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from assistant.api.authorisation import MayReadArchive, Services
from assistant.api.etags import tagged
from assistant.api.problems import PROBLEM_RESPONSES
from assistant.archive import repeat_export, repeats

MAX_DEBATES = 10_000
router = APIRouter(tags=["archive"])


@router.get(
    "/archive/repeats",
    responses={
        **PROBLEM_RESPONSES,
        200: {"content": {"application/json": {"schema": {"type": "object"}}}},
    },
    response_class=Response,
)
def list_repeats(
    request: Request,
    services: Services,
    _: MayReadArchive,
    debates: Annotated[
        int, Query(ge=1, le=MAX_DEBATES, description="minimum number of debates")
    ] = 1,
    all_possible: Annotated[bool, Query(description="include uncertain matches")] = False,
) -> Response:
    """Return the fact-checked claims that were made in the archive, with each passage.

    The JSON is the same as in `repeats.json`, which `python -m assistant archive export` writes.
    """
    counts = repeats.count_repeats(
        services.archive,
        services.claims,
        services.decisions,
        all_possible=all_possible,
        debates=debates,
    )
    return tagged(request, repeat_export.export_files(counts)["repeats.json"])
