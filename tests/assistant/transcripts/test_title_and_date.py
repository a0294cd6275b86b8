"""Title and date are guessed from the name of the file and the lines before the speech."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from assistant.transcripts.title_and_date import dated, dates_in_text, guess_date, guess_title
from tests.assistant import made_up


@pytest.mark.parametrize(
    "text",
    [
        "20160926_debate",
        "2016-09-26",
        "debate-2016_09_26-en",
        "September 26th, 2016",
        "26 September 2016",
        "Sept. 26, 2016",
        "Aired 26 of September 2016 - 21:00 ET",
        "9/26/2016",
        "26.9.2016",
    ],
)
def test_dates(text: str) -> None:
    """Dates with the year first, with the name of the month, or beyond doubt in figures are read."""
    assert dates_in_text(text) == [date(2016, 9, 26)]


@pytest.mark.parametrize(
    "text",
    ["09/10/2016", "1234567890", "2016", "20161345", "version 20.16.09", "30001212", "May 2016"],
)
def test_doubtful_figures_are_no_date(text: str) -> None:
    """Whatever could be another day, or no day, is left out."""
    assert dates_in_text(text) == []


def test_date_of_the_name_comes_first() -> None:
    """The name of the file is believed before the heading, and the guess is reported."""
    assert guess_date("20180612_Debate.txt", "September 26, 2016")[0] == date(2018, 6, 12)
    day, warning = guess_date("debate.txt", "Debate of September 26, 2016")
    assert date(2016, 9, 26) == day and "heading" in warning


def test_no_date_and_several_dates_are_reported() -> None:
    """Without one date the event has none, and the warning says what to do."""
    assert guess_date("debate.txt", "")[0] is None
    day, warning = guess_date("debates 2016-09-26 and 2016-10-09.txt", "")
    assert day is None and "several" in warning


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("2016-09-26_first-debate.txt", "First debate"),
        ("20180612_ND_Senate.vtt", "ND Senate"),
        ("20180612.txt", "20180612"),
        ("debate transcript.docx", "Debate"),
    ],
)
def test_title_from_the_name(name: str, title: str) -> None:
    """Date, separators and the word transcript go."""
    assert guess_title(name) == title


@pytest.mark.parametrize(
    "warning",
    [
        "no event date was found; give it, so that fact-checks can be placed before or after the event",
        "the heading has several dates (2024-09-10, 2024-09-12); give the event date yourself",
        "the date 9/10/24 may be 2024-09-10 or 2024-10-09; give the event date yourself",
    ],
)
def test_a_warning_that_asks_for_the_date_goes_once_it_is_given(warning):
    """Other warnings stay, and so does this one without a date."""
    transcript = replace(made_up.report().transcript, warnings=(warning, "2 times were estimated"))

    with_day = dated(transcript, date(2024, 9, 10))
    without_day = dated(transcript, None)

    assert with_day.event_date == date(2024, 9, 10)
    assert with_day.warnings == ("2 times were estimated",)
    assert without_day.warnings == transcript.warnings
