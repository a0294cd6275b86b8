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
        entailment_pairs, same_claim_pairs = pairs
        labels = torch.tensor([pair.label for pair in entailment_pairs], device=self.device)
        logits = self.model(self.tokens(entailment_pairs))
        entailment_loss = SHARE * nn.functional.cross_entropy(logits, labels)
        entailment_loss.backward()
        target = torch.tensor([float(pair.label) for pair in same_claim_pairs], device=self.device)
        pooled = self.model.pooled(self.tokens(same_claim_pairs))
        odds = self.model.same(pooled).squeeze(-1)
        same_claim_loss = nn.functional.binary_cross_entropy_with_logits(odds, target)
        same_claim_loss = (1 - SHARE) * same_claim_loss
        same_claim_loss.backward()
        self.master.step(rate)
        return float(entailment_loss.detach() + same_claim_loss.detach())

    @torch.no_grad()
    def log_odds(self, pairs: Sequence[Pair], *, size: int = 64) -> Tensor:
        """Return the log-odds of the same claim of the pairs in their order, (n,)."""
        self.model.eval()
        lengths = [len(pair.premise) + len(pair.hypothesis) for pair in pairs]
        order = sorted(range(len(pairs)), key=lambda i: lengths[i])
        all_odds = torch.zeros(len(pairs))
        for start in range(0, len(order), size):
            indices = order[start : start + size]
            pooled = self.model.pooled(self.tokens([pairs[i] for i in indices]))
            all_odds[indices] = self.model.same(pooled).squeeze(-1).cpu()
        return all_odds


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
    # fp32 copies, made before bf16 rounds the weights that training starts from
    master = MasterWeights([p for p in model.parameters() if p.requires_grad])
    if precision == "bf16":
        model.trunk.bfloat16()
    hide_by_table(model.trunk, HIDDEN)
    tokenizer = AutoTokenizer.from_pretrained(packaged())
    return TwoHeadTrainer(model, tokenizer, device, master, max_length)


def paired(
    entailment_batches: list[list[Pair]], same_claim_batches: list[list[Pair]], steps: int
) -> list[Both]:
    """Return the batches of the steps; a task whose batches run out begins again."""
    return [
        (
            entailment_batches[i % len(entailment_batches)],
            same_claim_batches[i % len(same_claim_batches)],
        )
        for i in range(steps)
    ]
