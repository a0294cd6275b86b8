"""The head of "same claim" learnt from pairs as read: what it may have seen, what it learns, what else it leaves."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from training.entailment import same_head
from training.entailment.same_head import Head, fit, readings, scores, write
from training.shared.debates import SEVEN, Debate
from training.shared.readings import NO, PART, SETTLED, Reading

# By turns of the half that tests and of the half that teaches.
NAMES = ["20160101_A", "20160201_B", "20160301_C", "20160401_Queries", "20160501_D", SEVEN[0]]
LABELS = {1: SETTLED, 2: PART, 3: NO}


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Path:
    """Six debates of three lines that were read with one claim; development queries come from the fourth."""
    made = [Debate(n, 1, (1, 2, 3), tuple(f"{n} {i}" for i in (1, 2, 3)), ("",) * 3) for n in NAMES]
    monkeypatch.setattr(same_head.data, "seven", lambda folder: [d for d in made if d.name in SEVEN])
    monkeypatch.setattr(same_head.data, "others", lambda folder: [d for d in made if d.name not in SEVEN])
    queries = {"20160401_Queries_0002": "text"}
    monkeypatch.setattr(same_head.data, "queries", lambda *_, **__: (queries, {}))
    monkeypatch.setattr(same_head, "politifact", lambda folder: [SimpleNamespace(id="c", statement="It rains.")])
    found = {(n, line, "c"): Reading(label, label) for n in NAMES for line, label in LABELS.items()}
    monkeypatch.setattr(same_head, "read", lambda: found)
    return Path()


def test_only_debates_that_nothing_is_measured_on_are_learnt_from(folder: Path) -> None:
    """Neither the half that tests, nor the seven, nor the debates of the development queries."""
    taught, apart = readings(folder)
    assert taught == [("It rains.", f"20160201_B {line}", label) for line, label in LABELS.items()]
    assert {row.sentence.split()[0] for row in apart} == {"20160401_Queries", SEVEN[0]}


@pytest.fixture
def made() -> tuple[np.ndarray, np.ndarray]:
    """States of which the second number tells right from wrong; the head before reads the first, by half as good."""
    rng = np.random.default_rng(1)
    shares = rng.choice([0.0, 0.5, 1.0], 600)
    states = rng.normal(size=(600, 4)) * 3 + 1
    states[:, 0] += shares
    states[:, 1] += 6 * shares
    return states, shares


def test_the_head_learns_what_tells_pairs_apart(made: tuple[np.ndarray, np.ndarray]) -> None:
    """It ranks pairs that it has not seen better than the head before."""
    states, shares = made
    before = Head(np.array([1.0, 0, 0, 0]), -2.0)
    head = fit(states[:400], shares[:400], np.ones(400), before)
    labels = [{0.0: NO, 0.5: PART}.get(share, SETTLED) for share in shares[400:]]
    old, new = (scores(one, states[400:], labels) for one in (before, head))
    assert all(new[name] > old[name] + 0.05 for name in new)


def test_what_has_no_weight_is_not_learnt_from(made: tuple[np.ndarray, np.ndarray]) -> None:
    """Pairs turned round with the weight 0 change nothing but the mean and the spread of the states."""
    states, shares = made
    before = Head(np.array([1.0, 0, 0, 0]), -2.0)
    alone = fit(states, shares, np.ones(600), before)
    twice = fit(np.tile(states, (2, 1)), np.append(shares, 1 - shares), np.repeat((1.0, 0.0), 600), before)
    assert np.allclose(alone.weight, twice.weight, rtol=1e-3) and alone.bias == pytest.approx(twice.bias, rel=1e-3)


def test_nothing_but_the_head_is_written_anew(tmp_path: Path) -> None:
    """All other tensors keep their bytes; the card says what the head was learnt from."""
    tensors = {"same.weight": torch.ones(1, 4).half(), "same.bias": torch.ones(1).half(), "b": torch.rand(3).half()}
    card = {"what": "a", "scores": {"mnli": 0.7, "same_auc": 0.5}}
    head = Head(np.array([1.0, 2.0, 3.0, 4.0]), 0.25)

    write(tmp_path / "nli.safetensors", tensors, head, card, {"pairs": 3}, {"same_auc": 0.9})

    written = load_file(tmp_path / "nli.safetensors")
    assert torch.equal(written["b"], tensors["b"]) and written["same.weight"].tolist() == [[1.0, 2.0, 3.0, 4.0]]
    assert written["same.bias"].tolist() == [0.25] and written["same.bias"].dtype == torch.float16
    about = json.loads((tmp_path / "nli.json").read_text("utf-8"))
    assert about["same_head"]["pairs"] == 3 and about["scores"] == {"mnli": 0.7, "same_auc": 0.9}
