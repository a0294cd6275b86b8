"""Takes the pictures of the screens in docs/screens again, on the samples, so that none is stale.

    python -m bench.screens [NAME ...]

Each picture is a row of ``SCENES``; the stepped picture of the README is made of them.
Needs Chromium and the packages of requirements-dev.txt.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from assistant.core import settings
from assistant.jobs.report_store import ReportStore
from bench.tour_picture import CAPTIONS, write_tour

ROOT = Path(__file__).parent.parent
SCREENS = ROOT / "docs" / "screens"
NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE_S = 300
FACTS = ".lx-facts"
SAMPLE_TEXT = ROOT / "sample_transcripts" / "2025-09-18_harrow-falls.vtt"


class Scene(NamedTuple):
    """A picture: the address of its page, what is there once it is drawn, and what a reader does before it is taken."""

    path: str
    there: str
    act: Callable[[Any], None] = lambda page: None


def _dropped(page: Any) -> None:
    page.locator(".st-key-upload input[type=file]").set_input_files(SAMPLE_TEXT)
    page.get_by_role("button", name="Check transcript", exact=True).wait_for()


def _briefed(page: Any) -> None:
    page.get_by_text("Briefing:").click()
    page.locator(".lx-briefing").wait_for()
    page.locator(".st-key-briefing").evaluate("briefing => briefing.scrollIntoView()")


def _decidable(page: Any) -> None:
    page.locator(".row").first.wait_for()
    page.locator(".st-key-do_confirm button:not([disabled])").wait_for()  # the name is known


def _exporting(page: Any) -> None:
    _decidable(page)
    page.get_by_role("button", name="Export").click()
    page.locator(".st-key-export_docx button").wait_for()


def _replayed(page: Any) -> None:
    page.get_by_role("button", name="Replay the sample debate").click()
    page.locator(".row .tier").nth(2).wait_for()
    page.locator(".row").first.click()
    page.locator(FACTS).wait_for()
    page.get_by_label("Your name").wait_for(state="hidden")  # the browser has told the name


SCENES = {
    "first": Scene("", ".st-key-open_sample button"),
    "form": Scene("", "h1", _dropped),
    "results": Scene("?report={report}", FACTS, _decidable),
    "export": Scene("?report={report}", FACTS, _exporting),
    "review": Scene("review?report={report}", FACTS, _decidable),
    "claims": Scene("claims", ".lx-claim"),
    "patterns": Scene("patterns", ".lx-patterns"),
    "about": Scene("about", ".lx-lead"),
    "briefing": Scene("live?brief_topics=energy", "h1", _briefed),
    "live": Scene("live", "h1", _replayed),
}


def prepared(home: Path) -> Path:
    """Return a home folder with the sample fact-checks and a checked sample debate, as ``make run`` leaves it."""
    subprocess.run(
        [sys.executable, "-m", "assistant", "prepare"], cwd=ROOT, env=_environment(home), check=True
    )
    return home


@contextmanager
def shelf_of(home: Path) -> Iterator[ReportStore]:
    """Yield the stored reports of a home folder."""
    shelf = ReportStore.open(settings.load(home=str(home)).database)
    yield shelf
    shelf.close()


@contextmanager
def serving(home: Path) -> Iterator[str]:
    """Serve the app on a home folder and yield its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    app = ["streamlit", "run", "app.py", "--server.headless", "true", "--server.port", port]
    app += ["--server.address", "127.0.0.1"]
    server = subprocess.Popen(
        [sys.executable, "-m", *app], cwd=ROOT, env=_environment(home), stdout=subprocess.DEVNULL
    )
    try:
        _wait(f"http://127.0.0.1:{port}/_stcore/health", server)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(PATIENCE_S)


@contextmanager
def browser() -> Iterator[Any]:
    """Yield a Chromium; say what is missing where there is none."""
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        raise SystemExit(f"No Chromium is installed; one of {', '.join(NAMES)} is needed.")
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(
            executable_path=path, args=["--headless", "--no-sandbox", "--disable-gpu"]
        )
        yield chromium
        chromium.close()


def main(names: list[str]) -> None:
    """Take the pictures of these names, all of them by default."""
    with tempfile.TemporaryDirectory() as folder:
        home = prepared(Path(folder))
        with shelf_of(home) as shelf:
            (report,) = (head.id for head in shelf.report_heads(2))
        with serving(home) as address, browser() as chromium:
            for name in names or SCENES:
                page = chromium.new_page(viewport={"width": 1366, "height": 820})
                page.set_default_timeout(PATIENCE_S * 1000)
                page.add_init_script("localStorage.setItem('lectern.tour', 'seen')")
                page.add_init_script("localStorage.setItem('lectern.name', 'Ada Lynn')")
                _take(
                    page,
                    f"{address}/{SCENES[name].path.format(report=report)}",
                    SCENES[name],
                    SCREENS / f"{name}.png",
                )
                page.close()
                print(f"docs/screens/{name}.png")
    if not names or not CAPTIONS.keys().isdisjoint(names):
        print(f"docs/screens/{write_tour(SCREENS).name}")


def _take(page: Any, address: str, scene: Scene, path: Path) -> None:
    page.goto(address)
    page.locator(scene.there).first.wait_for()
    page.locator("[data-test-script-state=notRunning]").first.wait_for()
    page.wait_for_function("() => !document.querySelector('[data-testid=stSkeleton]')")
    scene.act(page)
    page.wait_for_timeout(1500)  # what is fading in has come
    page.screenshot(path=path)


def _environment(home: Path) -> dict[str, str]:
    inherited = {}
    for name, value in os.environ.items():
        if not name.startswith("LECTERN_"):
            inherited[name] = value
    cache = {"LECTERN_CACHE": os.environ["LECTERN_CACHE"]} if "LECTERN_CACHE" in os.environ else {}
    return (
        inherited
        | cache
        | {"LECTERN_HOME": str(home), "HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
    )


def _wait(url: str, server: subprocess.Popen) -> None:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.2)
    raise SystemExit(f"nothing answers at {url}")


if __name__ == "__main__":
    main(sys.argv[1:])
