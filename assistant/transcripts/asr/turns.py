"""Turns in JSON or JSON Lines of any schema: objects with a text, and maybe a speaker and times.

Such a file does not say whether its times are seconds, milliseconds or ticks. The unit is the one
in which people speak at a possible speed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from html import unescape
from math import log
from typing import Any

from assistant.transcripts import caption_speech
from assistant.transcripts.asr.json_fields import (
    as_seconds,
    decoded_json,
    end_after,
    speaker_from_json,
)
from assistant.transcripts.asr.json_search import (
    DURATION_KEYS,
    END_KEYS,
    START_KEYS,
    FoundSpeech,
    SpokenEntry,
    find_speech,
    key_words,
)
from assistant.transcripts.asr.timed_words import RecognisedWord, joined_pieces, split_by_words
from assistant.transcripts.speech_pieces import Parsed, Piece
from assistant.transcripts.text_decoding import RawSource
from assistant.transcripts.timestamps import recording_times, whole_time
from assistant.transcripts.title_and_date import dates

TYPICAL_WORDS_PER_S = 2.5
MAX_LINE_VALUES = 200_000  # lines of JSON Lines that are read
MAX_WORDS_PER_ENTRY = 1.3  # entries with fewer are words, not turns
MIN_WORD_ENTRIES = 5
SAMPLES_PER_S = 16_000.0
SAMPLE_STEP = 160  # times in samples are multiples of a hundredth of a second
_UNITS = {1.0: "seconds", 1000.0: "milliseconds", 1e7: "ticks of 100 nanoseconds"}
# A turn that is only a long note in brackets
_EDITORS_NOTE_PATTERN = re.compile(r"^\[[^\]]{25,}\]$")
_HTML_TAG_PATTERN = re.compile(
    r"</?(?:p|br|b|i|u|em|strong|span|div|a)\b[^<>\n]{0,300}>", re.IGNORECASE
)
_NUMBER_PATTERN = re.compile(r"^-?\d{1,18}(?:\.\d{1,12})?$")


def sniff(source: RawSource) -> bool:
    """Return whether the JSON has a list of objects that say who spoke what, or when."""
    return _found(source) is not None


def _found(source: RawSource) -> FoundSpeech | None:
    """Return the speech in JSON, or in JSON Lines, None if there is none."""
    data = decoded_json(source)
    if data is None and source.head.startswith("{"):
        data = _json_lines(source.text)
    return None if data is None else find_speech(data)


def _json_lines(text: str) -> list[Any] | None:
    """Return the value of every filled line, None unless each is JSON and there are several."""
    lines = [line for line in text.split("\n") if line.strip()]
    if not 2 <= len(lines) <= MAX_LINE_VALUES:
        return None
    try:
        return [json.loads(line) for line in lines]
    except (ValueError, RecursionError):
        return None


def parse(source: RawSource) -> Parsed:
    """Return one piece for each turn. Editors' notes in brackets are left out with a warning."""
    speech = _found(source)
    assert speech is not None  # ``sniff`` has found it
    entries = []
    note_count = 0
    for line, entry in enumerate(speech.entries, 1):
        if _EDITORS_NOTE_PATTERN.match(entry.text):
            note_count += 1
        elif entry.text:
            entries.append((line, entry))
    spans, warnings = _times([entry for _, entry in entries])
    if note_count:
        warnings.append(f"turns that are only a note in brackets, left out: {note_count}")
    turns: list[Piece] = []
    for (line, entry), (start, end) in zip(entries, spans, strict=True):
        speaker = _speaker(entry, speech.people)
        turn = Piece(_without_tags(entry.text), line, speaker, start, end, True)
        turns += split_by_words(turn, entry.word_entries)
    turns, double_count = caption_speech.without_doubles(turns)
    if double_count:
        warnings.append(
            f"turns with the time and the text of an earlier one, left out: {double_count}"
        )
    if speech.partial_count:
        warnings.append(
            f"partial results that later ones replace, left out: {speech.partial_count}"
        )
    parsed = Parsed(_joined_words(turns), warnings, language=speech.language)
    if not any(turn.speaker for turn in turns):
        parsed.pieces = caption_speech.with_speakers(parsed.pieces)
    parsed.title = speech.title
    days = dates(speech.date)
    parsed.event_date = days[0] if len(days) == 1 else None
    return parsed


def _without_tags(text: str) -> str:
    """Return a text without the tags of HTML that it may have."""
    if not _HTML_TAG_PATTERN.search(text):
        return text
    return " ".join(unescape(_HTML_TAG_PATTERN.sub(" ", text)).split())


