"""Comparisons whose two things changed places, and multiples of one base."""

from __future__ import annotations

import pytest

from features.language.conflicts import clashes, conflicts

EXCHANGED_THINGS = [
    ("Iowa has more pigs than people.", "Iowa has more people than pigs."),
    ("There are fewer doctors than lawyers in Moss.", "There are fewer lawyers than doctors in Moss."),
    ("Lorne sold more bicycles than cars last year.", "Lorne sold more cars than bicycles last year."),
    ("The harbor handles less coal than grain.", "The harbor handles less grain than coal."),
    ("Salt costs five times as much in Moss as in Lorne.", "Salt costs five times as much in Lorne as in Moss."),
    ("Rents are three times as high in Oslo as in Bergen.", "Rents are three times as high in Bergen as in Oslo."),
    ("Twice as many die on farms as in mines.", "Twice as many die in mines as on farms."),
    ("Branches of Rolvo in the county now outnumber libraries.", "Libraries in the county now outnumber branches of Rolvo."),
    ("Imports of steel exceed exports of grain.", "Exports of grain exceed imports of steel."),
    ("Sailors in Lorne are outnumbered by pilots.", "Pilots in Lorne are outnumbered by sailors."),
]  # fmt: skip
SAME_THINGS = [
    ("In Iowa there are more pigs than there are people.", "Iowa has more pigs than people."),
    ("Iowa has fewer people than pigs.", "Iowa has more pigs than people."),
    ("Pigs outnumber people in Iowa.", "Iowa has more pigs than people."),
    ("Salt in Moss costs five times as much as in Lorne.", "Salt costs five times as much in Moss as in Lorne."),
    ("Rents are three times as high in Oslo as they are in Bergen.", "Rents are three times as high in Oslo as in Bergen."),
    ("In Lorne, sailors are outnumbered by pilots.", "Pilots outnumber sailors in Lorne."),
    ("Branches of Rolvo now outnumber libraries all over the county.", "Branches of Rolvo in the county now outnumber libraries."),
    ("More people moved into Moss than left it.", "More people moved to Moss than left it."),
]  # fmt: skip
OTHER_MULTIPLE = [
    ("A ferry waits nine minutes, half the national average.", "A ferry waits nine minutes, twice the national average."),
    ("Our crime rate is a third of the national average.", "Our crime rate is three times the national average."),
    ("Salt costs ten percent more in Moss than in Lorne.", "Salt costs ten times as much in Moss as in Lorne."),
    ("Nurses earn half of what pilots earn.", "Nurses earn twice what pilots earn."),
]  # fmt: skip
SAME_MULTIPLE = [
    ("Our rents are 50 percent of the national average.", "Our rents are half the national average."),
    ("Sales tripled, to three times the level of 2010.", "Sales are three times the level of 2010."),
    ("Trains cost half the fare of ferries.", "Ferries cost twice the fare of trains."),
    ("Half of the sailors work twice as long.", "Sailors work twice as long."),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "statement"), EXCHANGED_THINGS)
def test_exchanged_things_clash(sentence, statement):
    assert "roles" in clashes(sentence, statement)
    assert "roles" in clashes(statement, sentence)


@pytest.mark.parametrize(("sentence", "statement"), OTHER_MULTIPLE)
def test_another_multiple_of_the_same_base_clashes(sentence, statement):
    assert "units" in clashes(sentence, statement)
    assert "units" in clashes(statement, sentence)


@pytest.mark.parametrize(("sentence", "statement"), SAME_THINGS + SAME_MULTIPLE)
def test_the_same_comparison_in_other_words_has_no_conflict(sentence, statement):
    assert not conflicts(sentence, statement)
    assert not conflicts(statement, sentence)
