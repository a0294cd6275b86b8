"""The pass over all articles, against sorting every cosine."""

from __future__ import annotations

import numpy as np
import pytest

from bench.paper import article_cosines as articles
from features.similarity.cosines import top_cosines

RNG = np.random.default_rng(0)
VECTORS = RNG.normal(size=(5, 6)).astype(np.float32)
BODIES = [RNG.normal(size=(size, 6)).astype(np.float32) for size in (7, 0, 1, 4, 2, 9, 3)]
CLASSES = np.array([0, 1, 0, 1, 1, 0, 1])


def test_the_best_of_each_class_and_all_of_some_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    """In blocks of two claims, the same as sorting the cosines of all claims of the class."""
    monkeypatch.setattr(articles, "BLOCK", 2)
    monkeypatch.setattr(articles, "KEPT", 3)
    claim_rows = np.array([1, 4])
    progress_values = []
    kept_cosines, every = articles.scan(
        VECTORS, lambda i: BODIES[i], CLASSES, claim_rows, progress=progress_values.append
    )
    dense = np.stack([top_cosines(VECTORS, body).T for body in BODIES], axis=-1)  # (4, n, m)
    assert pytest.approx(dense[:, claim_rows]) == every
    for kind in (0, 1):
        expected = -np.sort(-dense[:, :, kind == CLASSES], axis=2)[:, :, :3]
        assert -np.sort(-kept_cosines[kind], axis=2) == pytest.approx(expected)
    assert len(BODIES) == progress_values[-1]


def test_a_class_smaller_than_what_is_kept_is_padded() -> None:
    """The rest is minus infinity, so that it never wins."""
    kept_cosines, _ = articles.scan(VECTORS, lambda i: BODIES[i], CLASSES, np.array([0]))
    assert np.isfinite(kept_cosines[0]).sum() == 3 * 4 * len(VECTORS)
    assert np.isneginf(kept_cosines[0]).sum() == (articles.KEPT - 3) * 4 * len(VECTORS)
