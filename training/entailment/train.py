"""Train the cross-encoder with two heads on all-MiniLM-L6-v2 and write its weights with their card.

python -m training.entailment.train --data DIR --out models [--start WEIGHTS]
[--mixture first|further|permissive] [--resume] [--work DIR]

The heads are the three labels of entailment and the log-odds that premise and hypothesis make the same claim; a step
reads a batch of each. ``--mixture further`` reads what ``training.entailment.further_mixture`` adds, as a second
training of weights that have read the first. ``--mixture permissive`` reads sets whose licences permit commercial use
and writes ``nli-permissive.safetensors``; its same-claim pairs, and the pairs by which the scale of that head is
chosen, hold no fact-check either. Word and position embeddings stay as the package ships them; six layers, the
token-type embeddings and linear heads on the mean of the last states are trained. Everything random follows ``--seed``;
a run that was stopped goes on from its last checkpoint. Only development parts are looked at; tests are read by
``final_scores``.
"""

from __future__ import annotations

import argparse
import hashlib
import random
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from training.edits import same_claim
from training.entailment import further_mixture as nli_further
from training.entailment import mixture as nli_mixture
from training.entailment import permissive_claims, permissive_mixture
from training.entailment.blend import scaled
from training.entailment.scores import development_sets, evaluate, fit_scale, read, same_scores
from training.entailment.two_heads import Both, TwoHeadTrainer, make_two_heads, paired
from training.shared import cards
from training.shared.classifier import Run, accuracy, batches, train
from training.shared.command import flags, parser
from training.shared.loaders import LABELS, Pair, nli_pairs

MAX_LENGTH = 96
COMMAND = "python -m training.entailment.train --data DIR --out models"
FIRST, FURTHER, PERMISSIVE = "first", "further", "permissive"


class Material(NamedTuple):
    """The pairs of a training and how they are read.

    Pairs of each task in the order they are read, how many of each a step takes, same-claim pairs
    to choose the scale by, and the licences of the sets by name.
    """

    entailment: list[Pair]
    same_claim: list[Pair]
    sizes: tuple[int, int]
    held_out: list[Pair]
    licences: dict[str, str]


def first(args: argparse.Namespace) -> Material:
    """Return the pairs of the first training."""
    pairs = nli_mixture.mixture(args.data, rounds=args.rounds, seed=args.seed)
    return Material(pairs, *claims(args, (32, 32)), nli_mixture.licences(FIRST))


def further(args: argparse.Namespace) -> Material:
    """Return the pairs of the second training, which is about entailment."""
    pairs = nli_further.mixture(args.data, seed=args.seed)
    return Material(pairs, *claims(args, (48, 16)), nli_mixture.licences(FIRST, FURTHER))


def claims(
    args: argparse.Namespace, sizes: tuple[int, int]
) -> tuple[list[Pair], tuple[int, int], list[Pair]]:
    """Return the pairs of the same claim from fact-checks, the sizes, and the held-out pairs."""
    source = same_claim.sources(args.data, args.work, seed=args.seed)
    pairs = same_claim.training_pairs(
        args.data, source["train"], seed=args.seed, rounds=args.rounds
    )
    return pairs, sizes, same_claim.development_pairs(source["dev"], seed=args.seed)


def permissive(args: argparse.Namespace) -> Material:
    """Return the pairs of the permissive training, which are read once."""
    permitted = permissive_mixture.permitted(args.data, seed=args.seed)
    pairs = permissive_mixture.mixture(permitted, seed=args.seed)
    claim_sets = permissive_claims.pairs(args.data, permitted, seed=args.seed)
    return Material(
        entailment=pairs,
        same_claim=permissive_claims.mixture(claim_sets, seed=args.seed),
        sizes=(48, 16),
        held_out=permissive_claims.development(claim_sets),
        licences=permissive_mixture.LICENCES,
    )


MIXTURES: dict[str, Callable[[argparse.Namespace], Material]] = {
    FIRST: first,
    FURTHER: further,
    PERMISSIVE: permissive,
}


