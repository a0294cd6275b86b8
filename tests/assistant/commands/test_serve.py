"""``python -m assistant serve``: the API alone, beside live lines, and what it refuses."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from assistant.api.server import ApiAndLive, ServerOptions, filtered_api
from assistant.api.services import ApiServices
from assistant.commands.cli import main
from assistant.core.settings import Settings
from assistant.live.access_tokens import Scope, TokenStore

testclient = pytest.importorskip("starlette.testclient")
ROOT = Path(__file__).parent.parent.parent.parent
PATIENCE_S = 120


@pytest.mark.parametrize(
    "arguments",
    [
        ["--workers", "2", "--event", "city"],
        ["--workers", "65"],
        ["--allow-origin", "*"],
        ["--allow-origin", "https://cms.example.org/page"],
    ],
)
def test_options_that_do_not_fit_are_refused(home, capsys, arguments):
    assert main(["serve", *arguments]) == 1
    assert "lectern: " in capsys.readouterr().err


def test_a_home_without_fact_checks_is_refused(tmp_path, capsys):
    assert main(["serve", "--home", str(tmp_path)]) == 1
    assert "no fact-checks" in capsys.readouterr().err


async def _live_only(scope, receive, send):
    await send({"type": "http.response.start", "status": 299, "headers": []})
    await send({"type": "http.response.body", "body": b""})


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/v1/health", 200),
        ("/v1", 404),
        ("/v1x", 299),
        ("/live/city/lines", 299),
        ("/closedcaption", 299),
        ("/", 299),
    ],
)
def test_the_api_and_live_events_share_a_server(tmp_path, path, status):
    services = ApiServices(Settings(home=tmp_path))
    app = ApiAndLive(filtered_api(services, ServerOptions()), _live_only)

    answer = testclient.TestClient(app, base_url="http://127.0.0.1:8600").get(path)

    assert answer.status_code == status


@pytest.mark.threat("visitor")
@pytest.mark.parametrize(
    ("allowed_origins", "status"), [((), 403), (("https://cms.example.org",), 200)]
)
def test_pages_of_other_sites_may_ask_only_if_they_are_named(tmp_path, allowed_origins, status):
    services = ApiServices(Settings(home=tmp_path))
    options = ServerOptions(allowed_origins=allowed_origins)
    client = testclient.TestClient(
        filtered_api(services, options), base_url="http://127.0.0.1:8600"
    )

    answer = client.get("/v1/health", headers={"Origin": "https://cms.example.org"})

    assert answer.status_code == status
    assert client.get("/v1/health", headers={"Origin": "https://evil.example"}).status_code == 403


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_real_server_answers_until_it_is_stopped(home, workers):
    with TokenStore.open(f"sqlite:///{home / 'lectern.db'}") as tokens:
        token = tokens.give_scopes("plug-in", [Scope.MATCH])
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "assistant", "serve", "--home", str(home)]
    process = subprocess.Popen([*command, "--port", str(port), "--workers", workers], cwd=ROOT)
    try:
        answer = _match_when_ready(f"http://127.0.0.1:{port}/v1/match", token)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE_S)

    (sentence,) = answer["texts"][0]["sentences"]
    assert sentence["matches"][0]["fact_check"]["id"] == "c1"


def _match_when_ready(url: str, token: str) -> dict:
    """Return the answer of a server that is still starting."""
    body = {"texts": ["The tunnel between England and France has been open since 1994."]}
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            headers = {"Authorization": f"Bearer {token}"}
            return httpx.post(url, json=body, headers=headers, timeout=60).json()
        except httpx.TransportError:
            assert time.monotonic() < end, "the server never answered"
            time.sleep(0.2)
