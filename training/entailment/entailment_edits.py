"""A test of entailment by edits of held-out statements, read through by eye: what follows from them and what not.

    python -m training.entailment.entailment_edits --data DIR

prints the pairs for reading. Statements are those of the ``test`` part, one edit of each. A reader refused edits that
are no English, that could be entailed although their kind says not (a *since* that begins later, *less than* a larger
figure) or that say something else although their kind says not; only their claims' ids are kept here.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from training.entailment.claim_edits import edit_test
from training.entailment.stress import ENTAILED, NOT_ENTAILED
from training.shared.loaders import Pair

EACH = 36
SEED = 29
REFUSED = frozenset(
    f"vclaim-pol-{number}"
    for number in (
        "00309 03545 04253 05224 06071 06256 06646 07114 07281 10604 10895 11016 11393 11525 12477 12656 12667 13033 "
        "13701 13791 15200 15978 16010 16130 16321 19146"
    ).split()
)


def made(data: Path) -> list[tuple[str, Pair]]:
    """Return (claim id, pair) of each edit; the kind stands in the pair's source."""
    return edit_test(data, seed=SEED, kinds=(*NOT_ENTAILED, *ENTAILED), each=EACH)


def kept(data: Path) -> list[Pair]:
    """Return the pairs that the reader let stand."""
    return [pair for claim, pair in made(data) if claim not in REFUSED]


def main() -> None:
    """Print the pairs for reading."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    for claim, pair in made(parser.parse_args().data):
        print(f"{claim}\t{pair.source}\t{pair.premise}\n\t\t{pair.hypothesis}")


if __name__ == "__main__":
    main()
