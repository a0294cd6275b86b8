"""Claim stores, a temporary PostgreSQL server, and a web server that can break off."""

from __future__ import annotations

import getpass
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from glob import glob
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from assistant.claims.claim_store import ClaimStore
from assistant.core.schema import SCHEMA_VERSION, metadata
from assistant.review.decision_store import DecisionStore
from tests.free_ports import free_port

PREPARED = "prepared"  # the database whose tables every fresh one copies
SERVER_START_SECONDS = 60
# The databases of a server that no test uses at present.
FREE_DATABASES: dict[str, list[str]] = defaultdict(list)
# The views of information_schema take ten times as long.
COLUMNS_QUERY = (
    "SELECT c.relname, a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid "
    "WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'v') "
    "AND a.attnum > 0 AND NOT a.attisdropped"
)
# Tables that have numbered rows since they were emptied.
NUMBERED_QUERY = (
    "SELECT d.refobjid::regclass::text FROM pg_depend d JOIN pg_class s ON s.oid = d.objid "
    "WHERE s.relkind = 'S' AND d.deptype IN ('a', 'i') AND pg_sequence_last_value(s.oid) IS NOT NULL"
)
END_OTHERS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


@pytest.fixture
def store(tmp_path) -> Iterator[ClaimStore]:
    with ClaimStore.open(f"sqlite:///{tmp_path / 'claims.db'}") as opened:
        yield opened


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def any_store(request, tmp_path) -> Iterator[ClaimStore]:
    """A fresh store in each supported database."""
    with ExitStack() as stack:
        if request.param == "sqlite":
            url = f"sqlite:///{tmp_path / 'claims.db'}"
        else:
            url = stack.enter_context(lent_database(request.getfixturevalue("postgres_server")))
        yield stack.enter_context(ClaimStore.open(url))


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """Start a PostgreSQL server in a new folder and yield its URL without a database name."""
    programs = {name: _program(name) for name in ("postgres", "initdb")}
    missing = [name for name, path in programs.items() if not path]
    if missing:
        pytest.skip(f"no {' and no '.join(missing)} on this machine")
    account = _account()
    if account is None:
        pytest.skip("postgres refuses to run as root, and there is no user postgres")
    folder = Path(tempfile.mkdtemp(prefix="lectern-postgres-"))
    shutil.chown(folder, account)
    port = free_port()
    start = {
        "user": account,
        "cwd": folder,
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
    }
    start = start if os.getuid() == 0 else {**start, "user": None}
    init_command = [
        programs["initdb"],
        "-D",
        folder / "data",
        "-U",
        "lectern",
        "-A",
        "trust",
        "-E",
        "UTF8",
        "--no-sync",
    ]
    subprocess.run(init_command, check=True, **start)
    serve = [
        programs["postgres"],
        "-D",
        folder / "data",
        "-k",
        folder,
        "-h",
        "127.0.0.1",
        "-p",
        str(port),
        "-F",
        "-c",
        "max_wal_size=64MB",  # else its log grows to a gigabyte, once in each test process
        "-c",
        "min_wal_size=32MB",
    ]
    server = subprocess.Popen(serve, **start)
    try:
        url = f"postgresql+psycopg://lectern@127.0.0.1:{port}"
        _wait_until_it_answers(url)
        _create(url, PREPARED)
        for tables in (ClaimStore, DecisionStore):
            tables.open(f"{url}/{PREPARED}").close()
        yield url
    finally:
        server.send_signal(signal.SIGQUIT)  # at once: nobody needs what it holds
        server.wait(timeout=20)
        shutil.rmtree(folder, ignore_errors=True)


def fresh_database(server: str) -> str:
    """Return the URL of a new database on a server, with empty tables of claims and decisions."""
    name = f"claims_{time.monotonic_ns()}"
    _create(server, f"{name} TEMPLATE {PREPARED}")
    return f"{server}/{name}"


@contextmanager
def lent_database(server: str) -> Iterator[str]:
    """Yield the URL of a database with empty tables, which is emptied and lent again afterwards.

    To make one takes longer than most tests.
    """
    free_urls = FREE_DATABASES[server]
    url = free_urls.pop() if free_urls else fresh_database(server)
    yield url
    if _has_been_emptied(url):
        free_urls.append(url)


