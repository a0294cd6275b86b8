"""Weights between those that a training of the cross-encoder began at and those it ended at, and their card.

    python -m training.entailment.blend --data DIR --start WEIGHTS --end WEIGHTS [--shares S ...] [--out models] [--work
    DIR]

What lies a share of the way (Wortsman et al. 2022) often knows what either end knows. The largest share ships whose
accuracy on MultiNLI matched, a development set, is at least ``--least``; of none, the most accurate.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor

from training.edits import same_claim
from training.entailment import further as nli_further
from training.entailment.scores import development_sets, evaluate, fit_scale, read, same_scores
from training.shared import cards
from training.shared.loaders import Pair

MATCHED = "mnli_matched_dev"
SAME = ("same.weight", "same.bias")


def blend(start: dict[str, Tensor], end: dict[str, Tensor], share: float) -> dict[str, Tensor]:
    """Return the tensors a share of the way from start to end, in fp16."""
    return {
        name: torch.lerp(tensor.float(), end[name].float(), share).half().contiguous() for name, tensor in start.items()
    }


def scaled(tensors: dict[str, Tensor], scale: float) -> dict[str, Tensor]:
    """Return the tensors with the head of the same claim divided by a scale."""
    return {name: (t.float() / scale).half() if name in SAME else t for name, t in tensors.items()}


def chosen(accuracies: dict[float, float], least: float) -> float:
    """Return the largest share that is accurate enough, or the most accurate one."""
    enough = [share for share, accuracy in accuracies.items() if accuracy >= least]
    return max(enough) if enough else max(accuracies, key=lambda share: accuracies[share])


def main() -> None:
    """Parse the command line, score each share on development data, write the chosen one and its card."""
    args = options()
    start, end = load_file(args.start), load_file(args.end)
    sets = [*development_sets(args.data), *nli_further.development(args.data)]
    args.work.mkdir(parents=True, exist_ok=True)
    found = {share: scores(args.work / f"{share}.safetensors", blend(start, end, share), sets) for share in args.shares}
    share = chosen({share: one[MATCHED] for share, one in found.items()}, args.least)
    print(json.dumps(found, indent=1), "chosen", share)
    held_out = same_claim.development_pairs(
        same_claim.sources(args.data, args.work, seed=args.seed)["dev"], seed=args.seed
    )
    odds = read(args.work / f"{share}.safetensors", held_out)[1]
    scale = fit_scale(odds, held_out)
    about = json.loads(args.end.with_suffix(".json").read_text("utf-8"))
    about |= {
        "temperature": found[share]["temperature"],
        "scores": found[share] | same_scores(odds / np.float32(scale), held_out),
        "share": share,
        "shares": {str(one): scored for one, scored in found.items()},
        "command": [about["command"], "python -m training.entailment.blend --data DIR --start START --end END"],
    }
    cards.write_model(args.out / "nli.safetensors", scaled(blend(start, end, share), scale), about)


def scores(path: Path, tensors: dict[str, Tensor], sets: list[tuple[str, list[Pair]]]) -> dict[str, float]:
    """Write tensors to be read by the product's loader; return accuracy, calibration and temperature by set."""
    cards.write_model(path, tensors, {"pooling": "mean", "temperature": 1.0})
    return evaluate(path, sets)


def options() -> argparse.Namespace:
    """Return the command line's options."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--start", type=Path, required=True, help="weights that a training began at")
    parser.add_argument("--end", type=Path, required=True, help="weights that it ended at, with their card")
    parser.add_argument("--shares", type=float, nargs="+", default=[0.5, 0.7, 1.0], help="of the way to the end")
    parser.add_argument("--least", type=float, default=0.74, help="accuracy on MultiNLI matched")
    parser.add_argument("--out", type=Path, default=Path("models"))
    parser.add_argument("--work", type=Path, default=Path("build/nli-blend"), help="the weights that are compared")
    parser.add_argument("--seed", type=int, default=17)
    return parser.parse_args()


if __name__ == "__main__":
    main()
