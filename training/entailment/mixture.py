"""The mixture that the first training of the cross-encoder reads.

MultiNLI, other sets of entailment, edits.

``sets.toml`` names the files of every set, how many pairs each training draws of it, and its licence.
"""

from __future__ import annotations

import random
import tomllib
from pathlib import Path
from typing import Any

from training.edits import same_claim
from training.edits.entailment_edits import edit_pairs, neighbour_pairs
from training.shared.loaders import Pair, fever_pairs, nli_pairs, training_claims

TABLE: dict[str, Any] = tomllib.loads(Path(__file__).with_name("sets.toml").read_text("utf-8"))
SETS: dict[str, dict[str, Any]] = TABLE["sets"]
FIRST = {name: one["first"] for name, one in SETS.items() if "first" in one}
LICENCES = {name: one["licence"] for name, one in SETS.items()}


def read(data: Path, name: str) -> list[Pair]:
    """Return the pairs of the files of a set."""
    return [
        pair for file in SETS[name]["files"] for pair in nli_pairs(data / f"{file}.jsonl.gz", name)
    ]


def sets(data: Path, *, seed: int) -> dict[str, list[Pair]]:
    """Return the sets by name, whole, MultiNLI's first."""
    training = [
        claim for claim in training_claims(data) if same_claim.part_of(claim["id"]) == "train"
    ]
    statements = [claim["statement"] for claim in training]
    fever = [data / "nli" / f"fever_claim_evidence_{part}.jsonl.gz" for part in ("eval", "test")]
    made = {
        "fever": [pair for path in fever for pair in fever_pairs(path, seed=seed)],
        "edits": edit_pairs(statements, seed=seed),
        "neighbours": neighbour_pairs(statements, seed=seed, count=FIRST["neighbours"]),
    }
    return {name: made[name] if name in made else read(data, name) for name in ("mnli", *FIRST)}


def mixture(data: Path, *, rounds: int, seed: int) -> list[Pair]:
    """Return the training pairs in order.

    In each round all of MultiNLI's, and the next part of every other set.
    """
    rng = random.Random(seed)
    others = sets(data, seed=seed)
    mnli = others.pop("mnli")
    drawn = {
        name: rng.sample(pairs, min(FIRST[name], len(pairs))) for name, pairs in others.items()
    }
    order: list[Pair] = []
    for i in range(rounds):
        part = mnli + [pair for pairs in drawn.values() for pair in pairs[i::rounds]]
        rng.shuffle(part)
        order.extend(part)
    return order
