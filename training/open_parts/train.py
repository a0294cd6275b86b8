"""Training of the weights that choose the phrase which a match leaves open.

A linear model scores each phrase that only one of two texts has: is it the part that the other
text leaves open? ``labels.tsv`` names matches by debate, line and claim, and the open parts by the
numbers of their words. A language model made these labels.

``python -m training.open_parts.train --data DIR [--write]`` learns from all matches that the
statement settles, entirely or in part. Each event is also scored by weights that have not seen it:
the penalty is chosen and the shares are measured there. With ``--write`` weights and card replace
``models/open_parts.json``. It takes a few seconds on the CPU.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from features.language.open_parts.likely_phrases import (
    WEIGHTS_FILE,
    candidate_phrases,
    phrase_features,
)
from features.language.open_parts.partial_coverage import plain_statement, plainest
from features.models.atomic_write import replacing
from features.models.weight_files import MODELS
from training.shared.cards import restricted_data
from training.shared.debates import linked
from training.shared.loaders import rows as rows_in

LABELS = Path(__file__).with_name("labels.tsv")
CLAIMS = Path("politifact", "claims.jsonl.gz")
SETTLED = "s"
PART = "p"
PENALTIES = (0.03, 0.1, 0.3, 1.0)
SEED = 17  # the events that are drawn again for the intervals
DRAWS = 1_000
DIGITS = 4
Floats = NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class LabelledMatch:
    """A match with its phrases, (n, f), and whether each of them is an open part, (n,)."""

    event: str
    label: str
    features: Floats
    is_open: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The best phrase of each match, by weights that have not seen its event.

    Whether it is named, and whether it is an open part, (m,); the log loss over all phrases.
    """

    is_named: NDArray[np.bool_]
    is_right: NDArray[np.bool_]
    log_loss: float


def labelled_matches(folder: Path) -> tuple[list[LabelledMatch], tuple[str, ...]]:
    """Return the matches that the statement settles or settles in part, and the feature names.

    Matches without a phrase that only one of the texts has are left out.
    """
    texts = {}
    for debate in linked(folder / "debates"):
        for line, text in zip(debate.lines, debate.texts, strict=True):
            texts[debate.name, line] = text
    statements = {claim["id"]: claim["statement"] for claim in rows_in(folder / CLAIMS)}
    matches = []
    names: tuple[str, ...] = ()
    for row in LABELS.read_text("utf-8").splitlines():
        if row.startswith("#"):
            continue
        event, line, claim, label, said_numbers, checked_numbers = row.split("\t")
        if label not in (SETTLED, PART):
            continue
        sentence = texts[event, int(line)]
        statement = statements[claim]
        open_words = _words_at(sentence, said_numbers) | _words_at(statement, checked_numbers)
        feature_rows = []
        is_open = []
        for phrase, is_said in candidate_phrases(plainest(sentence), plain_statement(statement)):
            features = phrase_features(phrase, is_said=is_said)
            names = tuple(features)
            feature_rows.append(list(features.values()))
            is_open.append(not open_words.isdisjoint(_plain_words(phrase.text)))
        if feature_rows:
            matches.append(
                LabelledMatch(event, label, np.array(feature_rows, float), np.array(is_open))
            )
    return matches, names


def _words_at(text: str, numbers: str) -> set[str]:
    """Return the words of a text with some numbers, from 1."""
    words = text.split()
    return _plain_words(" ".join(words[int(number) - 1] for number in numbers.split()))


def _plain_words(text: str) -> set[str]:
    """Return the words of a text in small letters, without marks at their ends."""
    return {word.strip("\"'“”‘’.,;:?!()[]").casefold() for word in text.split()} - {""}


