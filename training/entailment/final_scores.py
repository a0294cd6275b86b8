"""Read the test sets of the cross-encoder once, after every choice, and write their scores into its card.

    python -m training.entailment.final_scores --data DIR [--weights FILE] [--index DIR] [--work DIR] [--only PART ...]

Parts: ``claims``, same claim on held-out claims and on the edits read by eye, and with a finished claim index the rank
of the right claim among those that NLI reads; ``entailment``, MultiNLI mismatched (a sample), SNLI and ANLI R1 test;
``stress``, negation, monotonicity, quantities and conjunctions; ``edits``, entailment of our edits; ``base``, what the
frozen base makes of all these. What the card says of parts not read stays.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from training.edits import same_claim
from training.entailment import claim_edits as edit_test
from training.entailment import entailment_edits as nli_edits
from training.entailment import stress as nli_stress
from training.entailment.base import base
from training.entailment.scores import evaluate, read, retrieval, same_scores, test_sets
from training.entailment.stress import StressTest, stress_sets
from training.shared.loaders import Pair

EDITS = {"edits read for entailment": nli_edits.kept, "edits read for the same claim": edit_test.kept}


def main() -> None:
    """Parse the command line, print the scores, add them to the card."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--weights", type=Path, default=Path("models/nli.safetensors"))
    parser.add_argument("--index", type=Path, help="a finished claim index")
    parser.add_argument("--work", type=Path, default=Path("build/nli"), help="where SBERT vectors are kept")
    parser.add_argument("--only", nargs="+", choices=tuple(PARTS), default=tuple(PARTS), help="parts that are read")
    parser.add_argument("--seed", type=int, default=17)
    args = parser.parse_args()
    found: dict[str, dict[str, object]] = {}
    for part in args.only:
        found |= PARTS[part](args)
    print(json.dumps(found, indent=1))
    card = args.weights.with_suffix(".json")
    about = json.loads(card.read_text("utf-8"))
    about["tests"] = {**about.get("tests", {}), **found}
    card.write_text(json.dumps(about, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def same_claims(args: argparse.Namespace) -> dict[str, dict[str, object]]:
    """Return the scores of the same claim."""
    source = same_claim.sources(args.data, args.work, seed=args.seed)["test"]
    found: dict[str, dict[str, object]] = {
        "edits read by eye": scored(args.weights, edit_test.kept(args.data)),
        "held-out claims": scored(args.weights, same_claim.development_pairs(source, seed=args.seed)),
    }
    if args.index:
        found["retrieval"] = {name: round(s, 4) for name, s in retrieval(args.weights, args.data, args.index).items()}
    return found


def entailment(args: argparse.Namespace) -> dict[str, dict[str, object]]:
    """Return accuracy and calibration on the common tests."""
    # The card's temperature is applied when its weights are loaded, so none comes on top.
    return {"entailment": {**evaluate(args.weights, test_sets(args.data), temperature=1.0)}}


def stress(args: argparse.Namespace) -> dict[str, dict[str, object]]:
    """Return the scores on the stress tests."""
    tests = stress_sets(args.data)
    return {"stress": {test.name: nli_stress.scored(test, said(args.weights, test.pairs)) for test in tests}}


def edits(args: argparse.Namespace) -> dict[str, dict[str, object]]:
    """Return what entailment says of our edits, from the statement to its edit."""
    tests = {name: kept(args.data) for name, kept in EDITS.items()}
    return {name: nli_stress.edits_scored(pairs, said(args.weights, pairs)) for name, pairs in tests.items()}


def before(args: argparse.Namespace) -> dict[str, dict[str, object]]:
    """Return what the frozen base makes of the common tests, the stress tests and our edits."""
    model = base(args.data, args.work, seed=args.seed)
    tests = [*(StressTest(name, pairs) for name, pairs in test_sets(args.data)), *stress_sets(args.data)]
    edited = {name: kept(args.data) for name, kept in EDITS.items()}
    return {
        "base": {
            "C": model.strength,
            "mnli_matched_dev": {str(c): round(share, 4) for c, share in model.accuracies.items()},
            **{test.name: nli_stress.scored(test, model.labels(test.pairs)) for test in tests},
            **{name: nli_stress.edits_scored(pairs, model.labels(pairs)) for name, pairs in edited.items()},
        }
    }


PARTS = {"claims": same_claims, "entailment": entailment, "stress": stress, "edits": edits, "base": before}


def said(weights: Path, pairs: list[Pair]) -> np.ndarray:
    """Return the likeliest label of each pair, (n,)."""
    return read(weights, pairs)[0].numpy().argmax(1)


def scored(weights: Path, pairs: list[Pair]) -> dict[str, object]:
    """Return the scores of the same claim on some pairs, and how many they are."""
    return {"pairs": len(pairs), **same_scores(read(weights, pairs)[1], pairs)}


if __name__ == "__main__":
    main()
