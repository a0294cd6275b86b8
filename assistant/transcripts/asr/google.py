"""Google Speech-to-Text, v1 and v2: results one after the other.

With diarisation the last repeats every word.
"""

from __future__ import annotations

from dataclasses import replace
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
        # IBM Watson writes time stamps, Google does not.
        if "timestamps" in alternative:
            return False
        if "transcript" in alternative or objects_in(alternative.get("words")):
            has_text = True
    return has_text


def parse(source: RawSource) -> Parsed:
    """Return the diarized words if the file has them, else one piece for each result."""
    results = _results(decoded_json(source))
    # The best alternative of each result comes first.
    best_alternatives = [first_object(result.get("alternatives")) for result in results]
    # The words of each result
    words_by_result = []
    for line, alternative in enumerate(best_alternatives, 1):
        entries = objects_in(alternative.get("words"))
        words_by_result.append([_word(entry, line) for entry in entries])
    all_words = [word for words in words_by_result for word in words]
    pieces: list[Piece] = []
    if not any(word.speaker for word in all_words):
        for line, alternative in enumerate(best_alternatives, 1):
            transcript = as_text(alternative.get("transcript"))
            pieces.append(_piece(transcript, line, words_by_result[line - 1]))
    elif _repeats_recording(best_alternatives[-1], words_by_result[-1]):
        # The last result has all words of the recording once more, with their speakers.
        pieces = joined_pieces(replace(word, line=1) for word in words_by_result[-1])
    else:
        pieces = joined_pieces(all_words)
    languages = [as_text(result.get("languageCode")) for result in results]
    named_languages = [language for language in languages if language]
    spoken_pieces = [piece for piece in pieces if piece.text]
    return Parsed(spoken_pieces, language=named_languages[0] if named_languages else "")


def _repeats_recording(alternative: dict[str, Any], words: list[RecognisedWord]) -> bool:
    """Return whether the last result repeats the words of all results, with their speakers."""
    has_speakers = any(word.speaker for word in words)
    transcript = as_text(alternative.get("transcript"))
    return has_speakers and len(words) > len(transcript.split())


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
    present_keys = [key for key in keys if key in word]
    value = word[present_keys[0]] if present_keys else None
    if not isinstance(value, dict):
        return as_seconds(as_text(value).removesuffix("s"))
    seconds = as_seconds(value.get("seconds", 0))
    fraction = as_seconds(value.get("nanos", 0), NANOSECONDS_PER_S)
    if seconds is None or fraction is None:
        return None
    return round(seconds + fraction, 3)
