"""all-mpnet-base-v2 with low-rank changes of its upper layers (Hu et al. 2022, LoRA), and its training.

A matrix W becomes W + scale * up · down. Only the factors, of some megabytes, and linear heads on
the mean of the last states are trained; the layers below keep no gradients and hide nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from training.entailment.table_dropout import hide_by_table
from training.entailment.two_heads import TwoHeadTrainer
from training.shared.classifier import Classifier, MasterWeights, Trainer, put

RANK = 16
SCALE = 2.0
FIRST_CHANGED_LAYER = 4  # the fifth of twelve
HIDDEN = 0.1  # the share that dropout hides


class LowRankLinear(nn.Module):
    """A fixed linear layer and the low-rank change beside it: ``down`` (r, i), ``up`` (o, r)."""

    def __init__(self, fixed: nn.Linear) -> None:
        super().__init__()
        self.fixed = fixed
        self.down = nn.Parameter(torch.randn(RANK, fixed.in_features) / fixed.in_features**0.5)
        self.up = nn.Parameter(torch.zeros(fixed.out_features, RANK))

    def forward(self, states: Tensor) -> Tensor:
        linear = nn.functional.linear
        return self.fixed(states) + SCALE * linear(linear(states, self.down), self.up)


class LowRankClassifier(Classifier):
    """The changed model with a head of labels and, if it is asked for, a scalar head ``same``."""

    def __init__(self, folder: Path, *, labels: int, has_same: bool) -> None:
        super().__init__(str(folder), labels=labels)
        self.trunk.requires_grad_(False)
        self.trunk.embeddings.dropout = nn.Identity()
        for number, layer in enumerate(self.trunk.encoder.layer):
            if number < FIRST_CHANGED_LAYER:
                _replace(layer, nn.Dropout, lambda _: nn.Identity())
            else:
                _replace(layer, nn.Linear, LowRankLinear)
        if has_same:
            self.same = nn.Linear(self.trunk.config.hidden_size, 1)


def _replace(layer: nn.Module, kind: type[nn.Module], make: Callable[[Any], nn.Module]) -> None:
    """Put what ``make`` returns in the place of every module of a kind inside a layer."""
    for parent in list(layer.modules()):
        for name, child in list(parent.named_children()):
            if isinstance(child, kind):
                setattr(parent, name, make(child))


def make_low_rank(
    folder: Path,
    *,
    labels: int,
    max_length: int,
    seed: int,
    has_same: bool = False,
    start: Mapping[str, Tensor] | None = None,
) -> Trainer:
    """Return a trainer in bf16 of the model in a folder, begun at ``start``, tensors named as they ship."""
    from transformers import AutoTokenizer

    torch.manual_seed(seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = LowRankClassifier(folder, labels=labels, has_same=has_same)
    put(model, start or {})
    model.to(device)
    # fp32 copies, made before bf16 rounds the weights that training starts from
    master = MasterWeights([p for p in model.parameters() if p.requires_grad])
    model.trunk.bfloat16()
    hide_by_table(model.trunk, HIDDEN)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    trainer = TwoHeadTrainer if has_same else Trainer
    return trainer(model, tokenizer, device, master, max_length)
