"""A sequence classifier on all-MiniLM-L6-v2 and its training, which entailment and check-worthiness share.

Word and position embeddings stay as the package ships them; six layers, the token-type embeddings
and a linear head on the mean of the last states are learnt, in bf16 with fp32 copies. Everything
random follows a seed, and a run that was stopped goes on from its last checkpoint.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from features.models.batching import readable
from training.shared import cards
from training.shared.loaders import Pair


class Classifier(nn.Module):
    """A BERT trunk with a linear head on the mean of its last states.

    Tensors are named as in BertModel.
    """

    def __init__(self, folder: str, *, pooling: str = "mean", labels: int) -> None:
        from transformers import AutoModel

        super().__init__()
        self.trunk = AutoModel.from_pretrained(folder, add_pooling_layer=False)
        self.dropout = nn.Dropout(0.1)
        self.classifier = nn.Linear(self.trunk.config.hidden_size, labels)
        self.pooling = pooling
        embeddings = self.trunk.embeddings
        for fixed in (embeddings.word_embeddings, embeddings.position_embeddings):
            fixed.requires_grad_(False)

    def pooled(self, tokens: dict[str, Tensor]) -> Tensor:
        """Return what the heads read, (b, 384), with dropout while training."""
        states = self.trunk(**tokens).last_hidden_state.float()
        if self.pooling == "cls":
            return self.dropout(states[:, 0])
        mask = tokens["attention_mask"].unsqueeze(-1)
        return self.dropout((states * mask).sum(1) / mask.sum(1))

    def forward(self, tokens: dict[str, Tensor]) -> Tensor:
        return self.classifier(self.pooled(tokens))


class MasterWeights:
    """AdamW on fp32 copies of parameters that compute in bf16.

    Twice autocast's speed on a CPU, the same learning.
    """

    def __init__(self, parameters: Sequence[Tensor]) -> None:
        self.parameters = list(parameters)
        self.copies = [p.detach().float().clone().requires_grad_() for p in self.parameters]
        decayed = [c for c in self.copies if c.dim() > 1]
        plain = [c for c in self.copies if c.dim() == 1]
        groups = [{"params": decayed, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}]
        self.optimizer = torch.optim.AdamW(groups, fused=True)

    def step(self, rate: float) -> None:
        """Move the copies along the gradients, then the parameters to the copies."""
        for copy, parameter in zip(self.copies, self.parameters, strict=True):
            copy.grad = parameter.grad.float()
            parameter.grad = None
        torch.nn.utils.clip_grad_norm_(self.copies, 1.0)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.publish()

    def publish(self) -> None:
        """Write the copies into the parameters."""
        with torch.no_grad():
            for copy, parameter in zip(self.copies, self.parameters, strict=True):
                parameter.copy_(copy)


def batches(pairs: Sequence[Pair], *, size: int, seed: int) -> list[list[Pair]]:
    """Return batches of pairs of similar length, each fifty sorted and shuffled among themselves."""
    rng = random.Random(seed)
    all_batches = []
    for start in range(0, len(pairs), size * 50):
        block = pairs[start : start + size * 50]
        by_length = sorted(block, key=lambda pair: len(pair.premise) + len(pair.hypothesis))
        block_batches = [by_length[i : i + size] for i in range(0, len(by_length), size)]
        rng.shuffle(block_batches)
        all_batches.extend(block_batches)
    return all_batches


@dataclass
class Trainer:
    """A model under training with its tokenizer, its optimiser and the device it runs on."""

    model: Classifier
    tokenizer: Any
    device: torch.device
    master: MasterWeights
    max_length: int

    def tokens(self, pairs: Sequence[Pair]) -> dict[str, Tensor]:
        """Return the padded tokens of the pairs, or of single texts if no pair has a hypothesis."""
        premises = readable([pair.premise for pair in pairs], self.max_length)
        hypotheses = None
        if any(pair.hypothesis for pair in pairs):
            hypotheses = readable([pair.hypothesis for pair in pairs], self.max_length)
        tokens = self.tokenizer(
            premises,
            hypotheses,
            padding=True,
            truncation=True,
            max_length=self.max_length,
            return_tensors="pt",
        )
        return {name: tensor.to(self.device) for name, tensor in tokens.items()}

    def learn(self, pairs: Sequence[Pair], rate: float) -> float:
        """Take one step on the pairs; return their loss before it."""
        self.model.train()
        labels = torch.tensor([p.label for p in pairs], device=self.device)
        loss = nn.functional.cross_entropy(self.model(self.tokens(pairs)), labels)
        loss.backward()
        self.master.step(rate)
        return float(loss.detach())

    @torch.no_grad()
    def logits(self, pairs: Sequence[Pair], *, size: int = 64) -> Tensor:
        """Return the (n, labels) logits of the pairs in their order."""
        self.model.eval()
        lengths = [len(pair.premise) + len(pair.hypothesis) for pair in pairs]
        order = sorted(range(len(pairs)), key=lambda i: lengths[i])
        logits = torch.zeros(len(pairs), self.model.classifier.out_features)
        for start in range(0, len(order), size):
            indices = order[start : start + size]
            logits[indices] = self.model(self.tokens([pairs[i] for i in indices])).cpu()
        return logits

    def shipped(self) -> dict[str, Tensor]:
        """Return what was learnt, in fp16, from the fp32 copies.

        ``encoder.*``, ``embeddings.*``, ``classifier.*``.
        """
        names = []
        for name, parameter in self.model.named_parameters():
            if parameter.requires_grad:
                names.append(name.removeprefix("trunk."))
        tensors = {}
        for name, copy in zip(names, self.master.copies, strict=True):
            tensors[name] = copy.detach().to("cpu", torch.float16).contiguous()
        return tensors

    def as_shipped(self) -> Trainer:
        """Return a trainer whose model is what ships.

        Fp32, with the package's embeddings and the fp16 tensors.
        """
        model = Classifier(
            packaged(), pooling=self.model.pooling, labels=self.model.classifier.out_features
        )
        put(model, self.shipped())
        return Trainer(
            model.to(self.device), self.tokenizer, self.device, self.master, self.max_length
        )


def put(model: Classifier, tensors: Mapping[str, Tensor]) -> None:
    """Write tensors, named as they ship, into a model's parameters.

    Raise KeyError for one that it does not have.
    """
    parameters = {
        name.removeprefix("trunk."): parameter for name, parameter in model.named_parameters()
    }
    with torch.no_grad():
        for name, tensor in tensors.items():
            parameters[name].copy_(tensor)


def packaged() -> str:
    """Return the folder of the packaged MiniLM."""
    from features.models.weight_files import embedded_folder

    return str(embedded_folder())


def make_trainer(
    *,
    labels: int,
    pooling: str = "mean",
    max_length: int,
    seed: int,
    precision: str = "bf16",
    start: Mapping[str, Tensor] | None = None,
) -> Trainer:
    """Return a trainer in bf16 or fp32, on a GPU where there is one.

    It begins at the packaged MiniLM, or at ``start``, tensors named as they ship.
    """
    from transformers import AutoTokenizer

    torch.manual_seed(seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    folder = packaged()
    model = Classifier(folder, pooling=pooling, labels=labels)
    put(model, start or {})
    if precision == "bf16":
        model.trunk.bfloat16()
    model.to(device)
    learnt = [p for p in model.parameters() if p.requires_grad]
    return Trainer(
        model, AutoTokenizer.from_pretrained(folder), device, MasterWeights(learnt), max_length
    )


def accuracy(logits: Tensor, pairs: Sequence[Pair]) -> float:
    """Return the share of pairs whose largest logit is their label's."""
    labels = torch.tensor([p.label for p in pairs])
    return float((logits.argmax(1) == labels).float().mean())


