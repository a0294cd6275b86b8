"""Blend the weights that a training of the cross-encoder began at with those it ended at, and write them with a card.

python -m training.entailment.blend --data DIR --start WEIGHTS --end WEIGHTS [--shares S ...]
[--out models]

Weights a share of the way (Wortsman et al. 2022) often know what either end knows. The largest
share ships whose accuracy on MultiNLI matched, a development set, is at least ``--least``; if none
has it, the most accurate.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor

from training.edits import same_claim
from training.entailment import further_mixture as further
from training.entailment.scores import development_sets, evaluate, fit_scale, read, same_scores
from training.shared import cards
from training.shared.command import parser
from training.shared.loaders import Pair

MATCHED = "mnli_matched_dev"
SAME = ("same.weight", "same.bias")
COMMAND = "python -m training.entailment.blend --data DIR --start START --end END"


def blend(start: dict[str, Tensor], end: dict[str, Tensor], share: float) -> dict[str, Tensor]:
    """Return the tensors a share of the way from start to end, in fp16."""
    blended = {}
    for name, tensor in start.items():
        mixed = torch.lerp(tensor.float(), end[name].float(), share)
        blended[name] = mixed.half().contiguous()
    return blended


def scaled(tensors: dict[str, Tensor], scale: float) -> dict[str, Tensor]:
    """Return the tensors with the head of the same claim divided by a scale."""
    scaled_tensors = dict(tensors)
    for name in tensors:
        if name in SAME:
            scaled_tensors[name] = (tensors[name].float() / scale).half()
    return scaled_tensors


def chosen(accuracies: dict[float, float], least: float) -> float:
    """Return the largest share that is accurate enough, or the most accurate one."""
    enough = [share for share, accuracy in accuracies.items() if accuracy >= least]
    return max(enough) if enough else max(accuracies, key=lambda share: accuracies[share])


def scores(
    path: Path, tensors: dict[str, Tensor], sets: list[tuple[str, list[Pair]]]
) -> dict[str, float]:
    """Write tensors to be read by the product's loader.

    Return accuracy, calibration and temperature by set.
    """
    cards.write_model(path, tensors, {"pooling": "mean", "temperature": 1.0})
    return evaluate(path, sets)


def main(arguments: Sequence[str] | None = None) -> None:
    """Score each share on development data, write the chosen one and its card."""
    command_line = parser("entailment.blend", __doc__, work="build/nli-blend")
    command_line.add_argument(
        "--start", type=Path, required=True, help="weights that a training began at"
    )
    command_line.add_argument(
        "--end", type=Path, required=True, help="weights that it ended at, with their card"
    )
    command_line.add_argument(
        "--shares", type=float, nargs="+", default=[0.5, 0.7, 1.0], help="of the way to the end"
    )
    command_line.add_argument(
        "--least", type=float, default=0.74, help="accuracy on MultiNLI matched"
    )
    options = command_line.parse_args(arguments)
    start = load_file(options.start)
    end = load_file(options.end)
    sets = [*development_sets(options.data), *further.development(options.data)]
    files = {share: options.work / f"{share}.safetensors" for share in options.shares}
    scores_by_share = {}
    for share, path in files.items():
        scores_by_share[share] = scores(path, blend(start, end, share), sets)
    accuracies = {share: set_scores[MATCHED] for share, set_scores in scores_by_share.items()}
    share = chosen(accuracies, options.least)
    print(json.dumps(scores_by_share, indent=1), "chosen", share)
    source = same_claim.sources(options.data, options.work, seed=options.seed)["dev"]
    held_out = same_claim.development_pairs(source, seed=options.seed)
    odds = read(files[share], held_out)[1]
    scale = fit_scale(odds, held_out)
    same_claim_scores = same_scores(odds / np.float32(scale), held_out)
    about = json.loads(options.end.with_suffix(".json").read_text("utf-8"))
    about |= {
        "temperature": scores_by_share[share]["temperature"],
        "scores": scores_by_share[share] | same_claim_scores,
        "share": share,
        "shares": {str(tried): set_scores for tried, set_scores in scores_by_share.items()},
        "command": [about["command"], COMMAND],
    }
    tensors = scaled(blend(start, end, share), scale)
    cards.write_model(options.out / "nli.safetensors", tensors, about)


if __name__ == "__main__":
    main()
