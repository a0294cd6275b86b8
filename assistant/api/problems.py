"""Errors of the API as problem details (RFC 9457)."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from assistant.core.errors import (
    Busy,
    ClaimIndexError,
    DecisionConflict,
    LecternError,
    ModelUnavailable,
    ReviewError,
    SettingsError,
    StoreError,
    TranscriptError,
)

API_LOGGER = logging.getLogger("lectern.api")
PROBLEM_TYPE = "application/problem+json"
MAX_LISTED_ERRORS = 10
MAX_ERROR_CHARACTERS = 200
UNAVAILABLE = "The database or the index can't be used at the moment. Try again later."
RETRY_AFTER_S = 10
# The error answers that every operation may give
USUAL_STATUSES = (400, 401, 403, 404, 408, 413, 422, 429, 500, 503)
# The first class that fits an error decides.
_STATUS_OF_ERROR: tuple[tuple[type[LecternError], int], ...] = (
    (Busy, 429),
    (StoreError, 503),
    (ClaimIndexError, 503),
    (ModelUnavailable, 503),
    (DecisionConflict, 409),
    (ReviewError, 422),
    (TranscriptError, 422),
    (SettingsError, 422),
)


class Problem(BaseModel):
    """A problem, as defined in RFC 9457."""

    type: str = Field(
        "about:blank", description="always about:blank, because the status gives the type"
    )
    title: str = Field(description="the status in words")
    status: int
    detail: str = Field(description="what failed, why, and what to do")
    errors: list[str] = Field(
        default_factory=list, description="for status 422, each wrong value with the reason"
    )


class ApiProblem(HTTPException):
    """An answer with an error status; ``extra`` are further members of the problem."""

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        headers: Mapping[str, str] | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(status, detail, dict(headers or {}))
        self.extra = dict(extra or {})


def add_handlers(app: FastAPI) -> None:
    """Make an application answer every error as a problem."""
    app.add_exception_handler(HTTPException, _http_problem)
    app.add_exception_handler(RequestValidationError, _validation_problem)
    app.add_exception_handler(LecternError, _lectern_problem)
    app.add_exception_handler(Exception, _unexpected_problem)


def problem_response(
    status: int,
    detail: str,
    *,
    headers: Mapping[str, str] | None = None,
    extra: Mapping[str, Any] | None = None,
) -> Response:
    """Return a problem as a response."""
    content = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        **(extra or {}),
    }
    return JSONResponse(content, status, headers, media_type=PROBLEM_TYPE)


async def _http_problem(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    extra = getattr(error, "extra", {})
    return problem_response(
        error.status_code, str(error.detail), headers=error.headers, extra=extra
    )


async def _validation_problem(_: Request, error: Exception) -> Response:
    """Answer with the wrong values of a request; their own words are not repeated."""
    assert isinstance(error, RequestValidationError)
    errors = []
    for value_error in error.errors()[:MAX_LISTED_ERRORS]:
        location = ".".join(str(step) for step in value_error["loc"])  # such as "body.texts.0"
        error_text = f"{location}: {value_error['msg']}"
        errors.append(error_text[:MAX_ERROR_CHARACTERS])
    detail = "The request has wrong values. Nothing was done. See errors."
    return problem_response(422, detail, extra={"errors": _printable(errors)})


async def _lectern_problem(_: Request, error: Exception) -> Response:
    assert isinstance(error, LecternError)
    status = _status_of(error)
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        # The log has the address of the database and the reason, which callers need not know.
        API_LOGGER.error("%s", error)
        return problem_response(status, UNAVAILABLE, headers={"Retry-After": str(RETRY_AFTER_S)})
    headers = {"Retry-After": str(RETRY_AFTER_S)} if isinstance(error, Busy) else {}
    return problem_response(status, str(error), headers=headers)


def _status_of(error: LecternError) -> int:
    for error_class, status in _STATUS_OF_ERROR:
        if isinstance(error, error_class):
            return status
    return 400


async def _unexpected_problem(request: Request, error: Exception) -> Response:
    API_LOGGER.error("%s %s failed", request.method, request.url.path, exc_info=error)
    detail = "The request failed because of an error in Lectern. The server's log has the reason."
    return problem_response(500, detail)


def _printable(texts: list[str]) -> list[str]:
    """Return texts without the half characters that no JSON in UTF-8 can contain."""
    return [text.encode("utf-8", "replace").decode() for text in texts]


def described_problems(*further_statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the error answers of an operation for its description: the usual ones, and further."""
    responses: dict[int | str, dict[str, Any]] = {}
    for status in (*USUAL_STATUSES, *further_statuses):
        responses[status] = {"model": Problem, "description": HTTPStatus(status).phrase}
    return responses


PROBLEM_RESPONSES = described_problems()
