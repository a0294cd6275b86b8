"""The page Archive in a real browser: how long until each view of a thousand debates stands on the screen?

``python -m bench.archive.page [--sentences 300000] [--home DIR] [--pictures DIR] [--json FILE]``. Expected: the first
screen within 2 s. The archive is that of ``bench.archive.scale``: a thousand debates of 300 sentences, ten matches in
each; their reports are those of the sample debates under other titles and dates. ``warm`` is the median of three
visits, each by a new browser window, after a first one, in which the app counts what was repeated and loads what it
needs.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any

from assistant import pipeline, transcripts
from assistant.archive import running
from assistant.archive.store import ArchiveStore
from assistant.check import models
from assistant.check.index_opening import as_index
from assistant.claims.importers import read_claims
from assistant.claims.store import ClaimStore
from assistant.desk.shelf import Shelf
from assistant.ground import settings, stored_reports
from assistant.ground.settings import EMBEDDED
from bench.archive.scale import fill
from bench.command import command, option, table
from bench.samples import CLAIMS, DEBATES, read_gold, sample_claims
from bench.screens import browser, serving

VIEWS = {
    "repeated": ("archive", ".lx-rated"),
    "several speakers": ("archive?view=Several+speakers", ".lx-rated"),
    "debates": ("archive?view=Debates", ".lx-strip i"),
    "search, by words": ("archive?view=Search&q=dollar", ".lx-claim"),
    "search, by meaning": ("archive?view=Search&how=by+meaning&q=pay+for+an+hour+of+work", ".lx-claim, .lx-line"),
    "one fact-check": ("archive?claim=sample-0002", ".mentions_marks path"),
}
VISITS, PATIENCE_MS, SIZE = 3, 60_000, {"width": 1366, "height": 768}


def measure(options: argparse.Namespace) -> dict[str, list[dict[str, Any]]]:
    """Make the archive unless it is there, serve it, and look at each view."""
    with tempfile.TemporaryDirectory(prefix="lectern-") as folder:
        home = options.home or Path(folder)
        home.mkdir(exist_ok=True)
        chosen = settings.load(home=home)
        with ArchiveStore.open(chosen.database) as store, ClaimStore.open(chosen.database) as claims:
            if not store.entries():
                claims.upsert(read_claims(CLAIMS), source="samples")
                fill(store, running.vectors_in(chosen), options.sentences, list(claims.fingerprints()))
                _shelve(store, chosen)
            debates = len(store.entries())
        with serving(home) as address, browser() as chromium:
            rows = [_looked_at(chromium, address, name, debates, options.pictures) for name in VIEWS]
    print(table(rows))
    return {"rows": rows}


def _shelve(store: ArchiveStore, chosen: settings.Settings) -> None:
    """Put a report of each debate on the desk's shelf."""
    index = as_index(sample_claims(), models.encoders(EMBEDDED))
    made = [pipeline.check(transcripts.read(DEBATES / name), index) for name in sorted(read_gold())]
    with Shelf.open(chosen.database) as shelf:
        for entry, report in zip(store.entries(), cycle(made), strict=False):
            source = replace(report.transcript.source, sha256=entry.document)
            of = replace(report.transcript, title=entry.title, event_date=entry.event_date, source=source)
            shelf.keep(entry.report(), stored_reports.archive(replace(report, transcript=of)), now=time.time())


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
            page.wait_for_timeout(1500)  # what is fading in has come
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
