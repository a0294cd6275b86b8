"""Azure speech: batch transcription (recognizedPhrases, 100-nanosecond ticks) and fast transcription (phrases, ms)."""

from __future__ import annotations

import re
from typing import Any

from assistant.transcripts import language
from assistant.transcripts.asr.json_fields import content, first, keys, named, objects, string, time
from assistant.transcripts.bytes import RawSource
from assistant.transcripts.pieces import Parsed, Piece

TICKS_PER_S = 1e7
_ISO = re.compile(r"^PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$")


def sniff(source: RawSource) -> bool:
    """Return whether the JSON has recognised phrases."""
    data = content(source)
    return keys(data, "recognizedPhrases") or keys(data, "combinedPhrases", "phrases")


def parse(source: RawSource) -> Parsed:
    """Return the phrases in order of time: channels stand one after the other in the file."""
    data = content(source)
    rows = objects(data.get("recognizedPhrases") or data.get("phrases"))
    found = [piece for number, row in enumerate(rows, 1) if (piece := _piece(number, row)).text]
    found.sort(key=lambda piece: piece.start if piece.start is not None else 0.0)
    return Parsed(found, language.declared(next((row.get("locale") for row in rows), "")))


def _piece(number: int, row: dict[str, Any]) -> Piece:
    best = first(row.get("nBest"))
    start, lasting = _time(row, "offset"), _time(row, "duration")
    end = None if start is None or lasting is None else round(start + lasting, 3)
    text = string(best.get("display") or row.get("text") or best.get("lexical"))
    return Piece(text, number, named(row.get("speaker")), start, end)


def _time(row: dict[str, Any], name: str) -> float | None:
    if f"{name}InTicks" in row:
        return time(row[f"{name}InTicks"], TICKS_PER_S)
    if f"{name}Milliseconds" in row:
        return time(row[f"{name}Milliseconds"], 1000)
    found = _ISO.match(string(row.get(name)))
    if found is None:
        return None
    hours, minutes, rest = found.groups()
    return round(int(hours or 0) * 3600 + int(minutes or 0) * 60 + float(rest or 0), 3)
