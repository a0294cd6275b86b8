"""Quiet hours of a channel, in its time zone: what is due then is sent at their end.

The zone decides, so that 07:00 stays 07:00 when summer time begins or ends.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from assistant.core.errors import SettingsError

_TIME_OF_DAY = re.compile(r"([01]\d|2[0-3]):([0-5]\d)")
ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class QuietHours:
    """The hours of each day in which nothing is sent: from ``begin`` to ``end``, local time."""

    begin: time
    end: time
    zone: ZoneInfo

    def over_at(self, now: float) -> float:
        """Return when the quiet hours around a moment end, ``now`` itself outside of them."""
        moment = datetime.fromtimestamp(now, self.zone)
        # Hours like 22:00 to 6:00 may have begun on the day before and end on the day after.
        for day in (moment.date() - ONE_DAY, moment.date()):
            quiet_begin = at_clock_time(day, self.begin, self.zone)
            end_day = day if self.begin < self.end else day + ONE_DAY
            quiet_end = at_clock_time(end_day, self.end, self.zone)
            if quiet_begin <= now < quiet_end:
                return quiet_end
        return now


def at_clock_time(day: date, clock_time: time, zone: ZoneInfo) -> float:
    """Return a local time of a day in seconds since 1970.

    A time that summer time leaves out is an hour later; of two, the earlier one counts.
    """
    local = datetime.combine(day, clock_time, tzinfo=zone)
    return local.astimezone(UTC).timestamp()


def parse_clock_time(text: str) -> time:
    """Parse a time of day such as 07:30. Raises: SettingsError."""
    written = _TIME_OF_DAY.fullmatch(text)
    if written is None:
        remedy = "Write hours and minutes, such as 07:30."
        raise SettingsError(f"{text[:20]!r} isn't a valid time of day.", remedy=remedy)
    return time(int(written[1]), int(written[2]))


def parse_zone(name: str) -> ZoneInfo:
    """Return a time zone by its name. Raises: SettingsError."""
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError) as error:
        remedy = "Use a name such as Europe/Berlin or America/New_York."
        raise SettingsError(f"{name[:60]!r} isn't a known time zone.", remedy=remedy) from error


def parse_quiet_hours(text: str, zone: str) -> QuietHours | None:
    """Parse hours such as 22:00-07:00, None for an empty text. Raises: SettingsError."""
    if not text:
        return None
    begin_text, dash, end_text = text.partition("-")
    if not dash:
        remedy = "Write a start and an end, such as 22:00-07:00."
        raise SettingsError(f"{text[:20]!r} isn't a valid range of hours.", remedy=remedy)
    begin_time = parse_clock_time(begin_text.strip())
    end_time = parse_clock_time(end_text.strip())
    if begin_time == end_time:
        remedy = "To get no alerts at all, pause the channel."
        raise SettingsError(
            f"the quiet hours {text[:20]} begin and end at the same time.", remedy=remedy
        )
    return QuietHours(begin_time, end_time, parse_zone(zone))
