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

from assistant.transcripts.asr.json_fields import objects_in, text_or_empty

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
# Stands for any position of a list in the keys that lead to a value
_LIST_STEP = "[]"


@dataclass(frozen=True, slots=True)
class _JsonNode:
    """An object or list of the file, with the keys that lead to it.

    ``outer_speaker`` is the speaker of the object around the list.
    """

    path: tuple[str, ...]
    value: Any
    outer_speaker: str = ""


@dataclass(frozen=True, slots=True)
class _ListEntry:
    """An object of a list, and the speaker of the object around the list."""

    fields: dict[str, Any]
    outer_speaker: str


@lru_cache(maxsize=4096)
def key_words(key: str) -> str:
    """Return a key as lower-case words: ``speakerDisplayName`` becomes "speaker display name"."""
    return " ".join(_KEY_WORD_PATTERN.findall(key[:MAX_KEY_CHARACTERS])).lower()


def first_filled_field(fields: dict[str, Any], names: Sequence[str]) -> tuple[str, Any]:
    """Return key and value of the first of these fields that has a value, ("", None) if none."""
    key_by_words: dict[str, str] = {}
    for key in fields:
        key_by_words.setdefault(key_words(key), key)
    for name in names:
        if name not in key_by_words:
            continue
        key = key_by_words[name]
        value = fields[key]
        if value not in (None, "", []):
            return key, value
    return "", None


def first_filled_value(fields: dict[str, Any], names: Sequence[str]) -> Any:
    """Return the value of the first of these fields that has one, None if there is none."""
    _, value = first_filled_field(fields, names)
    return value


@dataclass(frozen=True, slots=True)
class SpokenEntry:
    """An object of the list with its text.

    ``descriptions`` are the object and the objects inside it that describe it. ``word_entries``
    are its words, if it lists them. ``outer_speaker`` is the speaker of the object around the
    list, for an entry that names none.
    """

    text: str
    descriptions: tuple[dict[str, Any], ...]
    word_entries: tuple[dict[str, Any], ...] = ()
    outer_speaker: str = ""

    def speaker(self) -> str:
        """Return the name or the id of the speaker, "" if the entry has none."""
        speaker = text_or_empty(self.value(SPEAKER_KEYS))
        if not speaker:
            given_name = text_or_empty(self.value(GIVEN_NAME_KEYS))
            surname = text_or_empty(self.value(SURNAME_KEYS))
            speaker = f"{given_name} {surname}".strip()
        return speaker or self.outer_speaker

    def key_and_value(self, names: Sequence[str]) -> tuple[str, Any]:
        """Return key and value of a field of the entry, or of an object that describes it."""
        for fields in self.descriptions:
            key, value = first_filled_field(fields, names)
            if key and not isinstance(value, dict):
                return key, value
        return "", None

    def value(self, names: Sequence[str]) -> Any:
        """Return the value of a field of the entry, None if it has none."""
        _, value = self.key_and_value(names)
        return value


@dataclass(slots=True)
class FoundSpeech:
    """The entries of the transcript in a file, the names of people by id, and its metadata."""

    entries: list[SpokenEntry] = field(default_factory=list)
    name_by_person_id: dict[str, str] = field(default_factory=dict)
    title: str = ""
    date: str = ""
    language: str = ""
    partial_count: int = 0


def find_speech(data: Any) -> FoundSpeech | None:
    """Return the speech in a decoded file, None if no list of it can be a transcript."""
    speech = FoundSpeech()
    # The objects of all lists that the same keys lead to, by these keys
    entries_by_path: dict[tuple[str, ...], list[_ListEntry]] = {}
    for node in _objects_and_lists(data):
        entries = _entries_of_node(node, speech)
        if entries:
            entries_of_path = entries_by_path.setdefault(node.path, [])
            for entry in _without_raw_versions(entries):
                entries_of_path.append(_ListEntry(entry, node.outer_speaker))
    candidates = [_spoken_entries(list_entries) for list_entries in entries_by_path.values()]
    best_entries = max(candidates, key=_transcript_score, default=[])
    if not best_entries or _transcript_score(best_entries) == _NO_SCORE:
        return None
    speech.entries = best_entries
    if not speech.language:
        speech.language = text_or_empty(best_entries[0].value(LANGUAGE_KEYS))
    return speech


