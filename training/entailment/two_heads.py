"""The cross-encoder with two heads on one trunk, three labels and "same claim", and its steps on both tasks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from training.entailment.table_dropout import hide_by_table
from training.shared.classifier import Classifier, MasterWeights, Trainer, packaged, put
from training.shared.loaders import LABELS, Pair

SHARE = 0.5  # of the loss that is NLI's; the rest is same claim's
HIDDEN = 0.1  # the share that dropout hides
Both = tuple[list[Pair], list[Pair]]  # a batch of each task


class TwoHeads(Classifier):
    """The classifier of three labels with a scalar head ``same`` beside it."""

    def __init__(self, folder: str) -> None:
        super().__init__(folder, labels=len(LABELS))
        self.same = nn.Linear(self.trunk.config.hidden_size, 1)


class TwoHeadTrainer(Trainer):
    """Trains both heads: a step reads one batch of each task and adds their losses in a fixed proportion."""

    def learn(self, pairs: Both, rate: float) -> float:  # type: ignore[override]  # a batch is one of each task
        """Take one step on a batch of each task; return their joint loss before it."""
        self.model.train()
        nli, same = pairs
        labels = torch.tensor([p.label for p in nli], device=self.device)
        loss = SHARE * nn.functional.cross_entropy(self.model(self.tokens(nli)), labels)
        loss.backward()
        wanted = torch.tensor([float(p.label) for p in same], device=self.device)
        odds = self.model.same(self.model.pooled(self.tokens(same))).squeeze(-1)
        other = (1 - SHARE) * nn.functional.binary_cross_entropy_with_logits(odds, wanted)
        other.backward()
        self.master.step(rate)
        return float(loss.detach() + other.detach())

    @torch.no_grad()
    def log_odds(self, pairs: Sequence[Pair], *, size: int = 64) -> Tensor:
        """Return the log-odds of the same claim of the pairs in their order, (n,)."""
        self.model.eval()
        order = sorted(
            range(len(pairs)), key=lambda i: len(pairs[i].premise) + len(pairs[i].hypothesis)
        )
        out = torch.zeros(len(pairs))
        for start in range(0, len(order), size):
            part = order[start : start + size]
            out[part] = (
                self.model.same(self.model.pooled(self.tokens([pairs[i] for i in part])))
                .squeeze(-1)
                .cpu()
            )
        return out


def make_two_heads(
    start: Path | None, *, max_length: int, seed: int, precision: str = "bf16"
) -> TwoHeadTrainer:
    """Return a trainer in bf16 or fp32 that begins at a weights file, or at the package where none is given.

    Which is the faster depends on the processor; the copies that are kept are fp32 in both.
    """
    from transformers import AutoTokenizer

    torch.manual_seed(seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = TwoHeads(packaged())
    if start:
        put(model, load_file(start))
    model.to(device)
    master = MasterWeights(
        [p for p in model.parameters() if p.requires_grad]
    )  # before bf16 rounds what it starts from
    if precision == "bf16":
        model.trunk.bfloat16()
    hide_by_table(model.trunk, HIDDEN)
    return TwoHeadTrainer(
        model, AutoTokenizer.from_pretrained(packaged()), device, master, max_length
    )


def paired(nli: list[list[Pair]], same: list[list[Pair]], steps: int) -> list[Both]:
    """Return the batches of the steps; a task whose batches run out begins again."""
    return [(nli[i % len(nli)], same[i % len(same)]) for i in range(steps)]