def _has_been_emptied(url: str) -> bool:
    """Empty the tables of a database; false for one whose tables a test has changed or deleted."""
    import psycopg

    try:
        with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
            settings = connection.execute("SELECT name, value FROM lectern_settings").fetchall()
            if dict(settings).get("schema") != str(SCHEMA_VERSION):
                return False
            columns = connection.execute(COLUMNS_QUERY).fetchall()
            tables = {table for table, _ in columns}
            expected = {
                (table.name, column.name)
                for table in metadata.tables.values()
                if table.name in tables
                for column in table.columns
            }
            if set(columns) != expected:
                return False
            connection.execute(END_OTHERS)
            used_tables = _used_tables(connection, sorted(tables))
            connection.execute(f"TRUNCATE {', '.join(used_tables)} RESTART IDENTITY")
            insert = "INSERT INTO lectern_settings (name, value) VALUES ('schema', %s)"
            connection.execute(insert, (str(SCHEMA_VERSION),))
    except psycopg.Error:
        return False
    return True


def _used_tables(connection, tables: list[str]) -> list[str]:
    """List the tables that have rows or had some. To empty all would take longer than most tests."""
    queries = [f"SELECT '{table}' WHERE EXISTS (SELECT FROM {table})" for table in tables]
    filled_rows = connection.execute(" UNION ALL ".join(queries)).fetchall()
    numbered_rows = connection.execute(NUMBERED_QUERY).fetchall()
    return sorted({table for (table,) in [*filled_rows, *numbered_rows]})


def _create(server: str, database: str) -> None:
    import psycopg

    with psycopg.connect(_postgres_url(server), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {database}")


def _postgres_url(server: str) -> str:
    """Return the address of the database that every server has, as psycopg reads it."""
    return server.replace("+psycopg", "") + "/postgres"


class FileServer:
    """A local web server for one file.

    Hangs up after ``break_after`` bytes, resumes if the version is the same.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.etag = '"v1"'
        self.break_after = 0
        self.status = 200
        self.can_resume = True
        self.encoding = ""
        self.requests: list[dict[str, str]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/file"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        files = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                files.requests.append(dict(self.headers))
                range_header = self.headers.get("Range", "")
                resumes = (
                    files.can_resume and range_header and self.headers.get("If-Range") == files.etag
                )
                begin = int(range_header.removeprefix("bytes=").rstrip("-")) if resumes else 0
                self.send_response(206 if resumes else files.status)
                self.send_header("Content-Length", str(len(files.data) - begin))
                self.send_header("ETag", files.etag)
                if files.encoding:
                    self.send_header("Content-Encoding", files.encoding)
                self.end_headers()
                end = files.break_after or len(files.data)
                self.wfile.write(files.data[begin:end])
                self.close_connection = True

            def log_message(self, *_: object) -> None:
                """Keep the test's output clean."""

        return Handler


@pytest.fixture
def serve() -> Iterator:
    """Return a function that serves bytes at a local address."""
    servers: list[FileServer] = []

    def start(data: bytes) -> FileServer:
        servers.append(FileServer(data))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


def _program(name: str) -> str | None:
    installed_programs = sorted(glob(f"/usr/lib/postgresql/*/bin/{name}"))
    return shutil.which(name) or (installed_programs[-1] if installed_programs else None)


def _account() -> str | None:
    if os.getuid() != 0:
        return getpass.getuser()
    return "postgres" if any(entry.pw_name == "postgres" for entry in pwd.getpwall()) else None


def _wait_until_it_answers(server: str) -> None:
    """Wait for a server that takes connections: its port opens before it does."""
    import psycopg

    give_up_at = time.monotonic() + SERVER_START_SECONDS
    while True:
        try:
            psycopg.connect(_postgres_url(server)).close()
            return
        except psycopg.OperationalError:
            if time.monotonic() > give_up_at:
                raise
        time.sleep(0.2)
