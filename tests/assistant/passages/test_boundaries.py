"""Borders of passages: what the model reads, and the most likely division."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from assistant.passages import boundaries
from assistant.passages.boundaries import MAX_PASSAGE_SENTENCES, NAMES, cohesion, segment

ODDS = some.floats(-6, 6, allow_nan=False)


def likeliest(odds: list[float], longest: int) -> float:
    """Return the log-probability of the best division, out of all divisions into passages that are not too long."""
    return max(
        log_probability(odds, begins)
        for begins in product((False, True), repeat=len(odds))
        if max(sizes(begins)) <= longest
    )


def log_probability(odds: list[float], begins: tuple[bool, ...]) -> float:
    return sum(
        -np.logaddexp(0, -odd if new else odd) for odd, new in zip(odds, begins, strict=True)
    )


def sizes(begins: tuple[bool, ...]) -> list[int]:
    passage_sizes = [1]
    for new in begins:
        passage_sizes = [*passage_sizes, 1] if new else [*passage_sizes[:-1], passage_sizes[-1] + 1]
    return passage_sizes


@given(some.lists(ODDS, max_size=8), some.integers(1, 6))
def test_the_division_is_the_likeliest_of_all(odds: list[float], longest: int) -> None:
    """Beside every division of up to nine sentences, one by one."""
    starts = segment(np.array(odds), longest)
    begins = tuple(sentence_index in starts for sentence_index in range(1, len(odds) + 1))

    assert starts[0] == 0
    assert max(sizes(begins)) <= longest
    assert log_probability(odds, begins) == pytest.approx(likeliest(odds, longest))


@given(some.lists(ODDS, max_size=60))
def test_no_passage_is_longer_than_five_sentences(odds: list[float]) -> None:
    """However much everything coheres; the passages follow one another without a gap."""
    starts = segment(np.array(odds))

    assert starts == sorted(set(starts))
    assert starts[0] == 0
    assert max(np.diff([*starts, len(odds) + 1])) <= MAX_PASSAGE_SENTENCES == 5


def test_sentences_that_cohere_are_one_passage_and_others_are_not() -> None:
    """Without doubt on either side there is one division."""
    assert segment(np.full(4, -9.0)) == [0]
    assert segment(np.full(4, 9.0)) == [0, 1, 2, 3, 4]
    assert segment(np.array([-9.0, 9.0, -9.0])) == [0, 2]


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_every_border_has_a_row_of_finite_numbers(n: int) -> None:
    """One sentence, or none, has no border."""
    texts = ["And he said: it's 4%!", "", "Thank you?", "Mr. Okafor — he — lies.", "…"][:n]
    measures = cohesion(texts, np.eye(max(n, 1), 6)[:n], np.linspace(0, 1, n))

    assert measures.shape == (max(0, n - 1), len(NAMES))
    assert np.isfinite(measures).all()


def test_what_the_model_reads_is_named() -> None:
    """A pronoun, a connective, a question before, a figure, nearness in meaning.

    Each in its own column.
    """
    vectors = np.array([[1.0, 0.0], [0.6, 0.8]])
    measures = cohesion(
        ["Did taxes double?", "And they doubled in 2019."], vectors, np.array([0.2, 0.9])
    )
    values = dict(zip(NAMES, measures[0].tolist(), strict=True))

    assert [
        values[name] for name in ("connective", "and", "person_first", "question_before", "figure")
    ] == [1] * 5
    assert [
        values[name] for name in ("but", "question", "greeting", "repeated", "figure_before")
    ] == [0] * 5
    assert pytest.approx((0.6, 0.2, 0.9)) == (
        values["near"],
        values["worth_before"],
        values["worth"],
    )


def test_the_weights_that_are_shipped_are_those_of_the_columns() -> None:
    """A sentence that leans on the one before is less of a beginning than one that opens a new matter."""
    vectors = np.eye(3, 4)
    vectors[1] = vectors[0]
    texts = [
        "The senator voted against the bridge.",
        "He did it three times.",
        "Now, let me turn to schools.",
    ]
    odds = boundaries.boundary_log_odds_of(texts, vectors, np.full(3, 0.5))

    assert odds.shape == (2,)
    assert odds[0] < odds[1]
