"""A feed of the size of Data Commons', from a server of this computer: how long is its import, and how much memory?

``python -m bench.feed [--reviews 93000] [--json FILE]``. Expected: minutes and less than 500 MB. The reviews are made
up of words of the sample claims, in the shape of the feed: claim, rating, publisher, dates and address, no article.
"""

from __future__ import annotations

import argparse
import http.server
import json
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from assistant.claims import datacommons
from assistant.claims.store import ClaimStore
from bench.command import command, option, table
from bench.million import Recombined

RATINGS, PUBLISHERS = ("False", "True", "Half True", "Misleading", "Fake"), 60


def reviews(number: int) -> Iterator[dict[str, Any]]:
    """Yield so many elements of a feed."""
    statements = Recombined(number)
    for i in range(number):
        name = f"Checker {i % PUBLISHERS}"
        review = {
            "@context": "http://schema.org",
            "@type": "ClaimReview",
            "author": {"@type": "Organization", "name": name, "url": "https://example.org/"},
            "claimReviewed": statements.statement(i),
            "datePublished": f"20{10 + i % 15}-01-{i % 28 + 1:02}",
            "inLanguage": "en",
            "itemReviewed": {"@type": "Claim", "author": {"@type": "Person", "name": "A post"}},
            "reviewRating": {"@type": "Rating", "alternateName": RATINGS[i % len(RATINGS)]},
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


def measure(options: argparse.Namespace) -> dict[str, list[dict[str, Any]]]:
    """Serve the feed, fetch it into an empty database, and fetch it once more, when nothing is new."""
    rows = []
    with tempfile.TemporaryDirectory(prefix="lectern-") as name:
        folder = Path(name)
        write(folder / "data.json", options.reviews)
        size = (folder / "data.json").stat().st_size / 1e6
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=name)) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            url = f"http://127.0.0.1:{server.server_port}/data.json"
            for time_ in ("first", "again"):
                began, worked = time.perf_counter(), _processor_s()
                with ClaimStore.open(f"sqlite:///{folder / 'lectern.db'}") as store:
                    report = datacommons.fetch_datacommons(store, url=url, folder=folder / "cache")
                row = {"import": time_, "feed_mb": size, "new": report.new, "refused": len(report.refused)}
                row |= {"seconds": time.perf_counter() - began, "processor_s": _processor_s() - worked}
                rows.append(row | {"most_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3})
            server.shutdown()
    print(table(rows))
    return {"rows": rows}


def _processor_s() -> float:
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


main = command(measure, option("--reviews", type=int, default=93_000))

if __name__ == "__main__":
    sys.exit(main())
