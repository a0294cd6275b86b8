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

from assistant.archive.archive_store import ArchivedTranscript
from assistant.archive.tables import MOST_SENTENCES
from assistant.claims.index_manifest import sole_writer
from assistant.core.errors import ClaimIndexError
from assistant.core.files import explained
from features.models.atomic_write import replacing
from features.similarity import nearest

FOLDER = "archive"
ROWS_FILE = "rows.json"
FIRST_FILE = "000001.f16"
ROWS_PER_BLOCK = 16_384  # rows that are turned into single precision at a time
HalfVectors = NDArray[np.float16]
FloatVectors = NDArray[np.float32]
SentenceIds = NDArray[np.int64]
TranscriptRows = tuple[
    int, str, int, int
]  # number and digest of a transcript, its first row, how many


@dataclass(frozen=True, slots=True)
class SentenceVectors:
    """Everything said: ids (n,) of sentences, and their vectors (n, d), mapped."""

    ids: SentenceIds
    vectors: HalfVectors

    def nearest(
        self, vector: FloatVectors, count: int, among: SentenceIds | None = None
    ) -> list[tuple[int, float]]:
        """Return the sentences nearest to a vector, ids and cosines, nearest first.

        ``among``: only some of them.
        """
        ids = self.ids
        vectors = self.vectors
        if among is not None:
            # The rows of the sentences that may be found, (k,).
            rows = np.flatnonzero(np.isin(ids, among))
            ids = ids[rows]
            vectors = vectors[rows]
        if not len(ids):
            return []
        rows, cosines = nearest.of_halves(vectors, vector, min(count, len(ids)))
        return list(zip(ids[rows].tolist(), cosines.tolist(), strict=True))

    def of(self, ids: Sequence[int]) -> FloatVectors:
        """Return the vectors of some sentences that are there, (k, d)."""
        # A binary search needs rising ids: search through their order, then look the rows up by
        # it.
        order = np.argsort(self.ids)
        return self.vectors[order[np.searchsorted(self.ids, ids, sorter=order)]].astype(np.float32)

    def near(self, vectors: FloatVectors, least_cosine: float) -> list[tuple[int, int, float]]:
        """Return the pairs of some vectors (m, d) and sentences with at least this cosine.

        (row, id, cosine).
        """
        pairs = []
        for start in range(0, len(self.ids), ROWS_PER_BLOCK):
            cosines = (
                self.vectors[start : start + ROWS_PER_BLOCK].astype(np.float32) @ vectors.T
            )  # (b, m)
            for row, column in zip(*np.nonzero(cosines >= least_cosine), strict=True):
                pairs.append((int(column), int(self.ids[start + row]), float(cosines[row, column])))
        return pairs


@dataclass(frozen=True, slots=True)
class _VectorRows:
    """What ``rows.json`` says: the file, the number of dimensions, and which transcript is where."""

    file: str
    width: int
    places: list[TranscriptRows]


@dataclass(frozen=True, slots=True)
class VectorFolder:
    """The vectors of one model, in its folder."""

    folder: Path

    @classmethod
    def of(cls, home: Path, model: str) -> VectorFolder:
        """Return the vectors of a home folder that a model has made."""
        return cls(home / FOLDER / hashlib.sha256(model.encode()).hexdigest()[:16])

    def add(self, entry: ArchivedTranscript, vectors: HalfVectors) -> None:
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
        other_rows = [
            transcript_rows for transcript_rows in listed.places if transcript_rows[0] != entry.id
        ]
        self._write(
            _VectorRows(
                listed.file, width, [*other_rows, (entry.id, entry.digest, start, len(vectors))]
            )
        )

    def missing(self, entries: Iterable[ArchivedTranscript]) -> list[ArchivedTranscript]:
        """Return the transcripts whose vectors are not there."""
        stored = {(transcript_id, digest) for transcript_id, digest, *_ in self._listed().places}
        return [entry for entry in entries if (entry.id, entry.digest) not in stored]

    def keep(self, entries: Iterable[ArchivedTranscript]) -> None:
        """Write the file anew without what belongs to no transcript any more, if there is such.

        Only for the writer.
        """
        listed = self._listed()
        current = {(entry.id, entry.digest) for entry in entries}
        kept_rows = [
            transcript_rows for transcript_rows in listed.places if transcript_rows[:2] in current
        ]
        path = self.folder / listed.file
        row_count = sum(count for *_, count in kept_rows)
        if not path.is_file() or path.stat().st_size == 2 * listed.width * row_count:
            return
        new_name = f"{int(path.stem) + 1:06}.f16"
        vectors = self._map(listed)
        moved_rows = list[TranscriptRows]()
        with (
            explained(self.folder, ClaimIndexError),
            replacing(self.folder / new_name) as new_path,
            new_path.open("wb") as file,
        ):
            for transcript_id, digest, start, count in kept_rows:
                moved_rows.append((transcript_id, digest, file.tell() // (2 * listed.width), count))
                file.write(vectors[start : start + count].tobytes())
        self._write(_VectorRows(new_name, listed.width, moved_rows))
        path.unlink(missing_ok=True)

    def open(self) -> SentenceVectors:
        """Return everything said that has vectors now."""
        listed = self._listed()
        in_file_order = sorted(listed.places, key=lambda transcript_rows: transcript_rows[2])
        vectors = self._map(listed)
        if not in_file_order:
            return SentenceVectors(np.zeros(0, np.int64), vectors)
        sentence_ids = np.concatenate(
            [
                transcript_id * MOST_SENTENCES + np.arange(1, count + 1)
                for transcript_id, _, _, count in in_file_order
            ]
        )
        rows = np.concatenate(
            [np.arange(start, start + count) for *_, start, count in in_file_order]
        )
        whole = len(rows) == len(
            vectors
        )  # else some rows are of transcripts that have gone or changed
        return SentenceVectors(sentence_ids, vectors if whole else vectors[rows])

    def _map(self, listed: _VectorRows) -> HalfVectors:
        end = max((start + count for *_, start, count in listed.places), default=0)
        if not end:
            return np.zeros((0, listed.width), np.float16)
        return np.memmap(self.folder / listed.file, np.float16, "r", shape=(end, listed.width))

    def _listed(self) -> _VectorRows:
        try:
            stored = json.loads((self.folder / ROWS_FILE).read_text("utf-8"))
            return _VectorRows(
                stored["file"],
                stored["width"],
                [tuple(transcript_rows) for transcript_rows in stored["places"]],
            )
        except (
            FileNotFoundError,
            ValueError,
            KeyError,
        ):  # nothing yet, or damaged: made again from the transcripts
            return _VectorRows(FIRST_FILE, 0, [])

    def _write(self, listed: _VectorRows) -> None:
        with (
            explained(self.folder, ClaimIndexError),
            replacing(self.folder / ROWS_FILE) as new_path,
        ):
            new_path.write_text(json.dumps(asdict(listed)), "utf-8")


def forget_all_but(home: Path, entries: Sequence[ArchivedTranscript]) -> None:
    """Remove what belongs to no transcript of the archive any more, whatever model made it.

    Raises: IndexBusy if a run is on its way in this home folder.
    """
    folder = home / FOLDER
    if folder.is_dir():
        with sole_writer(folder):
            for path in folder.glob(f"*/{ROWS_FILE}"):
                VectorFolder(path.parent).keep(entries)
