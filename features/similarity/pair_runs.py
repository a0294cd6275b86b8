"""Runs: the adjacent pairs of one sentence in a flat list of pairs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def runs_by_sentence(sentence_index: NDArray[np.integer]) -> list[tuple[int, slice]]:
    """Return each sentence that has pairs, with the slice of its pairs, which stand together."""
    if not len(sentence_index):
        return []
    # A run starts where the sentence changes, and ends where the next one starts.
    starts = np.flatnonzero(np.diff(sentence_index, prepend=-1))
    ends = np.append(starts[1:], len(sentence_index))
    sentences = sentence_index[starts].tolist()
    slices = [slice(start, end) for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    return list(zip(sentences, slices, strict=True))
