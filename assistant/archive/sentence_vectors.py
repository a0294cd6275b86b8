"""The vectors of everything said.

One file beside the index, in half precision, which all readers map.

It lies in a folder named by the model that made it. ``rows.json`` lists which transcript is where;
it is replaced in one step once its vectors are on the disk, so what a killed process has appended
behind the last of them is not seen and overwritten by the next. The vectors can always be made
again from the transcripts: the folder may be deleted.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assistant.archive.archive_store import Entry
from assistant.archive.tables import MOST_SENTENCES
from assistant.claims.index_manifest import sole_writer
from assistant.core.errors import ClaimIndexError
from assistant.core.files import explained
from features.models.atomic_write import replacing
from features.similarity import nearest

FOLDER = "archive"
ROWS = "rows.json"
FIRST = "000001.f16"
BLOCK = 16_384  # rows that are turned into single precision at a time
Half = NDArray[np.float16]
Single = NDArray[np.float32]
Ids = NDArray[np.int64]
Place = tuple[int, str, int, int]  # number and digest of a transcript, its first row, how many


@dataclass(frozen=True, slots=True)
class Spoken:
    """Everything said: ids (n,) of sentences, and their vectors (n, d), mapped."""

    ids: Ids
    vectors: Half

    def nearest(
        self, vector: Single, most: int, among: Ids | None = None
    ) -> list[tuple[int, float]]:
        """Return the sentences nearest to a vector, ids and cosines, nearest first.

        ``among``: only some of them.
        """
        ids = self.ids
        vectors = self.vectors
        if among is not None:
            rows = np.flatnonzero(np.isin(ids, among))
            ids = ids[rows]
            vectors = vectors[rows]
        if not len(ids):
            return []
        rows, cosines = nearest.of_halves(vectors, vector, min(most, len(ids)))
        return list(zip(ids[rows].tolist(), cosines.tolist(), strict=True))

    def of(self, ids: Sequence[int]) -> Single:
        """Return the vectors of some sentences that are there, (k, d)."""
        order = np.argsort(self.ids)
        return self.vectors[order[np.searchsorted(self.ids, ids, sorter=order)]].astype(np.float32)

    def near(self, vectors: Single, least: float) -> list[tuple[int, int, float]]:
        """Return the pairs of some vectors (m, d) and sentences with at least this cosine.

        (row, id, cosine).
        """
        found = []
        for start in range(0, len(self.ids), BLOCK):
            cosines = self.vectors[start : start + BLOCK].astype(np.float32) @ vectors.T  # (b, m)
            for row, column in zip(*np.nonzero(cosines >= least), strict=True):
                found.append((int(column), int(self.ids[start + row]), float(cosines[row, column])))
        return found


@dataclass(frozen=True, slots=True)
class _Listed:
    """What ``rows.json`` says: the file, the number of dimensions, and which transcript is where."""

    file: str
    width: int
    places: list[Place]


@dataclass(frozen=True, slots=True)
class Vectors:
    """The vectors of one model, in its folder."""

    folder: Path

    @classmethod
    def of(cls, home: Path, model: str) -> Vectors:
        """Return the vectors of a home folder that a model has made."""
        return cls(home / FOLDER / hashlib.sha256(model.encode()).hexdigest()[:16])

    def add(self, entry: Entry, vectors: Half) -> None:
        """Append the vectors of a transcript, (n, d). Only for the one process that writes.

        Raises: ClaimIndexError if the disk refuses.
        """
        listed = self._listed()
        width = vectors.shape[1]
        with explained(self.folder, ClaimIndexError):
            self.folder.mkdir(parents=True, exist_ok=True)
            with (self.folder / listed.file).open("ab") as file:
                start = -(
                    -file.tell() // (2 * width)
                )  # behind what a killed process has left, which readers may map
                file.truncate(2 * width * start)
                file.write(np.ascontiguousarray(vectors, np.float16).tobytes())
                file.flush()
                os.fsync(file.fileno())
        kept = [place for place in listed.places if place[0] != entry.id]
        self._write(
            _Listed(listed.file, width, [*kept, (entry.id, entry.digest, start, len(vectors))])
        )

    def missing(self, entries: Iterable[Entry]) -> list[Entry]:
        """Return the transcripts whose vectors are not there."""
        there = {(number, digest) for number, digest, *_ in self._listed().places}
        return [entry for entry in entries if (entry.id, entry.digest) not in there]

    def keep(self, entries: Iterable[Entry]) -> None:
        """Write the file anew without what belongs to no transcript any more, if there is such.

        Only for the writer.
        """
        listed = self._listed()
        wanted = {(entry.id, entry.digest) for entry in entries}
        kept = [place for place in listed.places if place[:2] in wanted]
        path = self.folder / listed.file
        rows = sum(n for *_, n in kept)
        if not path.is_file() or path.stat().st_size == 2 * listed.width * rows:
            return
        newer = f"{int(path.stem) + 1:06}.f16"
        vectors = self._map(listed)
        moved = list[Place]()
        with (
            explained(self.folder, ClaimIndexError),
            replacing(self.folder / newer) as part,
            part.open("wb") as file,
        ):
            for number, digest, start, n in kept:
                moved.append((number, digest, file.tell() // (2 * listed.width), n))
                file.write(vectors[start : start + n].tobytes())
        self._write(_Listed(newer, listed.width, moved))
        path.unlink(missing_ok=True)

    def open(self) -> Spoken:
        """Return everything said that has vectors now."""
        listed = self._listed()
        places = sorted(listed.places, key=lambda place: place[2])
        vectors = self._map(listed)
        if not places:
            return Spoken(np.zeros(0, np.int64), vectors)
        ids = np.concatenate(
            [number * MOST_SENTENCES + np.arange(1, n + 1) for number, _, _, n in places]
        )
        rows = np.concatenate([np.arange(start, start + n) for *_, start, n in places])
        whole = len(rows) == len(
            vectors
        )  # else some rows are of transcripts that have gone or changed
        return Spoken(ids, vectors if whole else vectors[rows])

    def _map(self, listed: _Listed) -> Half:
        end = max((start + n for *_, start, n in listed.places), default=0)
        if not end:
            return np.zeros((0, listed.width), np.float16)
        return np.memmap(self.folder / listed.file, np.float16, "r", shape=(end, listed.width))

    def _listed(self) -> _Listed:
        try:
            row = json.loads((self.folder / ROWS).read_text("utf-8"))
            return _Listed(row["file"], row["width"], [tuple(place) for place in row["places"]])
        except (
            FileNotFoundError,
            ValueError,
            KeyError,
        ):  # nothing yet, or damaged: made again from the transcripts
            return _Listed(FIRST, 0, [])

    def _write(self, listed: _Listed) -> None:
        with explained(self.folder, ClaimIndexError), replacing(self.folder / ROWS) as part:
            part.write_text(json.dumps(asdict(listed)), "utf-8")


def forget_all_but(home: Path, entries: Sequence[Entry]) -> None:
    """Remove what belongs to no transcript of the archive any more, whatever model made it.

    Raises: IndexBusy if a run is on its way in this home folder.
    """
    folder = home / FOLDER
    if folder.is_dir():
        with sole_writer(folder):
            for path in folder.glob(f"*/{ROWS}"):
                Vectors(path.parent).keep(entries)
