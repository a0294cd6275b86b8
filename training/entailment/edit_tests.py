"""Edit tests, of "same claim" and of entailment.

Edits of held-out statements that were checked one by one.

    python -m training.entailment.edit_tests same-claim|entailment --data DIR

prints the pairs for labelling. Statements are those of the ``test`` part, at most one edit of
each; wordings are those that training never uses. A language model with a written guide refused
edits that had not come out as their kind says: for entailment those that are no English, that
could be entailed although their kind says not (a *since* that begins later, *less than* a larger
figure) or that say something else although their kind says not. Only the ids of the refused claims
are stored, in ``edit_tests.toml``.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from training.edits import claim_edits
from training.edits.same_claim import KINDS, part_of, unlinked_sentences
from training.entailment.stress import ENTAILED, NOT_ENTAILED
from training.shared.command import parser
from training.shared.loaders import Pair, training_claims

RARE = (
    "clause",
    "pronoun",
    "rounding",
    "year",
    "place",
    "person",
)  # these choose their statements first


class EditTest(NamedTuple):
    """Up to ``each`` edits of some kinds, drawn by a seed.

    ``refused``: numbers of claims that the reader refused.
    """

    kinds: Sequence[str]
    each: int
    seed: int
    refused: str

    def drawn(self, data: Path) -> list[tuple[str, Pair]]:
        """Return (claim id, pair) of each edit, at most one of a claim.

        The pair's source is the kind.
        """
        rng = random.Random(self.seed)
        claims = [claim for claim in training_claims(data) if part_of(claim["id"]) == "test"]
        other_sentences = unlinked_sentences(data, seed=self.seed, count=200)
        rng.shuffle(claims)
        pairs: list[tuple[str, Pair]] = []
        for kind in sorted(self.kinds, key=[*RARE, *KINDS].index):
            label = int(kind not in claim_edits.BREAKING)
            edit_count = 0
            for claim in list(claims):
                if edit_count == self.each:
                    break
                text = _edit(claim["statement"], kind, rng, other_sentences)
                if text:
                    pairs.append((claim["id"], Pair(claim["statement"], text, label, kind)))
                    claims.remove(claim)
                    edit_count += 1
        return pairs

    def accepted(self, data: Path) -> list[Pair]:
        """Return the pairs that the reader accepted."""
        refused = {f"vclaim-pol-{number}" for number in self.refused.split()}
        return [pair for claim, pair in self.drawn(data) if claim not in refused]


def _edit(statement: str, kind: str, rng: random.Random, other_sentences: list[str]) -> str | None:
    if kind in claim_edits.BREAKING:
        return claim_edits.broken(statement, kind, rng, held_out=True)
    return claim_edits.kept(statement, kind, rng, other_sentences, held_out=True)


_DRAWN: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
SAME_CLAIM = EditTest(KINDS, **_DRAWN["same-claim"])
ENTAILMENT = EditTest((*NOT_ENTAILED, *ENTAILED), **_DRAWN["entailment"])
TESTS = {"same-claim": SAME_CLAIM, "entailment": ENTAILMENT}


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the pairs of a test for reading."""
    command_line = parser("entailment.edit_tests", __doc__, work="build/nli", out="")
    command_line.add_argument("test", choices=tuple(TESTS))
    options = command_line.parse_args(arguments)
    for claim, pair in TESTS[options.test].drawn(options.data):
        print(f"{claim}\t{pair.source}\t{pair.label}\t{pair.premise}\n\t\t{pair.hypothesis}")


if __name__ == "__main__":
    main()
