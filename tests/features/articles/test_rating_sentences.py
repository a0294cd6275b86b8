"""Rating sentences: which ones state or name the rating, where the closing summary begins, and what remains."""

from __future__ import annotations

import pytest

from features.articles.rating_sentences import body_end, is_bare_rating, readable, reveals_rating

RATINGS = [
    "We rate this claim False.",
    "Pants on Fire!",
    "So, we rate the statement Mostly True.",
    "That's false.",
    "The statement is accurate but needs clarification or additional information.",
    "His claim contains an element of truth but ignores critical facts.",
]
REASONS = [
    "We rate this False because no such law exists.",
    "That is not true.",
    "The budget rose by 4 percent.",
    "Is that true?",
    "But the studies she named say the opposite of what is true.",
]
TEXTS = (
    "The mayor said that taxes fell.",
    "Background",
    "The records show that they rose.",
    "PolitiFact rated an earlier claim of his Half True.",
    "Our ruling",
    "The records show a rise, not a fall.",
    "We rate this claim False.",
)
BODY = ["A senator said it.", "The record shows otherwise.", "No law says so."]


@pytest.mark.parametrize("text", RATINGS)
def test_a_bare_rating_is_one(text):
    """The rating, or what it means, and nothing else."""
    assert is_bare_rating(text)


@pytest.mark.parametrize("text", REASONS)
def test_a_reason_is_no_bare_rating(text):
    """A sentence with a reason, a question, or no rating."""
    assert not is_bare_rating(text)


@pytest.mark.parametrize(
    "summary",
    [
        [],
        ["Our ruling", "She said it.", "We rate it False."],
        ["We rate it False."],
        ["Our rating: False."],
    ],
)
def test_the_body_ends_where_the_summary_begins(summary):
    """With a heading, with a bare rating at the end, or with neither."""
    assert body_end([*BODY, *summary]) == 3


@pytest.mark.parametrize(
    ("text", "reveals"),
    [
        ("We rate this claim False.", True),
        ("It has earned a rating of Mostly True before.", True),
        ("The claim went on the Truth-O-Meter in May.", True),
        ("So we rule the statement to be false and ridiculous.", True),
        ("Pants on Fire!", True),
        ("The records show that it is not true.", False),
        ("The interest rate fell to two percent.", False),
        ("Experts told us that this is misleading.", False),
    ],
)
def test_a_sentence_that_names_a_rating_is_known(text: str, reveals: bool) -> None:
    """Ratings by name, this one's or another's; words of judgement in the body are evidence."""
    assert reveals is reveals_rating(text)


def test_what_names_the_rating_is_not_read() -> None:
    """Neither the closing summary nor a rating in the body; headings never."""
    assert readable(TEXTS) == [0, 2]
