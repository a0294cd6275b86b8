"""Ranking vectors survive the svmlight form."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ranking import svmlight


def test_rows_labels_and_groups_survive(tmp_path: Path) -> None:
    """Values, graded labels and qid come back exactly.

    A trailing column of zeros too, if the width is told.
    """
    X = np.array([[0.1, 0.0, -3.5, 0.0], [1 / 3, 2e-17, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]])
    y = np.array([1.0, 0.0, 2.0])
    qid = np.array([1, 1, 7])
    svmlight.write(tmp_path / "vectors.txt", X, y, qid)
    again = svmlight.read(tmp_path / "vectors.txt", 4)
    for expected, actual in zip((X, y, qid), again, strict=True):
        assert np.array_equal(actual, expected)


def test_more_columns_than_expected_are_refused(tmp_path: Path) -> None:
    """Vectors of another catalogue are not cut to size."""
    svmlight.write(tmp_path / "vectors.txt", np.eye(3), np.zeros(3), np.ones(3, int))
    with pytest.raises(ValueError, match="3 columns, but may have at most 2"):
        svmlight.read(tmp_path / "vectors.txt", 2)


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    """The error names the file."""
    (tmp_path / "notes.txt").write_text("no vectors here\n")
    with pytest.raises(ValueError, match="notes.txt isn't an SVMlight file"):
        svmlight.read(tmp_path / "notes.txt")
