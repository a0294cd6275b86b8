"""Train the cross-encoder with two heads on all-MiniLM-L6-v2 and write ``nli.safetensors`` with its card.

python -m training.entailment.train --data DIR --out models [--start WEIGHTS] [--further]
[--resume] [--work DIR]

The heads are the three labels of entailment and the log-odds that premise and hypothesis make the same claim; a step
reads a batch of each. ``--further`` reads what ``training.entailment.further_mixture`` adds, as a second training of
weights that have read the first. Word and position embeddings stay as the package ships them; six layers, the
token-type embeddings and linear heads on the mean of the last states are trained. Everything random follows ``--seed``;
a run that was stopped goes on from its last checkpoint. Only development parts are looked at; tests are read by
``final_scores``.
"""

from __future__ import annotations

import argparse
import hashlib
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from training.edits import same_claim
from training.entailment import further_mixture as nli_further
from training.entailment import mixture as nli_mixture
from training.entailment.blend import scaled
from training.entailment.scores import development_sets, evaluate, fit_scale, read, same_scores
from training.entailment.two_heads import Both, TwoHeadTrainer, make_two_heads, paired
from training.shared import cards
from training.shared.classifier import Run, accuracy, batches, train
from training.shared.command import flags, parser
from training.shared.loaders import LABELS, Pair, nli_pairs

MAX_LENGTH = 96
BATCH = 32
FURTHER = (48, 16)  # pairs of each task in a step of the second training, which is about entailment
COMMAND = "python -m training.entailment.train --data DIR --out models"


def options() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    command_line = parser("entailment.train", __doc__, work="build/nli")
    add = command_line.add_argument
    add("--start", type=Path, help="weights to begin at (default: the package's)")
    add("--further", action="store_true", help="read what a second training reads, once")
    add("--precision", choices=("bf16", "fp32"), default="bf16", help="what a step computes in")
    add("--resume", action="store_true", help="go on from the last checkpoint")
    add("--rate", type=float, default=1e-4)
    add("--rounds", type=int, default=3)
    add("--steps", type=int, help="steps, of a batch of each task (default: until all is read)")
    add("--every", type=int, default=125, help="steps between two checkpoints")
    return command_line


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, evaluate, write weights and card."""
    args = options().parse_args(arguments)
    entailment_size, same_claim_size = FURTHER if args.further else (BATCH, BATCH)
    entailment_batches = batches(mixture(args), size=entailment_size, seed=args.seed)
    source = same_claim.sources(args.data, args.work, seed=args.seed)
    claim_pairs = same_claim.training_pairs(
        args.data, source["train"], seed=args.seed, rounds=args.rounds
    )
    held_out = same_claim.development_pairs(source["dev"], seed=args.seed)
    same_claim_batches = batches(claim_pairs, size=same_claim_size, seed=args.seed)
    steps = args.steps or len(entailment_batches)
    order = paired(entailment_batches, same_claim_batches, steps)
    trainer = make_two_heads(
        args.start, max_length=MAX_LENGTH, seed=args.seed, precision=args.precision
    )
    matched = nli_pairs(args.data / "nli" / "mnli_dev_matched.jsonl.gz", "dev")
    matched_sample = random.Random(args.seed).sample(matched, min(800, len(matched)))
    held_out_sample = random.Random(args.seed).sample(held_out, min(800, len(held_out)))
    train(
        trainer,
        order,
        lambda: glance(trainer, matched_sample, held_out_sample),
        Run(args.work, args.rate, args.every, args.resume),
    )
    weights = args.out / "nli.safetensors"
    scale = fit_scale(trainer.log_odds(held_out).numpy(), held_out)
    write(weights, trainer, scale, card(args, order, {"temperature": 1.0}))
    sets = list(development_sets(args.data))
    if args.further:
        sets += nli_further.development(args.data)
    scores = evaluate(weights, sets) | same_scores(read(weights, held_out)[1], held_out)
    print(scores)
    write(weights, trainer, scale, card(args, order, scores))


def mixture(args: argparse.Namespace) -> list[Pair]:
    """Return the pairs of entailment in the order they are read."""
    if args.further:
        return nli_further.mixture(args.data, seed=args.seed)
    return nli_mixture.mixture(args.data, rounds=args.rounds, seed=args.seed)


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
    args: argparse.Namespace, order: list[Both], scores: dict[str, float]
) -> dict[str, object]:
    """Return the content of the card of the weights."""
    entailment_counts = Counter(pair.source for batch in order for pair in batch[0])
    same_claim_counts = Counter(pair.source for batch in order for pair in batch[1])
    start = hashlib.sha256(args.start.read_bytes()).hexdigest() if args.start else ""
    start_flag = "--start START " if start else ""
    settings = argparse.Namespace(**vars(args) | {"steps": len(order)})
    typed = flags(settings, "rounds", "steps", "rate", "seed", "further", "precision")
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
        "data": nli_mixture.LICENCES,
        "command": f"{COMMAND} {start_flag}{typed}",
        "scores": scores,
        "licence": cards.LICENCE,
    }


if __name__ == "__main__":
    main()
