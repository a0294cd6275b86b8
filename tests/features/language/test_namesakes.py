"""Other bearers of one name, told apart by given name, title, suffix, middle letter, or the word before a place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.language.namesakes import mention_namesakes

CASES = [
    ("Michelle Obama grew up in Kenya.", "Says Barack Obama grew up in Kenya.", True),
    ("Michelle Obama said so.", "President Obama said so.", True),
    ("Obama said so.", "President Barack Obama said so.", False),
    ("Bill Clinton lost.", "Hillary Clinton lost.", True),
    ("William Clinton lost.", "Bill Clinton lost.", False),
    ("Bill Clinton and Hillary Clinton lost.", "Hillary Clinton lost.", False),
    ("Clinton lost.", "Hillary Clinton lost.", False),
    ("Donald Trump Junior went.", "Donald Trump went.", True),
    ("George H.W. Bush won.", "George W. Bush won.", True),
    ("George Herbert Walker Bush won.", "George W. Bush won.", True),
    ("George Bush won.", "George W. Bush won.", False),
    ("Hillary Rodham Clinton lost.", "Hillary Clinton lost.", False),
    ("When Obama left", "Says Obama left", False),
    ("West Virginia saved money.", "Virginia saved money.", True),
    ("South Korea tests.", "North Korea tests.", True),
    ("Korea tests.", "North Korea tests.", False),
    ("New Mexico has laws.", "Mexico has laws.", True),
    ("Kansas City fell.", "It fell.", False),
]


@pytest.mark.parametrize(("one", "two", "expected"), CASES)
def test_another_bearer(one: str, two: str, expected: bool) -> None:
    """Known short forms are one name.

    A name alone may be anybody's, but for the few that everybody knows.
    """
    assert (mention_namesakes(one, two) is not None) == expected


@given(
    st.sampled_from([text for case in CASES for text in case[:2]]),
    st.sampled_from([case[0] for case in CASES]),
)
def test_it_does_not_matter_which_text_is_first(one: str, two: str) -> None:
    """And no text names another bearer than itself."""
    is_namesake = mention_namesakes(one, two) is not None
    assert is_namesake == (mention_namesakes(two, one) is not None)
    assert not mention_namesakes(one, one)
