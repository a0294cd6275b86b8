"""Merging of the claim index's segments.

Many small segments become a large one, so that opening and searching stay fast.

Arrays are copied from file to file a piece at a time: memory does not grow with the index, except
for the words of one field. A reader that has the former segments open keeps them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assistant.claims import index_manifest, index_segment
from assistant.claims.index_columns import Array
from assistant.claims.index_manifest import IndexManifest
from assistant.claims.index_segment import TEXT_FIELDS, Segment
from assistant.core.files import folder_to_fill
from features.similarity import bm25

MAX_SMALL_SEGMENTS = 8  # more of them are merged
LARGE_SEGMENT_DIVISOR = 4  # a segment with a quarter of all claims is large and is left alone
COPY_ROWS = 16_384  # rows that are copied at a time
RowNumbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _LiveRows:
    """A segment and the numbers of its rows that are not dead."""

    segment: Segment
    row_numbers: RowNumbers


@dataclass(frozen=True, slots=True)
class _Piece:
    """Rows to copy from an array."""

    array: Array
    row_numbers: RowNumbers


@dataclass(frozen=True, slots=True)
class _MergedFile:
    """A file of the merged segment: its name without suffix, and the pieces that it joins."""

    name: str
    pieces: list[_Piece]


def merge_small_segments(model_folder: Path, manifest: IndexManifest) -> IndexManifest:
    """Merge the small segments into one, and return the new manifest.

    The manifest stays the same if they are few or articles are missing.
    """
    segment_list = index_manifest.read_segments(model_folder, manifest)
    segments = dict(zip(manifest.segments, segment_list, strict=True))
    small_names = _small_segments(segments)
    if len(small_names) <= MAX_SMALL_SEGMENTS:
        return manifest

    # The manifest has the dead rows of each segment, whose claims were changed or deleted.
    live_segments = []
    for name in small_names:
        all_rows = np.arange(len(segments[name]))
        dead_rows_of_segment = list(manifest.segments[name])
        live_rows = np.delete(all_rows, dead_rows_of_segment)
        live_segments.append(_LiveRows(segments[name], live_rows))
    merged_number = manifest.made + 1
    merged_name = f"{merged_number:06}"
    with folder_to_fill(model_folder / merged_name) as folder:
        for file in _merged_files(live_segments):
            if file.pieces:
                _write_pieces(folder / f"{file.name}.npy", file.pieces)

    dead_rows_by_segment = {
        name: dead_rows for name, dead_rows in manifest.segments.items() if name not in small_names
    }
    dead_rows_by_segment[merged_name] = ()
    merged_manifest = replace(manifest, segments=dead_rows_by_segment, made=merged_number)
    index_manifest.write_manifest(model_folder, merged_manifest)
    return merged_manifest


def _small_segments(segments: dict[str, Segment]) -> list[str]:
    """Return the names of the complete segments that have less than a quarter of all claims."""
    claim_count = sum(len(segment) for segment in segments.values())
    min_large_size = max(claim_count // LARGE_SEGMENT_DIVISOR, 1)
    small_names = []
    for name, segment in segments.items():
        # A segment is complete once the vectors of all its articles are computed.
        is_complete = not segment.blocks_missing()
        if len(segment) < min_large_size and is_complete:
            small_names.append(name)
    return small_names


def _merged_files(live_segments: Sequence[_LiveRows]) -> Iterator[_MergedFile]:
    """Yield the files of the merged segment."""
    # Each array of the merged segment is written as the pieces that it gets from the old ones.
    # One item per claim.
    for name in ("days", "classes"):
        pieces = []
        for live_segment in live_segments:
            pieces.append(_Piece(getattr(live_segment.segment, name), live_segment.row_numbers))
        yield _MergedFile(name, pieces)
    # Several items per claim: beside them a file tells where the items of each claim begin.
    for name, texts_per_claim in (("texts", len(TEXT_FIELDS)), ("bodies", 1)):
        text_pieces = []
        text_starts = []
        for live_segment in live_segments:
            texts = getattr(live_segment.segment, name)
            text_numbers = _text_numbers(live_segment.row_numbers, texts_per_claim)
            text_pieces.append(_Piece(texts.data, text_numbers))
            text_starts.append(texts.starts)
        yield from _joined_items(name, f"{name}-starts", text_pieces, text_starts)
    for name, starts_name in (("spans", "span_starts"), ("states", "state_starts")):
        item_pieces = []
        item_starts = []
        for live_segment in live_segments:
            item_pieces.append(
                _Piece(getattr(live_segment.segment, name), live_segment.row_numbers)
            )
            item_starts.append(getattr(live_segment.segment, starts_name))
        yield from _joined_items(name, starts_name, item_pieces, item_starts)
    # The vectors of articles, of other fields, and the counts of words
    for family in _complete_families(live_segments):
        yield _MergedFile(f"articles-{family}-all", _article_pieces(live_segments, family))
    for name in live_segments[0].segment.vectors:
        yield from _field_vector_files(name, live_segments)
    for field in index_segment.SEARCHED_FIELDS:
        yield from _count_files(field, live_segments)


def _complete_families(live_segments: Sequence[_LiveRows]) -> list[str]:
    """Return the families of article vectors that every segment has for all its articles."""
    # A dict keeps each family once, in the order of the segments.
    families: dict[str, None] = {}
    for live_segment in live_segments:
        for family, _ in live_segment.segment.articles:
            families[family] = None

    def is_complete(family: str) -> bool:
        lacks_blocks = any(
            live_segment.segment.blocks_missing([family]) for live_segment in live_segments
        )
        return not lacks_blocks

    return [family for family in families if is_complete(family)]


def _joined_items(
    name: str, starts_name: str, pieces: Sequence[_Piece], starts_of_pieces: Sequence[Array]
) -> Iterator[_MergedFile]:
    """Yield the file of the items of some rows, and the file of the rows' start offsets.

    ``pieces`` have the items of a segment and its rows, ``starts_of_pieces`` their start offsets.
    """
    # A row has several items, such as the sentences of an article: those from its start offset up
    # to the start offset of the next row. So the start offsets of the merged rows are the running
    # sum of the numbers of items, from 0.
    item_pieces = []
    row_lengths = [np.zeros(1, np.int64)]
    for piece, start_offsets in zip(pieces, starts_of_pieces, strict=True):
        item_numbers = _item_numbers(start_offsets, piece.row_numbers)
        item_pieces.append(_Piece(piece.array, item_numbers))
        all_lengths = np.diff(start_offsets)
        row_lengths.append(all_lengths[piece.row_numbers])
    yield _MergedFile(name, item_pieces)
    merged_starts = np.cumsum(np.concatenate(row_lengths))
    yield _MergedFile(starts_name, [_whole_array(merged_starts)])


def _article_pieces(live_segments: Sequence[_LiveRows], family: str) -> list[_Piece]:
    """Collect the article vectors of a family, block by block."""
    pieces = []
    for live_segment in live_segments:
        segment = live_segment.segment
        # The numbers of the article sentences of the rows in the segment
        sentence_numbers = _item_numbers(segment.span_starts, live_segment.row_numbers)
        first_sentence = 0
        blocks = sorted(block for name, block in segment.articles if name == family)
        for block in blocks:
            block_vectors = segment.articles[family, block]
            end_sentence = first_sentence + len(block_vectors)
            # The vectors of a block are numbered from its first article sentence.
            is_in_block = (sentence_numbers >= first_sentence) & (sentence_numbers < end_sentence)
            pieces.append(_Piece(block_vectors, sentence_numbers[is_in_block] - first_sentence))
            first_sentence = end_sentence
    return pieces


def _field_vector_files(name: str, live_segments: Sequence[_LiveRows]) -> Iterator[_MergedFile]:
    """Yield the row numbers of the claims that have a field, and the vectors of the field."""
    # Only claims that have the field have a vector, so each vector has the number of its row.
    first_row = 0
    merged_rows = []
    vector_pieces = []
    for live_segment in live_segments:
        field_vectors = live_segment.segment.vectors[name]
        # Vectors of live rows, (k,), and the rows that these become in the merged segment, (k,).
        is_live = np.isin(field_vectors.row_numbers, live_segment.row_numbers)
        live_vector_numbers = np.flatnonzero(is_live)
        live_rows = np.searchsorted(
            live_segment.row_numbers, field_vectors.row_numbers[live_vector_numbers]
        )
        merged_rows.append((first_row + live_rows).astype(np.int32))
        vector_pieces.append(_Piece(field_vectors.vectors, live_vector_numbers))
        first_row += len(live_segment.row_numbers)
    yield _MergedFile(f"rows-{name}", [_whole_array(np.concatenate(merged_rows))])
    yield _MergedFile(f"vectors-{name}", vector_pieces)


def _count_files(field: str, live_segments: Sequence[_LiveRows]) -> Iterator[_MergedFile]:
    """Yield the arrays of the word counts of a field."""
    term_counts_by_segment = []
    for live_segment in live_segments:
        term_counts = live_segment.segment.counts[field]
        has_dead_rows = len(live_segment.row_numbers) != len(term_counts)
        if has_dead_rows:
            term_counts = bm25.select_documents(term_counts, live_segment.row_numbers)
        term_counts_by_segment.append(term_counts)
    merged_counts = bm25.merge_counts(term_counts_by_segment)
    for name in index_segment.COUNT_ARRAYS:
        count_array = getattr(merged_counts, name)
        yield _MergedFile(f"bm25-{field}-{name}", [_whole_array(count_array)])


def _whole_array(array: Array) -> _Piece:
    """Return the piece with all rows of an array."""
    return _Piece(array, np.arange(len(array)))


def _item_numbers(starts: Array, row_numbers: RowNumbers) -> RowNumbers:
    """Return the numbers of the items of some rows, whose items begin at ``starts``."""
    if not len(row_numbers):
        return np.arange(0)
    # Each row's items follow one another in the input and in the output. So all items of a row
    # have the same distance between their two positions, (k,) by row and (items,) by item.
    item_counts = (starts[row_numbers + 1] - starts[row_numbers]).astype(np.int64)
    input_starts = starts[row_numbers]
    output_starts = np.concatenate(([0], np.cumsum(item_counts)[:-1]))
    distances = np.repeat(input_starts - output_starts, item_counts)
    output_positions = np.arange(item_counts.sum())
    return output_positions + distances


def _text_numbers(row_numbers: RowNumbers, texts_per_claim: int) -> RowNumbers:
    """Return the numbers of the texts of some claims."""
    # The texts of claim i are i * t to i * t + t - 1: (k, 1) + (t,) -> (k, t), then flat.
    return (row_numbers[:, None] * texts_per_claim + np.arange(texts_per_claim)).ravel()


def _write_pieces(path: Path, pieces: Sequence[_Piece]) -> None:
    """Write the rows of some arrays as one file."""
    # An empty array may have another width: the first one with rows gives type and shape.
    typical_array = pieces[0].array
    for piece in pieces:
        if len(piece.row_numbers):
            typical_array = piece.array
            break
    row_count = sum(len(piece.row_numbers) for piece in pieces)
    header = {
        "descr": np.lib.format.dtype_to_descr(typical_array.dtype),
        "fortran_order": False,
        "shape": (row_count, *typical_array.shape[1:]),
    }
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
        for piece in pieces:
            for start in range(0, len(piece.row_numbers), COPY_ROWS):
                row_numbers = piece.row_numbers[start : start + COPY_ROWS]
                file.write(np.ascontiguousarray(piece.array[row_numbers]).data)
