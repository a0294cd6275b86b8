"""Evidence sentences: the sentences of a fact-checking article that decide its rating.

They are scored without torch. Every sentence sees all others and the claim: a transformer encoder
over frozen MiniLM vectors. An article of more than ``WINDOW_SENTENCES`` is read in overlapping
windows, so that memory and time are bounded. ``training.evidence.model`` is its trainable twin.
Source: Bekoulis, Papagiannopoulou and Deligiannis, Understanding the Impact of Evidence-Aware
Sentence Selection for Fact Checking, NLP4IF 2021.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from features.articles.hashed_words import word_scores
from features.articles.rating_sentences import body_end, is_bare_rating
from features.models.encoders import load_encoder
from features.models.model_spec import EMBEDDED, Floats, ModelSpec
from features.models.weight_files import MODELS, read_weights, require

EVIDENCE_WEIGHTS_FILE = "evidence.safetensors"
TENSOR_NAMES = ("inputs.weight", "claim.weight", "linear.words", "linear.meaning", "head.weight")
ATTENTION_HEADS = 4
VARIANCE_EPSILON = np.float32(1e-5)
WINDOW_SENTENCES = 512  # the longest of 19,250 PolitiFact articles has 406 sentences
STEP_SENTENCES = 256  # distance between the starts of two windows
POSITION_KNOTS = 8  # evenly spaced positions from the beginning of the body to its end
CUE_COLUMNS = 11 + POSITION_KNOTS  # columns of ``cues``
RELATION_COLUMNS = 8  # columns of ``relations``
INPUT_COLUMNS = CUE_COLUMNS + RELATION_COLUMNS
MAX_COUNTED_WORDS = 60  # a longer sentence counts as this long
FEW_WORDS = 5
MAX_COUNTED_LENGTH = 100  # sentences; a longer article counts as this long
MAX_COUNTED_SENTENCES = (
    20  # sentences from either end of the body; beyond them, positions are not distinguished
)
_DIGIT_PATTERN = re.compile(r"\d")
_QUOTATION_MARK_PATTERN = re.compile(r"[\"“”]")


def select_evidence(claim: str, sentences: Sequence[str], k: int) -> list[tuple[int, float]]:
    """Return the ``k`` sentences of an article that most likely decide the claim's rating.

    The best comes first. Each is (index, score): indices count from 0 in ``sentences``, scores are
    probabilities, and equal ones keep the article's order. Blank sentences are never returned, so
    there may be fewer than ``k``. This encodes all texts; a caller that has the vectors already
    saves nearly all of the time with ``EvidenceScorer``. Raises: ValueError if k is negative,
    ModelUnavailable if the models are not installed.
    """
    if k < 0:
        raise ValueError(f"the number of sentences (k) is {k}, but must be 0 or more")
    nonblank_indices = [index for index, text in enumerate(sentences) if text.strip()]
    if not nonblank_indices or not k:
        return []
    vectors = load_encoder(ModelSpec(EMBEDDED)).encode([claim, *sentences])
    claim_vector = vectors[0]
    sentence_vectors = vectors[1:]
    scores = _shipped_scorer().scores(claim_vector, sentence_vectors, sentences)
    # The highest score first, the earlier one of equal scores
    best_first = sorted(nonblank_indices, key=lambda index: (-scores[index], index))
    return [(index, float(scores[index])) for index in best_first[:k]]


@dataclass(frozen=True, slots=True)
class EvidenceScorer:
    """Scorer of how likely each sentence of an article decides its rating.

    ``weights``: tensors by name, float32. They determine the shape of the network: the number of
    layers, and whether a layer has attention.
    """

    weights: Mapping[str, Floats]

    @classmethod
    def load(cls, folder: Path = MODELS) -> EvidenceScorer:
        """Return the scorer with the weights of a folder.

        Raises: ModelUnavailable if they are missing or belong to another network.
        """
        tensors, _ = read_weights(str(Path(folder).resolve() / EVIDENCE_WEIGHTS_FILE))
        return cls(require(tensors, TENSOR_NAMES, EVIDENCE_WEIGHTS_FILE))

    @property
    def width(self) -> int:
        """Return d, the length of its input vectors."""
        return int(self.weights["claim.weight"].shape[1])

    def scores(
        self, claim_vector: Floats, sentence_vectors: Floats, sentences: Sequence[str]
    ) -> Floats:
        """Return the probability that each sentence of a whole article decides the rating, (n,).

        Shapes: claim (d,), sentences (n, d), unit rows of any float type, n texts. A blank
        sentence scores 0 and does not change the others. Context counts: pass the whole article,
        not a selection of its sentences. Raises: ValueError if the shapes do not fit.
        """
        claim = np.asarray(claim_vector, np.float32)
        sentence_rows = np.asarray(sentence_vectors)
        claim_fits_model = claim.shape == (self.width,)
        sentences_fit_claim = len(sentence_rows) == 0 or sentence_rows.shape[1:] == claim.shape
        has_vector_per_sentence = len(sentence_rows) == len(sentences)
        if not (claim_fits_model and sentences_fit_claim and has_vector_per_sentence):
            raise ValueError(
                f"expected a claim of shape ({self.width},), sentences of shape (n, {self.width}) "
                f"and n texts, but got a claim of shape {claim.shape}, "
                f"sentences of shape {sentence_rows.shape} and {len(sentences)} texts"
            )
        scores = np.zeros(len(sentences), np.float32)
        nonblank_indices = [index for index, sentence in enumerate(sentences) if sentence.strip()]
        if len(nonblank_indices) < len(sentences):
            sentence_rows = sentence_rows[nonblank_indices]
        if nonblank_indices:
            nonblank_sentences = [sentences[index] for index in nonblank_indices]
            scores[nonblank_indices] = self._filled_scores(claim, sentence_rows, nonblank_sentences)
        return scores

    def _filled_scores(
        self, claim_vector: Floats, sentence_vectors: Floats, sentences: Sequence[str]
    ) -> Floats:
        """Return the scores of the sentences of an article without blank ones, (n,)."""
        # Cues and linear scores see the whole article, (n, INPUT_COLUMNS) and (n,).
        cue_values = sentence_inputs(claim_vector, sentence_vectors, sentences)
        linear_scores = self.linear(claim_vector, sentence_vectors, sentences, cue_values)
        # Attention sees one window at a time; each sentence is scored in one window.
        scores = np.zeros(len(sentences), np.float32)
        for window in windows(len(sentences)):
            window_range = slice(window.start, window.end)
            window_vectors = np.asarray(sentence_vectors[window_range], np.float32)
            window_scores = self._window_scores(
                claim_vector, window_vectors, cue_values[window_range], linear_scores[window_range]
            )
            # The scored sentences, counted from the beginning of the window.
            scored_range = slice(
                window.scored_start - window.start, window.scored_end - window.start
            )
            scores[window.scored_start : window.scored_end] = window_scores[scored_range]
        return scores

    def _window_scores(
        self,
        claim_vector: Floats,
        sentence_vectors: Floats,
        cue_values: Floats,
        linear_scores: Floats,
    ) -> Floats:
        """Return the scores of the sentences of one window, (n,)."""
        states = self._input_states(claim_vector, sentence_vectors, cue_values, linear_scores)
        for layer in range(self._layer_count()):
            states = self._layer(states, f"layers.{layer}.")
        # The network corrects the linear score: logit = linear + state · head + bias, (n,),
        # without the claim's state.
        sentence_states = self._norm(states[1:], "norm.")
        correction = sentence_states @ self.weights["head.weight"][0]
        logits = linear_scores + correction + self.weights["head.bias"][0]
        scores: Floats = 1 / (1 + np.exp(-logits))  # logits to probabilities
        return scores

    def _layer_count(self) -> int:
        layers = {name.split(".")[1] for name in self.weights if name.startswith("layers.")}
        return len(layers)

    def linear(
        self,
        claim_vector: Floats,
        sentence_vectors: Floats,
        sentences: Sequence[str],
        cue_values: Floats,
    ) -> Floats:
        """Return the linear score of each sentence of an article without blank ones, (n,).

        It adds up the words of the sentence and of its neighbours, its meaning, its similarity to
        the claim, and ``cue_values``, which ``sentence_inputs`` returns.
        """
        weights = self.weights
        # The words of a sentence count for itself, for the next sentence and for the one before.
        # Each has its own weights: (3, n).
        word_scores_of_sentence, score_for_next, score_for_previous = word_scores(
            sentences, weights["linear.rarity"], weights["linear.words"]
        )
        word_scores_of_sentence[1:] += score_for_next[:-1]
        word_scores_of_sentence[:-1] += score_for_previous[1:]
        # The meaning s counts with a vector u, and its product with the claim with v: s·(u + v ∘ c).
        direction = weights["linear.meaning"][0] + weights["linear.meaning"][1] * claim_vector
        meaning_score = _products_by_block(sentence_vectors, direction)
        cue_scores = cue_values @ weights["linear.about"]
        scores: Floats = (
            word_scores_of_sentence + meaning_score + cue_scores + weights["linear.bias"][0]
        )
        return scores

    def _input_states(
        self, claim: Floats, vectors: Floats, cue_values: Floats, linear_scores: Floats
    ) -> Floats:
        """Return the states that enter the first layer: of the claim, then of each sentence.

        Shape (1 + n, h).
        """
        # One state for the claim, (h,), and one per sentence from its pair, cues and linear score,
        # (n, h).
        claim_state = self.weights["claim.weight"] @ claim + self.weights["claim.bias"]
        inputs = [pairs(claim, vectors), cue_values, linear_scores[:, None]]
        sentence_states = self._linear_map(np.concatenate(inputs, axis=1), "inputs.")
        return np.concatenate([claim_state[None], sentence_states])

    def _layer(self, states: Floats, prefix: str) -> Floats:
        """Return the states after one pre-norm layer: attention, if it has any, and two maps."""
        # ``states`` (1 + n, h): of the claim and of each sentence. ``prefix``: such as "layers.0.".
        if f"{prefix}attention.weight" in self.weights:
            normalised = self._norm(states, f"{prefix}before.")
            attention_output = self._attention(normalised, prefix)
            # The heads of the attention are joined by a linear map, and added to the states.
            joined_heads = attention_output @ self.weights[f"{prefix}joined.weight"].T
            states = states + joined_heads + self.weights[f"{prefix}joined.bias"]
        # The feed-forward net: to the inner width, ReLU, and back, added to the states.
        normalised = self._norm(states, f"{prefix}after.")
        hidden = self._linear_map(normalised, f"{prefix}wide.")
        activated = np.maximum(hidden, 0)
        feed_forward_output = activated @ self.weights[f"{prefix}narrow.weight"].T
        return states + feed_forward_output + self.weights[f"{prefix}narrow.bias"]

    def _linear_map(self, states: Floats, prefix: str) -> Floats:
        return states @ self.weights[f"{prefix}weight"].T + self.weights[f"{prefix}bias"]

    def _attention(self, states: Floats, prefix: str) -> Floats:
        """Return for each element the values of all elements, weighted by attention, (n, h)."""
        state_count, width = states.shape
        head_width = width // ATTENTION_HEADS
        # One map gives queries, keys and values, (n, 3 h). Divided: (heads, n, head width) each.
        projected = self._linear_map(states, f"{prefix}attention.")
        projected_by_head = projected.reshape(state_count, 3, ATTENTION_HEADS, head_width)
        queries, keys, values = projected_by_head.transpose(1, 2, 0, 3)
        # The softmax of the scaled products of queries and keys, (heads, n, n), per query. The
        # greatest product is subtracted, so that no exponential overflows.
        attention_weights = queries @ keys.transpose(0, 2, 1) / np.sqrt(np.float32(head_width))
        attention_weights = np.exp(
            attention_weights - attention_weights.max(axis=-1, keepdims=True)
        )
        attention_weights /= attention_weights.sum(axis=-1, keepdims=True)
        # The weighted values, (heads, n, head width), with the heads put side by side again.
        weighted_values = attention_weights @ values
        return weighted_values.transpose(1, 0, 2).reshape(state_count, width)

    def _norm(self, states: Floats, prefix: str) -> Floats:
        """Return the states with the mean 0 and the variance 1 each, then scaled and shifted."""
        centred = states - states.mean(axis=-1, keepdims=True)
        scale = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + VARIANCE_EPSILON)
        return centred / scale * self.weights[f"{prefix}weight"] + self.weights[f"{prefix}bias"]


class SentenceWindow(NamedTuple):
    """A range of sentences that see each other, and the range within it that is scored in it."""

    start: int
    end: int
    scored_start: int
    scored_end: int


def windows(sentence_count: int) -> list[SentenceWindow]:
    """Split an article into overlapping windows of sentences, a short one into one window.

    The scored ranges follow each other and cover every sentence once. Two windows divide their
    overlap at its middle, so that a scored sentence has context on both sides.
    """
    # The last window ends with the article.
    last_start = max(sentence_count - WINDOW_SENTENCES, 0)
    window_starts = [*range(0, last_start, STEP_SENTENCES), last_start]
    window_ends = [min(start + WINDOW_SENTENCES, sentence_count) for start in window_starts]
    # Two windows divide their overlap: of the windows 0 to 512 and 256 to 768, the first one
    # scores the sentences before 384, the second one the others.
    overlap_middles = []
    for end, next_start in zip(window_ends[:-1], window_starts[1:], strict=True):
        overlap_middles.append((next_start + end) // 2)
    scored_starts = [0, *overlap_middles]
    scored_ends = [*overlap_middles, sentence_count]
    window_ranges = zip(window_starts, window_ends, scored_starts, scored_ends, strict=True)
    return [SentenceWindow(*ranges) for ranges in window_ranges]


@lru_cache(maxsize=1)
def _shipped_scorer() -> EvidenceScorer:
    return EvidenceScorer.load()


def pairs(claim: Floats, vectors: Floats) -> Floats:
    """Return [c; s; |c − s|; c ∘ s] for each sentence s, (n, 4d).

    The products are scaled by √d to the size of the other numbers.
    """
    # The claim beside every sentence, (n, d), without copying it.
    claims = np.broadcast_to(claim, vectors.shape)
    differences = np.abs(claims - vectors)
    products = claims * vectors * np.sqrt(vectors.shape[1])
    return np.concatenate([claims, vectors, differences, products], axis=1).astype(np.float32)


def sentence_inputs(claim: Floats, vectors: Floats, texts: Sequence[str]) -> Floats:
    """Return the cues of an article's sentences and their relations to the claim, (n, INPUT_COLUMNS)."""
    return np.concatenate([cues(texts), relations(claim, vectors)], axis=1)


