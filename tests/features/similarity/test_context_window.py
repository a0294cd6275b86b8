"""A window ends where the text does."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from features.similarity.context_window import FINISHED, LIVE, Window, window_vectors


def test_the_first_and_the_last_sentence_have_fewer_around_them() -> None:
    """The sentence itself always stands in its window, in its place."""
    texts = ["a", "b", "c", "d"]
    assert [Window(2, 1).of(texts, text_index) for text_index in (0, 2, 3)] == [
        ("a", "b"),
        ("a", "b", "c", "d"),
        ("b", "c", "d"),
    ]
    assert Window(0, 0).of(texts, 1) == ("b",)


@given(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=9), st.data())
def test_a_live_window_is_that_of_a_transcript_that_ends_here(
    texts: list[str], data: st.DataObject
) -> None:
    """It looks back as far as that of a finished one, and no further on."""
    text_index = data.draw(st.integers(0, len(texts) - 1))
    assert LIVE.of(texts, text_index) == FINISHED.of(texts[: text_index + 1], text_index)


def test_a_windows_vector_is_the_mean_over_its_tokens() -> None:
    """A long sentence counts more; a blank one, which has no token, not at all.

    A window of blanks is zero.
    """
    vectors = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]], np.float32)
    windows = [("a", "b", ""), ("b",), ("", ""), ("a", "a", "b")]
    window_means = window_vectors(windows, ["a", "b", ""], vectors, [3, 4, 0])
    np.testing.assert_allclose(
        window_means, [[0.6, 0.8], [0, 1], [0, 0], [6 / 52**0.5, 4 / 52**0.5]], rtol=1e-6
    )
    assert window_vectors([], [], vectors[:0], []).shape == (0, 2)
