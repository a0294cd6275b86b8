"""Follows a file that grows.

Appended to, truncated, renamed, written anew, its last line unfinished.

LocalVocal, whisper_streaming and others write such files. The cursor stores the place after the
last complete unit and the first bytes of the file: a restart goes on there, and a file that was
written anew is read from its start.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Event as Flag
from typing import BinaryIO

from assistant.core.errors import SettingsError
from assistant.live.live_lines import Arrival, Line, Source, cursor_at, position_at
from assistant.live.sources.caption_parser import Captions
from assistant.live.sources.line_splitter import TOO_LONG, LineSplitter

FILE_POLL_S = 0.05
HEAD_BYTES = 64  # bytes by which a file is recognised
CHUNK_BYTES = 256 * 1024
RECALLED_BYTES = 4096  # bytes before the cursor that a restart reads again


@dataclass
class FilePosition:
    """How far a file was read; ``edition`` counts how often it was written anew."""

    edition: int = 0
    offset: int = 0
    head: str = ""
    speaker: str | None = None


@dataclass
class FileSource:
    """Follows a file, whether or not it exists yet."""

    path: Path
    name: str = ""
    poll_s: float = FILE_POLL_S

    def __post_init__(self) -> None:
        self.name = self.name or f"file {self.path.name}"

    def follow(self, cursor: str, stop: Flag) -> Iterator[Arrival]:
        """Yield units when they are complete, and before that as text that may change."""
        reader = _FileReader(self.name, position_at(FilePosition, cursor))
        was_missing = False
        while True:
            is_last_poll = stop.is_set()
            try:
                yield from reader.poll(self.path)
                was_missing = False
            except FileNotFoundError:
                yield from reader.finish_gone_file()
                if not was_missing:
                    yield Arrival(warning=f"{self.path.name} is not there; waiting for it.")
                was_missing = True
            except OSError as error:
                yield Arrival(
                    warning=f"{self.path.name} cannot be read ({error.strerror}); trying again."
                )
            if is_last_poll:
                reader.close()
                return
            stop.wait(self.poll_s)


def make(address: str, options: argparse.Namespace) -> Source:
    """Return the file at a path, or standard input for ``-``.

    Raises: SettingsError for an address of the network.
    """
    from assistant.live.sources.pipe import PipeSource
    from assistant.live.sources.registry import SOURCES

    if address == "-":
        return PipeSource(sys.stdin.buffer)
    if "://" in address:
        kinds = " or ".join(f"{kind.option} {address}" for kind in SOURCES if kind.metavar == "URL")
        raise SettingsError(
            f"{address} is a web address, not a file.",
            remedy=f"Use an option for web addresses: {kinds}.",
        )
    return FileSource(Path(address).expanduser())


class _FileReader:
    """An open file with its unfinished line and the captions in it."""

    def __init__(self, name: str, position: FilePosition) -> None:
        self.name = name
        self.position = position
        self.file: BinaryIO | None = None
        self.captions = Captions(name, position.speaker)
        self.splitter = LineSplitter(position.offset)
        self.shown = ""

    @property
    def read_offset(self) -> int:
        """Return how many bytes were taken from the file, the unfinished line included."""
        return self.splitter.offset + len(self.splitter.unfinished_line)

    def poll(self, path: Path) -> Iterator[Arrival]:
        """Yield what is new in the file at a path."""
        if self.file is None:
            self.file = path.open("rb")
            if not self._is_known_file():
                self._begin_anew()
            self._recall_captions_before_cursor()
            self.file.seek(self.read_offset)
        size = os.fstat(self.file.fileno()).st_size
        is_same_file = _is_same_file(self.file, path)
        if size < self.read_offset or not self._is_known_file():
            self._begin_anew()
        yield from self._read_new()
        # If the file was renamed or replaced, the rest of the old one was just read.
        if not is_same_file:
            yield from self.finish_gone_file()
            yield from self.poll(path)

    def _recall_captions_before_cursor(self) -> None:
        """Read the end of the text before the cursor again, since later text may continue it."""
        begin = max(0, self.read_offset - RECALLED_BYTES)
        byte_count = self.read_offset - begin
        if self.file is None or self.captions.recent_cues or byte_count == 0:
            return
        recalled_bytes = os.pread(self.file.fileno(), byte_count, begin)
        # The lines are read together, by ``catch_up`` at the latest.
        self.captions.is_burst = True
        for offset, line in LineSplitter(begin).feed(recalled_bytes):
            # The first line is cut unless the file begins with it. A line that is None is too long.
            is_cut = begin > 0 and offset == begin
            if line is not None and not is_cut:
                self.captions.feed(self._unit_at(offset), line.decode("utf-8", "replace"))
        self.captions.catch_up()

    def finish_gone_file(self) -> Iterator[Arrival]:
        """Yield what was unfinished in a file that is gone."""
        if self.file is None:
            return
        yield from self._read_new()
        # The last line, which has no line end, and the captions that wait for more
        yield from self._gather(self._units_at_end())
        self.close()
        self._begin_anew()

    def close(self) -> None:
        """Close the file."""
        if self.file is not None:
            self.file.close()
        self.file = None

    def _is_known_file(self) -> bool:
        """Return whether the file still begins with the bytes that were read from it."""
        if self.file is None:
            return False
        head = bytes.fromhex(self.position.head)
        return os.pread(self.file.fileno(), len(head), 0) == head

    def _begin_anew(self) -> None:
        # A file of which nothing was read has no units yet, and needs no new edition.
        edition = self.position.edition
        if self.read_offset:
            edition += 1
        self.position = FilePosition(edition, speaker=self.captions.speaker)
        is_timed = self.captions.has_timed_cues
        self.captions = Captions(self.name, self.captions.speaker, has_timed_cues=is_timed)
        self.splitter = LineSplitter()
        self.shown = ""

    def _read_new(self) -> Iterator[Arrival]:
        while self.file is not None:
            chunk = os.pread(self.file.fileno(), CHUNK_BYTES, self.read_offset)
            if not chunk:
                break
            # The head is stored in hexadecimal, two characters per byte.
            if len(self.position.head) < 2 * HEAD_BYTES:
                head_size = min(HEAD_BYTES, self.read_offset + len(chunk))
                self.position.head = os.pread(self.file.fileno(), head_size, 0).hex()
            yield from self._gather(self._units_of_chunk(chunk))
        # Text that is not complete is shown, too, whenever it has changed.
        unfinished_lines = self._unfinished_lines()
        texts = repr([(line.unit, line.text) for line in unfinished_lines])
        if unfinished_lines and texts != self.shown:
            self.shown = texts
            yield Arrival(tuple(unfinished_lines))

    def _units_of_chunk(self, chunk: bytes) -> Iterator[tuple[list[Line], str]]:
        """Yield the units of complete lines, with a warning where a line was too long."""
        self.captions.is_burst = True
        for line_start, line in self.splitter.feed(chunk):
            if line is None:
                yield [], TOO_LONG
                continue
            text = line.decode("utf-8", "replace")
            units = self.captions.feed(self._unit_at(line_start), text)
            yield units, ""
            line_end = line_start + len(line) + len(b"\n")
            self._move_position(line_end)
        yield self.captions.catch_up(), ""
        self.position.speaker = self.captions.speaker

    def _gather(self, units: Iterator[tuple[list[Line], str]]) -> Iterator[Arrival]:
        """Gather units into one arrival with the cursor after them."""
        arrived_lines: list[Line] = []
        for lines, warning in units:
            arrived_lines += lines
            if warning:
                yield Arrival(warning=warning)
        if arrived_lines:
            yield Arrival(tuple(arrived_lines), cursor_at(self.position))

    def _move_position(self, offset: int) -> None:
        """Move the place on, unless a cue is open, which a restart must read again."""
        if not self.captions.is_open:
            self.position.offset = offset

    def _unfinished_lines(self) -> list[Line]:
        """Return the unfinished cue or line as it is so far."""
        open_cue = self.captions.open_cue
        if open_cue is not None:
            return self.captions.preview(open_cue.line_key)
        # The bytes after the last end of a line, which may end inside a character
        text = self.splitter.unfinished_line.decode("utf-8", "ignore").strip()
        # In captions with times, a line outside of a cue isn't speech.
        is_no_speech = self.splitter.is_skipping or self.captions.has_timed_cues
        if not text or is_no_speech:
            return []
        return self.captions.preview(self._unit_at(self.splitter.offset), text)

    def _units_at_end(self) -> Iterator[tuple[list[Line], str]]:
        """Yield the units of a file that has ended.

        Its last line is complete, and so is an open cue.
        """
        if self.splitter.unfinished_line and not self.splitter.is_skipping:
            unit = self._unit_at(self.splitter.offset)
            yield (
                self.captions.feed(unit, self.splitter.unfinished_line.decode("utf-8", "replace")),
                "",
            )
        yield self.captions.flush(), ""

    def _unit_at(self, offset: int) -> str:
        return f"{self.position.edition}:{offset}"


def _is_same_file(file: BinaryIO, path: Path) -> bool:
    status_of_path = path.stat()
    status_of_file = os.fstat(file.fileno())
    return os.path.samestat(status_of_path, status_of_file)
