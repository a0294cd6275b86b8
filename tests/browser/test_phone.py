"""The page of a debate on a phone: nothing lies over the list, and every control is in sight."""

from __future__ import annotations

import pytest

from tests.browser.conftest import PATIENCE_S

pytestmark = [pytest.mark.browser, pytest.mark.slow]
WIDTH_PX = 390
COUNTS_PX = 36  # two lines
NAME = "localStorage.setItem('lectern.name', 'Ada Lynn')"
NO_TOUR = "localStorage.setItem('lectern.tour', 'seen')"
TOUR = ".st-key-tour .tour"
SEARCH = ".st-key-q input"
MENU_TEXT = "[data-testid=stPopoverBody]"
SHEET_CLOSE = ".close-sheet"


@pytest.fixture
def phone(chromium):
    """A page of a phone, which lists the addresses that failed."""
    new_page = chromium.new_page(
        viewport={"width": WIDTH_PX, "height": 844}, has_touch=True, is_mobile=True
    )
    new_page.set_default_timeout(PATIENCE_S * 1000)
    new_page.failed = []
    new_page.on("response", lambda r: new_page.failed.append(r.url) if r.status >= 400 else None)
    return new_page


def still(page):
    """Wait until the page is drawn."""
    page.locator("[data-test-script-state=notRunning]").first.wait_for()
    return page


def opened(page, address):
    """Open a debate and wait for its list."""
    page.goto(address)
    page.locator(".row").first.wait_for()
    return still(page)


def test_the_search_is_whole_and_the_filters_are_below_it(phone, app):
    phone.add_init_script(NO_TOUR)
    opened(phone, f"{app.url}/?report=cityhall")

    search_box = phone.locator(SEARCH).bounding_box()
    filter_box = phone.locator(".st-key-filters").bounding_box()
    list_box = phone.locator(".st-key-list").bounding_box()

    assert search_box["x"] >= 0
    assert search_box["x"] + search_box["width"] <= WIDTH_PX
    assert filter_box["y"] >= search_box["y"] + search_box["height"]
    assert list_box["y"] >= filter_box["y"] + filter_box["height"]


def test_the_counts_and_every_control_above_the_list_are_in_sight(phone, app):
    """Nothing scrolls to the side, and the counts take two lines."""
    phone.add_init_script(NO_TOUR)
    for view, counts in (("Best+first", "statements may already be"), ("Review", "decided")):
        opened(phone, f"{app.url}/?report=cityhall&view={view}")
        bar = phone.locator(".st-key-bar")
        control_boxes = [box.bounding_box() for box in bar.locator("> *").all()]

        assert all(box["x"] + box["width"] <= WIDTH_PX for box in control_boxes if box)
        assert bar.evaluate("bar => bar.scrollWidth <= bar.clientWidth")
        assert counts in bar.locator(".lx-count").inner_text()
        assert bar.locator(".lx-count").bounding_box()["height"] <= COUNTS_PX


def test_the_tour_stands_above_the_list_and_speaks_of_no_keys(phone, app):
    opened(phone, f"{app.url}/?report=cityhall")
    phone.locator(TOUR).wait_for()
    tour_box = phone.locator(TOUR).bounding_box()

    assert tour_box["y"] + tour_box["height"] <= phone.locator(".st-key-list").bounding_box()["y"]
    phone.get_by_role("button", name="Next", exact=True).click()
    assert phone.locator(".count").inner_text() == "2 of 2"
    assert "key" not in phone.locator(".words").inner_text()


def test_a_card_covers_the_list_from_its_upper_edge_which_closes_it(phone, app):
    phone.add_init_script(NO_TOUR)
    opened(phone, f"{app.url}/?report=cityhall")
    phone.locator(".row").nth(1).click()
    phone.locator(SHEET_CLOSE).wait_for()
    edge_box = phone.locator(SHEET_CLOSE).bounding_box()
    card_box = phone.locator(".st-key-card").bounding_box()

    assert edge_box["y"] + edge_box["height"] == pytest.approx(card_box["y"], abs=1)
    phone.locator(SHEET_CLOSE).click()
    phone.locator(SHEET_CLOSE).wait_for(state="hidden")
    assert not phone.locator(".st-key-card").is_visible()


def test_the_menu_assign_knows_the_name_that_the_browser_remembers(phone, app):
    phone.add_init_script(f"{NO_TOUR}; {NAME}")
    opened(phone, f"{app.url}/?report=cityhall&view=Review")
    phone.locator(".st-key-do_confirm button:not([disabled])").wait_for(state="attached")
    still(phone)
    phone.locator(".st-key-assign_menu button").click()

    phone.locator(".st-key-assign_person").wait_for()
    box = phone.locator(MENU_TEXT).bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= WIDTH_PX


@pytest.mark.parametrize("title", ["Live", "Fact-checks", "Alerts"])
def test_the_menu_of_pages_closes_once_a_page_is_chosen(phone, app, title):
    phone.goto(f"{app.url}/archive")
    phone.locator("h1").wait_for()
    still(phone)
    phone.locator(".st-key-more_pages button:visible").click()
    phone.locator(MENU_TEXT).get_by_role("link", name=title, exact=True).click()

    phone.locator(MENU_TEXT).wait_for(state="hidden")
    assert "/archive" not in phone.url


@pytest.mark.parametrize("name", ["alerts", "archive", "claims"])
def test_a_page_is_opened_without_a_request_that_fails(phone, app, name):
    phone.goto(f"{app.url}/{name}")
    phone.locator("h1").wait_for()
    still(phone)

    assert phone.failed == []