def cues(sentences: Sequence[str]) -> Floats:
    """Return numbers from 0 to 1 about the form and position of each sentence, (n, CUE_COLUMNS).

    Positions are counted to the end of the body, since not every copy of an article has its
    closing summary; all of a summary counts as the end of the body. The last ``POSITION_KNOTS`` columns say
    how far down the body a sentence is, each 1 at one of as many evenly spaced positions.
    """
    body_length = body_end(sentences)  # in sentences, without a closing summary
    last_position = body_length - 1
    cue_values = np.zeros((len(sentences), CUE_COLUMNS), np.float32)
    for position, sentence in enumerate(sentences):
        word_count = len(sentence.split())
        sentences_to_end = max(last_position - position, 0)
        cue_values[position, :-POSITION_KNOTS] = (
            _share_of(word_count, MAX_COUNTED_WORDS),
            word_count < FEW_WORDS,
            _DIGIT_PATTERN.search(sentence) is not None,
            _QUOTATION_MARK_PATTERN.search(sentence) is not None,
            sentence.rstrip().endswith("?"),
            sentence.lstrip().startswith("("),
            _share_of(position, MAX_COUNTED_SENTENCES),
            _share_of(sentences_to_end, MAX_COUNTED_SENTENCES),
            position == last_position,
            is_bare_rating(sentence),
            _share_of(body_length, MAX_COUNTED_LENGTH),
        )
    cue_values[:, -POSITION_KNOTS:] = _knot_columns(len(sentences), last_position)
    return cue_values


