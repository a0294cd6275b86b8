"""Plain lists of turns: objects with a text, perhaps a speaker, a start and an end, in seconds or milliseconds.

Such a file does not say the unit. It is taken to be the one in which people speak at a possible
speed.
"""

from __future__ import annotations

import re
from typing import Any

from assistant.transcripts.asr.json_fields import content, objects, string, time, timed
from assistant.transcripts.speech_pieces import Parsed, Piece
from assistant.transcripts.text_decoding import RawSource

SLOWEST_WORDS_PER_S = (
    0.05  # read as seconds, a list in milliseconds comes to some .003 words a second
)

_LISTS = (
    "turns",
    "utterances",
    "segments",
    "transcript",
    "monologues",
    "captions",
    "entries",
    "data",
)
_EDITORS_NOTE = re.compile(r"^\[[^\]]{25,}\]$")


def sniff(source: RawSource) -> bool:
    """Return whether the JSON is, or holds, a list of objects with a text and a speaker or a start."""
    return bool(_turns(content(source)))


def parse(source: RawSource) -> Parsed:
    """Return one piece for each turn; editors' notes in brackets are left out with a warning."""
    rows = [
        (line, row) for line, row in enumerate(_turns(content(source)), 1) if string(row["text"])
    ]
    spoken = [(line, row) for line, row in rows if not _EDITORS_NOTE.match(string(row["text"]))]
    per_second, warnings = _unit([row for _, row in spoken])
    if len(spoken) < len(rows):
        warnings.append(
            f"turns that are only a note in brackets, left out: {len(rows) - len(spoken)}"
        )
    pieces = [
        Piece(line=line, starts_turn=True, **timed(row, per_second=per_second))
        for line, row in spoken
    ]
    return Parsed(pieces, warnings)


def _turns(data: Any) -> list[dict[str, Any]]:
    if isinstance(data, dict):
        data = next((data[name] for name in _LISTS if isinstance(data.get(name), list)), None)
    rows = objects(data)
    usable = [
        row
        for row in rows
        if isinstance(row.get("text"), str) and ("speaker" in row or "start" in row)
    ]
    return usable if usable and len(usable) >= len(rows) / 2 else []


def _unit(rows: list[dict[str, Any]]) -> tuple[float, list[str]]:
    """Return the units in a second (1 or 1000), with a warning that they were guessed."""
    with_times = [
        row
        for row in rows
        if time(row.get("start")) is not None and time(row.get("end")) is not None
    ]
    lasting = sum(max((time(row["end"]) or 0) - (time(row["start"]) or 0), 0) for row in with_times)
    if not lasting:
        return 1.0, []
    slow = (
        sum(len(string(row["text"]).split()) for row in with_times) / lasting < SLOWEST_WORDS_PER_S
    )
    unit = "milliseconds" if slow else "seconds"
    return (1000.0 if slow else 1.0), [
        f"the file does not say the unit of its times; they were read as {unit}"
    ]