def fit(matches: Sequence[LabelledMatch], penalty: float) -> tuple[Floats, float]:
    """Return the weights (f,) and the bias for plain features."""
    model = make_pipeline(StandardScaler(), LogisticRegression(C=penalty, max_iter=5_000))
    features = np.concatenate([match.features for match in matches])
    model.fit(features, np.concatenate([match.is_open for match in matches]))
    scaler, regression = (step for _, step in model.steps)
    weights = regression.coef_[0] / scaler.scale_
    return weights, float(regression.intercept_[0] - weights @ scaler.mean_)


def held_out_outcome(matches: Sequence[LabelledMatch], penalty: float) -> Outcome:
    """Return the best phrases by weights that have not seen the event of the match."""
    models = {}
    for event in {match.event for match in matches}:
        models[event] = fit([match for match in matches if match.event != event], penalty)
    is_named = []
    is_right = []
    losses = []
    for match in matches:
        weights, bias = models[match.event]
        log_odds = match.features @ weights + bias
        best = int(log_odds.argmax())
        is_named.append(bool(log_odds[best] >= 0))
        is_right.append(bool(match.is_open[best]))
        losses.append(np.logaddexp(0, np.where(match.is_open, -log_odds, log_odds)))
    log_loss = float(np.concatenate(losses).mean())
    return Outcome(np.array(is_named), np.array(is_right), log_loss)


def shares(matches: Sequence[LabelledMatch], outcome: Outcome) -> dict[str, list[float]]:
    """Return shares of the matches by what is named, each with its 95 % interval.

    The interval is over events that are drawn again.
    """
    is_named = outcome.is_named
    is_part = np.array([match.label == PART for match in matches])
    masks = {
        "settled in part: right": (is_named & outcome.is_right, is_part),
        "settled in part: wrong": (is_named & ~outcome.is_right, is_part),
        "settled: named": (is_named, ~is_part),
    }
    events = sorted({match.event for match in matches})
    event_numbers = np.array([events.index(match.event) for match in matches])
    draws = np.random.default_rng(SEED).integers(0, len(events), (DRAWS, len(events)))
    result = {}
    for name, (is_counted, is_among) in masks.items():
        counts = np.bincount(event_numbers, is_counted & is_among, len(events))
        totals = np.bincount(event_numbers, is_among, len(events))
        drawn_shares = counts[draws].sum(axis=1) / totals[draws].sum(axis=1)
        low, high = np.percentile(drawn_shares, (2.5, 97.5))
        share = counts.sum() / totals.sum()
        result[name] = [round(float(number), 3) for number in (share, low, high)]
    return result


def main(arguments: Sequence[str] | None = None) -> None:
    """Learn, measure event by event, and write the weights with ``--write``."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="the data folder")
    parser.add_argument("--write", action="store_true", help="replace the weights that ship")
    options = parser.parse_args(arguments)
    matches, names = labelled_matches(options.data)
    outcomes = {penalty: held_out_outcome(matches, penalty) for penalty in PENALTIES}
    penalty = min(outcomes, key=lambda candidate: outcomes[candidate].log_loss)
    scores = shares(matches, outcomes[penalty])
    weights, bias = fit(matches, penalty)
    card = {
        "made_by": "python -m training.open_parts.train --data DIR --write",
        "data": "training/open_parts/labels.tsv: matches of debates, labelled by a language model",
        "matches": len(matches),
        "phrases": sum(len(match.is_open) for match in matches),
        "events": len({match.event for match in matches}),
        "seed": SEED,
        "licence": "research use, as the transcripts and statements",
        "restricted_data": restricted_data("open_parts"),
        "chosen": {"C": penalty, "log loss": round(outcomes[penalty].log_loss, DIGITS)},
        "shares when the event is held out": scores,
    }
    print(json.dumps(card, indent=1))
    if options.write:
        content = {
            "card": card,
            "bias": round(bias, DIGITS),
            "weights": {
                name: round(float(weight), DIGITS)
                for name, weight in zip(names, weights, strict=True)
            },
        }
        with replacing(MODELS / WEIGHTS_FILE) as unfinished:
            unfinished.write_text(json.dumps(content, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