def fit_temperature(logits: Tensor, pairs: Sequence[Pair]) -> float:
    """Return the temperature between .5 and 3 that gives the pairs' labels the highest likelihood."""
    labels = torch.tensor([p.label for p in pairs])
    grid = [0.5 + 0.01 * i for i in range(251)]
    return min(grid, key=lambda t: float(nn.functional.cross_entropy(logits / t, labels)))


def schedule(step: int, total: int, *, warm: float = 0.06) -> float:
    """Return the share of the learning rate at a step.

    Up over the warm part, then down to nothing.
    """
    rising_steps = max(1, int(total * warm))
    if step < rising_steps:
        return step / rising_steps
    return max(0.0, (total - step) / max(1, total - rising_steps))


@dataclass(frozen=True)
class Run:
    """How a training runs: its folder for checkpoint and curve, its highest rate, steps between two checkpoints."""

    work: Path
    rate: float
    every: int = 250
    resume: bool = False


def train(
    trainer: Trainer, order: list[list[Pair]], score: Callable[[], dict[str, float]], run: Run
) -> None:
    """Take the remaining steps, with a checkpoint and a row of losses and scores at intervals."""
    run.work.mkdir(parents=True, exist_ok=True)
    checkpoint_path = run.work / "checkpoint.pt"
    curve = run.work / "curve.csv"
    steps_done = restore(trainer, checkpoint_path) if run.resume else 0
    start = time.monotonic()
    losses = []
    for step, batch in enumerate(order[steps_done:], steps_done + 1):
        losses.append(trainer.learn(batch, run.rate * schedule(step, len(order))))
        if step % run.every == 0 or step == len(order):
            loss = sum(losses) / len(losses)
            scores = score()
            rounded_scores = [round(value, 4) for value in scores.values()]
            elapsed_s = round(time.monotonic() - start)
            values = (step, round(loss, 4), *rounded_scores, elapsed_s)
            cards.append_row(curve, ("step", "loss", *scores, "seconds"), values)
            print(*values, flush=True)
            losses = []
            checkpoint(trainer, checkpoint_path, step)
            cards.draw_curve(curve)


def checkpoint(trainer: Trainer, path: Path, step: int) -> None:
    """Write everything a run needs to go on.

    A half-written file never takes the place of a whole one.
    """
    state = {
        "step": step,
        "copies": trainer.master.copies,
        "optimizer": trainer.master.optimizer.state_dict(),
        "random": torch.get_rng_state(),
    }
    torch.save(state, path.with_suffix(".part"))
    path.with_suffix(".part").replace(path)


def restore(trainer: Trainer, path: Path) -> int:
    """Put a checkpoint's state into the trainer.

    Return the step it stopped after, 0 where there is none.
    """
    if not path.exists():
        return 0
    state = torch.load(path, map_location="cpu", weights_only=True)
    with torch.no_grad():
        for copy, saved in zip(trainer.master.copies, state["copies"], strict=True):
            copy.copy_(saved)
    trainer.master.optimizer.load_state_dict(state["optimizer"])
    trainer.master.publish()
    torch.set_rng_state(state["random"])
    return state["step"]
