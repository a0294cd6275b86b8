"""Twenty people at once: does a click show its card within a second while events, imports and checks go on?

    python -m bench.latency.people --database URL [--people 20] [--seconds 60] [--claims 100000] [--json FILE]

URL is an empty PostgreSQL database. Each person is a browser with its own session, on one of two processes of the app:
three check a debate, the others click sentences of a report, one about every three seconds. At the same time one
process follows a live event, 2.5 lines a second, and one imports fact-checks. Expected on two cores: from click to card
1 s in the median and 3 s for 19 of 20; no error on any page; every live line stored; every fact-check imported; every
check done. Chromium runs on the same cores and is part of what is measured.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from assistant.claims.store import ClaimStore
from assistant.desk.desk import sample_files
from assistant.desk.shelf import Shelf
from assistant.live.log import EventLog
from bench.command import command, option, printed

ROOT = Path(__file__).parents[2]
PROCESSES, CHECKERS = 2, 3
EVERY_S, PACE_S = 3.0, 0.4
PATIENCE_S = 300.0
BARS = {"p50": 1.0, "p95": 3.0}


@dataclass
class Site:
    """The processes of a run and what they work on."""

    home: Path
    url: str
    ports: list[int] = field(default_factory=list)
    stack: ExitStack = field(default_factory=ExitStack)

    def run(self, *arguments: str) -> subprocess.Popen:
        """Start a module of this Python; it is killed in the end."""
        env = {**os.environ, "LECTERN_HOME": str(self.home), "LECTERN_DATABASE_URL": self.url}
        with (self.home / "bench.log").open("ab") as log:
            process = subprocess.Popen([sys.executable, "-m", *arguments], cwd=ROOT, env=env, stdout=log, stderr=log)
        self.stack.callback(process.kill)
        return process

    def open(self) -> str:
        """Fill the database with the samples, start the processes of the app, and return the id of a report."""
        if self.run("assistant", "prepare").wait():
            raise SystemExit((self.home / "bench.log").read_text())
        for _ in range(PROCESSES):
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                self.ports.append(free.getsockname()[1])
            self.run("streamlit", "run", "app.py", "--server.headless=true", "--server.address=127.0.0.1",
                     f"--server.port={self.ports[-1]}", "--browser.gatherUsageStats=false")  # fmt: skip
        with Shelf.open(self.url) as shelf:
            return shelf.heads(1)[0].id


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Let everybody work at once, then count what is there."""
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder), options.database)
        with site.stack:
            report = site.open()
            lines, imports = _beside(site, options)
            clicks, errors, written = asyncio.run(_everybody(site, report, lines, options))
            imports.wait(PATIENCE_S)
            return printed(_outcome(site, options, clicks, errors, written))


def _beside(site: Site, options: argparse.Namespace) -> tuple[Path, subprocess.Popen]:
    """Start the live event and the import; return the file that the event follows, and the import."""
    lines, rows = site.home / "live.txt", site.home / "more.jsonl"
    lines.touch()
    row = {"rating": "False", "publisher": "Bench"}
    with rows.open("w") as file:
        for i in range(options.claims):
            numbered = {
                "id": f"b{i}",
                "url": f"https://example.org/{i}",
                "statement": f"Town {i} has {i % 97} bridges.",
            }
            file.write(json.dumps({**row, **numbered}) + "\n")
    site.run("assistant", "live", str(lines), "--event", "bench")
    return lines, site.run("assistant", "claims", "import", str(rows), "--source", "bench")


