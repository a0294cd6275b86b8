"""Turns in JSON or JSON Lines of any schema: objects with a text, and maybe a speaker and times.

Such a file does not say whether its times are seconds, milliseconds or ticks. The unit is the one
in which people speak at a possible speed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import unescape
from math import log
from typing import Any

from assistant.transcripts import caption_speech
from assistant.transcripts.asr.json_fields import (
    MILLISECONDS_PER_S,
    decoded_json,
    end_after,
    seconds_or_none,
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
from assistant.transcripts.asr.timed_words import RecognisedWord, pieces_of_words, split_by_words
from assistant.transcripts.speech_pieces import ParsedTranscript, SpeechPiece
from assistant.transcripts.text_decoding import RawSource
from assistant.transcripts.timestamps import recording_times, whole_time
from assistant.transcripts.title_and_date import only_date_in_text

TYPICAL_WORDS_PER_S = 2.5
MAX_LINE_VALUES = 200_000  # lines of JSON Lines that are read
MAX_WORDS_PER_ENTRY = 1.3  # entries with fewer are words, not turns
MIN_WORD_ENTRIES = 5
SAMPLES_PER_S = 16_000.0
SAMPLE_STEP = 160  # times in samples are multiples of a hundredth of a second
TICKS_PER_S = 1e7
# Names of units of time, by the number of units in a second
_UNIT_NAMES = {
    1.0: "seconds",
    MILLISECONDS_PER_S: "milliseconds",
    TICKS_PER_S: "ticks of 100 nanoseconds",
}
# A turn that is only a long note in brackets
_EDITORS_NOTE_PATTERN = re.compile(r"^\[[^\]]{25,}\]$")
_HTML_TAG_PATTERN = re.compile(
    r"</?(?:p|br|b|i|u|em|strong|span|div|a)\b[^<>\n]{0,300}>", re.IGNORECASE
)
_NUMBER_PATTERN = re.compile(r"^-?\d{1,18}(?:\.\d{1,12})?$")


def sniff(source: RawSource) -> bool:
    """Return whether the JSON has a list of objects that say who spoke what, or when."""
    return _find_speech_in(source) is not None


def _find_speech_in(source: RawSource) -> FoundSpeech | None:
    """Return the speech in JSON, or in JSON Lines, None if there is none."""
    data = decoded_json(source)
    if data is None and source.head.startswith("{"):
        data = _json_lines(source.text)
    if data is None:
        return None
    return find_speech(data)


def _json_lines(text: str) -> list[Any] | None:
    """Return the value of every filled line, None unless each is JSON and there are several."""
    lines = [line for line in text.split("\n") if line.strip()]
    if not 2 <= len(lines) <= MAX_LINE_VALUES:
        return None
    try:
        return [json.loads(line) for line in lines]
    except (ValueError, RecursionError):
        return None


def parse(source: RawSource) -> ParsedTranscript:
    """Return one piece for each turn. Editors' notes in brackets are left out with a warning."""
    speech = _find_speech_in(source)
    assert speech is not None  # ``sniff`` has found it
    entries: list[SpokenEntry] = []
    entry_numbers: list[int] = []
    note_count = 0
    for entry_number, entry in enumerate(speech.entries, 1):
        if _EDITORS_NOTE_PATTERN.match(entry.text):
            note_count += 1
        elif entry.text:
            entries.append(entry)
            entry_numbers.append(entry_number)
    times, warnings = _start_and_end_times(entries)
    if note_count:
        warnings.append(f"turns that are only a note in brackets, left out: {note_count}")
    turns: list[SpeechPiece] = []
    for entry_number, entry, (start, end) in zip(entry_numbers, entries, times, strict=True):
        speaker = _speaker(entry, speech.name_by_person_id)
        text = _without_tags(entry.text)
        turn = SpeechPiece(text, entry_number, speaker, start, end, starts_turn=True)
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
    parsed = ParsedTranscript(_joined_words(turns), warnings, language=speech.language)
    if not any(turn.speaker for turn in turns):
        parsed.pieces = caption_speech.with_speakers(parsed.pieces)
    parsed.title = speech.title
    parsed.event_date = only_date_in_text(speech.date)
    return parsed


def _without_tags(text: str) -> str:
    """Return a text without the tags of HTML that it may have."""
    if not _HTML_TAG_PATTERN.search(text):
        return text
    return " ".join(unescape(_HTML_TAG_PATTERN.sub(" ", text)).split())


def _speaker(entry: SpokenEntry, name_by_person_id: dict[str, str]) -> str | None:
    """Return the name of an entry's speaker, looked up in the list of people if it is an id."""
    name_or_id = entry.speaker()
    name = name_by_person_id.get(name_or_id, name_or_id)
    return speaker_from_json(name)


def _joined_words(turns: list[SpeechPiece]) -> list[SpeechPiece]:
    """Return turns, joined into sentences if each is a single word."""
    word_count = sum(len(turn.text.split()) for turn in turns)
    if len(turns) < MIN_WORD_ENTRIES or word_count > MAX_WORDS_PER_ENTRY * len(turns):
        return turns
    words = []
    for turn in turns:
        is_punctuation = turn.text in ".,?!"
        word = RecognisedWord(turn.text, turn.line_number, turn.speaker, turn.start, turn.end)
        words.append(replace(word, joins_previous_word=is_punctuation))
    return pieces_of_words(words)