def _speaker(entry: SpokenEntry, people: dict[str, str]) -> str | None:
    """Return the name of an entry's speaker, looked up in the list of people if it is an id."""
    speaker = entry.speaker()
    return speaker_from_json(people.get(speaker, speaker))


def _joined_words(turns: list[Piece]) -> list[Piece]:
    """Return turns, joined into sentences if each is a single word."""
    word_count = sum(len(turn.text.split()) for turn in turns)
    if len(turns) < MIN_WORD_ENTRIES or word_count > MAX_WORDS_PER_ENTRY * len(turns):
        return turns
    words = [
        RecognisedWord(
            turn.text, turn.line, turn.speaker, turn.start, turn.end, is_glued=turn.text in ".,?!"
        )
        for turn in turns
    ]
    return joined_pieces(words)


TimePair = tuple[float | None, float | None]


def _times(entries: Sequence[SpokenEntry]) -> tuple[list[TimePair], list[str]]:
    """Return start and end of every entry in seconds, and warnings about guesses."""
    written_pairs = [_written_times(entry) for entry in entries]
    if any(_is_clock(start) for start, _, _ in written_pairs):
        return _clock_times(entries, written_pairs)
    numbers = []
    for start, end, duration in written_pairs:
        start_number = as_seconds(start)
        end_number = as_seconds(end)
        if end_number is None:
            end_number = end_after(start_number, as_seconds(duration))
        numbers.append((start_number, end_number))
    keys = {key_words(entry.value(START_KEYS)[0]) for entry in entries}
    unit, warnings = _unit(entries, numbers, keys)
    return [(_scaled(start, unit), _scaled(end, unit)) for start, end in numbers], warnings


def _written_times(entry: SpokenEntry) -> tuple[Any, Any, Any]:
    """Return start, end and duration as they are written; words have those of their entry."""
    start = entry.value(START_KEYS)[1]
    end = entry.value(END_KEYS)[1]
    duration = entry.value(DURATION_KEYS)[1]
    if isinstance(start, list):
        start, end = [*start, None, None][:2]
    if start is None and entry.word_entries:
        first_word = SpokenEntry("", (entry.word_entries[0],))
        last_word = SpokenEntry("", (entry.word_entries[-1],))
        start = first_word.value(START_KEYS)[1]
        end = last_word.value(END_KEYS)[1]
    return start, end, duration


def _is_clock(value: Any) -> bool:
    return isinstance(value, str) and whole_time(value) is not None


def _clock_times(
    entries: Sequence[SpokenEntry], written_pairs: Sequence[tuple[Any, Any, Any]]
) -> tuple[list[TimePair], list[str]]:
    """Return the times of entries that are written as clocks, in words or with dates."""
    starts = [whole_time(str(start)) if start else None for start, _, _ in written_pairs]
    ends = [whole_time(str(end)) if end else None for _, end, _ in written_pairs]
    word_counts = [len(entry.text.split()) for entry in entries]
    start_seconds, warning = recording_times(starts, word_counts)
    end_seconds: list[float | None] = [None] * len(entries)
    if not warning:
        end_seconds = recording_times(ends)[0]
    times = list(zip(start_seconds, end_seconds, strict=True))
    return times, [warning] if warning else []


def _unit(
    entries: Sequence[SpokenEntry], numbers: Sequence[TimePair], keys: set[str]
) -> tuple[float, list[str]]:
    """Return the number of time units in a second, and a warning that it is guessed."""
    if any("ms" in key.split() for key in keys):
        return 1000.0, []
    if any("ticks" in key.split() for key in keys):
        return 1e7, []
    total_length = 0.0
    word_count = 0
    for entry, (start, end) in zip(entries, numbers, strict=True):
        if start is not None and end is not None:
            total_length += max(end - start, 0)
            word_count += len(entry.text.split())
    if not total_length or not word_count:
        return 1.0, []
    if entries[0].word_entries or any("seconds" in key.split() for key in keys):
        return 1.0, []
    units = dict(_UNITS)
    if any("offset" in key.split() for key in keys) and _are_samples(numbers):
        units[SAMPLES_PER_S] = "samples of sound, 16,000 per second"

    def strangeness(unit: float) -> float:
        words_per_s = word_count / (total_length / unit)
        return abs(log(words_per_s / TYPICAL_WORDS_PER_S))

    unit = min(units, key=strangeness)
    warning = f"the file does not say the unit of its times; they were read as {units[unit]}"
    return unit, [warning]


def _are_samples(numbers: Sequence[TimePair]) -> bool:
    times = [number for pair in numbers for number in pair if number is not None]
    return all(number % SAMPLE_STEP == 0 for number in times)


def _scaled(number: float | None, unit: float) -> float | None:
    return None if number is None else round(number / unit, 3)
