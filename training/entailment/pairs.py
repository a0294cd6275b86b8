"""How accuracy grows with the number of MultiNLI pairs that are learnt from: the curve behind the bars of entailment.

    python -m training.entailment.pairs --data DIR [--out docs/curves] [--work DIR] [--passes N]

A sixteenth, an eighth, a quarter, half and all of the pairs at hand, each part inside the next, learnt from the package
by the same recipe with the same number of passes. Only development pairs are read: samples of MultiNLI matched and of
SNLI's. A run that was stopped goes on: finished parts have their row, the one under way its last checkpoint.
"""

from __future__ import annotations

import argparse
import csv
import math
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from training.entailment.table_dropout import hide_by_table
from training.entailment.train import BATCH, MAX_LENGTH
from training.entailment.two_heads import HIDDEN
from training.shared import cards
from training.shared.classifier import Run, Trainer, accuracy, batches, make_trainer, train
from training.shared.loaders import LABELS, Pair, nli_pairs

SHARES = (16, 8, 4, 2, 1)
RATE = 1e-4
READ = 2_000  # development pairs of each set
ALL_OF_MULTINLI = 392_702
HEADER = ("pairs", "passes", "matched", "snli", "loss")


def development(data: Path, *, seed: int) -> dict[str, list[Pair]]:
    """Return the development pairs that are read, by name."""
    files = {"matched": "mnli_dev_matched.jsonl.gz", "snli": "snli_dev.jsonl.gz"}
    whole = {name: nli_pairs(data / "nli" / file, name) for name, file in files.items()}
    return {name: random.Random(seed).sample(found, READ) for name, found in whole.items()}


def nested(pairs: Sequence[Pair], *, seed: int, shares: Sequence[int] = SHARES) -> list[list[Pair]]:
    """Return the parts that are learnt from, small to large, each the beginning of the next."""
    order = random.Random(seed).sample(pairs, len(pairs))
    return [order[: len(order) // share] for share in shares]


def passes(part: Sequence[Pair], count: int, *, seed: int) -> list[list[Pair]]:
    """Return the batches of so many passes over a part, each in an order of its own."""
    orders = [random.Random(seed + i).sample(part, len(part)) for i in range(count)]
    return [batch for i, order in enumerate(orders) for batch in batches(order, size=BATCH, seed=seed + i)]


def learn(part: list[Pair], held_out: dict[str, list[Pair]], args: argparse.Namespace) -> dict[str, float]:
    """Return the accuracy on each held-out sample after learning a part, and the loss of its last steps."""
    trainer = make_trainer(labels=len(LABELS), max_length=MAX_LENGTH, seed=args.seed)
    run = Run(args.work / str(len(part)), RATE, every=args.every, resume=True)
    return learn_with(trainer, passes(part, args.passes, seed=args.seed), held_out, run)


def learn_with(
    trainer: Trainer, order: list[list[Pair]], held_out: dict[str, list[Pair]], run: Run
) -> dict[str, float]:
    """Take a trainer's steps; return its accuracy on each held-out sample and the loss of the last steps."""
    hide_by_table(trainer.model.trunk, HIDDEN)
    train(trainer, order, dict, run)
    with open(run.work / "curve.csv", encoding="utf-8", newline="") as lines:
        loss = float(list(csv.DictReader(lines))[-1]["loss"])
    scores = {name: round(accuracy(trainer.logits(pairs), pairs), 4) for name, pairs in held_out.items()}
    return {**scores, "loss": loss}


def at(counts: Sequence[int], scores: Sequence[float], count: int) -> float:
    """Return the score at a count of pairs on the least-squares line over the logarithm of the counts."""
    slope, start = np.polyfit([math.log2(c) for c in counts], scores, 1)
    return float(start + slope * math.log2(count))


def main() -> None:
    """Parse the command line, learn what has no row yet, draw the rows, print where their line leads."""
    args = options()
    pairs = nli_pairs(args.data / "nli" / "mnli_train_merged.jsonl.gz", "mnli")
    held_out = development(args.data, seed=args.seed)
    path = args.out / "nli-pairs.csv"
    for part in nested(pairs, seed=args.seed):
        if len(part) not in finished(path):
            scores = learn(part, held_out, args)
            cards.append_row(path, HEADER, (len(part), args.passes, *(scores[name] for name in HEADER[2:])))
    cards.draw_curve(path, over="pairs")
    rows = finished(path)
    for name in held_out:
        line = [rows[count][name] for count in rows]
        end = at(list(rows), line, ALL_OF_MULTINLI)
        doubling = end - at(list(rows), line, ALL_OF_MULTINLI // 2)
        print(f"{name}: {line}, {doubling:+.3f} a doubling, {end:.3f} at {ALL_OF_MULTINLI:,} if the line went on")


def finished(path: Path) -> dict[int, dict[str, float]]:
    """Return the rows that are there, by their number of pairs."""
    if not path.exists():
        return {}
    with open(path, encoding="utf-8", newline="") as lines:
        return {int(row["pairs"]): {name: float(row[name]) for name in HEADER[2:]} for row in csv.DictReader(lines)}


def options() -> argparse.Namespace:
    """Return the command line's options."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path("docs/curves"))
    parser.add_argument("--work", type=Path, default=Path("build/nli-pairs"), help="checkpoints")
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--passes", type=int, default=1)
    parser.add_argument("--every", type=int, default=100, help="steps between two checkpoints")
    return parser.parse_args()


if __name__ == "__main__":
    main()
