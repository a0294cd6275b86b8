"""Development of repeats: the weights by which a match counts, and from which chance on.

``python -m bench.archive.development [--curves DIR] [--json FILE]``. ``development.tsv`` has for each of the sample
fact-checks of which ``rewordings.tsv``, the test set, has none, two ways to make its claim and a sentence near it that
does not, and for fifty of them two more ways, in the manner of speech. They are dealt out into twelve transcripts and
checked; every match in a list is an example. Precision and recall are those of ``bench.archive.planted``, by weights
from the other four fifths of the fact-checks and by those that ship; ``repeats.png`` among the curves shows both for
every chance. A half-true claim settles nothing, stands in no list, and is left out. There is a trap by the same speaker
for every repeat: a debate has fewer.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from assistant import pipeline, transcripts
from assistant.archive import same_claim
from assistant.archive.archive_store import matches_in
from assistant.check import loaded_models
from assistant.check.index_opening import as_index
from assistant.core.settings import EMBEDDED
from bench.archive.planted import scores
from bench.command import command, option, table
from bench.samples import ROOT, sample_claims

CURVES = ROOT / "docs" / "curves"
WRITTEN = Path(__file__).parent / "development.tsv"
BARS = 0.95, 0.7  # wanted precision and recall
DEBATES = 12
SPEAKERS = 4
APART = 5
FOLDS = 5
STEPS = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9)
Planted = tuple[str, str, int]  # claim, speaker, debate
Pairs = set[tuple[str, str, frozenset[str]]]


@dataclass(frozen=True, slots=True)
class Example:
    """A match in a list: who says it where, what the regression reads of it, and whether it makes the claim."""

    place: Planted
    inputs: tuple[float, ...]
    right: bool


def dealt() -> list[list[tuple[str, str, Planted | None]]]:
    """Return the debates: who says what, and what is planted with it."""
    rows = [
        line.split("\t")
        for line in WRITTEN.read_text("utf-8").splitlines()
        if not line.startswith("#")
    ]
    debates: list[list[tuple[str, str, Planted | None]]] = [[] for _ in range(DEBATES)]
    for number, (claim, *said) in enumerate(rows):
        for place, text in enumerate(said):
            speaker = f"SPEAKER {'ABCD'[number % SPEAKERS]}"
            debate = (number + APART * place) % DEBATES
            debates[debate].append(
                (speaker, text, (f"sample-{claim}", speaker, debate) if place < 2 else None)
            )
    return debates


def examples(debates: list[list[tuple[str, str, Planted | None]]]) -> Iterator[Example]:
    """Yield the matches of all debates."""
    claims = sample_claims()
    encoders = loaded_models.encoders(EMBEDDED)
    index = as_index(claims, encoders)
    for number, lines in enumerate(debates):
        text = "".join(f"{speaker}: {said}\n\n" for speaker, said, _ in lines)
        report = pipeline.check(
            transcripts.read_bytes(text.encode(), f"{number}.txt"), index, EMBEDDED
        )
        of = {said: (speaker, planted) for speaker, said, planted in lines}
        found = matches_in(report)
        read = same_claim.regression_inputs(
            [m.claim.statement for _, m in found], [s.text for s, _ in found], encoders
        )
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


def _chances(some: Sequence[Example], weights: np.ndarray, base: float) -> np.ndarray:
    return 1 / (1 + np.exp(-(np.array([example.inputs for example in some]) @ weights + base)))


def pairs(places: list[Planted]) -> Pairs:
    """Return each claim that somebody made in two debates."""
    by: dict[tuple[str, str], set[str]] = defaultdict(set)
    for claim, speaker, debate in places:
        by[claim, speaker].add(str(debate))
    return {
        (*key, frozenset(two))
        for key, there in by.items()
        for two in combinations(sorted(there), 2)
    }


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Score the matches by weights of the other fact-checks and by those that ship, and print the weights of all."""
    half = {claim.id for claim in sample_claims() if claim.rating == "Half True"}
    debates = dealt()
    planted = pairs([p for lines in debates for *_, p in lines if p and p[0] not in half])
    all_ = list(examples(debates))
    chance = held_out(all_)
    shipped = _chances(all_, np.asarray(same_claim.WEIGHTS), same_claim.INTERCEPT)
    rows = scored(all_, chance, planted, STEPS)
    of_shipped = scored(all_, shipped, planted, (0, *STEPS))
    curves = {
        "weights of the other four fifths": scored(all_, chance, planted, _borders(chance)),
        "weights that ship": scored(all_, shipped, planted, _borders(shipped)),
    }
    draw(curves, options.curves)
    weights, base = fitted(all_)
    print(table(rows), table(of_shipped), sep="\n")
    print(f"BASE, WEIGHTS = {base:.2f}, ({', '.join(f'{weight:.2f}' for weight in weights)})")
    return {"rows": rows, "shipped": of_shipped, "weights": weights.tolist(), "base": base}


def held_out(all_: list[Example]) -> np.ndarray:
    """Return the chance of each match by the weights of the other four fifths of the fact-checks, (n,)."""
    ids = sorted({example.place[0] for example in all_})
    fold = np.array([ids.index(example.place[0]) % FOLDS for example in all_])
    chance = np.zeros(len(all_))
    for number in range(FOLDS):
        weights, base = fitted(
            [example for example, own in zip(all_, fold, strict=True) if own != number]
        )
        chance[fold == number] = _chances(
            [example for example, own in zip(all_, fold, strict=True) if own == number],
            weights,
            base,
        )
    return chance


def scored(
    all_: Sequence[Example], chance: np.ndarray, planted: Pairs, borders: Sequence[float]
) -> list[dict[str, Any]]:
    """Return precision and recall for each of some chances from which a match counts."""
    rows = []
    for least in borders:
        found = pairs([e.place for e, value in zip(all_, chance, strict=True) if value >= least])
        rows.append({"chance": least, "planted": len(planted), **scores(found, planted)})
    return rows


def draw(curves: Mapping[str, Sequence[Mapping[str, Any]]], folder: Path) -> None:
    """Write precision against recall as ``repeats.png`` and ``repeats.csv``.

    A dot is the chance from which counts.
    """
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 4))
    with (folder / "repeats.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("weights", "chance", "found", "precision", "recall"))
        for name, rows in curves.items():
            points = [
                [round(row[key], 4) for key in ("chance", "found", "precision", "recall")]
                for row in rows
            ]
            writer.writerows((name, *point) for point in points)
            (line,) = axes.plot([p[3] for p in points], [p[2] for p in points], label=name)
            counted = min(points, key=lambda p: (p[0] < same_claim.COUNTED_CHANCE, p[0]))
            axes.plot(*counted[3:1:-1], marker="o", color=line.get_color())
    axes.axhline(BARS[0], linestyle=":", color="0.4")
    axes.axvline(BARS[1], linestyle=":", color="0.4")
    axes.set(
        xlabel="recall",
        ylabel="precision",
        xlim=(0, 1),
        ylim=(0, 1),
        title="Repeats, development pairs",
    )
    axes.legend(loc="lower left")
    figure.tight_layout()
    figure.savefig(folder / "repeats.png", dpi=90, metadata={"Software": None})


def _borders(chance: np.ndarray) -> list[float]:
    return [0.0, *np.unique(chance).tolist()]


main = command(measure, option("--curves", type=Path, default=CURVES, metavar="DIR"))

if __name__ == "__main__":
    sys.exit(main())
