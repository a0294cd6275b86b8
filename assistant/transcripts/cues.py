"""Caption cues and the SRT and WebVTT lines they are read from: blocks around timing lines, clock times, mark-up.

Line numbers and text without a timing line must survive, which the ``srt`` and ``webvtt-py`` packages do not offer;
they are the oracles of the tests instead.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

_CLOCK = re.compile(r"^(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[.,:](\d{1,6}))?$")
_MARKUP = re.compile(r"</?(?:[bius]|c|v|font|ruby|rt|lang|span)(?:[.\s][^<>]*)?/?>|</?>|\{\\[^}]*\}", re.IGNORECASE)
_WORD_TIME = re.compile(r"<\d[\d:.]*>")
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad"))
TIMING = re.compile(r"^\s*(?P<start>\d[\w.,-]*:[\w:.,-]*?)\s*-{1,2}>\s*(?P<end>[^\s\[]*)(?P<rest>.*)$")
_INDEX = re.compile(r"^\s*\d+\s*$")

Row = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Cue:
    """What a caption shows between two times (seconds). ``text`` has no mark-up and keeps its line breaks.

    ``line`` is the place in the file, from 1. ``speaker`` is what the format itself says, not a label in the text.
    """

    line: int
    text: str
    start: float | None = None
    end: float | None = None
    speaker: str | None = None
    starts_turn: bool = False


def seconds(clock: str) -> float | None:
    """Return the seconds of ``[h:]mm:ss[.fff]`` (comma or point), None if it is no such time."""
    found = _CLOCK.match(clock.strip())
    if found is None:
        return None
    hours, minutes, whole, fraction = found.groups()
    return round(int(hours or 0) * 3600 + int(minutes) * 60 + float(f"{whole}.{fraction or 0}"), 3)


def span(start: str, end: str, where: str) -> tuple[float | None, float | None, str | None]:
    """Return start and end in seconds, and a warning where one of them cannot be used."""
    first, last = seconds(start), seconds(end)
    if first is None:
        return None, None, f"{where}: start {start} is not a time; the cue was kept without times"
    if last is None:
        return (
            first,
            None,
            f"{where}: end {end or '(none)'} is not a time; the cue was kept with its start only",
        )
    if last < first:
        return first, None, f"{where}: end {end} is before start {start}; the cue was kept with its start only"
    return first, last, None


def plain(text: str) -> str:
    """Return caption text without mark-up and entities, line breaks kept; any other ``<...>`` is left as text."""
    bare = html.unescape(_MARKUP.sub("", _WORD_TIME.sub("", text))).translate(_INVISIBLE)
    lines = (re.sub(r"\s+", " ", row).strip() for row in bare.split("\n"))
    return "\n".join(row for row in lines if row)


@dataclass(frozen=True, slots=True)
class Block:
    """A timing line (None for what stands before the first) with the identifier above it and the rows below it."""

    line: int
    name: str
    start: str
    end: str
    rest: str
    rows: tuple[Row, ...]
    timed: bool


def rows(text: str) -> list[Row]:
    """Return the lines of a text with their numbers from 1, whatever ends them."""
    return list(enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1))


def blocks(lines: list[Row], *, named: bool) -> Iterator[Block]:
    """Yield what stands before the first timing line, then every cue; ``named`` allows names that are no number."""
    places = [i for i, (_, row) in enumerate(lines) if TIMING.match(row)]
    heads = [_head(lines, place, named) for place in places]
    yield Block(1, "", "", "", "", tuple(lines[: heads[0] if heads else len(lines)]), False)
    for place, head, end in zip(places, heads, [*heads, len(lines)][1:], strict=True):
        number, row = lines[place]
        parts = TIMING.match(row)
        name = lines[head][1].strip() if head < place else ""
        below = tuple(lines[place + 1 : max(end, place + 1)])
        yield Block(number, name, parts["start"], parts["end"], parts["rest"].strip(), below, True)


def _head(lines: list[Row], place: int, named: bool) -> int:
    """The row where a cue begins: its timing line, or the identifier just above it."""
    if place == 0 or TIMING.match(lines[place - 1][1]):
        return place
    above = lines[place - 1][1]
    alone = place == 1 or not lines[place - 2][1].strip()
    if _INDEX.match(above) or (named and alone and above.strip()):
        return place - 1
    return place


def paragraphs(below: tuple[Row, ...], *, strict: bool) -> list[list[Row]]:
    """Return rows grouped at blank lines; ``strict`` lets only a line without any character end a group."""
    groups: list[list[Row]] = [[]]
    for number, row in below:
        if row == "" if strict else not row.strip():
            groups.append([])
        else:
            groups[-1].append((number, row))
    return groups
