"""From a dropped transcript to a downloaded report without a mouse, in a real browser on real models."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest

from tests.browser.conftest import PATIENCE_S
from tests.browser.test_app import TEXT

pytestmark = [pytest.mark.browser, pytest.mark.long]
STOPS = 150  # of the Tab key before an element counts as out of reach
FOCUSED = """wanted => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  const words = (at?.getAttribute("aria-label") || at?.innerText || "").trim();
  return !!at?.matches(wanted.kind) && new RegExp(wanted.words).test(words);
}"""


def tab_to(page, kind: str, words: str) -> None:
    """Press Tab until an element of a kind, with some words, has the focus."""
    page.locator("[data-test-script-state=notRunning]").first.wait_for()
    for _ in range(STOPS):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED, {"kind": kind, "words": words}):
            return
    raise AssertionError(f"Tab does not reach {kind} with {words!r}")


def choose(page, path, playwright) -> None:
    """Reach the field for files and give it one.

    A key that is pressed while the page is drawn is pressed again.
    """
    for patience_s in (20, 20, PATIENCE_S):
        tab_to(page, "button", "Upload$")
        with suppress(playwright.TimeoutError):
            with page.expect_file_chooser(timeout=patience_s * 1000) as chooser:
                page.keyboard.press("Enter")
            chooser.value.set_files(path)
            return


def test_from_the_dropped_file_to_the_exported_report_by_keyboard(
    page, app, vclaims, tmp_path, playwright
):
    path = tmp_path / "keyboard.txt"
    path.write_text(TEXT.format(statement=vclaims[1].statement), "utf-8")
    page.add_init_script("localStorage.setItem('lectern.tour', 'seen')")
    page.goto(app.url)
    page.locator("input[type=file]").first.wait_for(state="attached")
    choose(page, path, playwright)
    page.get_by_role("button", name="Check transcript", exact=True).wait_for()
    tab_to(page, "button", "Check transcript$")
    page.keyboard.press("Enter")

    page.locator(".st-key-card").wait_for()
    page.locator(".lx-facts").wait_for()
    page.keyboard.press("k")
    assert vclaims[1].statement in page.locator('.row[aria-selected="true"] .text').inner_text()

    # The views are one stop of the Tab key; arrows move within it.
    tab_to(page, "button", "Best first$")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.get_by_label("Your name").first.wait_for()
    tab_to(page, "input", "Your name")
    page.keyboard.type("Ada Lynn")
    page.keyboard.press("Enter")  # leaves the field: the next letter is a key
    page.locator(".st-key-do_confirm button:not([disabled])").wait_for()
    page.locator("[data-test-script-state=notRunning]").first.wait_for()
    page.keyboard.press("y")
    page.get_by_text("1 confirmed").first.wait_for()

    tab_to(page, "button", "Export")
    page.keyboard.press("Enter")
    tab_to(page, "summary", "More forms and data")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="JSON", exact=True).wait_for()
    tab_to(page, "button", "JSON$")
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    report = json.loads(download.value.path().read_bytes())
    best = next(s for s in report["sentences"] if s["rank"] == 1)
    assert vclaims[1].id == best["matches"][0]["claim"]["id"]
    assert page.complaints == []