def _entries_of_node(node: _JsonNode, speech: FoundSpeech) -> list[dict[str, Any]]:
    """Return the objects of a list, or of an object with columns; add metadata to the speech."""
    last_key = key_words(node.path[-1]) if node.path else ""
    describes_people = last_key in _PEOPLE_KEYS
    if isinstance(node.value, dict):
        _read_metadata(speech, node.value, len(node.path))
        is_inside = bool(node.path)
        if is_inside and _is_partial(node.value):
            speech.partial_count += 1
        if describes_people:
            _read_people_by_id(speech.name_by_person_id, node.value)
        return _columns_as_entries(node.value)
    all_entries = _speaker_text_pairs_as_entries(node.value) or objects_in(node.value)
    entries = [entry for entry in all_entries if not _is_partial(entry)]
    if describes_people:
        _read_people(speech.name_by_person_id, entries, last_key)
    return entries


def _objects_and_lists(data: Any) -> Iterator[_JsonNode]:
    """Yield every object and list with the keys that lead to it, the outer ones first.

    An object of numbered objects counts as a list of them. A list comes with the speaker of the
    object around it, if this is one of several in a list.
    """
    # {"results": {"items": [...]}}: the whole, then "results", then "items" and its entries
    queue: deque[_JsonNode] = deque([_JsonNode((), data)])
    for _ in range(MAX_VALUES):
        if not queue:
            return
        node = queue.popleft()
        yield node
        is_inside = bool(node.path)
        if len(node.path) > MAX_SEARCH_DEPTH or (is_inside and _is_partial(node.value)):
            continue
        if isinstance(node.value, dict):
            # {"0": {...}, "1": {...}} stands for a list.
            children = list(node.value.values())
            are_all_objects = all(isinstance(child, dict) for child in children)
            if len(children) > 1 and are_all_objects:
                yield _JsonNode(node.path, children, node.outer_speaker)
            queue.extend(_values_of_object(node))
        else:
            path = (*node.path, _LIST_STEP)
            for child in node.value:
                if _is_object_or_list(child):
                    queue.append(_JsonNode(path, child, node.outer_speaker))


def _values_of_object(node: _JsonNode) -> Iterator[_JsonNode]:
    """Yield the objects and lists directly inside an object."""
    # The outer speaker is named by an object around the value, for the texts inside it.
    outer_speaker = node.outer_speaker
    is_in_list = node.path[-1:] == (_LIST_STEP,)
    if is_in_list:
        outer_speaker = _speaker_around_lists(node.value) or outer_speaker
    for key, child in node.value.items():
        if _is_object_or_list(child):
            yield _JsonNode((*node.path, key), child, outer_speaker)


def _speaker_around_lists(fields: dict[str, Any]) -> str:
    """Return the speaker of an object that has lists of sentences, "" if it names none."""
    if not any(isinstance(value, list) for value in fields.values()):
        return ""
    speaker = first_filled_value(fields, OUTER_SPEAKER_KEYS)
    if not isinstance(speaker, dict):
        return text_or_empty(speaker)
    # The speaker is an object with a name of its own.
    inner_descriptions = _describing_objects(fields)[1:]
    if speaker not in inner_descriptions:
        return ""
    return text_or_empty(first_filled_value(speaker, SPEAKER_KEYS))


