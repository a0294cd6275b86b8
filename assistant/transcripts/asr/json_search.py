"""Finds the speech in JSON of any schema: the list whose objects say who spoke what, and when.

Programs name the same fields in hundreds of ways. A field is known by the words of its key
(``speakerDisplayName``, ``utterance_text``), directly in an object or in an object inside it. Of
all lists in a file, the one with the most telling fields and the longest text is the transcript.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from assistant.transcripts.asr.json_fields import objects, string

MAX_VALUES = 500_000  # objects and lists of a file that are searched
MAX_SEARCH_DEPTH = 12
MAX_PEOPLE = 10_000
MAX_KEY_CHARACTERS = 60
MIN_TURN_SHARE = 0.5  # share of a list's objects with a text
MIN_PLAIN_WORDS = 3  # words per text, for a list that names neither speakers nor times
MIN_PLAIN_TEXTS = 2

_KEY_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")

# Keys as their words, the surest first
TEXT_KEYS = (
    "text",
    "transcript",
    "utterance",
    "utterance text",
    "transcript text",
    "transcript content",
    "sentence",
    "display text",
    "display",
    "content",
    "caption",
    "caption text",
    "speech",
    "said",
    "dialogue",
    "line",
    "message",
    "body",
    "raw text",
    "words",
    "quote",
    "punctuated transcript",
    "lexical",
)
SPEAKER_KEYS = (
    "speaker display name",
    "speaker name",
    "speaker full name",
    "display name",
    "user name",
    "username",
    "participant name",
    "speaker",
    "author",
    "author name",
    "who",
    "name",
    "participant",
    "person",
    "voice",
    "actor",
    "role",
    "from",
    "sender",
    "user",
    "speaker label",
    "speaker tag",
    "speaker id",
    "speaker idx",
    "participant id",
    "channel",
    "channel label",
)
START_KEYS = (
    "start",
    "start time",
    "start offset",
    "start seconds",
    "start ms",
    "start time ms",
    "start timestamp",
    "begin",
    "begin time",
    "begin offset",
    "audio start",
    "timestamp",
    "offset",
    "offset in ticks",
    "from",
    "time",
    "ts",
    "t",
    "in",
)
END_KEYS = (
    "end",
    "end time",
    "end offset",
    "end seconds",
    "end ms",
    "end time ms",
    "end timestamp",
    "audio end",
    "stop",
    "stop time",
    "finish",
    "to",
    "out",
)
DURATION_KEYS = (
    "duration",
    "duration in ticks",
    "duration seconds",
    "duration ms",
    "dur",
    "d",
    "length",
)
TITLE_KEYS = ("title", "event title", "event name", "meeting title", "subject", "topic", "debate")
DATE_KEYS = (
    "event date",
    "debate date",
    "meeting date",
    "recording date",
    "date",
    "start date time",
    "date time",
)
LANGUAGE_KEYS = ("language", "language code", "lang", "locale", "spoken language tag")
# Objects inside a turn that describe it
_INNER_KEYS = ("meta", "metadata", "attributes", "data", "payload", "speaker", "author", "user")
# Lists inside a turn with several readings of it, the best first
_READING_KEYS = ("n best", "nbest", "alternatives", "hypotheses")
# Lists inside a turn with its words
_WORD_LIST_KEYS = ("words", "result", "tokens", "items", "word segments")
_PEOPLE_KEYS = ("speakers", "participants", "people", "users", "attendees", "members", "authors")
_PERSON_ID_KEYS = ("id", "speaker id", "user id", "participant id", "key", "label")
_PERSON_NAME_KEYS = ("name", "speaker name", "display name", "full name", "user name", "label")
# Flags of a recogniser's results
_FINAL_KEYS = ("is final", "final", "completed", "is completed", "end of turn")
_PARTIAL_KEYS = ("partial", "is partial", "interim", "is interim")
_KIND_KEYS = ("type", "message type", "event", "event type", "kind")
_PARTIAL_KIND_WORDS = frozenset("partial interim realtime recognizing hypothesis".split())
# Fields of published fact-checks
_REVIEW_KEYS = frozenset(
    (
        "claim",
        "claim text",
        "claim reviewed",
        "claimant",
        "rating",
        "textual rating",
        "review rating",
        "verdict",
    )
)
MIN_REVIEW_KEYS = 2  # a single one may be in a transcript with labels
# Fields that name the transcript of an entry
_QUOTED_FILE_KEYS = ("transcript", "transcript file", "file", "file name", "source", "document")
_TEXT_FILE_NAME = re.compile(r"^[^\n]{1,200}\.(?:txt|md|vtt|srt|json|docx|pdf|html?|csv)$")
# Stands for any position of a list in the keys that lead to a value
_LIST_STEP = "[]"


@lru_cache(maxsize=4096)
def key_words(key: str) -> str:
    """Return a key as lower-case words: ``speakerDisplayName`` becomes "speaker display name"."""
    return " ".join(_KEY_WORD.findall(key[:MAX_KEY_CHARACTERS])).lower()


def field_of(fields: dict[str, Any], names: Sequence[str]) -> tuple[str, Any]:
    """Return key and value of the first of these fields that has a value, ("", None) if none."""
    values: dict[str, tuple[str, Any]] = {}
    for key, value in fields.items():
        values.setdefault(key_words(key), (key, value))
    for name in names:
        key_and_value = values.get(name)
        if key_and_value and key_and_value[1] not in (None, "", []):
            return key_and_value
    return "", None


@dataclass(frozen=True, slots=True)
class SpokenEntry:
    """An object of the list with its text, and the objects that may describe it.

    ``word_entries`` are its words, if it lists them.
    """

    text: str
    layers: tuple[dict[str, Any], ...]
    word_entries: tuple[dict[str, Any], ...] = ()

    def value(self, names: Sequence[str]) -> tuple[str, Any]:
        """Return key and value of a field of the entry, or of an object that describes it."""
        for layer in self.layers:
            key, value = field_of(layer, names)
            if key and not isinstance(value, dict):
                return key, value
        return "", None


@dataclass(slots=True)
class FoundSpeech:
    """The entries of the transcript in a file, the names of people by id, and its metadata."""

    entries: list[SpokenEntry] = field(default_factory=list)
    people: dict[str, str] = field(default_factory=dict)
    title: str = ""
    date: str = ""
    language: str = ""
    partial_count: int = 0


def find_speech(data: Any) -> FoundSpeech | None:
    """Return the speech in a decoded file, None if no list of it can be a transcript."""
    lists: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    speech = FoundSpeech()
    for path, value in _walk(data):
        if isinstance(value, dict):
            _read_metadata(speech, value, len(path))
            speech.partial_count += bool(path) and _is_partial(value)
            continue
        entries = [entry for entry in objects(value) if not _is_partial(entry)]
        if path and path[-1] != _LIST_STEP and key_words(path[-1]) in _PEOPLE_KEYS:
            _read_people(speech.people, entries)
        if entries:
            lists.setdefault(path, []).extend(entries)
    candidates = [_spoken_entries(entries) for entries in lists.values()]
    best = max(candidates, key=_score, default=[])
    if not best or _score(best) == _NO_SCORE:
        return None
    speech.entries = best
    if not speech.language:
        speech.language = string(best[0].value(LANGUAGE_KEYS)[1])
    return speech


def _walk(data: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every object and list with the keys that lead to it, the outer ones first.

    An object of numbered objects counts as a list of them.
    """
    queue: deque[tuple[tuple[str, ...], Any]] = deque([((), data)])
    for _ in range(MAX_VALUES):
        if not queue:
            return
        path, value = queue.popleft()
        yield path, value
        if len(path) > MAX_SEARCH_DEPTH or (path and _is_partial(value)):
            continue
        if isinstance(value, dict):
            children = list(value.values())
            if len(children) > 1 and all(isinstance(child, dict) for child in children):
                yield path, children
            queue.extend(((*path, key), child) for key, child in value.items() if _is_open(child))
        else:
            queue.extend(((*path, _LIST_STEP), child) for child in value if _is_open(child))


