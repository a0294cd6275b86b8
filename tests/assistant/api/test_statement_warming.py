"""Statements that are read ahead."""

from __future__ import annotations

import time
from types import SimpleNamespace

from assistant.api import statement_warming
from assistant.api.statement_warming import StatementWarmer

PATIENCE_S = 30


class Index(SimpleNamespace):
    """An index of statements alone."""

    def __len__(self):
        return len(self.statements)


def test_all_statements_are_read_once_no_request_waits(monkeypatch):
    remembered = []
    is_busy = [True]
    monkeypatch.setattr(statement_warming, "remember_facts", remembered.append)
    monkeypatch.setattr(statement_warming, "BUSY_PAUSE_S", 0.01)
    warmer = StatementWarmer(lambda: is_busy[0], pause_s=0.0)

    warmer.begin(Index(statements=["one", "two"]))
    time.sleep(0.05)
    read_while_busy = list(remembered)
    is_busy[0] = False
    end = time.monotonic() + PATIENCE_S
    while len(remembered) < 2 and time.monotonic() < end:
        time.sleep(0.01)
    warmer.close()

    assert read_while_busy == []
    assert remembered == ["one", "two"]


def test_closing_ends_the_reading(monkeypatch):
    monkeypatch.setattr(statement_warming, "remember_facts", lambda statement: None)
    warmer = StatementWarmer(lambda: True)
    warmer.begin(Index(statements=["one"]))

    warmer.close()

    assert not warmer._thread.is_alive()
