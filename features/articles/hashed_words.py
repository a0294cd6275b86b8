"""Hashed words: the words and word pairs of a text as counts in a fixed number of buckets, and their learnt weights."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from features.models.model_spec import Floats

BUCKETS = 8192  # shared by words and word pairs
BLOCK_TEXTS = 4096  # counted at a time, which bounds the memory for a very long article
_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)?|\d[\d.,]*|[?!:$%]")


def word_buckets(text: str) -> Counter[int]:
    """Return how often each bucket occurs among a text's words and word pairs.

    All figures are one word.
    """
    words = [
        "0" if word[0].isdigit() else word for word in _WORD.findall(text.lower().replace("’", "'"))
    ]
    counts = Counter(map(_bucket, words))
    counts.update(
        _bucket(f"{first} {second}") for first, second in zip(words, words[1:], strict=False)
    )
    return counts


def word_scores(texts: Sequence[str], rarity: Floats, weights: Floats) -> Floats:
    """Return the products of the weights with each text's unit row of (1 + log count)·rarity.

    Shapes: n texts, rarity (BUCKETS,), weights (k, BUCKETS) → (k, n); 0 where no word is known.
    """
    blocks = range(0, max(len(texts), 1), BLOCK_TEXTS)
    scores = [
        _block_scores(texts[start : start + BLOCK_TEXTS], rarity, weights) for start in blocks
    ]
    return np.concatenate(scores, axis=1)


def _block_scores(texts: Sequence[str], rarity: Floats, weights: Floats) -> Floats:
    counted = [word_buckets(text) for text in texts]
    rows = np.repeat(np.arange(len(texts)), [len(counts) for counts in counted])
    buckets = np.fromiter((bucket for counts in counted for bucket in counts), np.int64, len(rows))
    counts = np.fromiter(
        (count for counts in counted for count in counts.values()), np.float32, len(rows)
    )
    values = (1 + np.log(counts)) * rarity[buckets]
    length = np.sqrt(np.bincount(rows, values * values, len(texts)))
    sums = [np.bincount(rows, values * weight[buckets], len(texts)) for weight in weights]
    return (np.stack(sums) / np.where(length > 0, length, 1)).astype(np.float32)


def word_vector(text: str, rarity: Floats, vectors: Floats) -> Floats:
    """Return the sum (e,) of the vectors (BUCKETS, e) of a text's words, weighted by its unit row as in the above."""
    counts = word_buckets(text)
    buckets = np.fromiter(counts, np.int64, len(counts))
    values = (1 + np.log(np.fromiter(counts.values(), np.float32, len(counts)))) * rarity[buckets]
    length = np.sqrt((values * values).sum())
    summed: Floats = (values @ vectors[buckets] / (length if length else 1)).astype(np.float32)
    return summed


@lru_cache(maxsize=1 << 17)
def _bucket(word: str) -> int:
    return zlib.crc32(word.encode()) % BUCKETS
