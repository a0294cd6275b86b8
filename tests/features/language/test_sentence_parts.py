"""The propositions of a compound sentence, what each leaves out, and which one a statement is about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.language.sentence_parts import number_of_claimed_part, split


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
    assert [sentence_part.text for sentence_part in split(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "The truth is, wages fell in Ohio.",
        "All we can say is, you are lucky here.",
        "The schools in this town are so badly run.",
        "He left because so many people were hurt by it.",
        "Wages fell, because their -- they had no union.",
        "He puts himself into, you know, the middle of this fight.",
        "We hire fewer, and fewer doctors take the money.",
        "She sent home millions and millions of people were angry.",
        'He told them what he thinks: "You complain, I will sue you."',
        "It needs a plan because everybody -- Ann, we have a deficit.",
        "When we see a town that's poor, that's in debt, it needs help.",
        "She makes sure that -- that we have a path.",
    ],
)
def test_a_part_ends_at_a_clause(text: str) -> None:
    """No part ends on an article, a preposition or "is", within a quotation or between repeated words."""
    assert [sentence_part.text for sentence_part in split(text)] == [text]


@pytest.mark.parametrize(
    ("text", "second"),
    [
        (
            "We know what the answers are, and yet nothing has changed.",
            "and yet nothing has changed.",
        ),
        ("He said hard things to her, and everybody agreed.", "and everybody agreed."),
        ("They are not just in Ohio and in Iowa, Indiana is poor.", "Indiana is poor."),
        ("They pulled out of Iran and Iran is building it.", "and Iran is building it."),
        ("He said it in Ohio, and in Iowa, wages fell.", "and in Iowa, wages fell."),
        ("Wages fell in Ohio, so many people left the town.", "so many people left the town."),
        ("When taxes rose, wages fell, and he voted for it.", "and he voted for it."),
        ('"Crime is up," he said, and wages are down.', "and wages are down."),
    ],
)
def test_words_that_end_a_part_elsewhere_may_end_a_clause(text: str, second: str) -> None:
    """The siblings of the sentences above, which have two clauses."""
    assert [sentence_part.text for sentence_part in split(text)][1:] == [second]


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
    sentence_parts = split(
        "Our roads are falling apart, and 43 million Americans are on food stamps."
    )
    assert (
        number_of_claimed_part(sentence_parts, "Forty-three million people get food stamps.") == 2
    )
    assert number_of_claimed_part(sentence_parts, "The roads of America fall apart.") == 1
    assert number_of_claimed_part(sentence_parts, "He never liked hats.") is None
    assert number_of_claimed_part(split("Crime is up."), "Crime is up.") is None


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    """One of each part is shared."""
    sentence_parts = split("The people want more, and the sequester hit them hard.")
    assert number_of_claimed_part(sentence_parts, "People hate the sequester.") == 2


@given(st.text("abc I is was and, but which; — .he they", max_size=80))
def test_parts_lie_in_their_sentence_and_cover_it(text: str) -> None:
    """In order, end to end, whatever the text."""
    sentence_parts = split(text)
    assert [sentence_part.start for sentence_part in sentence_parts][1:] == [
        sentence_part.end for sentence_part in sentence_parts
    ][:-1]
    assert sentence_parts[0].start == 0
    assert len(text) == sentence_parts[-1].end
    assert all(
        sentence_part.text in text[sentence_part.start : sentence_part.end]
        for sentence_part in sentence_parts
    )
