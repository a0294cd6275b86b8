"""Speechmatics: version 2 (results of words and punctuation) and version 1 (words and speakers).

Version 1 writes times as text.
"""

from __future__ import annotations

from typing import Any

from assistant.transcripts.asr.json_fields import (
    as_object,
    as_seconds,
    as_text,
    decoded_json,
    end_after,
    first_object,
    has_keys,
    numbered_objects,
    objects_in,
    piece_fields,
    speaker_from_json,
)
from assistant.transcripts.asr.timed_words import TIME_TOLERANCE_S, RecognisedWord, joined_pieces
from assistant.transcripts.speech_pieces import Parsed
from assistant.transcripts.text_decoding import RawSource

_PUNCTUATION = frozenset(".,?!;:")


def sniff(source: RawSource) -> bool:
    """Return whether the results are typed words, or the words have a name and a duration."""
    data = decoded_json(source)
    return _is_v2(data) or _is_v1(data)


def parse(source: RawSource) -> Parsed:
    """Return the joined words with the speakers that the file labels."""
    data = decoded_json(source)
    metadata = as_object(data.get("metadata"))
    configuration = as_object(metadata.get("transcription_config"))
    # Version 1 of the format names the language in its job.
    job = as_object(data.get("job"))
    language = configuration.get("language") or job.get("lang")
    words = _v2(data) if _is_v2(data) else _v1(data)
    return Parsed(joined_pieces(words), language=as_text(language))


def _is_v2(data: Any) -> bool:
    results = objects_in(as_object(data).get("results"))
    return any(
        "type" in result and "content" in first_object(result.get("alternatives"))
        for result in results
    )


def _is_v1(data: Any) -> bool:
    return has_keys(data, "words") and has_keys(
        first_object(data["words"]), "name", "duration", "time"
    )


def _v2(data: dict[str, Any]) -> list[RecognisedWord]:
    words: list[RecognisedWord] = []
    for line, result in numbered_objects(data["results"]):
        attachment = result.get("attaches_to", "previous")
        is_glued = result.get("type") == "punctuation" and attachment in ("previous", "both")
        best = result | first_object(result.get("alternatives"))
        fields = piece_fields(best, text="content", start="start_time", end="end_time")
        if is_glued and words:
            fields["speaker"] = words[-1].speaker
        words.append(RecognisedWord(line=line, is_glued=is_glued, **fields))
    return words


def _v1(data: dict[str, Any]) -> list[RecognisedWord]:
    turns = []
    for turn in objects_in(data.get("speakers")):
        turn_start = as_seconds(turn.get("time"))
        if turn_start is not None:
            turns.append((turn_start, speaker_from_json(turn.get("name"))))
    words: list[RecognisedWord] = []
    for line, word in numbered_objects(data["words"]):
        text = as_text(word.get("name"))
        start = as_seconds(word.get("time"))
        end = end_after(start, as_seconds(word.get("duration")))
        speaker = None
        for turn_start, turn_speaker in turns:
            if start is not None and turn_start <= start + TIME_TOLERANCE_S:
                speaker = turn_speaker
        is_glued = text in _PUNCTUATION and bool(words)
        words.append(RecognisedWord(text, line, speaker, start, end, is_glued=is_glued))
    return words
