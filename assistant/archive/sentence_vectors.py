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
import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

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
BYTES_PER_NUMBER = 2  # half precision


class TranscriptRows(NamedTuple):
    """The rows of a transcript in the file of vectors, one per sentence."""

    transcript_id: int
    digest: str
    first_row: int
    row_count: int

    @property
    def end_row(self) -> int:
        """Return the row behind its rows."""
        return self.first_row + self.row_count


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
            allowed_rows = np.flatnonzero(np.isin(ids, among))
            ids = ids[allowed_rows]
            vectors = vectors[allowed_rows]
        if not len(ids):
            return []
        # Row numbers and cosines of the nearest vectors, both (count,).
        nearest_rows, cosines = nearest.highest_in_half_precision(
            vectors, vector, min(count, len(ids))
        )
        return list(zip(ids[nearest_rows].tolist(), cosines.tolist(), strict=True))

    def of(self, ids: Sequence[int]) -> FloatVectors:
        """Return the vectors of some sentences that are there, (k, d)."""
        # A binary search needs rising ids: rows (n,) in the order of their ids, then the position
        # of each wanted id in that order, (k,).
        rows_by_id = np.argsort(self.ids)
        positions = np.searchsorted(self.ids, ids, sorter=rows_by_id)
        rows = rows_by_id[positions]
        return self.vectors[rows].astype(np.float32)

    def near(self, vectors: FloatVectors, least_cosine: float) -> list[tuple[int, int, float]]:
        """Return the pairs of some vectors (m, d) and sentences with at least this cosine.

        (row, id, cosine).
        """
        pairs = []
        for block_start in range(0, len(self.ids), ROWS_PER_BLOCK):
            # The cosines of a block of b sentences with the m vectors, (b, m).
            block = self.vectors[block_start : block_start + ROWS_PER_BLOCK].astype(np.float32)
            cosines = block @ vectors.T
            block_rows, vector_rows = np.nonzero(cosines >= least_cosine)
            for block_row, vector_row in zip(block_rows, vector_rows, strict=True):
                sentence_id = int(self.ids[block_start + block_row])
                cosine = float(cosines[block_row, vector_row])
                pairs.append((int(vector_row), sentence_id, cosine))
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
        stored_rows = self._read_rows()
        width = vectors.shape[1]
        bytes_per_row = BYTES_PER_NUMBER * width
        with explained(self.folder, ClaimIndexError):
            self.folder.mkdir(parents=True, exist_ok=True)
            with (self.folder / stored_rows.file).open("ab") as file:
                # A killed process may have left a row that is not whole, which readers may map:
                # the new rows begin at the next whole row.
                first_row = math.ceil(file.tell() / bytes_per_row)
                file.truncate(bytes_per_row * first_row)
                file.write(np.ascontiguousarray(vectors, np.float16).tobytes())
                file.flush()
                os.fsync(file.fileno())
        kept_rows = [rows for rows in stored_rows.places if rows.transcript_id != entry.id]
        new_rows = TranscriptRows(entry.id, entry.digest, first_row, len(vectors))
        self._write_rows(_VectorRows(stored_rows.file, width, [*kept_rows, new_rows]))

    def missing(self, entries: Iterable[ArchivedTranscript]) -> list[ArchivedTranscript]:
        """Return the transcripts whose vectors are not there."""
        stored = {(rows.transcript_id, rows.digest) for rows in self._read_rows().places}
        return [entry for entry in entries if (entry.id, entry.digest) not in stored]

    def keep(self, entries: Iterable[ArchivedTranscript]) -> None:
        """Write the file anew without what belongs to no transcript any more, if there is such.

        Only for the writer.
        """
        stored_rows = self._read_rows()
        current_texts = {(entry.id, entry.digest) for entry in entries}
        kept_rows = [
            rows
            for rows in stored_rows.places
            if (rows.transcript_id, rows.digest) in current_texts
        ]
        path = self.folder / stored_rows.file
        kept_row_count = sum(rows.row_count for rows in kept_rows)
        kept_bytes = BYTES_PER_NUMBER * stored_rows.width * kept_row_count
        if not path.is_file() or path.stat().st_size == kept_bytes:
            return

        # Readers may map the old file: the kept rows are copied into one with the next number.
        new_name = f"{int(path.stem) + 1:06}.f16"
        vectors = self._map_vectors(stored_rows)
        moved_rows = []
        next_row = 0
        with (
            explained(self.folder, ClaimIndexError),
            replacing(self.folder / new_name) as new_path,
            new_path.open("wb") as file,
        ):
            for rows in kept_rows:
                file.write(vectors[rows.first_row : rows.end_row].tobytes())
                moved_rows.append(rows._replace(first_row=next_row))
                next_row += rows.row_count
        self._write_rows(_VectorRows(new_name, stored_rows.width, moved_rows))
        path.unlink(missing_ok=True)

    def open(self) -> SentenceVectors:
        """Return everything said that has vectors now."""
        stored_rows = self._read_rows()
        vectors = self._map_vectors(stored_rows)
        if not stored_rows.places:
            return SentenceVectors(np.zeros(0, np.int64), vectors)

        # The ids of the sentences of each transcript and the rows of their vectors in the file;
        # together both (n,). An id is made of the transcript's id and the sentence's number.
        ids_by_transcript = []
        rows_by_transcript = []
        for rows in sorted(stored_rows.places, key=lambda rows: rows.first_row):
            numbers = np.arange(1, rows.row_count + 1)
            ids_by_transcript.append(rows.transcript_id * MOST_SENTENCES + numbers)
            rows_by_transcript.append(np.arange(rows.first_row, rows.end_row))
        sentence_ids = np.concatenate(ids_by_transcript)
        file_rows = np.concatenate(rows_by_transcript)
        # Other rows of the file are of transcripts that have gone or changed. Without such rows
        # the mapped file is used as it is, not copied into memory.
        if len(file_rows) < len(vectors):
            vectors = vectors[file_rows]
        return SentenceVectors(sentence_ids, vectors)

    def _map_vectors(self, stored: _VectorRows) -> HalfVectors:
        row_count = max((rows.end_row for rows in stored.places), default=0)
        if not row_count:
            return np.zeros((0, stored.width), np.float16)
        shape = (row_count, stored.width)
        return np.memmap(self.folder / stored.file, np.float16, "r", shape=shape)

    def _read_rows(self) -> _VectorRows:
        try:
            values = json.loads((self.folder / ROWS_FILE).read_text("utf-8"))
            places = [TranscriptRows(*row_values) for row_values in values["places"]]
            return _VectorRows(values["file"], values["width"], places)
        except (FileNotFoundError, ValueError, KeyError):
            # Nothing is stored yet, or it is damaged: made again from the transcripts.
            return _VectorRows(FIRST_FILE, 0, [])

    def _write_rows(self, rows: _VectorRows) -> None:
        values = {"file": rows.file, "width": rows.width, "places": rows.places}
        with (
            explained(self.folder, ClaimIndexError),
            replacing(self.folder / ROWS_FILE) as new_path,
        ):
            new_path.write_text(json.dumps(values), "utf-8")


def forget_all_but(home: Path, entries: Sequence[ArchivedTranscript]) -> None:
    """Remove what belongs to no transcript of the archive any more, whatever model made it.

    Raises: IndexBusy if a run is on its way in this home folder.
    """
    folder = home / FOLDER
    if folder.is_dir():
        with sole_writer(folder):
            for path in folder.glob(f"*/{ROWS_FILE}"):
                VectorFolder(path.parent).keep(entries)
