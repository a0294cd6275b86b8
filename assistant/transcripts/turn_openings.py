"""Recognises how a turn opens in plain text.

A label, a name with a time, a time with a name, a bare time.

Covers the exports of Rev, Otter, Zoom, Teams, Descript, Trint, Factba.se and Premiere beside plain
labels. Knows one line and the one after it; whether an opening is believed is decided over the
whole file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from assistant.transcripts.speaker_labels import (
    MAX_HEAD_CHARACTERS,
    SpeakerLabel,
    bracketed_at,
    label_at,
    name_in,
    named,
    seconds,
)

_TIME_PATTERN = r"\d{1,2}:\d{1,2}(?::\d{1,2})?(?:[.,]\d{1,3})?"
_FRAMES = r"(?::\d{2})?"  # the fourth field of a timecode, frames, is left out
_SPAN = re.compile(
    rf"^\s*(?:\d+\s+)?(?P<start>{_TIME_PATTERN}){_FRAMES}\s*(?:-->|–|—|-)\s*(?P<end>{_TIME_PATTERN}){_FRAMES}\s*(?P<rest>.*)$"
)
_TIME_FIRST = re.compile(
    rf"^\s*(?:\*\*)?(?:[\[(]\s*(?P<start>{_TIME_PATTERN}){_FRAMES}\s*[\])]|(?P<bare>{_TIME_PATTERN})(?=\s|$))(?:\*\*)?\s*[-–|]?\s*(?P<rest>.*)$"
)
_NAME_TIME = re.compile(
    rf"^\s*(?:\*\*|__)?(?:\[\s*)?(?P<name>[^\s\[\](){{}}<>][^\[\](){{}}<>\n]{{0,59}}?)\]?(?:\*\*|__)?[\s|,–-]+(?:[\[(]\s*)?"
    rf"(?P<start>{_TIME_PATTERN})(?:\s*[-–]\s*(?P<end>{_TIME_PATTERN}))?(?:\s*[\])])?(?:\s*\(\d+\s*(?:sec|s)\))?(?:\s*:)?\s*$"
)
_NAME_TIME_TEXT = re.compile(
    rf"^\s*(?:\*\*\s*)?(?P<name>[^\s\[\](){{}}<>:][^\[\](){{}}<>\n:]{{0,59}}?)(?:\*\*)?\s*[\[(]\s*(?P<start>{_TIME_PATTERN})\s*[\])]"
    r"(?:\s*:)?\s+(?P<rest>\S.*)$"
)
_ZOOM = re.compile(rf"^\s*\[[^\]]+\]\s+{_TIME_PATTERN}\s*$")
_CHEVRON_HEAD = re.compile(r"^\s*(?:>|&gt;){2,}\s*")


@dataclass(frozen=True, slots=True)
class TurnOpening:
    """The beginning of a turn.

    ``rest`` is the speech on the same line; ``label`` is None after a bare time.

    ``kind`` groups shapes: a shape without a colon is believed only if the file has several of it.
    ``takes_next`` says that the name is on the line below.
    """

    kind: str
    label: SpeakerLabel | None
    rest: str
    start: float | None = None
    end: float | None = None
    takes_next: bool = False


def opening_at(line: str, following: str = "") -> TurnOpening | None:
    """Return how a turn begins on this line, None if nothing shows that one does."""
    if not line.strip():
        return None
    if chevron := _CHEVRON_HEAD.match(line):
        return _chevron_opening(line[chevron.end() :])
    return (
        _span_opening(line, following)
        or _name_time_opening(line)
        or _time_first_opening(line)
        or _label_opening(line)
    )


def is_wall_clock(line: str) -> bool:
    """Whether the line is Zoom's ``[Name] 11:02:09``, whose time is the time of day."""
    return bool(_ZOOM.match(line))


def _chevron_opening(text: str) -> TurnOpening:
    """Return the opening after a chevron, which opens a turn by itself; a label may follow it."""
    label = label_at(text)
    if label and label.name not in ("Q", "A"):
        return TurnOpening("chevron", replace(label, sure=True), text[label.end :])
    return TurnOpening("chevron", SpeakerLabel("", None, 0), text)


def _span_opening(line: str, following: str) -> TurnOpening | None:
    """Return ``00:00:01 --> 00:00:04 [Jane Doe]``, or a span whose name is on the line below (Teams, Premiere)."""
    match = _SPAN.match(line)
    if not match:
        return None
    start = seconds(match["start"])
    end = seconds(match["end"])
    rest = match["rest"].strip()
    if not rest:
        label = _own_line_name(following.strip())
        return TurnOpening("span", label, "", start, end, takes_next=label is not None)
    label = bracketed_at(rest) or label_at(rest)
    return TurnOpening("span", label, rest[label.end :] if label else rest, start, end)


def _own_line_name(name: str) -> SpeakerLabel | None:
    """Return a name that fills a line; ``Doe, Jane`` is turned round."""
    if not name or len(name) > 60 or name[-1] in ".?!,;":
        return None
    parts = [part.strip() for part in name.split(",")]
    turned = f"{parts[1]} {parts[0]}" if len(parts) == 2 and all(parts) else name
    bare = name_in(turned.rstrip(":"))
    return SpeakerLabel(bare, named(bare), len(name)) if bare else None


def _name_time_opening(line: str) -> TurnOpening | None:
    """Return ``Jane Doe  0:03``, ``[Jane Doe] 11:02:09``, ``Jane Doe [00:00:12] text``."""
    timed = label_at(line)
    if timed and timed.start is not None:
        return TurnOpening("label", timed, line[timed.end :], timed.start)
    head = line[:MAX_HEAD_CHARACTERS]
    for kind, pattern in (("name time", _NAME_TIME), ("name time text", _NAME_TIME_TEXT)):
        match = pattern.match(head) if pattern is _NAME_TIME_TEXT or head == line else None
        label = match and _own_line_name(match["name"].strip(" *_:"))
        if match and label:
            parts = match.groupdict()
            end = seconds(parts["end"]) if parts.get("end") else None
            rest = line[match.start("rest") :] if parts.get("rest") else ""
            return TurnOpening(kind, label, rest, seconds(parts["start"]), end)
    return None


def _time_first_opening(line: str) -> TurnOpening | None:
    """Return ``[00:00:12] Jane: text``, ``0:12 text`` or a time alone."""
    match = _TIME_FIRST.match(line)
    if not match:
        return None
    rest = match["rest"]
    start = seconds(match["start"] or match["bare"])
    kind = "time" if match["bare"] else "[time]"
    label = (
        label_at(rest)
        or bracketed_at(rest)
        or (_own_line_name(rest) if len(rest.split()) <= 3 else None)
    )
    if label is None:
        return TurnOpening(kind, None, rest, start)
    return TurnOpening(
        "time name",
        replace(label, sure=label.sure or rest[: label.end].rstrip(" *_")[-1:] in ":]"),
        rest[label.end :],
        start,
    )


def _label_opening(line: str) -> TurnOpening | None:
    """Return a label with a colon or a full stop, or a name in brackets."""
    label = label_at(line)
    if label:
        kind = "label" if line[: label.end].rstrip(" *_")[-1:] in ":;" else "full stop"
        return TurnOpening(
            "question" if label.name in ("Q", "A") else kind, label, line[label.end :], label.start
        )
    label = bracketed_at(line)
    return TurnOpening("bracket", label, line[label.end :]) if label else None
