"""A claim said the other way round is told from its reverse, which differs by a word or a side."""

from __future__ import annotations

import pytest

from features.language.conflicts import conflicts
from features.language.inversions import is_inversion

RANKED_BY_OTHERS = [
    ("No other town has that many ferries.", "Our town has the most ferries in the valley."),
    ("No ferry is slower than ours.", "Ours is the slowest ferry in the bay."),
    ("No country spends more on schools than ours.", "Our country spends the most on schools."),
    ("No other state has so few prisons.", "Our state has the fewest prisons in the country."),
    ("We haven't seen tolls this low in forty years.", "Tolls are the lowest in forty years."),
    ("All other ports charge higher fees than ours.", "Our port charges the lowest fees in the bay."),
]  # fmt: skip
RANKED_ON_OTHER_END = [
    ("No other town has that many ferries.", "Our town has the fewest ferries in the valley."),
    ("No ferry is slower than ours.", "Ours is the fastest ferry in the bay."),
    ("No other state has so few prisons.", "Our state has the most prisons in the country."),
    ("We haven't seen tolls this low in forty years.", "Tolls are the highest in forty years."),
    ("Every other state has higher taxes than ours.", "Ours has the highest taxes of the states."),
    ("The harbor has never been busier.", "The harbor is less busy than ever."),
]  # fmt: skip
STILL_SHORT = [
    ("Wages in Lorne are still lower than in 2008.", "Wages in Lorne have not come back to the level of 2008."),
    ("Crime in Lorne is still below the level of 2010.", "Crime in Lorne has not reached the level of 2010."),
    ("The fleet is still smaller than it was in 2008.", "The fleet has not grown back to what it was in 2008."),
    ("We are still behind Norway in ferries.", "We have not caught up with Norway in ferries."),
]  # fmt: skip
NOT_SHORT = [
    ("Wages in Lorne are still lower than in 2008.", "Wages in Lorne are not lower than in 2008."),
    ("Crime in Lorne is still below the level of 2010.", "Crime in Lorne is not below the level of 2010."),
    ("The fleet is still smaller than it was in 2008.", "The fleet is not smaller than it was in 2008."),
    ("We are still behind Norway in ferries.", "We are not behind Norway in ferries."),
]  # fmt: skip
REST_OF_WHOLE = [
    ("Seventy percent of women in Lorne can't swim.", "Thirty percent of women in Lorne can swim."),
    ("Sixty percent of the ships in Lorne don't sail in winter.", "Forty percent of the boats in Lorne sail in winter."),
    ("Eighty percent of the pilots in the bay have no license.", "Twenty percent of the pilots in the bay have a license."),
    ("Ninety percent of our harbor fees are not spent here.", "Ten percent of our harbor fees are spent here."),
]  # fmt: skip
REST_OF_OTHER_WHOLE = [
    ("Seventy percent of women in Lorne can't swim.", "Thirty percent of men in Lorne can swim."),
    ("Sixty percent of the ferries in Lorne don't sail in winter.", "Forty percent of the pilots in Lorne sail in winter."),
    ("Eighty percent of the pilots in the bay have no license.", "Twenty percent of the sailors in the bay have a license."),
    ("Ninety percent of our harbor fees are not spent here.", "Ten percent of our harbor taxes are spent here."),
]  # fmt: skip
UNEQUAL = [
    ("Rents in Moss are higher than in Lorne.", "Rents in Lorne are not as high as in Moss."),
    ("Ferries in Moss are faster than in Lorne.", "Ferries in Lorne are not as fast as in Moss."),
    ("Rents in Lorne are lower than in Moss.", "Rents in Lorne are not as high as in Moss."),
    ("Ferries in Lorne are less safe than in Moss.", "Ferries in Lorne are not as safe as in Moss."),
    ("The bay has fewer pilots than Norway.", "The bay doesn't have as many pilots as Norway."),
]  # fmt: skip
UNEQUAL_THE_OTHER_WAY = [
    ("Rents in Lorne are higher than in Moss.", "Rents in Lorne are not as high as in Moss."),
    ("Ferries in Lorne are faster than in Moss.", "Ferries in Lorne are not as fast as in Moss."),
    ("Rents in Moss are lower than in Lorne.", "Rents in Lorne are not as high as in Moss."),
    ("Ferries in Moss are less safe than in Lorne.", "Ferries in Lorne are not as safe as in Moss."),
    ("The bay has more pilots than Norway.", "The bay doesn't have as many pilots as Norway."),
]  # fmt: skip
SAME = [*RANKED_BY_OTHERS, *STILL_SHORT, *REST_OF_WHOLE, *UNEQUAL]
REVERSE = [*RANKED_ON_OTHER_END, *NOT_SHORT, *REST_OF_OTHER_WHOLE, *UNEQUAL_THE_OTHER_WAY]


@pytest.mark.parametrize(("sentence", "statement"), SAME)
def test_a_claim_said_the_other_way_round_is_an_inversion(sentence: str, statement: str) -> None:
    assert is_inversion(sentence, statement)
    assert is_inversion(statement, sentence)
    assert conflicts(sentence, statement) == frozenset()


@pytest.mark.parametrize(("sentence", "statement"), REVERSE)
def test_the_reverse_of_a_claim_is_no_inversion_without_a_conflict(
    sentence: str, statement: str
) -> None:
    for pair in ((sentence, statement), (statement, sentence)):
        assert conflicts(*pair) or not is_inversion(*pair)


def test_another_end_of_a_scale_is_another_rank() -> None:
    assert "ranks" in conflicts(
        "No other town has that many ferries.", "Our town has the fewest ferries in the valley."
    )
    # The most prisons and the fewest jobs are not ends of one scale.
    assert "ranks" not in conflicts(
        "No other town has that many prisons.", "Our town has the fewest jobs of any town."
    )
