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
    bracketed_label_at,
    label_at,
    name_in_label,
    speaker_or_none,
)
from assistant.transcripts.timestamps import (
    TimeKind,
    TimeSpan,
    Timestamp,
    duration_at,
    span_at,
    time_at,
    time_at_end,
)

MAX_TIME_POSITIONS = 4  # tried in a line, for a time behind a name
# The beginning of a line, maybe with the number of a cue: "1 00:00:01 --> 00:00:04", "**00:12** text"
_SPAN_HEAD_PATTERN = re.compile(r"\s*(?:\d{1,9}\s+(?=\d|\[))?(?:\*\*|__)?\s?")
_BOLD_HEAD_PATTERN = re.compile(r"\s*(?:\*\*|__)?")
_AFTER_TIME_PATTERN = re.compile(r"(?:\*\*|__)?\s*[-–—|·•:]?\s*")
# Arrows of signs, whose times need no brackets: "0:01 - 0:04 Good evening"
_SIGN_ARROW_PATTERN = re.compile(r"[-–—=>→⟶⇒➔➜»&;\s]+|&gt;")
# The place of a time behind a name: "Jane Doe [0:03] text"
_TIME_START_PATTERN = re.compile(r"[\[(<{【（]\s?\d|(?<=[\s|,–—-])\d")
# The length of a turn, and a colon, behind a time: "Jane Doe 0:03 (12 sec):"
_TURN_LENGTH_PATTERN = re.compile(r"(?:\s?\(\d{1,5}\s?(?:sec|s)\))?\s?:?\s?$")
_BEFORE_SPEECH_PATTERN = re.compile(r"\s{0,4}(?P<colon>:?)\s{0,4}(?:\*\*)?\s{1,4}(?=\S)")
# A role or a company behind a name: "Abara, Tom (Harbor)"
_ROLE_BRACKET_PATTERN = re.compile(r"(?<!\s)\s{0,4}[\[(][^\[\](){}<>]{1,40}[\])]$")
_ANY_BRACKET_PATTERN = re.compile(r"[\[\](){}<>]")
# Parts of a date, before a time: "March 12, 2025, 2:03PM"
_DATE_WORD_PATTERN = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\d{4}-\d|\d{1,2}[./]\d"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]{0,6}\.?\s\d"
    r"|\d{1,2}\.?\s(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))",
    re.IGNORECASE,
)
# The name of the person who made the transcript, behind a time: "11:00 You: Good morning"
_SELF_LABEL_PATTERN = re.compile(
    r"(?P<head>You|Me|Ich|Du|Sie|Moi|Vous|Yo|Tú|Io|Tu)\s?(?:\*\*)?:(?:\*\*)?\s+"
)
# A name in lower case in a chat: "[20:00:05] jane_doe: Good evening"
_NICKNAME_LABEL_PATTERN = re.compile(r"(?P<head>[^\W\d_A-Z][\w.|-]{1,30}):\s{1,4}(?=\S)")
# "[Jane Doe] 11:02:09"
_ZOOM_NAME_PATTERN = re.compile(r"\s*\[[^\[\]]{1,100}\]\s+$")
_CHEVRON_HEAD_PATTERN = re.compile(r"^\s*(?:(?:>|&gt;){2,}|[≫⋙]|»(?=\s))\s*")
_QUESTION_LABELS = ("Q", "A")
_NAME_MARKS = " *_:"
MAX_NAME_LINE_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class TurnOpening:
    """The beginning of a turn.

    ``kind`` groups shapes, such as "span", "time name" or "bracket": a shape without a colon is
    confirmed only if it occurs several times.
    ``speech`` is the text behind it on the line; ``label`` is None after a bare time. ``is_name_below``
    says that the name is on the line below. ``start_time`` and ``end_time`` are the times as
    written, from which the whole file tells the seconds ``start`` and ``end``.
    """

    kind: str
    label: SpeakerLabel | None
    speech: str
    start: float | None = None
    end: float | None = None
    is_name_below: bool = False
    start_time: Timestamp | None = None
    end_time: Timestamp | None = None

    def with_times(self, timestamp: Timestamp, stop: Timestamp | None = None) -> TurnOpening:
        """Return the opening with its times."""
        end = stop.seconds if stop else None
        return replace(self, start=timestamp.seconds, end=end, start_time=timestamp, end_time=stop)


