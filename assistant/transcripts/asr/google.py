"""Google Speech-to-Text, v1 and v2: results one after the other.

With diarisation the last repeats every word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from assistant.transcripts.asr.json_fields import (
    decoded_json,
    first_object_or_empty,
    objects_in,
    seconds_or_none,
    speaker_from_json,
    text_or_empty,
)
from assistant.transcripts.asr.timed_words import RecognisedWord, pieces_of_words
from assistant.transcripts.speech_pieces import ParsedTranscript, SpeechPiece
from assistant.transcripts.text_decoding import RawSource

# Keys in the versions of the service
_START_KEYS = ("startTime", "startOffset", "start_time", "start_offset")
_END_KEYS = ("endTime", "endOffset", "end_time", "end_offset")
NANOSECONDS_PER_S = 1e9


def sniff(source: RawSource) -> bool:
    """Return whether the results have alternatives with transcripts or with words as objects."""
    has_text = False
    for result in _results(decoded_json(source)):
        alternative = first_object_or_empty(result.get("alternatives"))
        # IBM Watson writes time stamps, Google does not.
        if "timestamps" in alternative:
            return False
        if "transcript" in alternative or objects_in(alternative.get("words")):
            has_text = True
    return has_text


def parse(source: RawSource) -> ParsedTranscript:
    """Return the diarized words if the file has them, else one piece for each result."""
    results = _results(decoded_json(source))
    # The best alternative of each result comes first.
    best_alternatives = [first_object_or_empty(result.get("alternatives")) for result in results]
    # The words of each result
    words_by_result = []
    for result_number, alternative in enumerate(best_alternatives, 1):
        entries = objects_in(alternative.get("words"))
        words_by_result.append([_word(entry, result_number) for entry in entries])
    pieces = _pieces_of_results(best_alternatives, words_by_result)
    all_languages = [text_or_empty(result.get("languageCode")) for result in results]
    declared_languages = [language for language in all_languages if language]
    first_language = declared_languages[0] if declared_languages else ""
    spoken_pieces = [piece for piece in pieces if piece.text]
    return ParsedTranscript(spoken_pieces, language=first_language)


def _pieces_of_results(
    best_alternatives: Sequence[dict[str, Any]], words_by_result: Sequence[list[RecognisedWord]]
) -> list[SpeechPiece]:
    """Return the speech by speakers if the words name them, else one piece for each result."""
    all_words = [word for words_of_result in words_by_result for word in words_of_result]
    has_speakers = any(word.speaker for word in all_words)
    if not has_speakers:
        pieces = []
        results_with_words = zip(best_alternatives, words_by_result, strict=True)
        for result_number, (alternative, words_of_result) in enumerate(results_with_words, 1):
            transcript = text_or_empty(alternative.get("transcript"))
            pieces.append(_piece(transcript, result_number, words_of_result))
        return pieces
    # The last result may have all words of the recording once more, with their speakers.
    if _repeats_recording(best_alternatives[-1], words_by_result[-1]):
        return pieces_of_words(replace(word, line_number=1) for word in words_by_result[-1])
    return pieces_of_words(all_words)


def _repeats_recording(
    last_alternative: dict[str, Any], words_of_last_result: list[RecognisedWord]
) -> bool:
    """Return whether the last result repeats the words of all results, with their speakers."""
    has_speakers = any(word.speaker for word in words_of_last_result)
    transcript = text_or_empty(last_alternative.get("transcript"))
    return has_speakers and len(words_of_last_result) > len(transcript.split())


def _results(data: Any) -> list[dict[str, Any]]:
    if not isinstance(data, dict):
        return []
    if isinstance(data.get("response"), dict):
        data = data["response"]  # a long-running operation
    return objects_in(data.get("results"))


def _word(word: dict[str, Any], line_number: int) -> RecognisedWord:
    speaker = word.get("speakerLabel") or word.get("speakerTag") or word.get("speaker_tag") or None
    start = _time(word, _START_KEYS)
    end = _time(word, _END_KEYS)
    return RecognisedWord(
        text_or_empty(word.get("word")), line_number, speaker_from_json(speaker), start, end
    )


def _piece(transcript: str, line_number: int, words: list[RecognisedWord]) -> SpeechPiece:
    if not words:
        return SpeechPiece(transcript, line_number)
    text = transcript or " ".join(word.text for word in words)
    return SpeechPiece(text, line_number, None, words[0].start, words[-1].end)


def _time(word: dict[str, Any], possible_keys: tuple[str, ...]) -> float | None:
    """Return the seconds of ``"12.900s"`` or ``{"seconds": "12", "nanos": 900000000}``."""
    keys_of_word = [key for key in possible_keys if key in word]
    written_time = word[keys_of_word[0]] if keys_of_word else None
    if not isinstance(written_time, dict):
        return seconds_or_none(text_or_empty(written_time).removesuffix("s"))
    whole_seconds = seconds_or_none(written_time.get("seconds", 0))
    fraction = seconds_or_none(written_time.get("nanos", 0), NANOSECONDS_PER_S)
    if whole_seconds is None or fraction is None:
        return None
    return round(whole_seconds + fraction, 3)
