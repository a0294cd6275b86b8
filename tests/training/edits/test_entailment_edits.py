"""Edits of real statements keep or break their meaning by documented rules."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.edits import entailment_edits as edits
from training.shared.loaders import LABELS


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("Says that crime is down.", "Crime is down."),
        ('"Crime is down."', "Crime is down."),
        ('Says the mayor "raised" rents.', 'The mayor "raised" rents.'),
    ],
)
def test_bare_takes_the_publishers_frame_off(statement: str, expected: str) -> None:
    """ "Says" and quotation marks around the whole are the publisher's, marks inside are not."""
    assert edits.bare(statement) == expected


@given(st.integers(1900, 2030), st.integers(0, 1000))
def test_a_year_moves_by_two_to_nine_years(year: int, seed: int) -> None:
    """An edited year is another year nearby, never a multiple."""
    text = edits.other_figure(f"It happened in {year}.", random.Random(seed))
    assert 2 <= abs(int(text.removeprefix("It happened in ").rstrip(".")) - year) <= 9


@given(st.integers(0, 10_000_000), st.integers(0, 1000))
def test_a_figure_is_never_left_as_it_was(figure: int, seed: int) -> None:
    """Whatever the figure, the edited text says another one."""
    text = f"They built {figure:,} homes."
    assert edits.other_figure(text, random.Random(seed)) != text


def test_opposite_turns_the_longest_direction_round() -> None:
    """ "More than" is turned as one phrase, not as "more"."""
    assert (
        edits.opposite("It rained more than ever.", random.Random(0)) == "It rained less than ever."
    )


def test_negated_leaves_negative_statements_alone() -> None:
    """A statement that is negative already gets no second negation."""
    assert edits.negated("The dam is not safe.", random.Random(0)) is None
    assert edits.negated("The dam is safe.", random.Random(0)) == "The dam is not safe."


def test_same_rewrites_without_changing_the_figure() -> None:
    """Per cent signs, contractions and the like say the same."""
    assert edits.same("Rents rose 12 percent.", random.Random(0)) == "Rents rose 12%."


def test_edit_pairs_hold_the_statement_and_follow_the_seed() -> None:
    """Every pair has the original on one side; the same seed gives the same pairs."""
    statements = ["Says rents rose 12 percent.", "The dam is safe.", "Hello there"]
    pairs = edits.edit_pairs(statements, seed=3)
    assert edits.edit_pairs(statements, seed=3) == pairs
    assert all(pair.premise in statements or pair.hypothesis in statements for pair in pairs)
    assert {LABELS[pair.label] for pair in pairs} == {"entailment", "contradiction"}


def test_neighbours_are_different_statements_on_one_matter() -> None:
    """A neutral pair shares words, but is not one statement twice."""
    statements = [
        "Rents rose near the harbour after the storm.",
        "Rents fell behind the museum after the flood.",
        "The harbour and the museum had a storm and a flood.",
    ]
    pairs = edits.neighbour_pairs(statements, seed=1, count=4)
    assert pairs
    assert all(
        pair.premise != pair.hypothesis and LABELS[pair.label] == "neutral" for pair in pairs
    )
