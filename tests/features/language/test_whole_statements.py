"""Sentences that say all of a statement, and sentences that say a part or another version of it."""

import pytest

from features.language.whole_statements import says_whole_statement

COMPLETE = [
    ("The ferry lost 40,000 passengers last year.", "The ferry lost 40,000 passengers last year."),
    (
        "And let me tell you, the ferry lost 40,000 passengers last year, and I'm proud that we saved it.",
        "The ferry lost 40,000 passengers last year.",
    ),
    (
        "She voted against the toll bill five times.",
        "Says Ann Roe voted against the toll bill five times.",
    ),
    (
        "Because of the mayor, the harbour has the highest tolls of any port, and nobody says so.",
        "The harbour has the highest tolls of any port.",
    ),
    (
        "We need to act, because we have 33,000 people a year who drown in the harbour.",
        "We have 33,000 people a year who drown in the harbour.",
    ),
]
INCOMPLETE = [
    (
        "Youth unemployment in the harbour is 51 percent.",
        "Youth unemployment in the harbour is 51 percent. Youth unemployment in the valley is 36 percent.",
    ),
    (
        "Tom Hale spent $44 million.",
        "I spent $3 million in the harbour. Tom Hale spent $44 million.",
    ),
    (
        "We led the effort and wiped out that bailout fund.",
        "When they passed the harbour law, they put a bailout fund in it. We led the effort and wiped out that bailout fund.",
    ),
    (
        "Our navy is smaller than at any time since 1917.",
        "Our navy is smaller than at any time since 1917, and our air force is older than in 1947.",
    ),
    (
        "The city has the highest rate of child poverty of almost any city.",
        "The city has the highest rate of child poverty of any city.",
    ),
    ("For 30 years I have had no scandal.", "For almost 30 years I have had no scandal."),
]


@pytest.mark.parametrize(("sentence", "statement"), COMPLETE)
def test_more_than_the_statement_is_the_whole_statement(sentence, statement):
    assert says_whole_statement(sentence, statement)


@pytest.mark.parametrize(("sentence", "statement"), INCOMPLETE)
def test_a_part_or_another_version_is_not_the_whole_statement(sentence, statement):
    assert not says_whole_statement(sentence, statement)
