"""The Content-Security-Policy of the app's pages, and the routes of Streamlit that it answers.

A page takes everything from this server: no script, picture, style, font or connection from
outside. No site may frame it.
"""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import config, file_util

from assistant.ui.page_address import ADDRESS_SCRIPT

INLINE_SCRIPT_PATTERN = re.compile(r"<script>(.*?)</script>", re.DOTALL)
INTERNAL_PATH = "/_stcore/"
# Streamlit's other internal routes show counters, run the app's script or offer it to programs.
ANSWERED_ROUTES = ("health", "host-config", "stream", "upload_file", "bidi-components")
NOT_ANSWERED = "Lectern does not answer this address."


def policy() -> str:
    """Return the policy of pages.

    Streamlit loads each component as a script from a blob, and its charts (Vega) compile their
    expressions, which needs ``unsafe-eval``. Styles are written into the page.
    """
    scripts = ["'self'", "blob:", "'unsafe-eval'", *_inline_script_hashes()]
    directives = {
        "default-src": "'self'",
        "script-src": " ".join(scripts),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "media-src": "'self' blob:",
        "connect-src": "'self' blob: data:",
        "worker-src": "'self' blob:",
        "frame-src": "'self' blob: data:",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {sources}" for name, sources in directives.items())


def trust_no_parent() -> None:
    """Empty Streamlit's list of sites that may frame the app and command it by messages."""
    config.set_option("client.allowedOrigins", [], "Lectern")


def _inline_script_hashes() -> list[str]:
    """Return the hashes of the scripts within a page, as a policy lists them."""
    page = Path(file_util.get_static_dir()) / "index.html"
    scripts = [ADDRESS_SCRIPT, *INLINE_SCRIPT_PATTERN.findall(page.read_text("utf-8"))]
    hashes = []
    for script in scripts:
        digest = hashlib.sha256(script.encode()).digest()
        hashes.append(f"'sha256-{base64.b64encode(digest).decode()}'")
    return hashes


@dataclass(frozen=True)
class InternalRoutes:
    """Middleware that answers only the internal routes of Streamlit that a page needs."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 404 for another internal route, and pass on everything else."""
        # "…/_stcore/health" and "…/_stcore/upload_file/SESSION/FILE"
        _, internal_path, route_path = scope.get("path", "").partition(INTERNAL_PATH)
        route, _, _ = route_path.partition("/")
        is_refused = internal_path != "" and route not in ANSWERED_ROUTES
        if scope["type"] == "http" and is_refused:
            await PlainTextResponse(NOT_ANSWERED, 404)(scope, receive, send)
        else:
            await self.app(scope, receive, send)