def opening_at(line: str, next_line: str = "") -> TurnOpening | None:
    """Return how a turn begins on this line, None if nothing shows that one does."""
    if not line.strip():
        return None
    chevron = _CHEVRON_HEAD_PATTERN.match(line)
    if chevron:
        return _chevron_opening(line[chevron.end() :])
    return (
        _span_opening(line, next_line)
        or _name_time_opening(line)
        or _time_first_opening(line)
        or _label_opening(line)
    )


def opening_of_label(kind: str, label: SpeakerLabel, line: str) -> TurnOpening:
    """Return the opening of a label at the head of a line, with the time inside it."""
    speech = line[label.end :]
    opening = TurnOpening(kind, label, speech, label.start)
    if label.start is None:
        # "Jane Doe: [00:12] Good evening"
        is_bracket_behind = speech.lstrip().startswith(("[", "("))
        time_behind = time_at(speech) if is_bracket_behind else None
        if time_behind is None:
            return opening
        return replace(opening, speech=speech[time_behind.end :]).with_times(time_behind)
    # "Jane Doe [00:12]: Good evening"
    written_label = line[: label.end].rstrip(" *_:;：\t")
    timestamp = time_at_end(written_label) or Timestamp(label.start, 0, label.end)
    return opening.with_times(timestamp)


def _chevron_opening(text: str) -> TurnOpening:
    """Return the opening after a chevron, which opens a turn by itself. A label may follow it."""
    label = label_at(text)
    if label and label.name not in _QUESTION_LABELS:
        return TurnOpening("chevron", replace(label, is_sure=True), text[label.end :])
    return TurnOpening("chevron", SpeakerLabel("", None, 0), text)


def _span_opening(line: str, next_line: str) -> TurnOpening | None:
    """Return ``00:00:01 --> 00:00:04 [Jane Doe]``, or a span with the name on the next line.

    The second form is that of Teams and Premiere.
    """
    span = span_at(line, _position_behind(_SPAN_HEAD_PATTERN, line, 0))
    if span is None or not _are_times_of_turn(span, line):
        return None
    text_start = _position_behind(_BOLD_HEAD_PATTERN, line, span.end)
    text = line[text_start:].strip()
    if not text:
        # The times stand alone on their line.
        label = _label_filling_line(next_line.strip())
        opening = TurnOpening("span", label, "", is_name_below=label is not None)
        return opening.with_times(span.start, span.stop)
    label = bracketed_label_at(text) or label_at(text)
    spoken = text[label.end :] if label else text
    return TurnOpening("span", label, spoken).with_times(span.start, span.stop)


def _are_times_of_turn(span: TimeSpan, line: str) -> bool:
    """Return whether two times open a turn: in a sentence, they are "9:30 to 11:00"."""
    has_text_behind = bool(line[span.end :].strip(" *_"))
    is_in_brackets = not line[span.begin].isdigit()
    if is_in_brackets or not has_text_behind:
        return True
    # The times of a turn are joined by a sign, not by a word like "to".
    are_clocks = TimeKind.DURATION not in (span.start.kind, span.stop.kind)
    is_arrow_a_sign = _SIGN_ARROW_PATTERN.fullmatch(span.arrow) is not None
    return are_clocks and is_arrow_a_sign


def _position_behind(pattern: re.Pattern[str], text: str, position: int) -> int:
    """Return the position behind a pattern at a position of a text."""
    match = pattern.match(text, position)
    return match.end() if match else position


def _label_filling_line(name: str) -> SpeakerLabel | None:
    """Return a name that fills a line. ``Doe, Jane`` becomes ``Jane Doe``."""
    if not name or len(name) > MAX_NAME_LINE_CHARACTERS or name[-1] in ".?!,;":
        return None
    if _DATE_WORD_PATTERN.search(name):
        return None
    # "Doe, Jane"
    names_around_comma = [text.strip() for text in name.split(",")]
    ordered_name = name
    if len(names_around_comma) == 2 and all(names_around_comma):
        surname, forename = names_around_comma
        ordered_name = f"{forename} {surname}"
    label_name = name_in_label(ordered_name.rstrip(":"))
    if not label_name:
        return None
    return SpeakerLabel(label_name, speaker_or_none(label_name), len(name))


