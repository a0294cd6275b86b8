"""Low-rank adapters beside full fine-tuning of the cross-encoder: which is the better network of a size on disk.

    python -m training.entailment.lora --data DIR [--ranks R ...] [--out docs/curves] [--work DIR]

Both learn from the package the same MultiNLI pairs in the same order, one pass, in fp32. The rate of the adapters is
chosen at ``TRIED`` on a small part; full fine-tuning keeps the shipped recipe's. Only the development pairs of
``nli_pairs`` are read. A run that was stopped goes on: finished rows stay, the one under way has its last checkpoint.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor, nn

from training.entailment.pairs import RATE, development, learn_with, nested, passes
from training.entailment.table_dropout import hide_by_table
from training.entailment.train import MAX_LENGTH
from training.entailment.two_heads import HIDDEN
from training.shared import cards
from training.shared.classifier import MasterWeights, Run, Trainer, make_trainer
from training.shared.loaders import LABELS, Pair, nli_pairs

SCALE = 2.0  # of the product beside the layer: alpha / r of the paper
RATES = (1e-4, 3e-4, 1e-3, 3e-3)
TRIED = 32  # the rank whose rate is chosen
SMALL, LARGE = 8, 2  # the parts: one in so many of the pairs at hand
HEADER = ("way", "rank", "rate", "pairs", "matched", "snli", "loss", "megabytes", "pairs_a_second")


class LowRank(nn.Module):
    """A linear layer that stays as it is, and beside it a product of two thin matrices that is learnt.

    W x + b + s · B A x with A drawn, B zero at the start, so that training begins at the layer. Source: Hu et al. 2021,
    LoRA, section 4.1.
    """

    def __init__(self, layer: nn.Linear, rank: int) -> None:
        super().__init__()
        self.layer = layer.requires_grad_(False)
        self.down = nn.Parameter(torch.randn(rank, layer.in_features) * layer.in_features**-0.5)
        self.up = nn.Parameter(torch.zeros(layer.out_features, rank))

    def forward(self, states: Tensor) -> Tensor:
        return self.layer(states) + SCALE * nn.functional.linear(nn.functional.linear(states, self.down), self.up)


def adapt(trunk: nn.Module, rank: int) -> None:
    """Freeze a trunk and give each linear layer of it, of attention and feed-forward, a product of so low a rank."""
    trunk.requires_grad_(False)
    named = [(parent, name, child) for parent in trunk.modules() for name, child in parent.named_children()]
    for parent, name, child in named:
        if isinstance(child, nn.Linear):
            setattr(parent, name, LowRank(child, rank))


class Way(NamedTuple):
    """In full where the rank is 0, else by adapters of that rank; the highest rate; one in how many pairs is learnt."""

    rank: int
    rate: float
    share: int


def make_way(way: Way, *, seed: int) -> Trainer:
    """Return a trainer on the package that learns in full or by adapters and head alone."""
    trainer = make_trainer(labels=len(LABELS), max_length=MAX_LENGTH, seed=seed, precision="fp32")
    if not way.rank:
        return trainer
    adapt(trainer.model.trunk, way.rank)
    trainer.model.to(trainer.device)
    return replace(trainer, master=MasterWeights([p for p in trainer.model.parameters() if p.requires_grad]))


def megabytes(trainer: Trainer) -> float:
    """Return the size of what would ship."""
    return sum(tensor.nbytes for tensor in trainer.shipped().values()) / 1e6


def speed(trainer: Trainer, order: list[list[Pair]], *, rounds: int = 3) -> float:
    """Return the pairs that are learnt a second of processor time, in the best of some rounds of the same steps."""
    hide_by_table(trainer.model.trunk, HIDDEN)
    spent = []
    for _ in range(rounds):
        began = time.process_time()
        for batch in order:
            trainer.learn(batch, 0.0)
        spent.append(time.process_time() - began)
    return sum(map(len, order)) / min(spent)


def main() -> None:
    """Parse the command line, learn what has no row yet."""
    args = options()
    pairs = nli_pairs(args.data / "nli" / "mnli_train_merged.jsonl.gz", "mnli")
    held_out = development(args.data, seed=args.seed)
    parts = dict(zip((SMALL, LARGE), nested(pairs, seed=args.seed, shares=(SMALL, LARGE)), strict=True))
    for way in ways(args.out / "nli-lora.csv", len(parts[SMALL]), args.ranks):
        part = parts[way.share]
        if key(way, len(part)) not in finished(args.out / "nli-lora.csv"):
            cards.append_row(args.out / "nli-lora.csv", HEADER, row(way, part, held_out, args))


def ways(path: Path, small: int, ranks: list[int]) -> Iterator[Way]:
    """Yield the ways in the order they are learnt: the rates, then each rank on the small part and on the large."""
    yield from (Way(TRIED, rate, SMALL) for rate in RATES)
    tried = {rate: finished(path)[key(Way(TRIED, rate, SMALL), small)] for rate in RATES}
    rate = max(RATES, key=lambda rate: tried[rate])
    yield from (Way(rank, rate if rank else RATE, share) for share in (SMALL, LARGE) for rank in ranks)


def row(way: Way, part: list[Pair], held_out: dict[str, list[Pair]], args: argparse.Namespace) -> tuple[object, ...]:
    """Learn a part in a way; return its row."""
    order = passes(part, 1, seed=args.seed)
    fast = speed(make_way(way, seed=args.seed), order[:6])
    trainer = make_way(way, seed=args.seed)
    run = Run(args.work / "-".join(key(way, len(part))), way.rate, every=args.every, resume=True)
    scores = learn_with(trainer, order, held_out, run)
    figures = *(scores[name] for name in ("matched", "snli", "loss")), round(megabytes(trainer), 2), round(fast, 1)
    return *key(way, len(part)), *figures


def key(way: Way, pairs: int) -> tuple[str, ...]:
    """Return the columns that name a row."""
    return "adapters" if way.rank else "full", str(way.rank), str(way.rate), str(pairs)


def finished(path: Path) -> dict[tuple[str, ...], float]:
    """Return the accuracy on MultiNLI matched of the rows that are there, by what names them."""
    if not path.exists():
        return {}
    with open(path, encoding="utf-8", newline="") as lines:
        return {tuple(found[name] for name in HEADER[:4]): float(found["matched"]) for found in csv.DictReader(lines)}


def options() -> argparse.Namespace:
    """Return the command line's options."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--ranks", type=int, nargs="+", default=[0, 8, 32], help="of the adapters; 0 is in full")
    parser.add_argument("--out", type=Path, default=Path("docs/curves"))
    parser.add_argument("--work", type=Path, default=Path("build/nli-lora"), help="checkpoints")
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--every", type=int, default=100, help="steps between two checkpoints")
    return parser.parse_args()


if __name__ == "__main__":
    main()
