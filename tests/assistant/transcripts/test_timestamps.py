"""The grammar of times: every form that transcripts use, and the forms that are no times."""

from __future__ import annotations

from datetime import date

import pytest

from assistant.transcripts.timestamps import (
    TimeKind,
    impossible_time,
    recording_times,
    seconds_of,
    span_at,
    time_at,
    time_at_end,
    whole_time,
)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("0:12", 12.0),
        ("1:02:09", 3729.0),
        ("90:12", 5412.0),
        ("00:00:02.000", 2.0),
        ("00:00:02,5", 2.5),
        ("00: 00: 08,500", 8.5),
        ("00;00;01;12", 1.4),
        ("10:00:01:12", 36001.4),
        ("00:00:01;45", 1.75),
        ("00:00:01:500", 1.5),
        ("[00:12]", 12.0),
        ("( 1:02:03 )", 3723.0),
        ("10:02 AM", 36120.0),
        ("12:05 am", 300.0),
        ("1:30 p.m.", 48600.0),
        ("0 minutes 3 seconds", 3.0),
        ("1 hour 2 minutes 9 seconds", 3729.0),
        ("1 hour, 2 minutes and 9 seconds", 3729.0),
        ("0 Minuten 3 Sekunden", 3.0),
        ("1h02m09s", 3729.0),
        ("2 min.", 120.0),
        ("PT1H2M3.5S", 3723.5),
        ("12.5s", 12.5),
        ("2025-03-12T19:00:01Z", 68401.0),
        ("12/03/2025, 10:02:11", 36131.0),
        ("00:75:10", None),
        ("00:01:60", None),
        ("25:00 PM", None),
        ("12.5", None),
        ("seven", None),
        ("2 hours is long", None),
        ("", None),
    ],
)
def test_times_that_fill_a_text(written: str, expected: float | None) -> None:
    """A time that no clock can show is none, and so is a bare number."""
    assert seconds_of(written) == expected


def test_a_time_of_day_is_no_offset() -> None:
    """AM, PM and an ISO date make a time of day, and the date is kept."""
    morning = whole_time("10:02 AM")
    dated = whole_time("2025-03-12T19:00:01Z")
    assert morning is not None
    assert dated is not None
    assert (morning.kind, dated.kind) == (TimeKind.TIME_OF_DAY, TimeKind.TIME_OF_DAY)
    assert dated.day == date(2025, 3, 12)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("[00:00.000 --> 00:04.000]  Good", (0.0, 4.0, "  Good")),
        ("00:00:01,000 → 00:00:04,000", (1.0, 4.0, "")),
        ("00:00:04,500 - -> 00:00:08,000", (4.5, 8.0, "")),
        ("0:00:02.000,0:00:06.000", (2.0, 6.0, "")),
        ("00;00;01;12 - 00;00;04;03 Tom", (1.4, 4.1, " Tom")),
        ("00:00:02:00 00:00:06:00", (2.0, 6.0, "")),
        ("[0:01] - [0:04] x", (1.0, 4.0, " x")),
        ("(0:12 to 0:15) Tom", (12.0, 15.0, " Tom")),
        ("1.5s - 3.2s hi", (1.5, 3.2, " hi")),
        ("10:02 AM – 10:05 AM Tom", (36120.0, 36300.0, " Tom")),
        ("0:01 0:02", None),
        ("0:01 and 0:02", None),
        ("A --> B", None),
    ],
)
def test_spans(written: str, expected: tuple[float, float, str] | None) -> None:
    """Two times with any arrow, in any brackets; a space alone joins only timecodes."""
    span = span_at(written)
    actual = None
    if span:
        actual = (span.start.seconds, span.stop.seconds, written[span.end :])
    assert actual == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("10:02 AM Maria: hi", (36120.0, " Maria: hi")),
        ("[00:12] hello", (12.0, " hello")),
        ("[1 minute 5 seconds] hello", (65.0, " hello")),
        ("0:02 am I right", (2.0, " am I right")),
        ("2 hours is long", None),
        ("Maria 0:12", None),
    ],
)
def test_a_time_before_a_text(written: str, expected: tuple[float, str] | None) -> None:
    """Words that are also speech are a time only in brackets or alone."""
    timestamp = time_at(written)
    actual = (timestamp.seconds, written[timestamp.end :]) if timestamp else None
    assert actual == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("Jane Doe  0:03", ("Jane Doe  ", 3.0)),
        ("Abara, Tom (Harbor)   0:12", ("Abara, Tom (Harbor)   ", 12.0)),
        ("Jane Doe [00:00:12]", ("Jane Doe ", 12.0)),
        ("Jane Doe | 10:02 AM", ("Jane Doe | ", 36120.0)),
        ("Tom Abara 1 hour 2 minutes 9 seconds", ("Tom Abara ", 3729.0)),
        ("Tom Abara", None),
        ("Luke3:16", None),
    ],
)
def test_a_time_behind_a_text(written: str, expected: tuple[str, float] | None) -> None:
    """The time begins behind a space, a comma, a bar or a dash."""
    timestamp = time_at_end(written)
    actual = (written[: timestamp.begin], timestamp.seconds) if timestamp else None
    assert actual == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [("at 00:75:10 sharp", "00:75:10"), ("at 00:15:10", ""), ("00:01:99 --> x", "00:01:99")],
)
def test_impossible_times_are_found(written: str, expected: str) -> None:
    """A reader can quote the time that it did not use."""
    assert impossible_time(written) == expected


def test_times_of_day_count_from_the_first() -> None:
    """They may fall a little, and pass midnight."""
    written = ["11:58 PM", "11:57 PM", "", "12:01 AM"]
    times, warning = recording_times([whole_time(text) for text in written])
    assert times == [0.0, -60.0, None, 180.0]
    assert warning == "the times are times of day; they were counted from the first one"


def test_clocks_are_hours_if_people_could_not_speak_so_fast() -> None:
    """Thirty words in one second are thirty words in one minute."""
    stamps = [whole_time(text) for text in ("11:00", "11:00", "11:01", "11:02")]
    assert recording_times(stamps, [15, 12, 20, 9])[0] == [0.0, 0.0, 60.0, 120.0]
    assert recording_times(stamps, [1, 1, 2, 9]) == ([660.0, 660.0, 661.0, 662.0], "")
