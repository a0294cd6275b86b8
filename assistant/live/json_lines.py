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
_LINE_END_PATTERN = re.compile(r"\r\n|\n|\r")
_SECONDS_FIELD = (int, float, type(None)), "seconds"
# The fields of a line: the types that JSON may give, and what is expected in words.
_LINE_FIELDS: dict[str, tuple[tuple[type, ...], str]] = {
    "id": ((str, int), "text or a whole number"),
    "speaker": ((str, type(None)), "text"),
    "text": ((str,), "text"),
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
        raise InvalidLine(f"isn't UTF-8 (byte {error.start})") from error
    lines = []
    for number, text_line in enumerate(text_lines, 1):
        if text_line.strip():
            try:
                lines.append(read_line(text_line, source))
            except InvalidLine as error:
                raise InvalidLine(f"line {number}: {error}") from error
    if not lines:
        raise InvalidLine(
            'the request body is empty. Expected lines such as {"id": "1", "text": "..."}'
        )
    return lines


def read_line(text: str, source: str) -> Line:
    """Return the line in a JSON object. Raises: InvalidLine."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidLine("isn't JSON") from error
    if not isinstance(fields, Mapping):
        raise InvalidLine('isn\'t an object. Expected {"id": "1", "text": "..."}')
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
            f"unknown field {unknown_names[0]!r}. Known fields are {', '.join(_LINE_FIELDS)}"
        )
    for name in ("id", "text"):
        if name not in fields:
            raise InvalidLine(f"the field {name!r} is missing")
    for name, value in fields.items():
        types, expected = _LINE_FIELDS[name]
        # True and False are whole numbers in Python.
        is_misplaced_bool = isinstance(value, bool) and name != "final"
        if is_misplaced_bool or not isinstance(value, types):
            raise InvalidLine(f"field {name!r} is {json.dumps(value)[:40]}. Expected {expected}")
        is_infinite = isinstance(value, float) and not math.isfinite(value)
        is_impossible_time = False
        if name in ("start", "end") and isinstance(value, (int, float)):
            is_impossible_time = not 0 <= value < LATEST_TIME_S
        if is_infinite or is_impossible_time:
            raise InvalidLine(f"field {name!r} isn't a time. Expected seconds")
    is_too_long = len(fields["text"]) > LONGEST_LINE_CHARACTERS
    if is_too_long or not 0 < len(str(fields["id"])) <= LONGEST_ID_CHARACTERS:
        raise InvalidLine(
            f"the text has more than {LONGEST_LINE_CHARACTERS:,} characters, or the id is empty or too long"
        )
