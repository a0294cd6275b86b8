"""Relation of an article to a wording: supports, refutes or not enough, without torch.

An LSTM reads candidate sentences one after another. At each step, attention hops over all of them
make a query, the query points at the next sentence, and the state, that sentence and the attended
mean give the relation. The relation of the article is the average over the steps.
``training.relation.model`` is the trainable twin. Source: Hidey et al., DeSePtion: Dual Sequence
Prediction and Adversarial Examples for Improved Fact-Checking, ACL 2020.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from features.articles.hashed_words import word_buckets
from features.models.model_spec import Floats
from features.models.weight_files import MODELS, read_weights, require

WEIGHTS = "relation.safetensors"
TENSORS = ("words", "rarity", "inputs.weight", "cell.weight_ih", "hop.weight", "relation.weight")
RELATIONS = ("supports", "refutes", "not enough")
CANDIDATES = 8  # sentences that the network chooses from
# The cross-encoder reads this many of them with the wording: FEVER's number of sentences.
READ_BY_CROSS_ENCODER = 5
FEATURE_COUNT = 7  # columns of ``sentence_features``
STEPS = 5
HOPS = 2
MIN_LOG_PROBABILITY = -6.0
SAME_CLAIM_SCALE = 5.0  # log-odds of the same claim that become the feature 1


@dataclass(frozen=True, eq=False)
class Memory:
    """A wording and the candidate sentences that the network chooses from.

    Shapes: wording (d,) and sentence vectors (n, d) of length 1; sentence features
    (n, FEATURE_COUNT), see ``sentence_features``; n texts.
    """

    wording: Floats
    sentence_vectors: NDArray[np.floating]
    sentence_features: Floats
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SentenceWalk:
    """The sentences of a memory in the order in which the network read them.

    ``chosen_sentences`` (t,): their indices; none comes again before all others were read.
    ``steps`` (t, 3): probabilities of ``RELATIONS`` at each step; ``relation`` (3,): their average.
    """

    chosen_sentences: tuple[int, ...]
    steps: Floats
    relation: Floats


@dataclass(frozen=True, slots=True)
class RelationNetwork:
    """The network that relates an article to a wording. ``weights``: tensors by name, float32."""

    weights: Mapping[str, Floats]

    @classmethod
    def load(cls, folder: Path = MODELS) -> RelationNetwork:
        """Return the network with the weights of a folder.

        Raises: ModelUnavailable if they are missing or belong to another network.
        """
        tensors, _ = read_weights(str(Path(folder).resolve() / WEIGHTS))
        return cls(require(tensors, TENSORS, WEIGHTS))

    def read(self, memory: Memory) -> SentenceWalk:
        """Return the sentences in the order chosen and the relation at each step.

        Raises: ValueError if the memory is empty.
        """
        sentence_count = len(memory.texts)
        if not sentence_count:
            raise ValueError("a memory of no sentence; expected one or more")
        # The sentences as the network sees them, (n, h), and the state of the LSTM, (h,) twice.
        elements = self._elements(memory)
        hidden = np.zeros(elements.shape[1], np.float32)
        cell = np.zeros(elements.shape[1], np.float32)
        hidden, cell = self._cell(elements.mean(axis=0), hidden, cell)
        chosen: list[int] = []
        relation_steps: list[Floats] = []
        for step in range(STEPS):
            query, attended = self._hops(elements, hidden)
            scores = elements @ (self.weights["point.weight"] @ query)
            # Sentences of this round over all of them are not chosen again.
            round_start = step - step % sentence_count
            scores[chosen[round_start:]] = -np.inf
            sentence = int(scores.argmax())
            chosen.append(sentence)
            hidden, cell = self._cell(elements[sentence], hidden, cell)
            state = np.concatenate([hidden, elements[sentence], attended])
            logits = self.weights["relation.weight"] @ state + self.weights["relation.bias"]
            relation_steps.append(softmax(logits))
        relations = np.stack(relation_steps)
        return SentenceWalk(tuple(chosen), relations, relations.mean(axis=0))

    def _elements(self, memory: Memory) -> Floats:
        """Return the sentences of the memory as the network sees them, (n, h)."""
        w = self.weights
        vectors = np.asarray(memory.sentence_vectors, np.float32)
        # Vectors (n, d), their products with the wording at the same scale, features and words.
        products = vectors * memory.wording * np.sqrt(np.float32(vectors.shape[1]))
        words = np.stack([word_vector(text, w["rarity"], w["words"]) for text in memory.texts])
        inputs = np.concatenate([vectors, products, memory.sentence_features, words], axis=1)
        return np.maximum(inputs @ w["inputs.weight"].T + w["inputs.bias"], 0)

    def _hops(self, elements: Floats, hidden: Floats) -> tuple[Floats, Floats]:
        """Return the query after all hops and the mean that it attended to last, (h,) each."""
        w = self.weights
        query = hidden
        attended = np.zeros_like(hidden)
        for _ in range(HOPS):
            attention = softmax(elements @ (w["attend.weight"] @ query))
            attended = attention @ elements
            query = np.tanh(w["hop.weight"] @ np.concatenate([query, attended]) + w["hop.bias"])
        return query, attended

    def _cell(self, entering: Floats, hidden: Floats, cell: Floats) -> tuple[Floats, Floats]:
        """Return the next hidden and cell state of the LSTM, (h,) each."""
        w = self.weights
        gates = (
            w["cell.weight_ih"] @ entering
            + w["cell.bias_ih"]
            + w["cell.weight_hh"] @ hidden
            + w["cell.bias_hh"]
        )
        input_gate, forget_gate, candidate, output_gate = np.split(gates, 4)
        next_cell = sigmoid(forget_gate) * cell + sigmoid(input_gate) * np.tanh(candidate)
        return sigmoid(output_gate) * np.tanh(next_cell), next_cell


def word_vector(text: str, rarity: Floats, vectors: Floats) -> Floats:
    """Return the sum of the vectors (BUCKETS, e) of a text's words, (e,).

    Each is weighted by the text's unit row of (1 + log count)·rarity.
    """
    bucket_counts = word_buckets(text)
    # The buckets of the text, their counts and weights, (k,) each.
    buckets = np.fromiter(bucket_counts, np.int64, len(bucket_counts))
    counts = np.fromiter(bucket_counts.values(), np.float32, len(bucket_counts))
    weights = (1 + np.log(counts)) * rarity[buckets]
    length = np.sqrt((weights * weights).sum())
    if not length:
        length = 1
    summed: Floats = (weights @ vectors[buckets] / length).astype(np.float32)
    return summed


def candidates(
    sentences: Sequence[int], decides: Floats, cosines: Floats, *, most: int = CANDIDATES
) -> list[int]:
    """Return up to ``most`` of the sentences, by index: by turns the most decisive and the nearest.

    Shapes: ``decides`` and ``cosines`` (n,) of the whole article. Equal ones keep the article's
    order.
    """
    most_decisive = sorted(sentences, key=lambda i: (-decides[i], i))
    nearest = sorted(sentences, key=lambda i: (-cosines[i], i))
    candidate_indices: dict[int, None] = {}
    for decisive, near_one in zip(most_decisive, nearest, strict=True):
        candidate_indices[decisive] = None
        candidate_indices[near_one] = None
    return list(candidate_indices)[:most]


def sentence_features(
    labels: Floats, same: Floats, cosines: Floats, decides: Floats, count: int
) -> Floats:
    """Return the numbers that describe n sentences to the network, (n, FEATURE_COUNT).

    The cross-encoder read the first k sentences: ``labels`` (k, 3) are the probabilities that
    sentence and wording entail, leave open, contradict; ``same`` (k,) the log-odds of the same
    claim. ``cosines`` (n,): with the wording; ``decides`` (n,): how likely each sentence decides
    the rating, 0 for one without its article. A column is 0 for a sentence that was not read.
    """
    features = np.zeros((count, FEATURE_COUNT), np.float32)
    read_count = len(labels)
    log_labels = np.maximum(np.log(np.maximum(labels, 1e-9)), MIN_LOG_PROBABILITY)
    log_odds = np.clip(np.nan_to_num(same), -2 * SAME_CLAIM_SCALE, 2 * SAME_CLAIM_SCALE)
    features[:read_count, :3] = log_labels / -MIN_LOG_PROBABILITY + 1
    features[:read_count, 3] = log_odds / SAME_CLAIM_SCALE
    features[:read_count, 4] = 1
    features[:, 5] = cosines
    features[:, 6] = decides
    return features


def calibrated(relation: Floats, temperature: float) -> Floats:
    """Return probabilities (3,) or (n, 3), their logarithms divided by a temperature.

    Source: Guo et al. 2017.
    """
    powers = np.maximum(relation, 1e-9) ** (1 / temperature)
    probabilities: Floats = (powers / powers.sum(axis=-1, keepdims=True)).astype(np.float32)
    return probabilities


def softmax(logits: Floats) -> Floats:
    """Return logits (k,) as probabilities."""
    powers = np.exp(logits - logits.max())
    probabilities: Floats = (powers / powers.sum()).astype(np.float32)
    return probabilities


def sigmoid(values: Floats) -> Floats:
    """Return 1 / (1 + exp(−x)) of each value."""
    probabilities: Floats = (1 / (1 + np.exp(-values))).astype(np.float32)
    return probabilities
