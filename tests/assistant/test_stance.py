"""Repeats, contradicts, or neither for sure."""

from __future__ import annotations

import pytest

from assistant.domain import Stance
from assistant.stance import denials, opposed, stance

SAYS = "Voter fraud is widespread."
DENIES = "Voter fraud isn't widespread."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It was not true.", 1),
        ("They don't pay, and never did.", 2),
        ("Not only jobs, no doubt.", 0),
        ("He denied it.", 1),
        ("We have the best jobs.", 0),
    ],
)
def test_denials_are_counted(text: str, expected: int) -> None:
    """Negations, contractions and verbs of denial; "not only" and "no doubt" are none."""
    assert denials(text) == expected


def test_two_texts_are_opposed_if_one_of_them_denies() -> None:
    """Either way round; two denials are no opposition."""
    assert opposed(SAYS, DENIES) and opposed(DENIES, SAYS)
    assert not opposed(DENIES, "Voter fraud is never widespread.")


@pytest.mark.parametrize(
    ("sentence", "nli", "cosine", "expected"),
    [
        (SAYS, (0.9, 0.1, 0.0), 0.9, Stance.REPEATS),
        (DENIES, (0.0, 0.1, 0.9), 0.9, Stance.CONTRADICTS),
        (DENIES, (0.9, 0.1, 0.0), 0.9, Stance.UNCLEAR),
        (SAYS, (0.0, 0.1, 0.9), 0.9, Stance.UNCLEAR),
        (SAYS, (0.0, 0.0, 0.0), 0.9, Stance.REPEATS),
        (SAYS, (0.0, 0.0, 0.0), 0.1, Stance.UNCLEAR),
    ],
)
def test_nli_and_polarity_must_agree(sentence: str, nli: tuple, cosine: float, expected: Stance) -> None:
    """Where they do not, the stance is unclear; without NLI likeness and polarity decide."""
    assert stance(sentence, SAYS, nli, cosine) is expected
