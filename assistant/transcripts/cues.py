"""Caption cues, whatever file they come from: their times, their mark-up, and lines that rolling captions repeat.

Knows cues and no file format; srt.py, webvtt.py, ttml.py, scc.py and youtube_json3.py each read one into these.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

ROLLING_SHARE = 0.3  # at least this share of neighbouring cues repeat a line before repetition counts as rolling
ROLLING_PAIRS = 2

_CLOCK = re.compile(r"^(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[.,:](\d{1,6}))?$")
_MARKUP = re.compile(r"</?(?:[bius]|c|v|font|ruby|rt|lang|span)(?:[.\s][^<>]*)?/?>|</?>|\{\\[^}]*\}", re.IGNORECASE)
_WORD_TIME = re.compile(r"<\d[\d:.]*>")
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad"))


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


def unroll(cues: Sequence[Cue]) -> tuple[list[Cue], int]:
    """Return the cues with only what each adds to the one before, and how many cues repeated something.

    Rolling captions (YouTube's automatic ones, broadcast roll-up) show each line two or three times. A line said
    twice by a person must stay, so nothing is changed unless repetition is the habit of the whole file.
    """
    rows = [cue.text.split("\n") if cue.text else [] for cue in cues]
    overlaps = [_overlap(old, new) for old, new in zip([[], *rows], rows, strict=False)]
    repeats = sum(kept != new for kept, new in zip(overlaps, rows, strict=True))
    if repeats < ROLLING_PAIRS or repeats < ROLLING_SHARE * (len(cues) - 1):
        return list(cues), 0
    return [replace(cue, text="\n".join(kept)) for cue, kept in zip(cues, overlaps, strict=True) if kept], repeats


def _overlap(old: list[str], new: list[str]) -> list[str]:
    """What ``new`` shows beyond the tail of ``old``; the last shared line may have grown."""
    for shared in range(min(len(old), len(new)), 0, -1):
        last, grown = old[-1], new[shared - 1]
        if old[-shared:-1] == new[: shared - 1] and (grown == last or grown.startswith(last + " ")):
            rest = grown[len(last) :].strip()
            return [*([rest] if rest else []), *new[shared:]]
    return new


def once(cues: Sequence[Cue]) -> tuple[list[Cue], int]:
    """Return the cues without doubles (same times and text, as in joined stream segments), and how many there were."""
    seen: set[tuple[float | None, float | None, str]] = set()
    kept = [cue for cue in cues if cue.start is None or _first(seen, (cue.start, cue.end, cue.text))]
    return kept, len(cues) - len(kept)


def _first(seen: set, key: tuple) -> bool:
    known = key in seen
    seen.add(key)
    return not known


def out_of_order(cues: Sequence[Cue]) -> Iterator[int]:
    """Yield the line of every cue that starts before the one above it."""
    latest = None
    for cue in cues:
        if cue.start is None:
            continue
        if latest is not None and cue.start < latest:
            yield cue.line
        latest = cue.start
