"""NLI, natural language inference: does a statement entail, leave open or contradict a sentence?

The premise is the verified statement, the hypothesis the input sentence. A fourth output says how
likely both make the same claim.

The embedded cross-encoder takes its word embeddings from the packaged MiniLM, and all else from
``models/nli.safetensors``. Its tensors are named as in transformers'
``BertForSequenceClassification`` (``bert.encoder.layer.0...``, ``bert.pooler.dense...``,
``classifier...``). If the card says ``pooling: mean``, they are named as in ``BertModel``
(``encoder.layer.0...``), with ``classifier...`` and an optional scalar head ``same...`` on the mean
of the last states. The card may also give ``labels`` (their order) and ``temperature`` (the labels'
logits are divided by it).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from features.models.batching import in_batches
from features.models.model_spec import EMBEDDED, Floats, ModelSpec, ModelUnavailable, Runner
from features.models.weight_files import read_card, read_weights

NLI_LABELS = ("entailment", "neutral", "contradiction")
LAST_LAYER_NORM_NAME = "encoder.layer.5.output.LayerNorm"  # the last layer of the embedded model
ROUNDING_LOG_ODDS = 0.01


class CrossEncoder:
    """Probabilities of the labels of text pairs and log-odds of the same claim, from one pass."""

    same_range = (-np.inf, np.inf)  # the lowest and the highest log-odds of `same` it can give

    def __init__(
        self, name: str, runner: Runner, labels: Sequence[str], temperature: float = 1.0
    ) -> None:
        missing = [label for label in NLI_LABELS if label not in labels]
        if missing:
            raise ModelUnavailable(
                f"the model {name} has the outputs {', '.join(labels)}, "
                f"but needs {', '.join(NLI_LABELS)}."
            )
        self.name = name
        self.runner = runner
        self.temperature = temperature
        self.digest = runner.digest
        self.columns = [list(labels).index(label) for label in NLI_LABELS]

    def read(
        self, premises: Sequence[str], hypotheses: Sequence[str], *, batch_size: int = 32
    ) -> tuple[Floats, Floats]:
        """Return the probabilities of the three labels (n, 3) and the log-odds of `same` (n,).

        The labels are entailment, neutral and contradiction. Same claim: a fact-check of the
        premise would settle the hypothesis. If either text is blank the probabilities are 0 and the
        log-odds NaN. They are NaN everywhere if the model has no such head, as those of the hub.
        """
        # Pairs with a blank text keep these values; only the others go through the network.
        probabilities = np.zeros((len(premises), len(NLI_LABELS)), np.float32)
        same_claim_log_odds = np.full(len(premises), np.nan, np.float32)
        nonblank_indices = []
        for index, (premise, hypothesis) in enumerate(zip(premises, hypotheses, strict=True)):
            if premise.strip() and hypothesis.strip():
                nonblank_indices.append(index)
        if not nonblank_indices:
            return probabilities, same_claim_log_odds
        nonblank_premises = [premises[index] for index in nonblank_indices]
        nonblank_hypotheses = [hypotheses[index] for index in nonblank_indices]
        tokens = self.runner.tokens(nonblank_premises, nonblank_hypotheses)
        for batch, outputs in in_batches(self.runner, tokens, batch_size):
            pair_indices = [nonblank_indices[index] for index in batch]
            # Logits in the order of NLI_LABELS, (b, 3); the second output, if any, is `same`, (b,).
            logits = outputs[0][:, self.columns]
            probabilities[pair_indices] = softmax(logits / self.temperature)
            if len(outputs) > 1:
                same_claim_log_odds[pair_indices] = outputs[1]
        return probabilities, same_claim_log_odds

    def probabilities(
        self, premises: Sequence[str], hypotheses: Sequence[str], *, batch_size: int = 32
    ) -> Floats:
        """Return the probabilities of entailment, neutral and contradiction, (n, 3).

        They are 0 if either text is blank.
        """
        probabilities, _ = self.read(premises, hypotheses, batch_size=batch_size)
        return probabilities


@lru_cache(maxsize=4)
def load_nli(spec: ModelSpec) -> CrossEncoder:
    """Return the cross-encoder of a spec, loaded once in a process.

    Raises: ModelUnavailable if its files are missing, or if it lacks one of the three classes.
    """
    if spec.name == EMBEDDED:
        if not spec.weights:
            raise ModelUnavailable(
                f"{EMBEDDED} needs a weights file to be a cross-encoder. "
                "Add the name of the file, for example nli.safetensors."
            )
        from features.models import onnx_minilm

        model_card = read_card(spec.weights)
        runner = onnx_minilm.cross_encoder_runner(spec.weights, spec.max_length)
        model_name = f"{spec.name}+{spec.weights}"
        labels = model_card.get("labels", NLI_LABELS)
        encoder = CrossEncoder(model_name, runner, labels, model_card.get("temperature", 1.0))
        encoder.same_range = same_claim_range(read_weights(spec.weights)[0])
        return encoder
    from features.models import torch_models

    torch_runner = torch_models.classifier_runner(spec.name, spec)
    return CrossEncoder(spec.name, torch_runner, torch_models.labels(torch_runner))


def same_claim_range(tensors: Mapping[str, Floats]) -> tuple[float, float]:
    """Return the lowest and the highest log-odds of `same` that these weights can give to any pair.

    The head is linear in the mean of the last states. Each of these is g ∘ z + b, where g and b are
    the weights of the last layer norm, and the d numbers of z have the mean 0 and the variance 1.
    So the head h gives h·b plus w·z with w = h ∘ g. As z has the length √d and no component along
    the mean of w, w·z lies within ‖w − mean(w)‖ √d of 0. Without these weights the range is
    unbounded.
    """
    needed_names = {"same.weight", f"{LAST_LAYER_NORM_NAME}.weight"}
    if not needed_names <= tensors.keys():
        return -np.inf, np.inf
    # All are (d,); the bias of the head is one number.
    head_weight = tensors["same.weight"].reshape(-1)
    head_bias = tensors["same.bias"].reshape(-1)[0]
    norm_weight = tensors[f"{LAST_LAYER_NORM_NAME}.weight"]
    norm_bias = tensors[f"{LAST_LAYER_NORM_NAME}.bias"]
    # A state after the layer norm is norm_weight * x + norm_bias, with x of mean 0 and length √d
    # at most. So the log-odds are combined_weight · x + middle_log_odds. By the inequality of
    # Cauchy and Schwarz, the product is √d times the length of the centred weights at most.
    middle_log_odds = float(head_weight @ norm_bias + head_bias)
    combined_weight = head_weight * norm_weight
    centred_weight_length = np.linalg.norm(combined_weight - combined_weight.mean())
    half_range = float(centred_weight_length * np.sqrt(len(combined_weight))) + ROUNDING_LOG_ODDS
    return middle_log_odds - half_range, middle_log_odds + half_range


def softmax(logits: Floats) -> Floats:
    """Return the logits of each row, (n, k), as probabilities."""
    # Subtracting the largest logit changes nothing but keeps exp from overflowing.
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)
