"""One browser and one app for all tests of this folder.

Without Chromium they are skipped, saying so.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from assistant.claims import importers
from assistant.claims.claim_reading import SAMPLE_SOURCE
from assistant.claims.claim_store import ClaimStore
from tests.assistant.ui import factory
from tests.free_ports import free_port

ROOT = Path(__file__).parents[2]
CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE_S = 300
STAYS_S = 30  # a fault that lasts so long is no fading
EVENT = "City debate"
THE_FRAMEWORKS = (
    "presentation-role-conflict",
    True,
)  # minor: Streamlit (1.67) names its drop zone, which has no role
COLOURS = ["color-contrast", "link-in-text-block"]  # the rules whose outcome depends on the theme


@pytest.fixture(autouse=True, scope="session")
def playwright():
    """Playwright's module; skips what needs a browser where there is none."""
    if not CHROMIUM:
        pytest.skip("no Chromium is installed")
    return pytest.importorskip("playwright.sync_api", reason="playwright is not installed")


@contextmanager
def launched(playwright) -> Iterator:
    """Run a Chromium.

    Its driver holds the event loop of the thread: tests that need one wait until it is closed.
    """
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def browser(playwright):
    """A running Chromium for all files of this folder."""
    with launched(playwright) as started:
        yield started


@pytest.fixture
def chromium(browser):
    """The running Chromium; the pages that a test leaves open are closed after it, or they would go on polling."""
    yield browser
    for context in browser.contexts:
        context.close()


@pytest.fixture
def page(chromium):
    """A page that records requests beyond this computer and errors of its scripts."""
    new_page = chromium.new_page(viewport={"width": 1366, "height": 768}, accept_downloads=True)
    new_page.set_default_timeout(PATIENCE_S * 1000)
    new_page.elsewhere = []
    new_page.complaints = []
    new_page.on(
        "request", lambda r: new_page.elsewhere.append(r.url) if _elsewhere(r.url) else None
    )
    new_page.on("pageerror", lambda e: new_page.complaints.append(str(e)))
    return new_page


@pytest.fixture(scope="session")
def vclaims():
    """Thirty of the sample fact-checks."""
    return list(importers.read_claims(ROOT / "sample_claims" / "samples.jsonl"))[:30]


@dataclass
class App:
    """A served app with its home folder; ``stop`` and ``start`` take it away and bring it back."""

    home: Path
    port: int
    process: subprocess.Popen | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, *options: str, **variables: str) -> None:
        self.process = serve(self.home, "streamlit", "run", "app.py", "--server.headless", "true",
                             "--server.port", str(self.port), *options, **variables)  # fmt: skip
        wait_for(f"{self.url}/_stcore/health", self.process)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE_S)


@pytest.fixture(scope="package")
def app(tmp_path_factory, vclaims) -> Iterator[App]:
    """The app on a home folder with sample fact-checks and two finished checks of made-up debates."""
    home = tmp_path_factory.mktemp("home")
    furnish(home, vclaims)
    served = App(home, free_port())
    served.start()
    yield served
    served.stop()


def furnish(home: Path, vclaims) -> None:
    """Put sample fact-checks and two finished checks of made-up debates into a home folder."""
    report = factory.report(40)
    factory.keep(home, "cityhall", report)
    # The same sentences on the same day would be the same debate, with the same decisions.
    source = replace(report.transcript.source, sha256="1" * 64)
    other_date = report.transcript.event_date + timedelta(days=7)
    other_transcript = replace(
        report.transcript, source=source, title="Another debate", event_date=other_date
    )
    factory.keep(home, "other", replace(report, transcript=other_transcript))
    with ClaimStore.open(f"sqlite:///{home / 'lectern.db'}") as store:
        store.upsert(vclaims, source=SAMPLE_SOURCE)
        store.upsert((factory.vclaim(i) for i in range(40)), source="test")


