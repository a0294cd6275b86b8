"""The re-ranker: a cross-encoder that reads a pair again, with the speaker, the claimant and what was said before.

The first cross-encoder (``features.models.nli``) reads statement and sentence alone, because it
reads most pairs. This one reads the few that the list would show. Its labels are what a reader of
the pair would say (docs/guide.md): the fact-check settles the sentence, settles it in part, or
does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from features.models.batching import in_batches
from features.models.model_spec import Floats, Runner
from features.models.weight_files import read_card

WEIGHTS = "reranker.safetensors"
LABELS = ("no", "part", "settled")
BEFORE = 40  # words of what was said before that are read at most, those nearest to the sentence
READ = (
    90  # words of it and of the sentence together, so that the end of the sentence is never cut off
)
MARK = "*"
# Of the log-odds. One pair in a hundred is surer than 1.5, and alerts live on a low bound: a pair
# that even the surest reading cannot make likely is not read.
RANGE = (-5.0, 1.5)


def claim_text(statement: str, claimant: str | None) -> str:
    """Return a verified claim as the re-ranker reads it: who made it, and the statement."""
    return f"{claimant}: {statement}" if claimant else statement


def spoken_text(sentence: str, before: Sequence[str], speaker: str | None) -> str:
    """Return a sentence as the re-ranker reads it.

    The speaker, the last words said before, the sentence marked.
    """
    room = min(BEFORE, max(0, READ - len(sentence.split())))
    words = " ".join(before).split()[-room:] if room else []
    return " ".join((*([f"{speaker}:"] if speaker else []), *words, MARK, sentence, MARK))


class Reranker:
    """Log-odds of pairs: the fact-check settles what is said, and it settles at least a part of it."""

    def __init__(self, runner: Runner, labels: Sequence[str]) -> None:
        self.runner = runner
        self.digest = runner.digest
        self.columns = [list(labels).index(label) for label in LABELS]

    def read(self, claims: Sequence[str], spoken: Sequence[str], *, batch_size: int = 32) -> Floats:
        """Return (n, 2): the log-odds of settled, and of settled wholly or in part, each within ``RANGE``.

        The texts are those of ``claim_text`` and ``spoken_text``.
        """
        odds = np.zeros((len(claims), 2), np.float32)
        if len(claims):
            for rows, outputs in in_batches(
                self.runner, self.runner.tokens(claims, spoken), batch_size
            ):
                odds[rows] = log_odds(outputs[0][:, self.columns])
        return odds


def log_odds(logits: Floats) -> Floats:
    """Return the log-odds of settled, and of settled or in part, (n, 2), from the logits of ``LABELS`` (n, 3)."""
    no, part, settled = np.asarray(logits, np.float64).T
    odds = np.stack((settled - np.logaddexp(no, part), np.logaddexp(settled, part) - no), axis=1)
    return np.clip(odds, *RANGE)


@lru_cache(maxsize=8)
def load(weights: str = WEIGHTS) -> Reranker:
    """Return the re-ranker of a weights file, loaded once in a process.

    Raises: ModelUnavailable if its files are missing.
    """
    from features.models import onnx_minilm

    card = read_card(weights)
    return Reranker(onnx_minilm.cross_encoder_runner(weights, card["max_length"]), card["labels"])
