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
        """Return the spool of what is heard at an address."""
        return cls(home / "live_sound" / hashlib.sha256(address.encode()).hexdigest()[:16])

    def add(self, first_sample: int, data: bytes) -> None:
        """Add samples that begin at a sample. Raises: SettingsError if the disk is full."""
        newest_file = max(self._files(), default=None)
        if (
            newest_file is None
            or newest_file.stat().st_size >= FILE_S * SAMPLE_RATE_HZ * BYTES_PER_SAMPLE
        ):
            newest_file = self.folder / f"{first_sample:015}.s16"
        with files.explained(newest_file, SettingsError):
            self.folder.mkdir(parents=True, exist_ok=True)
            with newest_file.open("ab") as file:
                file.write(data)

    def parts(self) -> list[tuple[int, bytes]]:
        """Return what is there: the sample at which each part begins, and its bytes."""
        return [(int(path.stem), path.read_bytes()) for path in sorted(self._files())]

    def since(self, first_sample: int) -> bytes:
        """Return what is there from a sample on."""
        blocks = []
        for path in sorted(self._files()):
            begin, size = _span(path)
            if begin + size > first_sample:
                with path.open("rb") as file:
                    file.seek(max(first_sample - begin, 0) * BYTES_PER_SAMPLE)
                    blocks.append(file.read())
        return b"".join(blocks)

    @property
    def end(self) -> int:
        """Return the sample after the last that is there, 0 if there is none."""
        newest_file = max(self._files(), default=None)
        return sum(_span(newest_file)) if newest_file else 0

    @property
    def length(self) -> int:
        """Return how many samples are there."""
        return sum(_span(path)[1] for path in self._files())

    def leave(self, second: float) -> None:
        """Delete what ends before a second."""
        for path in self._files():
            if sum(_span(path)) <= second * SAMPLE_RATE_HZ:
                path.unlink()

    def close(self) -> None:
        """Note that no more sound will come."""
        files.write(self._over, b"", error=SettingsError)

    def open(self) -> None:
        """Note that sound may come. Raises: SettingsError if the folder cannot be made."""
        with files.explained(self.folder, SettingsError):
            self.folder.mkdir(parents=True, exist_ok=True)
        self._over.unlink(missing_ok=True)

    @property
    def is_over(self) -> bool:
        """Return whether no more sound will come."""
        return self._over.exists()

    def forget(self) -> None:
        """Delete all sound, wherever it ends."""
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def _over(self) -> Path:
        return self.folder / "over"

    def _files(self) -> list[Path]:
        return list(self.folder.glob("*.s16"))


def _span(path: Path) -> tuple[int, int]:
    """Return the first sample of a file and how many it has."""
    return int(path.stem), path.stat().st_size // BYTES_PER_SAMPLE
