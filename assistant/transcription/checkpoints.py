"""What is kept while a recording is heard, so that a kill costs a minute.

Its samples, and the words found so far.

A folder a recording, by the digest of the file, in LECTERN_HOME; the samples go when all is heard,
the words when the caller no longer needs them, or after a week.
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
from assistant.core.domain import Word
from assistant.core.errors import TranscriptError
from features.models.atomic_write import replacing

CHECKPOINTS_FOLDER = "hearing"
ABANDONED_S = 7 * 86_400
FinishedTranscription = tuple[
    tuple[Word, ...], tuple[str | None, ...], tuple[str, ...]
]  # words, the voice of each, warnings
_WORDS_VERSION = 4  # of what decides the words: stretches, thresholds, context


@dataclass(frozen=True)
class RecordingCheckpoint:
    """The folder of one recording."""

    folder: Path

    @classmethod
    def of(cls, home: Path, digest: str) -> RecordingCheckpoint:
        """Return the folder of the recording with this digest.

        Those that nobody came back for are deleted.
        """
        above = home / CHECKPOINTS_FOLDER
        with files.explained(above, TranscriptError):
            above.mkdir(parents=True, exist_ok=True)
        for folder in above.iterdir():
            with suppress(OSError):
                if folder.name != digest and time.time() - folder.stat().st_mtime > ABANDONED_S:
                    shutil.rmtree(folder, ignore_errors=True)
        return cls(above / digest)

    def save_sound(self, blocks: Iterable[bytes], warnings: list[str]) -> NDArray[np.int16]:
        """Write the samples, complete or not at all, with the warnings that came with them.

        Return them.

        Raises: TranscriptError if the disk is full.
        """
        with files.explained(self._sound, TranscriptError):
            self.folder.mkdir(exist_ok=True)
            with replacing(self._sound) as part:
                with part.open("wb") as file:
                    for block in blocks:
                        file.write(block)
                files.write(self._warnings, json.dumps(warnings), error=TranscriptError)
        return self._mapped()

    def sound(self) -> NDArray[np.int16] | None:
        """Return the samples, mapped and not read; None if they are not there."""
        return self._mapped() if self._sound.is_file() else None

    def warnings(self) -> list[str]:
        """Return what was wrong with the sound."""
        return json.loads(self._warnings.read_text("utf-8"))

    def finish(
        self,
        key: str,
        words: Sequence[Word],
        speakers: Sequence[str | None],
        warnings: Sequence[str],
    ) -> FinishedTranscription:
        """Keep and return all that was heard; the samples go."""
        whole = {
            "words": [asdict(word) for word in words],
            "speakers": list(speakers),
            "warnings": list(warnings),
        }
        files.write(self._finished(key), json.dumps(whole), error=TranscriptError)
        self._sound.unlink(missing_ok=True)
        (self.folder / f"{key}.jsonl").unlink(missing_ok=True)
        return tuple(words), tuple(speakers), tuple(warnings)

    def finished(self, key: str) -> FinishedTranscription | None:
        """Return all that was heard, None if the recording was not heard to its end."""
        if not self._finished(key).is_file():
            return None
        whole = json.loads(self._finished(key).read_text("utf-8"))
        return (
            tuple(Word(**word) for word in whole["words"]),
            tuple(whole["speakers"]),
            tuple(whole["warnings"]),
        )

    def add(self, key: str, begin: int, end: int, words: Iterable[Word]) -> None:
        """Add the words between two samples, and wait until they are on the disk."""
        row = json.dumps({"begin": begin, "end": end, "words": [asdict(word) for word in words]})
        path = self.folder / f"{key}.jsonl"
        with files.explained(path, TranscriptError), path.open("a+b") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(size - 1, 0))
            torn = size and file.read() != b"\n"  # a line that a kill has cut
            file.write(b"\n" * bool(torn) + row.encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def words(self, key: str) -> tuple[int, list[Word]]:
        """Return the sample up to which words were found by this model, and the words."""
        done = 0
        found = []
        for row in self._rows(key):
            if row["begin"] == done:
                done = row["end"]
                found += [Word(**word) for word in row["words"]]
        return done, found

    def _rows(self, key: str) -> Iterator[dict]:
        with suppress(FileNotFoundError):
            for line in (self.folder / f"{key}.jsonl").read_text("utf-8").splitlines():
                with suppress(ValueError):  # cut by a kill
                    yield json.loads(line)

    @property
    def _sound(self) -> Path:
        return self.folder / "sound.s16"

    @property
    def _warnings(self) -> Path:
        return self.folder / "warnings.json"

    def _finished(self, key: str) -> Path:
        return self.folder / f"{key}.json"

    def _mapped(self) -> NDArray[np.int16]:
        empty = not self._sound.stat().st_size
        return np.zeros(0, np.int16) if empty else np.memmap(self._sound, np.int16, "r")


def cache_key(*parts: str) -> str:
    """Return the name under which words are kept, by model and hot words."""
    return hashlib.sha256(repr((_WORDS_VERSION, *parts)).encode()).hexdigest()[:16]


def delete_checkpoint(home: Path, digest: str) -> None:
    """Delete what is kept of a recording."""
    shutil.rmtree(home / CHECKPOINTS_FOLDER / digest, ignore_errors=True)
