"""The web page in a real browser: narrow and wide, by day and by night, on paper, folded."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from assistant.report.view import ReportView
from assistant.reports import html_form as report_html
from tests.assistant import made_up

LONG = "Donaudampfschifffahrtsgesellschaft" * 6  # wider than a telephone, nowhere to break

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(tmp_path_factory) -> str:
    """The page of a report with two matches and words that do not break, on disk."""
    words = {
        "statement": f"{LONG} opened in 1994.",
        "title": LONG,
        "url": f"https://example.org/{LONG}",
    }
    vclaim = replace(made_up.VCLAIM, id="another", **words)
    report = made_up.report(f"The {LONG} has been open since 1994.")
    first_sentence = replace(
        report.sentences[0], matches=(made_up.match(), made_up.match(vclaim, rank=2))
    )
    path: Path = tmp_path_factory.mktemp("report") / "report.html"
    changed = replace(report, sentences=(first_sentence, *report.sentences[1:]))
    path.write_bytes(report_html.render(ReportView(changed)))
    return path.as_uri()


def opened(chromium, address: str, *, width: int = 1366, theme: str = "light"):
    """Return the page, with all details open and a list of what it asked for and complained about."""
    page = chromium.new_page(viewport={"width": width, "height": 800}, color_scheme=theme)
    page.heard = []
    page.on("request", lambda request: page.heard.append(request.url))
    page.on("console", lambda message: page.heard.append(message.text))
    page.goto(address)
    page.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
    return page


@pytest.mark.parametrize("width", [390, 1366])
def test_nothing_is_wider_than_the_screen(chromium, address, width):
    """Also with everything unfolded and words that have no place to break."""
    page = opened(chromium, address, width=width)

    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_page_asks_for_nothing_and_complains_of_nothing(chromium, address):
    """One file, no network, no script, no error."""
    page = opened(chromium, address)

    assert page.heard == [address]


def test_quiet_turns_fold_away(chromium, address):
    """Ticking the box hides the turns without a match, and no others."""
    page = opened(chromium, address)
    turns = page.locator("#transcript .turn")
    assert [turns.nth(i).is_visible() for i in range(2)] == [True, True]

    page.check("#condensed")

    assert [turns.nth(i).is_visible() for i in range(2)] == [True, False]


@pytest.mark.parametrize(("width", "beside"), [(1366, True), (390, False)])
def test_notes_stand_in_the_margin_where_there_is_one(chromium, address, width, beside):
    """Right of the transcript on a wide screen, after their sentence on a narrow one."""
    page = opened(chromium, address, width=width)

    turn, note = (
        page.locator(f"#transcript {css}").first.bounding_box() for css in ("p.turn", ".note")
    )

    assert beside == (note["x"] >= turn["x"] + turn["width"])


def test_paper_shows_what_the_screen_folds(chromium, address):
    """The manifest and every match are printed; what only a screen can use is not."""
    page = chromium.new_page()
    page.goto(address)
    page.emulate_media(media="print")

    assert page.get_by_text("SHA-256 of the file").is_visible()
    assert [page.locator("article").nth(i).is_visible() for i in range(2)] == [True, True]
    assert not page.locator("#condensed").is_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_keeps_the_rules_of_accessibility(chromium, address, theme):
    """No violation of any weight, contrast in both themes included."""
    axe = pytest.importorskip("axe_core_python.sync_playwright").Axe()
    page = opened(chromium, address, theme=theme)

    found_violations = axe.run(page)["violations"]

    assert [
        (violation["id"], violation["nodes"][0]["html"]) for violation in found_violations
    ] == []
