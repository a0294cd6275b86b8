"""Plans and conditions that only one of two texts has."""

from __future__ import annotations

import pytest

from features.language.partial_coverage import uncovered_parts
from features.language.uncovered_plans import condition_of_statement, plan_in_one_text
from features.language.word_clashes import Clash

MUSEUMS = "Free ferry museums in every harbour, that exists all over Norway."


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        (
            "I believe we should open free ferry museums in our harbour.",
            MUSEUMS,
            Clash("we should open", ""),
        ),
        ("I proposed free ferry museums at every harbour.", MUSEUMS, Clash("I proposed", "")),
        (
            "Ana Reyes wants to close the harbour museum.",
            "The harbour museum is closed.",
            Clash("Ana Reyes wants to close", ""),
        ),
        (
            "The harbour museum is closed.",
            "Says Ana Reyes wants to close the harbour museum.",
            Clash("", "Ana Reyes wants to close"),
        ),
        (
            "We're going to build a museum of ferries.",
            "The museum of ferries is in town.",
            Clash("We're going to build", ""),
        ),
    ],
)
def test_a_plan_of_one_text_is_named(sentence: str, statement: str, expected: Clash) -> None:
    assert plan_in_one_text(sentence, statement) == expected
    assert ("plan", expected) in uncovered_parts(sentence, statement)


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        ("We opened free ferry museums in every harbour.", MUSEUMS),
        ("Should we open free ferry museums in our harbour?", MUSEUMS),
        ("We should ask who pays for ferry museums.", MUSEUMS),
        ("We should raise the wages of all pilots, because a ferry is a museum.", MUSEUMS),
        (
            "We should open ferry museums in the harbour.",
            "They will open ferry museums in the harbour.",
        ),
        (
            "We should open ferry museums in the harbour.",
            "Their aim is to open ferry museums in the harbour.",
        ),
        ("I will show you the ferry museums in every harbour.", MUSEUMS),
        ("I would like to say that free ferry museums exist in every harbour.", MUSEUMS),
    ],
)
def test_a_fact_or_a_plan_of_both_texts_or_on_another_matter_is_not_named(
    sentence: str, statement: str
) -> None:
    assert plan_in_one_text(sentence, statement) is None


def test_a_condition_that_only_the_statement_sets_is_named() -> None:
    statement = "If the mayor had not asked for the files, none of them would be public."

    condition = condition_of_statement("I asked for all files to be public.", statement)

    assert condition == "If the mayor had not asked for the files"
    assert condition_of_statement("If I ask for the files, they are public.", statement) == ""
    assert condition_of_statement("I asked for all files.", "The files are public.") == ""
