"""What reading again does to score and sureness: learnt from labels, and written."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit

from assistant.check.rankers import LECTERN, PairsFirst, load
from features.models.weight_files import MODELS
from training.reranker.borders import FILE, POSSIBLE, REREADING, TOPIC, WIDTH, Read, learnt, write
from training.shared.readings import NO, PART, SETTLED


def made(seed: int, n: int = 4000) -> Read:
    """Pairs whose labels follow known log-odds.

    Settled by half the sureness and the first log-odds, less one.
    """
    rng = np.random.default_rng(seed)
    score = rng.uniform(REREADING, 3, n)
    sureness = rng.normal(size=n)
    odds = rng.normal(size=(n, 2))
    settled = rng.random(n) < expit(0.5 * sureness + odds[:, 0] - 1)
    part = ~settled & (rng.random(n) < expit(score))
    label = np.where(settled, SETTLED, np.where(part, PART, NO)).astype("<U7")
    label[::10] = ""
    return Read(score, sureness, odds, label)


def test_the_weights_behind_the_labels_are_found() -> None:
    """An input that says nothing gets next to no weight, one that speaks against a match none at all."""
    found = learnt([made(1), made(2)])
    assert pytest.approx((0.5, -1.0), abs=0.1) == (found.sureness.slope, found.sureness.intercept)
    assert pytest.approx([1.0, 0.0], abs=0.1) == found.sureness.odds
    assert (
        found.score.slope > 0.2
        and (found.score.odds >= 0).all()
        and (found.sureness.odds >= 0).all()
    )
    both = [np.concatenate(columns) for columns in zip(made(1)[:3:2], made(2)[:3:2], strict=True)]
    assert pytest.approx(both[1][both[0] < REREADING + WIDTH].mean(axis=0), abs=1e-3) == found.usual


def test_they_are_written_with_their_card(tmp_path: Path) -> None:
    """The other weights stay; the file has a digest of its own."""
    shutil.copy(MODELS / FILE, tmp_path)
    before = load(LECTERN, tmp_path)
    found = learnt([made(3)])

    write(tmp_path, found, {"what": "a test"})

    after = load(LECTERN, tmp_path)
    assert (
        isinstance(after, PairsFirst)
        and isinstance(before, PairsFirst)
        and after.rereading is not None
    )
    assert after.rereading.to_json() == found.to_json() and after.digest != before.digest
    assert (
        before.thresholds._replace(possible=POSSIBLE, topic=TOPIC, rereading=REREADING)
        == after.thresholds
    )
    assert after.claim_ranker.to_json() == before.claim_ranker.to_json()
    assert json.loads((tmp_path / FILE).read_text("utf-8"))["card"]["rereading"] == {
        "what": "a test"
    }
