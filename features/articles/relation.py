"""The network that chooses sentences one after another and says at each step how they stand to a wording, in arrays.

Source: Hidey et al. 2020. An LSTM walks over the memory: attention hops over all sentences make its query, the query
points at the next sentence, and state, sentence and attended memory give the step's relation. The relation of all is
the average over the steps. ``training/relation/network.py`` is its twin that learns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from features.articles.rating_sentences import Floats, words
from features.articles.relation_reading import Memory
from features.weights import MODELS

WEIGHTS = "relation.safetensors"
STEPS = 5
HOPS = 2


class RelationUnavailable(RuntimeError):
    """The weights are not there, or not those of this network; one line says which and what to do."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read. ``places`` (t,): the sentences in the order chosen, each again only after all others.

    ``steps`` (t, 3), the relation after each, and ``relation`` (3,), that of all: probabilities of ``RELATIONS``.
    """

    places: tuple[int, ...]
    steps: Floats
    relation: Floats


@dataclass(frozen=True, slots=True)
class RelationNetwork:
    """How an article stands to a wording. ``weights``: tensors by name, float32."""

    weights: Mapping[str, Floats]

    @classmethod
    def load(cls, folder: Path = MODELS) -> RelationNetwork:
        """Return the network whose weights lie in a folder.

        Raises: RelationUnavailable if they are not there or are another network's.
        """
        from safetensors.numpy import load_file

        path = Path(folder) / WEIGHTS
        if not path.is_file():
            raise RelationUnavailable(
                f"{WEIGHTS} is not in {folder}. Check out models/ again, or train it: training/relation/train.py."
            )
        tensors = {name: tensor.astype(np.float32) for name, tensor in load_file(path).items()}
        missing = {
            "words",
            "rarity",
            "inputs.weight",
            "cell.weight_ih",
            "hop.weight",
            "relation.weight",
        } - tensors.keys()
        if missing:
            raise RelationUnavailable(f"{path} has no tensor {min(missing)}. It is no file of training.relation.train.")
        return cls(tensors)

    def read(self, memory: Memory) -> Reading:
        """Return the sentences in the order chosen and the relation after each; nothing can be read of no sentence.

        Raises: ValueError if there is no sentence.
        """
        if not memory.texts:
            raise ValueError("a memory of no sentence; expected one or more")
        held = self._held(memory)
        hidden = cell = np.zeros(held.shape[1], np.float32)
        places: list[int] = []
        steps: list[Floats] = []
        hidden, cell = self._cell(held.mean(axis=0), hidden, cell)
        for step in range(STEPS):
            query, seen = self._hops(held, hidden)
            odds = held @ (self.weights["point.weight"] @ query)
            odds[places[step - step % len(held) :]] = -np.inf
            place = int(odds.argmax())
            places.append(place)
            hidden, cell = self._cell(held[place], hidden, cell)
            told = np.concatenate([hidden, held[place], seen])
            steps.append(softmax(self.weights["relation.weight"] @ told + self.weights["relation.bias"]))
        found = np.stack(steps)
        return Reading(tuple(places), found, found.mean(axis=0))

    def _held(self, memory: Memory) -> Floats:
        """Return the memory's elements, (n, h): what each sentence means, shares with the wording, says and is told."""
        w = self.weights
        rows = np.asarray(memory.rows, np.float32)
        shared = rows * memory.wording * np.sqrt(np.float32(rows.shape[1]))
        joined = np.concatenate([rows, shared, memory.told, self._words(memory.texts)], axis=1)
        return np.maximum(joined @ w["inputs.weight"].T + w["inputs.bias"], 0)

    def _words(self, texts: tuple[str, ...]) -> Floats:
        return np.stack([bag(text, self.weights["rarity"], self.weights["words"]) for text in texts])

    def _hops(self, held: Floats, hidden: Floats) -> tuple[Floats, Floats]:
        """Return the query after all hops and the memory that it attended to last, (h,) each."""
        w, query = self.weights, hidden
        seen = np.zeros_like(hidden)
        for _ in range(HOPS):
            odds = softmax(held @ (w["attend.weight"] @ query))
            seen = odds @ held
            query = np.tanh(w["hop.weight"] @ np.concatenate([query, seen]) + w["hop.bias"])
        return query, seen

    def _cell(self, told: Floats, hidden: Floats, cell: Floats) -> tuple[Floats, Floats]:
        w = self.weights
        gates = w["cell.weight_ih"] @ told + w["cell.bias_ih"] + w["cell.weight_hh"] @ hidden + w["cell.bias_hh"]
        enters, keeps, new, leaves = np.split(gates, 4)
        cell = sigmoid(keeps) * cell + sigmoid(enters) * np.tanh(new)
        return sigmoid(leaves) * np.tanh(cell), cell


def bag(text: str, rarity: Floats, vectors: Floats) -> Floats:
    """Return the sum of the vectors (BUCKETS, e) of a text's words, weighed (1 + log count)·rarity, length 1, (e,)."""
    found = words(text)
    buckets = np.fromiter(found, np.int64, len(found))
    values = (1 + np.log(np.fromiter(found.values(), np.float32, len(found)))) * rarity[buckets]
    length = np.sqrt((values * values).sum())
    summed: Floats = (values @ vectors[buckets] / (length if length else 1)).astype(np.float32)
    return summed


def softmax(logits: Floats) -> Floats:
    """Return logits (k,) as probabilities."""
    powers = np.exp(logits - logits.max())
    odds: Floats = (powers / powers.sum()).astype(np.float32)
    return odds


def sigmoid(values: Floats) -> Floats:
    """Return 1 / (1 + exp(−x)) of each."""
    found: Floats = (1 / (1 + np.exp(-values))).astype(np.float32)
    return found
