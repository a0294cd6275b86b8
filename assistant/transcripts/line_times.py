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

_DOTTED_CLOCK_PATTERN = re.compile(
    r"^(?P<open>\s*[\[(]?)(?P<clock>\d{1,2}\.[0-5]\d\.[0-5]\d)(?P<close>[\])]?)(?=\s|$)"
)
# Minutes and seconds: 0'12", 0′12″
_PRIME_CLOCK_PATTERN = re.compile(
    r"^(?P<open>\s*[\[(]?)(?P<minutes>\d{1,3})\s?['’′]\s?(?P<seconds>[0-5]\d)\s?(?:[\"”″]|['’′]{2})(?P<close>[\])]?)(?=\s|$)"
)
_CLOCK_AT_HEAD_PATTERN = re.compile(
    r"^\s*[\[(]?(?P<clock>\d{1,3}(?::\d{1,2}){1,2}(?:[.,]\d{1,3})?)[\])]?(?=\s|$)\s*"
)


def with_usual_times(lines: Sequence[NumberedLine]) -> tuple[list[NumberedLine], list[str]]:
    """Return lines whose first times are written with colons, and a warning about impossible ones."""
    usual_lines = list(lines)
    dotted_clocks = [_DOTTED_CLOCK_PATTERN.match(line.text) for line in lines]
    if _are_times([match["clock"] for match in dotted_clocks if match]):
        for index, match in enumerate(dotted_clocks):
            if match:
                clock = match["clock"].replace(".", ":")
                usual_lines[index] = _with_head(lines[index], match, clock)
    impossible = []
    for index, line in enumerate(usual_lines):
        if not line.text[:8].strip(" [(")[:1].isdigit():
            continue
        prime_clock = _PRIME_CLOCK_PATTERN.match(line.text)
        if prime_clock:
            clock = f"{prime_clock['minutes']}:{prime_clock['seconds']}"
            usual_lines[index] = _with_head(line, prime_clock, clock)
            continue
        match = _CLOCK_AT_HEAD_PATTERN.match(line.text)
        if match and impossible_time(match["clock"]):
            impossible.append(f"line {line.number} “{match['clock']}”")
            usual_lines[index] = replace(line, text=line.text[match.end() :])
    if not impossible:
        return usual_lines, []
    shown = ", ".join(impossible[:MAX_SHOWN_TIMES])
    warning = f"times that no clock shows, left out ({len(impossible)}): {shown}"
    return usual_lines, [warning]


def _with_head(line: NumberedLine, match: re.Match[str], clock: str) -> NumberedLine:
    """Return a line whose time is written as a clock."""
    head = f"{match['open']}{clock}{match['close']}"
    return replace(line, text=head + line.text[match.end() :])


def _are_times(dotted_clocks: Sequence[str]) -> bool:
    """Return whether numbers with full stops are times: they grow, as dates and versions do not."""
    times = [seconds_of(clock.replace(".", ":")) or 0.0 for clock in dotted_clocks]
    if len(times) < MIN_DOTTED_TIMES:
        return False
    is_ordered = all(time <= following for time, following in pairwise(times))
    return is_ordered and times[0] < times[-1]
