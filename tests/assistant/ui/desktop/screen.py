"""A screen without a monitor, and Lectern's window on it, steered by mouse, keys and what it shows."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

from tests.free_ports import free_port

ROOT = Path(__file__).parents[4]
PATIENCE_S = 180


def until(happened: Callable[[], Any], expectation: str) -> Any:
    """Wait until something is true and return it.

    Raises: AssertionError, saying what was waited for.
    """
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if outcome := happened():
            return outcome
        time.sleep(0.05)
    raise AssertionError(f"waited {PATIENCE_S} s for {expectation}")


@dataclass
class Screen:
    """An X server with a window manager.

    ``environment`` is for programs that open windows on it.
    """

    environment: dict[str, str]

    def tool(self, *command: str) -> str:
        """Return what a tool prints about the screen; nothing where it fails."""
        return subprocess.run(command, env=self.environment, capture_output=True, text=True).stdout

    def find(self, name: str, process: int) -> str:
        """Return the number of the visible window of this name of a process.

        Empty where there is none.
        """
        search_options = ("--all", "--onlyvisible", "--pid", str(process), "--name", f"^{name}$")
        return self.tool("xdotool", "search", *search_options).partition("\n")[0]

    def is_active(self, number: str) -> bool:
        """Whether a window has the keyboard."""
        return self.tool("xdotool", "getactivewindow").strip() == number

    def point(self, x: int, y: int) -> None:
        """Move the mouse."""
        self.tool("xdotool", "mousemove", str(x), str(y))


@dataclass
class Window:
    """Lectern's window on a screen, with the home folder that it shows."""

    screen: Screen
    home: Path
    port: int = field(default_factory=free_port)  # where the web engine is asked what it shows
    process: subprocess.Popen[str] | None = None

    def start(self, **variables: str) -> subprocess.Popen[str]:
        """Run the command that opens the window, with more variables of the environment."""
        window_environment = {
            "LECTERN_HOME": str(self.home),
            "HOME": str(self.home),
            "QTWEBENGINE_REMOTE_DEBUGGING": str(self.port),
        }
        command = [sys.executable, "-m", "assistant", "desktop"]
        with (self.home / "window.log").open("ab") as log:
            environment = self.screen.environment | window_environment | variables
            return subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=log, stderr=log, text=True
            )

    def open(self, **variables: str) -> None:
        """Open the window and wait for the first screen."""
        self.process = self.start(**variables)
        self.wait_for("already been fact-checked")

    def shown(self, name: str = "Lectern") -> str:
        """Return the number of its window of this name, or of a dialog.

        Empty where it is not on the screen.
        """
        return self.screen.find(name, self.process.pid)

    @property
    def number(self) -> str:
        """The number of the window on the screen."""
        return until(self.shown, "the window")

    def place(self) -> tuple[int, int]:
        """Return where the page begins on the screen."""
        left_px, top = re.findall(
            r"Absolute upper-left [XY]: +(\d+)", self.screen.tool("xwininfo", "-id", self.number)
        )
        return int(left_px), int(top)

    def evaluate(self, script: str) -> Any:
        """Return the value of a script in the page; None while there is no page to ask."""
        try:
            with urllib.request.urlopen(
                f"http://127.0.0.1:{self.port}/json", timeout=PATIENCE_S
            ) as answer:
                pages = sorted(
                    json.load(answer),
                    key=lambda page: not page["url"].startswith("http://127.0.0.1:"),
                )
            parameters = {"expression": script, "returnByValue": True, "userGesture": True}
            with connect(pages[0]["webSocketDebuggerUrl"], max_size=None) as socket:
                socket.send(
                    json.dumps({"id": 1, "method": "Runtime.evaluate", "params": parameters})
                )
                while "id" not in (message := json.loads(socket.recv(PATIENCE_S))):
                    pass  # events of the page
            return message["result"]["result"].get("value")
        except (OSError, EOFError, LookupError):  # not yet, or between two pages
            return None

    def wait_for(self, words: str) -> None:
        """Wait until the page shows some words."""
        until(
            lambda: words in (self.evaluate("document.body.innerText") or ""),
            f"{words!r} in the window",
        )

    def click(self, words: str) -> None:
        """Click the button or link that begins with some words, once there is one."""
        script = f"""(() => {{ const found = [...document.querySelectorAll("button, a")]
            .find(e => e.innerText.trim().startsWith({json.dumps(words)})); found?.click(); return !!found }})()"""
        until(lambda: self.evaluate(script), f"the button {words!r}")

    def close(self) -> int:
        """Close the window as a person does, and return the command's exit status."""
        self.screen.tool("xdotool", "windowactivate", "--sync", self.number, "key", "alt+F4")
        return self.process.wait(PATIENCE_S)

    def processes(self) -> dict[int, str]:
        """Return the commands of the processes with this home folder, those of the web engine included, by number."""
        mark = f"LECTERN_HOME={self.home}".encode()
        window_processes = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if mark in (folder / "environ").read_bytes().split(b"\0"):
                    window_processes[int(folder.name)] = (
                        (folder / "cmdline").read_text().replace("\0", " ")
                    )
            except OSError:  # it has just ended
                continue
        return window_processes

    def wait_until_gone(self) -> None:
        """Wait until none of its processes is left."""
        until(lambda: not self.processes(), f"the end of {self.processes()}")


@contextmanager
def on_xvfb(folder: Path) -> Iterator[Screen]:
    """Yield a new screen of 1600 by 1000 with a window manager.

    ``folder`` is for the sockets of its programs.
    """
    reading, writing = os.pipe()
    command = [
        "Xvfb",
        "-displayfd",
        str(writing),
        "-screen",
        "0",
        "1600x1000x24",
        "-nolisten",
        "tcp",
    ]
    server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        display = f":{pipe.readline().strip()}"
    folder.chmod(0o700)
    made_screen = Screen(environment(folder, display))
    manager = subprocess.Popen(["openbox"], env=made_screen.environment, stderr=subprocess.DEVNULL)
    try:
        until(
            lambda: "window id" in made_screen.tool("xprop", "-root", "_NET_SUPPORTING_WM_CHECK"),
            "the window manager",
        )
        yield made_screen
    finally:
        for process in (manager, server):
            process.terminate()
            process.wait()


def environment(folder: Path, display: str) -> dict[str, str]:
    """Return the environment of programs on a display.

    ``folder`` is for the sockets of one person's programs.
    """
    kept_variables = {
        k: v for k, v in os.environ.items() if not k.startswith("LECTERN_") or k == "LECTERN_CACHE"
    }
    return (
        kept_variables
        | {
            "DISPLAY": display,
            "XDG_RUNTIME_DIR": str(folder),
            "QTWEBENGINE_DISABLE_SANDBOX": "1",  # the sandbox refuses root, which tests in containers are
            "HF_HUB_OFFLINE": "1",
            "TRANSFORMERS_OFFLINE": "1",
        }
    )