def serve(home: Path, *arguments: str, **variables: str) -> subprocess.Popen:
    """Start a module of this Python on a home folder; its output goes to ``server.log`` there."""
    env = {
        k: v for k, v in os.environ.items() if not k.startswith("LECTERN_") or k == "LECTERN_CACHE"
    }
    env |= {
        "LECTERN_HOME": str(home),
        "HF_HUB_OFFLINE": "1",
        "TRANSFORMERS_OFFLINE": "1",
    } | variables
    with (home / "server.log").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-m", *arguments], cwd=ROOT, env=env, stdout=log, stderr=log
        )


def wait_for(url: str, server: subprocess.Popen, status: int | None = None) -> None:
    """Wait until an address answers with a status, with any if none is given.

    Its certificate may be its own.

    Raises: RuntimeError if its server ends or time runs out.
    """
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end and server.poll() is None:
        with suppress(httpx.TransportError):
            if (
                httpx.get(url, verify=False, trust_env=False, timeout=5).status_code == status
                or status is None
            ):
                return
        time.sleep(0.2)
    raise RuntimeError(f"{url} does not answer with {status or 'any status'}")


# Notes what the mouse does and where, and each error that the page shows below a button of a
# download, which disappears after some seconds.
DOWNLOAD_NOTES = """() => {
  if (window.downloadNotes) return;
  window.downloadNotes = [];
  for (const kind of ["mousedown", "mouseup", "click"]) {
    addEventListener(kind, (event) => {
      const button = event.target.closest("[data-testid=stDownloadButton] button");
      const target = button ? button.innerText : event.target.outerHTML.slice(0, 120);
      downloadNotes.push(`${kind} at ${event.clientX}, ${event.clientY} on ${target}`);
    }, true);
  }
  new MutationObserver(() => {
    for (const error of document.querySelectorAll("[data-testid=stDownloadButtonError]")) {
      if (!downloadNotes.includes(error.innerText)) downloadNotes.push(error.innerText);
    }
  }).observe(document.body, {childList: true, subtree: true});
}"""


# Spinners turn for ever and are left out.
NOTHING_MOVES = """document.getAnimations().every((animation) =>
  animation.playState !== "running" ||
  animation.effect.getComputedTiming().endTime === Infinity)"""


def downloaded(page, button) -> Path:
    """Click a button once the page is drawn and lies still, and return the file that comes down.

    One click must be enough. If no file comes, the failure says what the page noted.
    """
    from playwright.sync_api import TimeoutError as NoDownload

    button.wait_for()
    page.locator("[data-test-script-state=notRunning]").first.wait_for()
    page.wait_for_function(NOTHING_MOVES)
    page.evaluate(DOWNLOAD_NOTES)
    try:
        with page.expect_download() as event:
            button.click()
    except NoDownload:
        notes = page.evaluate("window.downloadNotes")
        pytest.fail(f"One click brought no file. The page noted: {notes}")
    return event.value.path()


def violations(page, theme: str) -> list[tuple[str, str]]:
    """Return the violations of a page that stay, by rule and place.

    Parts are faded while they are drawn anew. In the dark only the rules about colour are run: the
    rest of the page is the same in both themes.
    """
    axe = pytest.importorskip("axe_core_python.sync_playwright").Axe()
    options: dict = {"resultTypes": ["violations"]}
    if theme == "dark":
        options["runOnly"] = {"type": "rule", "values": COLOURS}
    end = time.monotonic() + STAYS_S
    while True:
        found_violations = [
            (v["id"], node["html"])
            for v in axe.run(page, options=options)["violations"]
            for node in v["nodes"]
        ]
        broken = [
            (rule, html)
            for rule, html in found_violations
            if (rule, "FileUploaderDropzone" in html) != THE_FRAMEWORKS
        ]
        if not broken or time.monotonic() > end:
            return broken
        page.wait_for_timeout(200)


def _elsewhere(url: str) -> bool:
    return "://127.0.0.1:" not in url and not url.startswith(("data:", "blob:", "chrome"))
