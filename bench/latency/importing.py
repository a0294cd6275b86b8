"""Import: how long does a live line wait to be stored while 100,000 fact-checks are imported?

    python -m bench.latency.importing [--claims N] [--database-url URL] [--json FILE]

Made-up fact-checks are imported by the command line, in a process of its own, into an SQLite file
or the (empty) PostgreSQL database named; ten lines a second arrive meanwhile, as a source stores
them. Target: no line waits more than 1 s, in either database.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from assistant.claims.claim_store import ClaimStore
from assistant.live.event import Event
from assistant.live.event_log import EventLog
from assistant.live.live_lines import Line
from bench.command import command, option, printed

EVENT = Event("bench", "Import")
PACE_S = 0.1
BAR_S = 1.0
WORDS = "tax crime wage school road river farm prison rent ferry mine toll bridge budget clinic harbor".split()


def made_up(path: Path, claims: int) -> Path:
    """Write so many fact-checks, JSON lines of about 700 bytes, to a file, and return it."""
    words = random.Random(1)
    with path.open("w", encoding="utf-8") as file:
        for number in range(claims):
            statement, body = (" ".join(words.choices(WORDS, k=k)) for k in (12, 70))
            claim_record = {
                "statement": f"{statement} {number}.",
                "body": body,
                "rating": "False",
                "publisher": "Made up",
            }
            file.write(
                json.dumps(
                    {
                        **claim_record,
                        "url": f"https://example.org/{number}",
                        "review_date": "2025-01-05",
                    }
                )
                + "\n"
            )
    return path


def importing(path: Path, home: Path, url: str) -> subprocess.Popen:
    """Begin to import a file, in a process of its own, which says what it does."""
    run = [
        sys.executable,
        "-m",
        "assistant",
        "claims",
        "import",
        str(path),
        "--home",
        str(home),
        "--database-url",
        url,
    ]
    return subprocess.Popen(run)


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Print and return how long lines waited, before and during the import."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        url = options.database_url or f"sqlite:///{home / 'lectern.db'}"
        path = made_up(home / "claims.jsonl", options.claims)
        with ClaimStore.open(url) as store, EventLog.open(url) as log:
            size_before = store.size()[0]
            log.begin(EVENT, time.time())
            alone = [_line(log, number) for number in range(50)]
            process = importing(path, home, url)
            began = time.monotonic()
            waits = []
            while process.poll() is None:
                waits.append(_line(log, len(alone) + len(waits)))
            seconds = time.monotonic() - began
            figures = {
                "claims": store.size()[0] - size_before,
                "import ended": process.returncode,
                "import_s": round(seconds),
            }
            stored = len(log.units(EVENT.name))
    figures |= {"lines": len(waits), "lost": len(alone) + len(waits) - stored}
    figures |= {"alone_s": _summary(alone), "meanwhile_s": _summary(waits)}
    figures |= {"bar": "reached" if max(waits) <= BAR_S else "MISSED", "load": os.getloadavg()[0]}
    return printed({"database": url.partition(":")[0], **figures})


def _line(log: EventLog, number: int) -> float:
    """Store a line, wait for the next one, and return how long the first took."""
    now = time.time()
    began = time.perf_counter()
    log.store_lines(
        EVENT.name,
        "bench",
        [Line("bench", str(number), f"Sentence number {number} is here.")],
        now=now,
    )
    took = time.perf_counter() - began
    time.sleep(max(0.0, PACE_S - took))
    return took


def _summary(waits: list[float]) -> dict[str, float]:
    p50, p95 = np.percentile(waits, (50, 95)).round(3).tolist()
    return {"p50": p50, "p95": p95, "longest": round(max(waits), 3)}


main = command(
    measure,
    option("--claims", type=int, default=100_000, help="how many are imported"),
    option(
        "--database-url",
        default="",
        metavar="URL",
        help="an empty database (default: a new SQLite file)",
    ),
)

if __name__ == "__main__":
    sys.exit(main())
