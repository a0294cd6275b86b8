"""Transcripts from any file, read in a process of their own, so that a hostile file hurts nothing else."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from assistant.ground import confined
from assistant.ground.domain import Transcript
from assistant.ground.errors import TranscriptError
from assistant.transcripts import reading
from assistant.transcripts.bytes import check_size, load

__all__ = ["read", "read_bytes"]


def read(path: str | Path, *, title: str | None = None, event_date: date | None = None) -> Transcript:
    """Return the transcript in a file; ``title`` and ``event_date`` are guessed if they are not given.

    Raises: UnknownFormat for files that are no transcript, MalformedTranscript if nothing in the file can be used,
    TranscriptError if it cannot be opened, is too large, or takes more time or memory than a transcript does.
    """
    source = load(path)
    return read_bytes(source.data, source.name, title=title, event_date=event_date)


def read_bytes(data: bytes, name: str, *, title: str | None = None, event_date: date | None = None) -> Transcript:
    """Return the transcript in these bytes, as ``read`` does; ``name`` is shown, never trusted."""
    check_size(len(data), name)
    return confined.call(reading.transcript, data, name, title, event_date, where=name, refusal=TranscriptError)
