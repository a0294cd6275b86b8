"""Terms that may have been said.

Words of near statements that a recogniser may have misheard, never figures.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.claims.claim_index import ClaimIndex
from assistant.claims.likely_terms import LikelyTerms
from assistant.transcription.recogniser import MAX_HINT_CHARACTERS
from tests.assistant.ui import factory

STATEMENTS = (
    "In 2020 a coal plant made every second kilowatt-hour of electricity in America.",
    "The nuclear plant at Three Mile Island in Pennsylvania melted down in 1979.",
    "Wages in Kestrel Bay rose by 4.1 percent.",
)


@pytest.fixture(scope="module")
def terms(encoders) -> LikelyTerms:
    claims = [replace(factory.vclaim(i), statement=text) for i, text in enumerate(STATEMENTS)]
    return LikelyTerms(ClaimIndex.in_memory(claims, encoders))


def test_what_near_statements_say_is_expected(terms):
    """What was heard already is not; nor are short words, function words and figures."""
    sentence_terms = terms(
        "As recently as 2020 every second kilowatt hour came out of a cold plant."
    )

    assert {"coal", "electricity", "America"} <= set(sentence_terms)
    assert not {"plant", "every", "second", "2020", "4.1", "of"} & set(sentence_terms)
    assert not [word for word in sentence_terms if any(sign.isdigit() for sign in word)]


def test_a_word_of_several_near_statements_comes_first(encoders):
    claims = (
        "The ferry to Quillan is late.",
        "The ferry to Quillan costs more.",
        "The ferry of Northam sank.",
    )
    index = ClaimIndex.in_memory(
        [replace(factory.vclaim(i), statement=text) for i, text in enumerate(claims)], encoders
    )

    assert LikelyTerms(index)("They took the ferry to killing.")[0] == "Quillan"


@pytest.mark.parametrize("heard", ["", "Yes.", "Thank you. Well, no.", "Zyx wvu tsr qpo."])
def test_without_a_sentence_that_shares_a_word_nothing_is_expected(terms, heard):
    assert terms(heard) == ()


def test_no_more_than_a_recogniser_takes(encoders):
    long = [f"The committee {' '.join(f'{a}{b}xx{a}' for b in 'abcdefgh')}." for a in "bcdfghklmn"]
    index = ClaimIndex.in_memory(
        [replace(factory.vclaim(i), statement=text) for i, text in enumerate(long)], encoders
    )
    likely_terms = LikelyTerms(index, nearest=10)("It was the committee that met.")

    assert likely_terms
    assert len(", ".join(likely_terms)) <= MAX_HINT_CHARACTERS
