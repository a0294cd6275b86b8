"""kill -9 of a real server while a check runs: the next server ends it, once."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest

from assistant.api.check_records import CheckRecordStore
from assistant.claims.claim_store import ClaimStore
from assistant.client import Client
from assistant.core.settings import Settings
from assistant.jobs.report_store import ReportStore
from assistant.live.access_tokens import Scope, TokenStore
from tests.assistant.test_pipeline import CLAIMS, TEXTS

pytestmark = pytest.mark.long
ROOT = Path(__file__).parents[3]
PATIENCE_S = 240
KILLS = 3
COPIES = 60  # repetitions of the debate, so that a kill comes in the middle
SLOW_CHECKS = """
import sys, time
from assistant import pipeline
check = pipeline.check
def slow_check(*arguments, **options):
    time.sleep(1.5)
    return check(*arguments, **options)
pipeline.check = slow_check
from assistant.commands.cli import main
main(sys.argv[1:])
"""


@pytest.fixture
def settings(tmp_path):
    made = Settings(home=tmp_path)
    with ClaimStore.open(made.database) as store:
        store.upsert(CLAIMS, source="tests")
    return made


@contextmanager
def server(settings):
    """Yield the address of a server and its process, which is killed at the end."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-c", SLOW_CHECKS, "serve", "--home", str(settings.home)]
    process = subprocess.Popen([*command, "--port", str(port)], cwd=ROOT)
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(lambda: _answers(address))
        yield address
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()


def _answers(address):
    try:
        return httpx.get(f"{address}/v1/health").is_success
    except httpx.TransportError:
        return False


def _wait_for(condition):
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_a_check_survives_three_kills_and_is_there_once(settings):
    """The same request with the same key after each kill; one check, one report, whole."""
    with TokenStore.open(settings.database) as tokens:
        token = tokens.give_scopes("bot", [Scope.READ_CHECKS, Scope.WRITE_CHECKS])
    debate = "".join(f"RIVERA: {text}\n\n" for text in TEXTS * COPIES).encode()
    ids = set()
    for _ in range(KILLS):
        with server(settings) as address, Client(address, token) as client:
            started = client.start_check("city.txt", debate, idempotency_key="night")
            ids.add(started.id)
            assert not client.check(started.id).has_ended
    with server(settings) as address, Client(address, token) as client:
        (*_, ended) = client.progress(started.id)
        report = client.report(started.id, "json")

    assert ended.state == "done"
    assert len(ids) == 1
    assert report.count(b'"number"') >= len(TEXTS) * COPIES
    with (
        closing(ReportStore.open(settings.database)) as reports,
        closing(CheckRecordStore.open(settings.database)) as records,
    ):
        assert len(reports.report_heads(10)) == 1
        assert len(records.visible("bot", limit=10)) == 1
