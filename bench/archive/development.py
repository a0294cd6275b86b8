"""Development of repeats: the weights by which a match counts, and from which chance on.

``python -m bench.archive.development [--curves DIR] [--json FILE]``. ``development.tsv`` has for each of the sample
fact-checks of which ``rewordings.tsv``, the test set, has none, two ways to make its claim and a sentence near it that
does not, and for fifty of them two more ways, in the manner of speech. They are dealt out into twelve transcripts and
checked; every match in a list is an example. Precision and recall are those of ``bench.archive.planted``, by weights
from the other four fifths of the fact-checks and by those that ship; ``repeats.csv`` among the curves has both for
every chance, without the further conditions of a count (strength, the whole claim). A half-true claim settles nothing,
stands in no list, and is left out. There is a trap by the same speaker for every repeat: a debate has fewer.
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
from assistant.archive.archive_store import matches_in
from assistant.check import loaded_models, same_claim
from assistant.check.index_opening import as_index
from assistant.core.settings import EMBEDDED
from bench.archive.planted import scores
from bench.command import command, option, table
from bench.samples import ROOT, sample_claims

CURVES = ROOT / "docs" / "curves"
WRITTEN = Path(__file__).parent / "development.tsv"
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
    """Return the debates: speaker, sentence and planted repeat of each line."""
    debates: list[list[tuple[str, str, Planted | None]]] = [[] for _ in range(DEBATES)]
    lines = WRITTEN.read_text("utf-8").splitlines()
    records = [line.split("\t") for line in lines if not line.startswith("#")]
    for number, (claim, *texts) in enumerate(records):
        speaker = f"SPEAKER {'ABCD'[number % SPEAKERS]}"
        for i, text in enumerate(texts):
            debate = (number + APART * i) % DEBATES
            planted = (f"sample-{claim}", speaker, debate) if i < 2 else None
            debates[debate].append((speaker, text, planted))
    return debates


def examples(debates: list[list[tuple[str, str, Planted | None]]]) -> Iterator[Example]:
    """Yield the matches of all debates."""
    claims = sample_claims()
    encoders = loaded_models.encoders(EMBEDDED)
    index = as_index(claims, encoders)
    for number, lines in enumerate(debates):
        content = "".join(f"{speaker}: {text}\n\n" for speaker, text, _ in lines)
        transcript = transcripts.read_bytes(content.encode(), f"{number}.txt")
        report = pipeline.check(transcript, index, EMBEDDED)
        planted_by_text = {text: (speaker, planted) for speaker, text, planted in lines}
        matches = matches_in(report)
        statements = [match.claim.statement for _, match in matches]
        texts = [sentence.text for sentence, _ in matches]
        inputs = same_claim.regression_inputs(statements, texts, encoders)
        for (sentence, match), match_inputs in zip(matches, inputs.tolist(), strict=True):
            speaker, planted = planted_by_text[sentence.text]
            occurrence = (match.claim.id, speaker, number)
            yield Example(occurrence, tuple(match_inputs), occurrence == planted)


def fitted(examples: list[Example]) -> tuple[np.ndarray, float]:
    """Return the weights of a logistic regression, in the units of the inputs, and its base."""
    from sklearn.linear_model import LogisticRegression

    X = np.array([example.inputs for example in examples])
    scale = X.std(axis=0) + 1e-9
    model = LogisticRegression().fit(X / scale, [example.right for example in examples])
    return model.coef_[0] / scale, float(model.intercept_[0])


def _chances(examples: Sequence[Example], weights: np.ndarray, base: float) -> np.ndarray:
    inputs = np.array([example.inputs for example in examples])
    return 1 / (1 + np.exp(-(inputs @ weights + base)))


def pairs(occurrences: list[Planted]) -> Pairs:
    """Return each claim that somebody made in two debates."""
    debates_by_claim: dict[tuple[str, str], set[str]] = defaultdict(set)
    for claim, speaker, debate in occurrences:
        debates_by_claim[claim, speaker].add(str(debate))
    repeats = set()
    for key, debates in debates_by_claim.items():
        for two_debates in combinations(sorted(debates), 2):
            repeats.add((*key, frozenset(two_debates)))
    return repeats


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Score the matches by held-out and by shipped weights, and print the weights of all."""
    half_true = {claim.id for claim in sample_claims() if claim.rating == "Half True"}
    debates = dealt()
    occurrences = []
    for lines in debates:
        for _, _, planted in lines:
            if planted and planted[0] not in half_true:
                occurrences.append(planted)
    planted_pairs = pairs(occurrences)
    all_examples = list(examples(debates))
    held_out_chances = held_out(all_examples)
    shipped_weights = np.asarray(same_claim.WEIGHTS)
    shipped_chances = _chances(all_examples, shipped_weights, same_claim.INTERCEPT)
    held_out_scores = scored(all_examples, held_out_chances, planted_pairs, STEPS)
    shipped_scores = scored(all_examples, shipped_chances, planted_pairs, (0, *STEPS))
    curves = {}
    for name, chances in (
        ("weights of the other four fifths", held_out_chances),
        ("weights that ship", shipped_chances),
    ):
        curves[name] = scored(all_examples, chances, planted_pairs, _borders(chances))
    write_curves(curves, options.curves)
    weights, base = fitted(all_examples)
    print(table(held_out_scores), table(shipped_scores), sep="\n")
    print(f"BASE, WEIGHTS = {base:.2f}, ({', '.join(f'{weight:.2f}' for weight in weights)})")
    return {
        "rows": held_out_scores,
        "shipped": shipped_scores,
        "weights": weights.tolist(),
        "base": base,
    }


def held_out(examples: list[Example]) -> np.ndarray:
    """Return the chance of each match by the weights of the other four fifths of fact-checks, (n,)."""
    claim_ids = [example.place[0] for example in examples]
    distinct_ids = sorted(set(claim_ids))
    folds = np.array([distinct_ids.index(claim_id) % FOLDS for claim_id in claim_ids])
    chances = np.zeros(len(examples))
    for fold in range(FOLDS):
        training = [examples[i] for i in np.flatnonzero(folds != fold)]
        tested = [examples[i] for i in np.flatnonzero(folds == fold)]
        weights, base = fitted(training)
        chances[folds == fold] = _chances(tested, weights, base)
    return chances


def scored(
    examples: Sequence[Example], chance: np.ndarray, planted: Pairs, borders: Sequence[float]
) -> list[dict[str, Any]]:
    """Return precision and recall for each of some thresholds of the chance."""
    score_rows = []
    for threshold in borders:
        counted = []
        for example, value in zip(examples, chance, strict=True):
            if value >= threshold:
                counted.append(example.place)
        score_rows.append(
            {"chance": threshold, "planted": len(planted), **scores(pairs(counted), planted)}
        )
    return score_rows


def write_curves(curves: Mapping[str, Sequence[Mapping[str, Any]]], folder: Path) -> None:
    """Write precision and recall for every chance as ``repeats.csv``."""
    with (folder / "repeats.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("weights", "chance", "found", "precision", "recall"))
        for name, score_rows in curves.items():
            for score_row in score_rows:
                values = [
                    round(score_row[key], 4) for key in ("chance", "found", "precision", "recall")
                ]
                writer.writerow((name, *values))


def _borders(chance: np.ndarray) -> list[float]:
    return [0.0, *np.unique(chance).tolist()]


main = command(measure, option("--curves", type=Path, default=CURVES, metavar="DIR"))

if __name__ == "__main__":
    sys.exit(main())
