"""The ASGI application of the API."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp

from assistant import __version__
from assistant.api import (
    archive_routes,
    check_routes,
    decision_routes,
    fact_check_routes,
    match_routes,
    problems,
    uploads_in,
)
from assistant.api.etags import JSON_TYPE
from assistant.api.request_limits import MAX_BODY_BYTES, BodyLimits
from assistant.api.services import ApiServices

VERSION_PATH = "/v1"
DESCRIPTION = (
    "Finds published fact-checks that cover a statement. Ratings are the publishers' own words. "
    "Lectern never rates a statement. Each operation needs a token with the scope that it names."
)
CHECKS_PATH = f"{VERSION_PATH}/checks"
ROUTERS = (
    match_routes.router,
    fact_check_routes.router,
    check_routes.router,
    decision_routes.router,
    archive_routes.router,
)
health_router = APIRouter(tags=["server"])


class ServerHealth(BaseModel):
    """The state of the server."""

    status: str


@health_router.get("/health")
async def health() -> ServerHealth:
    """Confirm that the server is running. This operation needs no token."""
    return ServerHealth(status="ok")


def make_app(services: ApiServices) -> FastAPI:
    """Return the application without limits and middleware."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await run_in_threadpool(services.begin)
        try:
            yield
        finally:
            await run_in_threadpool(services.close)

    app = FastAPI(
        title="Lectern",
        version=__version__,
        description=DESCRIPTION,
        openapi_url=f"{VERSION_PATH}/openapi.json",
        docs_url=None,  # its page would load scripts from outside
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.services = services
    app.openapi = lambda: description(app)  # type: ignore[method-assign]
    problems.add_handlers(app)
    app.include_router(health_router, prefix=VERSION_PATH)
    for router in ROUTERS:
        app.include_router(router, prefix=VERSION_PATH)
    return app


def description(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI description, in which every error is a problem."""
    if app.openapi_schema is None:
        schema = get_openapi(
            title=app.title,
            version=app.version,
            description=app.description,
            routes=app.routes,
        )
        for path_item in schema["paths"].values():
            for operation in path_item.values():
                _describe_problems(operation["responses"])
        app.openapi_schema = schema
    return app.openapi_schema


def _describe_problems(responses: dict[str, Any]) -> None:
    """Give the error answers of an operation the media type of problems."""
    for status, response in responses.items():
        content = response.get("content", {})
        if int(status) >= HTTPStatus.BAD_REQUEST and JSON_TYPE in content:
            content[problems.PROBLEM_TYPE] = content.pop(JSON_TYPE)


def limited(app: ASGIApp, *, allowed_origins: tuple[str, ...] = ()) -> ASGIApp:
    """Return an application with limits on bodies, and with CORS for the named origins only."""
    if allowed_origins:
        app = CORSMiddleware(
            app,
            allow_origins=list(allowed_origins),
            allow_methods=["GET", "POST", "PUT", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "Idempotency-Key", "If-None-Match"],
            expose_headers=["ETag", "Link", "Location", "Retry-After"],
        )
    return BodyLimits(app, _body_limit)


def _body_limit(path: str) -> int:
    """Return the most bytes of a request to a path."""
    return uploads_in.MAX_RECORDING_BYTES if path == CHECKS_PATH else MAX_BODY_BYTES
