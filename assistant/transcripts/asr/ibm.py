"""IBM Watson: results with lists of word timestamps, speakers by start time, and hesitations."""

from __future__ import annotations

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

_HESITATION = "%HESITATION"


def sniff(source: RawSource) -> bool:
    """Return whether the results have alternatives with timestamps."""
    results = _results(decoded_json(source))
    return any(
        "timestamps" in first_object_or_empty(result.get("alternatives")) for result in results
    )


def parse(source: RawSource) -> ParsedTranscript:
    """Return the words of every result, divided at changes of speaker, without hesitations."""
    data = decoded_json(source)
    results = _results(data)
    # Speaker labels stand at several places, and name the speaker of the word that begins then.
    objects_with_labels = [data, *results, *objects_in(data.get("results"))]
    speaker_by_start: dict[float | None, str | None] = {}
    for object_with_labels in objects_with_labels:
        for label in objects_in(object_with_labels.get("speaker_labels")):
            start_s = seconds_or_none(label.get("from"))
            speaker_by_start[start_s] = speaker_from_json(label.get("speaker"))
    all_pieces: list[SpeechPiece] = []
    for result_number, result in enumerate(results, 1):
        best_alternative = first_object_or_empty(result.get("alternatives"))
        all_pieces += _result_pieces(result_number, best_alternative, speaker_by_start)
    return ParsedTranscript(all_pieces)


def _results(data: Any) -> list[dict[str, Any]]:
    """Return the results, also if a list of answers holds a list each."""
    if not isinstance(data, dict):
        return []
    results = []
    for result in objects_in(data.get("results")):
        results += objects_in(result.get("results")) or [result]
    return results


def _result_pieces(
    line_number: int,
    best_alternative: dict[str, Any],
    speaker_by_start: dict[float | None, str | None],
) -> list[SpeechPiece]:
    """Return the words of a result's best alternative, else its transcript."""
    timestamps = best_alternative.get("timestamps")
    if not isinstance(timestamps, list):
        timestamps = []
    words = []
    for timestamp in timestamps:
        # Each one is a list of the word, its start and its end.
        if not isinstance(timestamp, list) or len(timestamp) < 3:
            continue
        word, written_start, written_end, *_ = timestamp
        if word == _HESITATION:
            continue
        start = seconds_or_none(written_start)
        end = seconds_or_none(written_end)
        words.append(
            RecognisedWord(
                text_or_empty(word), line_number, speaker_by_start.get(start), start, end
            )
        )
    timed_pieces = pieces_of_words(words)
    if timed_pieces:
        return timed_pieces
    transcript = text_or_empty(best_alternative.get("transcript")).replace(_HESITATION, " ")
    text = " ".join(transcript.split())
    return [SpeechPiece(text, line_number)] if text else []
