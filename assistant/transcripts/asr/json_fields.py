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


def content(source: RawSource) -> Any:
    """Return the decoded JSON, None if the text is not JSON."""
    written = source.text.lstrip()
    return _decoded(written) if written[:1] in ("{", "[") else None


@lru_cache(maxsize=1)
def _decoded(written: str) -> Any:
    try:
        return json.loads(
            written, strict=False
        )  # line separators in strings have become line feeds
    except (ValueError, RecursionError):
        return None


def keys(value: Any, *names: str) -> bool:
    """Return whether a value is an object with all of these keys."""
    return isinstance(value, dict) and all(name in value for name in names)


def having(*alternatives: str) -> Callable[[RawSource], bool]:
    """Return a ``sniff`` that recognises JSON with all paths of one alternative.

    ``"text audio_url"`` are two keys, ``"results.channels"`` is a key of an object, ``"segments[].body"`` a key of any
    object of a list.
    """
    wanted = [[path.split(".") for path in paths.split()] for paths in alternatives]
    return lambda source: any(
        all(_leads_on(content(source), path) for path in paths) for paths in wanted
    )


def _leads_on(value: Any, path: list[str]) -> bool:
    if not path:
        return True
    key = path[0].removesuffix("[]")
    if key and not keys(value, key):
        return False
    below = value[key] if key else value
    if not path[0].endswith("[]"):
        return _leads_on(below, path[1:])
    return (
        any(_leads_on(entry, path[1:]) for entry in objects(below))
        if path[1:]
        else isinstance(below, list)
    )


def objects(value: Any) -> list[dict[str, Any]]:
    """Return the objects of a list; [] for anything else."""
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def numbered(value: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a list with their numbers from 1."""
    return enumerate(objects(value), 1)


def mapping(value: Any) -> dict[str, Any]:
    """Return an object as it is; {} for anything else."""
    return value if isinstance(value, dict) else {}


def string(value: Any) -> str:
    """Return a text or number as text without white space around it; "" for anything else."""
    return (
        str(value).strip()
        if isinstance(value, str | int | float) and not isinstance(value, bool)
        else ""
    )


def first(value: Any) -> dict[str, Any]:
    """Return the first object of a list, {} if there is none."""
    return next(iter(objects(value)), {})


def time(value: Any, per_second: float = 1.0) -> float | None:
    """Return a number (or a number written as text) as seconds, None if it is neither."""
    try:
        seconds = round(float(value) / per_second, 3)
    except (TypeError, ValueError, OverflowError):
        return None
    return seconds if isfinite(seconds) and not isinstance(value, bool) else None


def end_after(start: float | None, duration: float | None) -> float | None:
    """Return when something ends that lasts so long, None if either time is unknown."""
    return None if start is None or duration is None else round(start + duration, 3)


def named(speaker: Any) -> str | None:
    """Return a name for a recogniser's speaker.

    A bare number or letter becomes ``Speaker 1``, nobody stays None.
    """
    label = string(speaker)
    if label in ("UU", "-1"):
        return None
    return (
        f"Speaker {label}" if label.isdecimal() or len(label) == 1 else speaker_labels.named(label)
    )


def timed(
    row: dict[str, Any],
    *,
    text: str = "text",
    speaker: str = "speaker",
    start: str = "start",
    end: str = "end",
    per_second: float = 1.0,
) -> dict[str, Any]:
    """Return the text, speaker, start and end of an object as fields of a ``Piece`` or ``Word``."""
    times = {"start": time(row.get(start), per_second), "end": time(row.get(end), per_second)}
    return {"text": string(row.get(text)), "speaker": named(row.get(speaker)), **times}
