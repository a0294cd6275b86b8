"""Fields of a recogniser's JSON.

The file is decoded once, and each value is checked before it is used.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import lru_cache
from math import isfinite
from typing import Any

from assistant.transcripts import speaker_labels
from assistant.transcripts.text_decoding import RawSource

# Labels of an unknown speaker
_UNKNOWN_SPEAKERS = ("UU", "-1")
MILLISECONDS_PER_S = 1000


def decoded_json(source: RawSource) -> Any:
    """Return the decoded JSON, None if the text is not JSON."""
    json_text = source.text.lstrip()
    return _decoded(json_text) if json_text[:1] in ("{", "[") else None


@lru_cache(maxsize=1)
def _decoded(json_text: str) -> Any:
    try:
        # Line separators in strings have become line feeds, which strict JSON forbids.
        return json.loads(json_text, strict=False)
    except (ValueError, RecursionError):
        return None


def has_keys(value: Any, *names: str) -> bool:
    """Return whether a value is an object with all of these keys."""
    return isinstance(value, dict) and all(name in value for name in names)


def sniffer_of_paths(*alternatives: str) -> Callable[[RawSource], bool]:
    """Return a ``sniff`` that recognises JSON with all paths of one alternative.

    ``"text audio_url"`` are two keys, ``"results.channels"`` is a key of an object, and
    ``"segments[].body"`` a key of any object of a list.
    """

    def sniff(source: RawSource) -> bool:
        data = decoded_json(source)
        for alternative in alternatives:
            paths = [path.split(".") for path in alternative.split()]
            if all(_has_path(data, path) for path in paths):
                return True
        return False

    return sniff


def _has_path(value: Any, path: list[str]) -> bool:
    """Return whether a value has a path of keys: ``["segments[]", "body"]``."""
    if not path:
        return True
    # A step is a key, with "[]" if its value is a list; "[]" alone is a list without a key.
    step, *path_below = path
    key = step.removesuffix("[]")
    is_list = step.endswith("[]")
    if key and not has_keys(value, key):
        return False
    child = value[key] if key else value
    if not is_list:
        return _has_path(child, path_below)
    if not path_below:
        return isinstance(child, list)
    return any(_has_path(entry, path_below) for entry in objects_in(child))


def objects_in(value: Any) -> list[dict[str, Any]]:
    """Return the objects of a list, [] for anything else."""
    if not isinstance(value, list):
        return []
    return [entry for entry in value if isinstance(entry, dict)]


def numbered_objects(value: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a list with their numbers from 1."""
    return enumerate(objects_in(value), 1)


def object_or_empty(value: Any) -> dict[str, Any]:
    """Return an object as it is; {} for anything else."""
    return value if isinstance(value, dict) else {}


def text_or_empty(value: Any) -> str:
    """Return a text or number as text without white space around it, "" for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return str(value).strip()


def first_object_or_empty(value: Any) -> dict[str, Any]:
    """Return the first object of a list, {} if there is none."""
    entries = objects_in(value)
    return entries[0] if entries else {}


def seconds_or_none(value: Any, units_per_s: float = 1.0) -> float | None:
    """Return a number (or a number written as text) as seconds, None if it is neither."""
    if isinstance(value, bool):
        return None
    try:
        seconds = round(float(value) / units_per_s, 3)
    except (TypeError, ValueError, OverflowError):
        return None
    return seconds if isfinite(seconds) else None


def end_after(start: float | None, duration: float | None) -> float | None:
    """Return the end of a duration, None if its start or length is unknown."""
    if start is None or duration is None:
        return None
    return round(start + duration, 3)


def speaker_from_json(speaker: Any) -> str | None:
    """Return a name for a recogniser's speaker.

    A bare number or letter becomes ``Speaker 1``. An unknown speaker stays None.
    """
    label = text_or_empty(speaker)
    if label in _UNKNOWN_SPEAKERS:
        return None
    if label.isdecimal() or len(label) == 1:
        return f"Speaker {label}"
    return speaker_labels.speaker_or_none(label)


def piece_fields(
    fields: dict[str, Any],
    *,
    text_key: str = "text",
    speaker_key: str = "speaker",
    start_key: str = "start",
    end_key: str = "end",
    units_per_s: float = 1.0,
) -> dict[str, Any]:
    """Return the text, speaker, start and end of an object as fields of a ``SpeechPiece``.

    ``units_per_s`` is the number of the object's time units in a second.
    """
    return {
        "text": text_or_empty(fields.get(text_key)),
        "speaker": speaker_from_json(fields.get(speaker_key)),
        "start": seconds_or_none(fields.get(start_key), units_per_s),
        "end": seconds_or_none(fields.get(end_key), units_per_s),
    }
