"""Read the test sets of the cross-encoder once, after every choice, and write their scores into its card.

    python -m training.nli_tests --data DIR --weights models/nli.safetensors [--index DIR] [--work DIR]

MultiNLI mismatched (a sample), SNLI and ANLI R1 test; same claim on held-out claims and on the edits read by eye; with
a finished claim index, the rank of the right claim among those that NLI reads.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from training import edit_test, same_claim
from training.data import Pair
from training.nli_scores import evaluate, read, retrieval, same_scores, test_sets


def main() -> None:
    """Parse the command line, print the scores, add them to the card."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--weights", type=Path, default=Path("models/nli.safetensors"))
    parser.add_argument("--index", type=Path, help="a finished claim index")
    parser.add_argument("--work", type=Path, default=Path("build/nli"), help="where SBERT vectors are kept")
    parser.add_argument("--seed", type=int, default=17)
    args = parser.parse_args()
    found: dict[str, dict[str, float]] = {"edits read by eye": scored(args.weights, edit_test.kept(args.data))}
    source = same_claim.sources(args.data, args.work, seed=args.seed)["test"]
    found["held-out claims"] = scored(args.weights, same_claim.development_pairs(source, seed=args.seed))
    if args.index:
        found["retrieval"] = {name: round(s, 4) for name, s in retrieval(args.weights, args.data, args.index).items()}
    # The card's temperature is applied when its weights are loaded, so none comes on top.
    found["entailment"] = evaluate(args.weights, test_sets(args.data), temperature=1.0)
    print(json.dumps(found, indent=1))
    card = args.weights.with_suffix(".json")
    about = json.loads(card.read_text("utf-8"))
    card.write_text(json.dumps({**about, "tests": found}, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def scored(weights: Path, pairs: list[Pair]) -> dict[str, float]:
    """Return the scores of the same claim on some pairs, and how many they are."""
    return {"pairs": len(pairs), **same_scores(read(weights, pairs)[1], pairs)}


if __name__ == "__main__":
    main()
