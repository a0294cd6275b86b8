"""A whole transcript as one text in JSON, or as a list of lines: ``{"text": "MARIA: Good evening."}``.

The text is read as plain text is, with the title and the date of the fields beside it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from assistant.transcripts import plain
from assistant.transcripts.asr.json_fields import decoded_json, text_or_empty
from assistant.transcripts.asr.json_search import DATE_KEYS, TITLE_KEYS, first_filled_value
from assistant.transcripts.numbered_lines import numbered
from assistant.transcripts.speech_pieces import ParsedTranscript
from assistant.transcripts.text_decoding import RawSource
from assistant.transcripts.title_and_date import dates_in_text

MAX_OBJECT_DEPTH = 3
MIN_TEXT_WORDS = 5
MAX_TEXT_LINES = 200_000
# Fields that hold a whole transcript, the surest first
_WHOLE_TEXT_KEYS = (
    "transcript",
    "transcript text",
    "transcription",
    "full transcript",
    "full text",
    "dialogue",
    "speech",
    "text",
    "content",
    "body",
    "lines",
)


def sniff(source: RawSource) -> bool:
    """Return whether a field of the JSON holds a text of several words, or a list of lines."""
    fields, text = _whole_text(decoded_json(source), MAX_OBJECT_DEPTH)
    return fields is not None and len(text.split()) >= MIN_TEXT_WORDS


def parse(source: RawSource) -> ParsedTranscript:
    """Return the turns of the text."""
    fields, text = _whole_text(decoded_json(source), MAX_OBJECT_DEPTH)
    lines = numbered(text.split("\n"))
    parsed = plain.read_lines(lines, source.accepted_labels, source.refused_labels)
    if fields:
        parsed.title = text_or_empty(first_filled_value(fields, TITLE_KEYS)) or parsed.title
        days = dates_in_text(text_or_empty(first_filled_value(fields, DATE_KEYS)))
        if len(days) == 1:
            parsed.event_date = days[0]
    # The lines of a text inside JSON differ from the lines of the file.
    parsed.pieces = [replace(piece, line_number=1) for piece in parsed.pieces]
    return parsed


def _whole_text(value: Any, depth: int) -> tuple[dict[str, Any] | None, str]:
    """Return the object with a whole transcript and the text, (None, "") if there is none."""
    if not isinstance(value, dict) or depth == 0:
        return None, ""
    for name in _WHOLE_TEXT_KEYS:
        text = _joined(first_filled_value(value, (name,)))
        if text:
            return value, text
    for child in value.values():
        fields, text = _whole_text(child, depth - 1)
        if fields is not None:
            return fields, text
    return None, ""


def _joined(value: Any) -> str:
    """Return a text, or the strings of a list as paragraphs, "" for anything else."""
    if isinstance(value, str):
        return value
    if not isinstance(value, list) or len(value) > MAX_TEXT_LINES:
        return ""
    if not all(isinstance(line, str) for line in value):
        return ""
    return "\n\n".join(value)
