"""Plain lists of turns: objects with a text, perhaps a speaker, a start and an end, in seconds or milliseconds.

The unit is not written in such a file. It is the one in which people speak at a possible speed.
"""

from __future__ import annotations

import re
from typing import Any

from assistant.transcripts.asr.json_fields import content, named, objects, string, time
from assistant.transcripts.bytes import RawSource
from assistant.transcripts.pieces import Parsed, Piece

SLOWEST_WORDS_PER_S = 0.05  # read as seconds, a list in milliseconds comes to some .003 words a second

_LISTS = ("turns", "utterances", "segments", "transcript", "monologues", "captions", "entries", "data")
_EDITORS_NOTE = re.compile(r"^\[[^\]]{25,}\]$")


def sniff(source: RawSource) -> bool:
    """Return whether the JSON is, or holds, a list of objects with a text and a speaker or a start."""
    return bool(_turns(content(source)))


def parse(source: RawSource) -> Parsed:
    """Return one piece a turn; a turn that is nothing but an editor's note in brackets is left out with a warning."""
    rows = [(number, row) for number, row in enumerate(_turns(content(source)), 1) if string(row["text"])]
    spoken = [(number, row) for number, row in rows if not _EDITORS_NOTE.match(string(row["text"]))]
    per_second, warnings = _unit([row for _, row in spoken])
    if len(spoken) < len(rows):
        warnings.append(f"turns that are only a note in brackets, left out: {len(rows) - len(spoken)}")
    return Parsed([_piece(number, row, per_second) for number, row in spoken], warnings)


def _turns(data: Any) -> list[dict[str, Any]]:
    if isinstance(data, dict):
        data = next((data[name] for name in _LISTS if isinstance(data.get(name), list)), None)
    rows = objects(data)
    usable = [row for row in rows if isinstance(row.get("text"), str) and ("speaker" in row or "start" in row)]
    return usable if usable and len(usable) >= len(rows) / 2 else []


def _unit(rows: list[dict[str, Any]]) -> tuple[float, list[str]]:
    """Units in a second (1 or 1000), with a warning that it was guessed."""
    timed = [row for row in rows if time(row.get("start")) is not None and time(row.get("end")) is not None]
    lasting = sum(max((time(row["end"]) or 0) - (time(row["start"]) or 0), 0) for row in timed)
    if not lasting:
        return 1.0, []
    slow = sum(len(string(row["text"]).split()) for row in timed) / lasting < SLOWEST_WORDS_PER_S
    unit = "milliseconds" if slow else "seconds"
    return (1000.0 if slow else 1.0), [f"the file does not say the unit of its times; they were read as {unit}"]


def _piece(number: int, row: dict[str, Any], per_second: float) -> Piece:
    start, end = time(row.get("start"), per_second), time(row.get("end"), per_second)
    return Piece(string(row["text"]), number, named(row.get("speaker")), start, end, True)
