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

from assistant.transcripts.asr.json_fields import as_text, objects_in

MAX_VALUES = 500_000  # objects and lists of a file that are searched
MAX_SEARCH_DEPTH = 12
MAX_PEOPLE = 10_000
MAX_KEY_CHARACTERS = 60
MIN_TURN_SHARE = 0.5  # share of a list's objects with a text
MIN_PLAIN_WORDS = 3  # words per text, for a list that names neither speakers nor times
MIN_PLAIN_TEXTS = 2

_KEY_WORD_PATTERN = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")

# Keys as their words, the surest first
TEXT_KEYS = (
    "text",
    "transcript",
    "utterance",
    "utt",
    "txt",
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
    "spk",
    "speaker label",
    "speaker tag",
    "speaker id",
    "speaker idx",
    "participant id",
    "channel",
    "channel label",
)
GIVEN_NAME_KEYS = ("first name", "given name", "forename")
SURNAME_KEYS = ("last name", "surname", "family name")
# Fields of an object around a list of its sentences; "name" may be the name of a chapter there
OUTER_SPEAKER_KEYS = tuple(
    name for name in SPEAKER_KEYS if name.split()[0] in ("speaker", "participant", "who", "author")
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
_DESCRIBING_KEYS = (
    "meta",
    "metadata",
    "attributes",
    "data",
    "payload",
    "speaker",
    "author",
    "user",
)
# Lists inside a turn with several readings of it, the best first
_ALTERNATIVES_KEYS = ("n best", "nbest", "alternatives", "hypotheses")
# Lists inside a turn with its words
_WORD_LIST_KEYS = ("words", "result", "tokens", "items", "word segments")
# Lists inside a turn with its text in several pieces
_TEXT_LIST_KEYS = ("content", "text", "texts", "paragraphs", "lines", "sentences", "body")
_TEXT_BLOCK_KEYS = ("content", "text")  # their pieces may be objects
_PEOPLE_KEYS = (
    "speakers",
    "participants",
    "people",
    "users",
    "attendees",
    "members",
    "authors",
    "parties",
    "panelists",
    "speaker map",
)
_PERSON_ID_KEYS = ("id", "speaker id", "user id", "participant id", "key", "label")
_PERSON_NAME_KEYS = ("name", "speaker name", "display name", "full name", "user name", "label")
# Flags of a recogniser's results
_IS_FINAL_KEYS = ("is final", "final", "completed", "is completed", "end of turn")
_IS_PARTIAL_KEYS = ("partial", "is partial", "interim", "is interim")
_IS_FORMATTED_KEYS = ("turn is formatted", "is formatted", "formatted", "punctuated")
_TURN_NUMBER_KEYS = ("turn order", "turn id", "utterance id", "segment id", "item id", "id")
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
_TEXT_FILE_NAME_PATTERN = re.compile(r"^[^\n]{1,200}\.(?:txt|md|vtt|srt|json|docx|pdf|html?|csv)$")
_ListEntry = tuple[dict[str, Any], str]  # an object, and the speaker of the object around its list
# Stands for any position of a list in the keys that lead to a value
_LIST_STEP = "[]"


@lru_cache(maxsize=4096)
def key_words(key: str) -> str:
    """Return a key as lower-case words: ``speakerDisplayName`` becomes "speaker display name"."""
    return " ".join(_KEY_WORD_PATTERN.findall(key[:MAX_KEY_CHARACTERS])).lower()


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

    ``word_entries`` are its words, if it lists them. ``outer_speaker`` is the speaker of the
    object around the list, for an entry that names none.
    """

    text: str
    layers: tuple[dict[str, Any], ...]
    word_entries: tuple[dict[str, Any], ...] = ()
    outer_speaker: str = ""

    def speaker(self) -> str:
        """Return the name or the id of the speaker, "" if the entry has none."""
        speaker = as_text(self.value(SPEAKER_KEYS)[1])
        if not speaker:
            names = [self.value(GIVEN_NAME_KEYS)[1], self.value(SURNAME_KEYS)[1]]
            speaker = " ".join(filter(None, map(as_text, names)))
        return speaker or self.outer_speaker

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
    lists: dict[tuple[str, ...], list[_ListEntry]] = {}
    speech = FoundSpeech()
    for path, value, outer_speaker in _objects_and_lists(data):
        if isinstance(value, dict):
            _read_metadata(speech, value, len(path))
            speech.partial_count += bool(path) and _is_partial(value)
            if path and key_words(path[-1]) in _PEOPLE_KEYS:
                _read_people_by_id(speech.people, value)
            entries = _columns_as_entries(value)
        else:
            entries = _named_texts(value) or objects_in(value)
            entries = [entry for entry in entries if not _is_partial(entry)]
            if path and path[-1] != _LIST_STEP and key_words(path[-1]) in _PEOPLE_KEYS:
                _read_people(speech.people, entries, key_words(path[-1]))
        if entries:
            entry_list = lists.setdefault(path, [])
            entry_list.extend((entry, outer_speaker) for entry in _latest_readings(entries))
    candidates = [_spoken_entries(entries) for entries in lists.values()]
    best = max(candidates, key=_transcript_score, default=[])
    if not best or _transcript_score(best) == _NO_SCORE:
        return None
    speech.entries = best
    if not speech.language:
        speech.language = as_text(best[0].value(LANGUAGE_KEYS)[1])
    return speech


def _objects_and_lists(data: Any) -> Iterator[tuple[tuple[str, ...], Any, str]]:
    """Yield every object and list with the keys that lead to it, the outer ones first.

    An object of numbered objects counts as a list of them. A list comes with the speaker of the
    object around it, if this is one of several in a list.
    """
    queue: deque[tuple[tuple[str, ...], Any, str]] = deque([((), data, "")])
    for _ in range(MAX_VALUES):
        if not queue:
            return
        path, value, outer_speaker = queue.popleft()
        yield path, value, outer_speaker
        if len(path) > MAX_SEARCH_DEPTH or (path and _is_partial(value)):
            continue
        if isinstance(value, dict):
            children = list(value.values())
            if len(children) > 1 and all(isinstance(child, dict) for child in children):
                yield path, children, outer_speaker
            speaker = _speaker_around_lists(value) if path[-1:] == (_LIST_STEP,) else ""
            for key, child in value.items():
                if _is_object_or_list(child):
                    queue.append(((*path, key), child, speaker or outer_speaker))
        else:
            for child in value:
                if _is_object_or_list(child):
                    queue.append(((*path, _LIST_STEP), child, outer_speaker))


def _speaker_around_lists(fields: dict[str, Any]) -> str:
    """Return the speaker of an object that has lists of sentences, "" if it names none."""
    if not any(isinstance(value, list) for value in fields.values()):
        return ""
    outer, *inner_layers = _describing_objects(fields)
    value = field_of(outer, OUTER_SPEAKER_KEYS)[1]
    if not isinstance(value, dict):
        return as_text(value)
    if value not in inner_layers:
        return ""
    return as_text(field_of(value, SPEAKER_KEYS)[1])


def _columns_as_entries(fields: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of an object of columns: ``{"speaker": [...], "text": [...]}``.

    A column may also be an object with numbers as keys.
    """
    columns: dict[str, list[Any]] = {}
    for key, value in fields.items():
        cells = list(value.values()) if isinstance(value, dict) else value
        if isinstance(cells, list) and len(cells) > 1 and not any(map(_is_object_or_list, cells)):
            columns[key_words(key).removesuffix("s")] = cells
    text_name, texts = field_of(columns, TEXT_KEYS)
    speaker_name, speakers = field_of(columns, SPEAKER_KEYS)
    if not text_name or not speaker_name or len(texts) != len(speakers):
        return []
    rows = []
    for index in range(len(texts)):
        whole_columns = columns.items()
        rows.append({key: cells[index] for key, cells in whole_columns if len(cells) == len(texts)})
    return rows


def _named_texts(value: list[Any]) -> list[dict[str, Any]]:
    """Return entries for objects of one field each: ``[{"Maria": "Good evening."}, ...]``."""
    entries = []
    for fields in objects_in(value):
        for key, text in fields.items():
            if len(fields) > 1 or not isinstance(text, str) or key_words(key) in TEXT_KEYS:
                return []
            entries.append({"speaker": key, "text": text})
    return entries if len({entry["speaker"] for entry in entries}) > 1 else []


def _latest_readings(entries: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return entries without the raw readings of turns that come again with punctuation."""
    formatted_turns = set()
    for entry in entries:
        if field_of(entry, _IS_FORMATTED_KEYS)[1] is True:
            formatted_turns.add(as_text(field_of(entry, _TURN_NUMBER_KEYS)[1]))
    if not formatted_turns:
        return list(entries)
    latest = []
    for entry in entries:
        is_raw = field_of(entry, _IS_FORMATTED_KEYS)[1] is False
        if not is_raw or as_text(field_of(entry, _TURN_NUMBER_KEYS)[1]) not in formatted_turns:
            latest.append(entry)
    return latest


def _is_partial(value: Any) -> bool:
    """Return whether an object is a recogniser's result that a later one replaces."""
    if not isinstance(value, dict):
        return False
    if field_of(value, _IS_FINAL_KEYS)[1] is False or field_of(value, _IS_PARTIAL_KEYS)[1] is True:
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
        if isinstance(name, str) and _TEXT_FILE_NAME_PATTERN.match(name):
            names.add(name)
    return len(names) > 1


def _is_object_or_list(value: Any) -> bool:
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


def _read_people(people: dict[str, str], entries: Sequence[dict[str, Any]], key: str) -> None:
    """Add the names of people by their ids; speakers without ids are numbered from 0."""
    for index, entry in enumerate(entries):
        person_id = as_text(field_of(entry, _PERSON_ID_KEYS)[1])
        if not person_id and key == "speakers":
            person_id = str(index)
        name = as_text(field_of(entry, _PERSON_NAME_KEYS)[1])
        if person_id and name and len(people) < MAX_PEOPLE:
            people.setdefault(person_id, name)


def _read_people_by_id(people: dict[str, str], fields: dict[str, Any]) -> None:
    """Add the names of an object whose keys are ids: ``{"7": "Maria", "8": {"name": "Tom"}}``."""
    for person_id, value in fields.items():
        name = value
        if isinstance(value, dict):
            name = field_of(value, _PERSON_NAME_KEYS)[1]
        if isinstance(name, str) and name.strip() and len(people) < MAX_PEOPLE:
            people.setdefault(person_id, name.strip())


def _spoken_entries(list_entries: Sequence[_ListEntry]) -> list[SpokenEntry]:
    """Return the entries with a text, [] if fewer than half of the list have one."""
    entries = [entry for entry, _ in list_entries]
    if not entries or _are_reviews(entries) or _quote_several_files(entries):
        return []
    spoken = []
    for entry, outer_speaker in list_entries:
        layers = _describing_objects(entry)
        if any(_is_partial(layer) for layer in layers):
            continue
        text = _text(layers)
        if text is not None:
            spoken.append(SpokenEntry(text, layers, _word_entries(entry), outer_speaker))
    return spoken if len(spoken) >= MIN_TURN_SHARE * len(entries) else []


def _describing_objects(entry: dict[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return an object with the objects inside it that describe it or give its best reading."""
    layers = [entry]
    for key, value in entry.items():
        words = key_words(key)
        if words in _DESCRIBING_KEYS and isinstance(value, dict):
            layers.append(value)
        elif words in _ALTERNATIVES_KEYS and objects_in(value):
            layers.append(objects_in(value)[0])
    return tuple(layers)


def _text(layers: Sequence[dict[str, Any]]) -> str | None:
    """Return the text of an entry, None if it has none."""
    for layer in layers:
        for name in TEXT_KEYS:
            value = field_of(layer, (name,))[1]
            if isinstance(value, str):
                return value.strip()
        list_key, texts = field_of(layer, _TEXT_LIST_KEYS)
        text = _joined_texts(texts)
        if text and objects_in(texts) and key_words(list_key) not in _TEXT_BLOCK_KEYS:
            text = ""
        if text:
            return text
    return "" if any("text" in layer for layer in layers) else None


def _joined_texts(value: Any) -> str:
    """Return the texts of a list of strings, or of objects with a text and its type, as one."""
    if not isinstance(value, list):
        return ""
    texts = []
    for block in value:
        # An object with more fields is a turn of its own.
        is_text_block = isinstance(block, dict) and block.keys() <= {"type", "text"}
        text = block["text"] if is_text_block and "text" in block else block
        if not isinstance(text, str):
            return ""
        texts.append(text.strip())
    return " ".join(texts)


def _word_entries(entry: dict[str, Any]) -> tuple[dict[str, Any], ...]:
    value = field_of(entry, _WORD_LIST_KEYS)[1]
    return tuple(objects_in(value))


_NO_SCORE = (0, 0)


def _transcript_score(entries: Sequence[SpokenEntry]) -> tuple[int, int]:
    """Return the number of telling fields and the length of the text, for comparison."""
    filled = [entry for entry in entries if entry.text]
    if not filled:
        return _NO_SCORE
    length = sum(len(entry.text) for entry in filled)
    speaker_count = sum(bool(entry.speaker()) for entry in filled)
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
