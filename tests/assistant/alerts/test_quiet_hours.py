"""Quiet hours and times of day follow the clock on the wall, also when summer time begins."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

import pytest

from assistant.alerts import quiet_hours
from assistant.core.errors import SettingsError

BERLIN = "Europe/Berlin"


def seconds(text, zone=BERLIN):
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp()


@pytest.mark.parametrize(
    ("hours", "now", "over"),
    [
        ("22:00-07:00", "2026-11-26 21:59", "2026-11-26 21:59"),
        ("22:00-07:00", "2026-11-26 22:00", "2026-11-27 07:00"),
        ("22:00-07:00", "2026-11-27 03:00", "2026-11-27 07:00"),
        ("22:00-07:00", "2026-11-27 07:00", "2026-11-27 07:00"),
        ("12:00-13:30", "2026-11-26 12:10", "2026-11-26 13:30"),
        ("12:00-13:30", "2026-11-26 13:30", "2026-11-26 13:30"),
        ("00:00-06:00", "2026-11-26 00:00", "2026-11-26 06:00"),
        # summer time begins on 29 March 2026 at 02:00, and ends on 25 October 2026 at 03:00
        ("22:00-07:00", "2026-03-29 01:00", "2026-03-29 07:00"),
        ("22:00-07:00", "2026-10-25 01:00", "2026-10-25 07:00"),
    ],
)
def test_quiet_hours_end_at_their_local_time(hours, now, over):
    quiet = quiet_hours.parse_quiet_hours(hours, BERLIN)

    assert quiet.over_at(seconds(now)) == seconds(over)


@pytest.mark.parametrize(
    ("night", "hours_until_the_end"),
    [("2026-03-28 22:00", 8), ("2026-10-24 22:00", 10), ("2026-11-26 22:00", 9)],
)
def test_the_night_of_a_clock_change_is_shorter_or_longer(night, hours_until_the_end):
    quiet = quiet_hours.parse_quiet_hours("22:00-07:00", BERLIN)
    now = seconds(night)

    assert quiet.over_at(now) - now == hours_until_the_end * 3600


def test_a_time_that_the_clock_change_leaves_out_is_an_hour_later():
    moment = quiet_hours.at_clock_time(date(2026, 3, 29), time(2, 30), ZoneInfo(BERLIN))

    assert datetime.fromtimestamp(moment, UTC) == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)


def test_without_hours_nothing_is_quiet():
    assert quiet_hours.parse_quiet_hours("", BERLIN) is None


@pytest.mark.parametrize("hours", ["22:00", "24:00-07:00", "22:60-07:00", "7:00-8:00", "-", "a-b"])
def test_a_range_that_cannot_be_read_is_refused(hours):
    with pytest.raises(SettingsError):
        quiet_hours.parse_quiet_hours(hours, BERLIN)


def test_hours_that_begin_and_end_at_once_are_refused():
    with pytest.raises(SettingsError, match="begin and end at the same time"):
        quiet_hours.parse_quiet_hours("07:00-07:00", BERLIN)


@pytest.mark.parametrize("zone", ["Mars/Olympus", "", "../../etc/passwd", "/etc/localtime"])
def test_an_unknown_zone_is_refused(zone):
    with pytest.raises(SettingsError, match="isn't a known time zone"):
        quiet_hours.parse_zone(zone)