def _name_time_opening(line: str) -> TurnOpening | None:
    """Return ``Jane Doe  0:03``, ``[Jane Doe] 11:02:09``, ``Jane Doe [00:00:12] text``."""
    label = label_at(line)
    if label and label.start is not None:
        return opening_of_label("label", label, line)
    head = line[:MAX_HEAD_CHARACTERS]
    if not any(character.isdigit() for character in head):
        return None
    if head == line:
        opening = _name_line_opening(line)
        if opening:
            return opening
    return _name_time_text_opening(line, head)


def _name_line_opening(line: str) -> TurnOpening | None:
    """Return ``Jane Doe  0:03``, ``[Jane Doe] 11:02:09``, ``Jane Doe 0:03 - 0:09``."""
    text = _TURN_LENGTH_PATTERN.sub("", line.rstrip(" *_")).rstrip(" *_")
    text = _without_brackets(text)
    for position in _time_positions(text):
        span = span_at(text, position)
        if span and span.end == len(text):
            label = _label_before_time(text[:position])
            if label:
                return TurnOpening("name time", label, "").with_times(span.start, span.stop)
    timestamp = time_at_end(text)
    if timestamp is None:
        return None
    name_text = text[: timestamp.begin]
    label = _label_before_time(name_text)
    if label is None:
        return None
    kind = "name duration" if timestamp.kind is TimeKind.DURATION else "name time"
    if _ZOOM_NAME_PATTERN.match(name_text):
        # Zoom writes times of day.
        timestamp = replace(timestamp, kind=TimeKind.TIME_OF_DAY)
    return TurnOpening(kind, label, "").with_times(timestamp)


def _without_brackets(text: str) -> str:
    """Return a line without the brackets around all of it: ``[Jane Doe, 0:03]``."""
    stripped = text.strip(" *_")
    if stripped[:1] == "[" and stripped.find("]") == len(stripped) - 1:
        return stripped[1:-1].strip()
    return text


def _time_positions(text: str) -> list[int]:
    """Return the positions of a text where a time may begin behind a name."""
    positions = [match.start() for match in _TIME_START_PATTERN.finditer(text) if match.start() > 0]
    return positions[:MAX_TIME_POSITIONS]


def _name_time_text_opening(line: str, head: str) -> TurnOpening | None:
    """Return ``Jane Doe [00:00:12] text``, ``Jane Doe 10:02 AM: text``."""
    for position in _time_positions(head):
        is_in_brackets = not line[position].isdigit()
        times = _times_at(line, position, is_in_brackets)
        if times is None:
            continue
        # The colon and the spaces between the time and the speech
        gap = _BEFORE_SPEECH_PATTERN.match(line, times.end)
        if gap is None:
            continue
        # A bare time needs a colon: "Jane Doe 10:02 AM: text"
        if not is_in_brackets and not gap["colon"]:
            continue
        name_text = line[:position]
        label = None if ":" in name_text else _label_before_time(name_text)
        if label is not None:
            opening = TurnOpening("name time text", label, line[gap.end() :])
            return opening.with_times(times.start, times.stop)
    return None


@dataclass(frozen=True, slots=True)
class _Times:
    """A time, or two, which end at a character of the line."""

    start: Timestamp
    stop: Timestamp | None
    end: int


def _times_at(line: str, position: int, is_in_brackets: bool) -> _Times | None:
    """Return a time or a span of times at a position of a line."""
    text = line
    if not is_in_brackets:
        # In "12:30: Good evening" the second colon ends the time.
        colon = line.find(": ", position)
        text = line[:colon] if colon > 0 else line
    span = span_at(text, position)
    if span:
        return _Times(span.start, span.stop, span.end)
    timestamp = time_at(text, position)
    if timestamp:
        return _Times(timestamp, None, timestamp.end)
    return None


