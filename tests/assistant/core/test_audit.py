"""The log of what people do.

Stored with what it is about, read back, totalled, and written as JSON.
"""

from __future__ import annotations

import io
import json
import logging

import pytest

from assistant.core import audit, logs
from assistant.core.audit import AuditEntry, AuditLog, AuditTotal


@pytest.fixture
def log(any_url):
    with AuditLog.open(any_url) as opened:
        yield opened


def store(log: AuditLog, *entries: AuditEntry) -> None:
    with log._writing() as connection:
        for entry in entries:
            audit.store_entry(connection, entry)


def test_entries_are_read_newest_first_and_by_person_or_kind(log):
    """Each as it was written."""
    first_entry = AuditEntry(1.0, "Ada", "check", "abc", 2.5, "done")
    second = AuditEntry(2.0, "Ben", "decide", "k", None, "reject")
    store(log, first_entry, second)

    assert log.newest(9) == [second, first_entry]
    assert [first_entry] == log.newest(9, who="Ada") == log.newest(9, what="check")
    assert log.people() == ["Ada", "Ben"]
    assert log.newest(1) == [second]


def test_totals_count_and_sum_seconds(log):
    """An action without a time counts as none."""
    store(
        log,
        AuditEntry(1.0, "a", "check", seconds=2.0),
        AuditEntry(2.0, "b", "check", seconds=3.0),
        AuditEntry(3.0, "a", "decide"),
    )

    assert [
        AuditTotal("check", "done", 2, 5.0),
        AuditTotal("decide", "done", 1, 0.0),
    ] == log.totals()


def test_what_fails_is_noted_and_raised(log):
    """Who, what, how long, and that it failed."""
    with pytest.raises(ZeroDivisionError), log.noted("Ada", "import", "file"):
        raise ZeroDivisionError

    (entry,) = log.newest(9)
    assert entry.who == "Ada"
    assert entry.what == "import"
    assert entry.about == "file"
    assert entry.outcome == "failed"
    assert entry.seconds >= 0


def test_a_log_can_be_lines_of_json(log, monkeypatch):
    """A line an entry, with who, what and how long.

    An error has its traceback in the same line.
    """
    monkeypatch.setenv(logs.LOG_VARIABLE, "json")
    stream = io.StringIO()
    logger = logging.getLogger("lectern")
    monkeypatch.setattr(logger, "handlers", [])
    monkeypatch.setattr(logger, "propagate", True)
    logs.begin_logging(stream)
    logs.begin_logging(stream)
    store(log, AuditEntry(1.0, "Ada\n", "check", "abc", 2.5))
    try:
        raise ValueError("two\nlines")
    except ValueError:
        logging.getLogger("lectern.jobs").exception("job %s failed", "x")

    first_event, second = map(json.loads, stream.getvalue().splitlines())
    assert tuple(first_event[name] for name in ("who", "what", "about", "seconds")) == (
        "Ada\n",
        "check",
        "abc",
        2.5,
    )
    assert second["level"] == "error"
    assert "two\nlines" in second["error"]
    assert second["message"] == "job x failed"
