"""Training of the borders of passages.

A linear model of how neighbouring sentences cohere, learnt from read talk.

``python -m training.passages.train --data DIR [--write]`` learns from the half of the debates that teaches, chooses
penalty and bias there by cross-validation, and reads the other half once. With ``--write`` the weights and their card
replace ``models/passages.json``, and the old file is unchanged unless the new one is complete. The readings
(``training/passages/readings.tsv``) were made by a language model that follows docs/research/annotation-guidelines.md.
Expected: F1 of borders .636 on the half that tests, beside .326 of fixed windows of three sentences.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from assistant.check import checkworthiness, loaded_models
from assistant.core.settings import EMBEDDED
from assistant.passages.boundaries import NAMES, WEIGHTS, cohesion, segment
from features.models.atomic_write import replacing
from features.models.weight_files import MODELS
from training.shared.cards import restricted_data
from training.shared.debates import linked

READINGS = Path(__file__).parent / "readings.tsv"
PENALTIES = (0.03, 0.1, 0.3)
BIASES = (0.0, 0.2, 0.4, 0.6)
PARTS = 5
Mask = NDArray[np.bool_]
Floats = NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class Stretch:
    """The sentences of a speaker in a stretch of talk.

    Texts, and which after the first begin a passage, (n - 1,).
    """

    half: str
    texts: tuple[str, ...]
    begins: Mask


def stretches(folder: Path) -> list[Stretch]:
    """Return the labelled stretches; a boundary is one that two of the readings have."""
    debates = {debate.name: debate for debate in linked(folder / "debates")}
    labelled = []
    for line in READINGS.read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        name, half, line_numbers, *readings = line.split("\t")
        debate = debates[name]
        sentence_indices = [debate.lines.index(int(number)) for number in line_numbers.split()]
        # numbers of sentences, from 1 in the stretch, that begin a passage in each reading
        begins_by_reading = [set(map(int, reading.split())) for reading in readings if reading]
        speakers = [debate.speakers[i] for i in sentence_indices]
        main_speaker = max(dict.fromkeys(speakers), key=speakers.count)
        texts = []
        begins = []
        for number, speaker in enumerate(speakers, 1):
            if speaker == main_speaker:
                texts.append(debate.texts[sentence_indices[number - 1]])
                begins.append(sum(number in reading for reading in begins_by_reading) >= 2)
        if len(texts) > 1:
            labelled.append(Stretch(half, tuple(texts), np.array(begins[1:], bool)))
    return labelled


def f1(predicted: Sequence[Mask], begins: Sequence[Mask]) -> tuple[float, float, float]:
    """Return the F1 of boundaries with its 95 % interval over resampled stretches."""
    # boundaries that are right, predicted and labelled, per stretch, (stretches, 3)
    counts_by_stretch = []
    for guess, gold in zip(predicted, begins, strict=True):
        counts_by_stretch.append(((guess & gold).sum(), guess.sum(), gold.sum()))
    counts = np.array(counts_by_stretch)
    rng = np.random.default_rng(0)
    samples = counts[rng.integers(0, len(counts), (1000, len(counts)))].sum(axis=1)
    values = 2 * samples[:, 0] / (samples[:, 1] + samples[:, 2])
    right, predicted_count, gold_count = counts.sum(axis=0)
    low, high = np.percentile(values, (2.5, 97.5))
    return float(2 * right / (predicted_count + gold_count)), float(low), float(high)


def fit(values: Sequence[Floats], begins: Sequence[Mask], C: float) -> tuple[Floats, float]:
    """Return weights (f,) and bias of a logistic regression on standardised columns, folded into the plain ones."""
    X = np.concatenate(values)
    y = np.concatenate(begins)
    mean = X.mean(axis=0)
    scale = X.std(axis=0) + 1e-9
    model = LogisticRegression(C=C, max_iter=5000).fit((X - mean) / scale, y)
    weights = model.coef_[0] / scale
    return weights, float(model.intercept_[0] - weights @ mean)


def borders(odds: Floats) -> Mask:
    """Return which sentences after the first begin a passage, (n - 1,), in the most likely division."""
    begins = np.zeros(len(odds) + 1, bool)
    begins[segment(odds)] = True
    return begins[1:]


def choose(values: Sequence[Floats], begins: Sequence[Mask]) -> tuple[float, float, float]:
    """Return the penalty and the bias with the best F1 in cross-validation, and that F1."""

    def held_out_odds(C: float) -> list[Floats]:
        odds: list[Floats] = [np.zeros(0)] * len(values)
        for fold in range(PARTS):
            training = [i for i in range(len(values)) if i % PARTS != fold]
            weights, bias = fit([values[i] for i in training], [begins[i] for i in training], C)
            for i in range(fold, len(values), PARTS):
                odds[i] = values[i] @ weights + bias
        return odds

    scores = {}
    for C in PENALTIES:
        odds_by_stretch = held_out_odds(C)
        for bias in BIASES:
            predicted = [borders(odds + bias) for odds in odds_by_stretch]
            scores[C, bias] = f1(predicted, begins)[0]
    best = max(scores, key=lambda choice: scores[choice])
    return *best, scores[best]


def write(path: Path, content: Mapping[str, object]) -> None:
    """Replace the file of the weights by a complete new one."""
    with replacing(path) as unfinished:
        unfinished.write_text(json.dumps(content, indent=1) + "\n", "utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    """Learn, measure on the test half, and write the weights with ``--write``."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="the data folder")
    parser.add_argument("--write", action="store_true", help="replace the weights that ship")
    options = parser.parse_args(arguments)
    encoders = loaded_models.encoders(EMBEDDED)
    worthiness = checkworthiness.load()
    labelled = stretches(options.data)
    values = []
    for stretch in labelled:
        vectors = encoders.sbert.encode(stretch.texts)
        values.append(cohesion(stretch.texts, vectors, worthiness.score(stretch.texts)))
    training = [i for i, stretch in enumerate(labelled) if stretch.half == "teach"]
    test = [i for i, stretch in enumerate(labelled) if stretch.half == "test"]
    training_values = [values[i] for i in training]
    training_begins = [labelled[i].begins for i in training]
    C, extra_bias, cross_validated = choose(training_values, training_begins)
    weights, bias = fit(training_values, training_begins, C)
    gold = [labelled[i].begins for i in test]
    systems: dict[str, Callable[[int], Mask]] = {
        "learnt": lambda i: borders(values[i] @ weights + bias + extra_bias),
        "windows of three": lambda i: np.arange(1, len(labelled[i].texts)) % 3 == 0,
        "every sentence": lambda i: np.ones(len(labelled[i].texts) - 1, bool),
    }
    scores = {}
    for name, system in systems.items():
        scores[name] = f1([system(i) for i in test], gold)
        value, low, high = scores[name]
        print(f"{name:18} F1 {value:.3f} [{low:.3f}, {high:.3f}]")
    card = {
        "made_by": "python -m training.passages.train --data DIR --write",
        "data": (
            "training/passages/readings.tsv: 200 stretches, read by a language model that follows "
            "docs/research/annotation-guidelines.md"
        ),
        "licence": "CC BY-NC-SA 4.0, as the debates",
        "restricted_data": restricted_data("passages"),
        "chosen": {
            "C": C,
            "bias": extra_bias,
            "F1 in cross-validation": round(cross_validated, 3),
        },
        "F1 on the test half": {
            name: [round(value, 3) for value in f1_values] for name, f1_values in scores.items()
        },
    }
    learnt = {name: round(float(weight), 6) for name, weight in zip(NAMES, weights, strict=True)}
    if options.write:
        content = {"card": card, "bias": round(bias + extra_bias, 6), "weights": learnt}
        write(MODELS / WEIGHTS, content)


if __name__ == "__main__":
    main()
