"""The API: how long does a check take beside the command line, and how much memory beside the app?

python -m bench.latency.check_by_api --home DIR --transcript FILE [--turns 1] [--json FILE]

The home has fact-checks with their index, and the transcript is plain text. Each turn checks it
once by the command line, once by a server that was just started, and once in the app, by a
Chromium. The CPU time of the command is counted from its start to its end, the CPU time of server
and app from the upload to the report. Private megabytes are counted afterwards, with the index open
and the models loaded. Target: the API takes at most 1.1 times the CPU time of the command line, and
the server at most 1.2 times the memory of the app.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from assistant.client import Client
from assistant.live.access_tokens import Scope
from bench.command import command, option, printed
from bench.latency.match_api import serving, warm_up
from bench.latency.people import process_cpu_s, serving_process
from bench.memory import private_mb
from bench.screens import FACTS, browser, shelf_of
from bench.screens import serving as serving_app

WARM_TEXTS = ["The unemployment rate has fallen to three percent in the last two years."]
SCOPES = (Scope.MATCH, Scope.READ_CHECKS, Scope.WRITE_CHECKS)
CHECK_S = 1800
POLL_S = 0.2
MS_PER_S = 1000


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Print and return the medians of all turns, and their ratios."""
    turns = []
    for _ in range(options.turns):
        figures: dict[str, float] = {}
        for check in (check_by_command, check_by_server, check_in_app):
            with unchecked(options.transcript) as path:
                figures |= check(options.home, path)
        print(figures, flush=True)
        turns.append(figures)
    medians = {name: statistics.median(turn[name] for turn in turns) for name in turns[0]}
    ratios = {
        "API / command line, CPU time": medians["API cpu_s"] / medians["command cpu_s"],
        "server / app, private memory": medians["server MB"] / medians["app MB"],
    }
    rounded = {name: round(value, 3) for name, value in {**medians, **ratios}.items()}
    return printed(rounded)


@contextmanager
def unchecked(transcript: Path) -> Iterator[Path]:
    """Yield a copy of a transcript with one more line: a file that was checked is not checked again."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / transcript.name
        path.write_text(f"{transcript.read_text('utf-8')}\n\nCopy {time.time_ns()} ends here.\n")
        yield path


def check_by_command(home: str, transcript: Path) -> dict[str, float]:
    """Check a transcript by the command line and return its CPU and wall seconds."""
    cpu_before = _children_cpu_s()
    started = time.perf_counter()
    check = [sys.executable, "-m", "assistant", "check", str(transcript), "--home", home]
    subprocess.run([*check, "--format", "json"], check=True, stdout=subprocess.DEVNULL)
    return {
        "command cpu_s": _children_cpu_s() - cpu_before,
        "command s": time.perf_counter() - started,
    }


def check_by_server(home: str, transcript: Path) -> dict[str, float]:
    """Check a transcript by a server and return its CPU and wall seconds, and its memory afterwards."""
    with serving(home, SCOPES) as server:
        warm_up(server, WARM_TEXTS)
        token = server.headers["Authorization"].removeprefix("Bearer ")
        with Client(server.address, token) as client:
            cpu_before = server.cpu_s()
            started = time.perf_counter()
            check = client.start_check_of_file(transcript)
            *_, ended = client.progress(check.id)
            if ended.error:
                raise SystemExit(f"the check by the API failed: {ended.error}")
            client.report(check.id)
        return {
            "API cpu_s": server.cpu_s() - cpu_before,
            "API s": time.perf_counter() - started,
            "server MB": private_mb(server.process_id),
        }


def check_in_app(home: str, transcript: Path) -> dict[str, float]:
    """Check a transcript in the app, by a Chromium, and return the app's CPU time and memory afterwards."""
    with serving_app(Path(home)) as address, browser() as chromium:
        app = serving_process(address)
        page = chromium.new_page()
        page.set_default_timeout(CHECK_S * MS_PER_S)
        page.goto(address)
        cpu_before = process_cpu_s(app)
        page.locator(".st-key-upload input[type=file]").set_input_files(transcript)
        page.get_by_role("button", name="Check transcript", exact=True).click()
        page.wait_for_url("**report=*")
        with shelf_of(Path(home)) as reports:
            report_id = page.url.partition("report=")[2].partition("&")[0]
            ends = time.monotonic() + CHECK_S
            while report_id not in [head.id for head in reports.report_heads(1)]:
                if time.monotonic() > ends:
                    raise SystemExit(f"the check in the app did not end within {CHECK_S} s")
                time.sleep(POLL_S)
        page.locator(FACTS).first.wait_for()
        return {"app cpu_s": process_cpu_s(app) - cpu_before, "app MB": private_mb(app)}


def _children_cpu_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


main = command(
    measure,
    option("--home", required=True, metavar="DIR", help="a data directory with an index"),
    option("--transcript", type=Path, required=True, metavar="FILE", help="the transcript"),
    option("--turns", type=int, default=1, help="how often each way is measured"),
)

if __name__ == "__main__":
    sys.exit(main())
