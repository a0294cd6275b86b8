"""IBM Watson: results with word timestamps as lists, speakers by start time, hesitations as tokens."""

from __future__ import annotations

from typing import Any

from assistant.transcripts.asr.json_fields import content, first, named, objects, string, time
from assistant.transcripts.asr.timed_words import Word, pieces
from assistant.transcripts.bytes import RawSource
from assistant.transcripts.pieces import Parsed, Piece

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
    found: list[Piece] = []
    for number, row in enumerate(rows, 1):
        found += _result(number, first(row.get("alternatives")), speakers)
    return Parsed(found)


def _rows(data: Any) -> list[dict[str, Any]]:
    """The results, also where a list of answers holds a list each."""
    rows = objects(data.get("results")) if isinstance(data, dict) else []
    return [inner for row in rows for inner in (objects(row.get("results")) or [row])]


def _result(number: int, best: dict[str, Any], speakers: dict[float | None, str | None]) -> list[Piece]:
    words = []
    stamps = best.get("timestamps")
    for stamp in stamps if isinstance(stamps, list) else ():
        if isinstance(stamp, list) and len(stamp) >= 3 and stamp[0] != _HESITATION:
            start = time(stamp[1])
            words.append(Word(string(stamp[0]), number, start, time(stamp[2]), speakers.get(start)))
    if words:
        return pieces(words)
    text = " ".join(string(best.get("transcript")).replace(_HESITATION, " ").split())
    return [Piece(text, number)] if text else []
