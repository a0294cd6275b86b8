"""Honest files: what does reading them in a process of its own cost?

    python -m bench.latency.honest [--times N] [--json FILE]

Each sample transcript is read in a confined process, warm, and in this one, in turn; the least of
the times counts. Target: at most 50 ms more.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from assistant import transcripts
from assistant.jobs.check_service import sample_files
from assistant.transcripts import reader, recordings
from bench.command import command, option, table

BAR_MS = 50


def measure(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Print and return a row a file."""
    file_rows = []
    for path in (path for path in sample_files() if not recordings.is_recording(path)):
        data = path.read_bytes()
        name = path.name
        confined = _least(partial(transcripts.read_bytes, data, name), options.times)
        direct = _least(partial(reader.transcript, data, name, None, None), options.times)
        extra_ms = round(confined - direct)
        verdict = "reached" if extra_ms <= BAR_MS else "MISSED"
        file_rows.append(
            {
                "file": name,
                "kB": len(data) >> 10,
                "confined_ms": round(confined),
                "more_ms": extra_ms,
                "bar": verdict,
            }
        )
    print(table(file_rows), f"load {os.getloadavg()[0]:.1f}", sep="\n")
    return file_rows


def _least(read_file: Callable[[], object], times: int) -> float:
    """Return the milliseconds of the fastest of some readings, the first aside."""
    took = []
    for _ in range(times + 1):
        began = time.perf_counter()
        read_file()
        took.append(time.perf_counter() - began)
    return 1000 * min(took[1:])


main = command(
    measure, option("--times", type=int, default=9, help="readings of each file (default: 9)")
)

if __name__ == "__main__":
    sys.exit(main())
