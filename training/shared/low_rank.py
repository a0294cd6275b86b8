"""LoRA: low-rank adapters beside the linear layers of a frozen network, for fine-tuning with few weights.

Source: Hu et al. 2021, section 4.1.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

SCALE = 2.0  # of the product beside the layer: alpha / r of the paper


class LowRank(nn.Module):
    """A frozen linear layer and, added to it, the product of two thin matrices, which is trained.

    W x + b + s · B A x. A is drawn and B is zero at the start, so training begins with the layer's own output.
    """

    def __init__(self, layer: nn.Linear, rank: int) -> None:
        super().__init__()
        self.layer = layer.requires_grad_(False)
        self.down = nn.Parameter(torch.randn(rank, layer.in_features) * layer.in_features**-0.5)
        self.up = nn.Parameter(torch.zeros(layer.out_features, rank))

    def forward(self, states: Tensor) -> Tensor:
        return self.layer(states) + SCALE * nn.functional.linear(nn.functional.linear(states, self.down), self.up)


def adapt(network: nn.Module, rank: int) -> None:
    """Freeze a network and give each of its linear layers an adapter of this rank."""
    network.requires_grad_(False)
    children = [(parent, name, child) for parent in network.modules() for name, child in parent.named_children()]
    for parent, name, child in children:
        if isinstance(child, nn.Linear):
            setattr(parent, name, LowRank(child, rank))
