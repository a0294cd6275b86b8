"""Sentences that say all of a statement, and sentences that say a part or another version of it."""

import pytest

from features.language.open_parts.whole_statements import says_whole_statement

COMPLETE = [
    (
        "Very little of that budget, less than 10 percent, goes into fighting pirates.",
        "Very little of (the port) budget — less than 10 percent — actually goes into fighting pirates.",
    ),
    (
        "Veterans' unemployment is lower than in the city, and it was higher when I came in.",
        "Veterans' unemployment is lower than in the city. It was higher when I came in.",
    ),
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
        "First of all, the toll is not something that I proposed.",
        "The toll is not something that I've proposed. It is something that Parliament has proposed.",
    ),
    (
        "We pay twice as much for a ferry as the people of any other port.",
        "We pay almost twice as much for a ferry as the people of any other port.",
    ),
    (
        "Nearly half of the pilots left.",
        "Half of the pilots left.",
    ),
    (
        "They will also have to pay 16 percent on the money they pay their sailors.",
        "Shops will now pay 16 percent on the money they make. They will also have to pay 16 percent "
        "on the money they pay their sailors.",
    ),
    (
        "Right now, we are at 90 percent health insurance coverage.",
        "Right now we are at 90 percent health insurance covered. That's the highest ever.",
    ),
    (
        "Roe, who's a friend of hers, took a massive deduction.",
        "Many of her friends took bigger deductions. Max Reyes took a massive deduction. Roe, who is "
        "a friend of hers, took a massive deduction.",
    ),
    (
        "We've lost 60,000 factories since the harbour closed.",
        "Since the harbour closed, we've lost many more than 60,000 factories.",
    ),
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
