"""Twenty people at once: how long from a click on a sentence to its card, while everything else goes on, too?

    python -m bench.latency.people --database-url URL [--people 20] [--clicks 10] [--claims 100000] [--json FILE]

Each person is a page of a real Chromium with its own WebSocket session, and reads a report: some seconds, a click,
the card, again. Meanwhile one live event is replayed and made-up fact-checks are imported, each by a process of its
own, and three of the people begin with the check of a sample debate. URL names an empty PostgreSQL database. Wanted:
median at most 1 s, 95 of 100 at most 3 s, nothing lost, no error. The browsers share the cores with the app, so
``cpu_s`` says what the app itself used; run it on a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from assistant import transcripts
from assistant.claims.store import ClaimStore
from assistant.desk.desk import sample_files
from assistant.live.log import EventLog
from bench.command import command, option, printed
from bench.latency.importing import importing, made_up
from bench.screens import FACTS, NAMES, prepared, serving, shelf_of

BARS = {"p50": 1.0, "p95": 3.0}
CHECKS, PATIENCE_S, ENDS_S = 3, 120, 1800
PAUSE_S = (2.0, 6.0)  # in which a reader reads
EVENT, SPEED = "city", 4
SHOWN = "number => document.querySelector('.lx-turns')?.dataset.sentence === number"


@dataclass
class Seen:
    """What the people saw: seconds of each click, and what went wrong, in words."""

    clicks: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


async def read(page: Any, address: str, clicks: int, seen: Seen, moments: random.Random) -> None:
    """Read a report: click on sentence after sentence, each after a pause, and wait for its card."""
    await page.goto(address)
    await page.locator(FACTS).wait_for()
    rows = await page.locator(".row").evaluate_all("rows => rows.map(row => row.id)")
    last = ""
    for _ in range(clicks):
        await asyncio.sleep(moments.uniform(*PAUSE_S))
        last = moments.choice([row for row in rows[:12] if row != last])
        row = page.locator(f"#{last}")
        await row.scroll_into_view_if_needed()
        began = time.perf_counter()
        await row.click()
        await page.wait_for_function(SHOWN, arg=last.removeprefix("lx-row-"))
        seen.clicks.append(time.perf_counter() - began)


async def start_check(page: Any, address: str, path: Path) -> None:
    """Check a transcript as a visitor does, and leave the page when it is under way."""
    await page.goto(address)
    await page.locator(".st-key-upload input[type=file]").set_input_files(path)
    await page.get_by_role("button", name="Check", exact=True).click()
    await page.wait_for_url("**report=*")


async def people(address: str, report: str, options: argparse.Namespace) -> Seen:
    """Let everybody in; three of them have something checked first. Return what all of them saw."""
    seen, arrivals = Seen(), random.Random(1)

    async def one(number: int) -> None:
        context = await chromium.new_context(viewport={"width": 1366, "height": 768})
        page = await context.new_page()
        page.set_default_timeout(PATIENCE_S * 1000)
        page.on("pageerror", lambda error: seen.errors.append(f"page {number}: {error}"))
        await page.add_init_script("localStorage.setItem('lectern.tour', 'seen')")
        try:
            await asyncio.sleep(arrivals.uniform(0, options.people / 2))
            if number < CHECKS:
                await start_check(page, address, sample_files()[number + 1])
            await read(page, f"{address}/?report={report}", options.clicks, seen, random.Random(number))
            if await page.locator("[data-testid=stException]").count():
                seen.errors.append(f"page {number}: an exception is shown")
        except Exception as error:  # one person's trouble is counted; the others go on
            seen.errors.append(f"page {number}: {type(error).__name__}: {str(error).splitlines()[0]}")

    async with browser() as chromium:
        await asyncio.gather(*(one(number) for number in range(options.people)))
    return seen


@asynccontextmanager
async def browser() -> AsyncIterator[Any]:
    """Yield a Chromium that many drive at once."""
    from playwright.async_api import async_playwright

    path = next(filter(None, map(shutil.which, NAMES)), None)
    async with async_playwright() as driver:
        chromium = await driver.chromium.launch(
            executable_path=path, args=["--headless", "--no-sandbox", "--disable-gpu"]
        )
        yield chromium
        await chromium.close()


@contextmanager
def following(home: Path) -> Iterator[subprocess.Popen]:
    """Replay the first sample debate as a live event, in a process of its own, from when its first line is stored."""
    replay = ["live", "--replay", str(sample_files()[0]), "--speed", str(SPEED), "--event", EVENT, "--home", str(home)]
    with (home / "live.log").open("wb") as told:
        process = subprocess.Popen([sys.executable, "-m", "assistant", *replay], stdout=told, stderr=told)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Print and return how long clicks took, and what was lost."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "lectern.toml").write_text(f'database_url = "{options.database_url}"\n')
        prepared(home)
        with shelf_of(home) as shelf, ClaimStore.open(options.database_url) as store:
            (report,), before = (head.id for head in shelf.heads(1)), store.size()[0]
            path = made_up(home / "claims.jsonl", options.claims)
            with serving(home) as address, following(home) as live:
                bringing, began = importing(path, home, options.database_url), time.monotonic()
                app = serving_process(address)
                used, seen = _cpu(app), asyncio.run(people(address, report, options))
                row = {"seconds": round(time.monotonic() - began), "cpu_s": round(_cpu(app) - used, 1)}
                row |= {"load": os.getloadavg()[0], "import went on": bringing.poll() is None}
                bringing.wait(ENDS_S)
                live.wait(ENDS_S)
                reports = _wait_for(lambda: len(shelf.heads(9)), CHECKS + 1)
            row |= {"clicks": _summary(seen.clicks), "clicks lost": options.people * options.clicks - len(seen.clicks)}
            row |= {"errors": seen.errors, "checks lost": CHECKS + 1 - reports}
            row |= {"claims lost": options.claims - (store.size()[0] - before)}
            row |= {"sentences lost": len(list(transcripts.read(sample_files()[0]))) - _checked(options.database_url)}
    bars = [f"{name} {'reached' if row['clicks'].get(name, np.inf) <= bar else 'MISSED'}" for name, bar in BARS.items()]
    return printed({**row, "bars": ", ".join(bars)})


def _checked(url: str) -> int:
    with EventLog.open(url) as log:
        return sum(sentence.checked is not None for sentence in log.sentences(EVENT))


def _wait_for(count: Any, wanted: int) -> int:
    ends = time.monotonic() + ENDS_S
    while (found := count()) < wanted and time.monotonic() < ends:
        time.sleep(1)
    return found


def serving_process(address: str) -> int:
    """Return the process of an app that this one serves, by the port in its command."""
    port = address.rpartition(":")[2]
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        if b"streamlit" in (words := path.read_bytes().split(b"\0")) and port.encode() in words:
            return int(path.parent.name)
    raise SystemExit("the app is not found among the processes")


def _cpu(process: int) -> float:
    """Return the seconds of processor time of a process."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _summary(values: list[float]) -> dict[str, float]:
    if not values:
        return {"n": 0}
    p50, p95 = np.percentile(values, (50, 95)).round(3).tolist()
    return {"n": len(values), "p50": p50, "p95": p95, "longest": round(max(values), 3)}


main = command(
    measure,
    option("--database-url", required=True, metavar="URL", help="an empty PostgreSQL database"),
    option("--people", type=int, default=20),
    option("--clicks", type=int, default=10, help="how often each person clicks"),
    option("--claims", type=int, default=100_000, help="how many fact-checks are imported meanwhile"),
)

if __name__ == "__main__":
    sys.exit(main())
