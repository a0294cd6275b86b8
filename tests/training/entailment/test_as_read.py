"""Pairs as read: what the third training may learn from, and what it must not have seen."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

from training.entailment import as_read
from training.shared.debates import SEVEN, Debate
from training.shared.readings import NO, PART, SETTLED, Reading

# By turns of the half that tests and of the half that teaches.
NAMES = ["20160101_A", "20160201_B", "20160301_C", "20160401_Queries", "20160501_D", SEVEN[0]]
LABELS = {1: SETTLED, 2: PART, 3: NO}


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch) -> Path:
    """Six debates of three lines that were read with one claim; development queries come from the fourth."""
    made = [Debate(n, 1, (1, 2, 3), tuple(f"{n} {i}" for i in (1, 2, 3)), ("",) * 3) for n in NAMES]
    monkeypatch.setattr(as_read.data, "seven", lambda folder: [d for d in made if d.name in SEVEN])
    monkeypatch.setattr(as_read.data, "others", lambda folder: [d for d in made if d.name not in SEVEN])
    queries = {"20160401_Queries_0002": "text"}
    monkeypatch.setattr(as_read.data, "queries", lambda *_, **__: (queries, {}))
    monkeypatch.setattr(as_read, "politifact", lambda folder: [SimpleNamespace(id="c", statement="It rains.")])
    readings = {(n, line, "c"): Reading(label, label) for n in NAMES for line, label in LABELS.items()}
    monkeypatch.setattr(as_read, "read", lambda: readings)
    return Path()


def test_only_debates_that_nothing_is_measured_on_are_learnt_from(folder: Path) -> None:
    """Neither the half that tests, nor the seven, nor the debates of the development queries."""
    assert {text.split()[0] for _, text, _ in as_read.taught(folder)} == {"20160201_B"}
    assert {pair.hypothesis.split()[0] for pair in as_read.development_pairs(folder)} == {"20160401_Queries", SEVEN[0]}


def test_a_pair_is_read_in_every_round(folder: Path) -> None:
    """What is settled in part is the same claim in some rounds and not in the others."""
    pairs = as_read.training_pairs(folder, seed=1)
    labels = Counter((pair.hypothesis, pair.label) for pair in pairs)
    assert labels == {
        ("20160201_B 1", 1): as_read.ROUNDS,
        ("20160201_B 2", 1): as_read.IN_PART,
        ("20160201_B 2", 0): as_read.ROUNDS - as_read.IN_PART,
        ("20160201_B 3", 0): as_read.ROUNDS,
    }
    assert pairs == as_read.training_pairs(folder, seed=1) and "It rains." == pairs[0].premise
    assert {pair.label for pair in as_read.development_pairs(folder) if pair.hypothesis.endswith("2")} == {0}
