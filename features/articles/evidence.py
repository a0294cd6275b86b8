"""Evidence sentences: which sentences of a fact-checking article decide its rating, scored without torch.

Every sentence sees all others and the claim: a transformer encoder over frozen MiniLM vectors.
An article of more than ``WINDOW_SENTENCES`` is read in overlapping windows, so that memory and time are bounded.
``training.evidence.network`` is its twin that learns.
Source: Bekoulis, Papagiannopoulou and Deligiannis, Understanding the Impact of Evidence-Aware Sentence Selection for
Fact Checking, NLP4IF 2021.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from features.articles.hashed_words import word_scores
from features.articles.rating_sentences import body_end, is_bare_rating
from features.models.encoders import load_encoder
from features.models.model_spec import EMBEDDED, Floats, ModelSpec
from features.models.weight_files import MODELS, read_weights, require

WEIGHTS = "evidence.safetensors"
TENSORS = ("inputs.weight", "claim.weight", "linear.words", "linear.meaning", "head.weight")
HEADS = 4
EPSILON = np.float32(1e-5)
WINDOW_SENTENCES = (
    512  # read at a time: the longest of 19,250 PolitiFact articles has 406 sentences
)
STEP_SENTENCES = 256  # from the start of one window to the start of the next
KNOTS = 8  # evenly spaced positions from the beginning of the body to its end
CUES = 11 + KNOTS  # columns of ``cues``
MEASURED = 8  # columns of ``relations``
ABOUT = CUES + MEASURED
NEAR = 20  # sentences: beyond this distance from either end of the body, positions are not distinguished
_FIGURE = re.compile(r"\d")
_QUOTE = re.compile(r"[\"“”]")


def select_evidence(claim: str, sentences: Sequence[str], k: int) -> list[tuple[int, float]]:
    """Return the ``k`` sentences of an article that most likely decide the claim's rating, best first.

    Each is (index, score): indices count from 0 in ``sentences``, scores are probabilities, equal
    ones keep the article's order. Blank sentences are never returned, so there may be fewer than
    ``k``. Encodes all texts; a caller that has the vectors already saves nearly all of the time
    with ``EvidenceScorer``. Raises: ValueError if k is negative, ModelUnavailable if the models
    are not installed.
    """
    if k < 0:
        raise ValueError(f"k is {k}; expected 0 or more sentences")
    filled = [i for i, text in enumerate(sentences) if text.strip()]
    if not filled or not k:
        return []
    vectors = load_encoder(ModelSpec(EMBEDDED)).encode([claim, *sentences])
    scores = _shipped().scores(vectors[0], vectors[1:], sentences)
    order = sorted(filled, key=lambda i: (-scores[i], i))
    return [(i, float(scores[i])) for i in order[:k]]


@dataclass(frozen=True, slots=True)
class EvidenceScorer:
    """Scores how likely each sentence of an article decides its rating.

    ``weights``: tensors by name, float32.

    The weights determine the shape of the network: the number of layers, and whether a layer has
    attention.
    """

    weights: Mapping[str, Floats]

    @classmethod
    def load(cls, folder: Path = MODELS) -> EvidenceScorer:
        """Return the scorer with the weights of a folder.

        Raises: ModelUnavailable if they are missing or belong to another network.
        """
        tensors, _ = read_weights(str(Path(folder).resolve() / WEIGHTS))
        return cls(require(tensors, TENSORS, WEIGHTS))

    @property
    def width(self) -> int:
        """Return d, the length of the vectors that it reads."""
        return int(self.weights["claim.weight"].shape[1])

    def scores(
        self, claim_vector: Floats, sentence_vectors: Floats, texts: Sequence[str]
    ) -> Floats:
        """Return for each sentence of a whole article, in order, the probability that it decides the rating, (n,).

        Shapes: claim (d,), sentences (n, d), unit rows of any float type, n texts. A blank
        sentence scores 0 and does not change the others. Context counts: pass the whole article,
        not a selection of its sentences. Raises: ValueError if the shapes do not fit.
        """
        claim = np.asarray(claim_vector, np.float32)
        rows = np.asarray(sentence_vectors)
        if (
            claim.shape != (self.width,)
            or (len(rows) and rows.shape[1:] != claim.shape)
            or len(rows) != len(texts)
        ):
            raise ValueError(
                f"claim {claim.shape}, sentences {rows.shape} and {len(texts)} texts; "
                f"expected ({self.width},), (n, {self.width}) and n texts"
            )
        scores = np.zeros(len(texts), np.float32)
        filled = [i for i, text in enumerate(texts) if text.strip()]
        if len(filled) == len(texts):
            filled_rows = rows
        else:
            filled_rows = rows[filled]
        if filled:
            scores[filled] = self._scores(claim, filled_rows, [texts[i] for i in filled])
        return scores

    def _scores(self, claim: Floats, rows: Floats, texts: Sequence[str]) -> Floats:
        # Cues and linear scores see the whole article, (n, ABOUT) and (n,).
        cue_values = about(claim, rows, texts)
        linear_scores = self.linear(claim, rows, texts, cue_values)
        # Attention sees one window at a time; each sentence is scored in one window.
        scores = np.zeros(len(texts), np.float32)
        for window in windows(len(texts)):
            inside = slice(window.start, window.end)
            window_rows = np.asarray(rows[inside], np.float32)
            window_scores = self._window_scores(
                claim, window_rows, cue_values[inside], linear_scores[inside]
            )
            scored = slice(window.scored_start - window.start, window.scored_end - window.start)
            scores[window.scored_start : window.scored_end] = window_scores[scored]
        return scores

    def _window_scores(
        self, claim: Floats, rows: Floats, cue_values: Floats, first: Floats
    ) -> Floats:
        states = self._elements(claim, rows, cue_values, first)
        for layer in range(self._layers()):
            states = self._layer(states, f"layers.{layer}.")
        states = self._norm(states[1:], "norm.")
        logits = first + states @ self.weights["head.weight"][0] + self.weights["head.bias"][0]
        scores: Floats = 1 / (1 + np.exp(-logits))
        return scores

    def _layers(self) -> int:
        return len({name.split(".")[1] for name in self.weights if name.startswith("layers.")})

    def linear(
        self, claim: Floats, rows: Floats, texts: Sequence[str], cue_values: Floats
    ) -> Floats:
        """Return the linear score of each sentence of an article without blank ones, (n,).

        It adds up the words of the sentence and of its neighbours, its meaning, what it shares with the claim, and
        ``cue_values``, which ``about`` returns.
        """
        w = self.weights
        own, for_next, for_last = word_scores(texts, w["linear.rarity"], w["linear.words"])
        own[1:] += for_next[:-1]
        own[:-1] += for_last[1:]
        direction = w["linear.meaning"][0] + w["linear.meaning"][1] * claim
        meaning = np.concatenate([block @ direction for block in _blocks(rows)])
        scores: Floats = own + meaning + cue_values @ w["linear.about"] + w["linear.bias"][0]
        return scores

    def _elements(self, claim: Floats, rows: Floats, cue_values: Floats, first: Floats) -> Floats:
        """Return the claim and the sentences as the elements of one list, (1 + n, h)."""
        w = self.weights
        joined = np.concatenate([pairs(claim, rows), cue_values, first[:, None]], axis=1)
        start = w["claim.weight"] @ claim + w["claim.bias"]
        return np.concatenate([start[None], joined @ w["inputs.weight"].T + w["inputs.bias"]])

    def _layer(self, states: Floats, name: str) -> Floats:
        """Return the states after one pre-norm layer.

        Attention where the layer has it, then two linear maps.
        """
        w = self.weights
        if f"{name}attention.weight" in w:
            mixed = self._attention(self._norm(states, f"{name}before."), name)
            states = states + mixed @ w[f"{name}joined.weight"].T + w[f"{name}joined.bias"]
        hidden = (
            self._norm(states, f"{name}after.") @ w[f"{name}wide.weight"].T + w[f"{name}wide.bias"]
        )
        return (
            states + np.maximum(hidden, 0) @ w[f"{name}narrow.weight"].T + w[f"{name}narrow.bias"]
        )

    def _attention(self, states: Floats, name: str) -> Floats:
        n, width = states.shape
        joined = (
            states @ self.weights[f"{name}attention.weight"].T
            + self.weights[f"{name}attention.bias"]
        )
        queries, keys, values = joined.reshape(n, 3, HEADS, width // HEADS).transpose(
            1, 2, 0, 3
        )  # (heads, n, h') each
        odds = queries @ keys.transpose(0, 2, 1) / np.sqrt(np.float32(width // HEADS))
        odds = np.exp(odds - odds.max(axis=-1, keepdims=True))
        odds /= odds.sum(axis=-1, keepdims=True)
        return (odds @ values).transpose(1, 0, 2).reshape(n, width)

    def _norm(self, states: Floats, name: str) -> Floats:
        centred = states - states.mean(axis=-1, keepdims=True)
        scale = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + EPSILON)
        return centred / scale * self.weights[f"{name}weight"] + self.weights[f"{name}bias"]


class Window(NamedTuple):
    """A range of sentences that see each other, and the range within it that takes its scores from this window."""

    start: int
    end: int
    scored_start: int
    scored_end: int


def windows(count: int) -> list[Window]:
    """Split an article of ``count`` sentences into overlapping windows; a short article is one window.

    The scored ranges follow each other and cover every sentence once. Two windows share out their overlap at its
    middle, so that a scored sentence has context on both sides.
    """
    starts = [*range(0, count - WINDOW_SENTENCES, STEP_SENTENCES), max(count - WINDOW_SENTENCES, 0)]
    article_windows = []
    scored_start = 0
    for number, start in enumerate(starts, start=1):
        end = min(start + WINDOW_SENTENCES, count)
        scored_end = end
        if number < len(starts):
            scored_end = (starts[number] + end) // 2
        article_windows.append(Window(start, end, scored_start, scored_end))
        scored_start = scored_end
    return article_windows


@lru_cache(maxsize=1)
def _shipped() -> EvidenceScorer:
    return EvidenceScorer.load()


def pairs(claim: Floats, rows: Floats) -> Floats:
    """Return [c; s; |c − s|; c ∘ s] for each sentence s, (n, 4d).

    Products are scaled to the size of the others.
    """
    same = np.broadcast_to(claim, rows.shape)
    return np.concatenate(
        [same, rows, np.abs(same - rows), same * rows * np.sqrt(rows.shape[1])], axis=1
    ).astype(np.float32)


def about(claim: Floats, rows: Floats, texts: Sequence[str]) -> Floats:
    """Return the cues of an article's sentences and their relations to the claim, (n, ABOUT)."""
    return np.concatenate([cues(texts), relations(claim, rows)], axis=1)


