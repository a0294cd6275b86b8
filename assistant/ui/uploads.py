"""Uploads to the app: taken from visitors who have been let in, and from nobody else who only knows the address.

Streamlit takes files from every open page, that of the login included, and keeps them in memory.
The memory of one person is limited: a further upload takes the place of the oldest. The memory
for an upload is reserved before its first byte is read.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, NamedTuple

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from assistant.ui import login_settings

UPLOAD_PATH = "/_stcore/upload_file/"  # then the session and the file
MAX_SESSIONS = 10_000  # sessions that are remembered
MAX_FILES_PER_PERSON = 20
MAX_BYTES_PER_PERSON = 250_000_000
MAX_BYTES = 2_000_000_000  # of all people together
MAX_FILE_BYTES = 101_000_000  # Streamlit's limit of 100 MB, and the frame of a form around it
MAX_ID_CHARACTERS = 100
MAX_NUMBER_DIGITS = 100  # read of a size: a longer number is too large anyway
UPLOADS_FULL = "Too many files are in memory at the moment. Try again in a few minutes."
FILE_TOO_LARGE = "This file is too large: at most 100 MB can be uploaded."


class _Admission(NamedTuple):
    """A session that may upload: until when (seconds since 1970), and whose it is."""

    login_end: float
    person: str


class _StoredUpload(NamedTuple):
    """An upload that Streamlit keeps in memory."""

    session_id: str
    file_id: str
    person: str
    size_bytes: int


_admitted: dict[str, _Admission] = {}  # by session, the oldest first
_stored: list[_StoredUpload] = []  # the oldest first
_incoming: list[_StoredUpload] = []  # those being received, with the size that was announced


def admit_session(login_end: float | None, person: str = "") -> None:
    """Let the session whose page is being drawn upload files until its login ends.

    ``login_end``: seconds since 1970, None for never. ``person``: "" for the session's own.
    """
    context = get_script_run_ctx()
    if context is None:
        return
    _admitted.pop(context.session_id, None)
    admission_end = float("inf") if login_end is None else login_end
    _admitted[context.session_id] = _Admission(admission_end, person or context.session_id)
    if len(_admitted) > MAX_SESSIONS:
        oldest_session = next(iter(_admitted))  # a dict keeps the order of insertion
        _admitted.pop(oldest_session, None)


@dataclass(frozen=True)
class Uploads:
    """Middleware that refuses to upload for a session that was not let in."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an upload that may not be, and pass on everything else."""
        # "…/upload_file/SESSION/FILE"; a proxy may put a path before it
        _, upload_path, session_and_file = scope.get("path", "").partition(UPLOAD_PATH)
        if not upload_path:
            await self.app(scope, receive, send)
        elif login_settings.are_unreadable():
            refusal = PlainTextResponse(login_settings.UNREADABLE, 503)
            await refusal(scope, receive, send)
        else:
            await self._upload(session_and_file, scope, receive, send)

    async def _upload(
        self, session_and_file: str, scope: Scope, receive: Receive, send: Send
    ) -> None:
        session_id, _, file_id = session_and_file.partition("/")
        admission = _admitted.get(session_id)
        if admission is None or admission.login_end <= time.time():
            refusal = PlainTextResponse("Log in first: this page may not upload.", 403)
            await refusal(scope, receive, send)
            return
        if scope["method"] != "PUT":  # Streamlit deletes by the same address
            await self.app(scope, receive, send)
            return
        size_bytes = _announced_bytes(Headers(scope=scope))
        if size_bytes > MAX_FILE_BYTES or len(file_id) > MAX_ID_CHARACTERS:
            await PlainTextResponse(FILE_TOO_LARGE, 413)(scope, receive, send)
            return
        upload = _StoredUpload(session_id, file_id, admission.person, size_bytes)
        if not make_space_for(upload):
            await PlainTextResponse(UPLOADS_FULL, 503)(scope, receive, send)
            return
        _incoming.append(upload)  # reserves its memory while it arrives
        try:
            content = await _read_body(receive, size_bytes)
        finally:
            _incoming.remove(upload)
        if content is None:
            await PlainTextResponse(FILE_TOO_LARGE, 413)(scope, receive, send)
            return
        _count(upload._replace(size_bytes=len(content)))
        await self.app(scope, _receive_again(content), send)  # Streamlit reads the body once more


def make_space_for(upload: _StoredUpload) -> bool:
    """Remove the oldest uploads of a person until another one fits.

    False if the uploads of other people, or those that the person is sending, leave no space.
    """
    _forget_removed()
    incoming_of_person = [incoming for incoming in _incoming if incoming.person == upload.person]
    # the limits for the person's stored uploads, once those that arrive have their space
    max_stored_bytes = MAX_BYTES_PER_PERSON - _total_bytes([*incoming_of_person, upload])
    max_stored_files = MAX_FILES_PER_PERSON - len(incoming_of_person) - 1
    if max_stored_bytes < 0 or max_stored_files < 0:
        return False
    uploads_of_person = [
        stored_upload for stored_upload in _stored if stored_upload.person == upload.person
    ]
    while (
        _total_bytes(uploads_of_person) > max_stored_bytes
        or len(uploads_of_person) > max_stored_files
    ):
        _remove(uploads_of_person.pop(0))
    return _total_bytes([*_stored, *_incoming, upload]) <= MAX_BYTES


def _total_bytes(uploads: list[_StoredUpload]) -> int:
    return sum(upload.size_bytes for upload in uploads)


def _count(upload: _StoredUpload) -> None:
    """Count a received upload, in place of one that it replaces."""
    for stored in list(_stored):
        if (stored.session_id, stored.file_id) == (upload.session_id, upload.file_id):
            _stored.remove(stored)
    _stored.append(upload)


def _announced_bytes(headers: Headers) -> int:
    """Return the size that a request announces; the largest allowed one if it announces none."""
    announced = headers.get("content-length", "")
    is_number = announced.isascii() and announced.isdigit()
    if not is_number:
        return MAX_FILE_BYTES
    return int(announced[:MAX_NUMBER_DIGITS])


def _remove(upload: _StoredUpload) -> None:
    _stored.remove(upload)
    if runtime.exists():
        manager: Any = runtime.get_instance().uploaded_file_mgr  # the protocol lacks the method
        manager.remove_file(upload.session_id, upload.file_id)


def _forget_removed() -> None:
    """Stop counting uploads that Streamlit has removed, for example with their session."""
    if not runtime.exists():
        return
    manager = runtime.get_instance().uploaded_file_mgr
    for upload in list(_stored):
        is_stored = bool(manager.get_files(upload.session_id, [upload.file_id]))
        if not is_stored:
            _stored.remove(upload)


async def _read_body(receive: Receive, max_bytes: int) -> bytes | None:
    """Return the body of a request, None if it is too large."""
    content = bytearray()
    has_more = True
    while has_more:
        message = await receive()
        content += message.get("body", b"")
        # any other message says that the browser has gone
        has_more = message["type"] == "http.request" and message.get("more_body", False)
        if len(content) > max_bytes:
            return None
    return bytes(content)


def _receive_again(content: bytes) -> Receive:
    """Return a channel that gives a body that was already received."""
    messages: list[Message] = [{"type": "http.request", "body": content, "more_body": False}]

    async def receive() -> Message:
        return messages.pop() if messages else {"type": "http.disconnect"}

    return receive
