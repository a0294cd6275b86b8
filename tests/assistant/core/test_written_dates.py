"""Dates as people and programs write them; a column decides the order of day and month."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.core.written_dates import DateColumn, DateOrder, DateProblem, day_reading, parse_day

DAY = date(2024, 1, 11)


@pytest.mark.parametrize(
    "text",
    [
        "2024-01-11",
        "2024/01/11",
        "2024.1.11",
        "2024-01-11T10:00:00+02:00",
        "2024-01-11 00:00:00 UTC",
        "20240111",
        "20240111.0",
        "20240111T120000Z",
        "20240111120000",
        "11-Jan-24",
        "11 Jan 2024 10:30",
        "11/Jan/2024",
        "Jan-11-2024",
        "2024-Jan-11",
        "January 11th, 2024",
        "Jan. 11, '24",
        "11th of January 2024",
        "January 11th of 2024",
        "Thursday, 11 January 2024",
        "Thu, 11 Jan 2024 10:00:00 GMT",
        "January 11, 2024 at 10:15 AM EST",
        "11. Januar 2024",
        "11 janvier 2024",
        "11 de enero de 2024",
        "11 gennaio 2024",
        "11 stycznia 2024",
        "11 января 2024",
        "11 Ocak 2024",
        "11 ianuarie 2024",
        "2024年1月11日(木)",
        "2024년 1월 11일",
        "2024. 1. 11.",
        "Thu Jan 11 10:30:00 +0000 2024",
        "Thu Jan 11 10:30:00 UTC 2024",
        "11.01.2024",
        "11.1.24",
        "45302",
        "45302.5",
        "1704931200",
        "1704931200.0",
        "1704931200000",
        "Updated March 5, 2024; published January 11, 2024",
        "Published: Jan. 11, 2024 | Updated: Mar. 5, 2024",
        "January 11, 2024 (updated March 5, 2024)",
        "stated on January 11, 2024 in a speech about March 5, 2023:",
    ],
)
def test_one_day_in_many_forms(text):
    assert parse_day(text) == DAY


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Jan-24", DateProblem.NO_DAY),
        ("January 2024", DateProblem.NO_DAY),
        ("2024-01", DateProblem.NO_DAY),
        ("01/2024", DateProblem.NO_DAY),
        ("2024", DateProblem.NO_DAY),
        ("2024-13-05", DateProblem.IMPOSSIBLE),
        ("31/02/2025", DateProblem.IMPOSSIBLE),
        ("30 February 2024", DateProblem.IMPOSSIBLE),
        ("2 days ago", DateProblem.NO_DATE),
        ("yesterday", DateProblem.NO_DATE),
        ("12", DateProblem.NO_DATE),
        ("03/04/2025", DateProblem.AMBIGUOUS),
        ("24-01-11", DateProblem.AMBIGUOUS),
        ("0001-01-01", DateProblem.EARLY),
        ("2231-01-01", DateProblem.FUTURE),
        ("Jan 5, 2024 to Jan 7, 2024", DateProblem.SEVERAL),
        ("11-12 January 2024", DateProblem.SEVERAL),
        ("11 Jan. – 12 Feb. 2024", DateProblem.SEVERAL),
        ("January 11 - 12, 2024", DateProblem.NO_DATE),
    ],
)
def test_values_without_a_day_say_why(text, problem):
    reading = day_reading(text)

    assert (reading.day, reading.problem) == (None, problem)


def test_a_day_of_two_figures_is_never_in_the_future():
    """A year of two digits belongs to this century if that is at most one year ahead."""
    next_month = datetime.now(UTC).date() + timedelta(days=40)

    assert day_reading(next_month.isoformat()).problem is DateProblem.FUTURE
    assert parse_day("3 May 68") == date(1968, 5, 3)


@pytest.mark.parametrize(
    ("values", "order"),
    [
        (["1/11/2024", "2/25/2024"], DateOrder.MONTH_FIRST),
        (["1/11/24", "1/25/24"], DateOrder.MONTH_FIRST),
        (["1/11/2024", "25/2/2024"], DateOrder.DAY_FIRST),
        (["1-11-2024", "25-2-2024"], DateOrder.DAY_FIRST),
        (["1/11/2024", "2024-02-25"], None),
        (["2/25/2024", "25/2/2024"], None),
    ],
)
def test_a_column_proves_the_order_of_its_dates(values, order):
    column = DateColumn("Date")
    for value in values:
        column.survey(value)

    assert column.order() == order


def test_dates_with_full_stops_are_decided_apart():
    """A column of American dates does not turn a European one around."""
    column = DateColumn("Date")
    for value in ("1/25/24", "11.01.24"):
        column.survey(value)

    assert [column.parse("1/11/24"), column.parse("11.01.24")] == [DAY, DAY]


def test_a_column_says_what_it_read_and_what_not():
    column = DateColumn("Date")
    values = ["1/11/2024", "2/25/2024", "45302", "soon", "31/02/2025", "later"]
    for value in values:
        column.survey(value)
    for value in values:
        column.parse(value)

    assert column.remarks() == [
        "column 'Date': dates were read as month/day/year, '1/11/2024' too.",
        "column 'Date': numbers are day numbers of Excel.",
        "column 'Date': 2 dates were not read (not a date), such as 'soon', 'later'.",
        "column 'Date': 1 date was not read (no such day), such as '31/02/2025'.",
    ]


@given(st.dates(min_value=date(1950, 1, 1), max_value=date(2026, 1, 1)))
def test_every_day_survives_every_form(day):
    forms = [
        f"{day:%d-%b-%Y}",
        f"{day:%B} {day.day}, {day.year}",
        f"{day:%Y/%m/%d}",
        f"{day:%d.%m.%Y}",
        f"{day:%Y%m%dT%H%M%SZ}",
        f"{day:%A, %d %B %Y}",
    ]

    assert [parse_day(form) for form in forms] == [day] * len(forms)


@given(st.text(max_size=60))
def test_no_text_is_an_error(text):
    reading = day_reading(text)

    assert (reading.day is None) != (reading.problem is None)
