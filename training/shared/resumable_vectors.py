"""Sentence vectors of very many texts, made in parts so that a stopped run resumes."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

Rows = np.ndarray
PART = 4096  # texts at a time


def kept(
    texts: Sequence[str], folder: Path, name: str, make: Callable[[Sequence[str]], Rows]
) -> Rows:
    """Return the vectors that ``make`` gives, (n, d) in fp16, mapped from a file in ``folder``."""
    digest = hashlib.sha256("\n".join([name, *texts]).encode()).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{digest}.npy"
    counter = folder / f"{digest}.done"
    count = int(counter.read_text()) if counter.exists() else 0
    while count < len(texts):
        vectors = make(texts[count : count + PART]).astype(np.float16)
        stored = _opened(path, (len(texts), vectors.shape[1]), new=not count)
        stored[count : count + len(vectors)] = vectors
        stored.flush()
        count += len(vectors)
        counter.write_text(str(count))
        print(f"{name}: {count:,} of {len(texts):,} texts", file=sys.stderr, flush=True)
    return np.load(path, mmap_mode="r") if len(texts) else np.zeros((0, 0), np.float16)


def _opened(path: Path, shape: tuple[int, int], *, new: bool) -> np.memmap:
    return np.lib.format.open_memmap(
        path, mode="w+" if new else "r+", dtype=np.float16, shape=shape
    )


def sbert(length: int) -> Callable[[Sequence[str]], Rows]:
    """Return a function from texts to unit SBERT vectors of their first ``length`` word pieces."""

    def make(texts: Sequence[str]) -> Rows:
        from features.models.encoders import TextEncoder, load_encoder
        from features.models.model_spec import EMBEDDED, ModelSpec

        encoder = load_encoder(ModelSpec(EMBEDDED, max_length=length))
        return (encoder.bulk() if isinstance(encoder, TextEncoder) else encoder).encode(texts)

    return make
