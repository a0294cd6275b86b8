"""Azure speech: batch transcription (recognizedPhrases) and fast transcription (phrases).

Batch times are ticks of 100 nanoseconds, fast times are milliseconds.
"""

from __future__ import annotations

import re
from typing import Any

from assistant.transcripts.asr.json_fields import (
    as_seconds,
    as_text,
    decoded_json,
    end_after,
    first_object,
    objects_in,
    sniffer_of_paths,
    speaker_from_json,
)
from assistant.transcripts.speech_pieces import Parsed, Piece
from assistant.transcripts.text_decoding import RawSource

TICKS_PER_S = 1e7
# PT1H2M3.5S
_ISO_DURATION_PATTERN = re.compile(
    r"^PT(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:\.\d{0,9})?)S)?$"
)
MILLISECONDS_PER_S = 1000

sniff = sniffer_of_paths("recognizedPhrases", "combinedPhrases phrases")


def parse(source: RawSource) -> Parsed:
    """Return the phrases in order of time: the file lists one channel after the other."""
    data = decoded_json(source)
    # The key differs between the batch and the fast API.
    phrases = objects_in(data.get("recognizedPhrases") or data.get("phrases"))
    all_pieces = [_piece(line, phrase) for line, phrase in enumerate(phrases, 1)]
    spoken_pieces = [piece for piece in all_pieces if piece.text]
    spoken_pieces.sort(key=lambda piece: piece.start or 0.0)
    first_phrase = first_object(phrases)
    language = as_text(first_phrase.get("locale"))
    return Parsed(spoken_pieces, language=language)


def _piece(line: int, phrase: dict[str, Any]) -> Piece:
    best = first_object(phrase.get("nBest"))
    text = as_text(best.get("display") or phrase.get("text") or best.get("lexical"))
    start = _time(phrase, "offset")
    end = end_after(start, _time(phrase, "duration"))
    return Piece(text, line, speaker_from_json(phrase.get("speaker")), start, end)


def _time(phrase: dict[str, Any], key: str) -> float | None:
    """Return the seconds of a time in ticks, in milliseconds, or in ISO 8601."""
    if f"{key}InTicks" in phrase:
        return as_seconds(phrase[f"{key}InTicks"], TICKS_PER_S)
    if f"{key}Milliseconds" in phrase:
        return as_seconds(phrase[f"{key}Milliseconds"], MILLISECONDS_PER_S)
    duration = _ISO_DURATION_PATTERN.match(as_text(phrase.get(key)))  # "PT1H2M3.5S"
    if duration is None:
        return None
    hours, minutes, seconds = duration.groups(default="0")
    whole_minutes = int(hours) * 60 + int(minutes)
    return round(whole_minutes * 60 + float(seconds), 3)
