"""Numbers, names and dates of two texts: the same, different, or missing."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.language.agreement import Particulars, agreement, particulars, plain, roundings
from features.language.figures.dates import dates


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        ("Unemployment is at four percent.", "The unemployment rate is 4.1%.", "same"),
        ("We lost 3.5 million jobs.", "They lost 3 million jobs.", "different"),
        ("We lost many jobs.", "They lost 3 million jobs.", "missing"),
        ("About half of Americans", "49.7% of Americans", "same"),
        ("Crime is up 10 percent.", "Crime is up 14 percent.", "different"),
        ("It took 40 votes", "40 percent of the votes", "missing"),
    ],
)
def test_numbers_agree_up_to_rounding(sentence: str, statement: str, expected: str) -> None:
    """A rounding is the same number, another figure is not.

    A percentage and a count have nothing to compare.
    """
    assert agreement(sentence, statement)["numbers"] == expected


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        (
            "He voted for a $10 a barrel tax on every producer.",
            "Just before the holiday, a barrel was $54.",
            "missing",
        ),
        ("The premiums went up 20 percent.", "Premiums are going up by 55 percent.", "different"),
        (
            "They wasted $32,000 on a spiral staircase.",
            "The downtown office costs $18,000 a month.",
            "missing",
        ),
        (
            "He left the state with a $245 million debt.",
            "He left the state $1 billion in debt.",
            "different",
        ),
        (
            "Tourism supports 439,000 jobs in Ohio.",
            "Tourism supports 300,000 jobs in Florida.",
            "missing",
        ),
        (
            "The tax cut gives $500 billion to the wealthy.",
            "The tax cut gives the wealthy $500 each.",
            "different",
        ),
        (
            "The wealthy get a tax cut of $500 billion.",
            "Families pay $6,000 for the rich and their tax.",
            "missing",
        ),
        (
            "Forty percent of voters want schools open.",
            "Sixty percent of teachers want them open.",
            "missing",
        ),
        (
            "Gamblers spend $2.5 billion at casinos next door.",
            "I stopped a bailout and saved taxpayers $2.5 billion.",
            "missing",
        ),
        ("$5 million.", "It cost the city $9 million.", "different"),
    ],
)
def test_figures_of_different_things_do_not_stand_against_each_other(
    sentence: str, statement: str, expected: str
) -> None:
    """Other words around them, another place, another whole or quite another size.

    Few words may be of anything.
    """
    assert agreement(sentence, statement)["numbers"] == expected


@given(
    st.lists(
        st.sampled_from(
            "jobs taxes crime schools voters lost rose bridge border wages Ohio".split()
        ),
        min_size=1,
    ),
    st.integers(1, 900),
    st.sampled_from(["{:,} percent", "${:,} million", "{:,} workers", "{:,} times"]),
    st.booleans(),
)
def test_another_figure_in_the_same_words_is_different(
    words: list[str], value: int, told: str, first: bool
) -> None:
    """Whatever the words around it.

    A figure twice as large of the same thing stands against it.
    """
    first_text, second_text = (
        " ".join([told.format(v), *words] if first else [*words, told.format(v)])
        for v in (value, 2 * value)
    )
    assert agreement(first_text, second_text)["numbers"] == "different"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("They hired 800 workers.", "They hired 1600 workers."),
        ("It cost us 2000 American jobs.", "It cost us 1000 American jobs."),
        ("We resettled 1800 Syrian refugees.", "We resettled 18,000 Syrian refugees."),
    ],
)
def test_four_digits_before_a_counted_word_are_a_figure(one: str, other: str) -> None:
    """Written without a comma, 1600 workers are workers, too."""
    assert agreement(one, other)["numbers"] == "different"


@pytest.mark.parametrize(
    "text", ["In 2016 women earned less.", "The 2016 elections.", "Since 1980, families lost."]
)
def test_four_digits_that_date_are_a_year(text: str) -> None:
    """A word that is counted elsewhere does not make a figure of a year."""
    assert [when.text[-4:] for when in dates(text)] in (["2016"], ["1980"])


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        (
            "In 1988, more people go to work here.",
            "Today, more people go to work here.",
            "different",
        ),
        ("In 2016, more people go to work here.", "Today, more people go to work here.", "missing"),
        ("In 1988, the towers were built.", "Today, more people go to work here.", "missing"),
        (
            "Right now, more people go to work here.",
            "Today, more people go to work here.",
            "missing",
        ),
        (
            "In 1988, this year, people go to work.",
            "Right now, this year, people go to work.",
            "different",
        ),
    ],
)
def test_today_stands_against_a_date_in_its_place(
    sentence: str, statement: str, expected: str
) -> None:
    """In a repetition, what was long ago is not today."""
    day = date(2016, 7, 12).toordinal()
    assert agreement(sentence, statement, day, day)["dates"] == expected


@pytest.mark.parametrize(
    ("sentence", "statement", "expected"),
    [
        ("I told Bernie Sanders so.", "Then Jeff Sessions resigned.", "different"),
        ("People say Clinton sold uranium.", "Hillary Clinton gave uranium to Russia.", "same"),
        ("HILLARY CLINTON SOLD URANIUM.", "Hillary Clinton gave uranium to Russia.", "same"),
        ("she sold uranium", "Hillary Clinton gave uranium to Russia.", "missing"),
        ("Clinton sold it.", "Was it Clinton who sold uranium?", "same"),
        ("The Russians hacked it.", "Russia hacked it.", "same"),
        ("Democrats obstruct it.", "The Democratic Party stops it.", "same"),
        ("The Democrats obstruct it.", "A Democratic blockade.", "same"),
        ("The EPA cut it.", "The Environmental Protection Agency cut it.", "missing"),
        ("The EPA cut it.", "The Federal Reserve cut it.", "different"),
    ],
)
def test_names_agree(sentence: str, statement: str, expected: str) -> None:
    """One shared name is enough.

    Captions in capitals or small letters share what the other side names.
    """
    assert agreement(sentence, statement)["names"] == expected


def test_another_year_is_different() -> None:
    """Both name a year, and none is the same."""
    assert agreement("It happened in 2012.", "It happened in 2016.")["dates"] == "different"
    assert agreement("It happened in 2012.", "It happened.")["dates"] == "missing"


def test_relative_dates_wait_for_the_days_they_were_told() -> None:
    """Last year in 2016 is the year before last in 2017.

    Without the days, only like is compared with like.
    """
    event = date(2016, 5, 1).toordinal()
    day_said = date(2017, 5, 1).toordinal()
    assert agreement("Last year we won.", "They won in 2015.", event, day_said)["dates"] == "same"
    assert (
        agreement("Last year we won.", "They won last year.", event, day_said)["dates"]
        == "different"
    )
    assert agreement("Last year we won.", "They won in 2015.")["dates"] == "missing"
    assert agreement("Last year we won.", "They won last year.")["dates"] == "same"


def test_roundings_are_told_in_the_words_of_both() -> None:
    """Same for the contract, and the card can say that it is a rounding."""
    assert agreement("Nearly 65,000 jobs", "64,000 jobs")["numbers"] == "same"
    assert roundings("Nearly 65,000 jobs", "64,000 jobs") == (("65,000", "64,000"),)
    assert roundings("64 thousand jobs", "64,000 jobs") == ()
    assert (
        roundings(
            "A new bridge over the river costs $65,000.",
            "School lunch saves parents $64,900 yearly.",
        )
        == ()
    )


def test_what_is_said_twice_or_filled_in_is_read_once() -> None:
    """Speech repeats words and fills pauses; that changes no figure."""
    assert (
        agreement("It cost um, $3.5 trillion trillion.", "It cost $3.5 trillion.")["numbers"]
        == "same"
    )
    assert plain("one in, you know, three women women") == "one in, three women"


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_two_texts_can_be_compared_either_way_round(one: str, other: str) -> None:
    """No text breaks the reading, and the verdict does not depend on the side."""
    assert agreement(one, other) == agreement(other, one)


@given(st.text("abc 0123456789.,$%AZ'’\n", max_size=60))
def test_a_text_never_disagrees_with_itself(text: str) -> None:
    """Everything that it names is shared."""
    assert "different" not in agreement(text, text).values()


def test_an_empty_text_names_nothing() -> None:
    """Nothing is found and nothing fails."""
    assert particulars("") == Particulars((), frozenset(), (), frozenset())


def test_a_number_of_hundreds_of_digits_is_compared() -> None:
    """It is larger than any float, and differs from an ordinary figure."""
    digits = "9" * 400

    verdicts = agreement(f"We lost {digits} jobs", "We lost 54 jobs")

    assert verdicts["numbers"] == "different"
