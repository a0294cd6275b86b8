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
    is_part = ~settled & (rng.random(n) < expit(score))
    label = np.where(settled, SETTLED, np.where(is_part, PART, NO)).astype("<U7")
    label[::10] = ""
    return Read(score, sureness, odds, label)


def test_the_weights_behind_the_labels_are_found() -> None:
    """An input that says nothing gets next to no weight, one that speaks against a match none at all."""
    learnt_borders = learnt([made(1), made(2)])
    assert pytest.approx((0.5, -1.0), abs=0.1) == (
        learnt_borders.sureness.slope,
        learnt_borders.sureness.intercept,
    )
    assert pytest.approx([1.0, 0.0], abs=0.1) == learnt_borders.sureness.odds
    assert learnt_borders.score.slope > 0.2
    assert (learnt_borders.score.odds >= 0).all()
    assert (learnt_borders.sureness.odds >= 0).all()
    both = [np.concatenate(columns) for columns in zip(made(1)[:3:2], made(2)[:3:2], strict=True)]
    assert (
        pytest.approx(both[1][both[0] < REREADING + WIDTH].mean(axis=0), abs=1e-3)
        == learnt_borders.usual
    )


def test_they_are_written_with_their_card(tmp_path: Path) -> None:
    """The other weights stay; the file has a digest of its own."""
    shutil.copy(MODELS / FILE, tmp_path)
    old_ranker = load(LECTERN, tmp_path)
    learnt_borders = learnt([made(3)])

    write(tmp_path, learnt_borders, {"what": "a test"})

    new_ranker = load(LECTERN, tmp_path)
    assert isinstance(new_ranker, PairsFirst)
    assert isinstance(old_ranker, PairsFirst)
    assert new_ranker.rereading is not None
    assert new_ranker.rereading.to_json() == learnt_borders.to_json()
    assert new_ranker.digest != old_ranker.digest
    assert (
        old_ranker.thresholds._replace(possible=POSSIBLE, topic=TOPIC, rereading=REREADING)
        == new_ranker.thresholds
    )
    assert new_ranker.claim_ranker.to_json() == old_ranker.claim_ranker.to_json()
    assert json.loads((tmp_path / FILE).read_text("utf-8"))["card"]["rereading"] == {
        "what": "a test"
    }
