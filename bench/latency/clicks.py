"""How long from a click on a sentence to its card, in a real browser, on a long report?

    python -m bench.latency.clicks REPORT [--sentences 1245] [--clicks 40] [--json FILE]

REPORT is a report as JSON (``assistant check ... --format json``); its sentences are repeated until there are as many
as wanted. Expected: under half a second. Needs Chromium and playwright. The load of the machine stands beside the
times, and so do the bytes that the server sends for a click: the list itself must not be among them.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from assistant.ground import stored_reports
from assistant.ground.domain import Report

ROOT = Path(__file__).parent.parent.parent
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
PATIENCE_S = 180
SEEN = 8  # sentences near the top of the list that are clicked in turn


def repeated(report: Report, sentences: int) -> Report:
    """Return a report with so many sentences, those given again and again, numbered and ranked anew."""
    rows = [
        replace(s, sentence=replace(s.sentence, number=i, line=i, text=f"{s.sentence.text} ({i})"))
        for i, s in zip(range(1, sentences + 1), itertools.cycle(report.sentences), strict=False)
    ]
    kept = sorted((i for i, s in enumerate(rows) if s.rank is not None), key=lambda i: (rows[i].rank or 0, i))
    for rank, i in enumerate(kept, 1):
        rows[i] = replace(rows[i], rank=rank)
    transcript = replace(report.transcript, sentences=tuple(s.sentence for s in rows))
    return replace(report, transcript=transcript, sentences=tuple(rows))


@contextlib.contextmanager
def served(report: Report) -> Iterator[str]:
    """Give the address of a report in the app, which runs on a home folder of its own."""
    with tempfile.TemporaryDirectory() as home, socket.socket() as free:
        reports = Path(home) / "reports"
        reports.mkdir()
        (reports / "clicks.json").write_bytes(stored_reports.archive(report))
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
        command += ["--server.port", str(port), "--server.address", "127.0.0.1", "--browser.gatherUsageStats", "false"]
        server = subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, "LECTERN_HOME": home}, stdout=subprocess.DEVNULL
        )
        try:
            _wait_for(f"http://127.0.0.1:{port}/_stcore/health")
            yield f"http://127.0.0.1:{port}/?report=clicks"
        finally:
            server.terminate()
            server.wait()


def _wait_for(url: str) -> None:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            urllib.request.urlopen(url, timeout=2).close()
            return
        time.sleep(0.2)
    raise SystemExit("the app did not start")


def clicked(address: str, clicks: int) -> dict[str, Any]:
    """Return the seconds and the bytes of each click, and the seconds until the first card."""
    from playwright.sync_api import sync_playwright

    received: list[int] = []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1366, "height": 768})
        page.set_default_timeout(PATIENCE_S * 1000)
        page.on("websocket", lambda ws: ws.on("framereceived", lambda frame: received.append(len(frame))))
        start = time.perf_counter()
        page.goto(address)
        page.locator(".lx-facts").wait_for()
        found: dict[str, Any] = {"first card": time.perf_counter() - start, "seconds": [], "bytes": []}
        page.wait_for_timeout(2000)
        for i in range(clicks):
            received.clear()
            found["seconds"].append(_click(page, 1 + i % SEEN))
            page.wait_for_timeout(random.randint(200, 400))
            found["bytes"].append(sum(received))
        browser.close()
    return found


def _click(page: Any, at: int) -> float:
    """Return the seconds from a click on a row to the card that shows its sentence, as the page itself sees it."""
    row = page.locator(".row").nth(at)
    row.wait_for()
    return row.evaluate(
        """row => new Promise(done => {
            const text = row.querySelector(".text").textContent;
            const shown = () => document.querySelector(".lx-chosen-sentence")?.textContent === text;
            const start = performance.now();
            const look = () => shown() ? done((performance.now() - start) / 1000) : requestAnimationFrame(look);
            row.querySelector(".text").click();
            look();
        })"""
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the bench and print what it measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report", type=Path)
    parser.add_argument("--sentences", type=int, default=1245)
    parser.add_argument("--clicks", type=int, default=40)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args(arguments)
    load = os.getloadavg()[0]
    with served(repeated(stored_reports.load(given.report.read_bytes()), given.sentences)) as address:
        found = clicked(address, given.clicks)
    ordered = sorted(found["seconds"])
    row = {
        "first_card_s": round(found["first card"], 2),
        "median_s": round(statistics.median(ordered), 3),
        "p95_s": round(ordered[int(0.95 * (len(ordered) - 1))], 3),
        "median_bytes": int(statistics.median(found["bytes"])),
        "load_before": round(load, 1),
        "load_after": round(os.getloadavg()[0], 1),
    }
    print(json.dumps(row))
    if given.json:
        given.json.write_text(json.dumps(row), "utf-8")


if __name__ == "__main__":
    main()
