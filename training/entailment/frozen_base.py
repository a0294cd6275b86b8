"""The frozen base that entailment is compared with.

A logistic regression on the packaged MiniLM's sentence vectors.

It reads [u, v, |u - v|, u * v] of premise u and hypothesis v (Conneau et al. 2017, InferSent) and
learns from the same MultiNLI pairs as the cross-encoder; the strength of its penalty is chosen on
MultiNLI's matched development pairs.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.entailment.train import MAX_LENGTH
from training.shared.loaders import Pair, nli_pairs
from training.shared.resumable_vectors import kept, sbert

STRENGTHS = (1.0, 10.0, 100.0)
HELD_OUT = 2_000  # development pairs that the strength is chosen on
Vectors = Callable[[Sequence[str]], np.ndarray]  # texts to unit rows (n, d)


def joined(premises: np.ndarray, hypotheses: np.ndarray) -> NDArray[np.float32]:
    """Return the inputs of the regression for two vectors per pair: (n, d) twice → (n, 4d)."""
    u = np.asarray(premises, np.float32)
    v = np.asarray(hypotheses, np.float32)
    return np.hstack([u, v, np.abs(u - v), u * v])


class Base:
    """The regression; ``vectors`` are those of the frozen encoder."""

    def __init__(self, vectors: Vectors, learnt: Sequence[Pair], held_out: Sequence[Pair]) -> None:
        from sklearn.linear_model import LogisticRegression

        self.vectors = vectors
        training_inputs = self._inputs(learnt)
        training_labels = [pair.label for pair in learnt]
        held_out_inputs = self._inputs(held_out)
        held_out_labels = np.array([pair.label for pair in held_out])
        models = {}
        self.accuracies = {}
        for strength in STRENGTHS:
            regression = LogisticRegression(C=strength, max_iter=400)
            models[strength] = regression.fit(training_inputs, training_labels)
            predicted = models[strength].predict(held_out_inputs)
            self.accuracies[strength] = float((predicted == held_out_labels).mean())
        self.strength = max(STRENGTHS, key=lambda strength: self.accuracies[strength])
        self._model = models[self.strength]

    def labels(self, pairs: Sequence[Pair]) -> NDArray[np.intp]:
        """Return the label of each pair, (n,)."""
        return self._model.predict(self._inputs(pairs)).astype(np.intp)

    def _inputs(self, pairs: Sequence[Pair]) -> NDArray[np.float32]:
        texts = texts_of(pairs)
        index_by_text = {text: i for i, text in enumerate(texts)}
        vectors = self.vectors(texts)
        premises = vectors[[index_by_text[pair.premise] for pair in pairs]]
        hypotheses = vectors[[index_by_text[pair.hypothesis] for pair in pairs]]
        return joined(premises, hypotheses)


def texts_of(pairs: Sequence[Pair]) -> list[str]:
    """Return the different texts of pairs, sorted."""
    return sorted({text for pair in pairs for text in (pair.premise, pair.hypothesis)})


def frozen(work: Path) -> Vectors:
    """Return the frozen encoder; its vectors are kept in ``work``."""
    return lambda texts: kept(texts, work, f"sbert-{MAX_LENGTH}", sbert(MAX_LENGTH))


def base(data: Path, work: Path, *, seed: int) -> Base:
    """Return the regression learnt from the MultiNLI pairs at hand.

    Its vectors are kept in ``work``.
    """
    learnt = nli_pairs(data / "nli" / "mnli_train_merged.jsonl.gz", "mnli")
    matched = nli_pairs(data / "nli" / "mnli_dev_matched.jsonl.gz", "matched")
    return Base(frozen(work), learnt, random.Random(seed).sample(matched, HELD_OUT))
