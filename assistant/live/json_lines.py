"""Reads and validates the JSON lines that other programs send over HTTP.

One object per line, or a clear refusal.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

from assistant.live.live_lines import LATEST_TIME_S, Line

LONGEST_LINE_CHARACTERS = 20_000  # more than any line of speech
LONGEST_ID_CHARACTERS = 200
MAX_SHOWN_VALUE_CHARACTERS = 40
_LINE_END_PATTERN = re.compile(r"\r\n|\n|\r")
_SECONDS_FIELD = (int, float, type(None)), "a time in seconds"
# The fields of a line: the types that JSON may give, and what is expected in words.
_LINE_FIELDS: dict[str, tuple[tuple[type, ...], str]] = {
    "id": ((str, int), "a string or a whole number"),
    "speaker": ((str, type(None)), "a string"),
    "text": ((str,), "a string"),
    "start": _SECONDS_FIELD,
    "end": _SECONDS_FIELD,
    "final": ((bool,), "true or false"),
}


class InvalidLine(ValueError):
    """A message that is no line; the text says what it contains and what was expected."""


def read_lines(body: bytes, source: str) -> list[Line]:
    """Return the lines of a body of JSON lines.

    Raises: InvalidLine with the number of the first wrong one.
    """
    try:
        # A JSON text may contain U+2028 or U+0085, at which ``splitlines`` would cut it.
        text_lines = _LINE_END_PATTERN.split(body.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise InvalidLine(f"the request body isn't valid UTF-8 (byte {error.start})") from error
    lines = []
    for number, text_line in enumerate(text_lines, 1):
        if text_line.strip():
            try:
                lines.append(read_line(text_line, source))
            except InvalidLine as error:
                raise InvalidLine(f"line {number} is invalid: {error}") from error
    if not lines:
        raise InvalidLine(
            'the request body is empty. Send lines such as {"id": "1", "text": "..."}'
        )
    return lines


def read_line(text: str, source: str) -> Line:
    """Return the line in a JSON object. Raises: InvalidLine."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidLine("the line isn't valid JSON") from error
    if not isinstance(fields, Mapping):
        raise InvalidLine(
            'the line isn\'t a JSON object. Send an object such as {"id": "1", "text": "..."}'
        )
    _require_valid_fields(fields)
    start = fields.get("start")
    end = fields.get("end")
    speaker = (fields.get("speaker") or "").strip() or None
    return Line(
        source, str(fields["id"]), fields["text"], speaker, start, end, fields.get("final", True)
    )


def _require_valid_fields(fields: Mapping[str, Any]) -> None:
    unknown_names = sorted(set(fields) - set(_LINE_FIELDS))
    if unknown_names:
        raise InvalidLine(
            f"unknown field {unknown_names[0]!r}. The known fields are {', '.join(_LINE_FIELDS)}"
        )
    for name in ("id", "text"):
        if name not in fields:
            raise InvalidLine(f"the field {name!r} is missing")
    for name, value in fields.items():
        types, expected = _LINE_FIELDS[name]
        # True and False are whole numbers in Python.
        is_misplaced_bool = isinstance(value, bool) and name != "final"
        if is_misplaced_bool or not isinstance(value, types):
            shown = json.dumps(value)[:MAX_SHOWN_VALUE_CHARACTERS]
            raise InvalidLine(f"the field {name!r} is {shown}, but must be {expected}")
        is_infinite = isinstance(value, float) and not math.isfinite(value)
        is_impossible_time = False
        if name in ("start", "end") and isinstance(value, (int, float)):
            is_impossible_time = not 0 <= value < LATEST_TIME_S
        if is_infinite or is_impossible_time:
            raise InvalidLine(f"the field {name!r} must be a time in seconds")
    _require_allowed_lengths(fields)


def _require_allowed_lengths(fields: Mapping[str, Any]) -> None:
    """Raise InvalidLine if the text is too long, or the id empty or too long."""
    if len(fields["text"]) > LONGEST_LINE_CHARACTERS:
        raise InvalidLine(f"the text has more than {LONGEST_LINE_CHARACTERS:,} characters")
    line_id = str(fields["id"])
    if not line_id:
        raise InvalidLine("the field 'id' is empty")
    if len(line_id) > LONGEST_ID_CHARACTERS:
        raise InvalidLine(f"the field 'id' has more than {LONGEST_ID_CHARACTERS:,} characters")
