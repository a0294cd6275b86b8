"""What was asked to be checked, and how: enough to do it again, also after the process that was at it has gone."""

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
    """What to check and how: enough to do it again."""

    transcript: Transcript
    as_of_event: bool = False
    ranker: str = "lectern"


def note(order: Order, path: Path) -> None:
    """Write an order and whose process is at it; a half-written one is never read."""
    day = order.transcript.event_date
    table = asdict(order)
    table["transcript"]["event_date"] = day and day.isoformat()
    files.write(path, json.dumps({"process": os.getpid(), **table}))


def left(folder: Path) -> Iterator[tuple[str, Order]]:
    """Yield id and order of every check that no other process is at; an order that cannot be read is passed over."""
    for path in sorted(folder.glob(f"*{SUFFIX}"), key=lambda p: p.name):
        try:
            table = json.loads(path.read_text("ascii"))
            process, order = table["process"], _order(table)
        except (OSError, ValueError, KeyError, TypeError):
            continue
        if process == os.getpid() or not _alive(process):
            yield path.stem, order


def _order(table: dict) -> Order:
    read = table["transcript"]
    day = read["event_date"]
    transcript = Transcript(
        title=read["title"],
        event_date=date.fromisoformat(day) if day else None,
        source=Source(**read["source"]),
        sentences=tuple(Sentence(**row) for row in read["sentences"]),
        warnings=tuple(read["warnings"]),
    )
    return Order(transcript, table["as_of_event"], table["ranker"])


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # somebody else's
        return True
    return True
