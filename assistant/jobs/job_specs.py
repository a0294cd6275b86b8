"""Orders: what to check and how, stored while a check runs, so that an interrupted one can be started again."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from assistant.core.domain import Sentence, Source, Transcript, Word


@dataclass(frozen=True, slots=True)
class JobSpec:
    """What to check and how: all that a check needs."""

    transcript: Transcript
    as_of_event: bool = False
    ranker: str = "lectern"


def to_bytes(order: JobSpec) -> bytes:
    """Return an order as ASCII JSON, which every database stores."""
    table = asdict(order)
    day = order.transcript.event_date
    table["transcript"]["event_date"] = day and day.isoformat()
    return json.dumps(table).encode("ascii")


def from_bytes(data: bytes) -> JobSpec:
    """Return the order that ``to_bytes`` wrote.

    Raises: ValueError, KeyError or TypeError if it is none.
    """
    table = json.loads(data)
    row = table["transcript"]
    day = row["event_date"]
    transcript = Transcript(
        title=row["title"],
        event_date=date.fromisoformat(day) if day else None,
        source=Source(**row["source"]),
        sentences=tuple(_sentence(sentence) for sentence in row["sentences"]),
        warnings=tuple(row["warnings"]),
    )
    return JobSpec(transcript, table["as_of_event"], table["ranker"])


def _sentence(row: dict[str, Any]) -> Sentence:
    return Sentence(**{**row, "words": tuple(Word(**word) for word in row.get("words", ()))})
