"""Speechmatics: version 2 (results of words and punctuation) and version 1 (words and speakers).

Version 1 writes times as text.
"""

from __future__ import annotations

from typing import Any

from assistant.transcripts.asr.json_fields import (
    decoded_json,
    end_after,
    first_object_or_empty,
    has_keys,
    numbered_objects,
    object_or_empty,
    objects_in,
    piece_fields,
    seconds_or_none,
    speaker_from_json,
    text_or_empty,
)
from assistant.transcripts.asr.timed_words import TIME_TOLERANCE_S, RecognisedWord, pieces_of_words
from assistant.transcripts.speech_pieces import ParsedTranscript
from assistant.transcripts.text_decoding import RawSource

_PUNCTUATION = frozenset(".,?!;:")


def sniff(source: RawSource) -> bool:
    """Return whether the results are typed words, or the words have a name and a duration."""
    data = decoded_json(source)
    return _is_version_2(data) or _is_version_1(data)


def parse(source: RawSource) -> ParsedTranscript:
    """Return the joined words with the speakers that the file labels."""
    data = decoded_json(source)
    metadata = object_or_empty(data.get("metadata"))
    configuration = object_or_empty(metadata.get("transcription_config"))
    # Version 1 of the format names the language in its job.
    job = object_or_empty(data.get("job"))
    language = configuration.get("language") or job.get("lang")
    words = _words_of_version_2(data) if _is_version_2(data) else _words_of_version_1(data)
    return ParsedTranscript(pieces_of_words(words), language=text_or_empty(language))


def _is_version_2(data: Any) -> bool:
    results = objects_in(object_or_empty(data).get("results"))
    return any(
        "type" in result and "content" in first_object_or_empty(result.get("alternatives"))
        for result in results
    )


def _is_version_1(data: Any) -> bool:
    return has_keys(data, "words") and has_keys(
        first_object_or_empty(data["words"]), "name", "duration", "time"
    )


def _words_of_version_2(data: dict[str, Any]) -> list[RecognisedWord]:
    words: list[RecognisedWord] = []
    for line_number, result in numbered_objects(data["results"]):
        attachment = result.get("attaches_to", "previous")
        joins_previous_word = result.get("type") == "punctuation" and attachment in (
            "previous",
            "both",
        )
        # The result has the times, and its best alternative the text and the speaker.
        all_fields = result | first_object_or_empty(result.get("alternatives"))
        fields = piece_fields(
            all_fields, text_key="content", start_key="start_time", end_key="end_time"
        )
        if joins_previous_word and words:
            fields["speaker"] = words[-1].speaker
        words.append(
            RecognisedWord(
                line_number=line_number, joins_previous_word=joins_previous_word, **fields
            )
        )
    return words


def _words_of_version_1(data: dict[str, Any]) -> list[RecognisedWord]:
    turns = []
    for turn in objects_in(data.get("speakers")):
        turn_start = seconds_or_none(turn.get("time"))
        if turn_start is not None:
            turns.append((turn_start, speaker_from_json(turn.get("name"))))
    words: list[RecognisedWord] = []
    for line_number, word in numbered_objects(data["words"]):
        text = text_or_empty(word.get("name"))
        start = seconds_or_none(word.get("time"))
        end = end_after(start, seconds_or_none(word.get("duration")))
        speaker = None
        for turn_start, turn_speaker in turns:
            if start is not None and turn_start <= start + TIME_TOLERANCE_S:
                speaker = turn_speaker
        joins_previous_word = text in _PUNCTUATION and bool(words)
        words.append(
            RecognisedWord(
                text, line_number, speaker, start, end, joins_previous_word=joins_previous_word
            )
        )
    return words
