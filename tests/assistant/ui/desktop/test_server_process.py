"""The process behind a window, without the window.

The app answers who has the key, and ends with the pipe.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

ROOT = Path(__file__).parents[4]
PATIENCE_S = 120


def test_the_app_is_behind_the_door_and_ends_with_the_pipe(home):
    """It tells its port, answers who brought the key, refuses others, also by WebSocket.

    Closing the pipe ends it.
    """
    command = [sys.executable, "-m", "assistant.ui.desktop.server_process"]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as app:
        app.stdin.write("a key\n")
        app.stdin.flush()
        address = f"http://127.0.0.1:{int(app.stdout.readline())}"
        with httpx.Client(base_url=address, timeout=PATIENCE_S, trust_env=False) as browser:
            assert browser.get("/_stcore/health").status_code == 403
            with pytest.raises(InvalidStatus, match="403"):
                connect(address.replace("http", "ws") + "/_stcore/stream")
            assert browser.get("/", params={"key": "a key"}).status_code == 303
            assert browser.get("/_stcore/health").text == "ok"
            assert "Streamlit" in browser.get("/").text

        app.stdin.close()

        assert app.wait(PATIENCE_S) == 0
