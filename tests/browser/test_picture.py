"""The picture of the debate in a real browser: by pointer, by keyboard, as a table.

And how few clicks it takes.
"""

from __future__ import annotations

import json

import pytest

from assistant.claims.claim_reading import SAMPLE_SOURCE
from assistant.claims.claim_store import ClaimStore
from tests.browser.conftest import App
from tests.free_ports import free_port

pytestmark = [pytest.mark.browser, pytest.mark.slow]
MARKS = ".matches_marks path"


@pytest.fixture
def results(page, app):
    """The results of a made-up debate, drawn, with the tour put away."""
    page.add_init_script("localStorage.setItem('lectern.tour', 'seen')")
    page.goto(f"{app.url}/?report=cityhall")
    page.locator(f"{MARKS}.lx-here").wait_for()
    page.locator(".lx-facts").wait_for()
    return page


def middle(page, at: int) -> tuple[float, float]:
    """Return the middle of a mark on the screen."""
    box = page.locator(MARKS).nth(at).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_click_on_a_mark_opens_its_card(results):
    """Row, card, address and the mark that is set off are those of the same sentence."""
    label = results.locator(MARKS).nth(5).get_attribute("aria-label")
    results.mouse.click(*middle(results, 5))
    results.wait_for_url("**s=*")
    number = results.url.partition("s=")[2].partition("&")[0]

    assert results.locator('.row[aria-selected="true"]').get_attribute("id") == f"lx-row-{number}"
    assert results.locator(".lx-here").get_attribute("aria-label") == label
    results.locator(".lx-chosen-sentence").wait_for()
    assert results.complaints == []


def test_a_stretch_filters_the_list_and_one_click_shows_all_again(results):
    """Dragging over part of the picture leaves the rows that were said there."""
    whole_text = results.locator(".place").inner_text()
    box = results.locator(".st-key-picture svg.marks").bounding_box()
    across = [box["x"] + box["width"] * share for share in (0.3, 0.4, 0.5)]
    results.mouse.move(across[0], box["y"] + 20)
    results.mouse.down()
    for x in across[1:]:
        results.mouse.move(x, box["y"] + 20, steps=3)
    results.mouse.up()
    results.locator(".st-key-unmark button").wait_for()
    results.wait_for_function(
        "before => !document.querySelector('.st-key-list').innerText.includes(before)",
        arg=whole_text,
    )

    results.locator(".st-key-unmark button").click()
    results.locator(".st-key-unmark").wait_for(state="detached")
    results.locator(".place", has_text=whole_text.partition(" of ")[2]).wait_for()


def test_keys_walk_along_the_picture_and_open_its_table(results):
    """l and h go to the later and earlier match.

    T has all marks as a table whose places lead to their cards.
    """
    labels = results.locator(MARKS).evaluate_all(
        "marks => marks.map((mark) => mark.getAttribute('aria-label'))"
    )
    here = results.locator(".lx-here")
    first_index = labels.index(here.get_attribute("aria-label"))

    results.keyboard.press("f")
    results.locator(f'{MARKS}.lx-here[aria-label="{labels[first_index + 1]}"]').wait_for()
    results.keyboard.press("b")
    results.locator(f'{MARKS}.lx-here[aria-label="{labels[first_index]}"]').wait_for()
    results.keyboard.press("t")
    results.locator("dialog.table[open]").wait_for()
    assert len(labels) == results.locator("dialog.table .to").count()
    results.locator("dialog.table .to").nth(3).press("Enter")
    results.locator(f'{MARKS}.lx-here[aria-label="{labels[3]}"]').wait_for()


