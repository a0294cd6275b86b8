"""Read the test sets of the cross-encoder once, after every choice, and write the scores into its card.

python -m training.entailment.final_scores --data DIR [--weights FILE] [--index DIR] [--work DIR]
[--only PART ...]

Parts: ``claims``, same claim on held-out claims and on the edits checked one by one, and with a
finished claim index the rank of the right claim among those that NLI reads; ``entailment``,
MultiNLI mismatched (a sample), SNLI and ANLI R1 test; ``stress``, negation, monotonicity,
quantities and conjunctions; ``edits``, entailment of our edits; ``base``, the same by a regression
on the frozen base. What the card says of other parts stays.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from training.edits import same_claim
from training.entailment import stress
from training.entailment.edit_tests import ENTAILMENT, SAME_CLAIM
from training.entailment.frozen_base import base
from training.entailment.scores import evaluate, read, retrieval, same_scores, test_sets
from training.entailment.stress import StressTest, stress_sets
from training.shared.command import parser
from training.shared.loaders import Pair

EDITS = {"edits read for entailment": ENTAILMENT, "edits read for the same claim": SAME_CLAIM}
Scored = Iterator[tuple[str, dict[str, object]]]  # entries of the card


def same_claims(options: argparse.Namespace) -> Scored:
    """Yield the scores of the same claim."""
    held_out = same_claim.sources(options.data, options.work, seed=options.seed)["test"]
    accepted = SAME_CLAIM.accepted(options.data)
    yield "edits read by eye", same_claim_scores(options.weights, accepted)
    pairs = same_claim.development_pairs(held_out, seed=options.seed)
    yield "held-out claims", same_claim_scores(options.weights, pairs)
    if options.index:
        ranks = retrieval(options.weights, options.data, options.index)
        yield "retrieval", {name: round(value, 4) for name, value in ranks.items()}


def entailment(options: argparse.Namespace) -> Scored:
    """Yield accuracy and calibration on the common tests.

    The card's temperature is applied when weights are loaded.
    """
    yield "entailment", {**evaluate(options.weights, test_sets(options.data), temperature=1.0)}


def stress_tests(options: argparse.Namespace) -> Scored:
    """Yield the scores on the stress tests."""
    scores = {}
    for test in stress_sets(options.data):
        scores[test.name] = stress.scored(test, labels(options.weights, test.pairs))
    yield "stress", scores


def edits(options: argparse.Namespace) -> Scored:
    """Yield the scores of entailment from a statement to its edit."""
    for name, test in EDITS.items():
        pairs = test.accepted(options.data)
        yield name, stress.edits_scored(pairs, labels(options.weights, pairs))


def frozen_base(options: argparse.Namespace) -> Scored:
    """Yield the scores of the frozen base on the common tests, the stress tests and our edits."""
    model = base(options.data, options.work, seed=options.seed)
    scores: dict[str, object] = {"C": model.strength}
    scores["mnli_matched_dev"] = {str(c): round(share, 4) for c, share in model.accuracies.items()}
    common_tests = [StressTest(name, pairs) for name, pairs in test_sets(options.data)]
    for test in (*common_tests, *stress_sets(options.data)):
        scores[test.name] = stress.scored(test, model.labels(test.pairs))
    for name, edit_test in EDITS.items():
        pairs = edit_test.accepted(options.data)
        scores[name] = stress.edits_scored(pairs, model.labels(pairs))
    yield "base", scores


PARTS = {
    "claims": same_claims,
    "entailment": entailment,
    "stress": stress_tests,
    "edits": edits,
    "base": frozen_base,
}


def labels(weights: Path, pairs: list[Pair]) -> np.ndarray:
    """Return the likeliest label of each pair, (n,)."""
    return read(weights, pairs)[0].numpy().argmax(1)


def same_claim_scores(weights: Path, pairs: list[Pair]) -> dict[str, object]:
    """Return the scores of the same claim on some pairs, and how many they are."""
    return {"pairs": len(pairs), **same_scores(read(weights, pairs)[1], pairs)}


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the scores of the chosen parts and add them to the card."""
    command_line = parser("entailment.final_scores", __doc__, work="build/nli", out="")
    command_line.add_argument("--weights", type=Path, default=Path("models/nli.safetensors"))
    command_line.add_argument("--index", type=Path, help="a finished claim index")
    command_line.add_argument(
        "--only", nargs="+", choices=tuple(PARTS), default=tuple(PARTS), help="parts that are read"
    )
    options = command_line.parse_args(arguments)
    scores: dict[str, object] = {}
    for name in options.only:
        scores.update(PARTS[name](options))
    print(json.dumps(scores, indent=1))
    card = options.weights.with_suffix(".json")
    about = json.loads(card.read_text("utf-8"))
    about["tests"] = {**about.get("tests", {}), **scores}
    content = json.dumps(about, indent=2, ensure_ascii=False)
    card.write_text(content + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