def _is_partial(value: Any) -> bool:
    """Return whether an object is a recogniser's result that a later one replaces."""
    if not isinstance(value, dict):
        return False
    if field_of(value, _FINAL_KEYS)[1] is False or field_of(value, _PARTIAL_KEYS)[1] is True:
        return True
    kind = field_of(value, _KIND_KEYS)[1]
    if not isinstance(kind, str):
        return False
    return not _PARTIAL_KIND_WORDS.isdisjoint(key_words(kind).split())


def _are_reviews(entries: Sequence[dict[str, Any]]) -> bool:
    """Return whether the objects of a list are fact-checks."""
    return len(_REVIEW_KEYS.intersection(map(key_words, entries[0]))) >= MIN_REVIEW_KEYS


def _quote_several_files(entries: Sequence[dict[str, Any]]) -> bool:
    """Return whether the objects of a list are from several transcripts."""
    names = set()
    for entry in entries:
        name = field_of(entry, _QUOTED_FILE_KEYS)[1]
        if isinstance(name, str) and _TEXT_FILE_NAME.match(name):
            names.add(name)
    return len(names) > 1


def _is_open(value: Any) -> bool:
    return isinstance(value, dict | list)


def _read_metadata(speech: FoundSpeech, fields: dict[str, Any], depth: int) -> None:
    """Add title, date and language of an object that is not inside the lists of the transcript."""
    if depth > 2:
        return
    title = field_of(fields, TITLE_KEYS)[1]
    date = field_of(fields, DATE_KEYS)[1]
    language = field_of(fields, LANGUAGE_KEYS)[1]
    if not speech.title and isinstance(title, str):
        speech.title = title.strip()
    if not speech.date and isinstance(date, str):
        speech.date = date.strip()
    if not speech.language and isinstance(language, str):
        speech.language = language.strip()