def cues(texts: Sequence[str]) -> Floats:
    """Return (n, CUES) numbers from 0 to 1 about the form and the position of an article's sentences, in order.

    Positions are counted to the end of the body, since not every copy of an article has its
    closing summary; all of a summary counts as the end of the body. The last ``KNOTS`` columns say
    how far down the body a sentence is, each 1 at one of as many evenly spaced positions.
    """
    end = body_end(texts)
    values = np.zeros((len(texts), CUES), np.float32)
    for i, text in enumerate(texts):
        size = len(text.split())
        values[i, :-KNOTS] = (
            min(size, 60) / 60,
            size < 5,
            _FIGURE.search(text) is not None,
            _QUOTE.search(text) is not None,
            text.rstrip().endswith("?"),
            text.lstrip().startswith("("),
            min(i, NEAR) / NEAR,
            min(max(end - 1 - i, 0), NEAR) / NEAR,
            i == end - 1,
            is_bare_rating(text),
            min(end, 100) / 100,
        )
    down = np.minimum(np.arange(len(texts)) / max(end - 1, 1), 1)[:, None] * (KNOTS - 1)
    values[:, -KNOTS:] = np.maximum(1 - np.abs(down - np.arange(KNOTS)), 0)
    return values


def relations(claim: Floats, rows: Floats) -> Floats:
    """Return (n, MEASURED) about each sentence's meaning within its article, from unit rows.

    The cosine with the claim, that less the article's best, the share of sentences nearer to the
    claim, the cosine with the article's mean; then the cosine of the sentence before it with the
    claim and with it, and of the one after.
    """
    near = np.concatenate([block @ claim for block in _blocks(rows)])
    # The article's mean, (d,): the means of blocks, weighted by their share of the sentences.
    middle = np.zeros(len(claim), np.float32)
    for block in _blocks(rows):
        middle += block.mean(axis=0) * np.float32(len(block) / len(rows))
    length = np.linalg.norm(middle)
    if length:
        middle = middle / length
    central = np.concatenate([block @ middle for block in _blocks(rows)])
    # The cosine of each sentence with the one after it, (n - 1,).
    block_pairs = zip(_blocks(rows[1:]), _blocks(rows[:-1]), strict=True)
    beside = np.concatenate([(after * before).sum(axis=1) for after, before in block_pairs])
    # The share of sentences nearer to the claim, (n,), by rank: all pairs would take (n, n).
    not_nearer = np.searchsorted(np.sort(near), near, side="right")
    nearer = (len(near) - not_nearer) / len(near)
    alone = [near, near - near.max(), nearer, central]
    before = [np.append(0, near[:-1]), np.append(0, beside)]
    after = [np.append(near[1:], 0), np.append(beside, 0)]
    return np.stack([*alone, *before, *after], axis=1).astype(np.float32)


def _blocks(rows: Floats) -> Iterator[Floats]:
    """Yield vectors (n, d) of any float type as float32 in blocks; a single empty block if there are none."""
    for start in range(0, max(len(rows), 1), WINDOW_SENTENCES):
        yield np.asarray(rows[start : start + WINDOW_SENTENCES], np.float32)
