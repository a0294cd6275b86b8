"""Logs as lines of JSON, for programs that collect them: ``LECTERN_LOG=json``."""

from __future__ import annotations

import json
import logging
import os
import traceback
from datetime import UTC, datetime
from typing import IO

LOG_VARIABLE = "LECTERN_LOG"
MAX_CAUSES = 10  # exceptions by which a failure is explained


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


def log_failure(command: str, error: BaseException) -> None:
    """Log a command that failed, with its causes and the lines of code, if logging has begun.

    The values of a failed query are left out: only the first line of a cause is logged.
    """
    logger = logging.getLogger("lectern")
    if not _is_logging(logger):
        return
    causes: list[str] = []
    lines_of_code: list[str] = []
    cause: BaseException | None = error
    while cause is not None and len(causes) < MAX_CAUSES:
        first_line, *_ = [*str(cause).splitlines(), ""]
        causes.append(f"{type(cause).__name__}: {first_line}".removesuffix(": "))
        lines_of_code = traceback.format_tb(cause.__traceback__) + lines_of_code
        cause = cause.__cause__ or cause.__context__
    entry = {"causes": causes, "traceback": "".join(lines_of_code)}
    logger.getChild("commands").error("%s failed: %s", command, causes[0], extra={"entry": entry})


def _is_logging(logger: logging.Logger) -> bool:
    """Return whether a logger writes lines of JSON."""
    return any(isinstance(handler.formatter, JsonLines) for handler in logger.handlers)


def begin_logging(stream: IO[str] | None = None) -> None:
    """Log JSON to a stream (standard error), if the environment asks for it; once is enough."""
    logger = logging.getLogger("lectern")
    if _is_logging(logger) or os.environ.get(LOG_VARIABLE) != "json":
        return
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