def options() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    command_line = parser("entailment.train", __doc__, work="build/nli")
    add = command_line.add_argument
    add("--start", type=Path, help="weights to begin at (default: the package's)")
    add("--mixture", choices=tuple(MIXTURES), default=FIRST, help="sets that the training reads")
    add("--precision", choices=("bf16", "fp32"), default="bf16", help="what a step computes in")
    add("--resume", action="store_true", help="go on from the last checkpoint")
    add("--rate", type=float, default=1e-4)
    add("--rounds", type=int, default=3, help="rounds, which the permissive mixture does not have")
    add("--steps", type=int, help="steps, of a batch of each task (default: until all is read)")
    add("--every", type=int, default=125, help="steps between two checkpoints")
    return command_line


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, evaluate, write weights and card."""
    args = options().parse_args(arguments)
    material = MIXTURES[args.mixture](args)
    entailment_size, same_claim_size = material.sizes
    entailment_batches = batches(material.entailment, size=entailment_size, seed=args.seed)
    same_claim_batches = batches(material.same_claim, size=same_claim_size, seed=args.seed)
    steps = args.steps or len(entailment_batches)
    order = paired(entailment_batches, same_claim_batches, steps)
    trainer = make_two_heads(
        args.start, max_length=MAX_LENGTH, seed=args.seed, precision=args.precision
    )
    matched = nli_pairs(args.data / "nli" / "mnli_dev_matched.jsonl.gz", "dev")
    held_out = material.held_out
    matched_sample = random.Random(args.seed).sample(matched, min(800, len(matched)))
    held_out_sample = random.Random(args.seed).sample(held_out, min(800, len(held_out)))
    train(
        trainer,
        order,
        lambda: glance(trainer, matched_sample, held_out_sample),
        Run(args.work, args.rate, args.every, args.resume),
    )
    name = "nli-permissive" if args.mixture == PERMISSIVE else "nli"
    weights = args.out / f"{name}.safetensors"
    about = partial(card, args, order, material.licences)
    scale = fit_scale(trainer.log_odds(held_out).numpy(), held_out)
    write(weights, trainer, scale, about({"temperature": 1.0}))
    sets = list(development_sets(args.data))
    if args.mixture != FIRST:
        sets += nli_further.development(args.data)
    scores = evaluate(weights, sets) | same_scores(read(weights, held_out)[1], held_out)
    print(scores)
    write(weights, trainer, scale, about(scores))


def glance(trainer: TwoHeadTrainer, matched: list[Pair], claims: list[Pair]) -> dict[str, float]:
    """Return the development scores of the curve, on samples."""
    same = same_scores(trainer.log_odds(claims).numpy(), claims)
    return {
        "matched": accuracy(trainer.logits(matched), matched),
        "same_auc": same["same_auc"],
        "same_accuracy": same["same_accuracy"],
    }


def write(path: Path, trainer: TwoHeadTrainer, scale: float, about: dict[str, object]) -> None:
    """Write the weights, the head of the same claim divided by ``scale``, and their card."""
    cards.write_model(path, scaled(trainer.shipped(), scale), about)


def card(
    args: argparse.Namespace,
    order: list[Both],
    licences: dict[str, str],
    scores: dict[str, float],
) -> dict[str, object]:
    """Return the content of the card of the weights."""
    entailment_counts = Counter(pair.source for batch in order for pair in batch[0])
    same_claim_counts = Counter(pair.source for batch in order for pair in batch[1])
    start = hashlib.sha256(args.start.read_bytes()).hexdigest() if args.start else ""
    start_flag = "--start START " if start else ""
    settings = argparse.Namespace(**vars(args) | {"steps": len(order)})
    typed = flags(settings, "rounds", "steps", "rate", "seed", "mixture", "precision")
    return {
        "what": "cross-encoder: three labels of entailment, and whether premise and hypothesis make the same claim",
        "base": f"{cards.MINILM}, word and position embeddings unchanged",
        "form": "mean of the last states, then two linear layers; tensors named as in BertModel, fp16",
        "heads": {"classifier": "the labels' logits", "same": "log-odds of the same claim"},
        "labels": list(LABELS),
        "pooling": "mean",
        "max_length": MAX_LENGTH,
        "temperature": scores["temperature"],
        "start": f"weights of SHA-256 {start}" if start else "the package",
        "pairs_seen": dict(entailment_counts),
        "same_claim_pairs_seen": dict(same_claim_counts),
        "data": licences,
        "command": f"{COMMAND} {start_flag}{typed}",
        "scores": scores,
        "licence": cards.LICENCE,
    }


if __name__ == "__main__":
    main()
