"""The table of the ranker's inputs."""

from __future__ import annotations

import pytest

from features.similarity import input_catalogue
from features.similarity.catalogue import COLUMN, FAMILIES, MEASURES
from features.similarity.input_catalogue import AGAINST, EITHER_WAY, FOR, GROUPS, INPUTS, NAMES


def test_every_row_of_the_table_is_complete():
    """Names are unique, groups, signs and measures are known, and every input has words that are not its name."""
    assert len(set(NAMES)) == len(INPUTS) == 45
    assert {i.group for i in INPUTS} == set(GROUPS)
    assert set(FAMILIES) <= set(GROUPS)
    assert {i.sign for i in INPUTS} == {FOR, AGAINST, EITHER_WAY}
    assert {i.measure for i in INPUTS if i.measure} <= set(COLUMN)
    assert [i.name for i in INPUTS if not i.meaning or "_" in i.meaning] == []


def test_every_measure_belongs_to_a_listed_family():
    assert set(FAMILIES) == {measure.family for measure in MEASURES}


@pytest.mark.parametrize(
    ("name", "lifts", "lowers"),
    [
        ("sbert_statement", "close in meaning", "not close in meaning"),
        ("bm25_body_2", "words in common", "few words in common"),
        ("title_shared", "words in common", "few words in common"),
        ("days_apart", "", "said long before or after the event"),
        ("numbers_shared", "", ""),
        ("date_gap", "", ""),
        ("base", "", ""),
    ],
)
def test_words_come_from_the_input_or_its_group(name, lifts, lowers):
    """An input's own words go first.

    Without any, and without those of a group, nothing is said.
    """
    assert input_catalogue.speaks_for(name) == lifts
    assert input_catalogue.speaks_against(name) == lowers
