"""What the first training of the cross-encoder reads: MultiNLI, other sets of entailment, edits of statements."""

from __future__ import annotations

import random
from pathlib import Path

from training.edits import same_claim
from training.edits.statements import edit_pairs, neighbour_pairs
from training.shared.loaders import Pair, fever_pairs, nli_pairs, training_claims

OTHERS = {
    "newprotocols": 24_000,
    "semiauto": 12_000,
    "counterfactual": 9_000,
    "fever": 14_000,
    "edits": 9_000,
    "neighbours": 4_500,
    "conjunctions": 6_000,
    "sick": 4_500,
}


def sets(data: Path, *, seed: int) -> dict[str, list[Pair]]:
    """Return the sets by name, whole, MultiNLI's first."""
    nli = data / "nli"
    training = [claim for claim in training_claims(data) if same_claim.part_of(claim["id"]) == "train"]
    statements = [claim["statement"] for claim in training]
    return {
        "mnli": nli_pairs(nli / "mnli_train_merged.jsonl.gz", "mnli"),
        "newprotocols": nli_pairs(nli / "newprotocols_train.jsonl.gz", "newprotocols"),
        "semiauto": nli_pairs(nli / "semiauto_wiki_train.jsonl.gz", "semiauto"),
        "counterfactual": nli_pairs(nli / "cad_nli_train.jsonl.gz", "counterfactual"),
        "fever": [
            pair
            for part in ("eval", "test")
            for pair in fever_pairs(nli / f"fever_claim_evidence_{part}.jsonl.gz", seed=seed)
        ],
        "edits": edit_pairs(statements, seed=seed),
        "conjunctions": nli_pairs(nli / "conjnli_adv_train15k.jsonl.gz", "conjunctions"),
        "sick": nli_pairs(data / "sts" / "sick_train.jsonl.gz", "sick"),
        "neighbours": neighbour_pairs(statements, seed=seed, count=OTHERS["neighbours"]),
    }


def mixture(data: Path, *, rounds: int, seed: int) -> list[Pair]:
    """Return the training pairs in order: in each round all of MultiNLI's, and the next part of every other set."""
    rng, others = random.Random(seed), sets(data, seed=seed)
    mnli = others.pop("mnli")
    drawn = {name: rng.sample(pairs, min(OTHERS[name], len(pairs))) for name, pairs in others.items()}
    order: list[Pair] = []
    for i in range(rounds):
        part = mnli + [pair for pairs in drawn.values() for pair in pairs[i::rounds]]
        rng.shuffle(part)
        order.extend(part)
    return order
