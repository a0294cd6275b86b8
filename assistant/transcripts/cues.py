"""Cues as SRT and WebVTT files write them.

Blocks of lines around timing lines, clock times, mark-up.

Line numbers and text without a timing line must survive, which the ``srt`` and ``webvtt-py``
packages do not offer; they are the oracles of the tests instead.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

_CLOCK = re.compile(r"^(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[.,:](\d{1,6}))?$")
_MARKUP = re.compile(
    r"</?(?:[bius]|c|v|font|ruby|rt|lang|span)(?:[.\s][^<>]*)?/?>|</?>|\{\\[^{}]*\}", re.IGNORECASE
)
_WORD_TIME = re.compile(r"<\d[\d:.]*>")
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad"))
TIMING = re.compile(
    r"^\s*(?P<start>\d[\w.,-]*:[\w:.,-]*?)\s*-{1,2}>\s*(?P<end>[^\s\[]*)(?P<rest>.*)$"
)
_INDEX = re.compile(r"^\s*\d+\s*$")

MAX_NUMBER_DIGITS = 15  # digits
MAX_SHOWN_CHARACTERS = 40  # characters of a wrong time in a warning

SourceLine = tuple[int, str]


def is_number(text: str) -> bool:
    """Return whether a text is the number of a cue; Python refuses to read thousands of digits."""
    return text.isdecimal() and len(text) <= MAX_NUMBER_DIGITS


def seconds(clock: str) -> float | None:
    """Return the seconds of ``[h:]mm:ss[.fff]`` (comma or point), None if it is no such time."""
    parts = _CLOCK.match(clock.strip())
    if parts is None:
        return None
    hours, minutes, whole, fraction = parts.groups()
    return round(int(hours or 0) * 3600 + int(minutes) * 60 + float(f"{whole}.{fraction or 0}"), 3)


def span(start: str, end: str, where: str) -> tuple[float | None, float | None, list[str]]:
    """Return start and end in seconds, and a warning where one of them cannot be used."""
    first = seconds(start)
    last = seconds(end)
    if first is None:
        return (
            None,
            None,
            [
                f"{where}: start {start[:MAX_SHOWN_CHARACTERS]} is not a time; the cue was kept without times"
            ],
        )
    wrong = (
        "is not a time"
        if last is None
        else f"is before start {start[:MAX_SHOWN_CHARACTERS]}"
        if last < first
        else ""
    )
    if wrong:
        return (
            first,
            None,
            [
                f"{where}: end {end[:MAX_SHOWN_CHARACTERS] or '(none)'} {wrong}; the cue was kept with its start only"
            ],
        )
    return first, last, []


def without_markup(text: str) -> str:
    """Return caption text without mark-up and entities, line breaks kept.

    Any other ``<...>`` is left as text.
    """
    return tidy(html.unescape(_MARKUP.sub("", _WORD_TIME.sub("", text))).translate(_INVISIBLE))


def tidy(text: str) -> str:
    """Return the filled lines of a text with single spaces."""
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


@dataclass(frozen=True, slots=True)
class CueBlock:
    """A timing line with the identifier above it and the rows below it.

    The first block has neither line nor times.
    """

    line: int
    name: str
    start: str
    end: str
    rest: str
    rows: tuple[SourceLine, ...]
    timed: bool


def blocks(text: str, *, named: bool) -> Iterator[CueBlock]:
    """Yield what comes before the first timing line, then every cue.

    Identifiers may be ``named``, not numbers.
    """
    lines = list(enumerate(text.split("\n"), 1))
    places = [i for i, (_, row) in enumerate(lines) if TIMING.match(row)]
    heads = [_head(lines, place, named) for place in places]
    yield CueBlock(1, "", "", "", "", tuple(lines[: heads[0] if heads else len(lines)]), False)
    for place, head, end in zip(places, heads, [*heads, len(lines)][1:], strict=True):
        number, row = lines[place]
        parts = TIMING.match(row)
        assert parts is not None  # ``places`` lists the rows that match
        name = lines[head][1].strip() if head < place else ""
        below = tuple(lines[place + 1 : max(end, place + 1)])
        yield CueBlock(
            number, name, parts["start"], parts["end"], parts["rest"].strip(), below, True
        )


def _head(lines: list[SourceLine], place: int, named: bool) -> int:
    """Return the row where a cue begins: its timing line, or the identifier just above it."""
    if place == 0 or TIMING.match(lines[place - 1][1]):
        return place
    above = lines[place - 1][1]
    alone = place == 1 or not lines[place - 2][1].strip()
    return place - 1 if _INDEX.match(above) or (named and alone and above.strip()) else place


def paragraphs(below: tuple[SourceLine, ...], *, strict: bool) -> list[list[SourceLine]]:
    """Return rows grouped at blank lines.

    ``strict`` lets only a line without any character end a group.
    """
    groups: list[list[SourceLine]] = [[]]
    for number, row in below:
        if row == "" if strict else not row.strip():
            groups.append([])
        else:
            groups[-1].append((number, row))
    return groups
