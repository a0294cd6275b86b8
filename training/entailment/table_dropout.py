"""Table dropout: masks are slices of one table of random numbers, which halves the cost of fine-tuning on a CPU."""

from __future__ import annotations

import torch
from torch import Tensor, nn

TABLE = 1 << 22  # numbers; the largest layer output of a batch has under two million


class TableDropout(nn.Module):
    """Dropout whose mask is a slice of a table of zeros and of ones over the share that is kept."""

    def __init__(self, table: Tensor) -> None:
        super().__init__()
        self.table = table

    def forward(self, states: Tensor) -> Tensor:
        if not self.training:
            return states
        start = int(torch.randint(len(self.table) - states.numel(), (1,)))
        return states * self.table[start : start + states.numel()].view_as(states)


def hide_by_table(trunk: nn.Module, hidden: float) -> None:
    """Give every dropout of a trunk, BERT or MPNet, the same table; attention is left without."""
    table = ((torch.rand(TABLE) >= hidden) / (1 - hidden)).to(trunk.device, trunk.dtype)
    trunk.set_attn_implementation("eager")
    for parent in list(trunk.modules()):
        is_attention = hasattr(parent, "query") or hasattr(parent, "q")
        for name, child in list(parent.named_children()):
            if not isinstance(child, nn.Dropout):
                continue
            replacement = nn.Dropout(0.0) if is_attention else TableDropout(table)
            setattr(parent, name, replacement)
