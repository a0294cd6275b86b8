"""A database that goes away in the middle of a check: one line, and no file half written."""

from __future__ import annotations

import psycopg
import pytest

from assistant.check import ranking_steps
from assistant.claims.claim_store import ClaimStore
from assistant.commands.cli import main
from tests.assistant.claims.conftest import fresh_database, postgres_server
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


@pytest.mark.threat("operator")
def test_a_database_that_goes_away_in_mid_check_ends_in_one_line(
    url, tmp_path, monkeypatch, capsys
):
    rerank = ranking_steps.rerank

    def rerank_without_database(*arguments):
        drop(url)
        return rerank(*arguments)

    monkeypatch.setattr(ranking_steps, "rerank", rerank_without_database)
    transcript = tmp_path / "night.txt"
    transcript.write_text("".join(f"RIVERA: {text}\n" for text in TEXTS))
    output = tmp_path / "reports"

    ending = main(
        ["check", str(transcript), "--database-url", url, "--format", "json", "--out", str(output)]
    )

    last_line = capsys.readouterr().err.strip().splitlines()[-1]
    assert ending == 1
    assert last_line.startswith("lectern: ")
    assert "database" in last_line
    assert not output.exists() or list(output.iterdir()) == []
