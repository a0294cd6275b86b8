"""Orders: what to check and how, stored while a check runs, so that an interrupted one can be started again."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

from assistant.ground import files
from assistant.ground.domain import Sentence, Source, Transcript

SUFFIX = ".order"


@dataclass(frozen=True, slots=True)
class Order:
    """What to check and how: all that a check needs."""

    transcript: Transcript
    as_of_event: bool = False
    ranker: str = "lectern"


def save(order: Order, path: Path) -> None:
    """Write an order with the id of the process that runs it."""
    day = order.transcript.event_date
    table = asdict(order)
    table["transcript"]["event_date"] = day and day.isoformat()
    files.write(path, json.dumps({"process": os.getpid(), **table}))


def interrupted(folder: Path) -> Iterator[tuple[str, Order]]:
    """Yield id and order of every check that no other living process runs; an unreadable order is skipped."""
    for path in sorted(folder.glob(f"*{SUFFIX}"), key=lambda p: p.name):
        try:
            table = json.loads(path.read_text("ascii"))
            process, order = table["process"], _order(table)
        except (OSError, ValueError, KeyError, TypeError):
            continue
        if process == os.getpid() or not _alive(process):
            yield path.stem, order


def _order(table: dict) -> Order:
    row = table["transcript"]
    day = row["event_date"]
    transcript = Transcript(
        title=row["title"],
        event_date=date.fromisoformat(day) if day else None,
        source=Source(**row["source"]),
        sentences=tuple(Sentence(**sentence) for sentence in row["sentences"]),
        warnings=tuple(row["warnings"]),
    )
    return Order(transcript, table["as_of_event"], table["ranker"])


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # of another user
        return True
    return True
