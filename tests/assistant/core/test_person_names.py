"""Surnames: one rule for labels of a transcript, two on which learned ranker inputs depend, one for full names."""

from __future__ import annotations

import pytest

from assistant.core.person_names import claimant_surnames, label_parts, last_name, speaker_surname


@pytest.mark.parametrize(
    ("label", "names", "offices", "gender"),
    [
        ("MR. SM1TH", ("SMITH",), set(), "m"),
        ("Vice President Joe Biden", ("JOE", "BIDEN"), {"vice", "president"}, ""),
        ("Martin O’Malley Jr.", ("MARTIN", "OMALLEY"), set(), ""),
        ("THE PRESIDENT", (), {"president"}, ""),
        ("SPEAKER_02", (), set(), ""),
    ],
)
def test_parts_of_a_label(
    label: str, names: tuple[str, ...], offices: set[str], gender: str
) -> None:
    """Forms of address, offices and suffixes are no names; a numbered speaker has no parts."""
    name_parts = label_parts(label)
    assert names == name_parts.names
    assert offices == name_parts.offices
    assert gender == name_parts.gender
    assert (names or ("",))[-1] == name_parts.surname


@pytest.mark.parametrize(
    ("speaker", "expected"),
    [
        ("MR. ROMNEY", "romney"),
        ("Donald Trump", "trump"),
        ("O'MALLEY", "o'malley"),
        ("Speaker 1", ""),
        ("", ""),
    ],
)
def test_surname_of_a_speaker(speaker: str, expected: str) -> None:
    """Titles are left out; numbered speakers have no surname."""
    assert speaker_surname(speaker) == expected


def test_a_claimants_first_name_is_no_surname() -> None:
    """Every later word may be the surname; a claimant of one word is taken whole."""
    assert {"trump"} == claimant_surnames("Donald Trump") == claimant_surnames("Trump")
    assert claimant_surnames("Alexandria Ocasio-Cortez (D-NY)") == {"ocasio-cortez", "d-ny"}


def test_the_learned_rules_stay_apart_from_the_rule_for_labels() -> None:
    """Rankers were learned where an office that ``label_parts`` knows is still taken for a surname."""
    assert speaker_surname("THE CONGRESSMAN") == "congressman"
    assert label_parts("THE CONGRESSMAN").surname == ""
    assert speaker_surname("BUSH JR") == "jr"
    assert label_parts("BUSH JR").surname == "BUSH"


def test_last_name_is_written_as_in_the_full_name() -> None:
    """Middle initials do not matter, and nobody has no last name."""
    assert last_name("George H.W. Bush") == "Bush"
    assert last_name("") == ""
