"""What a cross-encoder keeps when only a low-rank part of what its layers learnt is stored: size against answers.

    python -m training.entailment.deltas --data DIR [--weights FILE] [--ranks R ...] [--out docs/curves] [--work DIR]

A layer that was learnt in full is stored as its difference to the package's in two thin matrices, the best of their
rank; biases, norms and heads as they are. Answers are the product's own, on the development
pairs of ``nli_pairs`` and, for "same claim", on edits of held-out statements. ``FULL`` in the place of a rank is all.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from safetensors.torch import load_file
from torch import Tensor

from features.articles.mtm.loading import factors
from training.edits import same_claim
from training.entailment.pairs import development
from training.entailment.scores import read
from training.shared import cards
from training.shared.classifier import Classifier, packaged
from training.shared.loaders import LABELS, Pair, training_claims

FULL = 384  # the rank of a square layer
READ = 1_000  # edits
HEADER = ("rank", "megabytes", "matched", "snli", "labels_as_shipped", "same_auc", "same_spearman")


def shortened(tensors: Mapping[str, Tensor], base: Mapping[str, Tensor], rank: int) -> tuple[dict[str, Tensor], int]:
    """Return the weights as they are read back, and the bytes of what is stored.

    A matrix that two thin ones of the rank would not make smaller, or that the base does not have, is stored whole.
    """
    made, size = {}, 0
    for name, tensor in tensors.items():
        made[name], stored = tensor, [tensor]
        if name in base and tensor.dim() == 2 and rank * sum(tensor.shape) < tensor.numel():
            stored = [factor.half() for factor in factors(tensor.float() - base[name], rank)]
            made[name] = base[name] + stored[0].float() @ stored[1].float()
        size += sum(one.nbytes for one in stored)
    return made, size


def package() -> dict[str, Tensor]:
    """Return the trunk of the package, tensors named as ours ship."""
    named = Classifier(packaged(), labels=len(LABELS)).trunk.named_parameters()
    return {name: parameter.detach() for name, parameter in named}


def edits(data: Path, *, seed: int) -> list[Pair]:
    """Return edits of held-out development statements; the label says whether the claim stayed the same."""
    held_out = [claim for claim in training_claims(data) if same_claim.part_of(claim["id"]) == "dev"]
    heard = same_claim.unlinked_sentences(data, seed=seed, count=READ)
    return random.Random(seed).sample(same_claim.edited(held_out, heard, seed=seed, held_out=True), READ)


def answers(
    weights: Path, sets: Mapping[str, list[Pair]], claims: list[Pair]
) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Return the likeliest label of each pair by set, and the log-odds of the same claim of the edits."""
    return {name: read(weights, pairs)[0].numpy().argmax(1) for name, pairs in sets.items()}, read(weights, claims)[1]


def main() -> None:
    """Parse the command line, read the weights at each rank, write the rows and their picture."""
    from scipy.stats import spearmanr
    from sklearn.metrics import roc_auc_score

    args = options()
    tensors, base = load_file(args.weights), package()
    sets, claims = development(args.data, seed=args.seed), edits(args.data, seed=args.seed)
    path = args.out / "nli-deltas.csv"
    path.unlink(missing_ok=True)
    shipped = answers(args.weights, sets, claims)
    for rank in (*args.ranks, FULL):
        made, size = shortened(tensors, base, rank)
        file = args.work / f"{rank}.safetensors"
        cards.write_model(file, made, {"pooling": "mean", "temperature": 1.0})
        labels, same = answers(file, sets, claims) if rank < FULL else shipped
        accuracies = [np.mean(labels[name] == [pair.label for pair in pairs]) for name, pairs in sets.items()]
        alike = np.mean([np.mean(labels[name] == shipped[0][name]) for name in sets])
        order = roc_auc_score([pair.label for pair in claims], same), spearmanr(same, shipped[1]).statistic
        row = (rank, round(size / 1e6, 2), *(round(float(one), 4) for one in (*accuracies, alike, *order)))
        cards.append_row(path, HEADER, row)
        print(*row, flush=True)
    cards.draw_curve(path, over="rank")


def options() -> argparse.Namespace:
    """Return the command line's options."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--weights", type=Path, default=Path("models/nli.safetensors"))
    parser.add_argument("--ranks", type=int, nargs="+", default=[32, 64, 128])
    parser.add_argument("--out", type=Path, default=Path("docs/curves"))
    parser.add_argument("--work", type=Path, default=Path("build/nli-deltas"), help="the weights that are compared")
    parser.add_argument("--seed", type=int, default=17)
    return parser.parse_args()


if __name__ == "__main__":
    main()
