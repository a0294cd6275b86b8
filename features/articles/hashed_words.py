"""Hashed words: a text's words and word pairs, counted in buckets, with trained weights."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Sequence
from itertools import chain, pairwise

import numpy as np

from features.models.model_spec import Floats

HASH_BUCKETS = 8192  # shared by words and word pairs
BLOCK_TEXTS = 4096  # counted at a time, which bounds the memory for a very long article
_WORD_PATTERN = re.compile(r"[a-z]+(?:['’][a-z]+)?|\d[\d.,]*|[?!:$%]")


def word_buckets(text: str) -> Counter[int]:
    """Count the buckets of a text's words and word pairs; all figures are one word."""
    # A bucket is a number to which words are hashed; each bucket has one weight of the model.
    words = []
    lower_text = text.lower().replace("’", "'")
    for word in _WORD_PATTERN.findall(lower_text):
        is_figure = word[0].isdigit()
        words.append("0" if is_figure else word)
    word_pairs = [f"{word} {next_word}" for word, next_word in pairwise(words)]
    return Counter([zlib.crc32(term.encode()) % HASH_BUCKETS for term in words + word_pairs])


def word_scores(texts: Sequence[str], rarity: Floats, weights: Floats) -> Floats:
    """Return the products of the weights with each text's unit row of (1 + log count)·rarity.

    Shapes: n texts, rarity (HASH_BUCKETS,), weights (k, HASH_BUCKETS) → (k, n); 0 if no word is known.
    """
    blocks = range(0, max(len(texts), 1), BLOCK_TEXTS)
    scores = [
        _block_scores(texts[start : start + BLOCK_TEXTS], rarity, weights) for start in blocks
    ]
    return np.concatenate(scores, axis=1)


def _block_scores(texts: Sequence[str], rarity: Floats, weights: Floats) -> Floats:
    # One entry per text and bucket: the text's index, the bucket and its count, (e,) each.
    counts_of_texts = [word_buckets(text) for text in texts]
    buckets_per_text = [len(counts) for counts in counts_of_texts]
    text_index = np.repeat(np.arange(len(texts)), buckets_per_text)
    entry_count = len(text_index)
    buckets = np.fromiter(chain.from_iterable(counts_of_texts), np.int64, entry_count)
    all_counts = chain.from_iterable(counts.values() for counts in counts_of_texts)
    counts = np.fromiter(all_counts, np.float32, entry_count)
    values = (1 + np.log(counts)) * rarity[buckets]
    # The length of each text's row, (n,), and its product with each row of weights, (k, n).
    # bincount adds up the values of the entries of each text.
    lengths = np.sqrt(np.bincount(text_index, values * values, len(texts)))
    products = []
    for weight in weights:
        products.append(np.bincount(text_index, values * weight[buckets], len(texts)))
    divisors = np.where(lengths > 0, lengths, 1)
    return (np.stack(products) / divisors).astype(np.float32)