def _read_people(people: dict[str, str], entries: Sequence[dict[str, Any]]) -> None:
    """Add the names of people by their ids."""
    for entry in entries:
        person_id = string(field_of(entry, _PERSON_ID_KEYS)[1])
        name = string(field_of(entry, _PERSON_NAME_KEYS)[1])
        if person_id and name and len(people) < MAX_PEOPLE:
            people.setdefault(person_id, name)


def _spoken_entries(entries: Sequence[dict[str, Any]]) -> list[SpokenEntry]:
    """Return the entries with a text, [] if fewer than half of the list have one."""
    if not entries or _are_reviews(entries) or _quote_several_files(entries):
        return []
    spoken = []
    for entry in entries:
        layers = _layers(entry)
        if any(_is_partial(layer) for layer in layers):
            continue
        text = _text(layers)
        if text is not None:
            spoken.append(SpokenEntry(text, layers, _word_entries(entry)))
    return spoken if len(spoken) >= MIN_TURN_SHARE * len(entries) else []


def _layers(entry: dict[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return an object with the objects inside it that describe it or give its best reading."""
    layers = [entry]
    for key, value in entry.items():
        words = key_words(key)
        if words in _INNER_KEYS and isinstance(value, dict):
            layers.append(value)
        elif words in _READING_KEYS and objects(value):
            layers.append(objects(value)[0])
    return tuple(layers)


def _text(layers: Sequence[dict[str, Any]]) -> str | None:
    """Return the text of an entry, None if it has none."""
    for layer in layers:
        for name in TEXT_KEYS:
            value = field_of(layer, (name,))[1]
            if isinstance(value, str):
                return value.strip()
    return "" if any("text" in layer for layer in layers) else None


def _word_entries(entry: dict[str, Any]) -> tuple[dict[str, Any], ...]:
    value = field_of(entry, _WORD_LIST_KEYS)[1]
    return tuple(objects(value))


_NO_SCORE = (0, 0)


def _score(entries: Sequence[SpokenEntry]) -> tuple[int, int]:
    """Return the number of telling fields and the length of the text, for comparison."""
    filled = [entry for entry in entries if entry.text]
    if not filled:
        return _NO_SCORE
    length = sum(len(entry.text) for entry in filled)
    speaker_count = sum(bool(entry.value(SPEAKER_KEYS)[0]) for entry in filled)
    start_count = sum(_has_start(entry) for entry in filled)
    has_speakers = speaker_count >= MIN_TURN_SHARE * len(filled)
    has_starts = start_count >= MIN_TURN_SHARE * len(filled)
    if not has_speakers and not has_starts:
        word_count = sum(len(entry.text.split()) for entry in filled)
        is_prose = word_count >= MIN_PLAIN_WORDS * len(filled)
        if not is_prose or len(filled) < MIN_PLAIN_TEXTS:
            return _NO_SCORE
    return 1 + 2 * has_speakers + has_starts, length


def _has_start(entry: SpokenEntry) -> bool:
    return bool(entry.value(START_KEYS)[0]) or bool(entry.word_entries)
