"""The embedded MiniLM in onnxruntime: exact float32, about twice torch's speed on a CPU."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Any

from features.models.onnx_graphs import (
    GRAPH_INPUT_NAMES,
    OnnxRunner,
    cached_graph,
    export,
    export_plain,
)
from features.models.torch_models import quiet
from features.models.weight_files import embedded_folder, file_digest, read_card, weights_path


@lru_cache(maxsize=4)
def embedded_runner(max_length: int) -> OnnxRunner:
    """Return the packaged MiniLM: states (b, t, d)."""
    folder = embedded_folder()
    digest = file_digest(folder / "model.safetensors")
    graph = cached_graph(digest[:16], lambda path: export(_encoder(folder), path, ("states",)))
    return OnnxRunner(graph, folder / "tokenizer.json", max_length, digest)


def embedded_graph() -> Path:
    """Return the packaged MiniLM as a graph that other runtimes read too.

    No operators of onnxruntime's own.
    """
    folder = embedded_folder()
    key = file_digest(folder / "model.safetensors")[:16] + "-plain"
    return cached_graph(key, lambda path: export_plain(_encoder(folder), path, ("states",)))


@lru_cache(maxsize=4)
def cross_encoder_runner(weights_file: str, max_length: int) -> OnnxRunner:
    """Return the packaged MiniLM with the layers and heads of a weights file.

    Logits (b, c), then each other head (b,).

    Raises: ModelUnavailable if the weights are missing.
    """
    folder = embedded_folder()
    joined_digests = file_digest(folder / "model.safetensors") + file_digest(
        weights_path(weights_file)
    )
    model_digest = hashlib.sha256(joined_digests.encode()).hexdigest()
    output_names = ("logits", *names_of_other_heads(weights_file))
    # The pooling is a part of the graph, but only the card names it.
    pooling = read_card(weights_file).get("pooling", "pooler")

    def export_to(path: Path) -> None:
        export(classifier(weights_file, attention="eager"), path, output_names)

    graph_key = "-".join((model_digest[:16], pooling, *output_names))
    graph_path = cached_graph(graph_key, export_to)
    return OnnxRunner(graph_path, folder / "tokenizer.json", max_length, model_digest)


def names_of_other_heads(weights: str) -> tuple[str, ...]:
    """Return the names of the heads that a weights file has beside its classifier.

    ``same`` or nothing.
    """
    from safetensors import safe_open

    with safe_open(weights_path(weights), framework="np") as tensors:
        return ("same",) if "same.weight" in tensors.keys() else ()  # noqa: SIM118


def _encoder(folder: Path, attention: str = "eager") -> Any:
    from transformers import BertModel

    with quiet():
        return BertModel.from_pretrained(
            folder, attn_implementation=attention, add_pooling_layer=False
        )


def classifier(weights_file: str, *, attention: str) -> Any:
    """Return the classifier in torch: embeddings of the package, the rest from the weights file.

    Logits first.

    Its card chooses the form: ``pooling: mean`` is linear heads on the mean of the last states,
    with tensors named as in ``BertModel``; anything else is ``BertForSequenceClassification``.
    """
    import torch
    from safetensors.torch import load_file
    from transformers import BertConfig, BertForSequenceClassification

    folder = embedded_folder()
    card = read_card(weights_file)
    labels = card.get("labels", ["entailment", "neutral", "contradiction"])
    trained_tensors = {
        name: tensor.to(torch.float32)
        for name, tensor in load_file(weights_path(weights_file)).items()
    }
    if card.get("pooling") == "mean":
        return _mean_classifier(_encoder(folder, attention), trained_tensors, len(labels))
    config = BertConfig.from_pretrained(
        folder, num_labels=len(labels), attn_implementation=attention
    )
    model = BertForSequenceClassification(config)
    # The packaged tensors that the model has, with the trained ones in their place.
    names_in_model = model.state_dict().keys()
    packaged_tensors = {}
    for name, tensor in load_file(folder / "model.safetensors").items():
        if f"bert.{name}" in names_in_model:
            packaged_tensors[f"bert.{name}"] = tensor
    model.load_state_dict(packaged_tensors | trained_tensors)
    return model.eval()


def _mean_classifier(trunk: Any, trained: dict[str, Any], labels: int) -> Any:
    """Return the trunk with linear heads on the mean of its last states.

    Logits (b, c) and, if trained, same (b,).
    """
    import torch
    from transformers.modeling_outputs import SequenceClassifierOutput

    class MeanClassifier(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.trunk = trunk
            self.classifier = torch.nn.Linear(trunk.config.hidden_size, labels)
            self.same = (
                torch.nn.Linear(trunk.config.hidden_size, 1) if "same.weight" in trained else None
            )

        def forward(
            self, input_ids: Any, attention_mask: Any, token_type_ids: Any, return_dict: bool = True
        ) -> Any:
            inputs = dict(
                zip(GRAPH_INPUT_NAMES, (input_ids, attention_mask, token_type_ids), strict=True)
            )
            states = self.trunk(**inputs, return_dict=False)[0]
            # The mean of the states without padding: (b, t, d), (b, t, 1) -> (b, d).
            mask = attention_mask.unsqueeze(-1).to(states.dtype)
            mean = (states * mask).sum(1) / mask.sum(1)
            logits = self.classifier(mean)
            if return_dict:
                return SequenceClassifierOutput(logits=logits)
            return (logits,) if self.same is None else (logits, self.same(mean).squeeze(-1))

    model = MeanClassifier()
    tensors = model.state_dict()
    for name, tensor in trained.items():
        is_head = name.startswith(("classifier.", "same."))
        tensors[name if is_head else f"trunk.{name}"] = tensor
    model.load_state_dict(tensors)
    return model.eval()