# Start and end
TimePair = tuple[float | None, float | None]


@dataclass(frozen=True, slots=True)
class _WrittenTimes:
    """The times of an entry as the file has them: numbers in any unit, or clocks."""

    start: Any
    end: Any
    duration: Any


def _start_and_end_times(entries: Sequence[SpokenEntry]) -> tuple[list[TimePair], list[str]]:
    """Return start and end of every entry in seconds, and warnings about guesses."""
    written_times = [_written_times(entry) for entry in entries]
    if any(_is_clock(written.start) for written in written_times):
        return _clock_times(entries, written_times)
    # Start and end in the unit of the file, which may be seconds, milliseconds or another one
    times_in_unit: list[TimePair] = []
    for written in written_times:
        start = seconds_or_none(written.start)
        end = seconds_or_none(written.end)
        if end is None:
            end = end_after(start, seconds_or_none(written.duration))
        times_in_unit.append((start, end))
    units_per_s, warnings = _units_per_second(entries, times_in_unit)
    times_s = []
    for start, end in times_in_unit:
        times_s.append((_in_seconds(start, units_per_s), _in_seconds(end, units_per_s)))
    return times_s, warnings


def _written_times(entry: SpokenEntry) -> _WrittenTimes:
    """Return the times of an entry, which may be those of its first and last word."""
    start = entry.value(START_KEYS)
    end = entry.value(END_KEYS)
    if isinstance(start, list):
        # The list has the start and the end, but may be too short.
        start, end, *_ = [*start, None, None]
    if start is None and entry.word_entries:
        first_word = SpokenEntry("", (entry.word_entries[0],))
        last_word = SpokenEntry("", (entry.word_entries[-1],))
        start = first_word.value(START_KEYS)
        end = last_word.value(END_KEYS)
    return _WrittenTimes(start, end, entry.value(DURATION_KEYS))


def _is_clock(value: Any) -> bool:
    return isinstance(value, str) and whole_time(value) is not None


def _clock_times(
    entries: Sequence[SpokenEntry], written_times: Sequence[_WrittenTimes]
) -> tuple[list[TimePair], list[str]]:
    """Return the times of entries that are written as clocks, in words or with dates."""
    starts = []
    ends = []
    for written in written_times:
        starts.append(whole_time(str(written.start)) if written.start else None)
        ends.append(whole_time(str(written.end)) if written.end else None)
    word_counts = [len(entry.text.split()) for entry in entries]
    start_seconds, warning = recording_times(starts, word_counts)
    if warning:
        # Times of day: the starts are counted from the first, the ends are left out.
        return [(start, None) for start in start_seconds], [warning]
    end_seconds, _ = recording_times(ends)
    return list(zip(start_seconds, end_seconds, strict=True)), []


def _units_per_second(
    entries: Sequence[SpokenEntry], times_in_unit: Sequence[TimePair]
) -> tuple[float, list[str]]:
    """Return the number of time units in a second, and a warning that it is guessed.

    The key may name the unit, such as "start ms". Else it is the one in which people speak at
    the most usual speed.
    """
    # The words of the keys of all starts, such as "start" and "ms" for "start_ms"
    words_of_keys: set[str] = set()
    for entry in entries:
        start_key, _ = entry.key_and_value(START_KEYS)
        words_of_keys.update(key_words(start_key).split())
    if "ms" in words_of_keys:
        return MILLISECONDS_PER_S, []
    if "ticks" in words_of_keys:
        return TICKS_PER_S, []
    total_length = 0.0
    word_count = 0
    for entry, (start, end) in zip(entries, times_in_unit, strict=True):
        if start is not None and end is not None:
            total_length += max(end - start, 0)
            word_count += len(entry.text.split())
    if not total_length or not word_count:
        return 1.0, []
    # Lists of words have seconds in all formats.
    if entries[0].word_entries or "seconds" in words_of_keys:
        return 1.0, []
    name_by_units_per_s = dict(_UNIT_NAMES)
    if "offset" in words_of_keys and _are_samples(times_in_unit):
        name_by_units_per_s[SAMPLES_PER_S] = "samples of sound, 16,000 per second"

    def distance_from_usual_speed(units_per_s: float) -> float:
        words_per_s = word_count / (total_length / units_per_s)
        return abs(log(words_per_s / TYPICAL_WORDS_PER_S))

    # The unit with which the words are spoken at the most usual speed
    units_per_s = min(name_by_units_per_s, key=distance_from_usual_speed)
    unit_name = name_by_units_per_s[units_per_s]
    warning = f"the file does not say the unit of its times; they were read as {unit_name}"
    return units_per_s, [warning]


def _are_samples(times_in_unit: Sequence[TimePair]) -> bool:
    """Return whether all times may be numbers of samples."""
    for start_and_end in times_in_unit:
        if any(time is not None and time % SAMPLE_STEP != 0 for time in start_and_end):
            return False
    return True


def _in_seconds(time_in_unit: float | None, units_per_s: float) -> float | None:
    return None if time_in_unit is None else round(time_in_unit / units_per_s, 3)
