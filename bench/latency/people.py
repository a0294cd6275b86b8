"""Twenty people at once: how long from a click on a sentence to its card, while everything else goes on, too?

python -m bench.latency.people --database-url URL [--people 20] [--clicks 10] [--claims 100000]
[--json FILE]

Each person has a WebSocket session of their own and reads a report: some seconds, a click, the
card, again. Three of them have a real Chromium and begin with the check of a sample debate; the
others are bare sessions that send what a Chromium was seen to send (``bench/latency/visitor.py``),
since twenty browsers on the app's cores would measure themselves. Meanwhile one live event is
replayed and made-up fact-checks are imported, each by a process of its own. URL names an empty
PostgreSQL database. Target: median at most 1 s, 95% at most 3 s, nothing lost, no error.
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
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from assistant import transcripts
from assistant.claims.claim_store import ClaimStore
from assistant.jobs.check_service import sample_files
from assistant.live.event_log import EventLog
from bench.command import command, option, printed
from bench.latency.importing import importing, made_up
from bench.latency.visitor import Model, visitor
from bench.screens import FACTS, NAMES, prepared, serving, shelf_of

BARS = {"p50": 1.0, "p95": 3.0}
CHECKS = 3
PATIENCE_S = 120
ENDS_S = 1800
PAUSE_S = (2.0, 6.0)  # in which a reader reads
EVENT = "city"
SPEED = 4
IDS = "rows => rows.map(row => row.id)"
ROWS = 12  # the first of the list, among which people choose
SHOWN = "number => document.querySelector('.lx-turns')?.dataset.sentence === number"


@dataclass
class Seen:
    """What the people saw: seconds of each click, and what went wrong, in words."""

    clicks: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


async def read(
    page: Any, row_numbers: Sequence[int], clicks: int, visit: Seen, moments: random.Random
) -> None:
    """Read the report that a page shows: click on sentence after sentence, each after a pause.

    Wait for its card.
    """
    for number in _chosen(row_numbers, clicks, moments):
        await asyncio.sleep(moments.uniform(*PAUSE_S))
        row_element = page.locator(f"#lx-row-{number}")
        await row_element.scroll_into_view_if_needed()
        began = time.perf_counter()
        await row_element.click()
        await page.wait_for_function(SHOWN, arg=str(number))
        visit.clicks.append(time.perf_counter() - began)


def _chosen(row_numbers: Sequence[int], clicks: int, moments: random.Random) -> Iterator[int]:
    last_number = 0
    for _ in range(clicks):
        yield (
            last_number := moments.choice(
                [number for number in row_numbers if number != last_number]
            )
        )


async def open_report(page: Any, address: str) -> list[int]:
    """Open a report, and return its first rows."""
    await page.goto(address)
    await page.locator(FACTS).wait_for()
    await page.locator(".row").first.wait_for()
    return [
        int(name.removeprefix("lx-row-")) for name in await page.locator(".row").evaluate_all(IDS)
    ][:ROWS]


async def start_check(page: Any, address: str, path: Path) -> None:
    """Check a transcript as a visitor does, and leave the page when it is under way."""
    await page.goto(address)
    await page.locator(".st-key-upload input[type=file]").set_input_files(path)
    await page.get_by_role("button", name="Check transcript", exact=True).click()
    await page.wait_for_url("**report=*")


async def people(address: str, report: str, options: argparse.Namespace) -> tuple[Seen, Seen]:
    """Let everybody in, and return what those with a browser saw and those without.

    The first browser comes before, alone: the bare sessions send what it sends.
    """
    browsers = Seen()
    bare = Seen()
    arrivals = random.Random(1)
    model = Model()
    report_at = f"{address}/?report={report}"

    async def with_browser(number: int) -> None:
        page = await _page(chromium, browsers)
        await start_check(page, address, sample_files()[number + 1])
        await open_report(page, report_at)
        await read(page, row_numbers, options.clicks, browsers, random.Random(number))
        if await page.locator("[data-testid=stException]").count():
            browsers.errors.append(f"{number}: an exception is shown")

    async def without(number: int) -> None:
        moments = random.Random(number)
        async with visitor(address, model) as session:
            await session.come()
            for row_number in _chosen(row_numbers, options.clicks, moments):
                await asyncio.sleep(moments.uniform(*PAUSE_S))
                bare.clicks.append(await asyncio.wait_for(session.choose(row_number), PATIENCE_S))

    async def one(number: int) -> None:
        visit, visit_kind = (browsers, with_browser) if number < CHECKS else (bare, without)
        try:
            await asyncio.sleep(arrivals.uniform(0, options.people / 2))
            await visit_kind(number)
        except Exception as error:  # one person's trouble is counted; the others go on
            visit.errors.append(
                f"{number}: {type(error).__name__}: {str(error).partition(chr(10))[0]}"
            )

    async with browser() as chromium:
        page = await _page(chromium, browsers)
        model.watch(page)
        row_numbers = await open_report(page, report_at)
        await read(page, row_numbers, 1, Seen(), random.Random(0))
        await asyncio.gather(*(one(number) for number in range(options.people)))
    return browsers, bare


async def _page(chromium: Any, visit: Seen) -> Any:
    context = await chromium.new_context(viewport={"width": 1366, "height": 768})
    page = await context.new_page()
    page.set_default_timeout(PATIENCE_S * 1000)
    page.on("pageerror", lambda error: visit.errors.append(str(error)))
    await page.add_init_script("localStorage.setItem('lectern.tour', 'seen')")
    return page


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
    replay = [
        "live",
        "--replay",
        str(sample_files()[0]),
        "--speed",
        str(SPEED),
        "--event",
        EVENT,
        "--home",
        str(home),
    ]
    with (home / "live.log").open("wb") as log_file:
        process = subprocess.Popen(
            [sys.executable, "-m", "assistant", *replay], stdout=log_file, stderr=log_file
        )
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
            (report,), size_before = (head.id for head in shelf.report_heads(1)), store.size()[0]
            path = made_up(home / "claims.jsonl", options.claims)
            with serving(home) as address, following(home) as live:
                bringing = importing(path, home, options.database_url)
                began = time.monotonic()
                app = serving_process(address)
                used = process_cpu_s(app)
                (browsers, bare) = asyncio.run(people(address, report, options))
                figures = {
                    "seconds": round(time.monotonic() - began),
                    "cpu_s": round(process_cpu_s(app) - used, 1),
                }
                figures |= {"load": os.getloadavg()[0], "import went on": bringing.poll() is None}
                bringing.wait(ENDS_S)
                live.wait(ENDS_S)
                reports = _wait_for(lambda: len(shelf.report_heads(9)), CHECKS + 1)
            clicks = [*browsers.clicks, *bare.clicks]
            figures |= {
                "clicks": _summary(clicks),
                "clicks lost": options.people * options.clicks - len(clicks),
            }
            figures |= {"in a browser": _summary(browsers.clicks), "bare": _summary(bare.clicks)}
            figures |= {
                "errors": [*browsers.errors, *bare.errors],
                "checks lost": CHECKS + 1 - reports,
            }
            figures |= {"claims lost": options.claims - (store.size()[0] - size_before)}
            figures |= {
                "sentences lost": len(list(transcripts.read(sample_files()[0])))
                - _checked(options.database_url)
            }
    bars = []
    for name, limit_s in BARS.items():
        bars.append(
            f"{name} {'reached' if figures['clicks'].get(name, np.inf) <= limit_s else 'MISSED'}"
        )
    return printed({**figures, "bars": ", ".join(bars)})


def _checked(url: str) -> int:
    with EventLog.open(url) as log:
        return sum(sentence.checked is not None for sentence in log.sentences(EVENT))


def _wait_for(count: Any, target_count: int) -> int:
    ends = time.monotonic() + ENDS_S
    while (current_count := count()) < target_count and time.monotonic() < ends:
        time.sleep(1)
    return current_count


def serving_process(address: str) -> int:
    """Return the process of an app that this one serves, by the port in its command."""
    port = address.rpartition(":")[2]
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        if b"streamlit" in (words := path.read_bytes().split(b"\0")) and port.encode() in words:
            return int(path.parent.name)
    raise SystemExit("the app is not found among the processes")


def process_cpu_s(process: int) -> float:
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
    option(
        "--claims", type=int, default=100_000, help="how many fact-checks are imported meanwhile"
    ),
)

if __name__ == "__main__":
    sys.exit(main())
