"""Plans and conditions that only one of two texts has."""

from __future__ import annotations

import pytest

from features.language.open_parts.partial_coverage import uncovered_parts
from features.language.open_parts.plans import (
    ability_clash,
    condition_of_statement,
    plan_in_one_text,
)
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


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        (
            "Norway will pay for the pier.",
            "They say Norway can't pay for the pier, and of course it can.",
            Clash("will pay", "can't pay"),
        ),
        (
            "And they'll pay for the whole pier.",
            "The dockers could pay for the pier.",
            Clash("they'll pay", "could pay"),
        ),
        (
            "Norway is able to pay for the pier.",
            "Norway is going to pay for the pier.",
            Clash("is able to pay", "is going to pay"),
        ),
    ],
)
def test_a_prediction_is_named_beside_an_ability(
    sentence: str, statement: str, expected: Clash
) -> None:
    """The prediction then isn't called a plan."""
    assert uncovered_parts(sentence, statement) == (("strength", expected),)


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        ("Norway will pay for the pier.", "Norway will pay for the pier."),
        ("Norway will sell its ferries.", "Norway can pay for its ferries."),
        ("Tomorrow the mayor will pay the cook.", "Norway can pay for the pier."),
    ],
)
def test_a_prediction_of_another_deed_is_no_ability(sentence: str, statement: str) -> None:
    assert ability_clash(sentence, statement) is None


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        # "should not be the only one" says that it is
        (
            "I believe that Norway should not be the only large harbour without ferry museums.",
            "Every other large harbour has ferry museums.",
        ),
        (
            "It has to do with the ferry museums in every harbour.",
            MUSEUMS,
        ),
        # a promise of both
        (
            "Ana Reyes was going to bring 200 jobs to the ferry museum.",
            "Says Ana Reyes promised, years ago, 200 jobs for the ferry museum.",
        ),
        (
            "Ana Reyes will have to explain why every harbour has ferry museums.",
            MUSEUMS,
        ),
        # the fact is in a clause beside the plan
        (
            "We are going to do it so as to rename some museums that we lose in the harbour.",
            "We lose ten museums in the harbour every year.",
        ),
        (
            "Pilots said they would not trust the mayor with the harbour museum.",
            "The cook doesn't trust the mayor with the harbour museum.",
        ),
    ],
)
def test_a_presupposed_fact_and_an_attitude_are_no_plans(sentence: str, statement: str) -> None:
    assert plan_in_one_text(sentence, statement) is None


def test_a_plan_is_named_if_it_repeats_light_words() -> None:
    sentence = "In two years we will not have more people on ferries than any other country."
    statement = "Today we have more people on ferries than any other country in the world."

    assert plan_in_one_text(sentence, statement) == Clash("we will not have more people", "")


def test_a_plan_is_quoted_with_its_adverbs() -> None:
    sentence = "We will very soon be the largest in ferry museums of the harbour."
    statement = "We are the largest in ferry museums of the harbour."

    assert plan_in_one_text(sentence, statement) == Clash("We will very soon be the largest", "")


def test_a_condition_that_leads_up_to_a_statement_is_none() -> None:
    statement = "If you look at the pilots between 17 and 20, half of them cannot swim."
    assert condition_of_statement("Half of the pilots cannot swim.", statement) == ""


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        ("She wants to have open ports.", "The mayor has open ports.", "She wants to have open ports"),
        ("We have to be frugal with all spending.", "We are frugal with all spending.", "We have to be frugal"),
        ("We should open the pier.", "The pier was opened.", "We should open"),
    ],
)  # fmt: skip
def test_a_plan_is_quoted_with_the_words_that_its_verb_needs(
    sentence: str, statement: str, expected: str
) -> None:
    """No quotation ends on "be" or "have"."""
    clash = plan_in_one_text(sentence, statement)
    assert clash is not None
    assert clash.in_sentence == expected
