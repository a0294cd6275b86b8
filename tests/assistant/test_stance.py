"""Repeats, contradicts, or neither for sure."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.domain import Stance
from assistant.stance import denials, denies, stance, stances
from features.catalogue import COLUMN

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


def test_a_text_denies_if_it_denies_an_odd_number_of_times() -> None:
    """A denial of a denial is none."""
    assert denies([SAYS, DENIES, "Nobody says that it is not widespread."]).tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("opposed", "nli", "cosine", "expected"),
    [
        (False, (0.9, 0.1, 0.0), 0.9, Stance.REPEATS),
        (True, (0.0, 0.1, 0.9), 0.9, Stance.CONTRADICTS),
        (True, (0.9, 0.1, 0.0), 0.9, Stance.UNCLEAR),
        (False, (0.0, 0.1, 0.9), 0.9, Stance.UNCLEAR),
        (False, (0.0, 0.0, 0.0), 0.9, Stance.REPEATS),
        (False, (0.0, 0.0, 0.0), 0.1, Stance.UNCLEAR),
        (True, (0.0, 0.0, 0.0), 0.9, Stance.UNCLEAR),
    ],
)
def test_nli_and_polarity_must_agree(opposed: bool, nli: tuple, cosine: float, expected: Stance) -> None:
    """Where they do not, the stance is unclear; without NLI likeness and polarity decide."""
    measures = np.zeros((1, 19))
    measures[0, COLUMN["nli_entailment"] : COLUMN["nli_contradiction"] + 1] = nli
    measures[0, COLUMN["sbert_statement"]] = cosine
    assert [Stance(found) for found in stances(measures, np.array([opposed]))] == [expected]


def test_a_single_pair_is_asked_by_its_texts() -> None:
    """The same rule, polarity read from the texts."""
    assert stance(SAYS, SAYS, (0.9, 0.1, 0.0), 0.9) is Stance.REPEATS
    assert stance(DENIES, SAYS, (0.0, 0.1, 0.9), 0.9) is Stance.CONTRADICTS


def test_no_pairs_have_no_stance() -> None:
    """An empty database is no error."""
    assert stances(np.zeros((0, 19)), np.zeros(0, bool)).shape == (0,)
