"""IBM Watson: results with lists of word timestamps, speakers by start time, and hesitations."""

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

_HESITATION = "%HESITATION"


def sniff(source: RawSource) -> bool:
    """Return whether the results have alternatives with timestamps."""
    results = _results(decoded_json(source))
    return any("timestamps" in first_object(result.get("alternatives")) for result in results)


def parse(source: RawSource) -> Parsed:
    """Return the words of every result, divided at changes of speaker, without hesitations."""
    data = decoded_json(source)
    results = _results(data)
    # Speaker labels stand at several places, and name the speaker of the word that begins then.
    label_holders = [data, *results, *objects_in(data.get("results"))]
    speaker_by_start: dict[float | None, str | None] = {}
    for holder in label_holders:
        for label in objects_in(holder.get("speaker_labels")):
            start_s = as_seconds(label.get("from"))
            speaker_by_start[start_s] = speaker_from_json(label.get("speaker"))
    all_pieces: list[Piece] = []
    for line, result in enumerate(results, 1):
        best_alternative = first_object(result.get("alternatives"))
        all_pieces += _result_pieces(line, best_alternative, speaker_by_start)
    return Parsed(all_pieces)


def _results(data: Any) -> list[dict[str, Any]]:
    """Return the results, also if a list of answers holds a list each."""
    if not isinstance(data, dict):
        return []
    results = []
    for result in objects_in(data.get("results")):
        results += objects_in(result.get("results")) or [result]
    return results


def _result_pieces(
    line: int, best: dict[str, Any], speakers: dict[float | None, str | None]
) -> list[Piece]:
    """Return the words of a result's best alternative, else its transcript."""
    timestamps = best.get("timestamps")
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
        start = as_seconds(written_start)
        end = as_seconds(written_end)
        words.append(RecognisedWord(as_text(word), line, speakers.get(start), start, end))
    timed_pieces = joined_pieces(words)
    if timed_pieces:
        return timed_pieces
    transcript = as_text(best.get("transcript")).replace(_HESITATION, " ")
    text = " ".join(transcript.split())
    return [Piece(text, line)] if text else []
