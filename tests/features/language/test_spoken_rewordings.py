"""Spoken rewordings: comparisons turned round, "no," before a clause, and words that limit nothing."""

from __future__ import annotations

import pytest

from features.language.conflicts import conflicts

SAME = [
    ("We take care of illegal immigrants better than we take care of our vets.", "Our vets are treated worse than illegal immigrants."),
    ("The harbor pays foreign pilots more than it pays locals.", "Local folks in the harbor are paid less than foreign pilots."),
    ("Old ferries in Lorne are safer than the boats of the navy.", "Navy ships are more dangerous than old ferries in Lorne."),
    ("The mayor treats old pilots better than he treats nurses.", "Nurses in town are treated worse than old pilots."),
    ("We're the highest taxed nation in the world.", "We're the most highly taxed nation in the world."),
    ("It is the deepest dug harbor in the valley.", "It is the most deeply dug harbor in the valley."),
    ("Nothing, I repeat, none of the letters sent by me had a seal.", "Nothing, and I repeat, none of the letters sent by me had a seal."),
    ("No one, not one of the pilots hired by Lorne had a boat.", "No one, not one of the pilots hired by Lorne ever had a boat."),
    ("She told us that no, it was the ferry that hit the pier in Lorne.", "She told us that it was the ferry that hit the pier in Lorne."),
    ("No, the ferry hit the pier in Lorne.", "The ferry hit the pier in Lorne."),
    ("And I said no, we lost 40 pilots in Lorne.", "We lost 40 pilots in Lorne."),
    ("No, they closed nine ferries in the bay.", "They closed nine ferries in the bay."),
    ("It's ridiculous that pilots in Lorne pay 40 dollars.", "Pilots in Lorne pay 40 dollars."),
    ("It is ridiculous how pilots in Lorne pay 40 dollars.", "Pilots in Lorne pay 40 dollars."),
    ("More old sailors drown in winter than young pilots in this country.", "More old sailors drown in winter than young pilots."),
    ("The mayor wants to be neutral between Israel and Norway.", "The mayor wants to be neutral on Israel and Norway."),
]  # fmt: skip
OTHER = [
    ("We take care of illegal immigrants better than we take care of our vets.", "Illegal immigrants are treated worse than our veterans."),
    ("The harbor pays foreign pilots more than it pays locals.", "Foreign pilots are paid less than locals in the harbor."),
    ("The mayor treats old pilots better than he treats nurses.", "Old pilots are treated worse than nurses in town."),
    ("Lorne has more old ferries than the navy has boats.", "Lorne has fewer old ferries than the navy has boats."),
    ("None of the letters sent by me had a seal.", "The letters sent by me had a seal."),
    ("Not one of the pilots hired by Lorne had a boat.", "The pilots hired by Lorne had a boat."),
    ("None of the ferries sent by Lorne had a light.", "The ferries sent by Lorne had a light."),
    ("There is no ferry that hit the pier in Lorne.", "There is a ferry that hit the pier in Lorne."),
    ("No pilot in Lorne lost a ferry.", "A pilot in Lorne lost a ferry."),
    ("No, the ferry did not hit the pier in Lorne.", "The ferry hit the pier in Lorne."),
    ("The claim that pilots in Lorne pay 40 dollars is ridiculous.", "Pilots in Lorne pay 40 dollars."),
    ("It's a lie that pilots in Lorne pay 40 dollars.", "Pilots in Lorne pay 40 dollars."),
    ("It's nonsense that pilots in Lorne pay 40 dollars.", "Pilots in Lorne pay 40 dollars."),
    ("It is a myth that pilots in Lorne pay 40 dollars.", "Pilots in Lorne pay 40 dollars."),
    ("More old sailors drown in winter than young pilots in this county.", "More old sailors drown in winter than young pilots."),
    ("More old sailors drown in winter than young pilots in Lorne.", "More old sailors drown in winter than young pilots."),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "statement"), SAME)
def test_the_claim_in_spoken_words_has_no_conflict(sentence: str, statement: str) -> None:
    assert conflicts(sentence, statement) == frozenset()


@pytest.mark.parametrize(("sentence", "statement"), OTHER)
def test_its_near_sibling_has_a_conflict(sentence: str, statement: str) -> None:
    assert conflicts(sentence, statement) != frozenset()
