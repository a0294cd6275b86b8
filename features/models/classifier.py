"""A classifier of single texts on the embedded MiniLM: texts in, one probability per label out.

The weights file is under ``models/``; its card names the labels, the pooling, the temperature by
which logits are divided, and the longest text in tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from features.models.batching import in_batches
from features.models.model_spec import Floats, Runner
from features.models.nli import softmax
from features.models.weight_files import read_card


class TextClassifier:
    """Probabilities of the labels of a text. ``digest`` identifies its weights."""

    def __init__(self, runner: Runner, labels: Sequence[str], temperature: float = 1.0) -> None:
        self.runner = runner
        self.labels = tuple(labels)
        self.temperature = temperature
        self.digest = runner.digest

    def probabilities(self, texts: Sequence[str], *, batch_size: int = 64) -> Floats:
        """Return (n, labels), each row summing to 1.

        Rows depend on the batch by less than 1e-5.
        """
        odds = np.zeros((len(texts), len(self.labels)), np.float32)
        if len(texts):
            for rows, outputs in in_batches(self.runner, self.runner.tokens(texts), batch_size):
                odds[rows] = softmax(outputs[0] / np.float32(self.temperature))
        return odds


@lru_cache(maxsize=4)
def load_classifier(weights: str) -> TextClassifier:
    """Return the classifier of a weights file, loaded once in a process.

    Raises: ModelUnavailable if its file is missing.
    """
    from features.models import onnx_minilm

    card = read_card(weights)
    runner = onnx_minilm.cross_encoder_runner(weights, card.get("max_length", 128))
    return TextClassifier(runner, card["labels"], card.get("temperature", 1.0))
