"""The propositions of a compound sentence, what each leaves out, and which one a statement is about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.language.sentence_parts import about, split


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "They raised taxes on the poor, and he voted for it.",
            ["They raised taxes on the poor", "and he voted for it."],
        ),
        (
            "We lost the factories and have lost the jobs.",
            ["We lost the factories", "and have lost the jobs."],
        ),
        ("Crime is up, but wages are down.", ["Crime is up", "but wages are down."]),
        (
            "The prison is expensive; it only serves them.",
            ["The prison is expensive", "it only serves them."],
        ),
        (
            "She wants the plan, which is a disaster for us.",
            ["She wants the plan", "which is a disaster for us."],
        ),
        (
            "It cost 28,000 dollars, and 134,000 men were sent.",
            ["It cost 28,000 dollars", "and 134,000 men were sent."],
        ),
        (
            "The mayor mandates masks in stores, and the towns of the coast in the north of the state are closed.",
            [
                "The mayor mandates masks in stores",
                "and the towns of the coast in the north of the state are closed.",
            ],
        ),
        ("Wages fell in Ohio, whose mayor lied.", ["Wages fell in Ohio", "whose mayor lied."]),
        (
            "The army is weak, John McCain's no hero.",
            ["The army is weak", "John McCain's no hero."],
        ),
        (
            "He bought Iraq and Syria, Libya and Egypt.",
            ["He bought Iraq and Syria, Libya and Egypt."],
        ),
        (
            "If he wins and he signs it, we lose the jobs.",
            ["If he wins and he signs it, we lose the jobs."],
        ),
        (
            "Anybody who has looked at this knows that.",
            ["Anybody who has looked at this knows that."],
        ),
    ],
)
def test_a_sentence_is_split_where_a_clause_begins(text: str, expected: list[str]) -> None:
    """Clauses and verbs of one subject.

    Lists of names, conditions and restrictive clauses stay whole.
    """
    assert [part.text for part in split(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The senator voted for the war and has lied about it.", "The senator has lied about it."),
        ("We all know Ted Cruz lost, and he voted for it.", "Ted Cruz voted for it."),
        ("She wants the plan, which is a disaster for us.", "the plan is a disaster for us."),
        ("Wages fell in Ohio, whose mayor lied.", "Ohio's mayor lied."),
    ],
)
def test_what_a_part_leaves_out_is_filled_from_its_sentence(text: str, expected: str) -> None:
    """The shared subject, the name that a pronoun stands for, the antecedent of a relative clause."""
    assert split(text)[1].filled == expected


def test_a_statement_is_about_the_part_that_has_most_of_it() -> None:
    """By words and figures; a sentence of one part has none to name, and neither has one that shares nothing."""
    parts = split("Our roads are falling apart, and 43 million Americans are on food stamps.")
    assert about(parts, "Forty-three million people get food stamps.") == 2
    assert about(parts, "The roads of America fall apart.") == 1
    assert about(parts, "He never liked hats.") is None
    assert about(split("Crime is up."), "Crime is up.") is None


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    """One of each part is shared."""
    parts = split("The people want more, and the sequester hit them hard.")
    assert about(parts, "People hate the sequester.") == 2


@given(st.text("abc I is was and, but which; — .he they", max_size=80))
def test_parts_lie_in_their_sentence_and_cover_it(text: str) -> None:
    """In order, end to end, whatever the text."""
    parts = split(text)
    assert [part.start for part in parts][1:] == [part.end for part in parts][:-1]
    assert (0, len(text)) == (parts[0].start, parts[-1].end)
    assert all(part.text in text[part.start : part.end] for part in parts)
