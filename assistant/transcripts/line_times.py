"""Times at the head of lines that the grammar of times does not have, in its own spelling.

``00.00.12`` and ``0'12"`` become clocks with colons. A time that no clock shows, such as 00:75:10,
is taken off, and a warning quotes it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from assistant.transcripts.numbered_lines import NumberedLine
from assistant.transcripts.timestamps import impossible_time, seconds_of

MIN_DOTTED_TIMES = 3
MAX_SHOWN_TIMES = 5

# 00.00.12, maybe in brackets
_DOTTED_CLOCK_PATTERN = re.compile(
    r"^(?P<open>\s*[\[(]?)(?P<clock>\d{1,2}\.[0-5]\d\.[0-5]\d)(?P<close>[\])]?)(?=\s|$)"
)
# Minutes and seconds: 0'12", 0′12″
_PRIME_CLOCK_PATTERN = re.compile(
    r"""
    ^(?P<open>\s*[\[(]?)
    (?P<minutes>\d{1,3})\s?['’′]\s?
    (?P<seconds>[0-5]\d)\s?(?:[\"”″]|['’′]{2})
    (?P<close>[\])]?)
    (?=\s|$)
    """,
    re.VERBOSE,
)
_CLOCK_AT_HEAD_PATTERN = re.compile(
    r"^\s*[\[(]?(?P<clock>\d{1,3}(?::\d{1,2}){1,2}(?:[.,]\d{1,3})?)[\])]?(?=\s|$)\s*"
)


def with_usual_times(lines: Sequence[NumberedLine]) -> tuple[list[NumberedLine], list[str]]:
    """Return lines whose first times are written with colons, and a warning about impossible ones."""
    usual_lines = _with_colons_for_dots(lines)
    impossible_clocks = []
    for index, line in enumerate(usual_lines):
        # Most lines begin with a letter, and need not be matched with the patterns below.
        first_characters = line.text[:8].strip(" [(")
        if not first_characters[:1].isdigit():
            continue
        # 12′05″
        prime_clock = _PRIME_CLOCK_PATTERN.match(line.text)
        if prime_clock:
            clock = f"{prime_clock['minutes']}:{prime_clock['seconds']}"
            usual_lines[index] = _with_clock(line, prime_clock, clock)
            continue
        clock_at_head = _CLOCK_AT_HEAD_PATTERN.match(line.text)
        if clock_at_head and impossible_time(clock_at_head["clock"]):
            impossible_clocks.append(f"line {line.number} “{clock_at_head['clock']}”")
            usual_lines[index] = replace(line, text=line.text[clock_at_head.end() :])
    if not impossible_clocks:
        return usual_lines, []
    shown_clocks = ", ".join(impossible_clocks[:MAX_SHOWN_TIMES])
    warning = f"times that no clock shows, left out ({len(impossible_clocks)}): {shown_clocks}"
    return usual_lines, [warning]


def _with_colons_for_dots(lines: Sequence[NumberedLine]) -> list[NumberedLine]:
    """Return lines with 00:00:12 for 00.00.12, if such numbers at their head are times."""
    dotted_clocks = [_DOTTED_CLOCK_PATTERN.match(line.text) for line in lines]
    if not _are_times([match["clock"] for match in dotted_clocks if match]):
        return list(lines)
    usual_lines = []
    for line, match in zip(lines, dotted_clocks, strict=True):
        if match:
            line = _with_clock(line, match, match["clock"].replace(".", ":"))
        usual_lines.append(line)
    return usual_lines


def _with_clock(line: NumberedLine, match: re.Match[str], clock: str) -> NumberedLine:
    """Return a line whose time is written as a clock."""
    head = f"{match['open']}{clock}{match['close']}"
    return replace(line, text=head + line.text[match.end() :])


def _are_times(dotted_clocks: Sequence[str]) -> bool:
    """Return whether numbers with full stops are times: they grow, as dates and versions do not."""
    times = [seconds_of(clock.replace(".", ":")) or 0.0 for clock in dotted_clocks]
    if len(times) < MIN_DOTTED_TIMES:
        return False
    never_falls = all(time <= next_time for time, next_time in pairwise(times))
    return never_falls and times[0] < times[-1]
