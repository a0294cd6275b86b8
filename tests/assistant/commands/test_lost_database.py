"""A database that goes away in the middle of a check: one line, and no file half written."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from assistant.check import ranking_steps
from assistant.claims.claim_store import ClaimStore
from assistant.commands.cli import main
from assistant.core import postgres_limits
from tests.assistant.claims.conftest import fresh_database, postgres_server
from tests.assistant.claims.stopped_server import stopped
from tests.assistant.test_pipeline import CLAIMS, TEXTS

__all__ = ["postgres_server"]
pytestmark = [pytest.mark.postgres, pytest.mark.slow]


def drop(url: str) -> None:
    """Delete a database, and end all its connections."""
    server, _, name = url.replace("+psycopg", "").rpartition("/")
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def url(postgres_server, tmp_path, monkeypatch):
    monkeypatch.setenv("LECTERN_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("LECTERN_DATABASE_URL", raising=False)
    database_url = fresh_database(postgres_server)
    with ClaimStore.open(database_url) as store:
        store.upsert(CLAIMS, source="test")
    return database_url


def check(url: str, folder: Path) -> tuple[int, list[str]]:
    """Check a transcript; return the exit status, and the names of the files that were written."""
    transcript = folder / "night.txt"
    transcript.write_text("".join(f"RIVERA: {text}\n" for text in TEXTS))
    output = folder / "reports"
    options = ["--database-url", url, "--format", "json", "--out", str(output)]
    ending = main(["check", str(transcript), *options])
    return ending, [path.name for path in output.glob("*")]


@pytest.mark.threat("operator")
def test_a_database_that_goes_away_in_mid_check_ends_in_one_line(
    url, tmp_path, monkeypatch, capsys
):
    rerank = ranking_steps.rerank

    def rerank_without_database(*arguments):
        drop(url)
        return rerank(*arguments)

    monkeypatch.setattr(ranking_steps, "rerank", rerank_without_database)
    ending, written = check(url, tmp_path)

    last_line = capsys.readouterr().err.strip().splitlines()[-1]
    assert ending == 1
    assert last_line.startswith("lectern: ")
    assert "database" in last_line
    assert written == []


@pytest.mark.threat("operator")
def test_a_server_that_is_stopped_in_mid_check_ends_in_one_line(url, tmp_path, monkeypatch, capsys):
    """Its processes are stopped, so that connections stay open and nothing is answered."""
    monkeypatch.setattr(postgres_limits, "SILENCE_LIMIT_S", 0.3)
    monkeypatch.setattr(postgres_limits, "CONNECT_LIMIT_S", 2)
    rerank = ranking_steps.rerank
    stopping = stopped(url)

    def rerank_without_answers(*arguments):
        stopping.__enter__()
        return rerank(*arguments)

    monkeypatch.setattr(ranking_steps, "rerank", rerank_without_answers)
    try:
        ending, written = check(url, tmp_path)
    finally:
        stopping.__exit__(None, None, None)

    last_line = capsys.readouterr().err.strip().splitlines()[-1]
    assert ending == 1
    assert last_line.startswith("lectern: ")
    assert "Is the server running" in last_line
    assert written == []
    with ClaimStore.open(url) as store:
        assert store.size()[0] == len(CLAIMS)
