"""Train the re-ranker on pairs as read and write ``reranker.safetensors`` with its card.

    python -m training.reranker.train --data DIR --out models [--start WEIGHTS] [--folds 4]
    [--resume] [--work DIR]

It begins at the cross-encoder that ships (models/nli.safetensors), or at the one that ``--start`` names, and learns from readings: those
of debates of 2019 and 2020 that nobody linked, and those of the half of the debates that teaches,
apart from the seven annotated debates and those of CheckThat! 2B's development queries, which are
only looked at. What ships is the average of the weights that several seeds learn in one round (a
model soup: Wortsman et al. 2022, a uniform one); a second round learns the readings by heart.
``--folds``: also as many re-rankers that were each learnt without a part of those debates, into
the work folder: ``training.reranker.borders`` chooses weights and borders by what they say of
debates they have not read.
"""

from __future__ import annotations

import argparse
import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor

from features.models.reranker import LABELS, RERANKER_WEIGHTS_FILE, log_odds
from features.models.weight_files import MODELS
from training.entailment.table_dropout import hide_by_table
from training.reranker.pairs import AsRead, rounds, taught, without_fold
from training.shared import cards
from training.shared.classifier import Run, Trainer, batches, make_trainer, train
from training.shared.command import flags, parser

MAX_LENGTH = 192
BATCH = 16
START = MODELS / "nli.safetensors"
SHARES = {
    "no": 0.0,
    "part": 0.35,
    "settled": 0.7,
}  # of the log-odds of the same claim, at which a label's logit begins
HIDDEN = 0.1  # the share that dropout hides


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, look at the debates that are kept for it, write weights and card.

    Then the same for each fold.
    """
    command_line = parser("reranker.train", __doc__, work="build/reranker")
    command_line.add_argument(
        "--resume", action="store_true", help="go on from the last checkpoint"
    )
    command_line.add_argument(
        "--start", type=Path, default=START, help="cross-encoder to begin at (default: the shipped)"
    )
    command_line.add_argument("--rate", type=float, default=5e-5)
    command_line.add_argument("--rounds", type=int, default=1)
    command_line.add_argument(
        "--seeds", type=int, default=3, help="runs whose weights are averaged"
    )
    command_line.add_argument(
        "--folds", type=int, default=0, help="re-rankers to learn without a part of the debates"
    )
    args = command_line.parse_args(arguments)
    learnt, held_out = taught(args.data)
    write(args.out / RERANKER_WEIGHTS_FILE, args, learnt, held_out)
    for number in range(args.folds):
        other_pairs, fold_pairs = without_fold(learnt, number, args.folds)
        write(args.work / f"fold-{number}.safetensors", args, other_pairs, fold_pairs)


def write(
    path: Path, args: argparse.Namespace, learnt: Sequence[AsRead], held_out: Sequence[AsRead]
) -> None:
    """Learn from some pairs, one run a seed, look at others, write the average of the weights and its card."""
    tensors = average(
        [learn(path, args, learnt, held_out, args.seed + run) for run in range(args.seeds)]
    )
    reader = make_trainer(
        labels=len(LABELS), max_length=MAX_LENGTH, seed=args.seed, precision="fp32", start=tensors
    )
    cards.write_model(path, tensors, card(args, learnt, held_out, looked_at(reader, held_out)))


def learn(
    path: Path,
    args: argparse.Namespace,
    learnt: Sequence[AsRead],
    held_out: Sequence[AsRead],
    seed: int,
) -> dict[str, Tensor]:
    """Return the weights that one run learns."""
    trainer = make_trainer(
        labels=len(LABELS), max_length=MAX_LENGTH, seed=seed, start=beginning(args.start)
    )
    hide_by_table(trainer.model.trunk, HIDDEN)
    order = batches(rounds(learnt, args.rounds, seed=seed), size=BATCH, seed=seed)
    run = Run(
        args.work / path.stem / str(seed),
        args.rate,
        max(1, len(order) // (2 * args.rounds)),
        args.resume,
    )
    train(trainer, order, lambda: looked_at(trainer, held_out), run)
    return trainer.shipped()


def average(runs: Sequence[dict[str, Tensor]]) -> dict[str, Tensor]:
    """Return the mean of the tensors of each name, in fp16."""
    return {
        name: torch.stack([run[name].float() for run in runs]).mean(0).half() for name in runs[0]
    }


def beginning(start: Path = START) -> dict[str, Tensor]:
    """Return a cross-encoder, the labels' logits at shares of its log-odds of the same claim."""
    tensors = load_file(start)
    shares = torch.tensor([SHARES[label] for label in LABELS])
    head = {"weight": torch.outer(shares, tensors.pop("same.weight").float().reshape(-1))}
    head["bias"] = shares * tensors.pop("same.bias").float().reshape(-1)[0]
    return tensors | {f"classifier.{name}": tensor for name, tensor in head.items()}


def looked_at(trainer: Trainer, held_out: Sequence[AsRead]) -> dict[str, float]:
    """Return AP and AUC of *settled*, and of *settled or in part*, of pairs that are not learnt from."""
    from sklearn.metrics import average_precision_score, roc_auc_score

    pairs = [pair.pair() for pair in held_out]
    odds = log_odds(trainer.logits(pairs).numpy())
    is_positive = np.array(
        [[pair.label == LABELS.index("settled"), pair.label > 0] for pair in pairs]
    )
    scores = {}
    for column, name in enumerate(("settled", "settled or in part")):
        scores[f"AP, {name}"] = average_precision_score(is_positive[:, column], odds[:, column])
        scores[f"AUC, {name}"] = roc_auc_score(is_positive[:, column], odds[:, column])
    return {name: round(float(score), 4) for name, score in scores.items()}


def card(
    args: argparse.Namespace,
    learnt: Sequence[AsRead],
    held_out: Sequence[AsRead],
    scores: dict[str, float],
) -> dict[str, object]:
    """Return what the card of the weights says.

    ``without``: the debates of the half that teaches, not learnt from.
    """
    options = flags(args, "rounds", "seeds", "rate", "seed")
    layers = "models/nli.safetensors"
    if args.start != START:
        options = f"--start START {options}"
        layers = f"weights of SHA-256 {hashlib.sha256(args.start.read_bytes()).hexdigest()}"
    return {
        "what": "re-ranker: does the fact-check settle what is said, in part, or not at all, read with what was said "
        "before, the speaker and the claimant",
        "base": f"{cards.MINILM} with the layers of {layers}, word and position embeddings unchanged",
        "form": "mean of the last states, then a linear layer; tensors named as in BertModel, fp16",
        "labels": list(LABELS),
        "pooling": "mean",
        "max_length": MAX_LENGTH,
        "pairs": dict(Counter(LABELS[pair.label] for pair in learnt)),
        "data": "pairs of debates (CheckThat!, That is a Known Lie) and PolitiFact's fact-checks, read by a language "
        "model that follows docs/research/annotation-guidelines.md, of the half of the debates "
        "that teaches (training/ranker/readings.tsv) and "
        "of debates of 2019 and 2020 that nobody linked (training/reranker/readings.tsv)",
        "without": sorted({pair.debate for pair in held_out}),
        "command": f"python -m training.reranker.train --data DIR --out models {options}",
        "scores": {**scores, "pairs": len(held_out)},
        "licence": cards.LICENCE,
    }


if __name__ == "__main__":
    main()