def without_role(name: str) -> str:
    """Return a name without a role or a company in brackets behind it."""
    return _ROLE_BRACKET_PATTERN.sub("", name.strip())


def _label_before_time(text: str) -> SpeakerLabel | None:
    """Return the name that fills the text before a time, without a role in brackets."""
    name = text.strip(f"{_NAME_MARKS}|,–—·•-\t")
    if name[:1] == "[" and name[-1:] == "]":
        name = name[1:-1]
    name = without_role(name).strip(_NAME_MARKS)
    if _ANY_BRACKET_PATTERN.search(name):
        return None
    return _label_filling_line(name)


def _time_first_opening(line: str) -> TurnOpening | None:
    """Return ``[00:00:12] Jane: text``, ``0:12 text``, ``10:02 AM Jane: text`` or a time alone."""
    # The time may be in brackets or bold: "[00:00:12]", "**0:12**".
    head_end = _position_behind(_BOLD_HEAD_PATTERN, line, 0)
    timestamp = time_at(line, head_end)
    if timestamp is None:
        return _duration_first_opening(line, head_end)
    has_brackets = not line[head_end:].lstrip()[0].isalnum()
    next_character = line[timestamp.end : timestamp.end + 1]
    ends_word = next_character in ("", "*", "_", ":") or next_character.isspace()
    if not has_brackets and not ends_word:
        return None
    text = line[_position_behind(_AFTER_TIME_PATTERN, line, timestamp.end) :]
    if not text.strip():
        is_bare_duration = timestamp.kind is TimeKind.DURATION and not has_brackets
        kind = "duration alone" if is_bare_duration else "time alone"
        return TurnOpening(kind, None, "").with_times(timestamp)
    # "0:12 Jane: text"
    label = _label_behind_time(text)
    if label:
        last_character = text[: label.end].rstrip(" *_")[-1:]
        has_mark = last_character in ("", ":", "]")
        sure_label = replace(label, is_sure=label.is_sure or has_mark)
        opening = TurnOpening("time name", sure_label, text[label.end :])
        return opening.with_times(timestamp)
    # "0:12 jane_77: text"
    nickname = _NICKNAME_LABEL_PATTERN.match(text)
    if nickname:
        name = nickname["head"]
        nickname_label = SpeakerLabel(name, speaker_or_none(name), nickname.end(), is_sure=False)
        speech = text[nickname.end() :]
        return TurnOpening("time nickname", nickname_label, speech).with_times(timestamp)
    kind = "[time]" if has_brackets else "time"
    return TurnOpening(kind, None, text).with_times(timestamp)


def _duration_first_opening(line: str, position: int) -> TurnOpening | None:
    """Return ``1 min 2 sec Jane: text``; without a label, such words are speech."""
    duration = duration_at(line, position)
    if duration is None:
        return None
    label = label_at(line[duration.end :])
    if label is None:
        return None
    speech = line[duration.end + label.end :]
    return TurnOpening("duration name", label, speech).with_times(duration)


def _label_behind_time(text: str) -> SpeakerLabel | None:
    label = label_at(text) or bracketed_label_at(text)
    if label:
        return label
    self_label = _SELF_LABEL_PATTERN.match(text)
    if self_label:
        name = self_label["head"]
        return SpeakerLabel(name, name, self_label.end())
    if len(text.split()) <= 3:
        return _label_filling_line(text)
    return None


def _label_opening(line: str) -> TurnOpening | None:
    """Return a label with a colon or a full stop, or a name in brackets."""
    label = label_at(line)
    if label is None:
        bracketed_label = bracketed_label_at(line)  # "[Jane Doe] Good evening"
        if bracketed_label is None:
            return None
        return TurnOpening("bracket", bracketed_label, line[bracketed_label.end :])
    # The mark that ends the label, behind which bold type may end
    last_character = line[: label.end].rstrip(" *_")[-1:]
    kind = "label" if last_character in ("", ":", ";") else "full stop"
    if label.name in _QUESTION_LABELS:
        kind = "question"
    return opening_of_label(kind, label, line)
