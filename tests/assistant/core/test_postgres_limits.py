"""A PostgreSQL server that is stopped, with its connections open: one line in a limited time."""

from __future__ import annotations

import socket

import psycopg
import pytest

from assistant.claims.claim_store import ClaimStore
from assistant.claims.stored_tables import claims as claims_table
from assistant.core import postgres_limits
from assistant.core.errors import StoreError
from tests.assistant.claims.conftest import fresh_database, postgres_server
from tests.assistant.claims.stopped_server import stopped
from tests.assistant.test_pipeline import CLAIMS

__all__ = ["postgres_server"]


@pytest.fixture
def url(postgres_server):
    database_url = fresh_database(postgres_server)
    with ClaimStore.open(database_url) as store:
        store.upsert(CLAIMS[:1], source="test")
    return database_url


@pytest.mark.postgres
@pytest.mark.threat("operator")
def test_a_stopped_server_never_keeps_a_reader_waiting(url, monkeypatch):
    monkeypatch.setattr(postgres_limits, "SILENCE_LIMIT_S", 0.3)
    with ClaimStore.open(url) as store, store._reading() as connection:
        with stopped(url), pytest.raises(psycopg.OperationalError, match="no answer"):
            connection.connection.cursor().execute("SELECT 1")
        assert connection.connection.dbapi_connection.closed


@pytest.mark.postgres
@pytest.mark.threat("operator")
def test_a_server_that_stops_in_mid_change_ends_in_one_line_and_stores_nothing(url, monkeypatch):
    monkeypatch.setattr(postgres_limits, "SILENCE_LIMIT_S", 0.3)
    with ClaimStore.open(url) as store:
        with pytest.raises(StoreError) as raised, store._writing() as connection:
            connection.execute(claims_table.delete())
            with stopped(url):
                connection.exec_driver_sql("SELECT 1")

        assert str(raised.value).partition("claims_")[2].partition(": ")[2] == (
            "has stopped answering. "
            "Is the server running? Look whether the last change was stored, and try again."
        )
        assert store.size()[0] == 1


@pytest.mark.postgres
def test_an_answer_in_time_is_waited_for(url, monkeypatch):
    monkeypatch.setattr(postgres_limits, "SILENCE_LIMIT_S", 5.0)
    with ClaimStore.open(url) as store, store._reading() as connection:
        answer = connection.exec_driver_sql("SELECT 7 FROM pg_sleep(0.3)").scalar()

    assert answer == 7


@pytest.mark.postgres
def test_a_writer_that_waits_too_long_for_another_is_told_so(url, monkeypatch):
    with ClaimStore.open(url) as store, ClaimStore.open(url) as other, other._writing():
        monkeypatch.setattr(postgres_limits, "LOCK_LIMIT_MS", 100)
        with pytest.raises(StoreError, match="another import is writing to it"):
            store.upsert(CLAIMS[1:2], source="test")


@pytest.mark.slow
@pytest.mark.threat("operator")
def test_a_server_that_accepts_and_says_nothing_ends_in_one_line(monkeypatch):
    monkeypatch.setattr(postgres_limits, "CONNECT_LIMIT_S", 2)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        port = silent.getsockname()[1]

        with pytest.raises(StoreError, match=r"cannot be reached\. Is the server running"):
            ClaimStore.open(f"postgresql+psycopg://lectern@127.0.0.1:{port}/lectern")


@pytest.mark.postgres
def test_an_idle_connection_that_the_server_closed_is_replaced(url, monkeypatch):
    """As after a restart of the server: nobody sees an error."""
    monkeypatch.setattr(postgres_limits, "TEST_AFTER_IDLE_S", 0.0)
    with ClaimStore.open(url) as store:
        assert store.size()[0] == 1
        server = url.replace("postgresql+psycopg", "postgresql")
        with psycopg.connect(server, autocommit=True) as other:
            closed = other.execute(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
                "WHERE pid != pg_backend_pid() AND datname = current_database()"
            ).fetchone()

        assert closed[0] >= 1
        assert store.size()[0] == 1


@pytest.mark.postgres
def test_one_statement_is_one_message_to_the_server(url):
    """Without a transaction around it, and without a test of the connection just used."""
    with ClaimStore.open(url) as store:
        store.size()
        with store._reading() as connection:
            connection.exec_driver_sql("SELECT 1")
            status = connection.connection.dbapi_connection.info.transaction_status

    assert status == psycopg.pq.TransactionStatus.IDLE


@pytest.mark.postgres
def test_rows_read_in_batches_are_in_one_transaction(url):
    with ClaimStore.open(url) as store, store._reading(in_batches=True) as connection:
        connection.exec_driver_sql("SELECT 1")
        status = connection.connection.dbapi_connection.info.transaction_status

    assert status == psycopg.pq.TransactionStatus.INTRANS
