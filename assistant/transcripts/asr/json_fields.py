"""The JSON of a source, decoded once however many readers look at it."""

from __future__ import annotations

import json
from functools import lru_cache
from math import isfinite
from typing import Any

from assistant.transcripts import labels
from assistant.transcripts.bytes import RawSource


def content(source: RawSource) -> Any:
    """Return the decoded JSON, None if the text is none."""
    written = source.text.lstrip("\ufeff \n\r\t")
    return _decoded(written) if written[:1] in ("{", "[") else None


@lru_cache(maxsize=1)
def _decoded(written: str) -> Any:
    try:
        return json.loads(written, strict=False)  # line separators in strings have become line feeds
    except (ValueError, RecursionError):
        return None


def keys(value: Any, *names: str) -> bool:
    """Return whether a value is an object with all of these keys."""
    return isinstance(value, dict) and all(name in value for name in names)


def objects(value: Any) -> list[dict[str, Any]]:
    """Return the objects of a list; [] for anything else."""
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def mapping(value: Any) -> dict[str, Any]:
    """Return an object as it is; {} for anything else."""
    return value if isinstance(value, dict) else {}


def string(value: Any) -> str:
    """Return a text or number as text without white space around it; "" for anything else."""
    return str(value).strip() if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


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


def named(speaker: Any, prefix: str = "Speaker ") -> str | None:
    """Return a name for a recogniser's speaker: bare numbers and letters get a prefix, nobody stays None."""
    label = string(speaker)
    if label in ("UU", "-1"):
        return None
    return f"{prefix}{label}" if label.isdecimal() or len(label) == 1 else labels.named(label)
