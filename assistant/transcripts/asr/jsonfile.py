"""The JSON of a source, decoded once however many readers look at it."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from assistant.transcripts import labels
from assistant.transcripts.bytes import RawSource


def content(source: RawSource) -> Any:
    """Return the decoded JSON, None if the text is none."""
    text = source.text.lstrip("\ufeff \n\r\t")
    return _decoded(text) if text[:1] in ("{", "[") else None


@lru_cache(maxsize=1)
def _decoded(text: str) -> Any:
    try:
        return json.loads(text, strict=False)  # line separators in strings have become line feeds
    except (ValueError, RecursionError):
        return None


def keys(value: Any, *names: str) -> bool:
    """Return whether a value is an object with all of these keys."""
    return isinstance(value, dict) and all(name in value for name in names)


def objects(value: Any) -> list[dict[str, Any]]:
    """Return the objects of a list; [] for anything else."""
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def first(value: Any) -> dict[str, Any]:
    """Return the first object of a list, {} if there is none."""
    return next(iter(objects(value)), {})


def time(value: Any, per_second: float = 1.0) -> float | None:
    """Return a number (or a number written as text) as seconds, None if it is neither."""
    try:
        return None if value is None or isinstance(value, bool) else round(float(value) / per_second, 3)
    except (TypeError, ValueError):
        return None


def named(speaker: Any, prefix: str = "Speaker ") -> str | None:
    """Return a name for a recogniser's speaker: bare numbers and letters get a prefix, nobody stays None."""
    label = "" if speaker is None or isinstance(speaker, bool) else str(speaker).strip()
    if label in ("UU", "-1"):
        return None
    return f"{prefix}{label}" if label.isdecimal() or len(label) == 1 else labels.named(label)
