"""The grammar of times in transcripts: one time, a span of two, and their place in a line.

Every reader and the live sources use it. A time is an offset from the start of the recording
(``1:02:09``, ``00;00;01;12``, ``1 hour 2 minutes``, ``12.5s``) or a time of day (``10:02 AM``, an
ISO date with a time). A clock such as ``11:02`` may be either; ``recording_times`` decides for a
whole file and says so. All functions ignore a time that cannot be, such as ``00:75:10``;
``impossible_time`` finds it for a warning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import Enum

FRAMES_PER_S = 30  # the frame rate of a timecode that does not say its own
FAST_FRAMES_PER_S = 60  # if a frame number is above 30
MAX_LINE_CHARACTERS = 200  # a longer line has its time within these
DAY_LENGTH_S = 86_400
MAX_BACKWARD_S = 43_200  # a time of day that falls by more is on the next day
MAX_WORDS_PER_S = 7.0  # people speak more slowly than this
LAST_HOUR = 23
MIN_CLOCKS = 3  # times of a file, for a judgement from how fast people speak


class TimeKind(Enum):
    """How a time is written: as a clock, in words or seconds, or with the time of day."""

    CLOCK = "clock"
    TIMECODE = "timecode"
    DURATION = "duration"
    TIME_OF_DAY = "time of day"


@dataclass(frozen=True, slots=True)
class Timestamp:
    """A time in a text, between the characters ``begin`` and ``end``, brackets included.

    ``seconds`` counts from the start of the recording, or from midnight for a time of day.
    ``has_seconds`` is false for a clock of two fields, which may be hours and minutes.
    """

    seconds: float
    begin: int
    end: int
    kind: TimeKind = TimeKind.CLOCK
    has_seconds: bool = True
    day: date | None = None


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """Two times in a text with an arrow, a dash or a comma between them."""

    start: Timestamp
    stop: Timestamp
    begin: int
    end: int
    arrow: str


_TimeReader = Callable[[str, int], Timestamp | None]

# Fragments of patterns. A colon may have a space behind it: "00: 00: 08,500".
_COLON_CLOCK = r"\d{1,4}:\ ?\d{1,2}(?:(?::\ ?\d{1,2})(?:[:;]\d{2,3}|)|)(?:[.,]\d{1,9}|)"
# A timecode with frames: 00;00;01;12
_DROP_FRAME = r"\d{1,3};\d{2};\d{2}[;:.]\d{2}"
# am or pm
_MERIDIEM = r"(?:\s?[AaPp]\.?[Mm]\b\.?|)"
# A date before the clock
_DAY = r"(?:\d{4}-\d{2}-\d{2}(?:[Tt]|,?\s)|\d{1,2}[./-]\d{1,2}[./-]\d{2,4},?\s|)"
_ZONE = r"(?:\s?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})\b|)"
CLOCK_PATTERN = rf"(?:{_DROP_FRAME}|{_COLON_CLOCK})"
TIME_PATTERN = rf"(?:{CLOCK_PATTERN}){_MERIDIEM}"
_DATED_CLOCK = (
    rf"(?P<day>{_DAY})(?P<clock>{CLOCK_PATTERN})(?P<meridiem>{_MERIDIEM})(?P<zone>{_ZONE})"
)
_HOURS = r"h|hrs?|hours?|std|stunden?|heures?|horas?|or[ae]|uur"
_MINUTES = r"m|mins?|minutes?|minuten?|minutos?|minut[oi]|minuut"
_SECONDS = r"s|secs?|seconds?|sekunden?|secondes?|segundos?|second[oi]|seconden?"
_AND = r"(?:\.?,?\s{0,2}(?:(?:and|und|et|y)\s)?)"
_DURATION_WORDS = (
    rf"(?:PT)?(?=\d)(?:(?P<hours>\d{{1,4}})\s?(?:{_HOURS})(?![a-z]){_AND}|(?=\d))"
    rf"(?:(?P<minutes>\d{{1,4}})\s?(?:{_MINUTES})(?![a-z]){_AND}|(?=\d|$|\W))"
    rf"(?:(?P<seconds>\d{{1,9}}(?:[.,]\d{{1,9}})?)\s?(?:{_SECONDS})(?![a-z])\.?|)"
)
_BRACKETS = {"[": "]", "(": ")", "<": ">", "{": "}", "【": "】", "（": "）"}
_CLOCK_PATTERN = re.compile(rf"{_DATED_CLOCK}(?!\w|[:;]\d)")
_DURATION_PATTERN = re.compile(rf"{_DURATION_WORDS}(?!\w)", re.IGNORECASE)
# The clock of nearly every cue, which is read without the whole grammar: [h:]mm:ss[.fff]
_PLAIN_CLOCK_PATTERN = re.compile(
    r"^(?:(?P<hours>\d{1,4}):)?(?P<minutes>[0-5]?\d):(?P<seconds>[0-5]?\d)"
    r"(?:[.,](?P<fraction>\d{1,9}))?$"
)
_CLOCK_FIELD_GAP_PATTERN = re.compile(r"[:;]\s?")
_SUBSECOND_PATTERN = re.compile(r"[.,](\d+)$")
_DAY_PATTERN = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
# Arrows between two times: "-->", "- ->", "→", "–", "to", "|"
_ARROW_PATTERN = re.compile(
    r"\s{0,4}(?:[-–—=]{0,3}\s?[-–—=]{0,3}(?:>|&gt;){1,2}|[→⟶⇒➔➜»]|[-–—~]{1,3})\s{0,4}"
    r"|\s{1,4}(?:to|until|bis|à|a)\s{1,4}|\s?[,|/]\s?|\s{1,4}(?=\d)"
)
# A time at the end of a line
_TIME_BEFORE_END_PATTERN = re.compile(
    rf"(?:^|(?<=[\s|,–—-]))(?:[\[(<{{【（]\s?|)(?:{_DAY})(?:{CLOCK_PATTERN})(?:{_MERIDIEM})(?:{_ZONE})"
    r"\s?[\])>}】）]?$"
)
# A number that may begin a time in words
_NUMBER_START_PATTERN = re.compile(r"(?:(?<=\s)|^)[\[(]?\d")
# A clock whose fields may be out of range
_ANY_CLOCK_PATTERN = re.compile(rf"(?<![\w:.]){CLOCK_PATTERN}(?![\w:])")


def whole_time(text: str) -> Timestamp | None:
    """Return the time that fills a text, maybe in brackets, None if it is something else."""
    stripped = text.strip()
    if len(stripped) > MAX_LINE_CHARACTERS:
        return None
    timestamp = _time_in_brackets(stripped, 0, duration_at)
    if timestamp is None:
        timestamp = _time_in_brackets(stripped, 0, _clock_at)
    if timestamp is None or timestamp.end < len(stripped):
        return None
    # Its position in the text with the spaces around it
    begin = len(text) - len(text.lstrip())
    return replace(timestamp, begin=begin, end=begin + len(stripped))


def seconds_of(text: str) -> float | None:
    """Return the seconds of the time that fills a text, None if it is something else."""
    plain_clock = _PLAIN_CLOCK_PATTERN.match(text)
    if plain_clock is None:
        timestamp = whole_time(text)
        return timestamp.seconds if timestamp else None
    fields = plain_clock.groupdict(default="0")
    minutes = int(fields["hours"]) * 60 + int(fields["minutes"])
    seconds = float(f"{fields['seconds']}.{fields['fraction']}")
    return round(minutes * 60 + seconds, 3)


def time_at(text: str, position: int = 0) -> Timestamp | None:
    """Return the time at a position of a text, maybe in brackets, None if there is none.

    A time in words counts only in brackets or if it fills the rest of the text: "2 hours is long"
    begins with no time.
    """
    # A time isn't looked for in the rest of a very long line.
    head = text[: position + MAX_LINE_CHARACTERS]
    start = _position_behind_all_spaces(head, position)
    # "[0:03]" or "0:03"
    clock = _time_in_brackets(head, start, _clock_at)
    if clock:
        return clock
    # "[2 minutes]", but "2 minutes" only without further words
    duration = _time_in_brackets(head, start, duration_at)
    if duration is None:
        return None
    has_brackets = head[start] in _BRACKETS
    fills_text = not text[duration.end :].strip()
    return duration if has_brackets or fills_text else None


def _position_behind_all_spaces(text: str, position: int) -> int:
    return len(text) - len(text[position:].lstrip())


def time_at_end(text: str) -> Timestamp | None:
    """Return the time that ends a text behind a space or a mark: ``Jane Doe  0:03``."""
    stripped = text.rstrip()
    if len(stripped) > MAX_LINE_CHARACTERS or not stripped:
        return None
    match = _TIME_BEFORE_END_PATTERN.search(stripped)
    if match:
        timestamp = _time_in_brackets(stripped, match.start(), _clock_at)
        if timestamp and timestamp.end == len(stripped):
            return timestamp
    return _duration_at_end(stripped)


def span_at(text: str, position: int = 0) -> TimeSpan | None:
    """Return two times with an arrow at a position of a text, in any brackets, None if not.

    ``[00:01 --> 00:04]``, ``[0:01] - [0:04]``, ``0:00:02.000,0:00:06.000``, ``00;00;01;12 - ...``
    """
    head = text[: position + MAX_LINE_CHARACTERS]
    begin = _position_behind_all_spaces(head, position)
    opening_bracket = head[begin : begin + 1]
    closing_bracket = _BRACKETS.get(opening_bracket)
    if closing_bracket:
        # Brackets around both times
        inner_start = _position_behind_spaces(head, begin + 1)
        inner_span = _span_without_brackets(head, inner_start)
        bracket_index = _position_behind_spaces(head, inner_span.end) if inner_span else 0
        if inner_span and head.startswith(closing_bracket, bracket_index):
            return replace(inner_span, begin=begin, end=bracket_index + 1)
    # No brackets, or brackets around each time
    span = _span_without_brackets(head, begin)
    return replace(span, begin=begin) if span else None


def impossible_time(text: str) -> str:
    """Return the first clock in a text that no clock can show, such as 00:75:10, "" if none."""
    for match in _ANY_CLOCK_PATTERN.finditer(text[:MAX_LINE_CHARACTERS]):
        if _clock_at(text, match.start()) is None:
            return match.group()
    return ""


def recording_times(
    timestamps: Sequence[Timestamp | None], word_counts: Sequence[int] | None = None
) -> tuple[list[float | None], str]:
    """Return the seconds of each time since the start of the recording, and a warning or "".

    Times of day count from the first one. Clocks of two fields are hours and minutes if, read as
    minutes and seconds, the ``word_counts`` after them would be faster than anybody speaks.
    """
    kinds = {timestamp.kind for timestamp in timestamps if timestamp}
    if TimeKind.TIME_OF_DAY in kinds:  # such as "10:02 AM"
        return _seconds_since_first(timestamps), _TIME_OF_DAY_WARNING
    # "10:02" and "10:05" are hours and minutes if the words between them need three minutes.
    if word_counts is not None and _are_hours_and_minutes(timestamps, word_counts):
        times_of_day = [_as_time_of_day(timestamp) for timestamp in timestamps]
        return _seconds_since_first(times_of_day), _TIME_OF_DAY_WARNING
    return [timestamp.seconds if timestamp else None for timestamp in timestamps], ""


_TIME_OF_DAY_WARNING = "the times are times of day; they were counted from the first one"


def _time_in_brackets(text: str, position: int, time_reader: _TimeReader) -> Timestamp | None:
    """Return a time at a position, maybe in brackets, None if its bracket is not closed.

    ``time_reader`` reads one kind of time at a position.
    """
    closing_bracket = _BRACKETS.get(text[position : position + 1])
    if closing_bracket is None:
        return time_reader(text, position)
    timestamp = time_reader(text, _position_behind_spaces(text, position + 1))
    if timestamp is None:
        return None
    bracket_index = _position_behind_spaces(text, timestamp.end)
    if not text.startswith(closing_bracket, bracket_index):
        return None
    return replace(timestamp, begin=position, end=bracket_index + 1)


def _position_behind_spaces(text: str, position: int) -> int:
    """Return the position behind at most two spaces."""
    for _ in range(2):
        if text[position : position + 1].isspace():
            position += 1
    return position


def _span_without_brackets(text: str, position: int) -> TimeSpan | None:
    """Return two times without brackets around both of them."""
    start = _time_of_span_at(text, position)
    if start is None:
        return None
    arrow = _ARROW_PATTERN.match(text, start.end)
    if arrow is None:
        return None
    stop = _time_of_span_at(text, arrow.end())
    if stop is None:
        return None
    arrow_text = arrow.group().strip()
    # Only timecodes have nothing but a space between them.
    has_timecode = TimeKind.TIMECODE in (start.kind, stop.kind)
    if not arrow_text and not has_timecode:
        return None
    return TimeSpan(start, stop, position, stop.end, arrow_text)


def _time_of_span_at(text: str, position: int) -> Timestamp | None:
    """Return a clock, or seconds with a unit, as one of the two times of a span."""
    return _time_in_brackets(text, position, _clock_at) or _time_in_brackets(
        text, position, duration_at
    )


def _clock_at(text: str, position: int) -> Timestamp | None:
    match = _CLOCK_PATTERN.match(text, position)
    if match is None:
        return None
    meridiem = match["meridiem"].replace(".", "").strip().lower()
    # Hours if the clock has three fields, minutes, seconds, and frames
    fields, fraction = _clock_fields(match["clock"])
    if meridiem and not 1 <= fields[0] <= 23:
        # "0:02 am I" has a clock and the word "am"
        return _clock_at(text[: match.end("clock")], position)
    is_time_of_day = bool(meridiem or match["day"])
    if is_time_of_day and len(fields) == 2:
        fields.append(0)  # hours and minutes
    if meridiem:
        fields[0] = _hour_of_day(fields[0], meridiem)
    seconds = _total_seconds(fields, fraction)
    if seconds is None or (is_time_of_day and seconds >= DAY_LENGTH_S):
        return None
    kind = TimeKind.CLOCK
    if is_time_of_day:
        kind = TimeKind.TIME_OF_DAY
    elif len(fields) == 4:
        kind = TimeKind.TIMECODE
    has_seconds = len(fields) > 2
    return Timestamp(seconds, position, match.end(), kind, has_seconds, _day_of(match["day"]))


def _clock_fields(clock: str) -> tuple[list[int], float]:
    """Return the whole fields of a clock, with frames as the fourth, and the part of a second."""
    # "00:00:01.12" has a part of a second.
    subsecond = _SUBSECOND_PATTERN.search(clock)
    fraction = 0.0
    if subsecond:
        # In 00;00;01.12, the last field counts frames: a semicolon stands before the seconds.
        seconds_with_mark = clock[subsecond.start() - len(";01") : subsecond.start()]
        is_frame_number = ";" in seconds_with_mark
        if not is_frame_number:
            fraction = float(f"0.{subsecond[1]}")
            clock = clock[: subsecond.start()]
    fields = _CLOCK_FIELD_GAP_PATTERN.split(clock.replace(".", ";"))
    # "00:00:01:120" has milliseconds in place of frames.
    has_milliseconds = len(fields) == 4 and len(fields[-1]) == len("120")
    if has_milliseconds:
        milliseconds = fields.pop()
        fraction = int(milliseconds) / 1000
    return [int(field) for field in fields], fraction


def _total_seconds(fields: Sequence[int], fraction: float) -> float | None:
    """Return the seconds of a clock, None if a field is too large for its place."""
    hours = 0
    frames = 0
    if len(fields) == 2:
        minutes, seconds = fields
    elif len(fields) == 3:
        hours, minutes, seconds = fields
    else:
        hours, minutes, seconds, frames = fields
    if seconds > 59 or frames >= FAST_FRAMES_PER_S:
        return None
    # Without hours, there may be any number of minutes.
    has_hours = len(fields) > 2
    if has_hours and minutes > 59:
        return None
    total_seconds = minutes * 60 + seconds + fraction + hours * 3600
    frames_per_s = FRAMES_PER_S if frames < FRAMES_PER_S else FAST_FRAMES_PER_S
    return round(total_seconds + frames / frames_per_s, 3)


def _hour_of_day(hour: int, meridiem: str) -> int:
    """Return an hour from 0 to 23; 12 am is midnight, 12 pm is noon."""
    if hour > 12:
        return hour
    # 12 am is midnight, and 12 pm is noon.
    if hour == 12:
        return 12 if meridiem == "pm" else 0
    return hour + 12 if meridiem == "pm" else hour


def _day_of(text: str) -> date | None:
    match = _DAY_PATTERN.match(text)
    if match is None:
        return None
    try:
        return date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        return None


def duration_at(text: str, position: int) -> Timestamp | None:
    """Return a time in words or with units: ``1 hour 2 minutes``, ``1h02m``, ``PT12.5S``."""
    match = _DURATION_PATTERN.match(text, position)
    if match is None:
        return None
    hours = match["hours"]
    minutes = match["minutes"]
    seconds = match["seconds"]
    if not (hours or minutes or seconds):
        return None
    total_minutes = int(hours or 0) * 60 + int(minutes or 0)
    decimal_seconds = (seconds or "0").replace(",", ".")
    total_seconds = total_minutes * 60 + float(decimal_seconds)
    written = match.group().rstrip(" ,")
    end = position + len(written)
    return Timestamp(round(total_seconds, 3), position, end, TimeKind.DURATION)


def _duration_at_end(text: str) -> Timestamp | None:
    """Return a time in words at the end of a line: ``Jane Doe 1 minute 5 seconds``."""
    number_starts = [match.start() for match in _NUMBER_START_PATTERN.finditer(text)]
    # A time has up to three numbers: hours, minutes and seconds.
    for number_start in number_starts[-3:]:
        timestamp = _time_in_brackets(text, number_start, duration_at)
        if timestamp and timestamp.end == len(text):
            return timestamp
    return None


def _seconds_since_first(timestamps: Sequence[Timestamp | None]) -> list[float | None]:
    """Return times of day as seconds since the first, over midnight if they fall by half a day."""
    times_s: list[float | None] = []
    first_timestamp: Timestamp | None = None
    days_since_first_s = 0.0
    previous_s = 0.0  # from midnight before the first time
    for timestamp in timestamps:
        if timestamp is None:
            times_s.append(None)
            continue
        if first_timestamp is None:
            first_timestamp = timestamp
        if timestamp.day and first_timestamp.day:
            days_since_first_s = (timestamp.day - first_timestamp.day).days * DAY_LENGTH_S
        elif timestamp.seconds + days_since_first_s < previous_s - MAX_BACKWARD_S:
            # The clock has passed midnight.
            days_since_first_s += DAY_LENGTH_S
        previous_s = timestamp.seconds + days_since_first_s
        times_s.append(round(previous_s - first_timestamp.seconds, 3))
    return times_s


def _are_hours_and_minutes(
    timestamps: Sequence[Timestamp | None], word_counts: Sequence[int]
) -> bool:
    """Return whether clocks of two fields must be hours and minutes.

    As minutes and seconds, the words between them would be too fast.
    """
    # The seconds of a timestamp take "14:05" for 14 minutes and 5 seconds.
    clocks_s = []
    word_counts_of_clocks = []
    for timestamp, word_count in zip(timestamps, word_counts, strict=True):
        if timestamp is None:
            continue
        has_two_fields = timestamp.kind is TimeKind.CLOCK and not timestamp.has_seconds
        first_field = timestamp.seconds // 60
        may_be_hour = first_field <= LAST_HOUR
        if not has_two_fields or not may_be_hour:
            return False
        clocks_s.append(timestamp.seconds)
        word_counts_of_clocks.append(word_count)
    if len(clocks_s) < MIN_CLOCKS:
        return False
    length_s = clocks_s[-1] - clocks_s[0]
    # The words behind the last clock have no end.
    word_count_between_clocks = sum(word_counts_of_clocks[:-1])
    max_word_count = MAX_WORDS_PER_S * max(length_s, 1)
    return length_s >= 0 and word_count_between_clocks > max_word_count


def _as_time_of_day(timestamp: Timestamp | None) -> Timestamp | None:
    """Return a clock of two fields as hours and minutes."""
    if timestamp is None:
        return None
    return replace(timestamp, seconds=timestamp.seconds * 60, kind=TimeKind.TIME_OF_DAY)
