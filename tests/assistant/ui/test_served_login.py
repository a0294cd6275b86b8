"""The served app, without a browser, while the file of its login settings is damaged and corrected."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import contextmanager, suppress

import httpx
import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.assistant.ui.conftest import AUTH, PATIENCE_S, ROOT
from tests.free_ports import free_port

connection = pytest.importorskip("websockets.sync.client")
pytestmark = pytest.mark.long
VISITOR = {"X-Forwarded-For": "203.0.113.7"}
LOGIN_SHOWN = b"Log in to go on"
SETTINGS_LOST = b"login settings cannot be read"


class Served:
    """The app on every address, with a login.

    ``shown`` draws its first page for a visitor of a proxy.
    """

    def __init__(self, home, port, settings='[access]\neditor = ["ada@example.org"]\n'):
        self.port = port
        self.secrets = home / "secrets.toml"
        self.secrets.write_text(AUTH)
        (home / "lectern.toml").write_text(settings)
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
        command += [
            "--server.address",
            "0.0.0.0",
            "--server.port",
            str(port),
            f"--secrets.files={self.secrets}",
        ]
        environment = os.environ | {"LECTERN_HOME": str(home), "HF_HUB_OFFLINE": "1"}
        with (home / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=log, stderr=log
            )

    def wait(self):
        """Wait until the server answers."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end and self.process.poll() is None:
            with suppress(httpx.TransportError):
                if httpx.get(
                    f"http://127.0.0.1:{self.port}/_stcore/health", trust_env=False
                ).is_success:
                    return
            time.sleep(0.2)
        raise RuntimeError("the app does not answer")

    def shown(self):
        """Return the messages of one run of the first page."""
        address = f"ws://127.0.0.1:{self.port}/_stcore/stream"
        rerun = BackMsg()
        rerun.rerun_script.query_string = ""
        messages = []
        origin = f"http://127.0.0.1:{self.port}"
        with connection.connect(
            address, additional_headers=VISITOR, origin=origin, max_size=None
        ) as websocket:
            websocket.send(rerun.SerializeToString())
            finished = False
            while not finished:
                content = websocket.recv(timeout=PATIENCE_S)
                messages.append(content)
                finished = ForwardMsg.FromString(content).WhichOneof("type") == "script_finished"
        return b"".join(messages)

    def clear_cache(self):
        """Ask Streamlit to clear its caches, as any browser can."""
        address = f"ws://127.0.0.1:{self.port}/_stcore/stream"
        origin = f"http://127.0.0.1:{self.port}"
        with connection.connect(
            address, additional_headers=VISITOR, origin=origin, max_size=None
        ) as websocket:
            websocket.send(BackMsg(clear_cache=True).SerializeToString())

    def wait_for(self, words):
        """Draw the page until it shows some words, and return it."""
        end = time.monotonic() + PATIENCE_S
        page = self.shown()
        while words not in page and time.monotonic() < end:
            time.sleep(0.5)
            page = self.shown()
        return page


@contextmanager
def running(app):
    """Wait until a started app answers, and kill it at the end."""
    try:
        app.wait()
        yield app
    finally:
        app.process.kill()
        app.process.wait(PATIENCE_S)


@pytest.fixture
def served(tmp_path):
    """The app in a process of its own."""
    with running(Served(tmp_path, free_port())) as app:
        yield app


@pytest.mark.threat("visitor")
def test_truncated_login_settings_let_no_visitor_in_until_they_are_corrected(served):
    """What decided at the start decides for the life of the process."""
    assert LOGIN_SHOWN in served.shown()

    served.secrets.write_text(AUTH[:-2])
    pages = [served.shown()]
    while LOGIN_SHOWN in pages[-1]:  # until Streamlit has read the file again
        time.sleep(0.5)
        pages.append(served.shown())
    assert SETTINGS_LOST in pages[-1]

    served.secrets.write_text(AUTH)
    assert LOGIN_SHOWN in served.wait_for(LOGIN_SHOWN)


@pytest.mark.threat("visitor")
@pytest.mark.parametrize(
    "settings",
    ['[access]\nheader = "X-User"\nproxies = ["127.0.0.1"]\neditor = ["*"]\n', "[access\n"],
)
def test_a_visitor_never_makes_the_app_read_its_settings_again(served, settings):
    """Neither a header that the file names later nor a damaged file counts."""
    assert LOGIN_SHOWN in served.shown()
    (served.secrets.parent / "lectern.toml").write_text(settings)

    served.clear_cache()
    time.sleep(1)

    assert LOGIN_SHOWN in served.shown()