def test_a_match_is_copied_as_a_citation_and_a_sentence_as_a_link(results):
    """Publisher, rating, date and address; the link opens the sentence that is chosen."""
    results.context.grant_permissions(["clipboard-read", "clipboard-write"])
    results.keyboard.press("q")
    results.locator(".lx-copied", has_text="Citation copied").wait_for()
    cited = results.evaluate("navigator.clipboard.readText()")
    results.keyboard.press("s")
    results.locator(".lx-copied", has_text="Link copied").wait_for()
    link = results.evaluate("navigator.clipboard.readText()")

    assert "rated this claim" in cited
    assert "https://example.org/check/" in cited
    selected_id = results.locator('.row[aria-selected="true"]').get_attribute("id")
    assert f"s={selected_id.removeprefix('lx-row-')}" in link


def test_the_tour_comes_once_and_one_click_keeps_it_away(page, app):
    """What it speaks of is outlined; after "Don't show again" another visit has no tour."""
    page.goto(f"{app.url}/?report=cityhall")
    page.locator(".st-key-list.lx-toured").wait_for()
    page.get_by_role("button", name="Don't show again").click()
    page.reload()
    page.locator(".lx-facts").wait_for()

    assert not page.get_by_role("button", name="Don't show again").is_visible()
    assert page.evaluate("localStorage.getItem('lectern.tour')") == "seen"


@pytest.fixture
def fresh(tmp_path, vclaims):
    """The app of somebody new: samples and no report."""
    home = tmp_path / "home"
    home.mkdir()
    with ClaimStore.open(f"sqlite:///{home / 'lectern.db'}") as store:
        store.upsert(vclaims, source=SAMPLE_SOURCE)
    served = App(home, free_port())
    served.start()
    yield served
    served.stop()


def test_a_file_of_fact_checks_is_loaded_at_one_click_and_a_pasted_text_read_at_two(
    page, fresh, tmp_path, vclaims
):
    """Choosing the file starts its import.

    A text needs a click in its field and one on a button.
    """
    claim_record = {
        "statement": "The Harrow bridge opened in 1931.",
        "rating": "True",
        "publisher": "City Desk",
    }
    path = tmp_path / "own.jsonl"
    path.write_text(json.dumps(claim_record), "utf-8")

    page.goto(fresh.url)
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Load real ones").click()
        page.locator(".st-key-own_claims button").click()
    chooser.value.set_files(path)
    page.get_by_text(f"{len(vclaims) + 1} fact-checks").first.wait_for()
    page.get_by_text("Or paste its text").click()
    page.get_by_label("Text of the transcript").click()
    page.keyboard.insert_text(f"REYES: {vclaims[0].statement}")
    page.get_by_role("button", name="Continue").click()

    page.get_by_role("button", name="Check transcript", exact=True).wait_for()
    assert page.complaints == []


@pytest.mark.long
def test_the_list_remembers_its_place_and_the_card_stays_comparable(results, playwright):
    """After another page the list is where it was left.

    The two texts stay in sight while the card scrolls.
    """
    listbox = results.get_by_role("listbox", name="Sentences")
    listbox.evaluate("rows => rows.scrollTo(0, 300)")
    results.wait_for_function("() => JSON.stringify(sessionStorage).includes('300')")
    listbox.locator(".row").nth(6).click()  # in sight there
    results.get_by_role("link", name="Fact-checks").first.click()
    results.locator(".lx-claim").first.wait_for()
    results.go_back()
    results.locator(".lx-facts").wait_for()
    playwright.expect(listbox).to_have_js_property("scrollTop", 300)

    results.evaluate("document.querySelector('.st-key-card').scrollTo(0, 9000)")
    card, texts = (
        results.locator(f".st-key-{name}").bounding_box() for name in ("card", "compared")
    )
    assert card["y"] - 1 <= texts["y"] <= card["y"] + card["height"]


@pytest.mark.long
def test_paper_has_the_card_and_nothing_else(results):
    results.emulate_media(media="print")

    shown = {
        key: results.locator(f".st-key-{key}").is_visible() for key in ("card", "list", "picture")
    }
    assert shown == {"card": True, "list": False, "picture": False}
    card = results.locator(".st-key-card")
    assert card.evaluate("card => card.scrollHeight <= card.clientHeight + 1")
