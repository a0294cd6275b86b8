"""``python -m assistant serve``: the API alone, beside live lines, and what it refuses."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from assistant.alerts.channel_store import ChannelStore
from assistant.alerts.outbox import Outbox
from assistant.api.server import ApiAndLive, ServerOptions, filtered_api
from assistant.api.services import ApiServices
from assistant.commands.cli import main
from assistant.core.settings import Settings
from assistant.live.access_tokens import Scope, TokenStore
from tests.assistant.alerts.alert_samples import sample_channel, sample_event

testclient = pytest.importorskip("starlette.testclient")
ROOT = Path(__file__).parent.parent.parent.parent
PATIENCE_S = 400
STOP_PATIENCE_S = 60  # less than the two minutes for which a worker may be silent


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


@pytest.mark.parametrize(
    "command",
    [
        ["serve"],
        ["serve", "--workers", "2"],
        ["serve", "--event", "city"],
        ["serve", "--host", "localhost"],
        ["monitor"],
        ["run"],
    ],
    ids=" ".join,
)
def test_a_port_in_use_is_one_error_with_a_remedy(home, capsys, command):
    """No address is printed before, as if the server ran."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        status = main([*command, "--port", str(port)])

    expected = f"lectern: port {port} is in use. Choose another port with --port.\n"
    assert status == 1
    assert capsys.readouterr().err == expected


@pytest.mark.parametrize("command", ["serve", "monitor"])
@pytest.mark.parametrize("host", ["192.0.2.1", "nowhere.invalid", "a..b"])
def test_an_address_of_another_computer_is_one_error_with_a_remedy(home, capsys, command, host):
    assert main([command, "--host", host, "--port", str(_free_port())]) == 1

    expected = f"{host}: this isn't an address of this computer. Choose another address"
    assert capsys.readouterr().err.startswith(f"lectern: {expected} with --host.")


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
    port = _free_port()
    command = [sys.executable, "-m", "assistant", "serve", "--home", str(home)]
    process = subprocess.Popen([*command, "--port", str(port), "--workers", workers], cwd=ROOT)
    try:
        answer = _match_when_ready(f"http://127.0.0.1:{port}/v1/match", token)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE_S)

    (sentence,) = answer["texts"][0]["sentences"]
    assert sentence["matches"][0]["fact_check"]["id"] == "c1"


@pytest.fixture
def loading_server(home):
    """A server of two workers that still load their models, in a process group of its own."""
    port = _free_port()
    command = [sys.executable, "-m", "assistant", "serve", "--home", str(home)]
    process = subprocess.Popen(
        [*command, "--port", str(port), "--workers", "2"],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    for line in process.stderr:
        if "http://" in line:
            break
    yield process
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    process.stderr.close()


@pytest.mark.slow
@pytest.mark.parametrize("delay_s", [0.5, 3.0])
@pytest.mark.parametrize("is_for_all", [False, True], ids=["parent", "group"])
def test_a_server_stops_while_its_workers_load_their_models(loading_server, delay_s, is_for_all):
    """A service manager sends the signal to all processes; a worker then ends before its parent."""
    time.sleep(delay_s)

    if is_for_all:
        os.killpg(loading_server.pid, signal.SIGTERM)
    else:
        loading_server.send_signal(signal.SIGTERM)

    assert loading_server.wait(STOP_PATIENCE_S) == 0


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_server_stops_with_an_open_connection_and_a_stuck_receiver_of_alerts(home, workers):
    with socket.create_server(("127.0.0.1", 0)) as stuck_receiver:
        address = f"http://127.0.0.1:{stuck_receiver.getsockname()[1]}/hook"
        _store_alert(f"sqlite:///{home / 'lectern.db'}", address)
        port = _free_port()
        command = [sys.executable, "-m", "assistant", "serve", "--home", str(home)]
        command += ["--port", str(port), "--workers", workers]
        environ = {**os.environ, "LECTERN_PRIVATE_NETWORKS": "1"}
        process = subprocess.Popen(command, cwd=ROOT, env=environ)
        try:
            stuck_receiver.settimeout(PATIENCE_S)
            sending, _ = stuck_receiver.accept()  # and never answers
            client = _connect_when_ready(port)
            process.send_signal(signal.SIGTERM)
            exit_status = process.wait(STOP_PATIENCE_S)
            client.close()
            sending.close()
        finally:
            process.kill()
            process.wait()

    assert exit_status == 0


def _store_alert(url: str, address: str) -> None:
    with ChannelStore.open(url) as channels, Outbox.open(url) as outbox:
        channels.add(sample_channel(address))
        outbox.collect("live", [sample_event()], time.time())


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


def _connect_when_ready(port: int) -> socket.socket:
    """Return a connection whose request never ends, once the server takes connections."""
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            client = socket.create_connection(("127.0.0.1", port))
        except OSError:
            assert time.monotonic() < end, "the server never took a connection"
            time.sleep(0.2)
            continue
        client.sendall(b"POST /v1/match HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        return client


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


@pytest.mark.parametrize("command", ["serve", "live"])
def test_an_event_name_that_is_not_utf8_is_a_usage_error(command, capsys):
    """A terminal with another encoding sends such bytes."""
    with pytest.raises(SystemExit) as ended:
        main([command, "--event", "d\udce9bat"])

    assert ended.value.code == 2
    assert "because it isn't UTF-8" in capsys.readouterr().err
