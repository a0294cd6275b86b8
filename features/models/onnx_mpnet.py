"""A classifier on all-mpnet-base-v2 with a low-rank change (Hu et al. 2022, LoRA), in products of bytes.

The weights file has, for each changed matrix W (o, i), the factors ``down`` (r, i) and ``up``
(o, r). What runs is W + scale * up · down, so that the change costs no time.
"""

from __future__ import annotations

import hashlib
import shutil
from functools import lru_cache
from pathlib import Path
from typing import Any

from features.models.model_spec import ModelUnavailable
from features.models.mpnet_package import MPNET_SHA256, TOKENIZER_NAME, mpnet_folder
from features.models.onnx_graphs import OnnxRunner, cached_graph, export_in_bytes
from features.models.torch_models import quiet
from features.models.weight_files import file_digest, read_card, weights_path

DOWN, UP = ".down", ".up"
HEAD = "classifier."


@lru_cache(maxsize=8)
def low_rank_runner(weights_file: str, max_length: int) -> OnnxRunner:
    """Return the model with the low-rank change and the head of a weights file: logits (b, c).

    The model is unpacked only if no cached graph has these weights.

    Raises: ModelUnavailable if the model or the weights are missing.
    """
    model_digest = low_rank_digest(weights_file)

    def export_to(graph_path: Path) -> None:
        with mpnet_folder() as folder:
            shutil.copyfile(folder / TOKENIZER_NAME, graph_path.with_name(TOKENIZER_NAME))
            export_in_bytes(low_rank_classifier(folder, weights_file), graph_path, ("logits",))

    graph_path = cached_graph(f"{model_digest[:16]}-mpnet-bytes", export_to)
    tokenizer_path = graph_path.with_name(TOKENIZER_NAME)
    return OnnxRunner(graph_path, tokenizer_path, max_length, model_digest)


def low_rank_digest(weights_file: str) -> str:
    """Return a digest of the model and of the weights file that changes it.

    Raises: ModelUnavailable if the weights are missing.
    """
    joined_digests = MPNET_SHA256 + file_digest(weights_path(weights_file))
    return hashlib.sha256(joined_digests.encode()).hexdigest()


def low_rank_classifier(folder: Path, weights_file: str) -> Any:
    """Return the model of a folder in torch, changed by a weights file: logits (b, c)."""
    import torch
    from safetensors.torch import load_file
    from transformers import MPNetModel

    with quiet():
        trunk = MPNetModel.from_pretrained(
            folder, add_pooling_layer=False, attn_implementation="eager"
        )
    tensors = {
        name: tensor.float() for name, tensor in load_file(weights_path(weights_file)).items()
    }
    head = torch.nn.Linear(trunk.config.hidden_size, len(read_card(weights_file)["labels"]))
    head.load_state_dict({name: tensors.pop(HEAD + name) for name in ("weight", "bias")})
    _change(trunk, tensors, read_card(weights_file)["scale"])

    class MeanClassifier(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.trunk = trunk
            self.classifier = head

        def forward(
            self,
            input_ids: Any,
            attention_mask: Any,
            token_type_ids: Any,
            return_dict: bool = False,
        ) -> Any:
            states = self.trunk(input_ids, attention_mask, return_dict=False)[0]
            # The mean of the states without padding: (b, t, d), (b, t, 1) -> (b, d).
            mask = attention_mask.unsqueeze(-1).to(states.dtype)
            mean = (states * mask).sum(1) / mask.sum(1)
            return (self.classifier(mean),)

    return MeanClassifier().eval()


def _change(trunk: Any, factors: dict[str, Any], scale: float) -> None:
    """Add the low-rank products to the matrices of a model that they are named after."""
    import torch

    parameters = dict(trunk.named_parameters())
    with torch.no_grad():
        for name, down in factors.items():
            if not name.endswith(DOWN):
                continue
            matrix_name = name.removesuffix(DOWN)
            matrix = parameters.get(f"{matrix_name}.weight")
            up = factors.get(matrix_name + UP)
            if matrix is None or up is None:
                raise ModelUnavailable(f"the weights file changes {matrix_name}, which it cannot.")
            matrix += scale * up @ down
