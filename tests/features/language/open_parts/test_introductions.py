"""Clauses that introduce a statement as true leave no part of a match open."""

from __future__ import annotations

import pytest

from features.language.open_parts.introductions import introduces_statement
from features.language.open_parts.noted_parts import noted_parts

STATEMENT = "The last ferry to the island ran in 2001."
COMPLEMENT = "that the last ferry to the island ran in 2001."
TRUE_INTRODUCTIONS = (
    "And below it I would print",
    "And everyone in this room knows",
    "My opponent never mentions",
    "The senator forgets",
    "The chart behind me shows",
    "Both captains agree",
    "And we told the harbour board",
)
OPEN_INTRODUCTIONS = (
    "Nobody says",
    "The mayor hopes",
    "No chart shows",
    "Captain Lee wrote",
)


@pytest.mark.parametrize("introduction", TRUE_INTRODUCTIONS)
def test_no_note_quotes_a_clause_that_takes_the_statement_as_true(introduction: str) -> None:
    assert noted_parts(f"{introduction} {COMPLEMENT}", STATEMENT) == ()


@pytest.mark.parametrize("introduction", OPEN_INTRODUCTIONS)
def test_other_clauses_before_that_may_be_open_parts(introduction: str) -> None:
    """A denied verb, a wish, and what another person said take something from the statement."""
    assert not introduces_statement(introduction, f"{introduction} {COMPLEMENT}")


def test_a_clause_without_that_introduces_nothing() -> None:
    """It may be joined to the statement as a second one."""
    sentence = "The chart behind me shows the harbour, and the last ferry ran in 2001."

    assert not introduces_statement("The chart behind me shows", sentence)
    assert not introduces_statement("words of another text", sentence)
