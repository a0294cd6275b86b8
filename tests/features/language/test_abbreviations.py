"""Abbreviations and the names that they stand for."""

from __future__ import annotations

import pytest

from features.language.abbreviations import is_abbreviation, may_be_respelled, spelled_like
from features.language.conflicts import conflicts


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        (
            "The FAA grounded the jets.",
            "The Federal Aviation Administration grounded the jets.",
            "The Federal Aviation Administration grounded the jets.",
        ),
        (
            "The Social Security Administration lost a million files.",
            "The SSA lost a million files.",
            "The SSA lost a million files.",
        ),
        ("The FAA grounded the jets.", "The Air Force has old jets.", "The FAA grounded the jets."),
        ("OK, he left.", "Old Kent was lost.", "OK, he left."),
        (
            "The FDA and the U.S. Army agree.",
            "The Food and Drug Administration and the United States Army agree.",
            "The Food and Drug Administration and the United States Army agree.",
        ),
        (
            "the f a a grounded the jets",
            "The Federal Aviation Administration grounded the jets.",
            "the Federal Aviation Administration grounded the jets",
        ),
        (
            "the faa grounded the jets",
            "The Federal Aviation Administration grounded the jets.",
            "the Federal Aviation Administration grounded the jets",
        ),
        (
            "The faa grounded the jets.",
            "The Federal Aviation Administration grounded the jets.",
            "The faa grounded the jets.",
        ),
        ("SNAP costs too much.", "Food stamps cost much.", "Food stamps costs too much."),
        ("He can snap at us.", "Food stamps feed America.", "He can snap at us."),
        ("The ısıs fighters left.", "Islamic State fighters left.", "The ısıs fighters left."),
        ("GDP fell.", "The gross domestic product fell.", "gross domestic product fell."),
        ("our u s troops left", "United States troops left.", "our United States troops left"),
    ],
)
def test_a_sentence_is_spelled_like_the_statement(
    sentence: str, statement: str, expected: str
) -> None:
    assert spelled_like(sentence, statement) == expected


@pytest.mark.parametrize(
    ("short", "full", "expected"),
    [
        ("The EU", "the European Union", True),
        ("UK voters", "voters in the United Kingdom", True),
        ("SNAP", "food stamp", True),
        ("The EU", "the Economic Council", False),
        ("Ohio", "Oregon", False),
    ],
)
def test_short_and_long_names_of_one_thing(short: str, full: str, expected: bool) -> None:
    assert is_abbreviation(short, full) == expected


def test_an_abbreviation_is_not_another_name() -> None:
    sentence = "The VA lost 26 million files in May."
    statement = "Veterans Affairs lost 26 million files in May."

    assert conflicts(sentence, statement) == frozenset()


def test_a_long_run_of_capitals_is_not_a_name() -> None:
    letters = "ABCDEFGHKL"
    heading = " ".join(f"{letter}own" for letter in letters * 200)

    assert spelled_like(f"The {letters[:6]} left.", heading) == f"The {heading[:29]} left."
    assert spelled_like(f"The {letters} left.", heading) == f"The {letters} left."


NAMED_TEXTS = [
    "The EPA let it happen.",
    "the epa let it happen",
    "The Environmental Protection Agency let it happen.",
    "The e p a let it happen.",
    "Taxes rose in May.",
    "the taxes rose",
    "Snap was cut for U.S. families.",
    "The Supplemental Nutrition Assistance Program was cut.",
]


@pytest.mark.parametrize("sentence", NAMED_TEXTS)
@pytest.mark.parametrize("statement", NAMED_TEXTS)
def test_only_texts_that_may_be_respelled_are(sentence, statement):
    """A check reads each text for names first, and respells only pairs in which both have one."""
    if spelled_like(sentence, statement) != sentence:
        assert may_be_respelled(sentence)
        assert may_be_respelled(statement)
    assert not may_be_respelled("Taxes rose in May.")
