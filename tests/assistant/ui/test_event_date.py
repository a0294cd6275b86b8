"""The date of an event as people write it."""

from __future__ import annotations

from datetime import date

import pytest

from assistant.ui.event_date import in_words, typed_dates, with_weekday

MAY = date(2017, 5, 3)
MARCH = date(2017, 3, 5)


@pytest.mark.parametrize(
    "text",
    [
        "3 May 2017",
        "May 3, 2017",
        "may 3rd 2017",
        "3rd of May 2017",
        "Wednesday, 3 May 2017",
        "2017-05-03",
        "2017-5-3",
        "2017/05/03",
        " 3 may 2017 ",
    ],
)
def test_a_date_in_either_order_is_read(text):
    assert typed_dates(text) == [MAY]


@pytest.mark.parametrize("text", ["3/5/2017", "03.05.2017", "3-5-17", "3 5 2017"])
def test_figures_that_may_be_two_days_give_both(text):
    """Nothing is guessed: the form asks which is meant."""
    assert typed_dates(text) == [MAY, MARCH]


@pytest.mark.parametrize("text", ["26/9/2016", "9/26/2016", "26.09.16", "9-26-16"])
def test_figures_that_can_only_be_one_day_are_read(text):
    assert typed_dates(text) == [date(2016, 9, 26)]


def test_the_same_figures_for_day_and_month_are_one_day():
    assert typed_dates("4/4/1999") == [date(1999, 4, 4)]


def test_a_short_year_of_the_last_century():
    assert typed_dates("26/9/60") == [date(2060, 9, 26)]
    assert typed_dates("26/9/84") == [date(1984, 9, 26)]


@pytest.mark.parametrize(
    "text", ["", "yesterday", "31/31/2017", "30 February 2017", "12", "1/2/0003"]
)
def test_other_text_is_no_date(text):
    assert typed_dates(text) == []


def test_the_weekday_is_said():
    assert with_weekday(MAY) == "Wednesday 3 May 2017"


def test_the_date_in_the_field_reads_back_as_itself():
    assert typed_dates(in_words(MAY)) == [MAY]
