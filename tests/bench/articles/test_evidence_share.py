"""The learning curve of evidence: its rows, and the file it writes."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from bench.articles import evidence_share
from tests.training.evidence.test_train import RECIPE, examples
from training.evidence.scores import MEASURES


def test_a_curve_has_a_row_a_share_with_its_intervals(tmp_path: Path) -> None:
    """Means between the ends of their intervals; an older file is replaced; a picture stands beside it."""
    rng = np.random.default_rng(0)
    found = {count: rng.random((30, len(MEASURES))) for count in (48, 95)}
    path = tmp_path / "share.csv"
    for _ in range(2):
        evidence_share.curve(path, found)

    with open(path, encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert ["48", "95"] == [row["statements"] for row in rows]
    assert float(rows[1]["MAP"]) == pytest.approx(found[95][:, -1].mean(), abs=1e-4)
    assert all(float(row[f"{n} low"]) < float(row[n]) < float(row[f"{n} high"]) for row in rows for n in ("P@1", "MAP"))
    assert path.with_suffix(".png").stat().st_size > 1000


def test_a_share_is_the_mean_of_its_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each seed draws its own statements; all of them are one run."""
    monkeypatch.setattr(evidence_share, "Recipe", lambda: RECIPE)
    given = examples(10)

    one, other, both = (evidence_share.read(given, seeds, 0.5) for seeds in ([0], [1], [0, 1]))

    assert both == pytest.approx((one + other) / 2)
    assert evidence_share.read(given, [0]).shape == both.shape == (10, len(MEASURES))


def test_a_row_tells_what_it_gains(capsys: pytest.CaptureFixture[str]) -> None:
    """The paired difference of every statement, with its sign."""
    values = np.tile([[0.5]], (6, len(MEASURES)))
    evidence_share.tell("more", values, values - 0.25)

    row, gain = capsys.readouterr().out.splitlines()
    assert len(MEASURES) == row.count("0.500 (0.50 to 0.50)")
    assert len(MEASURES) == gain.count("+0.250 (+0.25 to +0.25)")
