"""Batches of cases for the relation network.

Each case read by the cross-encoder once, its words counted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from features.articles.article_relation import MEASURED, READ, STEPS, Memory, measured
from features.articles.hashed_words import BUCKETS, word_buckets
from training.relation.cases import Case, Raw
from training.relation.network import UNKNOWN, Batch, Network

Floats = NDArray[np.float32]
TOGETHER = 4000  # pairs between two savings
SEEN = 3  # sentences that must contain a word for it to count


class Readings:
    """What the cross-encoder says of pairs of texts.

    A pair is read once and kept in a file for the next run.
    """

    def __init__(
        self, folder: Path, read: Callable[[Sequence[str], Sequence[str]], tuple[Any, Any]]
    ) -> None:
        self.path = folder / "nli-pairs.npz"
        self.read = read
        self.known: dict[str, Floats] = {}
        if self.path.exists():
            file = np.load(self.path)
            self.known = dict(zip(file["keys"].tolist(), file["rows"], strict=True))

    def of(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Return the three probabilities and the log-odds of the same claim of each pair, (n, 4)."""
        keys = [hashlib.sha256("\0".join(pair).encode()).hexdigest()[:20] for pair in pairs]
        missing = [
            (key, pair)
            for key, pair in dict(zip(keys, pairs, strict=True)).items()
            if key not in self.known
        ]
        for start in range(0, len(missing), TOGETHER):
            part = missing[start : start + TOGETHER]
            labels, same = self.read(
                [first for _, (first, _) in part], [second for _, (_, second) in part]
            )
            rows = np.concatenate([labels, np.asarray(same)[:, None]], axis=1).astype(np.float32)
            self.known.update(zip([key for key, _ in part], rows, strict=True))
            self.path.parent.mkdir(parents=True, exist_ok=True)
            np.savez(
                self.path, keys=np.array(list(self.known)), rows=np.stack(list(self.known.values()))
            )
            print(f"{min(start + TOGETHER, len(missing))} of {len(missing)} pairs read", flush=True)
        return np.array([self.known[key] for key in keys], np.float32).reshape(-1, 4)


@dataclass(frozen=True, eq=False)
class Item:
    """A case that was read: its memory, its words by sentence, and what is wanted of it."""

    memory: Memory
    words: tuple[tuple[NDArray[np.int64], Floats], ...]  # buckets and 1 + log count
    raw: Raw


def cross_encoder() -> Callable[[Sequence[str], Sequence[str]], tuple[Any, Any]]:
    """Return how the embedded profile's cross-encoder reads pairs."""
    from assistant.core.settings import EMBEDDED
    from features.models.nli import load_nli

    return load_nli(EMBEDDED.nli).read


def items(cases: Sequence[Case], readings: Readings) -> list[Item]:
    """Return cases as the network reads them.

    The first ``READ`` sentences of each are read beside its wording.
    """
    pairs = [(text, case.raw.wording) for case in cases for text in case.raw.texts[:READ]]
    readings_ = readings.of(pairs)
    at = 0
    made = []
    for case in cases:
        count = min(READ, len(case.raw.texts))
        part = readings_[at : at + count]
        at += count
        near = np.asarray(case.rows, np.float32) @ case.vector
        cues = measured(part[:, :3], part[:, 3], near, case.decides, len(case.raw.texts))
        memory = Memory(case.vector, np.asarray(case.rows, np.float16), cues, case.raw.texts)
        made.append(Item(memory, tuple(map(counted, case.raw.texts)), case.raw))
    return made


def counted(text: str) -> tuple[NDArray[np.int64], Floats]:
    """Return the buckets of a text's words, and 1 + the logarithm of how often each occurs."""
    buckets = word_buckets(text)
    counts = np.fromiter(buckets.values(), np.float32, len(buckets))
    return np.fromiter(buckets, np.int64, len(buckets)), (1 + np.log(counts)).astype(np.float32)


def rarity_of(read: Sequence[Item]) -> Floats:
    """Return 1 + log((1 + sentences) / (1 + those with the bucket)), 0 below ``SEEN``, (BUCKETS,)."""
    by_sentence = [buckets for item in read for buckets, _ in item.words]
    seen = np.bincount(np.concatenate(by_sentence), minlength=BUCKETS)
    return np.where(seen >= SEEN, 1 + np.log((1 + len(by_sentence)) / (1 + seen)), 0).astype(
        np.float32
    )


def collate(read: Sequence[Item], rarity: Floats, weights: Sequence[float]) -> Batch:
    """Return items as one batch, padded to the longest memory."""
    b = len(read)
    n = max(len(item.words) for item in read)
    d = len(read[0].memory.wording)
    rows = np.zeros((b, n, d), np.float32)
    cues = np.zeros((b, n, MEASURED), np.float32)
    there = np.zeros((b, n), bool)
    chain = np.full((b, STEPS), UNKNOWN)
    buckets = []
    values = []
    starts = np.zeros(b * n, np.int64)
    at = 0
    for i, item in enumerate(read):
        size = len(item.words)
        rows[i, :size], cues[i, :size], there[i, :size] = item.memory.rows, item.memory.told, True
        marked = item.raw.chain[:STEPS]
        chain[i, : len(marked)] = marked
        for j in range(n):
            starts[i * n + j] = at
            if j < size:
                buckets_of, counts = item.words[j]
                weighed = counts * rarity[buckets_of]
                length = np.sqrt((weighed * weighed).sum())
                buckets.append(buckets_of)
                values.append(weighed / (length if length else 1))
                at += len(buckets_of)
    bags = (np.concatenate(buckets), np.concatenate(values).astype(np.float32), starts)
    wording = np.stack([item.memory.wording for item in read])
    label = np.array([item.raw.label for item in read])
    arrays = (wording, rows, cues, there, label, *bags, chain, np.asarray(weights, np.float32))
    return Batch(*map(torch.from_numpy, arrays))


def batches(
    read: Sequence[Item],
    rarity: Floats,
    weights: Sequence[float],
    rng: np.random.Generator,
    size: int,
) -> Iterator[Batch]:
    """Yield the items once, in an order of the generator."""
    order = rng.permutation(len(read))
    for start in range(0, len(order), size):
        part = order[start : start + size]
        yield collate([read[i] for i in part], rarity, [weights[i] for i in part])


@torch.no_grad()
def relations(network: Network, read: Sequence[Item], rarity: Floats, *, size: int = 256) -> Floats:
    """Return the average relation of each item, (n, 3) probabilities."""
    network.eval()
    odds = [np.zeros((0, 3), np.float32)]
    for start in range(0, len(read), size):
        part = read[start : start + size]
        odds.append(network(collate(part, rarity, [1.0] * len(part))).final.exp().numpy())
    return np.concatenate(odds)