def _knot_columns(sentence_count: int, last_position: int) -> Floats:
    """Return how near each sentence is to evenly spaced positions (knots) of the body, (n, knots).

    At a knot, its column is 1. Between two knots, their two columns add up to 1.
    """
    # The share of the body before each sentence, (n,), and the same counted in knots, (n, 1).
    share_of_body = np.minimum(np.arange(sentence_count) / max(last_position, 1), 1)
    depth_in_knots = share_of_body[:, None] * (POSITION_KNOTS - 1)
    distance_to_knots = np.abs(depth_in_knots - np.arange(POSITION_KNOTS))
    return np.maximum(1 - distance_to_knots, 0)


def _share_of(count: int, limit: int) -> float:
    """Return a count as a share of a limit, 1 above the limit."""
    return min(count, limit) / limit


def relations(claim: Floats, sentence_vectors: Floats) -> Floats:
    """Return each sentence's meaning within its article, from unit rows, (n, RELATION_COLUMNS).

    The columns are the cosine with the claim, that cosine minus the article's highest, the share
    of sentences nearer to the claim, and the cosine with the article's mean. Then come the cosines
    of the sentence before with the claim and with this sentence, and of the sentence after.
    """
    claim_cosines = _products_by_block(sentence_vectors, claim)
    mean_cosines = _products_by_block(sentence_vectors, _mean_direction(sentence_vectors))
    next_cosines = _cosines_with_next(sentence_vectors)
    columns = [
        claim_cosines,
        claim_cosines - claim_cosines.max(),
        _share_above(claim_cosines),
        mean_cosines,
        # The sentence before, 0 for the first sentence.
        np.append(0, claim_cosines[:-1]),
        np.append(0, next_cosines),
        # The sentence after, 0 for the last sentence.
        np.append(claim_cosines[1:], 0),
        np.append(next_cosines, 0),
    ]
    return np.stack(columns, axis=1).astype(np.float32)


