"""The picture of a debate: how long until it is drawn, and from a click on a mark to the card of its sentence?

    python -m bench.latency.picture [--sentences N] [--json FILE]

The sample debate is repeated until it has so many sentences. Expected on two cores in headless
Chromium: the picture of 2,000 sentences drawn within 1 s of the moment its place stands on the
page, a click to its card within .5 s (medians).
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from assistant.core.domain import Report
from assistant.passages.listing import arranged, singles
from assistant.report import stored_reports
from bench.command import command, option
from bench.screens import browser, prepared, serving, shelf_of

CLICKS = 12
DRAWN = ".matches_marks path"
# From the first sign of the chart's place on the page to its marks: what the browser needs to
# draw, models left out.
WATCH = """() => {
  window.picture = {};
  const look = () => {
    if (!window.picture.begun && document.querySelector(".st-key-picture")) window.picture.begun = performance.now();
    if (window.picture.begun && document.querySelector(".matches_marks path")) window.picture.drawn = performance.now();
    else requestAnimationFrame(look);
  };
  look();
}"""


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Print and return the seconds until the picture is drawn and from a click to its card."""
    with tempfile.TemporaryDirectory() as folder:
        home = prepared(Path(folder))
        with shelf_of(home) as shelf:
            sample = stored_reports.load(shelf.report(shelf.report_heads(1)[0].id) or b"")
            shelf.store_report(
                "debate", stored_reports.archive(longer(sample, options.sentences)), now=time.time()
            )
        with serving(home) as address, browser() as chromium:
            page = chromium.new_page(viewport={"width": 1366, "height": 768})
            page.add_init_script(f"localStorage.setItem('lectern.tour', 'seen'); ({WATCH})()")
            drawing_seconds = [_drawn(page, address) for _ in range(3)]
            marks = page.locator(DRAWN).count()
            clicks = [_click(page, at) for at in range(1, marks, marks // CLICKS)]
    figures = {
        "sentences": options.sentences,
        "marks": marks,
        "drawn": round(statistics.median(drawing_seconds), 3),
        "click": round(statistics.median(clicks), 3),
        "slowest click": round(max(clicks), 3),
    }
    print("  ".join(f"{name} {value}" for name, value in figures.items()))
    return {"rows": [figures]}


def longer(report: Report, sentences: int) -> Report:
    """Return a report of so many sentences, four seconds each.

    Those of another again and again.
    """
    sentence_count = len(report.sentences)
    checked = []
    for sentence_index in range(sentences):
        original = report.sentences[sentence_index % sentence_count]
        turn = sentence_index // sentence_count
        sent = replace(
            original.sentence,
            number=sentence_index + 1,
            start=4.0 * sentence_index,
            end=4.0 * sentence_index + 3.5,
        )
        checked.append(
            replace(
                original,
                sentence=sent,
                rank=original.rank and original.rank + turn * sentence_count,
            )
        )
    transcript = replace(
        report.transcript,
        sentences=tuple(checked_sentence.sentence for checked_sentence in checked),
    )
    return replace(
        report,
        transcript=transcript,
        sentences=tuple(checked),
        passages=arranged(singles(checked), checked),
    )


def _drawn(page: Any, address: str) -> float:
    page.goto(f"{address}/?report=debate")
    page.wait_for_function("() => window.picture?.drawn")
    page.locator(".lx-facts").wait_for()
    return page.evaluate("(window.picture.drawn - window.picture.begun) / 1000")


def _click(page: Any, at: int) -> float:
    mark = page.locator(DRAWN).nth(at)
    box = mark.bounding_box()
    url_before = page.url
    began = time.perf_counter()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_function(
        "before => location.href !== before && document.querySelector('.lx-turns')?.dataset.sentence === "
        "new URL(location.href).searchParams.get('s')",
        arg=url_before,
    )
    seconds = time.perf_counter() - began
    page.wait_for_timeout(300)  # the next click is another reader's
    return seconds


main = command(
    measure, option("--sentences", type=int, default=2000, help="how long the made-up debate is")
)

if __name__ == "__main__":
    raise SystemExit(main())
