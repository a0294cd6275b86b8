"""The lines of an SRT or WebVTT file as blocks: each timing line with what stands above and below it.

Line numbers and text without a timing line must survive, which the `srt` and `webvtt-py` packages do not offer;
they are the oracles of the tests instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

TIMING = re.compile(r"^\s*(?P<start>\d[\w.,-]*:[\w:.,-]*?)\s*-{1,2}>\s*(?P<end>[^\s\[]*)(?P<rest>.*)$")
_INDEX = re.compile(r"^\s*\d+\s*$")

Row = tuple[int, str]


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
