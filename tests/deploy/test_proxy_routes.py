"""The routes of the proxy sample with the real proxy, before servers that name themselves."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest

ROOT = Path(__file__).parent.parent.parent
CADDY = shutil.which("caddy")
PATIENCE_S = 60
FIRST_CADDY_THAT_ANSWERS_413 = (2, 7)
GLOBAL_OPTIONS = "{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n"


class NamedServer:
    """A server that answers every request with its name and the path."""

    def __init__(self, name: str) -> None:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                answer = f"{name} {self.path}".encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def do_POST(self) -> None:
                left = int(self.headers["Content-Length"])
                while left > 0:
                    piece = self.rfile.read(min(left, 1 << 20))
                    if not piece:
                        return
                    left -= len(piece)
                self.do_GET()

            def log_message(self, *_: object) -> None:
                """Keep the test's output clean."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def status_of_a_refused_body() -> int:
    """Return the status with which the installed Caddy refuses a body beyond the limit.

    Until 2.6 it answered 502 once the body was cut (caddyserver/caddy, issue 5652).
    """
    printed = subprocess.run([CADDY, "version"], capture_output=True, text=True, check=True)
    major, minor = printed.stdout.lstrip("v").split(".")[:2]
    return 413 if (int(major), int(minor)) >= FIRST_CADDY_THAT_ANSWERS_413 else 502


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """A client of the proxy, with an app and the API behind it."""
    if not CADDY:
        pytest.skip("no caddy is installed")
    folder = tmp_path_factory.mktemp("caddy")
    app = NamedServer("app")
    door = NamedServer("door")
    address = f"https://localhost:{free_port()}"
    (folder / "Caddyfile").write_text(f"{GLOBAL_OPTIONS}import {ROOT / 'deploy' / 'Caddyfile'}\n")
    variables = {
        "LECTERN_SITE": address,
        "LECTERN_APPS": app.address,
        "LECTERN_DOOR": door.address,
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder),
    }
    command = [CADDY, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
    proxy = subprocess.Popen(command, env=os.environ | variables, stderr=subprocess.DEVNULL)
    try:
        with httpx.Client(base_url=address, verify=False, trust_env=False, timeout=60) as opened:
            wait_until_it_answers(opened, proxy)
            yield opened
    finally:
        proxy.kill()
        proxy.wait(PATIENCE_S)
        app.server.shutdown()
        door.server.shutdown()


def wait_until_it_answers(client: httpx.Client, proxy: subprocess.Popen) -> None:
    """Wait until the proxy passes requests on."""
    end = time.monotonic() + PATIENCE_S
    while proxy.poll() is None and time.monotonic() < end:
        try:
            if client.get("/_stcore/health").is_success:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise RuntimeError("the proxy does not answer")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/", "app /"),
        ("/?report=1", "app /?report=1"),
        ("/_stcore/stream", "app /_stcore/stream"),
        ("/lecture", "app /lecture"),
        ("/v1", "door /v1"),
        ("/v1/health", "door /v1/health"),
        ("/v10", "app /v10"),
        ("/live", "app /live"),
        ("/live/city/lines", "door /live/city/lines"),
        ("/closedcaption?seq=1", "door /closedcaption?seq=1"),
    ],
)
def test_each_path_leads_to_its_server(client, path, expected):
    assert client.get(path).text == expected


@pytest.mark.threat("visitor")
def test_the_proxy_never_passes_counters_of_the_app_on(client):
    answer = client.get("/_stcore/metrics")

    assert (answer.status_code, answer.text) == (404, "")


def test_every_answer_asks_for_tls_and_a_browser_stays_with_its_process(client):
    answer = client.get("/")

    assert answer.headers.get_list("strict-transport-security") == ["max-age=31536000"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "lectern" in client.cookies


@pytest.mark.slow
@pytest.mark.threat("visitor")
@pytest.mark.parametrize(
    ("path", "refused"),
    [("/_stcore/upload_file/1/2", True), ("/live/city/lines", True), ("/v1/checks", False)],
)
def test_a_body_beyond_the_limit_is_refused_unless_it_may_be_a_recording(client, path, refused):
    def body():
        for _ in range(102):
            yield b"x" * 1_000_000

    answer = client.post(path, content=body(), headers={"Content-Length": "102000000"})

    assert answer.status_code == (status_of_a_refused_body() if refused else 200)
    assert (path in answer.text) is not refused
