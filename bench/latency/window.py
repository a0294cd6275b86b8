"""The window: how long from the command to the first screen, warm?

    python -m bench.latency.window [--starts 4] [--json FILE]

On an X server of its own (Xvfb; make desktop and openbox, xdotool, x11-utils as for the tests of
the window), with the sample fact-checks. The first start, which fills the caches, does not count.
Target: at most 6 s.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.command import command, option, printed
from bench.screens import prepared
from tests.assistant.ui.desktop.screen import Screen, Window, on_xvfb

BAR_S = 6.0


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Print and return the seconds of each start."""
    with tempfile.TemporaryDirectory() as folder:
        home = prepared(Path(folder) / "home")
        with on_xvfb(Path(folder)) as screen:
            first_s, *warm = (_start(screen, home) for _ in range(options.starts + 1))
    median = statistics.median(warm)
    figures = {"first_s": first_s, "warm_s": warm, "median_s": median, "load": os.getloadavg()[0]}
    return printed({**figures, "bar": "reached" if median <= BAR_S else "MISSED"})


def _start(screen: Screen, home: Path) -> float:
    window = Window(screen, home)
    began = time.perf_counter()
    window.open()
    took = time.perf_counter() - began
    window.close()
    window.wait_until_gone()
    return round(took, 2)


main = command(measure, option("--starts", type=int, default=4, help="warm starts"))

if __name__ == "__main__":
    sys.exit(main())
