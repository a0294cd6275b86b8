"""Google Speech-to-Text, v1 and v2: results one after the other.

With diarisation the last repeats every word.
"""

from __future__ import annotations

from typing import Any

from assistant.transcripts.asr.json_fields import (
    as_seconds,
    as_text,
    decoded_json,
    first_object,
    objects_in,
    speaker_from_json,
)
from assistant.transcripts.asr.timed_words import RecognisedWord, joined_pieces
from assistant.transcripts.speech_pieces import Parsed, Piece
from assistant.transcripts.text_decoding import RawSource

# Keys in the versions of the service
_START_KEYS = ("startTime", "startOffset", "start_time", "start_offset")
_END_KEYS = ("endTime", "endOffset", "end_time", "end_offset")
NANOSECONDS_PER_S = 1e9


def sniff(source: RawSource) -> bool:
    """Return whether the results have alternatives with transcripts or with words as objects."""
    has_text = False
    for result in _results(decoded_json(source)):
        alternative = first_object(result.get("alternatives"))
        if "timestamps" in alternative:
            return False
        if "transcript" in alternative or objects_in(alternative.get("words")):
            has_text = True
    return has_text


def parse(source: RawSource) -> Parsed:
    """Return the diarized words if the file has them, else one piece for each result."""
    results = _results(decoded_json(source))
    alternatives = [first_object(result.get("alternatives")) for result in results]
    result_words = [
        [_word(word, line) for word in objects_in(alternative.get("words"))]
        for line, alternative in enumerate(alternatives, 1)
    ]
    has_speakers = [any(word.speaker for word in words) for words in result_words]
    if not any(has_speakers):
        all_pieces = [
            _piece(as_text(alternative.get("transcript")), line, words)
            for line, (alternative, words) in enumerate(
                zip(alternatives, result_words, strict=True), 1
            )
        ]
    elif has_speakers[-1] and _repeats_recording(alternatives[-1], result_words[-1]):
        all_pieces = joined_pieces(_word(word, 1) for word in objects_in(alternatives[-1]["words"]))
    else:
        all_pieces = joined_pieces(word for words in result_words for word in words)
    language = ""
    for result in results:
        if result.get("languageCode"):
            language = as_text(result["languageCode"])
            break
    return Parsed([piece for piece in all_pieces if piece.text], language=language)


def _repeats_recording(alternative: dict[str, Any], words: list[RecognisedWord]) -> bool:
    """Return whether a result has the words of the whole recording: more than its transcript."""
    return len(words) > len(as_text(alternative.get("transcript")).split())


def _results(data: Any) -> list[dict[str, Any]]:
    if not isinstance(data, dict):
        return []
    if isinstance(data.get("response"), dict):
        data = data["response"]  # a long-running operation
    return objects_in(data.get("results"))


def _word(word: dict[str, Any], line: int) -> RecognisedWord:
    speaker = word.get("speakerLabel") or word.get("speakerTag") or word.get("speaker_tag") or None
    start = _time(word, _START_KEYS)
    end = _time(word, _END_KEYS)
    return RecognisedWord(as_text(word.get("word")), line, speaker_from_json(speaker), start, end)


def _piece(transcript: str, line: int, words: list[RecognisedWord]) -> Piece:
    if not words:
        return Piece(transcript, line)
    text = transcript or " ".join(word.text for word in words)
    return Piece(text, line, None, words[0].start, words[-1].end)


def _time(word: dict[str, Any], keys: tuple[str, ...]) -> float | None:
    """Return the seconds of ``"12.900s"`` or ``{"seconds": "12", "nanos": 900000000}``."""
    value = next((word[key] for key in keys if key in word), None)
    if not isinstance(value, dict):
        return as_seconds(as_text(value).removesuffix("s"))
    seconds = as_seconds(value.get("seconds", 0))
    fraction = as_seconds(value.get("nanos", 0), NANOSECONDS_PER_S)
    if seconds is None or fraction is None:
        return None
    return round(seconds + fraction, 3)
