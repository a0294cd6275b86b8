"""Re-rankers: cross-encoders that read a pair with its speaker, its claimant and its context.

The first cross-encoder (``features.models.nli``) reads statement and sentence alone, because it
reads most pairs. The re-ranker reads the few that the list would show, and a larger one reads the
best of these again; the mean of their log-odds counts. Their labels are what a reader of the pair
would say (docs/research/annotation-guidelines.md): the fact-check settles the sentence, settles it
in part, or does not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

import numpy as np

from features.models.batching import in_batches
from features.models.model_spec import Floats, Runner
from features.models.weight_files import EMBEDDED_RERANKER, read_card

RERANKER_WEIGHTS_FILE = "reranker.safetensors"
LARGE_WEIGHTS_FILE = "large/reranker.safetensors"
LABELS = ("no", "part", "settled")
MAX_CONTEXT_WORDS = 40  # words before the sentence that are read at most, the nearest ones
MAX_WORDS_READ = (
    90  # words before and in the sentence, so that the end of the sentence is never cut off
)
SENTENCE_MARK = "*"
# Of the log-odds. One pair in a hundred is surer than 1.5, and alerts live on a low bound: a pair
# that even the surest reading cannot make likely is not read.
LOG_ODDS_RANGE = (-5.0, 1.5)
# Log-odds of settled or in part, by the first re-ranker, from which the larger one reads a pair too.
LARGE_READING = -1.5


def claim_text(statement: str, claimant: str | None) -> str:
    """Return a verified claim as the re-ranker reads it: who made it, and the statement."""
    return f"{claimant}: {statement}" if claimant else statement


def spoken_text(sentence: str, earlier_sentences: Sequence[str], speaker: str | None) -> str:
    """Return a sentence as the re-ranker reads it: speaker, last words before, marked sentence."""
    sentence_length = len(sentence.split())
    context_length = min(MAX_CONTEXT_WORDS, max(0, MAX_WORDS_READ - sentence_length))
    text_parts = []
    if speaker:
        text_parts.append(f"{speaker}:")
    if context_length:
        text_parts += " ".join(earlier_sentences).split()[-context_length:]
    text_parts += [SENTENCE_MARK, sentence, SENTENCE_MARK]
    return " ".join(text_parts)


class Reranker(Protocol):
    """Log-odds that a fact-check settles a sentence, and that it settles at least a part of it."""

    digest: str

    def read(self, claims: Sequence[str], spoken_texts: Sequence[str]) -> Floats:
        """Return the log-odds of settled, and of settled wholly or in part, (n, 2).

        Both are within ``LOG_ODDS_RANGE``. ``claim_text`` and ``spoken_text`` make the texts.
        """
        ...


class SingleReranker:
    """One cross-encoder. Implements ``Reranker``."""

    def __init__(self, runner: Runner, labels: Sequence[str]) -> None:
        self.runner = runner
        self.digest = runner.digest
        self.columns = [list(labels).index(label) for label in LABELS]

    def read(
        self, claims: Sequence[str], spoken_texts: Sequence[str], *, batch_size: int = 32
    ) -> Floats:
        """Return the log-odds of settled, and of settled wholly or in part, (n, 2).

        Both are within ``LOG_ODDS_RANGE``. The texts are those of ``claim_text`` and ``spoken_text``.
        """
        pair_log_odds = np.zeros((len(claims), 2), np.float32)
        if not len(claims):
            return pair_log_odds
        tokens = self.runner.tokens(claims, spoken_texts)
        for pair_indices, outputs in in_batches(self.runner, tokens, batch_size):
            pair_log_odds[pair_indices] = log_odds(outputs[0][:, self.columns])
        return pair_log_odds


def log_odds(logits: Floats) -> Floats:
    """Return the log-odds of settled, and of settled or in part, (n, 2).

    ``logits`` (n, 3) are those of ``LABELS``.
    """
    # log(P(settled) / (P(no) + P(part))) = settled - log(e^no + e^part), (n,) each.
    no, part, settled = np.asarray(logits, np.float64).T
    settled_odds = settled - np.logaddexp(no, part)
    settled_or_part_odds = np.logaddexp(settled, part) - no
    return np.clip(np.stack((settled_odds, settled_or_part_odds), axis=1), *LOG_ODDS_RANGE)


class JointReranker:
    """Two re-rankers of which the larger one reads the best pairs. Implements ``Reranker``."""

    def __init__(self, first: Reranker, larger: Reranker) -> None:
        self.first = first
        self.larger = larger
        joined_digests = f"{first.digest} {larger.digest} {LARGE_READING}"
        self.digest = hashlib.sha256(joined_digests.encode()).hexdigest()

    def read(self, claims: Sequence[str], spoken_texts: Sequence[str]) -> Floats:
        """Return the log-odds (n, 2) of the first re-ranker, or the mean where both read a pair."""
        pair_log_odds = self.first.read(claims, spoken_texts)
        is_read_again = pair_log_odds[:, 1] >= LARGE_READING
        positions = np.flatnonzero(is_read_again).tolist()
        larger_log_odds = self.larger.read(
            [claims[position] for position in positions],
            [spoken_texts[position] for position in positions],
        )
        pair_log_odds[positions] = (pair_log_odds[positions] + larger_log_odds) / 2
        return pair_log_odds


def load(name: str = EMBEDDED_RERANKER) -> Reranker:
    """Return the re-ranker that a profile names: the embedded one, or both as one.

    Raises: ModelUnavailable if files of it are missing.
    """
    embedded = load_single(RERANKER_WEIGHTS_FILE)
    if name == EMBEDDED_RERANKER:
        return embedded
    return JointReranker(embedded, load_single(LARGE_WEIGHTS_FILE))


@lru_cache(maxsize=16)
def load_single(weights: str) -> SingleReranker:
    """Return the re-ranker of a weights file, loaded once in a process.

    Its card says which model the weights belong to.

    Raises: ModelUnavailable if its files are missing.
    """
    from features.models import onnx_minilm, onnx_mpnet

    card = read_card(weights)
    make_runner = onnx_minilm.cross_encoder_runner
    if card.get("scale"):
        make_runner = onnx_mpnet.low_rank_runner
    return SingleReranker(make_runner(weights, card["max_length"]), card["labels"])
