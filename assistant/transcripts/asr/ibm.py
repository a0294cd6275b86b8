"""IBM Watson: results with word timestamps as lists, speakers by start time, hesitations as tokens."""

from __future__ import annotations

from typing import Any

from assistant.transcripts.asr.json_fields import content, first, named, objects, string, time
from assistant.transcripts.asr.timed_words import Word, pieces
from assistant.transcripts.speech_pieces import Parsed, Piece
from assistant.transcripts.text_decoding import RawSource

_HESITATION = "%HESITATION"


def sniff(source: RawSource) -> bool:
    """Return whether the results have alternatives with timestamps."""
    return any("timestamps" in first(row.get("alternatives")) for row in _rows(content(source)))


def parse(source: RawSource) -> Parsed:
    """Return the words of every result, cut at changes of speaker; hesitations are left out."""
    data = content(source)
    rows = _rows(data)
    holders = [data, *rows, *objects(data.get("results"))]
    labels = [label for holder in holders for label in objects(holder.get("speaker_labels"))]
    speakers = {time(label.get("from")): named(label.get("speaker")) for label in labels}
    spoken = (
        _result(line, first(row.get("alternatives")), speakers) for line, row in enumerate(rows, 1)
    )
    return Parsed([piece for pieces_of_result in spoken for piece in pieces_of_result])


def _rows(data: Any) -> list[dict[str, Any]]:
    """Return the results, also where a list of answers holds a list each."""
    rows = objects(data.get("results")) if isinstance(data, dict) else []
    return [inner for row in rows for inner in (objects(row.get("results")) or [row])]


def _result(
    line: int, best: dict[str, Any], speakers: dict[float | None, str | None]
) -> list[Piece]:
    stamps = best.get("timestamps")
    words = [
        Word(string(stamp[0]), line, speakers.get(time(stamp[1])), time(stamp[1]), time(stamp[2]))
        for stamp in (stamps if isinstance(stamps, list) else ())
        if isinstance(stamp, list) and len(stamp) >= 3 and stamp[0] != _HESITATION
    ]
    text = " ".join(string(best.get("transcript")).replace(_HESITATION, " ").split())
    return pieces(words) or ([Piece(text, line)] if text else [])
