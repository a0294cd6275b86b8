"""Answers with an ETag (RFC 9110), so that a caller fetches again only what has changed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from fastapi import Request
from fastapi.responses import Response
from pydantic import BaseModel

JSON_TYPE = "application/json"
ETAG_DIGITS = 32
# A shared cache never stores an answer; the caller's own asks each time whether it has changed.
CACHE_RULE = "private, no-cache"


def tagged(
    request: Request,
    content: BaseModel | bytes,
    *,
    media_type: str = JSON_TYPE,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return content as an answer, or 304 without content if the caller has it already."""
    body = content.model_dump_json().encode() if isinstance(content, BaseModel) else content
    # The same bytes as another media type are another answer.
    typed_body = media_type.encode() + b"\0" + body
    etag = f'"{hashlib.sha256(typed_body).hexdigest()[:ETAG_DIGITS]}"'
    all_headers = {"ETag": etag, "Cache-Control": CACHE_RULE, **(headers or {})}
    caller_tags = request.headers.get("if-none-match", "")
    if _has_tag(caller_tags, etag):
        return Response(status_code=304, headers=all_headers)
    return Response(body, media_type=media_type, headers=all_headers)


def _has_tag(header: str, etag: str) -> bool:
    """Return whether the header If-None-Match has an ETag; a weak one is as good."""
    tags = [tag.strip().removeprefix("W/") for tag in header.split(",")]
    return etag in tags or tags == ["*"]
