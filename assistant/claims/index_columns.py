"""Columns of the claim index.

Texts and vectors by position, read from mapped files only where they are used.
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
class Texts:
    """Texts one after the other as UTF-8 ``data`` (bytes,).

    Text i begins at ``starts[i]``, (k + 1,).
    """

    data: NDArray[np.uint8]
    starts: NDArray[np.int64]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Texts:
        """Return some texts as a column.

        Half a surrogate pair, from a broken file, becomes a question mark.
        """
        encoded = [text.encode("utf-8", "replace") for text in texts]
        return cls(np.frombuffer(b"".join(encoded), np.uint8), starts(encoded))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, i: int) -> str:
        return self.data[self.starts[i] : self.starts[i + 1]].tobytes().decode("utf-8")

    def every(self, first: int, step: int) -> list[str]:
        """Return every ``step``-th text from the ``first`` on, quickly."""
        data = self.data.data
        ends = self.starts[first + 1 :: step].tolist()
        return [
            str(data[a:b], "utf-8")
            for a, b in zip(self.starts[first:-1:step].tolist(), ends, strict=True)
        ]


def starts(parts: Iterable[Any]) -> NDArray[np.int64]:
    """Return where each of some parts begins when they are joined, and where the last ends, (k + 1,)."""
    return np.cumsum([0, *(len(part) for part in parts)], dtype=np.int64)


class Column(Sequence[Any]):
    """A field of the claims by position, (m,). Equal to any sequence with the same values."""

    def __init__(self, size: int, value: Callable[[int], Any]) -> None:
        self._size = size
        self._value = value

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, i: int) -> Any: ...
    @overload
    def __getitem__(self, i: slice) -> tuple[Any, ...]: ...
    def __getitem__(self, i: int | slice) -> Any:
        if isinstance(i, slice):
            return tuple(map(self._value, range(*i.indices(self._size))))
        if not -self._size <= i < self._size:
            raise IndexError(i)
        return self._value(int(i) % self._size)

    def __iter__(self) -> Iterator[Any]:
        return map(self._value, range(self._size))

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Sequence) and tuple(self) == tuple(other))

    __hash__ = object.__hash__  # by identity: what is computed from a column once is cached by it


@dataclass(frozen=True, slots=True, eq=False)
class Filled:
    """The vectors (k, d) of those rows of a segment that have a text, rising, and their codes where they are many."""

    rows: NDArray[np.int32]
    vectors: Array
    codes: Codes | None = None


class Vectors:
    """Unit vectors by position, (m, d) float32, zero where a text is missing.

    An index into it reads only those rows.

    ``places`` (m, 2) are segment and row of each position; ``lift`` turns the stored vectors into those wanted.
    """

    def __init__(
        self,
        parts: Sequence[Filled],
        places: NDArray[np.int32],
        width: Callable[[], int],
        lift: Callable[[Floats], Floats] | None = None,
    ) -> None:
        self._parts = parts
        self._places = places
        self._width = width
        self._lift = lift

    def __len__(self) -> int:
        return len(self._places)

    @cached_property
    def shape(self) -> tuple[int, int]:
        """Return (m, d)."""
        filled = (part.vectors.shape[1] for part in self._parts if len(part.rows))
        return len(self), next(filled, 0) or self._width()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.asarray(self[np.arange(len(self))], dtype)

    def __getitem__(self, positions: Any) -> Floats:
        wanted = (
            np.arange(len(self))[positions]
            if isinstance(positions, slice)
            else np.asarray(positions)
        )
        wanted = np.flatnonzero(wanted) if wanted.dtype == bool else wanted
        found = np.zeros((wanted.size, self.shape[1]), np.float32)
        segment, row = self._places[wanted.ravel()].T if wanted.size else (wanted, wanted)
        for p in np.unique(segment).tolist():
            part = self._parts[p]
            mine = np.flatnonzero(segment == p)
            if len(part.rows):
                place = np.minimum(np.searchsorted(part.rows, row[mine]), len(part.rows) - 1)
                there = part.rows[place] == row[mine]
                found[mine[there]] = part.vectors[place[there]]
        return (self._lift(found) if self._lift and len(found) else found).reshape(
            *wanted.shape, self.shape[1]
        )
