"""Columns of the claim index: texts and vectors by position.

They are read from memory-mapped files, and only the rows that are used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from features.models.model_spec import Floats
from features.similarity.nearest import Codes

Array = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class TextColumn:
    """Texts one after the other as UTF-8 ``data`` (bytes,).

    Text i begins at ``starts[i]``, (k + 1,).
    """

    data: NDArray[np.uint8]
    starts: NDArray[np.int64]

    @classmethod
    def from_texts(cls, texts: Iterable[str]) -> TextColumn:
        """Build a column of texts.

        A lone surrogate, from a broken file, becomes a question mark.
        """
        encoded = [text.encode("utf-8", "replace") for text in texts]
        return cls(np.frombuffer(b"".join(encoded), np.uint8), start_offsets(encoded))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, i: int) -> str:
        return self.data[self.starts[i] : self.starts[i + 1]].tobytes().decode("utf-8")

    def every_nth(self, first: int, step: int) -> list[str]:
        """Return every ``step``-th text, from number ``first`` on; faster than one by one."""
        data = self.data.data
        begins = self.starts[first:-1:step].tolist()
        ends = self.starts[first + 1 :: step].tolist()
        return [str(data[begin:end], "utf-8") for begin, end in zip(begins, ends, strict=True)]


def start_offsets(items: Iterable[Any]) -> NDArray[np.int64]:
    """Return the offset of each item when they are joined, then the end of the last, (k + 1,)."""
    lengths = [len(item) for item in items]
    return np.cumsum([0, *lengths], dtype=np.int64)


class LazyColumn(Sequence[Any]):
    """A field of the claims by position, (m,). Equal to any sequence with the same values."""

    def __init__(self, size: int, value_at: Callable[[int], Any]) -> None:
        self._size = size
        self._value_at = value_at

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, i: int) -> Any: ...
    @overload
    def __getitem__(self, i: slice) -> tuple[Any, ...]: ...
    def __getitem__(self, i: int | slice) -> Any:
        if isinstance(i, slice):
            return tuple(map(self._value_at, range(*i.indices(self._size))))
        if not -self._size <= i < self._size:
            raise IndexError(i)
        return self._value_at(int(i) % self._size)

    def __iter__(self) -> Iterator[Any]:
        return map(self._value_at, range(self._size))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = object.__hash__  # identity: computed values are cached by column


@dataclass(frozen=True, slots=True, eq=False)
class FieldVectors:
    """Vectors of the rows of a segment that have some field.

    ``row_numbers`` (k,) rise, ``vectors`` are (k, d), and ``codes`` shorten them if they are many.
    """

    row_numbers: NDArray[np.int32]
    vectors: Array
    codes: Codes | None = None


class ClaimVectors:
    """Unit vectors by position, (m, d) float32, zero for a missing text.

    Only the rows that an index selects are read from the files.
    """

    def __init__(
        self,
        field_vectors: Sequence[FieldVectors],
        segment_rows: NDArray[np.int32],
        default_width: Callable[[], int],
        lift: Callable[[Floats], Floats] | None = None,
    ) -> None:
        """Combine the vectors of several segments.

        ``field_vectors`` has one item per segment, ``segment_rows`` (m, 2) the segment and the row
        of each position. ``lift`` computes the vectors from the stored ones.
        """
        self._field_vectors = field_vectors
        self._segment_rows = segment_rows
        self._default_width = default_width
        self._lift = lift

    def __len__(self) -> int:
        return len(self._segment_rows)

    @cached_property
    def shape(self) -> tuple[int, int]:
        """Return (m, d)."""
        for stored in self._field_vectors:
            if len(stored.row_numbers) and stored.vectors.shape[1]:
                return len(self), stored.vectors.shape[1]
        return len(self), self._default_width()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.asarray(self[np.arange(len(self))], dtype)

    def __getitem__(self, index: Any) -> Floats:
        positions = self._selected_positions(index)
        vectors = self._stored_vectors(positions.ravel())
        if self._lift is not None and len(vectors):
            vectors = self._lift(vectors)
        return vectors.reshape(*positions.shape, self.shape[1])

    def _selected_positions(self, selection: Any) -> Array:
        """Return the positions that a slice, a mask, a number or numbers of any shape select."""
        if isinstance(selection, slice):
            return np.arange(len(self))[selection]
        positions = np.asarray(selection)
        if positions.dtype == bool:
            return np.flatnonzero(positions)
        return positions

    def _stored_vectors(self, positions: Array) -> Floats:
        """Read the vectors (n, d) of some positions (n,), zero for a missing text."""
        selected_vectors = np.zeros((positions.size, self.shape[1]), np.float32)
        if not positions.size:
            return selected_vectors
        # The segment of each position and its row in that segment, both (k,).
        segment_numbers = self._segment_rows[positions, 0]
        row_numbers = self._segment_rows[positions, 1]
        for segment_number in np.unique(segment_numbers).tolist():
            segment_vectors = self._field_vectors[segment_number]
            if not len(segment_vectors.row_numbers):
                continue
            # The positions in this segment, (k,), and the rows that they have in it.
            positions_in_segment = np.flatnonzero(segment_numbers == segment_number)
            wanted_rows = row_numbers[positions_in_segment]
            # The rows that have a vector are sorted, so look the wanted ones up among them, (k,).
            vector_indices = np.searchsorted(segment_vectors.row_numbers, wanted_rows)
            vector_indices = np.minimum(vector_indices, len(segment_vectors.row_numbers) - 1)
            has_vector = segment_vectors.row_numbers[vector_indices] == wanted_rows
            selected_vectors[positions_in_segment[has_vector]] = segment_vectors.vectors[
                vector_indices[has_vector]
            ]
        return selected_vectors
