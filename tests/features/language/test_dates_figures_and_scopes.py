"""Dates, figures and scopes: pairs that say the same, and their siblings that do not."""

from __future__ import annotations

import pytest

from features.language.conflicts import clashes, conflicts
from features.language.word_clashes import Clash

SAME_DATES = [
]  # fmt: skip
OTHER_DATES = [
]  # fmt: skip
SAME_FIGURES = [
    ("Half of the ferries are late.", "50 percent of the ferries are late."),
    ("One in two ferries is late.", "Half of the ferries are late."),
    ("Two out of three ferries in Lorne are late.", "Two-thirds of the ferries in Lorne are late."),
    ("Nearly 70 percent of the ferries in Lorne are late.", "69 percent of the ferries in Lorne are late."),
    ("More than 1,500 ferries in Lorne are late.", "1,523 ferries in Lorne are late."),
    ("Lorne has a dozen ferries.", "Lorne has 12 ferries."),
    ("Lorne's ferries cost one and a half million dollars.", "Lorne's ferries cost $1.5 million."),
    ("The toll in Lorne has doubled.", "The toll in Lorne is twice as high as it was."),
    ("The toll in Lorne rose by 100 percent.", "The toll in Lorne doubled."),
    ("The toll in Lorne tripled.", "The toll in Lorne rose threefold."),
    ("Of the nine ferries in Lorne, two sank.", "Two of nine ferries in Lorne sank."),
    ("The pair of ferries in Lorne sank.", "The two ferries in Lorne sank."),
    ("A single ferry in Lorne sank.", "One ferry in Lorne sank."),
    ("The ferry in Lorne costs 12 dollars a day, or 4,380 a year.", "The ferry in Lorne costs 12 dollars a day."),
    ("Nine percent, that's how much the toll rose in Lorne.", "The toll rose in Lorne by 9 percent."),
    ("The toll fell to zero in Lorne.", "There is no toll in Lorne."),
    ("A couple of ferries in Lorne sank.", "Two ferries in Lorne sank."),
    ("Lorne has 2 million sailors.", "Lorne has two million sailors."),
    ("The mill cut a fifth of its jobs in Lorne.", "The mill cut 20 percent of its jobs in Lorne."),
    ("Ferries in Lorne last ten times longer than buses.", "Ferries in Lorne last ten times as long as buses."),
]  # fmt: skip
OTHER_FIGURES = [
    ("Six banks hold 60 percent of the debt.", "Nine banks hold 60 percent of the debt."),
    ("The town has 17 inmates and 17 guards.", "The town has 17 inmates and 40 guards."),
    ("Seventeen guards killed themselves in the Lorne jail.", "Seventeen inmates killed themselves in the Lorne jail."),
    ("The ferry costs a billion dollars more than a year ago.", "The ferry costs $1 million more than a year ago."),
    ("He won the 9th District in Lorne.", "He won the 7th District in Lorne."),
    ("The fund pays 40 percent of the toll.", "The fund pays 40 dollars of the toll."),
    ("Lorne has 40 ferries for every pilot.", "Lorne has 40 pilots for every ferry."),
    ("Half the ferries are late.", "A third of the ferries are late."),
    ("The toll rose threefold in Lorne.", "The toll rose fourfold in Lorne."),
    ("The toll tripled in Lorne.", "The toll doubled in Lorne."),
    ("Two of the nine ferries in Lorne sank.", "Three of the nine ferries in Lorne sank."),
    ("The toll rose 5 percent a year in Lorne.", "The toll rose 5 percent a month in Lorne."),
    ("Tolls in Lorne rose 5 percent for sailors over eighty.", "Tolls in Lorne rose 5 percent for sailors."),
    ("The toll went from 5 to 9 dollars.", "The toll went from 4 to 9 dollars."),
    ("Lorne lost hundreds of pilots last fall.", "Lorne lost thousands of pilots last fall."),
    ("Lorne lost dozens of pilots last fall.", "Lorne lost hundreds of pilots last fall."),
    ("The ferry is 1.5 times as long as a bus.", "The ferry is 15 times as long as a bus."),
    ("Lorne is 9 feet below the sea.", "Lorne is 90 feet below the sea."),
    ("The town owes 3.2 billion dollars for ferries.", "The town owes 3.2 million dollars for ferries."),
    ("The first nine ferries of Lorne are late.", "The last nine ferries of Lorne are late."),
]  # fmt: skip
SAME_SCOPES = [
    ("All of the ferries in Lorne are late.", "All the ferries in Lorne are late."),
    ("Every ferry in Lorne is late.", "All ferries in Lorne are late."),
    ("Each ferry in Lorne is late.", "Every ferry in Lorne is late."),
    ("The whole fleet in Lorne is late.", "The entire fleet in Lorne is late."),
    ("Ferries in Lorne are late all the time.", "Ferries in Lorne are always late."),
    ("Nobody in all of Lorne can swim.", "Nobody in Lorne can swim."),
    ("Not one pilot in the whole town can swim.", "No pilot in the town can swim."),
    ("It is the first ferry in all of the history of Lorne.", "It is the first ferry in the history of Lorne."),
    ("Lorne has more ferries than all of Norway.", "Lorne has more ferries than Norway."),
    ("All told, Lorne lost 300 pilots.", "Lorne lost 300 pilots."),
    ("All over Lorne, rents are rising.", "Rents are rising across Lorne."),
    ("All across Lorne rents are rising.", "Rents are rising across Lorne."),
    ("All in all, Lorne lost 300 pilots.", "Lorne lost 300 pilots."),
    ("All year long the ferries in Lorne are late.", "The ferries in Lorne are late throughout the year."),
    ("For all his talk, the mayor closed nine ferries.", "The mayor closed nine ferries."),
    ("He spent all of 9 dollars on the ferry in Lorne.", "He spent 9 dollars on the ferry in Lorne."),
    ("We lost all 40 ferries in Lorne.", "We lost 40 ferries in Lorne."),
    ("All three ferries in Lorne are late.", "The three ferries in Lorne are late."),
    ("The mayor closed nine ferries all by himself.", "The mayor closed nine ferries himself."),
    ("Every one of the nine ferries in Lorne is late.", "The nine ferries in Lorne are late."),
    ("All of a sudden, Lorne lost 300 pilots.", "Suddenly, Lorne lost 300 pilots."),
    ("Lorne lost 300 pilots, and all because of the toll.", "Lorne lost 300 pilots because of the toll."),
    ("Almost all ferries in Lorne are late.", "Nearly every ferry in Lorne is late."),
    ("Just about every ferry in Lorne is late.", "Almost every ferry in Lorne is late."),
]  # fmt: skip
OTHER_SCOPES = [
    ("All ferries in Lorne are late.", "Most ferries in Lorne are late."),
    ("All ferries in Lorne are late.", "Ferries in Lorne are late."),
    ("Every pilot in Lorne can swim.", "A pilot in Lorne can swim."),
    ("Every second pilot in Lorne can swim.", "Every pilot in Lorne can swim."),
    ("Every fifth pilot in Lorne can swim.", "Every second pilot in Lorne can swim."),
    ("Only pilots in Lorne can swim.", "Pilots in Lorne can swim."),
    ("Everybody in Lorne knows how to swim.", "Some people in Lorne know how to swim."),
    ("The ferries are always late in Lorne.", "The ferries are often late in Lorne."),
    ("The ferries are always late in Lorne.", "The ferries are sometimes late in Lorne."),
    ("Few pilots in Lorne can swim.", "Most pilots in Lorne can swim."),
    ("Many pilots in Lorne can swim.", "All pilots in Lorne can swim."),
    ("Most pilots in Lorne can swim.", "Some pilots in Lorne can swim."),
    ("None of the pilots in Lorne can swim.", "Few of the pilots in Lorne can swim."),
    ("Each town in the bay owns a ferry.", "One town in the bay owns a ferry."),
    ("Lorne alone has a ferry in the bay.", "Lorne has a ferry in the bay."),
    ("All but two ferries in Lorne sank.", "All ferries in Lorne sank."),
    ("Half of all pilots in Lorne can swim.", "All pilots in Lorne can swim."),
    ("The ferries never run late in Lorne.", "The ferries rarely run late in Lorne."),
]  # fmt: skip
SAME = [*SAME_DATES, *SAME_FIGURES, *SAME_SCOPES]
OTHER = [*OTHER_DATES, *OTHER_FIGURES, *OTHER_SCOPES]


