"""Sound of a stream on the disk that is not final yet, so that a kill loses none of it."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import dataclass
from pathlib import Path

from assistant.core import files
from assistant.core.errors import SettingsError
from assistant.transcription.decoding import BYTES_PER_SAMPLE, SAMPLE_RATE_HZ

FILE_S = 10


@dataclass(frozen=True)
class SoundBuffer:
    """Sound in files of ten seconds, whose names say at which sample they begin."""

    folder: Path

    @classmethod
    def of(cls, home: Path, address: str) -> SoundBuffer:
        """Return the buffer for the sound of an address."""
        return cls(home / "live_sound" / hashlib.sha256(address.encode()).hexdigest()[:16])

    def add(self, first_sample: int, data: bytes) -> None:
        """Add samples that begin at a sample. Raises: SettingsError if the disk is full."""
        # The name of a file is the number of its first sample, so the newest file is the last.
        path = max(self._files(), default=None)
        full_size = FILE_S * SAMPLE_RATE_HZ * BYTES_PER_SAMPLE
        if path is None or path.stat().st_size >= full_size:
            path = self.folder / f"{first_sample:015}.s16"
        with files.explained(path, SettingsError):
            self.folder.mkdir(parents=True, exist_ok=True)
            with path.open("ab") as file:
                file.write(data)

    def parts(self) -> list[tuple[int, bytes]]:
        """Return what is there: the sample at which each part begins, and its bytes."""
        return [(int(path.stem), path.read_bytes()) for path in sorted(self._files())]

    def since(self, first_sample: int) -> bytes:
        """Return what is there from a sample on."""
        blocks = []
        for path in sorted(self._files()):
            file_start, sample_count = _first_sample_and_length(path)
            if file_start + sample_count > first_sample:
                samples_to_skip = max(first_sample - file_start, 0)
                with path.open("rb") as file:
                    file.seek(samples_to_skip * BYTES_PER_SAMPLE)
                    blocks.append(file.read())
        return b"".join(blocks)

    @property
    def end(self) -> int:
        """Return the sample after the last that is there, 0 if there is none."""
        newest_file = max(self._files(), default=None)
        if newest_file is None:
            return 0
        file_start, sample_count = _first_sample_and_length(newest_file)
        return file_start + sample_count

    @property
    def length(self) -> int:
        """Return how many samples are there."""
        return sum(_first_sample_and_length(path)[1] for path in self._files())

    def delete_before(self, second: float) -> None:
        """Delete what ends before a second."""
        for path in self._files():
            file_start, sample_count = _first_sample_and_length(path)
            if file_start + sample_count <= second * SAMPLE_RATE_HZ:
                path.unlink()

    def close(self) -> None:
        """Note that no more sound will come."""
        files.write(self._end_marker, b"", error=SettingsError)

    def open(self) -> None:
        """Note that sound may come. Raises: SettingsError if the folder cannot be made."""
        with files.explained(self.folder, SettingsError):
            self.folder.mkdir(parents=True, exist_ok=True)
        self._end_marker.unlink(missing_ok=True)

    @property
    def is_over(self) -> bool:
        """Return whether no more sound will come."""
        return self._end_marker.exists()

    def forget(self) -> None:
        """Delete all sound, wherever it ends."""
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def _end_marker(self) -> Path:
        return self.folder / "over"

    def _files(self) -> list[Path]:
        return list(self.folder.glob("*.s16"))


def _first_sample_and_length(path: Path) -> tuple[int, int]:
    """Return the first sample of a file and how many it has."""
    return int(path.stem), path.stat().st_size // BYTES_PER_SAMPLE
