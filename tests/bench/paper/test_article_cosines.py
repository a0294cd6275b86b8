"""The pass over all articles, against sorting every cosine."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from bench.paper import article_cosines as articles

RNG = np.random.default_rng(0)
VECTORS = RNG.normal(size=(5, 6)).astype(np.float32)
BODIES = [RNG.normal(size=(size, 6)).astype(np.float32) for size in (7, 0, 1, 4, 2, 9, 3)]
CLASSES = np.array([0, 1, 0, 1, 1, 0, 1])


@given(hnp.arrays(np.float32, st.tuples(st.integers(1, 9), st.integers(1, 3)), elements=st.floats(-1, 1, width=32)))
def test_the_four_best_cosines_fall_and_the_last_is_repeated(cosines: np.ndarray) -> None:
    """As sorting each column does; a short article repeats its last value."""
    expected = -np.sort(-cosines, axis=0)[:4]
    expected = np.concatenate([expected, np.repeat(expected[-1:], 4 - len(expected), axis=0)])
    assert np.array_equal(articles.best_cosines(cosines), expected)


def test_an_article_without_sentences_has_cosine_nothing() -> None:
    """Zero, as everywhere."""
    assert not articles.best_cosines(np.zeros((0, 3), np.float32)).any()


def test_the_best_of_each_class_and_all_of_some_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    """In blocks of two claims, the same as sorting the cosines of all claims of the class."""
    monkeypatch.setattr(articles, "BLOCK", 2)
    monkeypatch.setattr(articles, "KEPT", 3)
    rows, told = np.array([1, 4]), []
    kept, every = articles.scan(VECTORS, lambda i: BODIES[i], CLASSES, rows, progress=told.append)
    dense = np.stack([articles.best_cosines(body @ VECTORS.T) for body in BODIES], axis=-1)  # (4, n, m)
    assert every == pytest.approx(dense[:, rows])
    for kind in (0, 1):
        expected = -np.sort(-dense[:, :, CLASSES == kind], axis=2)[:, :, :3]
        assert -np.sort(-kept[kind], axis=2) == pytest.approx(expected)
    assert told[-1] == len(BODIES)


def test_a_class_smaller_than_what_is_kept_is_padded() -> None:
    """The rest is minus infinity, so that it never wins."""
    kept, _ = articles.scan(VECTORS, lambda i: BODIES[i], CLASSES, np.array([0]))
    assert np.isfinite(kept[0]).sum() == 3 * 4 * len(VECTORS)
    assert np.isneginf(kept[0]).sum() == (articles.KEPT - 3) * 4 * len(VECTORS)
