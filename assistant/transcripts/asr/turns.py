"""Plain lists of turns: objects with a text, and maybe a speaker, a start and an end.

Such a file does not say whether its times are seconds or milliseconds. The unit is the one in which
people speak at a possible speed.
"""

from __future__ import annotations

import re
from typing import Any

from assistant.transcripts.asr.json_fields import content, objects, string, time, timed
from assistant.transcripts.speech_pieces import Parsed, Piece
from assistant.transcripts.text_decoding import RawSource

MIN_WORDS_PER_S = 0.05  # read as seconds, a list in milliseconds has about 0.003 words per second

# Keys below which files have their list of turns
_LIST_KEYS = (
    "turns",
    "utterances",
    "segments",
    "transcript",
    "monologues",
    "captions",
    "entries",
    "data",
)
# A turn that is only a long note in brackets
_EDITORS_NOTE = re.compile(r"^\[[^\]]{25,}\]$")


def sniff(source: RawSource) -> bool:
    """Return whether the JSON has a list of objects with a text and a speaker or a start."""
    return bool(_turns(content(source)))


def parse(source: RawSource) -> Parsed:
    """Return one piece for each turn. Editors' notes in brackets are left out with a warning."""
    turns = []
    note_count = 0
    for line, turn in enumerate(_turns(content(source)), 1):
        text = string(turn["text"])
        if _EDITORS_NOTE.match(text):
            note_count += 1
        elif text:
            turns.append((line, turn))
    per_second, warnings = _time_unit([turn for _, turn in turns])
    if note_count:
        warnings.append(f"turns that are only a note in brackets, left out: {note_count}")
    pieces = [
        Piece(line=line, starts_turn=True, **timed(turn, per_second=per_second))
        for line, turn in turns
    ]
    return Parsed(pieces, warnings)


def _turns(data: Any) -> list[dict[str, Any]]:
    """Return the turns of the list, [] if fewer than half of its objects are turns."""
    if isinstance(data, dict):
        data = next((data[key] for key in _LIST_KEYS if isinstance(data.get(key), list)), None)
    entries = objects(data)
    turns = []
    for entry in entries:
        has_text = isinstance(entry.get("text"), str)
        if has_text and ("speaker" in entry or "start" in entry):
            turns.append(entry)
    return turns if len(turns) >= len(entries) / 2 else []


def _time_unit(turns: list[dict[str, Any]]) -> tuple[float, list[str]]:
    """Return the number of time units in a second, 1 or 1000, and a warning that it is guessed."""
    total_length: float = 0
    word_count = 0
    for turn in turns:
        start = time(turn.get("start"))
        end = time(turn.get("end"))
        if start is not None and end is not None:
            total_length += max(end - start, 0)
            word_count += len(string(turn["text"]).split())
    if not total_length:
        return 1.0, []
    unit = "seconds"
    per_second = 1.0
    if word_count / total_length < MIN_WORDS_PER_S:
        unit = "milliseconds"
        per_second = 1000.0
    warning = f"the file does not say the unit of its times; they were read as {unit}"
    return per_second, [warning]
