"""The specification of a model as plain values, and the interface of a loaded one.

Tokens in, arrays out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

EMBEDDED = "all-MiniLM-L6-v2"
EMBEDDED_LAYERS = 6
Floats = NDArray[np.float32]
Tokens = tuple[list[int], list[int]]  # ids and token type ids of one text, special tokens included


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """One model of a profile, as plain values.

    ``name``: ``all-MiniLM-L6-v2`` (shipped in a package), a local folder, or a hub id.
    ``weights``: file under ``models/`` whose tensors replace or extend those of ``name``; empty for none.
    ``pooling``: mean, cls or pooler. ``layer``: hidden layer for token states, ``None`` for the last.
    ``rescale``: subtract the BERTScore baseline that the bert-score package ships for ``name``.
    """

    name: str
    weights: str = ""
    pooling: str = "mean"
    layer: int | None = None
    max_length: int = 256
    rescale: bool = False


class ModelUnavailable(RuntimeError):
    """A model's files are missing, damaged or another model's.

    One line says which and what to do.
    """


class Runner(Protocol):
    """A loaded network: tokens of some texts in, its outputs out.

    ``max_batch_cells``: how many tokens, padding included, a batch should hold.
    ``parallel_batches``: how many threads may call ``run``.
    """

    digest: str
    max_batch_cells: int
    parallel_batches: int

    def tokens(self, texts: Sequence[str], pairs: Sequence[str] | None = None) -> list[Tokens]:
        """Return the tokens of each text, or of each pair of texts."""
        ...

    def run(self, batch: Sequence[Tokens]) -> tuple[Floats, ...]:
        """Return the outputs for a batch.

        For an encoder states (b, t, d) and, where it has one, its pooler (b, d).
        """
        ...
