"""Checkpoints of a transcription, so that a kill costs one minute: samples and words so far.

Each recording has a folder in the data directory, named by the digest of the file. The samples are
deleted when the recording is transcribed; the words when the caller no longer needs them, or after
a week.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assistant.core import files
from assistant.core.domain import SpokenWord
from assistant.core.errors import TranscriptError
from features.models.atomic_write import replacing

CHECKPOINTS_FOLDER = "hearing"
MAX_AGE_S = 7 * 86_400
# (words, the speaker of each or None, warnings)
FinishedTranscription = tuple[tuple[SpokenWord, ...], tuple[str | None, ...], tuple[str, ...]]
_WORDS_VERSION = 4  # raised with every change of the words: segments, thresholds, context


@dataclass(frozen=True)
class RecordingCheckpoint:
    """The folder of one recording."""

    folder: Path

    @classmethod
    def of(cls, home: Path, digest: str) -> RecordingCheckpoint:
        """Return the checkpoint of the recording with this digest, and delete abandoned ones."""
        parent_folder = home / CHECKPOINTS_FOLDER
        with files.explained(parent_folder, TranscriptError):
            parent_folder.mkdir(parents=True, exist_ok=True)
        oldest_time = time.time() - MAX_AGE_S
        for folder in parent_folder.iterdir():
            # Another process may delete a folder at the same moment.
            with suppress(OSError):
                is_abandoned = folder.stat().st_mtime < oldest_time
                if is_abandoned and folder.name != digest:
                    shutil.rmtree(folder, ignore_errors=True)
        return cls(parent_folder / digest)

    def save_sound(self, blocks: Iterable[bytes], warnings: list[str]) -> NDArray[np.int16]:
        """Write and return the samples, complete or not at all, with the warnings about them.

        Raises: TranscriptError if the disk is full.
        """
        with files.explained(self._sound_path, TranscriptError):
            self.folder.mkdir(exist_ok=True)
            # the file gets its name once everything is written
            with replacing(self._sound_path) as temporary:
                with temporary.open("wb") as file:
                    for block in blocks:
                        file.write(block)
                files.write(self._warnings_path, json.dumps(warnings), error=TranscriptError)
        return self._mapped()

    def sound(self) -> NDArray[np.int16] | None:
        """Return the samples, memory-mapped; None if they are missing."""
        return self._mapped() if self._sound_path.is_file() else None

    def warnings(self) -> list[str]:
        """Return the warnings about the sound."""
        return json.loads(self._warnings_path.read_text("utf-8"))

    def finish(
        self,
        key: str,
        words: Sequence[SpokenWord],
        speakers: Sequence[str | None],
        warnings: Sequence[str],
    ) -> FinishedTranscription:
        """Store and return the finished transcription, and delete the samples."""
        stored_values = {
            "words": [asdict(word) for word in words],
            "speakers": list(speakers),
            "warnings": list(warnings),
        }
        files.write(self._finished_path(key), json.dumps(stored_values), error=TranscriptError)
        self._sound_path.unlink(missing_ok=True)
        self._partial_path(key).unlink(missing_ok=True)
        return tuple(words), tuple(speakers), tuple(warnings)

    def finished(self, key: str) -> FinishedTranscription | None:
        """Return the finished transcription, None if the recording is not transcribed yet."""
        if not self._finished_path(key).is_file():
            return None
        stored = json.loads(self._finished_path(key).read_text("utf-8"))
        words = tuple(SpokenWord(**word) for word in stored["words"])
        return words, tuple(stored["speakers"]), tuple(stored["warnings"])

    def add(
        self, key: str, begin_sample: int, end_sample: int, words: Iterable[SpokenWord]
    ) -> None:
        """Add the words between two samples, and wait until they are on the disk."""
        stored_words = [asdict(word) for word in words]
        line = json.dumps({"begin": begin_sample, "end": end_sample, "words": stored_words})
        path = self._partial_path(key)
        with files.explained(path, TranscriptError), path.open("a+b") as file:
            size_bytes = file.seek(0, os.SEEK_END)
            file.seek(max(size_bytes - 1, 0))
            last_byte = file.read()
            # A process that was killed may have left half a line.
            ends_in_torn_line = size_bytes > 0 and last_byte != b"\n"
            if ends_in_torn_line:
                file.write(b"\n")
            file.write(line.encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def words(self, key: str) -> tuple[int, list[SpokenWord]]:
        """Return the sample up to which the recording is transcribed, and the words."""
        done_sample_count = 0
        words: list[SpokenWord] = []
        for window in self._windows(key):
            if window["begin"] == done_sample_count:  # else the line before it was cut
                done_sample_count = window["end"]
                words += [SpokenWord(**word) for word in window["words"]]
        return done_sample_count, words

    def _windows(self, key: str) -> Iterator[dict]:
        with suppress(FileNotFoundError):
            for line in self._partial_path(key).read_text("utf-8").splitlines():
                with suppress(ValueError):  # a line that a kill has cut
                    yield json.loads(line)

    def _partial_path(self, key: str) -> Path:
        return self.folder / f"{key}.jsonl"

    @property
    def _sound_path(self) -> Path:
        return self.folder / "sound.s16"

    @property
    def _warnings_path(self) -> Path:
        return self.folder / "warnings.json"

    def _finished_path(self, key: str) -> Path:
        return self.folder / f"{key}.json"

    def _mapped(self) -> NDArray[np.int16]:
        if self._sound_path.stat().st_size == 0:
            return np.zeros(0, np.int16)
        return np.memmap(self._sound_path, np.int16, "r")


def cache_key(*key_parts: str) -> str:
    """Return the file name of a transcription, by model, hot words and other settings."""
    return hashlib.sha256(repr((_WORDS_VERSION, *key_parts)).encode()).hexdigest()[:16]


def delete_checkpoint(home: Path, digest: str) -> None:
    """Delete the checkpoint of a recording, nothing if the digest leads out of the folder.

    The digest may come from a database that somebody else has written.
    """
    folder = files.member(home / CHECKPOINTS_FOLDER, digest)
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)
