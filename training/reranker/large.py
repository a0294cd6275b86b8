"""Train the larger re-ranker and write ``large/reranker.safetensors`` with its card.

    python -m training.reranker.large --data DIR --out models [--start WEIGHTS] [--folds 3]
    [--resume] [--work DIR]

It is all-mpnet-base-v2 with a low-rank change of its upper layers, and learns twice: first
entailment and the same claim from the sets of ``training.entailment.further_mixture`` (into
``entailment.safetensors`` of the work folder; ``--start`` names such weights and leaves this out),
then the readings that the re-ranker learns from, in one round. ``--folds``: also as many that were
each trained without a part of the debates, into the work folder, beside the folds of
``training.reranker.train``. Two cores need 50 minutes for the first and 12 for the second.
"""

from __future__ import annotations

import argparse
import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from features.models.mpnet_package import MPNET, MPNET_SHA256, mpnet_folder
from features.models.reranker import LABELS, LARGE_WEIGHTS_FILE
from training.entailment import train as entailment
from training.entailment.two_heads import TwoHeadTrainer, paired
from training.reranker.low_rank import FIRST_CHANGED_LAYER, RANK, SCALE, make_low_rank
from training.reranker.pairs import AsRead, rounds, taught, without_fold
from training.reranker.train import BATCH, MAX_LENGTH, SHARES, looked_at
from training.shared import cards
from training.shared.classifier import Run, batches, train
from training.shared.command import flags, parser
from training.shared.loaders import LABELS as ENTAILMENT_LABELS
from training.shared.loaders import nli_pairs

ENTAILMENT_WEIGHTS = "entailment.safetensors"
CHECKPOINT_EVERY = 100  # steps of the second training
LOOKED_AT = 2000  # pairs of each task that the curve of the first training shows


def main(arguments: Sequence[str] | None = None) -> None:
    """Train on entailment, then on readings, and again without each part of the debates."""
    command_line = parser("reranker.large", __doc__, work="build/reranker-large")
    add = command_line.add_argument
    add("--resume", action="store_true", help="go on from the last checkpoint")
    add("--start", type=Path, help="weights that have learnt entailment (default: learnt first)")
    add("--steps", type=int, default=1300, help="steps of the first training")
    add("--entailment-rate", type=float, default=4e-4)
    add("--rate", type=float, default=3e-4, help="of the second training")
    add("--rounds", type=int, default=3, help="rounds of the same-claim pairs")
    add("--folds", type=int, default=0, help="re-rankers to learn without a part of the debates")
    args = command_line.parse_args(arguments)
    with mpnet_folder() as folder:
        if args.start is None:
            args.start = args.work / ENTAILMENT_WEIGHTS
            learn_entailment(folder, args)
        learnt, held_out = taught(args.data)
        write(args.out / LARGE_WEIGHTS_FILE, folder, args, learnt, held_out)
        for number in range(args.folds):
            other_pairs, fold_pairs = without_fold(learnt, number, args.folds)
            path = args.work / f"large-fold-{number}.safetensors"
            write(path, folder, args, other_pairs, fold_pairs)


def learn_entailment(folder: Path, args: argparse.Namespace) -> None:
    """Learn entailment and the same claim, and write the weights into the work folder."""
    material = entailment.further(args)
    entailment_size, same_claim_size = material.sizes
    order = paired(
        batches(material.entailment, size=entailment_size, seed=args.seed),
        batches(material.same_claim, size=same_claim_size, seed=args.seed),
        args.steps,
    )
    trainer = make_low_rank(
        folder,
        labels=len(ENTAILMENT_LABELS),
        max_length=entailment.MAX_LENGTH,
        seed=args.seed,
        has_same=True,
    )
    assert isinstance(trainer, TwoHeadTrainer)
    matched = nli_pairs(args.data / "nli" / "mnli_dev_matched.jsonl.gz", "dev")
    sample = matched[:: max(1, len(matched) // LOOKED_AT)]
    held_out = material.held_out[:LOOKED_AT]
    run = Run(args.work / "entailment", args.entailment_rate, 100, args.resume)
    train(trainer, order, lambda: entailment.glance(trainer, sample, held_out), run)
    save_file(trainer.shipped(), args.work / ENTAILMENT_WEIGHTS)


def beginning(start: Path) -> dict[str, Tensor]:
    """Return the weights of the first training, the labels' logits at shares of the same claim's."""
    tensors = load_file(start)
    shares = torch.tensor([SHARES[label] for label in LABELS])
    same_weight = tensors.pop("same.weight").float().reshape(-1)
    same_bias = tensors.pop("same.bias").float().reshape(-1)[0]
    head = {
        "classifier.weight": torch.outer(shares, same_weight),
        "classifier.bias": shares * same_bias,
    }
    return tensors | head


def write(
    path: Path,
    folder: Path,
    args: argparse.Namespace,
    learnt: Sequence[AsRead],
    held_out: Sequence[AsRead],
) -> None:
    """Learn from some pairs, look at others at the end, write the weights and their card."""
    trainer = make_low_rank(
        folder,
        labels=len(LABELS),
        max_length=MAX_LENGTH,
        seed=args.seed,
        start=beginning(args.start),
    )
    order = batches(rounds(list(learnt), 1, seed=args.seed), size=BATCH, seed=args.seed)
    run = Run(args.work / path.stem, args.rate, CHECKPOINT_EVERY, args.resume)
    train(trainer, order, dict, run)
    scores = looked_at(trainer, held_out)
    cards.write_model(path, trainer.shipped(), card(args, learnt, held_out, scores))


def card(
    args: argparse.Namespace,
    learnt: Sequence[AsRead],
    held_out: Sequence[AsRead],
    scores: dict[str, float],
) -> dict[str, object]:
    """Return the card of the weights; ``without``: as in ``training.reranker.train``."""
    options = flags(args, "steps", "entailment-rate", "rate", "seed")
    start_digest = hashlib.sha256(args.start.read_bytes()).hexdigest()
    return {
        "what": "larger re-ranker, which reads the best pairs of the first one again: does the "
        "fact-check settle what is said, in part, or not at all",
        "base": f"{MPNET} (SHA-256 {MPNET_SHA256}) of five packages",
        "form": f"low-rank change of the layers from {FIRST_CHANGED_LAYER + 1}, rank {RANK}: "
        "matrix + scale * up · down; a linear layer on the mean of the last states; fp16",
        "scale": SCALE,
        "labels": list(LABELS),
        "pooling": "mean",
        "max_length": MAX_LENGTH,
        "start": f"low-rank weights of SHA-256 {start_digest}, which learnt entailment and the same "
        "claim from the sets of training/entailment/further_mixture.py",
        "pairs": dict(Counter(LABELS[pair.label] for pair in learnt)),
        "data": "as models/reranker.json, after the sets of models/nli.json",
        "without": sorted({pair.debate for pair in held_out}),
        "command": f"python -m training.reranker.large --data DIR --out models {options}",
        "scores": {**scores, "pairs": len(held_out)},
        "licence": cards.LICENCE,
    }


if __name__ == "__main__":
    main()
