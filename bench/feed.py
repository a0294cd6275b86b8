"""A feed of the size of Data Commons', from a server of this computer.

How long is its import, and how much memory?

``python -m bench.feed [--reviews 93000] [--once] [--json FILE]``. Expected: minutes and less than 500 MB. The reviews
are made up of words of the sample claims, in the shape of the feed: claim, rating, publisher, dates and address, no
article. Meanwhile a process checks a few sentences again and again with the same database: an import must not hold it
up.
"""

from __future__ import annotations

import argparse
import http.server
import json
import multiprocessing
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from assistant import pipeline, transcripts
from assistant.claims import datacommons
from assistant.claims.claim_store import ClaimStore
from assistant.claims.importers import read_claims
from assistant.core import settings
from bench.command import command, option, table
from bench.million import Recombined
from bench.samples import CLAIMS, DEBATES, read_gold

RATINGS = ("False", "True", "Half True", "Misleading", "Fake")
PUBLISHERS = 60
# sentences of a check, and how long after one the next begins
CHECKED = 20
EVERY_S = 20.0


def reviews(number: int) -> Iterator[dict[str, Any]]:
    """Yield so many elements of a feed."""
    statements = Recombined(number)
    for i in range(number):
        publisher = f"Checker {i % PUBLISHERS}"
        year = 10 + i % 15
        day = i % 28 + 1
        rating = RATINGS[i % len(RATINGS)]
        review = {
            "@context": "http://schema.org",
            "@type": "ClaimReview",
            "author": {"@type": "Organization", "name": publisher, "url": "https://example.org/"},
            "claimReviewed": statements.statement(i),
            "datePublished": f"20{year}-01-{day:02}",
            "inLanguage": "en",
            "itemReviewed": {"@type": "Claim", "author": {"@type": "Person", "name": "A post"}},
            "reviewRating": {"@type": "Rating", "alternateName": rating},
            "url": f"https://example.org/check/{i}",
        }
        yield {"@type": "DataFeedItem", "item": [review], "url": review["url"]}


def write(path: Path, number: int) -> None:
    """Write a feed, a review at a time."""
    with path.open("w", encoding="utf-8") as file:
        file.write('{"@context": "http://schema.org", "@type": "DataFeed", "dataFeedElement": [')
        for i, element in enumerate(reviews(number)):
            file.write((",\n" if i else "") + json.dumps(element))
        file.write("]}")


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        return


def checks(home: Path, over: Any, seconds: Any) -> None:
    """Check a few sentences until it is over, as ``check`` does, and note how long each took, opening included."""
    current_settings = settings.load(home=home)
    lines = [sent.text for sent in transcripts.read(DEBATES / min(read_gold()))][:CHECKED]
    debate = transcripts.read_bytes("\n\n".join(lines).encode(), "few.txt")
    pipeline.check(
        debate, pipeline.open_index(current_settings), current_settings.profile
    )  # models loaded
    while True:
        began = time.perf_counter()
        pipeline.check(debate, pipeline.open_index(current_settings), current_settings.profile)
        seconds.append(time.perf_counter() - began)
        if over.wait(EVERY_S):
            return


def measure(options: argparse.Namespace) -> dict[str, list[dict[str, Any]]]:
    """Serve the feed, fetch it into a database with the samples, and once more, when nothing is new."""
    import_rows: list[dict[str, Any]] = []
    spawn = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory(prefix="lectern-") as name, spawn.Manager() as manager:
        folder = Path(name)
        over = manager.Event()
        seconds = manager.list()
        write(folder / "data.json", options.reviews)
        current_settings = settings.load(home=folder)
        with ClaimStore.open(current_settings.database) as store:
            store.upsert(read_claims(CLAIMS), source="samples")
        process = spawn.Process(target=checks, args=(folder, over, seconds))
        process.start()
        while not seconds:
            time.sleep(1)
        with http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), partial(_Quiet, directory=name)
        ) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            url = f"http://127.0.0.1:{server.server_port}/data.json"
            for time_ in ("first",) if options.once else ("first", "again"):
                import_rows.append(
                    {"import": time_, **_fetched(current_settings, url, folder / "cache", seconds)}
                )
                print(import_rows[-1], flush=True)
            server.shutdown()
        over.set()
        process.join()
    print(table(import_rows))
    return {"rows": import_rows}


def _fetched(
    current_settings: settings.Settings, url: str, cache: Path, seconds: Any
) -> dict[str, Any]:
    """Fetch the feed and return what that took, and what the checks took before and meanwhile."""
    began = time.perf_counter()
    worked = _processor_s()
    checks_before = len(seconds)
    with ClaimStore.open(current_settings.database) as store:
        report = datacommons.fetch_datacommons(store, url=url, folder=cache)
    figures: dict[str, Any] = {"new": report.new, "refused": len(report.refused)}
    figures |= {"seconds": time.perf_counter() - began, "processor_s": _processor_s() - worked}
    figures["most_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    meanwhile = list(seconds)[checks_before:]
    return figures | {
        "checks": len(meanwhile),
        "check_s_before": seconds[0],
        "check_s_at_most": max(meanwhile, default=0.0),
    }


def _processor_s() -> float:
    return sum(
        sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )


main = command(
    measure,
    option("--reviews", type=int, default=93_000),
    option("--once", action="store_true", help="leave out the fetch in which nothing is new"),
)

if __name__ == "__main__":
    sys.exit(main())
