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


def licences(*trainings: str) -> dict[str, str]:
    """Return the licences of the sets that some trainings read, first or further, by name.

    Besides those sets, MultiNLI, the sets that are read twice and the same-claim pairs.
    """
    read_sets = {}
    for name, one in SETS.items():
        counts = any(training in one for training in trainings)
        twice = "twice" in one and "further" in trainings
        if counts or twice or name in ("mnli", "same claim"):
            read_sets[name] = one["licence"]
    return read_sets


def read(data: Path, name: str) -> list[Pair]:
    """Return the pairs of the files of a set."""
    return [
        pair for file in SETS[name]["files"] for pair in nli_pairs(data / f"{file}.jsonl.gz", name)
    ]


def sets(data: Path, *, seed: int) -> dict[str, list[Pair]]:
    """Return the sets by name, whole, MultiNLI's first."""
    statements = []
    for claim in training_claims(data):
        if same_claim.part_of(claim["id"]) == "train":
            statements.append(claim["statement"])
    fever = []
    for split in ("eval", "test"):
        path = data / "nli" / f"fever_claim_evidence_{split}.jsonl.gz"
        fever += fever_pairs(path, seed=seed)
    built_sets = {
        "fever": fever,
        "edits": edit_pairs(statements, seed=seed),
        "neighbours": neighbour_pairs(statements, seed=seed, count=FIRST["neighbours"]),
    }
    pairs_by_set = {}
    for name in ("mnli", *FIRST):
        pairs_by_set[name] = built_sets[name] if name in built_sets else read(data, name)
    return pairs_by_set


def mixture(data: Path, *, rounds: int, seed: int) -> list[Pair]:
    """Return the training pairs in order.

    In each round all of MultiNLI's, and the next part of every other set.
    """
    rng = random.Random(seed)
    other_sets = sets(data, seed=seed)
    mnli = other_sets.pop("mnli")
    drawn_sets = [
        rng.sample(pairs, min(FIRST[name], len(pairs))) for name, pairs in other_sets.items()
    ]
    order: list[Pair] = []
    for i in range(rounds):
        round_pairs = list(mnli)
        for pairs in drawn_sets:
            round_pairs += pairs[i::rounds]
        rng.shuffle(round_pairs)
        order.extend(round_pairs)
    return order
