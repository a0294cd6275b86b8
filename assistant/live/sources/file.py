"""A file that grows while it is read: appended to, truncated, renamed, written anew, its last line half there.

Follows what LocalVocal, whisper_streaming and others write. The cursor holds the place after the last complete unit and
the first bytes of the file, so that a restart goes on there, and a file that was written anew is read from its start.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Event as Flag
from typing import BinaryIO

from assistant.live.line import Arrival, Line
from assistant.live.sources.captions import Captions

POLL_S = 0.2
HEAD = 64  # bytes by which a file is known again
LONGEST_LINE = 64 * 1024
CHUNK = 256 * 1024
TOO_LONG = Arrival(warning=f"a line of more than {LONGEST_LINE // 1024} kB was left out.")


@dataclass
class Place:
    """Where a file was read to. ``edition`` counts how often it began anew."""

    edition: int = 0
    offset: int = 0
    head: str = ""
    speaker: str | None = None


@dataclass
class FileSource:
    """Follows a file, whether or not it is there already."""

    path: Path
    name: str = ""
    poll_s: float = POLL_S

    def __post_init__(self) -> None:
        self.name = self.name or f"file {self.path.name}"

    def follow(self, cursor: str, stop: Flag) -> Iterator[Arrival]:
        """Yield units as they are completed, and the open one as text that may still change."""
        reader, missing = _Reader(self.name, _place(cursor)), False
        while True:
            last = stop.is_set()
            try:
                yield from reader.poll(self.path)
                missing = False
            except FileNotFoundError:
                yield from reader.gone()
                if not missing:
                    yield Arrival(warning=f"{self.path.name} is not there; waiting for it.")
                missing = True
            except OSError as error:
                yield Arrival(warning=f"{self.path.name} cannot be read ({error.strerror}); trying again.")
            if last:
                reader.close()
                return
            stop.wait(self.poll_s)


class _Reader:
    """An open file, the bytes of an unfinished line, and the captions in it."""

    def __init__(self, name: str, place: Place) -> None:
        self.name, self.place = name, place
        self.file: BinaryIO | None = None
        self.captions = Captions(name, place.speaker)
        self.rest, self.skipping, self.shown = b"", False, ""
        self.read = place.offset  # bytes taken from the file, the unfinished line included

    def poll(self, path: Path) -> Iterator[Arrival]:
        """Yield what is new in the file at a path."""
        if self.file is None:
            self.file = path.open("rb")
            if not self._known():
                self._anew()
            self.file.seek(self.read)
        size, same = os.fstat(self.file.fileno()).st_size, _same(self.file, path)
        if size < self.read or not self._known():
            self._anew()
        yield from self._new()
        if not same:  # renamed or replaced: the rest of the old one was just read
            yield from self.gone()
            yield from self.poll(path)

    def gone(self) -> Iterator[Arrival]:
        """Yield what the file left unfinished when it went away."""
        if self.file is None:
            return
        yield from self._new()
        yield from self._take(self._ended())
        self.close()
        self._anew()

    def close(self) -> None:
        """Let go of the file."""
        if self.file is not None:
            self.file.close()
        self.file = None

    def _known(self) -> bool:
        """Return whether the file still begins with the bytes that were read from it."""
        head = bytes.fromhex(self.place.head)
        return os.pread(self.file.fileno(), len(head), 0) == head if self.file else False

    def _anew(self) -> None:
        self.place = Place(self.place.edition + bool(self.read), 0, "", self.captions.speaker)
        self.captions.cue, self.rest, self.read, self.skipping, self.shown = None, b"", 0, False, ""

    def _new(self) -> Iterator[Arrival]:
        while self.file and (data := os.pread(self.file.fileno(), CHUNK, self.read)):
            self.read += len(data)
            if len(self.place.head) < 2 * HEAD:
                self.place.head = os.pread(self.file.fileno(), min(HEAD, self.read), 0).hex()
            yield from self._take(self._rows(data))
        open_text = self._open()
        key = repr([(line.unit, line.text) for line in open_text])
        if open_text and key != self.shown:
            self.shown = key
            yield Arrival(tuple(open_text))

    def _rows(self, data: bytes) -> Iterator[tuple[list[Line], str]]:
        """Yield the units of complete lines, with a warning where a line was too long."""
        begin = self.read - len(data) - len(self.rest)
        rows = (self.rest + data).split(b"\n")
        self.rest = rows.pop()
        for row in rows:
            if not self.skipping and len(row) > LONGEST_LINE:
                yield [], TOO_LONG.warning
            elif not self.skipping:
                yield self.captions.feed(self._unit(begin), row.decode("utf-8", "replace")), ""
            self.skipping = False
            begin += len(row) + 1
            self._settle(begin)
        if len(self.rest) > LONGEST_LINE:
            told = "" if self.skipping else TOO_LONG.warning
            self.rest, self.skipping = b"", True
            yield [], told

    def _take(self, units: Iterator[tuple[list[Line], str]]) -> Iterator[Arrival]:
        """Gather units into one arrival with the cursor after them."""
        came: list[Line] = []
        for lines, warning in units:
            came += lines
            if warning:
                yield Arrival(warning=warning)
        if came:
            yield Arrival(tuple(came), json.dumps(asdict(self.place)))

    def _settle(self, offset: int) -> None:
        """Move the place on, unless a cue is open: a restart must read that again."""
        if self.captions.cue is None:
            self.place.offset, self.place.speaker = offset, self.captions.speaker

    def _open(self) -> list[Line]:
        """Return what is there of an unfinished cue or line."""
        half = self.rest.decode("utf-8", "ignore").strip()
        if self.captions.cue is not None:
            return self.captions.flush(final=False)
        if not half or self.skipping or self.captions.timed:
            return []
        return [_unfinished(line) for line in self._half(half)]

    def _half(self, text: str) -> list[Line]:
        other = Captions(self.name, self.captions.speaker)
        return other.feed(self._unit(self.read - len(self.rest)), text)

    def _ended(self) -> Iterator[tuple[list[Line], str]]:
        if self.rest and not self.skipping:
            yield self.captions.feed(self._unit(self.read - len(self.rest)), self.rest.decode("utf-8", "replace")), ""
        yield self.captions.flush(), ""

    def _unit(self, offset: int) -> str:
        return f"{self.place.edition}:{offset}"


def _unfinished(line: Line) -> Line:
    return Line(line.source, line.unit, line.text, line.speaker, line.start, line.end, False, None, line.cut)


def _place(cursor: str) -> Place:
    try:
        return Place(**json.loads(cursor)) if cursor else Place()
    except (ValueError, TypeError):
        return Place()


def _same(file: BinaryIO, path: Path) -> bool:
    now = path.stat()
    there = os.fstat(file.fileno())
    return (now.st_dev, now.st_ino) == (there.st_dev, there.st_ino)
