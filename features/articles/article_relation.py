"""Relation of an article to a wording.

Supports, refutes or not enough, read sentence after sentence without torch.

An LSTM walks over candidate sentences: attention hops over all of them make its query, the query
points at the next sentence, and state, sentence and attended memory give the relation at that
step. The relation of the article is the average over the steps. ``training.relation.model`` is
its twin that learns. Source: Hidey et al., DeSePtion: Dual Sequence Prediction and Adversarial
Examples for Improved Fact-Checking, ACL 2020.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from features.articles.hashed_words import word_vector
from features.models.model_spec import Floats
from features.models.weight_files import MODELS, read_weights, require

WEIGHTS = "relation.safetensors"
TENSORS = ("words", "rarity", "inputs.weight", "cell.weight_ih", "hop.weight", "relation.weight")
RELATIONS = ("supports", "refutes", "not enough")
CANDIDATES = 8  # sentences that the network chooses from
READ = 5  # of these, as many are read beside the wording by a cross-encoder: FEVER's number of sentences
MEASURED = 7  # columns of ``measured``
STEPS = 5
HOPS = 2
LEAST_LOG = -6.0  # of a probability
SAME_SCALE = 5.0  # log-odds that count as 1


@dataclass(frozen=True, eq=False)
class Memory:
    """A wording and the candidate sentences that the network chooses from.

    Shapes: wording (d,), rows (n, d), unit vectors; told (n, MEASURED), see ``measured``; n texts.
    """

    wording: Floats
    rows: NDArray[np.floating]
    told: Floats
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """The walk over a memory.

    ``places`` (t,): the sentences as chosen; none is chosen again before all others were.

    ``steps`` (t, 3), the relation at each step, and ``relation`` (3,), their average: probabilities of ``RELATIONS``.
    """

    places: tuple[int, ...]
    steps: Floats
    relation: Floats


@dataclass(frozen=True, slots=True)
class RelationNetwork:
    """How an article relates to a wording. ``weights``: tensors by name, float32."""

    weights: Mapping[str, Floats]

    @classmethod
    def load(cls, folder: Path = MODELS) -> RelationNetwork:
        """Return the network with the weights of a folder.

        Raises: ModelUnavailable if they are missing or belong to another network.
        """
        tensors, _ = read_weights(str(Path(folder).resolve() / WEIGHTS))
        return cls(require(tensors, TENSORS, WEIGHTS))

    def read(self, memory: Memory) -> Reading:
        """Return the sentences in the order chosen and the relation at each step.

        Raises: ValueError if there is no sentence.
        """
        if not memory.texts:
            raise ValueError("a memory of no sentence; expected one or more")
        elements = self._elements(memory)
        hidden = cell = np.zeros(elements.shape[1], np.float32)
        places: list[int] = []
        steps: list[Floats] = []
        hidden, cell = self._cell(elements.mean(axis=0), hidden, cell)
        for step in range(STEPS):
            query, attended = self._hops(elements, hidden)
            odds = elements @ (self.weights["point.weight"] @ query)
            odds[places[step - step % len(elements) :]] = -np.inf
            place = int(odds.argmax())
            places.append(place)
            hidden, cell = self._cell(elements[place], hidden, cell)
            state = np.concatenate([hidden, elements[place], attended])
            steps.append(
                softmax(self.weights["relation.weight"] @ state + self.weights["relation.bias"])
            )
        relations = np.stack(steps)
        return Reading(tuple(places), relations, relations.mean(axis=0))

    def _elements(self, memory: Memory) -> Floats:
        """Return the sentences of the memory as the network sees them, (n, h)."""
        w = self.weights
        rows = np.asarray(memory.rows, np.float32)
        shared = rows * memory.wording * np.sqrt(np.float32(rows.shape[1]))
        words = np.stack([word_vector(text, w["rarity"], w["words"]) for text in memory.texts])
        joined = np.concatenate([rows, shared, memory.told, words], axis=1)
        return np.maximum(joined @ w["inputs.weight"].T + w["inputs.bias"], 0)

    def _hops(self, elements: Floats, hidden: Floats) -> tuple[Floats, Floats]:
        """Return the query after all hops and the memory that it attended to last, (h,) each."""
        w = self.weights
        query = hidden
        attended = np.zeros_like(hidden)
        for _ in range(HOPS):
            odds = softmax(elements @ (w["attend.weight"] @ query))
            attended = odds @ elements
            query = np.tanh(w["hop.weight"] @ np.concatenate([query, attended]) + w["hop.bias"])
        return query, attended

    def _cell(self, entering: Floats, hidden: Floats, cell: Floats) -> tuple[Floats, Floats]:
        w = self.weights
        gates = (
            w["cell.weight_ih"] @ entering
            + w["cell.bias_ih"]
            + w["cell.weight_hh"] @ hidden
            + w["cell.bias_hh"]
        )
        enters, keeps, new, leaves = np.split(gates, 4)
        cell = sigmoid(keeps) * cell + sigmoid(enters) * np.tanh(new)
        return sigmoid(leaves) * np.tanh(cell), cell


def candidates(
    places: Sequence[int], decides: Floats, near: Floats, *, most: int = CANDIDATES
) -> list[int]:
    """Return up to ``most`` of the places, best first.

    By turns the most decisive and the nearest sentence.

    Shapes: ``decides`` and ``near`` (n,) of the whole article. Equal ones keep the article's
    order.
    """
    chosen: dict[int, None] = {}
    orders = [sorted(places, key=lambda i: (-scores[i], i)) for scores in (decides, near)]
    for pair in zip(*orders, strict=True):
        chosen.update(dict.fromkeys(pair))
    return list(chosen)[:most]


def measured(labels: Floats, same: Floats, near: Floats, decides: Floats, count: int) -> Floats:
    """Return the numbers that describe n sentences to the network, (n, MEASURED).

    The first ``len(labels)`` were read.

    ``labels`` (k, 3): probabilities that sentence and wording entail, leave open, contradict; ``same`` (k,): log-odds
    of the same claim; ``near`` (n,): cosines with the wording; ``decides`` (n,): how likely each decides the rating, 0
    for a sentence without its article. Columns of sentences that were not read are 0.
    """
    values = np.zeros((count, MEASURED), np.float32)
    k = len(labels)
    values[:k, :3] = np.maximum(np.log(np.maximum(labels, 1e-9)), LEAST_LOG) / -LEAST_LOG + 1
    values[:k, 3] = np.clip(np.nan_to_num(same), -2 * SAME_SCALE, 2 * SAME_SCALE) / SAME_SCALE
    values[:k, 4] = 1
    values[:, 5], values[:, 6] = near, decides
    return values


def calibrated(relation: Floats, temperature: float) -> Floats:
    """Return probabilities (3,) or (n, 3) whose logarithms were divided by a temperature (Guo et al. 2017)."""
    powers = np.maximum(relation, 1e-9) ** (1 / temperature)
    odds: Floats = (powers / powers.sum(axis=-1, keepdims=True)).astype(np.float32)
    return odds


def softmax(logits: Floats) -> Floats:
    """Return logits (k,) as probabilities."""
    powers = np.exp(logits - logits.max())
    odds: Floats = (powers / powers.sum()).astype(np.float32)
    return odds


def sigmoid(values: Floats) -> Floats:
    """Return 1 / (1 + exp(−x)) of each."""
    odds: Floats = (1 / (1 + np.exp(-values))).astype(np.float32)
    return odds
