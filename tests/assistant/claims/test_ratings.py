"""Ratings are classified by the table and by nothing else."""

from __future__ import annotations

import tomllib

import pytest

from assistant.claims import ratings
from assistant.core.domain import RatingClass

TRUE = RatingClass.TRUE
FALSE = RatingClass.FALSE
MIXTURE = RatingClass.MIXTURE
OTHER = RatingClass.OTHER
NOT_TRUTH = RatingClass.NOT_A_TRUTH_RATING


@pytest.mark.parametrize(
    ("publisher", "rating", "expected"),
    [
        ("PolitiFact", "True", TRUE),
        ("PolitiFact", "Mostly True", TRUE),
        ("PolitiFact", "Half True", MIXTURE),
        ("PolitiFact", "half-true", MIXTURE),
        ("PolitiFact", "Mostly False", FALSE),
        ("PolitiFact", "Barely True", FALSE),
        ("PolitiFact", "barely-true", FALSE),
        ("PolitiFact", "False", FALSE),
        ("PolitiFact", "Pants on Fire!", FALSE),
        ("PolitiFact", "Full Flop", NOT_TRUTH),
        ("PolitiFact", "Half Flip", NOT_TRUTH),
        ("PolitiFact", "No Flip", NOT_TRUTH),
        ("PolitiFact", "Promise Kept", NOT_TRUTH),
        ("PolitiFact", "Promise Broken", NOT_TRUTH),
        ("PolitiFact", "Compromise", NOT_TRUTH),
        ("PolitiFact", "Stalled", NOT_TRUTH),
        ("PolitiFact", "In the Works", NOT_TRUTH),
        ("Washington Post", "Geppetto Checkmark", TRUE),
        ("The Washington Post", "One Pinocchio", TRUE),
        ("Washington Post Fact Checker", "Two Pinocchios", MIXTURE),
        ("Washington Post", "Three Pinocchios", FALSE),
        ("Washington Post", "Four Pinocchios", FALSE),
        ("Washington Post", "Bottomless Pinocchio", FALSE),
        ("Washington Post", "Verdict pending", OTHER),
        ("Washington Post", "Upside-down Pinocchio", NOT_TRUTH),
        ("Snopes", "Mixture", MIXTURE),
        ("Snopes.com", "Correct Attribution", TRUE),
        ("Snopes", "Misattributed", FALSE),
        ("Snopes", "Miscaptioned", MIXTURE),
        ("Snopes", "Unproven", OTHER),
        ("Snopes", "Outdated", OTHER),
        ("Snopes", "Legend", NOT_TRUTH),
        ("Snopes", "Labeled Satire", NOT_TRUTH),
        ("Snopes", "Originated as Satire", NOT_TRUTH),
        ("Snopes", "Scam", NOT_TRUTH),
        ("FactCheck.org", "Not the Whole Story", MIXTURE),
        ("FactCheck.org", "Spins the Facts", MIXTURE),
        ("FactCheck.org", "No Evidence", OTHER),
        ("AFP Fact Check", "Altered", FALSE),
        ("Reuters", "Misleading.", MIXTURE),
        ("AP News", "Missing context", MIXTURE),
        ("USA Today", "Partly false", MIXTURE),
        ("VERA Files", "No basis", OTHER),
        ("Africa Check", "incorrect", FALSE),
        ("Full Fact", "False", OTHER),
        ("Full Fact", "Correct, though the figures are for England only.", OTHER),
        ("Anybody", "  FALSE!!! ", FALSE),
        ("Anybody", "“False”", FALSE),
        ("Anybody", "Verdict: false", FALSE),
        ("Anybody", "❌ Fake", FALSE),
        ("Anybody", "False. The photo was taken in 2013 in another country.", FALSE),
        ("", "Falso", FALSE),
    ],
)
def test_known_labels(publisher, rating, expected):
    """Each label has the class that its publisher's scale gives it."""
    assert ratings.known_class(rating, publisher) == expected
    assert ratings.classify(rating, publisher) == expected


@pytest.mark.parametrize(
    "rating",
    ["", "1", "4.5", "Wobbly", "false-ish", "not false", "True. But the year is wrong", "False, but close", "Trueish",
     "False: partly so", "Two Pinocchios", "The claim that it is false is itself in doubt"],
)  # fmt: skip
def test_unknown_labels_are_other(rating):
    """A label that is not in the table is OTHER, whatever words or numbers it contains."""
    assert ratings.known_class(rating, "Nobody") is None
    assert ratings.classify(rating, "Nobody") == OTHER


def test_no_label_is_in_two_classes():
    """After folding, no label is listed twice."""
    raw = tomllib.loads(ratings.TABLE_PATH.read_text("utf-8"))
    for classes in (raw["any"], *raw["publisher"].values()):
        folded = [ratings.folded_label(label) for labels in classes.values() for label in labels]
        assert len(folded) == len(set(folded))


def test_the_table_is_versioned():
    """The table states its version, so that a change can be noticed."""
    assert tomllib.loads(ratings.TABLE_PATH.read_text("utf-8"))["version"] >= 1


def test_codes_become_words():
    """A code of PolitiFact's rating is shown in PolitiFact's words; other text is unchanged."""
    assert ratings.rating_words("pants-fire", "PolitiFact") == "Pants on Fire"
    assert ratings.rating_words("pants-fire", "Elsewhere") == "pants-fire"
    assert ratings.rating_words("Mostly so", "PolitiFact") == "Mostly so"


@pytest.mark.parametrize(
    ("url", "claim_id", "expected"),
    [
        ("https://www.politifact.com/x", "", "PolitiFact"),
        ("http://blog.snopes.com/x", "", "Snopes"),
        ("", "vclaim-sno-1-fries", "Snopes"),
        ("https://factcheck.afp.com/x", "", "AFP Fact Check"),
        ("https://notpolitifact.com/x", "", "notpolitifact.com"),
        ("not an address", "", ""),
        ("http://[broken", "", ""),
    ],
)
def test_publisher_of(url, claim_id, expected):
    """The address or the id gives the publisher; an unknown site is named by its host."""
    assert ratings.publisher_of(url, claim_id) == expected
