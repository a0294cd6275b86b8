"""The stress tests of entailment.

Which pairs count, how three labels become two, what is said beside each score.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.training.conftest import write_rows
from training.entailment import final_scores
from training.entailment import stress as nli_stress
from training.entailment.frozen_base import Base, joined
from training.entailment.stress import StressTest, edits_scored, once, scored, stress_sets
from training.shared.loaders import LABELS, Pair

PAIRS = [Pair("a", str(i), label, "x") for i, label in enumerate((0, 0, 1, 2))]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a data folder with one pair that was learnt from, one repeated in other case, and one of its own a set."""
    learnt = {"premise": "Two men sing.", "hypothesis": "Men sing.", "label": "entailment"}
    for name in nli_stress.LEARNT_FROM:
        write_rows(tmp_path / f"{name}.jsonl.gz", [learnt] if "conjnli_adv" in name else [])
    for name in (*nli_stress.STRESS, *nli_stress.TWO_LABELS):
        own_record = {
            "premise": f"The {name} is open.",
            "hypothesis": "It is shut.",
            "label": "neutral",
        }
        again = {**own_record, "premise": own_record["premise"].upper()}
        seen_record = {**learnt, "premise": "two men sing"}
        write_rows(tmp_path / "stress" / f"{name}.jsonl.gz", [seen_record, own_record, again])
    return tmp_path


def test_a_pair_counts_once_and_not_if_it_was_learnt_from(folder: Path) -> None:
    """Case and punctuation make no other pair; only MoNLI has two labels."""
    test_sets = list(stress_sets(folder))
    assert [test.name for test in test_sets if test.two] == ["monli_nmonli_test", "monli_pmonli"]
    assert len(test_sets) == 5
    assert all(
        [pair.premise for pair in test.pairs] == [f"The {test.name} is open."] for test in test_sets
    )


def test_the_first_copy_is_kept_in_order() -> None:
    """A later copy with another label changes nothing; the order is the file's."""
    pairs = [Pair("B", "x", 1, ""), Pair("A", "x", 0, ""), Pair("b!", "X", 2, "")]
    assert once(pairs, set()) == pairs[:2]
    assert once(pairs, {("b", "x")}) == pairs[1:2]


def test_with_two_labels_neutral_and_contradiction_are_one() -> None:
    """The same answers are more often right where only entailed or not is asked."""
    predictions = np.array([0, 1, 2, 2])
    assert StressTest("three", PAIRS).right(predictions) == [True, False, False, True]
    assert StressTest("two", PAIRS, two=True).right(predictions) == [True, False, True, True]


@pytest.mark.parametrize("two", [False, True])
def test_beside_a_score_stands_that_of_the_most_frequent_label(two: bool) -> None:
    """Entailment is half of the four pairs, by either count; the interval holds the accuracy."""
    score_row = scored(StressTest("x", PAIRS, two), np.array([0, 0, 1, 1]))
    value, low, high = score_row["accuracy"]
    assert score_row["most frequent"] == 0.5
    assert low < value == (1.0 if two else 0.75) <= high
    assert score_row["said"] == {"entailment": 0.5, "neutral": 0.5, "contradiction": 0.0}


def test_edits_are_right_where_entailment_follows_from_their_rule() -> None:
    """Another figure is not entailed, a filler changes nothing, and a rounding is not judged."""
    kinds = ("figure", "figure", "year", "fillers", "rounding")
    pairs = [Pair("a", "b", 0, kind) for kind in kinds]
    scores = edits_scored(pairs, np.array([0, 2, 1, 0, 2]))
    assert scores["figure"] == {"pairs": 2, "right": [0.5, *scores["figure"]["right"][1:]]}
    assert scores["not entailed"]["pairs"] == 3
    assert scores["not entailed"]["right"][0] == round(2 / 3, 4)
    assert scores["entailed"] == scores["fillers"]
    assert round(1 / 3, 4) == scores["not entailed, called contradiction"][0]
    assert "rounding" not in scores


def test_the_base_learns_from_frozen_vectors_and_reads_four_blocks() -> None:
    """Pairs of equal vectors and of opposite ones are told apart.

    The blocks stand in their order.
    """
    u = np.array([[1.0, -2.0]])
    v = np.array([[3.0, 1.0]])
    assert joined(u, v).tolist() == [[1, -2, 3, 1, 2, 3, 3, -2]]
    rng = np.random.default_rng(5)
    vectors = {text: rng.normal(size=8) for text in map(str, range(60))}
    vectors |= {f"not {text}": -vector for text, vector in list(vectors.items())}
    pairs = [Pair(str(i), f"not {i}" if i % 2 else str(i), 2 * (i % 2), "x") for i in range(60)]
    model = Base(lambda texts: np.stack([vectors[text] for text in texts]), pairs[:40], pairs[40:])
    assert list(model.labels(pairs[40:])) == [pair.label for pair in pairs[40:]]
    assert model.accuracies[model.strength] == 1.0


def test_reading_some_parts_leaves_the_card_of_the_others(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the card says of parts not read stays; the stress tests stand beside it."""
    weights = tmp_path / "nli.safetensors"
    weights.with_suffix(".json").write_text(
        json.dumps({"tests": {"entailment": {"snli_test": 0.5}}}), "utf-8"
    )
    monkeypatch.setattr(
        final_scores, "labels", lambda _, pairs: np.full(len(pairs), LABELS.index("neutral"))
    )
    final_scores.main(["--data", str(folder), "--weights", str(weights), "--only", "stress"])
    tests = json.loads(weights.with_suffix(".json").read_text("utf-8"))["tests"]
    assert tests["entailment"] == {"snli_test": 0.5}
    assert tests["stress"]["negation_mnli"]["accuracy"][0] == 1.0