def _mean_direction(sentence_vectors: Floats) -> Floats:
    """Return the mean of vectors (n, d) at length 1, (d,), or zeros if the mean is zero."""
    # Block by block, because the vectors may be a mapped file; each block counts by its size.
    mean_vector = np.zeros(sentence_vectors.shape[1], np.float32)
    for block in _blocks(sentence_vectors):
        block_share = np.float32(len(block) / len(sentence_vectors))
        mean_vector += block.mean(axis=0) * block_share
    mean_length = np.linalg.norm(mean_vector)
    if mean_length:
        mean_vector = mean_vector / mean_length
    return mean_vector


def _cosines_with_next(vectors: Floats) -> Floats:
    """Return the cosine of each of n unit vectors with the one after it, (n - 1,)."""
    block_pairs = zip(_blocks(vectors[:-1]), _blocks(vectors[1:]), strict=True)
    cosines = [(following * block).sum(axis=1) for block, following in block_pairs]
    return np.concatenate(cosines)


def _share_above(values: Floats) -> NDArray[np.float64]:
    """Return for each value (n,) the share of values that are greater.

    It is counted by rank, because comparing all pairs would take (n, n).
    """
    # How many values are not greater than each one, (n,), itself included.
    count_up_to = np.searchsorted(np.sort(values), values, side="right")
    share: NDArray[np.float64] = (len(values) - count_up_to) / len(values)
    return share


def _products_by_block(vectors: Floats, direction: Floats) -> Floats:
    """Return the product of each vector (n, d) with a direction (d,), block by block, (n,)."""
    return np.concatenate([block @ direction for block in _blocks(vectors)])


def _blocks(vectors: Floats) -> Iterator[Floats]:
    """Yield vectors (n, d) of any float type as float32 in blocks, or one empty block."""
    for start in range(0, max(len(vectors), 1), WINDOW_SENTENCES):
        yield np.asarray(vectors[start : start + WINDOW_SENTENCES], np.float32)
