"""Pictures of every page, compared with stored ones, so that a change of looks is seen in review.

``make looks`` stores them anew. A picture of a difference is in ``build/looks``.
"""

from __future__ import annotations

import io
import os
import sqlite3
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from assistant.archive.archive_store import ArchiveStore
from assistant.claims import importers
from assistant.claims.claim_reading import SAMPLE_SOURCE
from assistant.claims.claim_store import ClaimStore
from assistant.jobs.report_store import ReportStore
from assistant.report import stored_reports
from tests.assistant.archive import conftest as debates
from tests.assistant.ui import factory
from tests.browser.conftest import ROOT, App
from tests.browser.test_screens import opened
from tests.free_ports import free_port

pytestmark = [pytest.mark.browser, pytest.mark.long]
pytest.importorskip("PIL", reason="pillow is not installed")

from PIL import Image  # noqa: E402

from tests.browser import picture_comparison  # noqa: E402

STORED_FOLDER = Path(__file__).parent / "looks"
DIFFERENCE_FOLDER = ROOT / "build" / "looks"
STORES_ANEW = bool(os.environ.get("LECTERN_STORE_LOOKS"))
CHECKED_AT = datetime(2026, 1, 15, 20, 30, tzinfo=UTC)
# Width and height of the window, and the width of its stored picture.
WINDOWS_PX = {1920: (1080, 640), 1366: (768, 546), 390: (844, 260)}
STILL_POLL_MS = 300
MAX_POLLS = 60
NO_MOTION = """*, *::before, *::after { animation: none !important; transition: none !important;
  caret-color: transparent !important; scroll-behavior: auto !important; }"""
NO_SKELETON = """() => !document.querySelector("[data-testid=stSkeleton]")"""
# Pages with a result, as test_screens names them: three widths, both themes.
RESULT_PAGES = (
    "first screen",
    "results",
    "transcript",
    "review",
    "report",
    "live",
    "archive",
    "archive, one claim",
    "archive, one speaker",
    "claims",
    "alerts",
    "patterns",
    "about",
)
OTHER_STATES = (
    "lanes",
    "passages",
    "picture hidden",
    "everything",
    "nothing left",
    "nothing found",
    "no such report",
    "what to review",
    "archive, debates",
    "archive, search",
    "claims, none",
)


@pytest.fixture(scope="module")
def furnished_app(tmp_path_factory):
    """An app of its own, so that no other test has decided anything in it, at a fixed time."""
    home = tmp_path_factory.mktemp("looks")
    _furnish(home)
    served = App(home, free_port())
    served.start(TZ="UTC")
    yield served
    served.stop()


def _furnish(home: Path) -> None:
    """Store fact-checks, an archive and reports that were checked at a fixed time."""
    report = factory.report(40)
    source = replace(report.transcript.source, sha256="1" * 64)
    other_day = report.transcript.event_date + timedelta(days=7)
    other_transcript = replace(
        report.transcript, source=source, title="Another debate", event_date=other_day
    )
    reports = {
        "cityhall": report,
        "other": replace(report, transcript=other_transcript),
        "passages": factory.passages(60),
        "nothing": factory.report(60, matched=False),
    }
    url = f"sqlite:///{home / 'lectern.db'}"
    with ReportStore.open(url) as store:
        for report_id, finished_report in reports.items():
            data = stored_reports.archive(finished_report)
            store.store_report(report_id, data, now=CHECKED_AT.timestamp())
    samples = list(importers.read_claims(ROOT / "sample_claims" / "samples.jsonl"))[:30]
    with ClaimStore.open(url) as claims, ArchiveStore.open(url) as archive:
        claims.upsert(samples, source=SAMPLE_SOURCE)
        claims.upsert((factory.vclaim(number) for number in range(40)), source="test")
        claims.upsert([debates.TUNNEL], source="test")
        debates.fill(archive)
    with sqlite3.connect(home / "lectern.db") as database:  # the archive's reports, too
        database.execute("UPDATE desk_reports SET written = ?", (CHECKED_AT.timestamp(),))
    database.close()


@pytest.fixture
def still_page(page):
    """A page without motion, its clock fixed, without the tour."""
    page.add_init_script("localStorage.setItem('lectern.tour', 'seen')")
    page.clock.set_fixed_time(CHECKED_AT)
    page.emulate_media(reduced_motion="reduce")
    return page


def _still_picture(page) -> Image.Image:
    """Return the picture of the window once two in a row are the same."""
    page.add_style_tag(content=NO_MOTION)
    page.evaluate("document.fonts.ready")
    earlier = b""
    for _ in range(MAX_POLLS):
        page.locator("[data-test-script-state=notRunning]").first.wait_for()
        # a component that is still being loaded: without motion its place never changes
        page.wait_for_function(NO_SKELETON)
        picture = page.screenshot(caret="hide")
        if picture == earlier:
            break
        earlier = picture
        page.wait_for_timeout(STILL_POLL_MS)
    return Image.open(io.BytesIO(picture))


def _difference(name: str, current: Image.Image, scale: float) -> str:
    """Return how a picture differs from the stored one, "" if it is alike; store it if asked."""
    path = STORED_FOLDER / f"{name}.webp"
    if STORES_ANEW:
        picture_comparison.store(current, path)
        return ""
    if not path.exists():
        return f"{name}: no stored picture. Run make looks."
    stored = Image.open(path)
    if stored.size != current.size:
        return f"{name}: {current.size} px, stored {stored.size} px"
    comparison = picture_comparison.compare(stored, current)
    if comparison.is_alike:
        return ""
    DIFFERENCE_FOLDER.mkdir(parents=True, exist_ok=True)
    sheet_path = DIFFERENCE_FOLDER / f"{name}.png"
    picture_comparison.difference_picture(stored, current, comparison).save(sheet_path)
    words = picture_comparison.difference_words(comparison, scale)
    return f"{name}: {words}. See {sheet_path.relative_to(ROOT)}"


def _name(state: str) -> str:
    return state.replace(", ", "_").replace(" ", "_")


def _skip_unless_stored(state: str) -> None:
    """Skip the test of a state without any stored picture; one that lacks some fails."""
    if not STORES_ANEW and not list(STORED_FOLDER.glob(f"{_name(state)}_*.webp")):
        pytest.skip(f"no picture of “{state}” is stored; `make looks` stores them")


def _differences(page, state: str, widths: tuple[int, ...], themes: tuple[str, ...]) -> list[str]:
    """Return how the pictures of a state differ from the stored ones."""
    differences = []
    for width in widths:
        height, stored_width = WINDOWS_PX[width]
        page.set_viewport_size({"width": width, "height": height})
        for theme in themes:
            page.emulate_media(color_scheme=theme)
            current = picture_comparison.reduced(_still_picture(page), stored_width)
            name = f"{_name(state)}_{width}_{theme}"
            difference = _difference(name, current, width / stored_width)
            if difference:
                differences.append(difference)
    return differences


@pytest.mark.parametrize("state", RESULT_PAGES)
def test_a_page_looks_as_stored(still_page, furnished_app, state):
    """At three widths, in both themes."""
    _skip_unless_stored(state)
    opened(still_page, furnished_app, state)

    assert _differences(still_page, state, tuple(WINDOWS_PX), ("light", "dark")) == []


@pytest.mark.parametrize("state", OTHER_STATES)
def test_a_state_looks_as_stored(still_page, furnished_app, state):
    """On a laptop, in the light theme."""
    _skip_unless_stored(state)
    opened(still_page, furnished_app, state)

    assert _differences(still_page, state, (1366,), ("light",)) == []
