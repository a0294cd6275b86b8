"""Borders of the tiers from the gold, the reader and the veto; the curves that show them."""

from __future__ import annotations

import numpy as np
import pytest

from bench.matches import calibration
from training.ranker.tier_borders import HeldOut, borders, read_labels


@pytest.fixture
def found() -> HeldOut:
    """Eight pairs, best first: right, read as right, vetoed, unsure, right, read as wrong, unread, right."""
    return HeldOut(
        score=np.arange(8.0, 0.0, -1.0),
        strict=np.array([True, False, False, False, True, False, False, True]),
        read=np.array(["", "yes", "", "unsure", "", "no", "", ""]),
        sure=np.array([True, True, True, True, True, True, False, True]),
        may=np.array([True, True, False, True, True, True, True, True]),
        verifiable=np.array([True, False, False, False, True, False, False, True]),
    )


def test_the_reader_adds_to_the_gold(found: HeldOut) -> None:
    """Read as right is right; what the reader could not tell, or nobody is sure of, is not counted."""
    assert found.right.tolist() == [True, True, False, False, True, False, False, True]
    assert found.known.tolist() == [True, True, True, False, True, True, False, True]


def test_likely_begins_among_pairs_that_may_be_likely(found: HeldOut) -> None:
    """The vetoed pair does not lower the precision; the one read as wrong does."""
    assert borders(found, precision=1.0, recall=1.0).likely == 4.0
    assert borders(found, precision=0.8, recall=1.0)[:2] == (1.0, 1.0)


def test_the_summary_counts_by_hand(found: HeldOut) -> None:
    """Four likely sentences without the vetoed one, two of three right by the strict gold alone."""
    tier_counts = calibration.summary(found, borders(found, precision=1.0, recall=1.0))
    assert tier_counts["likely"] == 4
    assert tier_counts["likely right, strict gold"].hits == 2
    assert tier_counts["likely right, strict gold"].of == 4
    assert tier_counts["likely right, as labelled"].hits == 3
    assert tier_counts["likely right, as labelled"].of == 3
    assert tier_counts["verifiable that are likely"].hits == 2
    assert tier_counts["verifiable that are likely"].of == 3


def test_risk_rises_only_with_wrong_pairs(found: HeldOut) -> None:
    """Coverage never falls as the border goes down, and the share of wrong ones is counted among known pairs."""
    covered, wrong = calibration.risk_coverage(found)
    assert (np.diff(covered) >= 0).all()
    assert covered[-1] == 1.0
    assert wrong.tolist() == pytest.approx([0, 0, 0, 1 / 4, 1 / 5])


def test_curves_are_the_same_bytes_twice(found: HeldOut, tmp_path) -> None:
    """One picture and two tables, without a date."""
    pytest.importorskip("matplotlib")
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        calibration.draw(found, borders(found, precision=0.8, recall=1.0), tmp_path / name)
    files = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert files == ["reliability.csv", "risk_coverage.csv", "tiers.png"]
    assert all(
        (tmp_path / "one" / f).read_bytes() == (tmp_path / "two" / f).read_bytes() for f in files
    )


def test_the_labels_hold_ids_alone() -> None:
    """Debate, line, claim and one of three words."""
    labels = read_labels()
    assert set(labels.values()) == {"yes", "no", "unsure"}
    assert len(labels) >= 150
    assert all(claim.startswith("vclaim-") for _, _, claim in labels)
