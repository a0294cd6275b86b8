"""IBM Watson: results with lists of word timestamps, speakers by start time, and hesitations."""

from __future__ import annotations

from typing import Any

from assistant.transcripts.asr.json_fields import content, first, named, objects, string, time
from assistant.transcripts.asr.timed_words import RecognisedWord, pieces
from assistant.transcripts.speech_pieces import Parsed, Piece
from assistant.transcripts.text_decoding import RawSource

_HESITATION = "%HESITATION"


def sniff(source: RawSource) -> bool:
    """Return whether the results have alternatives with timestamps."""
    results = _results(content(source))
    return any("timestamps" in first(result.get("alternatives")) for result in results)


def parse(source: RawSource) -> Parsed:
    """Return the words of every result, divided at changes of speaker, without hesitations."""
    data = content(source)
    results = _results(data)
    label_holders = [data, *results, *objects(data.get("results"))]
    speakers: dict[float | None, str | None] = {}
    for holder in label_holders:
        for label in objects(holder.get("speaker_labels")):
            speakers[time(label.get("from"))] = named(label.get("speaker"))
    all_pieces: list[Piece] = []
    for line, result in enumerate(results, 1):
        all_pieces += _result_pieces(line, first(result.get("alternatives")), speakers)
    return Parsed(all_pieces)


def _results(data: Any) -> list[dict[str, Any]]:
    """Return the results, also if a list of answers holds a list each."""
    if not isinstance(data, dict):
        return []
    results = []
    for result in objects(data.get("results")):
        results += objects(result.get("results")) or [result]
    return results


def _result_pieces(
    line: int, best: dict[str, Any], speakers: dict[float | None, str | None]
) -> list[Piece]:
    """Return the words of a result's best alternative, else its transcript."""
    timestamps = best.get("timestamps")
    words = []
    for timestamp in timestamps if isinstance(timestamps, list) else ():
        if not isinstance(timestamp, list) or len(timestamp) < 3:
            continue
        if timestamp[0] == _HESITATION:
            continue
        start = time(timestamp[1])
        end = time(timestamp[2])
        words.append(RecognisedWord(string(timestamp[0]), line, speakers.get(start), start, end))
    timed_pieces = pieces(words)
    if timed_pieces:
        return timed_pieces
    transcript = string(best.get("transcript")).replace(_HESITATION, " ")
    text = " ".join(transcript.split())
    return [Piece(text, line)] if text else []
