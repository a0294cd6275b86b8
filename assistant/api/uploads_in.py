"""Bodies of ``POST /v1/checks``: a transcript in memory, or a recording that is written to disk."""

from __future__ import annotations

import hashlib
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from assistant.api.problems import ApiProblem
from assistant.jobs import recordings
from assistant.jobs.recordings import BLOCK_BYTES, IncomingRecording, Recording, RecordingStore
from assistant.transcription import recording_formats

MAX_TRANSCRIPT_BYTES = 20_000_000
MAX_RECORDING_BYTES = 8_000_000_000


@dataclass(frozen=True, slots=True)
class ReceivedFile:
    """A file that has arrived whole: the bytes of a transcript, or the path of a recording."""

    digest: str
    data: bytes = b""
    path: Path | None = None


async def receive(request: Request, home: Path, sender: str, mark: str, name: str) -> ReceivedFile:
    """Return the file in the body of a request.

    ``mark`` tells it from other files of the sender. Raises: ApiProblem, TranscriptError.
    """
    stream = request.stream()
    first_bytes = bytearray()  # they tell a recording from a transcript
    async for received_bytes in stream:
        first_bytes += received_bytes
        if len(first_bytes) >= recording_formats.FORMAT_HEAD_BYTES:
            break
    if not first_bytes:
        raise ApiProblem(
            422, "The request body is empty. Send a transcript or a recording in the body."
        )
    if not recording_formats.is_recording(bytes(first_bytes)):
        return await _receive_transcript(first_bytes, stream)
    content_length = request.headers.get("content-length", "")
    if not content_length.isdecimal():
        raise ApiProblem(411, "The upload of a recording needs the Content-Length header.")
    incoming_recording = IncomingRecording.for_file(home, sender, mark, name, int(content_length))
    return await _receive_recording(incoming_recording, first_bytes, stream)


async def _receive_transcript(head: bytearray, stream: AsyncIterator[bytes]) -> ReceivedFile:
    data = head
    async for piece in stream:
        data += piece
        if len(data) > MAX_TRANSCRIPT_BYTES:
            limit_mb = MAX_TRANSCRIPT_BYTES // 1_000_000
            raise ApiProblem(413, f"The transcript is larger than {limit_mb} MB.")
    return ReceivedFile(hashlib.sha256(data).hexdigest(), bytes(data))


async def _receive_recording(
    incoming_recording: IncomingRecording, first_bytes: bytearray, stream: AsyncIterator[bytes]
) -> ReceivedFile:
    """Write a recording to disk as it arrives; a part of it is deleted if it breaks off."""
    # a recording of the API begins anew: what an earlier request has left is deleted
    await run_in_threadpool(
        recordings.delete_cut_short, incoming_recording.folder.parent, incoming_recording.key
    )
    await run_in_threadpool(incoming_recording.begin)
    unwritten_bytes = first_bytes
    written_byte_count = 0  # the bytes that are on the disk
    try:
        async for received_bytes in stream:
            unwritten_bytes += received_bytes
            if len(unwritten_bytes) >= BLOCK_BYTES:
                written_byte_count = await run_in_threadpool(
                    incoming_recording.add, written_byte_count, bytes(unwritten_bytes)
                )
                unwritten_bytes.clear()
        await run_in_threadpool(incoming_recording.add, written_byte_count, bytes(unwritten_bytes))
        digest, path = await run_in_threadpool(incoming_recording.finish)
    except BaseException:
        recordings.delete_cut_short(incoming_recording.folder.parent, incoming_recording.key)
        raise
    return ReceivedFile(digest, path=path)


def discard(store: RecordingStore, received: ReceivedFile) -> None:
    """Delete a recording that has arrived and that no stored recording uses."""
    if received.path is not None:
        store.discard(received.path)


def store_recording(
    store: RecordingStore, received_file: ReceivedFile, name: str, sender: str
) -> None:
    """Store that a file is a recording, unless it is known already."""
    # The same recording may have been sent before.
    earlier_recording = store.of(received_file.digest)
    if earlier_recording is not None and earlier_recording.existing_file is not None:
        discard(store, received_file)
        return
    store.add(
        Recording(
            received_file.digest,
            name,
            received_file.path,
            is_owned=True,
            added_by=sender,
            added=time.time(),
        )
    )
