"""Ranking vectors in svmlight's text form with ``qid``.

Written by scikit-learn, read by the package svmlight-loader. ``python -m bench.paper.vectors``
trains and ranks with such files, whichever tool wrote them. Columns count from 1. The form does
not store the number of columns (trailing zeros vanish), so a caller who knows it passes
``n_columns``.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import dump_svmlight_file
from svmlight_loader import InvalidSVMLight, regression_from_lines

Floats = NDArray[np.float64]


def write(path: Path, X: Floats, y: Floats, qid: NDArray[np.int64]) -> None:
    """Write rows X (n, f), labels y (n,) and groups qid (n,)."""
    dump_svmlight_file(X, y, str(path), zero_based=False, query_id=qid)


def read(path: Path, max_columns: int | None = None) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Return X (n, n_columns), y (n,) and qid (n,); missing columns are 0.

    Raises: ValueError if the file is not svmlight with qid, or has more columns than
    ``max_columns``.
    """
    try:
        with path.open("rb") as opened_file:
            rows, y, qid = regression_from_lines(opened_file, zero_based=False, query_id=True)
    except (InvalidSVMLight, ValueError) as error:
        raise ValueError(
            f"{path.name} isn't an SVMlight file with query ids (qid) ({error})"
        ) from error
    if max_columns is not None and rows.shape[1] > max_columns:
        raise ValueError(
            f"the file {path.name} has {rows.shape[1]} columns, but may have at most {max_columns}"
        )
    # The file leaves out zeros, so its last columns may be missing.
    row_count, column_count = rows.shape
    X = np.zeros((row_count, max_columns or column_count))
    X[:, :column_count] = rows.toarray()
    return X, np.asarray(y, float), np.asarray(qid, np.int64)
