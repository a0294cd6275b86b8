"""Logs as lines of JSON, for programs that collect them: ``LECTERN_LOG=json``."""

from __future__ import annotations

import json
import logging
import os
from datetime import UTC, datetime
from typing import IO

VARIABLE = "LECTERN_LOG"


class JsonLines(logging.Formatter):
    """A record as one line: ``at``, ``level``, ``logger``, ``message``, and of an entry who, what, about, seconds."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        row = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        row |= {name: value for name, value in getattr(record, "entry", {}).items() if name != "at"}
        if record.exc_info:
            row["error"] = self.formatException(record.exc_info)
        return json.dumps(row, ensure_ascii=True)


def begin(stream: IO[str] | None = None) -> None:
    """Write what Lectern logs as JSON to a stream (standard error), if the environment asks for it. Once is enough."""
    logger = logging.getLogger("lectern")
    if os.environ.get(VARIABLE) != "json" or any(
        isinstance(h.formatter, JsonLines) for h in logger.handlers
    ):
        return
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
