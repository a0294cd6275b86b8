"""Recognises how a turn opens in plain text: by a label, a name, a time, or several of them.

It covers the exports of Rev, Otter, Zoom, Teams, Descript, Trint, Factba.se and Premiere besides
plain labels. This module knows one line and the next one; the whole file decides whether an
opening is confirmed.
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
# "00:00:01 --> 00:00:04 [Jane Doe]"
_SPAN = re.compile(
    rf"^\s*(?:\d+\s+)?(?P<start>{_TIME_PATTERN}){_FRAMES}\s*(?:-->|–|—|-)\s*(?P<end>{_TIME_PATTERN}){_FRAMES}\s*(?P<rest>.*)$"
)
# "[00:00:12] Jane: text" or "0:12 text"
_TIME_FIRST = re.compile(
    rf"^\s*(?:\*\*)?(?:[\[(]\s*(?P<start>{_TIME_PATTERN}){_FRAMES}\s*[\])]|(?P<bare>{_TIME_PATTERN})(?=\s|$))(?:\*\*)?\s*[-–|]?\s*(?P<rest>.*)$"
)
# "Jane Doe  0:03" and nothing else
_NAME_TIME = re.compile(
    rf"^\s*(?:\*\*|__)?(?:\[\s*)?(?P<name>[^\s\[\](){{}}<>][^\[\](){{}}<>\n]{{0,59}}?)\]?(?:\*\*|__)?[\s|,–-]+(?:[\[(]\s*)?"
    rf"(?P<start>{_TIME_PATTERN})(?:\s*[-–]\s*(?P<end>{_TIME_PATTERN}))?(?:\s*[\])])?(?:\s*\(\d+\s*(?:sec|s)\))?(?:\s*:)?\s*$"
)
# "Jane Doe [00:00:12] text"
_NAME_TIME_TEXT = re.compile(
    rf"^\s*(?:\*\*\s*)?(?P<name>[^\s\[\](){{}}<>:][^\[\](){{}}<>\n:]{{0,59}}?)(?:\*\*)?\s*[\[(]\s*(?P<start>{_TIME_PATTERN})\s*[\])]"
    r"(?:\s*:)?\s+(?P<rest>\S.*)$"
)
# "[Jane Doe] 11:02:09"
_ZOOM = re.compile(rf"^\s*\[[^\]]+\]\s+{_TIME_PATTERN}\s*$")
_CHEVRON_HEAD = re.compile(r"^\s*(?:>|&gt;){2,}\s*")
_QUESTION_LABELS = ("Q", "A")
_NAME_MARKS = " *_:"
MAX_NAME_LINE_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class TurnOpening:
    """The beginning of a turn.

    ``kind`` groups shapes: a shape without a colon is confirmed only if it occurs several times.
    ``rest`` is the speech on the same line; ``label`` is None after a bare time. ``takes_next``
    says that the name is on the line below.
    """

    kind: str
    label: SpeakerLabel | None
    rest: str
    start: float | None = None
    end: float | None = None
    takes_next: bool = False


def opening_at(line: str, next_line: str = "") -> TurnOpening | None:
    """Return how a turn begins on this line, None if nothing shows that one does."""
    if not line.strip():
        return None
    chevron = _CHEVRON_HEAD.match(line)
    if chevron:
        return _chevron_opening(line[chevron.end() :])
    return (
        _span_opening(line, next_line)
        or _name_time_opening(line)
        or _time_first_opening(line)
        or _label_opening(line)
    )


def is_wall_clock(line: str) -> bool:
    """Return whether the line is Zoom's ``[Name] 11:02:09``, whose time is the time of day."""
    return bool(_ZOOM.match(line))


def _chevron_opening(text: str) -> TurnOpening:
    """Return the opening after a chevron, which opens a turn by itself. A label may follow it."""
    label = label_at(text)
    if label and label.name not in _QUESTION_LABELS:
        return TurnOpening("chevron", replace(label, sure=True), text[label.end :])
    return TurnOpening("chevron", SpeakerLabel("", None, 0), text)


def _span_opening(line: str, next_line: str) -> TurnOpening | None:
    """Return ``00:00:01 --> 00:00:04 [Jane Doe]``, or a span with the name on the next line.

    The second form is that of Teams and Premiere.
    """
    match = _SPAN.match(line)
    if not match:
        return None
    start = seconds(match["start"])
    end = seconds(match["end"])
    text = match["rest"].strip()
    if not text:
        label = _own_line_name(next_line.strip())
        return TurnOpening("span", label, "", start, end, takes_next=label is not None)
    label = bracketed_at(text) or label_at(text)
    spoken = text[label.end :] if label else text
    return TurnOpening("span", label, spoken, start, end)


def _own_line_name(name: str) -> SpeakerLabel | None:
    """Return a name that fills a line. ``Doe, Jane`` becomes ``Jane Doe``."""
    if not name or len(name) > MAX_NAME_LINE_CHARACTERS or name[-1] in ".?!,;":
        return None
    name_parts = [part.strip() for part in name.split(",")]
    ordered_name = name
    if len(name_parts) == 2 and all(name_parts):
        surname, forename = name_parts
        ordered_name = f"{forename} {surname}"
    label_name = name_in(ordered_name.rstrip(":"))
    if not label_name:
        return None
    return SpeakerLabel(label_name, named(label_name), len(name))


def _name_time_opening(line: str) -> TurnOpening | None:
    """Return ``Jane Doe  0:03``, ``[Jane Doe] 11:02:09``, ``Jane Doe [00:00:12] text``."""
    label = label_at(line)
    if label and label.start is not None:
        return TurnOpening("label", label, line[label.end :], label.start)
    head = line[:MAX_HEAD_CHARACTERS]
    if head == line:
        match = _NAME_TIME.match(line)
        name_label = _own_line_name(match["name"].strip(_NAME_MARKS)) if match else None
        if match and name_label:
            end = seconds(match["end"]) if match["end"] else None
            return TurnOpening("name time", name_label, "", seconds(match["start"]), end)
    match = _NAME_TIME_TEXT.match(head)
    name_label = _own_line_name(match["name"].strip(_NAME_MARKS)) if match else None
    if match and name_label:
        text = line[match.start("rest") :]
        return TurnOpening("name time text", name_label, text, seconds(match["start"]))
    return None


def _time_first_opening(line: str) -> TurnOpening | None:
    """Return ``[00:00:12] Jane: text``, ``0:12 text`` or a time alone."""
    match = _TIME_FIRST.match(line)
    if not match:
        return None
    text = match["rest"]
    start = seconds(match["start"] or match["bare"])
    label = label_at(text) or bracketed_at(text)
    if label is None and len(text.split()) <= 3:
        label = _own_line_name(text)
    if label is None:
        kind = "time" if match["bare"] else "[time]"
        return TurnOpening(kind, None, text, start)
    # "" is in every text: a label without a last mark is sure.
    last_mark = text[: label.end].rstrip(" *_")[-1:]
    sure_label = replace(label, sure=label.sure or last_mark in ":]")
    return TurnOpening("time name", sure_label, text[label.end :], start)


def _label_opening(line: str) -> TurnOpening | None:
    """Return a label with a colon or a full stop, or a name in brackets."""
    label = label_at(line)
    if label is None:
        label = bracketed_at(line)
        return TurnOpening("bracket", label, line[label.end :]) if label else None
    last_mark = line[: label.end].rstrip(" *_")[-1:]
    kind = "label" if last_mark in ":;" else "full stop"
    if label.name in _QUESTION_LABELS:
        kind = "question"
    return TurnOpening(kind, label, line[label.end :], label.start)
