"""Readings of pairs: their labels, their halves, their agreement, and the file."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from training.shared.readings import (
    NO,
    PART,
    READINGS,
    SETTLED,
    TEACH,
    TEST,
    Reading,
    halves,
    kappa,
    read,
)

LABELS = st.sampled_from((SETTLED, PART, NO))


@pytest.mark.parametrize(
    ("given_labels", "label"),
    [
        ((SETTLED, SETTLED), SETTLED),
        ((SETTLED, NO, NO), NO),
        ((SETTLED, NO, PART), PART),
        ((SETTLED, NO), PART),
        ((NO,), NO),
    ],
)
def test_two_readings_decide(given_labels, label) -> None:
    """A label stands where two readings gave it, without such a label it is *part*.

    One reading alone decides.
    """
    assert Reading(*given_labels).label == label


@given(
    st.lists(st.tuples(LABELS, LABELS), min_size=2).filter(
        lambda pairs: len({x for p in pairs for x in p}) > 1
    )
)
def test_agreement_is_cohens_kappa(pairs) -> None:
    """As scikit-learn has it; what was read once does not count."""
    first_readings, second_readings = zip(*pairs, strict=True)
    agreed, chance_corrected = kappa([*(Reading(*pair) for pair in pairs), Reading(SETTLED)])
    assert pytest.approx(sum(a == b for a, b in pairs) / len(pairs)) == agreed
    assert pytest.approx(cohen_kappa_score(first_readings, second_readings)) == chance_corrected


def test_halves_alternate() -> None:
    """Every second debate teaches, whatever the order in which they are given."""
    assert halves(["c", "a", "b"]) == {"a": TEST, "b": TEACH, "c": TEST}


def test_the_file_has_ids_and_labels_only() -> None:
    """More than half of them are read twice, and a third time where the two differ; no text."""
    readings = read()
    assert len(readings) >= 8000
    assert sum(bool(reading.other) for reading in readings.values()) > len(readings) / 2
    for (debate, line, claim), reading in readings.items():
        assert re.fullmatch(r"\d{8}\S+", debate)
        assert line > 0
        assert re.fullmatch(r"vclaim-pol-\d{5}", claim)
        assert reading.one
        assert bool(reading.third) == (reading.other not in ("", reading.one))
    assert READINGS.stat().st_size < 100 * len(readings)
