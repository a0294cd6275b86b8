"""Merging of the claim index's segments.

Many small ones become a large one, so that opening and searching stay quick.

Arrays are copied from file to file a piece at a time: what is in memory does not grow with the
index, but for the words of one field. A reader that has a merged segment's former parts open keeps
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assistant.claims import index_manifest, index_segment
from assistant.claims.index_columns import Array
from assistant.claims.index_manifest import Manifest
from assistant.claims.index_segment import FIELDS, Segment
from assistant.core.files import filling
from features.similarity import bm25

MANY = 8  # segments: more are merged, but for those that have a quarter of all claims
SHARE = 4
PIECE = 16_384  # rows that are copied at a time
Rows = NDArray[np.int64]
Part = tuple[Segment, Rows]  # a segment and those of its rows that are not dead


def merged(home: Path, manifest: Manifest) -> Manifest:
    """Return the manifest after small segments became one.

    The same if they are few or articles are missing.
    """
    parts = dict(zip(manifest.segments, index_manifest.read_segments(home, manifest), strict=True))
    large = sum(map(len, parts.values())) // SHARE
    small = [
        name
        for name, part in parts.items()
        if len(part) < max(large, 1) and not part.blocks_missing()
    ]
    if len(small) <= MANY:
        return manifest
    name = f"{manifest.made + 1:06}"
    chosen = [
        (parts[n], np.delete(np.arange(len(parts[n])), list(manifest.segments[n]))) for n in small
    ]
    with filling(home / name) as folder:
        for file, pieces in _arrays(chosen):
            if pieces:
                _write(folder / f"{file}.npy", pieces)
    left = {n: dead for n, dead in manifest.segments.items() if n not in small}
    manifest = replace(manifest, segments={**left, name: ()}, made=manifest.made + 1)
    index_manifest.write_manifest(home, manifest)
    return manifest


def _arrays(parts: Sequence[Part]) -> Iterator[tuple[str, list[tuple[Array, Rows]]]]:
    """Yield name, arrays and their rows for each file of the merged segment."""
    for name in ("days", "classes"):
        yield name, [(getattr(part, name), rows) for part, rows in parts]
    for name, width in (("texts", len(FIELDS)), ("bodies", 1)):
        texts = [(getattr(part, name), _within(rows, width)) for part, rows in parts]
        yield from _joined(
            name, f"{name}-starts", [(text.data, text.starts, rows) for text, rows in texts]
        )
    yield from _joined(
        "spans", "span_starts", [(part.spans, part.span_starts, rows) for part, rows in parts]
    )
    yield from _joined(
        "states", "state_starts", [(part.states, part.state_starts, rows) for part, rows in parts]
    )
    for family in _complete(parts):
        vectors = [(part, _items(part.span_starts, rows)) for part, rows in parts]
        blocks = [block for part, rows in vectors for block in _blocks(part, family, rows)]
        yield f"articles-{family}-all", blocks
    for name in parts[0][0].vectors:
        yield from _filled(name, parts)
    for field in index_segment.SEARCHED:
        counts = bm25.merge([_counts(part.counts[field], rows) for part, rows in parts])
        for name in index_segment._COUNTS:
            array = getattr(counts, name)
            yield f"bm25-{field}-{name}", [(array, np.arange(len(array)))]


def _complete(parts: Sequence[Part]) -> list[str]:
    """Return the names of the article vectors that every segment has for all its articles."""
    names = dict.fromkeys(family for part, _ in parts for family, _ in part.articles)
    return [name for name in names if not any(part.blocks_missing([name]) for part, _ in parts)]


def _joined(
    name: str, starts: str, parts: Sequence[tuple[Array, Array, Rows]]
) -> Iterator[tuple[str, list]]:
    """Yield the items of some rows, and where those of each row begin."""
    yield name, [(items, _items(firsts, rows)) for items, firsts, rows in parts]
    lengths = np.concatenate(
        [np.zeros(1, np.int64), *(np.diff(firsts)[rows] for _, firsts, rows in parts)]
    )
    yield starts, [(np.cumsum(lengths), np.arange(len(lengths)))]


def _filled(name: str, parts: Sequence[Part]) -> Iterator[tuple[str, list]]:
    """Yield the vectors of the rows that have a text, and those rows."""
    firsts = np.cumsum([0, *(len(rows) for _, rows in parts)])
    places = []
    vectors = []
    for (part, rows), first in zip(parts, firsts, strict=False):
        filled = part.vectors[name]
        kept = np.flatnonzero(np.isin(filled.rows, rows))
        places.append((first + np.searchsorted(rows, filled.rows[kept])).astype(np.int32))
        vectors.append((filled.vectors, kept))
    joined = np.concatenate(places)
    yield f"rows-{name}", [(joined, np.arange(len(joined)))]
    yield f"vectors-{name}", vectors


def _blocks(part: Segment, family: str, items: Rows) -> Iterator[tuple[Array, Rows]]:
    """Yield the article vectors of a segment, block by block, and those of their rows that are among the items."""
    first = 0
    for (_, _), block in sorted(
        (key, block) for key, block in part.articles.items() if key[0] == family
    ):
        mine = items[(items >= first) & (items < first + len(block))] - first
        yield block, mine
        first += len(block)


def _items(starts: Array, rows: Rows) -> Rows:
    """Return the places of the items of some rows."""
    lengths = (starts[rows + 1] - starts[rows]).astype(np.int64)
    shift = (
        np.repeat(starts[rows] - np.concatenate(([0], np.cumsum(lengths)[:-1])), lengths)
        if len(rows)
        else 0
    )
    return np.arange(lengths.sum()) + shift


def _within(rows: Rows, width: int) -> Rows:
    """Return the places of the texts of some claims that have ``width`` texts each."""
    return (rows[:, None] * width + np.arange(width)).ravel()


def _counts(counts: bm25.Counts, rows: Rows) -> bm25.Counts:
    return counts if len(rows) == len(counts) else bm25.take(counts, rows)


def _write(path: Path, pieces: Sequence[tuple[Array, Rows]]) -> None:
    """Write the rows of some arrays as one file."""
    filled = [array for array, rows in pieces if len(rows)] or [array for array, _ in pieces]
    shape = (sum(len(rows) for _, rows in pieces), *filled[0].shape[1:])
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(
            file,
            {
                "descr": np.lib.format.dtype_to_descr(filled[0].dtype),
                "fortran_order": False,
                "shape": shape,
            },
        )
        for array, rows in pieces:
            for start in range(0, len(rows), PIECE):
                file.write(np.ascontiguousarray(array[rows[start : start + PIECE]]).data)
