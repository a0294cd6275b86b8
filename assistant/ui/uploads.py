"""Uploads to the app: taken from visitors who have been let in, and from nobody else who only knows the address.

Streamlit takes files from every open page, that of the login included, and keeps them in memory.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.runtime.scriptrunner import get_script_run_ctx

from assistant.ui import login_settings

UPLOAD_PATH = "/_stcore/upload_file/"  # then the session and the file
MAX_SESSIONS = 10_000  # sessions that are remembered

_admitted: dict[str, float] = {}  # until when, by session; the oldest first


def admit_session(login_end: float | None) -> None:
    """Let the session whose page is being drawn upload files until its login ends (seconds since 1970)."""
    context = get_script_run_ctx()
    if context is None:
        return
    _admitted.pop(context.session_id, None)
    _admitted[context.session_id] = float("inf") if login_end is None else login_end
    if len(_admitted) > MAX_SESSIONS:
        _admitted.pop(next(iter(_admitted)), None)


@dataclass(frozen=True)
class Uploads:
    """Middleware that refuses to upload for a session that was not let in."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an upload that may not be, and pass on everything else."""
        _, is_upload, session_and_file = scope.get("path", "").partition(UPLOAD_PATH)
        if is_upload and login_settings.are_lost():
            closed = PlainTextResponse(login_settings.UNREADABLE, 503)
            await closed(scope, receive, send)
        elif is_upload and _admitted.get(session_and_file.partition("/")[0], 0.0) <= time.time():
            refusal = PlainTextResponse("Log in first: this page may not upload.", 403)
            await refusal(scope, receive, send)
        else:
            await self.app(scope, receive, send)
