"""Development of repeats: the weights by which a match counts, and from which chance on.

``python -m bench.archive.development [--json FILE]``. ``development.tsv`` has for each of the sample fact-checks of
which ``rewordings.tsv``, the test set, has none, two ways to make its claim and a sentence near it that does not, and
for fifty of them two more ways, in the manner of speech. They are dealt out into twelve transcripts and checked; every
match in a list is an example. Precision and recall are those of ``bench.archive.planted``, by weights from the other
four fifths of the fact-checks. A half-true claim settles nothing, stands in no list, and is left out. There is a trap
by the same speaker for every repeat: a debate has fewer.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from assistant import pipeline, transcripts
from assistant.archive import same_claim
from assistant.archive.store import found_in
from assistant.check import models
from assistant.check.index_opening import as_index
from assistant.claims.importers import read_claims
from assistant.ground.domain import VerifiedClaim
from assistant.ground.settings import EMBEDDED
from bench.archive.planted import scores
from bench.command import command, table
from bench.samples import CLAIMS

WRITTEN = Path(__file__).parent / "development.tsv"
DEBATES, SPEAKERS, APART, FOLDS, STEPS = 12, 4, 5, 5, (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9)
Planted = tuple[str, str, int]  # claim, speaker, debate


@dataclass(frozen=True, slots=True)
class Example:
    """A match in a list: who says it where, what the regression reads of it, and whether it makes the claim."""

    place: Planted
    inputs: tuple[float, ...]
    right: bool


def dealt() -> list[list[tuple[str, str, Planted | None]]]:
    """Return the debates: who says what, and what is planted with it."""
    rows = [line.split("\t") for line in WRITTEN.read_text("utf-8").splitlines() if not line.startswith("#")]
    debates: list[list[tuple[str, str, Planted | None]]] = [[] for _ in range(DEBATES)]
    for number, (claim, *said) in enumerate(rows):
        for place, text in enumerate(said):
            speaker, debate = f"SPEAKER {'ABCD'[number % SPEAKERS]}", (number + APART * place) % DEBATES
            debates[debate].append((speaker, text, (f"sample-{claim}", speaker, debate) if place < 2 else None))
    return debates


def examples(debates: list[list[tuple[str, str, Planted | None]]]) -> Iterator[Example]:
    """Yield the matches of all debates."""
    claims = [claim for claim in read_claims(CLAIMS) if isinstance(claim, VerifiedClaim)]
    encoders = models.encoders(EMBEDDED)
    index = as_index(claims, encoders)
    for number, lines in enumerate(debates):
        text = "".join(f"{speaker}: {said}\n\n" for speaker, said, _ in lines)
        report = pipeline.check(transcripts.read_bytes(text.encode(), f"{number}.txt"), index, EMBEDDED)
        of = {said: (speaker, planted) for speaker, said, planted in lines}
        found = found_in(report)
        read = same_claim.inputs([m.claim.statement for _, m in found], [s.text for s, _ in found], encoders)
        for (sent, match), row in zip(found, read.tolist(), strict=True):
            speaker, planted = of[sent.text]
            place = (match.claim.id, speaker, number)
            yield Example(place, tuple(row), place == planted)


def fitted(chosen: list[Example]) -> tuple[np.ndarray, float]:
    """Return the weights of a logistic regression, in the units of the inputs, and its base."""
    from sklearn.linear_model import LogisticRegression

    X = np.array([example.inputs for example in chosen])
    scale = X.std(axis=0) + 1e-9
    model = LogisticRegression().fit(X / scale, [example.right for example in chosen])
    return model.coef_[0] / scale, float(model.intercept_[0])


def pairs(places: list[Planted]) -> set[tuple[str, str, frozenset[str]]]:
    """Return each claim that somebody made in two debates."""
    by: dict[tuple[str, str], set[str]] = defaultdict(set)
    for claim, speaker, debate in places:
        by[claim, speaker].add(str(debate))
    return {(*key, frozenset(two)) for key, there in by.items() for two in combinations(sorted(there), 2)}


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Fit on four fifths of the fact-checks, score the others, and print the weights of all."""
    half = {c.id for c in read_claims(CLAIMS) if isinstance(c, VerifiedClaim) and c.rating == "Half True"}
    debates = dealt()
    planted = pairs([p for lines in debates for *_, p in lines if p and p[0] not in half])
    all_ = list(examples(debates))
    ids = sorted({example.place[0] for example in all_})
    chance = np.zeros(len(all_))
    for fold in range(FOLDS):
        weights, base = fitted([e for e in all_ if ids.index(e.place[0]) % FOLDS != fold])
        for row, example in enumerate(all_):
            if ids.index(example.place[0]) % FOLDS == fold:
                chance[row] = 1 / (1 + np.exp(-(np.asarray(example.inputs) @ weights + base)))
    rows = []
    for least in STEPS:
        found = pairs([e.place for e, value in zip(all_, chance, strict=True) if value >= least])
        rows.append({"chance": least, "planted": len(planted), **scores(found, planted)})
    weights, base = fitted(all_)
    print(table(rows))
    print(f"BASE, WEIGHTS = {base:.2f}, ({', '.join(f'{weight:.2f}' for weight in weights)})")
    return {"rows": rows, "weights": weights.tolist(), "base": base}


main = command(measure)

if __name__ == "__main__":
    sys.exit(main())