def _columns_as_entries(fields: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of an object of columns: ``{"speaker": [...], "text": [...]}``.

    A column may also be an object with numbers as keys.
    """
    # {"speakers": ["Hale", "Reyes"], "texts": ["Good evening.", "Thank you."]}
    cells_by_column: dict[str, list[Any]] = {}
    for key, value in fields.items():
        cells = list(value.values()) if isinstance(value, dict) else value
        if not isinstance(cells, list) or len(cells) < 2:
            continue
        if not any(_is_object_or_list(cell) for cell in cells):
            singular_name = key_words(key).removesuffix("s")  # "speakers" has cells of "speaker"
            cells_by_column[singular_name] = cells
    texts = first_filled_value(cells_by_column, TEXT_KEYS)
    speakers = first_filled_value(cells_by_column, SPEAKER_KEYS)
    if texts is None or speakers is None or len(texts) != len(speakers):
        return []
    entries: list[dict[str, Any]] = [{} for _ in texts]
    for name, cells in cells_by_column.items():
        if len(cells) != len(texts):
            continue
        for entry, cell in zip(entries, cells, strict=True):
            entry[name] = cell
    return entries


def _speaker_text_pairs_as_entries(value: list[Any]) -> list[dict[str, Any]]:
    """Return entries for objects of one field each: ``[{"Maria": "Good evening."}, ...]``."""
    entries = []
    for fields in objects_in(value):
        for key, text in fields.items():
            # {"text": "Good evening."} has no speaker.
            is_name_of_text = key_words(key) in TEXT_KEYS
            if len(fields) > 1 or not isinstance(text, str) or is_name_of_text:
                return []
            entries.append({"speaker": key, "text": text})
    # A single key in all objects is the name of a field, not of a person.
    speakers = {entry["speaker"] for entry in entries}
    return entries if len(speakers) > 1 else []


def _without_raw_versions(entries: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return entries without the raw readings of turns that come again with punctuation."""
    formatted_turns = set()
    for entry in entries:
        if first_filled_value(entry, _IS_FORMATTED_KEYS) is True:
            formatted_turns.add(_turn_number(entry))
    if not formatted_turns:
        return list(entries)
    latest_entries = []
    for entry in entries:
        is_raw = first_filled_value(entry, _IS_FORMATTED_KEYS) is False
        if not is_raw or _turn_number(entry) not in formatted_turns:
            latest_entries.append(entry)
    return latest_entries


def _turn_number(entry: dict[str, Any]) -> str:
    return text_or_empty(first_filled_value(entry, _TURN_NUMBER_KEYS))


def _is_partial(value: Any) -> bool:
    """Return whether an object is a recogniser's result that a later one replaces."""
    if not isinstance(value, dict):
        return False
    is_not_final = first_filled_value(value, _IS_FINAL_KEYS) is False
    is_called_partial = first_filled_value(value, _IS_PARTIAL_KEYS) is True
    if is_not_final or is_called_partial:
        return True
    kind = first_filled_value(value, _KIND_KEYS)
    if not isinstance(kind, str):
        return False
    # Such as "partial" in {"message_type": "PartialTranscript"}
    return not _PARTIAL_KIND_WORDS.isdisjoint(key_words(kind).split())


def _are_reviews(entries: Sequence[dict[str, Any]]) -> bool:
    """Return whether the objects of a list are fact-checks."""
    first_keys = {key_words(key) for key in entries[0]}
    return len(first_keys & _REVIEW_KEYS) >= MIN_REVIEW_KEYS


def _quote_several_files(entries: Sequence[dict[str, Any]]) -> bool:
    """Return whether the objects of a list are from several transcripts."""
    names = set()
    for entry in entries:
        name = first_filled_value(entry, _QUOTED_FILE_KEYS)
        if isinstance(name, str) and _TEXT_FILE_NAME_PATTERN.match(name):
            names.add(name)
    return len(names) > 1


def _is_object_or_list(value: Any) -> bool:
    return isinstance(value, dict | list)


def _read_metadata(speech: FoundSpeech, fields: dict[str, Any], depth: int) -> None:
    """Add title, date and language of an object that is not inside the lists of the transcript."""
    # An object further inside may have the title of something else.
    if depth > 2:
        return
    title = first_filled_value(fields, TITLE_KEYS)
    date = first_filled_value(fields, DATE_KEYS)
    language = first_filled_value(fields, LANGUAGE_KEYS)
    if not speech.title and isinstance(title, str):
        speech.title = title.strip()
    if not speech.date and isinstance(date, str):
        speech.date = date.strip()
    if not speech.language and isinstance(language, str):
        speech.language = language.strip()


def _read_people(
    name_by_person_id: dict[str, str], entries: Sequence[dict[str, Any]], key: str
) -> None:
    """Add the names of people by their ids; speakers without ids are numbered from 0."""
    for position, entry in enumerate(entries):
        person_id = text_or_empty(first_filled_value(entry, _PERSON_ID_KEYS))
        if not person_id and key == "speakers":
            # The turns name a speaker by the place in this list.
            person_id = str(position)
        name = text_or_empty(first_filled_value(entry, _PERSON_NAME_KEYS))
        if person_id and name and len(name_by_person_id) < MAX_PEOPLE:
            name_by_person_id.setdefault(person_id, name)


def _read_people_by_id(name_by_person_id: dict[str, str], fields: dict[str, Any]) -> None:
    """Add the names of an object whose keys are ids: ``{"7": "Maria", "8": {"name": "Tom"}}``."""
    for person_id, value in fields.items():
        name = value
        if isinstance(value, dict):
            name = first_filled_value(value, _PERSON_NAME_KEYS)
        if isinstance(name, str) and name.strip() and len(name_by_person_id) < MAX_PEOPLE:
            name_by_person_id.setdefault(person_id, name.strip())


def _spoken_entries(list_entries: Sequence[_ListEntry]) -> list[SpokenEntry]:
    """Return the entries with a text, [] if fewer than half of the list have one."""
    objects_of_list = [entry.fields for entry in list_entries]
    if not objects_of_list:
        return []
    # Lists of reviews, or of quotations from several files, aren't speech.
    if _are_reviews(objects_of_list) or _quote_several_files(objects_of_list):
        return []
    spoken_entries = []
    for entry in list_entries:
        # The object of the entry, with the objects inside it that describe it
        descriptions = _describing_objects(entry.fields)
        if any(_is_partial(fields) for fields in descriptions):
            continue
        text = _text(descriptions)
        if text is not None:
            words = _word_entries(entry.fields)
            spoken_entries.append(SpokenEntry(text, descriptions, words, entry.outer_speaker))
    are_most_spoken = len(spoken_entries) >= MIN_TURN_SHARE * len(list_entries)
    return spoken_entries if are_most_spoken else []


def _describing_objects(entry: dict[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return an object with the objects inside it that describe it or give its best reading."""
    descriptions = [entry]
    for key, value in entry.items():
        words = key_words(key)
        if words in _DESCRIBING_KEYS and isinstance(value, dict):
            descriptions.append(value)
        elif words in _ALTERNATIVES_KEYS and objects_in(value):
            best_alternative = objects_in(value)[0]
            descriptions.append(best_alternative)
    return tuple(descriptions)


def _text(descriptions: Sequence[dict[str, Any]]) -> str | None:
    """Return the text of an entry, None if it has none."""
    for fields in descriptions:
        for name in TEXT_KEYS:
            value = first_filled_value(fields, (name,))
            if isinstance(value, str):
                return value.strip()
        list_key, texts = first_filled_field(fields, _TEXT_LIST_KEYS)
        may_hold_objects = key_words(list_key) in _TEXT_BLOCK_KEYS
        text = ""
        if may_hold_objects or not objects_in(texts):
            text = _joined_texts(texts)
        if text:
            return text
    # An entry may have an empty text.
    has_text_key = any("text" in fields for fields in descriptions)
    return "" if has_text_key else None


def _joined_texts(value: Any) -> str:
    """Return the texts of a list of strings, or of objects with a text and its type, as one."""
    if not isinstance(value, list):
        return ""
    texts = []
    for block in value:
        text = block
        if isinstance(block, dict) and "text" in block:
            # An object with more fields is a turn of its own.
            is_text_block = block.keys() <= {"type", "text"}
            text = block["text"] if is_text_block else None
        if not isinstance(text, str):
            return ""
        texts.append(text.strip())
    return " ".join(texts)


def _word_entries(entry: dict[str, Any]) -> tuple[dict[str, Any], ...]:
    value = first_filled_value(entry, _WORD_LIST_KEYS)
    return tuple(objects_in(value))


_NO_SCORE = (0, 0)


def _transcript_score(entries: Sequence[SpokenEntry]) -> tuple[int, int]:
    """Return the number of telling fields and the length of the text, for comparison."""
    filled_entries = [entry for entry in entries if entry.text]
    if not filled_entries:
        return _NO_SCORE
    min_count = MIN_TURN_SHARE * len(filled_entries)
    speaker_count = sum(bool(entry.speaker()) for entry in filled_entries)
    start_count = sum(_has_start(entry) for entry in filled_entries)
    has_speakers = speaker_count >= min_count
    has_starts = start_count >= min_count
    if not has_speakers and not has_starts:
        word_count = sum(len(entry.text.split()) for entry in filled_entries)
        is_prose = word_count >= MIN_PLAIN_WORDS * len(filled_entries)
        if not is_prose or len(filled_entries) < MIN_PLAIN_TEXTS:
            return _NO_SCORE
    # Speakers count most, then times, then the length of the text.
    field_score = 1
    if has_speakers:
        field_score += 2
    if has_starts:
        field_score += 1
    text_length = sum(len(entry.text) for entry in filled_entries)
    return field_score, text_length


def _has_start(entry: SpokenEntry) -> bool:
    return entry.value(START_KEYS) is not None or bool(entry.word_entries)
