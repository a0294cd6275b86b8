"""Runs: the adjacent pairs of one sentence in a flat list of pairs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def runs_by_sentence(sentence_index: NDArray[np.integer]) -> list[tuple[int, slice]]:
    """Return each sentence that has pairs, with the slice of its pairs, which stand together."""
    if not len(sentence_index):
        return []
    # A run starts where the sentence changes, and ends where the next one starts.
    run_starts = np.flatnonzero(np.diff(sentence_index, prepend=-1))
    run_ends = np.append(run_starts[1:], len(sentence_index))
    sentence_of_run = sentence_index[run_starts].tolist()
    slices = [
        slice(start, end) for start, end in zip(run_starts.tolist(), run_ends.tolist(), strict=True)
    ]
    return list(zip(sentence_of_run, slices, strict=True))
