"""Measures and groups by which two texts differ."""

from __future__ import annotations

import pytest

from features.language.open_parts.measures import measures_differ
from features.language.open_parts.partial_coverage import uncovered_parts
from features.language.word_clashes import Clash


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        (
            "The income of dockers has reached a record.",
            "Poverty rates of dockers have reached a record low.",
            Clash("income", "Poverty rates"),
        ),
        (
            "Murder on the island has doubled.",
            "Crime on the island has doubled since the bridge opened.",
            Clash("Murder", "Crime"),
        ),
        (
            "More Hispanics are steering ferries than ever.",
            "More Hispanic men are steering ferries than ever.",
            Clash("Hispanics", "Hispanic men"),
        ),
        (
            "More black women are steering ferries now.",
            "More black people are steering ferries now.",
            Clash("black women", "black people"),
        ),
    ],
)
def test_another_measure_or_group_is_named_with_the_other(
    sentence: str, statement: str, expected: Clash
) -> None:
    assert ("strength", expected) in uncovered_parts(sentence, statement)


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        # two words for one measure
        ("The wages of dockers fell.", "The incomes of dockers fell."),
        ("Joblessness of dockers is at its lowest.", "Unemployment of dockers is at its lowest."),
        # both measures in one text
        (
            "Crime and murder on the island have doubled.",
            "Crime on the island has doubled.",
        ),
        # no degree
        ("We talked about the debt of the port.", "We talked about the deficit of the port."),
        # a part of the group, in other words
        (
            "More Hispanics between 17 and 20 are steering ferries.",
            "More Hispanic youths are steering ferries.",
        ),
        ("Black unemployment in the port fell.", "Unemployment of black men in the port fell."),
    ],
)
def test_one_measure_or_group_in_other_words_is_not_named(sentence: str, statement: str) -> None:
    assert "strength" not in {
        kind
        for kind, clash in uncovered_parts(sentence, statement)
        if clash.in_statement and " and " not in clash.in_sentence
    }


def test_a_group_that_the_statement_lacks_is_unchecked() -> None:
    """A statement on no group at all may be on each of them."""
    sentence = "Hispanic American and Asian American unemployment is at its lowest in the port."
    on_hispanics = "Hispanic unemployment is at its lowest in the port."
    on_all = "Unemployment is at its lowest in the port."

    part = ("unchecked", Clash("Asian American", ""))
    assert part in uncovered_parts(sentence, on_hispanics)
    assert part not in uncovered_parts(sentence, on_all)


def test_figures_of_two_measures_are_no_values_of_one_thing() -> None:
    poverty = "The docker poverty rates are at 35 percent."
    unemployment = "The docker unemployment rates are at 36 percent."

    assert measures_differ(poverty, len(poverty) - 11, unemployment, len(unemployment) - 11)
    assert not measures_differ(poverty, len(poverty) - 11, poverty, len(poverty) - 11)
    parts = uncovered_parts(poverty, unemployment)
    assert "figures" not in [kind for kind, _ in parts]


def test_a_share_of_another_group_is_named_with_the_other() -> None:
    sentence = "90 percent of Republicans want checks of ferry pilots."
    on_all = "90 percent of Americans support checks of ferry pilots."
    expected = Clash("90 percent of Republicans", "90 percent of Americans")

    assert ("strength", expected) in uncovered_parts(sentence, on_all)
    for statement in (
        "90% of Republicans support checks of ferry pilots.",
        "Of all Republicans and Democrats, 90 percent of people support checks of ferry pilots.",
        "Checks of ferry pilots have 90 percent of the vote.",
    ):
        assert "strength" not in [kind for kind, _ in uncovered_parts(sentence, statement)]


def test_a_count_of_another_group_is_named_with_the_other() -> None:
    """The same people may be called workers, but women are not all people."""
    sentence = "Every day 20 people fall from the ferry."
    on_veterans = "A shocking 20 veterans fall from the ferry each day."
    on_workers = "A shocking 20 workers fall from the ferry each day."
    expected = ("strength", Clash("20 people", "20 veterans"))

    assert expected in uncovered_parts(sentence, on_veterans)
    assert "strength" not in [kind for kind, _ in uncovered_parts(sentence, on_workers)]
    both = "Every day 20 people, most of them veterans, fall from the ferry."
    assert expected not in uncovered_parts(both, on_veterans)
