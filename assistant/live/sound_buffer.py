"""Sound of a stream on the disk that is not final yet, so that a kill loses none of it."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import dataclass
from pathlib import Path

from assistant.core import files
from assistant.core.errors import SettingsError
from assistant.transcription.decoding import BYTES_PER_SAMPLE, SAMPLE_RATE_HZ

SPOOL_S = 10


@dataclass(frozen=True)
class Spool:
    """Sound in files of ten seconds, whose names say at which sample they begin."""

    folder: Path

    @classmethod
    def of(cls, home: Path, address: str) -> Spool:
        """Return the spool of what is heard at an address."""
        return cls(home / "live_sound" / hashlib.sha256(address.encode()).hexdigest()[:16])

    def add(self, first: int, data: bytes) -> None:
        """Add samples that begin at a sample. Raises: SettingsError if the disk is full."""
        last = max(self._files(), default=None)
        if last is None or last.stat().st_size >= SPOOL_S * SAMPLE_RATE_HZ * BYTES_PER_SAMPLE:
            last = self.folder / f"{first:015}.s16"
        with files.explained(last, SettingsError):
            self.folder.mkdir(parents=True, exist_ok=True)
            with last.open("ab") as file:
                file.write(data)

    def parts(self) -> list[tuple[int, bytes]]:
        """Return what is there: the sample at which each part begins, and its bytes."""
        return [(int(path.stem), path.read_bytes()) for path in sorted(self._files())]

    def since(self, first: int) -> bytes:
        """Return what is there from a sample on."""
        found = []
        for path in sorted(self._files()):
            begin, size = _span(path)
            if begin + size > first:
                with path.open("rb") as file:
                    file.seek(max(first - begin, 0) * BYTES_PER_SAMPLE)
                    found.append(file.read())
        return b"".join(found)

    @property
    def end(self) -> int:
        """Return the sample after the last that is there, 0 if there is none."""
        last = max(self._files(), default=None)
        return sum(_span(last)) if last else 0

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
