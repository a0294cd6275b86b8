"""Gradient descent with a warm-up and a falling rate.

How the networks over sentences of articles are trained.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

import torch
from torch import Tensor, nn

WARM = 0.1  # of the steps, while the rate rises
Batch = TypeVar("Batch")


@dataclass(frozen=True, slots=True)
class Descent:
    """``epochs`` of so many ``steps`` in all.

    ``last``: the share of the highest rate that is left at the end.
    """

    epochs: int
    steps: int
    rate: float
    decay: float
    last: float = 0.0

    def train(
        self,
        network: nn.Module,
        batches: Callable[[], Iterable[Batch]],
        loss: Callable[[Batch], Tensor],
        after: Callable[[int], None] | None = None,
    ) -> None:
        """Train a network in place; ``after`` gets the number of each finished epoch."""
        optimiser = torch.optim.AdamW(network.parameters(), lr=self.rate, weight_decay=self.decay)
        step = 0
        for epoch in range(1, self.epochs + 1):
            network.train()
            for batch in batches():
                rising = min(1, (step + 1) / (WARM * self.steps))
                falling = max(self.last, 1 - step / self.steps)
                for group in optimiser.param_groups:
                    group["lr"] = self.rate * (rising * falling)
                optimiser.zero_grad()
                loss(batch).backward()
                torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
                optimiser.step()
                step += 1
            if after:
                after(epoch)
        network.eval()


def half(tensors: Iterable[tuple[str, Tensor]]) -> dict[str, Tensor]:
    """Return tensors as they ship: in fp16, on the processor."""
    return {name: tensor.detach().cpu().half().contiguous() for name, tensor in tensors}
