"""The network that scores an article's sentences, in plain arrays: every sentence sees all others and the claim.

Source: Bekoulis et al. 2021, the evidence-aware model: a transformer encoder over the list of sentence vectors of one
claim. Here the vectors are frozen ones of MiniLM. ``training/evidence/network.py`` is its twin that learns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from features.articles.rating_sentences import CUES, Floats, cues, word_scores
from features.weights import MODELS

WEIGHTS = "evidence.safetensors"
HEADS = 4
EPSILON = np.float32(1e-5)
MEASURED = 8  # numbers a sentence that ``relations`` returns
ABOUT = CUES + MEASURED


class EvidenceUnavailable(RuntimeError):
    """The weights are not there, or not those of this network; one line says which and what to do."""


@dataclass(frozen=True, slots=True)
class EvidenceScorer:
    """Which sentences of an article decide its rating. ``weights``: tensors by name, float32.

    The network is the one of the file: as many layers as it holds, with attention where it has any.
    """

    weights: Mapping[str, Floats]

    @classmethod
    def load(cls, folder: Path = MODELS) -> EvidenceScorer:
        """Return the scorer whose weights lie in a folder.

        Raises: EvidenceUnavailable if they are not there or are another network's.
        """
        from safetensors.numpy import load_file

        path = Path(folder) / WEIGHTS
        if not path.is_file():
            raise EvidenceUnavailable(f"{WEIGHTS} is not in {folder}. Check out models/ again, or train it: training/.")
        tensors = {name: tensor.astype(np.float32) for name, tensor in load_file(path).items()}
        missing = {"inputs.weight", "claim.weight", "linear.words", "linear.meaning", "head.weight"} - tensors.keys()
        if missing:
            raise EvidenceUnavailable(
                f"{path} has no tensor {min(missing)}. It is no file that training.evidence.train wrote."
            )
        return cls(tensors)

    @property
    def width(self) -> int:
        """Return d, the length of the vectors that it reads."""
        return int(self.weights["claim.weight"].shape[1])

    def scores(self, claim_vector: Floats, sentence_vectors: Floats, texts: Sequence[str]) -> Floats:
        """Return for each sentence of a whole article, in order, the probability that it decides the rating, (n,).

        Shapes: claim (d,), sentences (n, d), unit rows of any float type, n texts. A blank sentence has 0 and does not
        change the others. Which sentences stand around a sentence counts: give the article, not a selection of it.
        Raises: ValueError if the shapes do not fit.
        """
        claim = np.asarray(claim_vector, np.float32)
        rows = np.asarray(sentence_vectors, np.float32)
        if claim.shape != (self.width,) or (len(rows) and rows.shape[1:] != claim.shape) or len(rows) != len(texts):
            raise ValueError(
                f"claim {claim.shape}, sentences {rows.shape} and {len(texts)} texts; "
                f"expected ({self.width},), (n, {self.width}) and n texts"
            )
        found = np.zeros(len(texts), np.float32)
        kept = [i for i, text in enumerate(texts) if text.strip()]
        if kept:
            rows, read = rows[kept], [texts[i] for i in kept]
            told = about(claim, rows, read)
            first = self.linear(claim, rows, read, told)
            states = self._elements(claim, rows, told, first)
            for layer in range(self._layers()):
                states = self._layer(states, f"layers.{layer}.")
            states = self._norm(states[1:], "norm.")
            logits = first + states @ self.weights["head.weight"][0] + self.weights["head.bias"][0]
            found[kept] = 1 / (1 + np.exp(-logits))
        return found

    def _layers(self) -> int:
        return len({name.split(".")[1] for name in self.weights if name.startswith("layers.")})

    def linear(self, claim: Floats, rows: Floats, texts: Sequence[str], told: Floats) -> Floats:
        """Return the first reading of each sentence of an article without blank ones, linear in all it is told, (n,).

        Its words and its neighbours' words, what it means and shares with the claim, and what ``about`` returns.
        """
        w = self.weights
        own, for_next, for_last = word_scores(texts, w["linear.rarity"], w["linear.words"])
        own[1:] += for_next[:-1]
        own[:-1] += for_last[1:]
        meaning = rows @ (w["linear.meaning"][0] + w["linear.meaning"][1] * claim)
        found: Floats = own + meaning + told @ w["linear.about"] + w["linear.bias"][0]
        return found

    def _elements(self, claim: Floats, rows: Floats, told: Floats, first: Floats) -> Floats:
        """Return the claim and the sentences as the elements of one list, (1 + n, h)."""
        w = self.weights
        joined = np.concatenate([pairs(claim, rows), told, first[:, None]], axis=1)
        start = w["claim.weight"] @ claim + w["claim.bias"]
        return np.concatenate([start[None], joined @ w["inputs.weight"].T + w["inputs.bias"]])

    def _layer(self, states: Floats, name: str) -> Floats:
        """Return the states after one pre-norm layer: attention where the layer has it, then two linear maps."""
        w = self.weights
        if f"{name}attention.weight" in w:
            mixed = self._attention(self._norm(states, f"{name}before."), name)
            states = states + mixed @ w[f"{name}joined.weight"].T + w[f"{name}joined.bias"]
        hidden = self._norm(states, f"{name}after.") @ w[f"{name}wide.weight"].T + w[f"{name}wide.bias"]
        return states + np.maximum(hidden, 0) @ w[f"{name}narrow.weight"].T + w[f"{name}narrow.bias"]

    def _attention(self, states: Floats, name: str) -> Floats:
        n, width = states.shape
        joined = states @ self.weights[f"{name}attention.weight"].T + self.weights[f"{name}attention.bias"]
        asks, keys, values = joined.reshape(n, 3, HEADS, width // HEADS).transpose(1, 2, 0, 3)  # each (heads, n, h')
        odds = asks @ keys.transpose(0, 2, 1) / np.sqrt(np.float32(width // HEADS))
        odds = np.exp(odds - odds.max(axis=-1, keepdims=True))
        odds /= odds.sum(axis=-1, keepdims=True)
        return (odds @ values).transpose(1, 0, 2).reshape(n, width)

    def _norm(self, states: Floats, name: str) -> Floats:
        centred = states - states.mean(axis=-1, keepdims=True)
        scale = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + EPSILON)
        return centred / scale * self.weights[f"{name}weight"] + self.weights[f"{name}bias"]


def pairs(claim: Floats, rows: Floats) -> Floats:
    """Return [c; s; |c − s|; c ∘ s] for each sentence s, (n, 4d); products are scaled to the size of the others."""
    same = np.broadcast_to(claim, rows.shape)
    return np.concatenate([same, rows, np.abs(same - rows), same * rows * np.sqrt(rows.shape[1])], axis=1).astype(
        np.float32
    )


def about(claim: Floats, rows: Floats, texts: Sequence[str]) -> Floats:
    """Return the cues of the sentences of an article and their relations to the claim, (n, ABOUT)."""
    return np.concatenate([cues(texts), relations(claim, rows)], axis=1)


def relations(claim: Floats, rows: Floats) -> Floats:
    """Return (n, MEASURED) about each sentence's meaning in its article, from unit rows.

    The cosine with the claim, that less the article's best, the share of sentences nearer to the claim, the cosine with
    the article's mean; then the cosine of the sentence before it with the claim and with it, and of the one after.
    """
    near = rows @ claim
    middle = rows.mean(axis=0)
    length = np.linalg.norm(middle)
    beside = (rows[1:] * rows[:-1]).sum(axis=1)
    nearer = (near[None] > near[:, None]).mean(axis=1)
    about = [near, near - near.max(), nearer, rows @ (middle / (length if length else 1))]
    before = [np.append(0, near[:-1]), np.append(0, beside)]
    after = [np.append(near[1:], 0), np.append(beside, 0)]
    return np.stack([*about, *before, *after], axis=1).astype(np.float32)
