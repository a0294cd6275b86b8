"""What the second training reads: no text of a test, and no premise that is chosen by."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.training.conftest import write_rows
from training.entailment import further_mixture as nli_further
from training.entailment import mixture as nli_mixture
from training.entailment.further_mixture import apart, even, to_choose_by
from training.shared.loaders import Pair

TEXTS = st.sampled_from(
    ["The dam is safe and dry today", "Rents rose in every town last year", "It rained"]
)


def test_a_tests_text_on_either_side_keeps_a_pair_out() -> None:
    """Signs and capitals make no difference."""
    shared = frozenset({"the dam is safe and dry today"})
    assert not apart(Pair("The dam is safe, and dry, today!", "It rained", 0, "a"), shared)
    assert not apart(Pair("It rained", "the dam IS safe and dry today", 0, "a"), shared)
    assert apart(Pair("It rained", "The dam is safe", 0, "a"), shared)


@given(st.text(st.characters(max_codepoint=127)), TEXTS, TEXTS)
def test_pairs_of_one_premise_are_all_learnt_from_or_none(
    premise: str, one: str, other: str
) -> None:
    """The fifth to choose by is of premises, so that it has none of those that were learnt."""
    assert to_choose_by(Pair(premise, one, 0, "a")) == to_choose_by(
        Pair(premise.upper(), other, 2, "a")
    )


@given(st.lists(st.integers(0, 2), max_size=60))
def test_no_label_is_more_frequent_than_the_others_together(labels: list[int]) -> None:
    """The first of each label are kept, in their order."""
    pairs = [Pair(str(i), "", label, "a") for i, label in enumerate(labels)]
    even_pairs = even(pairs)
    for label in range(3):
        label_pairs, all_mine = (
            [p for p in pair_list if p.label == label] for pair_list in (even_pairs, pairs)
        )
        assert len(label_pairs) == min(len(all_mine), len(pairs) - len(all_mine))
        assert label_pairs == all_mine[: len(label_pairs)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a data folder of which one test text stands in a training set, beside sets of the first training."""
    kept_record = {"premise": "The dam is safe.", "hypothesis": "It holds.", "label": "entailment"}
    tested = {
        "premise": "Rents rose in every town last year",
        "hypothesis": "They fell.",
        "label": "contradiction",
    }
    for name in ("snli_dev", "anli_r1_dev", "anli_r2_dev", "anli_r3_dev", "anli_train_sample"):
        write_rows(tmp_path / "nli" / f"{name}.jsonl.gz", [kept_record, tested])
    for name in (
        "med_monotonicity",
        "monli_nmonli_train",
        "breaking_nli",
        "negation_snli",
        "nan_nli",
    ):
        write_rows(tmp_path / "stress" / f"{name}.jsonl.gz", [kept_record, tested])
    for name in nli_further.TESTS:
        write_rows(tmp_path / f"{name}.jsonl.gz", [tested] if name == "stress/conjnli_dev" else [])
    fever = [Pair(f"Page {i}.", f"Claim {i}.", i % 3, "fever") for i in range(40)]
    known_pairs = {
        "mnli": [Pair(tested["premise"], "x", 0, "mnli"), Pair("a", "b", 0, "mnli")],
        "fever": fever,
    }
    monkeypatch.setattr(nli_mixture, "sets", lambda data, seed: dict(known_pairs))
    monkeypatch.setitem(nli_mixture.FIRST, "fever", 12)
    return tmp_path


def test_the_mixture_has_no_text_of_a_test(folder: Path) -> None:
    """Neither among MultiNLI's pairs nor in any other set; every set that is at hand is in it."""
    mixture = nli_further.mixture(folder, seed=3)
    assert "Rents rose in every town last year" not in {
        text for pair in mixture for text in pair[:2]
    }
    assert {"mnli", "fever", "anli", "monotonicity", "negation"} <= {
        pair.source for pair in mixture
    }


def test_fever_is_read_no_further_than_the_first_training_read_it(folder: Path) -> None:
    """Relations are learnt from the rest, so none of it may be drawn anew."""
    first_pairs = {
        pair for pair in nli_mixture.mixture(folder, rounds=3, seed=3) if pair.source == "fever"
    }
    assert {
        pair for pair in nli_further.mixture(folder, seed=3) if pair.source == "fever"
    } == first_pairs
    assert len(first_pairs) == 12
