"""Parts that are too often no difference to be named in a note."""

from __future__ import annotations

import pytest

from features.language.open_parts.doubtful_parts import (
    adds_what_is_meant,
    is_doubtful_plan,
    joins_in_other_role,
)
from features.language.open_parts.noted_parts import noted_parts
from features.language.open_parts.partial_coverage import PLAN, uncovered_parts
from features.language.word_clashes import Clash


@pytest.mark.parametrize(
    ("plan", "sentence", "statement", "is_doubtful"),
    [
        # Under a condition
        (
            Clash("I should sell"),
            "She said that if I can't reach the harbour, I should sell the boat.",
            "Ann Ames sold the boat in the harbour.",
            True,
        ),
        (
            Clash("I should sell"),
            "I should sell the boat in the harbour.",
            "Ann Ames sold the boat in the harbour.",
            False,
        ),
        # A promise in both texts
        (
            Clash(in_statement="they will vote"),
            "Over and over, they said, close and rebuild the pier.",
            "All pilots said they will vote to close and rebuild the pier.",
            True,
        ),
        (
            Clash(in_statement="they will vote"),
            "They closed and rebuilt the pier.",
            "All pilots said they will vote to close and rebuild the pier.",
            False,
        ),
    ],
)
def test_a_supposed_or_reported_plan_is_doubtful(
    plan: Clash, sentence: str, statement: str, is_doubtful: bool
) -> None:
    assert is_doubtful_plan(plan, sentence, statement) == is_doubtful


@pytest.mark.parametrize(
    ("sentence", "statement", "is_doubtful"),
    [
        (
            "The crows have taken over towns and harbours, and we are brave.",
            "The weak rules let gulls nest in harbours across Norway.",
            True,
        ),
        (
            "The pilots free towns and harbours from gulls.",
            "The pilots freed harbours.",
            False,
        ),
    ],
)
def test_joined_words_count_beside_a_shared_word(
    sentence: str, statement: str, is_doubtful: bool
) -> None:
    clash = Clash("towns and harbours", "harbours")
    other_order = Clash("harbours", "towns and harbours")

    assert joins_in_other_role(clash, sentence, statement) == is_doubtful
    assert joins_in_other_role(other_order, statement, sentence) == is_doubtful


def test_another_kind_of_difference_joins_nothing() -> None:
    clash = Clash("three harbours", "harbours")

    assert not joins_in_other_role(clash, "He saw three harbours.", "She built harbours.")


def test_a_doubtful_part_weakens_a_match_and_is_not_noted() -> None:
    sentence = (
        "If she says that if I can't mathematically win the race, I should get out, "
        "she can't mathematically win it."
    )
    statement = "Ann Ames is mathematically out of winning the race."

    assert [kind for kind, _ in uncovered_parts(sentence, statement)] == [PLAN]
    assert noted_parts(sentence, statement) == ()


@pytest.mark.parametrize(
    "remark",
    [
        "a lot of people hated the statement when I made it",
        "I did an interview with Sam Wolf",
        "we talked about the warranties",
        "which was a disgraceful situation",
        "that's a massive amount of money",
        "something I want to make clear to the papers",
    ],
)
def test_talk_and_bare_opinions_are_not_noted(remark: str) -> None:
    sentence = f"I said the harbour race was rigged against Ames, {remark}."
    statement = "Says the harbour race is rigged."

    noted_words = [clash.in_sentence for _, clash in noted_parts(sentence, statement)]

    assert not any(remark[:20] in words for words in noted_words)


def test_the_full_name_of_an_abbreviation_is_not_noted() -> None:
    assert (
        noted_parts(
            "The clerks wouldn't give it -- the LPU, Lorne Pilot Union, wouldn't give its log to us.",
            "Says Ann Ames refused to give the LPU log to the port and the bank. Sad!",
        )
        == ()
    )


@pytest.mark.parametrize(
    ("said", "claimed", "sentence", "is_meant"),
    [
        ("longest", "longest in the world", "This pier is the longest on Earth.", True),
        ("pier", "pier in the world", "I have crossed the longest pier that there is.", True),
        ("longest", "longest in the world", "This pier is the longest in history.", False),
        ("fish quota", "federal fish quota", "The fish quota began in 1938.", True),
        ("fish quota", "federal cod and fish quota", "The fish quota began in 1938.", False),
        ("", "in the world", "The pier is long.", False),
    ],
)
def test_words_that_are_meant_in_any_case_are_no_difference(
    said: str, claimed: str, sentence: str, is_meant: bool
) -> None:
    statement = f"They name the {claimed}."

    assert adds_what_is_meant(Clash(said, claimed), sentence, statement) == is_meant
    assert adds_what_is_meant(Clash(claimed, said), statement, sentence) == is_meant


def test_a_superlative_on_earth_has_no_note_on_the_world() -> None:
    sentence = "They gave us the longest span on Earth in 1883."
    statement = "Its main span was the longest in the world in 1883."

    assert uncovered_parts(sentence, statement) != ()
    assert noted_parts(sentence, statement) == ()
