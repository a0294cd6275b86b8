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
from torch.nn.utils.rnn import pad_sequence

from features.articles.hashed_words import HASH_BUCKETS, word_buckets
from training.relation.article_relation import (
    READ_BY_CROSS_ENCODER,
    STEPS,
    Memory,
    sentence_features,
)
from training.relation.cases import Case, Raw
from training.relation.model import UNKNOWN, Batch, Network

Floats = NDArray[np.float32]
TOGETHER = 4000  # pairs between two savings
MIN_SENTENCES = 3  # sentences that must contain a word for it to count


class Readings:
    """What the cross-encoder says of pairs of texts.

    A pair is read once and kept in a file for the next run.
    """

    def __init__(
        self, folder: Path, read_pairs: Callable[[Sequence[str], Sequence[str]], tuple[Any, Any]]
    ) -> None:
        self.path = folder / "nli-pairs.npz"
        self.read = read_pairs
        self.known: dict[str, Floats] = {}
        if self.path.exists():
            file = np.load(self.path)
            self.known = dict(zip(file["keys"].tolist(), file["rows"], strict=True))

    def of(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Return the three probabilities and the log-odds of the same claim of each pair, (n, 4)."""
        keys = [hashlib.sha256("\0".join(pair).encode()).hexdigest()[:20] for pair in pairs]
        missing = []
        for key, pair in dict(zip(keys, pairs, strict=True)).items():
            if key not in self.known:
                missing.append((key, *pair))
        for start in range(0, len(missing), TOGETHER):
            block = missing[start : start + TOGETHER]
            block_keys = [key for key, _, _ in block]
            premises = [premise for _, premise, _ in block]
            hypotheses = [hypothesis for _, _, hypothesis in block]
            labels, same = self.read(premises, hypotheses)
            readings = np.concatenate([labels, np.asarray(same)[:, None]], axis=1).astype(
                np.float32
            )
            self.known.update(zip(block_keys, readings, strict=True))
            self.path.parent.mkdir(parents=True, exist_ok=True)
            known_keys = np.array(list(self.known))
            np.savez(self.path, keys=known_keys, rows=np.stack(list(self.known.values())))
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
    pairs = []
    for case in cases:
        pairs += [(text, case.raw.wording) for text in case.raw.texts[:READ_BY_CROSS_ENCODER]]
    all_readings = readings.of(pairs)
    items = []
    start = 0
    for case in cases:
        texts = case.raw.texts
        count = min(READ_BY_CROSS_ENCODER, len(texts))
        case_readings = all_readings[start : start + count]
        start += count
        vectors = np.asarray(case.sentence_vectors, np.float32)
        cosines = vectors @ case.vector
        labels = case_readings[:, :3]
        same = case_readings[:, 3]
        cues = sentence_features(labels, same, cosines, case.decides, len(texts))
        memory = Memory(case.vector, np.asarray(case.sentence_vectors, np.float16), cues, texts)
        items.append(Item(memory, tuple(map(counted, texts)), case.raw))
    return items


def counted(text: str) -> tuple[NDArray[np.int64], Floats]:
    """Return the buckets of a text's words, and 1 + the logarithm of how often each occurs."""
    buckets = word_buckets(text)
    counts = np.fromiter(buckets.values(), np.float32, len(buckets))
    return np.fromiter(buckets, np.int64, len(buckets)), (1 + np.log(counts)).astype(np.float32)


def rarity_of(read: Sequence[Item]) -> Floats:
    """Return 1 + log((1 + sentences) / (1 + those with the bucket)), 0 if rare, (BUCKETS,)."""
    buckets_by_sentence = [buckets for item in read for buckets, _ in item.words]
    frequency = np.bincount(np.concatenate(buckets_by_sentence), minlength=HASH_BUCKETS)
    rarity = 1 + np.log((1 + len(buckets_by_sentence)) / (1 + frequency))
    return np.where(frequency >= MIN_SENTENCES, rarity, 0).astype(np.float32)


def collate(read: Sequence[Item], rarity: Floats, weights: Sequence[float]) -> Batch:
    """Return items as one batch, padded to the longest memory."""
    vectors = []
    cues = []
    present = []
    for item in read:
        vectors.append(torch.from_numpy(np.asarray(item.memory.sentence_vectors, np.float32)))
        cues.append(torch.from_numpy(np.asarray(item.memory.sentence_features, np.float32)))
        present.append(torch.ones(len(item.words), dtype=torch.bool))
    there = pad_sequence(present, batch_first=True)
    # the chain of evidence of each item, (b, STEPS)
    chain = np.full((len(read), STEPS), UNKNOWN)
    for i, item in enumerate(read):
        marked = item.raw.chain[:STEPS]
        chain[i, : len(marked)] = marked
    buckets, values, starts = _word_bags(read, rarity, there.shape[1])
    wording = np.stack([item.memory.wording for item in read])
    label = np.array([item.raw.label for item in read])
    return Batch(
        wording=torch.from_numpy(wording),
        sentence_vectors=pad_sequence(vectors, batch_first=True),
        sentence_features=pad_sequence(cues, batch_first=True),
        is_sentence=there,
        label=torch.from_numpy(label),
        words=torch.from_numpy(buckets),
        values=torch.from_numpy(values),
        starts=torch.from_numpy(starts),
        chain=torch.from_numpy(chain),
        weight=torch.from_numpy(np.asarray(weights, np.float32)),
    )


def _word_bags(
    read: Sequence[Item], rarity: Floats, length: int
) -> tuple[NDArray[np.int64], Floats, NDArray[np.int64]]:
    """Return word buckets, their weights, and the start of each of (items · length) sentences."""
    buckets = []
    values = []
    starts = np.zeros(len(read) * length, np.int64)
    start = 0
    for i, item in enumerate(read):
        for j in range(length):
            starts[i * length + j] = start
            if j >= len(item.words):
                continue
            sentence_buckets, counts = item.words[j]
            weighed = counts * rarity[sentence_buckets]
            norm = np.sqrt((weighed * weighed).sum())
            buckets.append(sentence_buckets)
            values.append(weighed / (norm if norm else 1))
            start += len(sentence_buckets)
    return np.concatenate(buckets), np.concatenate(values).astype(np.float32), starts


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
        batch_indices = order[start : start + size]
        yield collate([read[i] for i in batch_indices], rarity, [weights[i] for i in batch_indices])


@torch.no_grad()
def relations(network: Network, read: Sequence[Item], rarity: Floats, *, size: int = 256) -> Floats:
    """Return the average relation of each item, (n, 3) probabilities."""
    network.eval()
    odds = [np.zeros((0, 3), np.float32)]
    for start in range(0, len(read), size):
        block = read[start : start + size]
        walk = network(collate(block, rarity, [1.0] * len(block)))
        odds.append(walk.final.exp().numpy())
    return np.concatenate(odds)
