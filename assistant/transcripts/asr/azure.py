"""Azure speech: batch transcription (recognizedPhrases) and fast transcription (phrases).

Batch times are ticks of 100 nanoseconds, fast times are milliseconds.
"""

from __future__ import annotations

import re
from typing import Any

from assistant.transcripts.asr.json_fields import (
    MILLISECONDS_PER_S,
    decoded_json,
    end_after,
    first_object_or_empty,
    objects_in,
    seconds_or_none,
    sniffer_of_paths,
    speaker_from_json,
    text_or_empty,
)
from assistant.transcripts.speech_pieces import ParsedTranscript, SpeechPiece
from assistant.transcripts.text_decoding import RawSource

TICKS_PER_S = 1e7
# PT1H2M3.5S
_ISO_DURATION_PATTERN = re.compile(
    r"^PT(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:\.\d{0,9})?)S)?$"
)

sniff = sniffer_of_paths("recognizedPhrases", "combinedPhrases phrases")


def parse(source: RawSource) -> ParsedTranscript:
    """Return the phrases in order of time: the file lists one channel after the other."""
    data = decoded_json(source)
    # The key differs between the batch and the fast API.
    phrases = objects_in(data.get("recognizedPhrases") or data.get("phrases"))
    all_pieces = [_piece(line_number, phrase) for line_number, phrase in enumerate(phrases, 1)]
    spoken_pieces = [piece for piece in all_pieces if piece.text]
    spoken_pieces.sort(key=lambda piece: piece.start or 0.0)
    first_phrase = first_object_or_empty(phrases)
    language = text_or_empty(first_phrase.get("locale"))
    return ParsedTranscript(spoken_pieces, language=language)


def _piece(line_number: int, phrase: dict[str, Any]) -> SpeechPiece:
    best = first_object_or_empty(phrase.get("nBest"))
    text = text_or_empty(best.get("display") or phrase.get("text") or best.get("lexical"))
    start = _time(phrase, "offset")
    end = end_after(start, _time(phrase, "duration"))
    return SpeechPiece(text, line_number, speaker_from_json(phrase.get("speaker")), start, end)


def _time(phrase: dict[str, Any], key: str) -> float | None:
    """Return the seconds of a time in ticks, in milliseconds, or in ISO 8601."""
    if f"{key}InTicks" in phrase:
        return seconds_or_none(phrase[f"{key}InTicks"], TICKS_PER_S)
    if f"{key}Milliseconds" in phrase:
        return seconds_or_none(phrase[f"{key}Milliseconds"], MILLISECONDS_PER_S)
    duration = _ISO_DURATION_PATTERN.match(text_or_empty(phrase.get(key)))  # "PT1H2M3.5S"
    if duration is None:
        return None
    hours, minutes, seconds = duration.groups(default="0")
    whole_minutes = int(hours) * 60 + int(minutes)
    return round(whole_minutes * 60 + float(seconds), 3)
