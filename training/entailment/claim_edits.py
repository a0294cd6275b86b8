"""A test of "same claim" by edits of held-out statements, some twenty of each kind, read through by eye.

    python -m training.entailment.claim_edits --data DIR [--weights models/nli.safetensors]

Statements are those of the ``test`` part, wordings those that training never used. A reader refused the edits that had
not come out as their kind says; only their claims' ids are kept here. Without weights the pairs are printed.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

from training.edits import claims as claim_edits
from training.edits.same_claim import KINDS, part_of, unlinked_sentences
from training.entailment.scores import read, same_scores
from training.shared.loaders import Pair, training_claims

EACH = 22
RARE = ("clause", "pronoun", "rounding", "year", "place", "person")  # these choose their statements first
REFUSED = frozenset(
    f"vclaim-pol-{number}"
    for number in (
        "00110 00736 01057 02356 02445 02511 02742 03126 04211 04253 04539 05164 06044 06256 07050 08349 "
        "08761 10451 11016 11268 11327 11532 11581 11749 12001 12767 12862 13033 13358 13454 13791 14002 "
        "14085 14098 14861 14881 14887 14999 15314 16160 16321 17418 17809 18008 19122 19146 19153 "
    ).split()
)


def edit_test(data: Path, *, seed: int = 23, kinds: Sequence[str] = KINDS, each: int = EACH) -> list[tuple[str, Pair]]:
    """Return (claim id, pair) of each edit, at most one of a claim; the kind stands in the pair's source."""
    rng = random.Random(seed)
    claims = [claim for claim in training_claims(data) if part_of(claim["id"]) == "test"]
    others = unlinked_sentences(data, seed=seed, count=200)
    rng.shuffle(claims)
    found: list[tuple[str, Pair]] = []
    for kind in sorted(kinds, key=[*RARE, *KINDS].index):
        made = 0
        for claim in list(claims):
            text = _edit(claim["statement"], kind, rng, others) if made < each else None
            if text:
                found.append((claim["id"], Pair(claim["statement"], text, int(kind not in claim_edits.BREAKING), kind)))
                claims.remove(claim)
                made += 1
    return found


def _edit(statement: str, kind: str, rng: random.Random, others: list[str]) -> str | None:
    if kind in claim_edits.BREAKING:
        return claim_edits.broken(statement, kind, rng, held_out=True)
    return claim_edits.kept(statement, kind, rng, others, held_out=True)


def kept(data: Path) -> list[Pair]:
    """Return the pairs that the reader let stand."""
    return [pair for claim, pair in edit_test(data) if claim not in REFUSED]


def main() -> None:
    """Print the pairs for reading, or the scores of some weights by kind."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--weights", type=Path)
    args = parser.parse_args()
    if args.weights:
        pairs = kept(args.data)
        print(len(pairs), same_scores(read(args.weights, pairs)[1], pairs))
        return
    for claim, pair in edit_test(args.data):
        print(f"{claim}\t{pair.source}\t{pair.premise}\n\t\t{pair.hypothesis}")


if __name__ == "__main__":
    main()
