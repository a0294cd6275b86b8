"""Logs as lines of JSON, for programs that collect them: ``LECTERN_LOG=json``."""

from __future__ import annotations

import json
import logging
import os
from datetime import UTC, datetime
from typing import IO

LOG_VARIABLE = "LECTERN_LOG"


class JsonLines(logging.Formatter):
    """Formats a record as one line of JSON.

    It has ``at``, ``level``, ``logger`` and ``message``, and the fields of an audit entry.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        created_at = datetime.fromtimestamp(record.created, UTC)
        values = {
            "at": created_at.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        for name, value in getattr(record, "entry", {}).items():
            if name != "at":
                values[name] = value
        if record.exc_info:
            values["error"] = self.formatException(record.exc_info)
        return json.dumps(values, ensure_ascii=True)


def begin_logging(stream: IO[str] | None = None) -> None:
    """Log JSON to a stream (standard error), if the environment asks for it; once is enough."""
    logger = logging.getLogger("lectern")
    is_logging = any(isinstance(handler.formatter, JsonLines) for handler in logger.handlers)
    if is_logging or os.environ.get(LOG_VARIABLE) != "json":
        return
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
