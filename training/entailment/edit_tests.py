"""Edit tests, of "same claim" and of entailment: edits of held-out statements that were checked one by one.

    python -m training.entailment.edit_tests same-claim|entailment --data DIR

prints the pairs for labelling. Statements are those of the ``test`` part, at most one edit of each; wordings are those
that training never uses. A language model with a written guide refused edits that had not come out as their kind says:
for entailment those that are no English, that could be entailed although their kind says not (a *since* that begins
later, *less than* a larger figure) or that say something else although their kind says not. Only the ids of the refused
claims are stored.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from training.edits import claim_edits
from training.edits.same_claim import KINDS, part_of, unlinked_sentences
from training.entailment.stress import ENTAILED, NOT_ENTAILED
from training.shared.command import parser
from training.shared.loaders import Pair, training_claims

RARE = ("clause", "pronoun", "rounding", "year", "place", "person")  # these choose their statements first


class EditTest(NamedTuple):
    """Up to ``each`` edits of some kinds, drawn by a seed; ``refused``: numbers of claims that the reader refused."""

    kinds: Sequence[str]
    each: int
    seed: int
    refused: str

    def drawn(self, data: Path) -> list[tuple[str, Pair]]:
        """Return (claim id, pair) of each edit, at most one of a claim; the pair's source is the kind."""
        rng = random.Random(self.seed)
        claims = [claim for claim in training_claims(data) if part_of(claim["id"]) == "test"]
        others = unlinked_sentences(data, seed=self.seed, count=200)
        rng.shuffle(claims)
        pairs: list[tuple[str, Pair]] = []
        for kind in sorted(self.kinds, key=[*RARE, *KINDS].index):
            made = 0
            for claim in list(claims):
                text = _edit(claim["statement"], kind, rng, others) if made < self.each else None
                if text:
                    label = int(kind not in claim_edits.BREAKING)
                    pairs.append((claim["id"], Pair(claim["statement"], text, label, kind)))
                    claims.remove(claim)
                    made += 1
        return pairs

    def accepted(self, data: Path) -> list[Pair]:
        """Return the pairs that the reader accepted."""
        refused = {f"vclaim-pol-{number}" for number in self.refused.split()}
        return [pair for claim, pair in self.drawn(data) if claim not in refused]


def _edit(statement: str, kind: str, rng: random.Random, others: list[str]) -> str | None:
    if kind in claim_edits.BREAKING:
        return claim_edits.broken(statement, kind, rng, held_out=True)
    return claim_edits.kept(statement, kind, rng, others, held_out=True)


SAME_CLAIM = EditTest(
    KINDS,
    each=22,
    seed=23,
    refused="00110 00736 01057 02356 02445 02511 02742 03126 04211 04253 04539 05164 06044 06256 07050 08349 08761 "
    "10451 11016 11268 11327 11532 11581 11749 12001 12767 12862 13033 13358 13454 13791 14002 14085 14098 14861 14881 "
    "14887 14999 15314 16160 16321 17418 17809 18008 19122 19146 19153",
)
ENTAILMENT = EditTest(
    (*NOT_ENTAILED, *ENTAILED),
    each=36,
    seed=29,
    refused="00309 03545 04253 05224 06071 06256 06646 07114 07281 10604 10895 11016 11393 11525 12477 12656 12667 "
    "13033 13701 13791 15200 15978 16010 16130 16321 19146",
)
TESTS = {"same-claim": SAME_CLAIM, "entailment": ENTAILMENT}


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the pairs of a test for reading."""
    made = parser("entailment.edit_tests", __doc__, work="build/nli", out="")
    made.add_argument("test", choices=tuple(TESTS))
    options = made.parse_args(arguments)
    for claim, pair in TESTS[options.test].drawn(options.data):
        print(f"{claim}\t{pair.source}\t{pair.label}\t{pair.premise}\n\t\t{pair.hypothesis}")


if __name__ == "__main__":
    main()