async def _everybody(
    site: Site, report: str, lines: Path, options: argparse.Namespace
) -> tuple[list[float], list[str], int]:
    from playwright.async_api import async_playwright

    clicks: list[float] = []
    errors: list[str] = []
    async with async_playwright() as driver:
        path = shutil.which("chromium")
        browser = await driver.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        pages = [await (await browser.new_context()).new_page() for _ in range(options.people)]
        for page in pages:
            page.set_default_timeout(PATIENCE_S * 1000)
            page.on("pageerror", lambda error: errors.append(str(error)))
        addresses = [f"http://127.0.0.1:{site.ports[i % PROCESSES]}" for i in range(len(pages))]
        readers = zip(pages[CHECKERS:], addresses[CHECKERS:], strict=True)
        await asyncio.gather(*(_open(page, f"{address}/?report={report}") for page, address in readers))
        ends = time.monotonic() + options.seconds
        work = [_click(page, ends, clicks, random.Random(i)) for i, page in enumerate(pages[CHECKERS:])]
        work += [_check(*person) for person in zip(pages[:CHECKERS], addresses, range(CHECKERS), strict=False)]
        written, *_ = await asyncio.gather(_speak(lines, ends), *work)
        for page in pages:
            errors += await page.locator('[data-testid="stException"], [data-testid="stAlert"]').all_inner_texts()
        await browser.close()
    return clicks, errors, written


async def _open(page: Any, address: str) -> None:
    while True:
        with suppress(Exception):  # the app is still starting
            await page.goto(address)
            break
        await asyncio.sleep(0.5)
    await page.locator(".lx-chosen-sentence").first.wait_for()


async def _click(page: Any, ends: float, clicks: list[float], chance: random.Random) -> None:
    """Click one sentence after another and note how long its card takes."""
    while time.monotonic() < ends:
        await asyncio.sleep(chance.uniform(0, 2 * EVERY_S))
        rows = page.locator('.row[aria-selected="false"]')
        await rows.first.wait_for()  # the list may be drawn anew just now
        row = rows.nth(chance.randrange(max(1, await rows.count())))
        text = (await row.locator(".text").inner_text()).strip(" …")
        began = time.monotonic()
        await row.click()
        await page.locator(".lx-chosen-sentence", has_text=text).first.wait_for()
        clicks.append(time.monotonic() - began)


async def _check(page: Any, address: str, number: int) -> None:
    """Upload a sample debate under a name of its own and wait for its results."""
    sample = sample_files()[-1]
    await page.goto(address)
    upload = {"name": f"{number}-{sample.name}", "mimeType": "text/plain", "buffer": sample.read_bytes()}
    await page.locator("input[type=file]").first.set_input_files(upload)
    await page.get_by_role("button", name="Check", exact=True).click()
    await page.locator(".st-key-card").wait_for()


async def _speak(lines: Path, ends: float) -> int:
    written = 0
    while time.monotonic() < ends:
        with lines.open("a") as file:
            file.write(f"Sentence number {written} of this debate is here.\n")
        written += 1
        await asyncio.sleep(PACE_S)
    return written


def _outcome(
    site: Site, options: argparse.Namespace, clicks: Sequence[float], errors: Sequence[str], written: int
) -> dict[str, Any]:
    with EventLog.open(site.url) as log, ClaimStore.open(site.url) as store, Shelf.open(site.url) as shelf:
        ends = time.monotonic() + PATIENCE_S
        while len(log.sentences("bench")) < written and time.monotonic() < ends:
            time.sleep(0.5)
        return {
            "clicks": len(clicks),
            "p50 (s)": round(float(np.quantile(clicks, 0.5)), 2),
            "p95 (s)": round(float(np.quantile(clicks, 0.95)), 2),
            "bars (s)": f"{BARS['p50']} and {BARS['p95']}",
            "errors on pages": len(errors),
            "first error": next(iter(errors), ""),
            "live lines lost": written - len(log.sentences("bench")),
            "fact-checks not imported": options.claims - store.counts("source").get("bench", 0),
            "checks not done": CHECKERS - (shelf.counts(now=time.time())["reports"] - 1),
            "load of the machine": os.getloadavg()[0],
        }


main = command(
    measure,
    option("--database", required=True, metavar="URL", help="an empty PostgreSQL database"),
    option("--people", type=int, default=20),
    option("--seconds", type=int, default=60),
    option("--claims", type=int, default=100_000),
)
if __name__ == "__main__":
    sys.exit(main())