@pytest.mark.parametrize(("sentence", "statement"), SAME)
def test_the_same_claim_has_no_conflict(sentence: str, statement: str) -> None:
    assert conflicts(sentence, statement) == frozenset()
    assert conflicts(statement, sentence) == frozenset()


@pytest.mark.parametrize(("sentence", "statement"), OTHER)
def test_another_claim_has_a_conflict(sentence: str, statement: str) -> None:
    assert conflicts(sentence, statement) != frozenset()


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        ("Most pilots in Lorne can swim.", "Some pilots in Lorne can swim."),
        ("Half of all pilots in Lorne can swim.", "All pilots in Lorne can swim."),
        ("All but two ferries in Lorne sank.", "All ferries in Lorne sank."),
        ("Every second pilot in Lorne can swim.", "Every pilot in Lorne can swim."),
        ("Only pilots in Lorne can swim.", "Pilots in Lorne can swim."),
        ("Lorne alone has a ferry in the bay.", "Lorne has a ferry in the bay."),
    ],
)
def test_another_quantifier_is_another_scope(sentence: str, statement: str) -> None:
    assert "scope" in conflicts(sentence, statement)
    assert "scope" in conflicts(statement, sentence)


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        ("More than half of all pilots in Lorne can swim.", "Most pilots in Lorne can swim."),
        ("Only pilots in Lorne can swim.", "Nobody but pilots in Lorne can swim."),
        (
            "Some pilots, though not all pilots, in Lorne can swim.",
            "Not all pilots in Lorne can swim.",
        ),
        (
            "Lorne is the most dangerous town in the bay.",
            "Lorne is the most violent town in the bay.",
        ),
        ("Only 12 pilots in Lorne can swim.", "12 pilots in Lorne can swim."),
    ],
)
def test_a_quantifier_that_allows_the_other_is_the_same_scope(
    sentence: str, statement: str
) -> None:
    assert "scope" not in conflicts(sentence, statement)
    assert "scope" not in conflicts(statement, sentence)


def test_the_quantifiers_and_days_are_quoted() -> None:
    most = clashes("Most of the pilots can swim in Lorne.", "Some pilots can swim in Lorne.")
    days = clashes("Lorne lost 300 pilots on May 4.", "Lorne lost 300 pilots on May 24.")

    assert most["scope"] == Clash("Most of the pilots", "Some pilots")
    assert days["years"] == Clash("May 4", "May 24")
