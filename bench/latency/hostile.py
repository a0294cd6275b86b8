"""Hostile files: how does each end in the app's upload, and how long do others wait meanwhile?

    python -m bench.latency.hostile [--cases N] [--json FILE]

A visitor uploads the files of ``tests/fuzz/cases.py`` one after the other in a real Chromium;
another reads a report, and clicks on a sentence while each is read. Target: each ends as a
transcript or a refusal within 10 s, the app with its readers stays below 1.5 GB of memory of its
own, and a click of the other shows its card within 1 s.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from bench.command import command, option, printed
from bench.latency.people import serving_process
from bench.memory import watched
from bench.screens import FACTS, browser, prepared, serving, shelf_of
from tests.fuzz.cases import OWN, SEEN

END_S = 10.0
CLICK_S = 1.0
MEMORY_MB = 1500
ENDED = "[data-testid=stAlertContentError], .st-key-check button"
SHOWN = "number => document.querySelector('.lx-turns')?.dataset.sentence === number"


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Print and return how long each file and each click took, and the most memory."""
    ends = {}
    clicks = []
    with tempfile.TemporaryDirectory() as folder:
        home = prepared(Path(folder))
        with shelf_of(home) as shelf:
            (report,) = (head.id for head in shelf.report_heads(1))
        with (
            serving(home) as address,
            browser() as chromium,
            watched(serving_process(address)) as memory,
        ):
            visitor, reader = (
                chromium.new_page(viewport={"width": 1366, "height": 768}) for _ in range(2)
            )
            for page in (visitor, reader):
                page.add_init_script("localStorage.setItem('lectern.tour', 'seen')")
            reader.goto(f"{address}/?report={report}")
            reader.locator(FACTS).wait_for()
            row_ids = reader.locator(".row").evaluate_all("rows => rows.map(row => row.id)")[:9]
            _click(reader, row_ids[-1])  # the first one makes what all others find made
            for number, (name, make) in enumerate(islice({**SEEN, **OWN}.items(), options.cases)):
                (path := Path(folder) / "case.x").write_bytes(make())
                visitor.goto(address)
                visitor.locator(".st-key-upload input[type=file]").set_input_files(path)
                began = time.perf_counter()
                clicks.append(_click(reader, row_ids[number % len(row_ids)]))
                end = visitor.locator(ENDED).first
                end.wait_for(timeout=120_000)
                outcome = "transcript" if "Check" in end.inner_text() else "refusal"
                ends[name] = (round(time.perf_counter() - began, 2), outcome)
    return printed(_row(ends, clicks, max(memory)))


def _row(ends: dict[str, tuple[float, str]], clicks: list[float], memory: float) -> dict[str, Any]:
    slowest = max(ends, key=lambda name: ends[name][0])
    slowest_s = ends[slowest][0]
    p50, p95 = np.percentile(clicks, (50, 95)).round(3).tolist()
    reached = slowest_s <= END_S and max(clicks) <= CLICK_S and memory <= MEMORY_MB
    outcomes = Counter(outcome for _, outcome in ends.values())
    return {
        "cases": len(ends),
        **outcomes,
        "slowest": f"{slowest}: {slowest_s} s",
        "memory_mb": round(memory),
        "load": os.getloadavg()[0],
        "clicks": {"p50": p50, "p95": p95, "longest": round(max(clicks), 3)},
        "bar": "reached" if reached else "MISSED",
    }


def _click(page: Any, row_id: str) -> float:
    began = time.perf_counter()
    page.locator(f"#{row_id}").click()
    page.wait_for_function(SHOWN, arg=row_id.removeprefix("lx-row-"))
    return time.perf_counter() - began


main = command(measure, option("--cases", type=int, help="only so many"))

if __name__ == "__main__":
    sys.exit(main())
