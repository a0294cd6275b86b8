"""Whether a fetched page is about its claim."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assistant.claims.belonging import LEAST, doubt, share

STATEMENT = "Georgia has lost 20,000 textile jobs since 2001."
OWN = "Did Georgia lose textile jobs? A count of the state has 20,000 fewer of them than in 2001.\nWe rate this True."
OTHER = "The senator has voted against the pipeline since 2001. The state has no say in it."


def test_a_page_about_the_claim_is_not_doubted() -> None:
    """It has the words that make the claim what it is."""
    assert doubt(STATEMENT, OWN) == "" and share(STATEMENT, OWN) > LEAST


def test_a_page_about_something_else_is_doubted_with_what_little_they_share() -> None:
    """The rarest shared words first, at most three."""
    told = doubt(STATEMENT, OTHER)
    assert told.startswith("This page does not seem to be about the claim: its words share only “2001”")
    assert told.count("“") <= 3 and told.endswith("Read it before you rely on it.")
    assert "it has none of its words" in doubt(STATEMENT, "Cookies?")


@given(st.text(max_size=60), st.text(max_size=60))
def test_a_share_is_one(statement: str, body: str) -> None:
    """Between none and all, all where the page holds the claim, and a page can only gain by what is added."""
    assert 0 <= share(statement, body) <= share(statement, f"{body} {statement}") <= 1
    assert doubt(statement, f"{body} {statement}") == ""
