"""Limits on how long PostgreSQL may be silent, so that a stopped server ends in an error.

PostgreSQL has no such limit on the side of the client: a server whose processes are stopped keeps
its connections open, and every statement would wait for ever.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from functools import cache
from typing import Any

import sqlalchemy as sa

CONNECT_LIMIT_S = 10
# Longer than any statement of Lectern is silent; an answer that arrives in pieces may take longer.
SILENCE_LIMIT_S = 90.0
LOCK_LIMIT_MS = 60_000  # a writer waits so long for another one
# A connection that was in use a moment ago is not tested before it is used again.
TEST_AFTER_IDLE_S = 1.0
RETURNED_AT_KEY = "lectern_returned_at"  # in the notes that the pool keeps on a connection
NO_ANSWER = "the server gave no answer"


def limit_silence(engine: sa.Engine) -> None:
    """Make the connections of an engine end if the server does not answer."""

    @sa.event.listens_for(engine, "do_connect")
    def _connect(_: Any, __: Any, arguments: list[Any], options: dict[str, Any]) -> Any:
        options.setdefault("connect_timeout", CONNECT_LIMIT_S)
        return _connection_class().connect(*arguments, **options)


def replace_closed_connections(engine: sa.Engine) -> None:
    """Replace connections that the server has closed while they were idle.

    SQLAlchemy's own ``pool_pre_ping`` tests a connection whenever it is used, and a page of the app
    uses a dozen connections, one after the other.
    """

    @sa.event.listens_for(engine, "checkin")
    def _note_return(_: Any, record: Any) -> None:
        record.info[RETURNED_AT_KEY] = time.monotonic()

    @sa.event.listens_for(engine, "checkout")
    def _test_if_idle(connection: Any, record: Any, _: Any) -> None:
        returned_at = record.info.get(RETURNED_AT_KEY)
        is_new = returned_at is None
        if is_new or time.monotonic() - returned_at < TEST_AFTER_IDLE_S:
            return
        try:
            connection.execute("SELECT 1")
            connection.rollback()
        except engine.dialect.loaded_dbapi.Error as error:
            # SQLAlchemy then opens new connections in place of all that are idle.
            raise sa.exc.InvalidatePoolError from error


@cache
def _connection_class() -> Any:
    """Return the class of connections that end after a silence; psycopg is imported now."""
    import psycopg

    class EndingConnection(psycopg.Connection[Any]):
        """A connection that closes itself if the server is silent for too long."""

        def wait(self, gen: Any, *arguments: Any, **options: Any) -> Any:
            """Wait for an operation. Raises: psycopg.OperationalError."""
            # psycopg calls it for each query, with a generator of the steps of the answer.
            try:
                return super().wait(_until_silent(gen), *arguments, **options)
            except TimeoutError as error:
                # The state of the connection is unknown, and a rollback would wait again.
                self.close()
                silence = f"{NO_ANSWER} for {error} s"
                raise psycopg.OperationalError(silence) from error

    return EndingConnection


def _until_silent(generator: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
    """Pass an operation of psycopg on. Raises: TimeoutError after ``SILENCE_LIMIT_S``.

    psycopg resumes the operation every 0.1 s, with a false value if nothing has arrived.
    """
    gives_up_at = time.monotonic() + SILENCE_LIMIT_S
    try:
        awaited_event = next(generator)
        while True:
            is_ready = yield awaited_event
            if is_ready:
                # The server has answered, so the silence begins anew.
                gives_up_at = time.monotonic() + SILENCE_LIMIT_S
            elif time.monotonic() > gives_up_at:
                raise TimeoutError(f"{SILENCE_LIMIT_S:.0f}")
            awaited_event = generator.send(is_ready)
    except StopIteration as finished:
        # The value that the operation itself returned.
        return finished.value
