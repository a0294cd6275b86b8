"""The page Archive in a real browser: how long until each view of a thousand debates stands on the screen?

``python -m bench.archive.page [--sentences 300000] [--home DIR] [--pictures DIR] [--json FILE]``. Expected: the first
screen within 2 s. The archive is that of ``bench.archive.scale``: a thousand debates of 300 sentences, ten matches in
each. ``warm`` is the median of three visits, each by a new browser window, after a first one, in which the app counts
what was repeated and loads what it needs.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from assistant.archive.store import ArchiveStore
from assistant.archive.vectors import Vectors
from assistant.claims.importers import read_claims
from assistant.claims.store import ClaimStore
from assistant.ground import settings
from bench.archive.scale import fill
from bench.command import command, option, table
from bench.samples import CLAIMS
from bench.screens import browser, serving

VIEWS = {
    "repeated": ("archive", ".lx-rated"),
    "debates": ("archive?view=Debates", ".lx-line"),
    "search, by words": ("archive?view=Search&q=dollar", ".lx-claim"),
    "one fact-check": ("archive?claim=sample-0002", ".mentions_marks path"),
}
VISITS, PATIENCE_MS, SIZE = 3, 300_000, {"width": 1366, "height": 768}


def measure(options: argparse.Namespace) -> dict[str, list[dict[str, Any]]]:
    """Make the archive unless it is there, serve it, and look at each view."""
    with tempfile.TemporaryDirectory(prefix="lectern-") as folder:
        home = options.home or Path(folder)
        home.mkdir(exist_ok=True)
        chosen = settings.load(home=home)
        with ArchiveStore.open(chosen.database) as store, ClaimStore.open(chosen.database) as claims:
            if not store.entries():
                claims.upsert(read_claims(CLAIMS), source="samples")
                fill(store, Vectors.of(home, "made up"), options.sentences, list(claims.fingerprints()))
            debates = len(store.entries())
        with serving(home) as address, browser() as chromium:
            rows = [_looked_at(chromium, address, name, debates, options.pictures) for name in VIEWS]
    print(table(rows))
    return {"rows": rows}


def _looked_at(chromium: Any, address: str, name: str, debates: int, pictures: Path | None) -> dict[str, Any]:
    path, there = VIEWS[name]
    seconds = []
    for visit in range(VISITS + 1):
        page = chromium.new_page(viewport=SIZE)
        page.set_default_timeout(PATIENCE_MS)
        began = time.perf_counter()
        page.goto(f"{address}/{path}")
        page.locator(there).first.wait_for()
        seconds.append(time.perf_counter() - began)
        if pictures and visit == VISITS:
            page.locator("[data-test-script-state=notRunning]").first.wait_for()
            pictures.mkdir(exist_ok=True)
            page.screenshot(path=str(pictures / f"{name.replace(', ', ' ').replace(' ', '-')}.png"))
        page.close()
    return {"view": name, "debates": debates, "first": seconds[0], "warm": statistics.median(seconds[1:])}


main = command(
    measure,
    option("--sentences", type=int, default=300_000),
    option("--home", type=Path, metavar="DIR", help="keep the archive in this folder"),
    option("--pictures", type=Path, metavar="DIR", help="take a picture of each view"),
)

if __name__ == "__main__":
    raise SystemExit(main())
