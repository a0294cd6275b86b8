"""Which model computes a measure, and how it is loaded: one code for embedded, local and hub models.

Heavy libraries are imported when a model is first used, never when this module is.
"""

from __future__ import annotations

from dataclasses import dataclass


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
