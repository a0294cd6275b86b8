"""The live board in two real browsers, fed by a real client over HTTP, checked by real models in another process."""

from __future__ import annotations

import json
import time
import urllib.request

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from assistant.ui.live_view import BOARD_POLL_S
from tests.browser.conftest import PATIENCE_S, serve, violations, wait_for
from tests.free_ports import free_port

pytestmark = [pytest.mark.browser, pytest.mark.slow]
EVENT = "City debate"
TOKEN = {"Authorization": "Bearer of good news"}


@pytest.fixture(scope="module")
def places(app):
    """The HTTP door beside the app: the page's address, the address for lines, and the app."""
    door = free_port()
    options = (
        "--event",
        EVENT,
        "--port",
        str(door),
        "--date",
        "2024-09-10",
        "--token",
        "of good news",
    )
    server = serve(app.home, "assistant", "serve", *options)
    lines = f"http://127.0.0.1:{door}/live/City%20debate"
    try:
        wait_for(f"{lines}/health", server)
        yield f"{app.url}/live?event=City%20debate", f"{lines}/lines", app
    finally:
        server.terminate()
        server.wait(PATIENCE_S)


def say(address, number, text, *, speaker="REYES"):
    body = json.dumps({"id": number, "speaker": speaker, "text": text}).encode()
    request = urllib.request.Request(address, data=body, method="POST", headers=TOKEN)
    with urllib.request.urlopen(request, timeout=60) as answer:
        assert answer.status == 200


def watch(chromium, url):
    page = chromium.new_page(viewport={"width": 1366, "height": 768})
    page.set_default_timeout(PATIENCE_S * 1000)
    page.goto(url)
    page.locator(".lx-health").first.wait_for()
    return page


def rows(page):
    return [text.strip() for text in page.locator(".row .text").all_inner_texts()]


def until(done):
    end = time.monotonic() + PATIENCE_S
    while not done():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.2)


def test_two_browsers_see_the_same_board_and_the_card_stays(chromium, places, vclaims):
    """Sentences come by POST and appear in both.

    In the one that reads a card they wait behind a button.
    """
    url, lines, _ = places
    statements = [c.statement for c in vclaims[:3]]
    first_page = watch(chromium, url)
    second = watch(chromium, url)

    say(lines, 1, statements[0])
    for page in (first_page, second):
        page.locator(".row").first.wait_for()
        assert rows(page) == [statements[0]]

    first_page.locator(".row").first.click()
    first_page.get_by_text("Why is this here?").wait_for()  # the last thing on a card
    card = first_page.locator(".st-key-card").inner_text()
    say(lines, 2, statements[1])
    say(lines, 3, statements[0])
    first_page.get_by_role("button", name="2 new").wait_for()
    until(lambda: len(rows(second)) == 3)

    assert rows(first_page) == [statements[0]]
    assert first_page.locator(".st-key-card").inner_text() == card
    assert rows(second) == [statements[0], statements[1], statements[0]]
    assert "2nd strong match tonight, first at" in second.locator(".row").first.inner_text()

    first_page.get_by_role("button", name="2 new").click()
    until(lambda: rows(first_page) == rows(second))
    assert first_page.locator(".st-key-card").inner_text() == card


def test_a_lost_connection_finds_the_board_again(chromium, places, vclaims):
    """The app goes away and comes back.

    The open page goes on by itself with what was said meanwhile, as a reload.
    """
    url, lines, app = places
    page = watch(chromium, url)
    page.locator(".row").first.wait_for()
    early_rows = rows(page)

    app.stop()
    say(lines, 4, vclaims[3].statement)
    app.start()
    until(lambda: len(rows(page)) == len(early_rows) + 1)

    assert rows(page) == [vclaims[3].statement, *early_rows]
    page.reload()
    until(lambda: len(rows(page)) == len(early_rows) + 1)
    assert rows(page) == [vclaims[3].statement, *early_rows]


# Counts what the alert does, and lets it do so.
RUNG = """
window.rung = { tones: 0, notices: [] };
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) { rung.tones += 1; return start.apply(this, when); };
window.Notification = class extends Notification {
  constructor(title, options) { super(title, options); rung.notices.push(`${title}: ${options.body}`); }
};
"""


def test_a_strong_match_rings_once_where_somebody_asked_for_it(chromium, places, vclaims):
    """Nothing rings for what was there before, nor without the switches, nor twice.

    A reload keeps the switches.
    """
    url, lines, _ = places
    # A statement word for word is strong, as the words of others it is not.
    strong_statements = [vclaims[number].statement for number in (4, 6, 7)]
    quoted = f"They say that {vclaims[5].statement}"
    say(lines, 1, vclaims[0].statement)
    with chromium.new_context(permissions=["notifications"]) as context:
        context.add_init_script(RUNG)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_S * 1000)
        page.goto(url)
        page.locator(".row.strong").first.wait_for()
        row_count = len(rows(page))
        say(lines, 5, strong_statements[0])
        until(lambda: len(rows(page)) == row_count + 1)
        page.locator(
            f".match-alert[data-strong='{page.locator('.row.strong').count()}']"
        ).wait_for()
        assert page.evaluate("rung") == {"tones": 0, "notices": []}

        page.get_by_label("Sound").check()
        page.get_by_label("Desktop notification").check()
        until(lambda: page.evaluate("rung.tones") == 1)  # how it sounds
        say(lines, 6, quoted)
        until(lambda: len(rows(page)) == row_count + 2)
        say(lines, 8, strong_statements[1])
        until(lambda: len(rows(page)) == row_count + 3)
        expected_state = {"tones": 2, "notices": [f"New match: {strong_statements[1]}"]}
        until(lambda: page.evaluate("rung") == expected_state)
        page.locator(".lx-health").wait_for()
        time.sleep(2 * BOARD_POLL_S)  # the board was asked for again
        assert page.evaluate("rung") == expected_state

        page.reload()
        page.locator(".row.strong").first.wait_for()
        assert page.get_by_label("Sound").is_checked()
        assert page.get_by_label("Desktop notification").is_checked()
        assert page.evaluate("rung") == {"tones": 0, "notices": []}
        page.get_by_label("Sound").uncheck()
        page.get_by_label("Desktop notification").uncheck()
        say(lines, 7, strong_statements[2])
        until(lambda: len(rows(page)) == row_count + 4)
        assert page.evaluate("rung") == {"tones": 0, "notices": []}


# A browser that makes no sound before a click, as most do; this one has been told otherwise.
MUTE = """
localStorage.setItem("lectern.sound", "1");
window.tones = 0;
window.AudioContext = class {
  state = "suspended";
  constructor() {
    document.addEventListener("pointerdown", () => { this.state = "running"; this.onstatechange(); }, true);
  }
  resume() { return new Promise(() => {}); }
  createOscillator() { window.tones += 1; throw new Error("no sound was wanted"); }
};
"""


@pytest.mark.long
def test_sound_waits_for_a_click_and_says_so(chromium, places, vclaims):
    """What came before the click is not rung afterwards."""
    url, lines, _ = places
    page = chromium.new_page()
    page.set_default_timeout(PATIENCE_S * 1000)
    page.add_init_script(MUTE)
    page.goto(url)
    waits = page.get_by_text("(after a click on this page)")
    waits.wait_for()
    row_count = len(rows(page))
    say(lines, 8, vclaims[7].statement)
    until(lambda: len(rows(page)) == row_count + 1)
    page.get_by_role("heading").first.click()
    waits.wait_for(state="hidden")
    assert page.evaluate("tones") == 0


@pytest.mark.long
def test_a_browser_that_forbids_notifications_unticks_the_box(chromium, places):
    """And it stays so after a reload."""
    url, _, _ = places
    page = chromium.new_page()
    page.set_default_timeout(PATIENCE_S * 1000)
    page.add_init_script("Notification.requestPermission = async () => 'denied';")
    for _ in range(2):
        page.goto(url)
        box = page.get_by_label("Desktop notification")
        box.wait_for()
        assert not box.is_checked()
        box.click()
        until(lambda box=box: not box.is_checked())


class Wire:
    """A page's connection to the server that loses what a run draws behind the piece of the page ``after`` names."""

    def __init__(self, page):
        self.after = b""
        self.lost = []
        self.losing = False
        page.route_web_socket("**/_stcore/stream", self.route)

    def route(self, browser):
        browser.connect_to_server().on_message(lambda message: self.carry(browser, message))

    def carry(self, browser, message):
        kind = ForwardMsg.FromString(message).WhichOneof("type")
        self.losing &= kind != "new_session"
        if self.losing:
            self.lost.append(kind)
        else:
            browser.send(message)
        if self.after and self.after in message:
            self.after = b""
            self.losing = True


# One card stands there, with its last part.
WHOLE = """
(statement) => {
  const text = document.querySelector(".st-key-live_card").innerText;
  return text.includes(statement) && text.split("Why is this here?").length === 2 && !text.includes("match tonight");
}
"""


@pytest.mark.parametrize(("after", "other"), [(b"lx-turns", 9), (b"data-drawn", 15)])
def test_what_is_lost_of_a_card_on_the_way_comes_by_itself(chromium, places, vclaims, after, other):
    """Most of the card, or only the word that its run is over, with which the browser takes the old card away.

    The other claim is said once: with a second time, its own card would have the line, too.
    """
    url, lines, _ = places
    other_statement = vclaims[other].statement
    say(lines, 9, vclaims[8].statement)
    say(lines, 10, vclaims[8].statement)
    say(lines, other + 100, other_statement)
    page = chromium.new_page(viewport={"width": 1366, "height": 768})
    page.set_default_timeout(PATIENCE_S * 1000)
    wire = Wire(page)
    page.goto(url)
    other_row = page.locator(".row", has_text=other_statement).first
    other_row.wait_for()  # a row that comes while a card is read waits behind a button
    page.locator(
        ".row", has_text="match tonight"
    ).first.click()  # its card stands below a line on that
    page.get_by_text("Why is this here?").wait_for()

    other_row.wait_for()  # else the list with this row is lost
    wire.after = after
    other_row.click()
    until(
        lambda: page.wait_for_timeout(20) or wire.lost
    )  # until then the end of the old card completes the new one
    page.wait_for_function(WHOLE, arg=other_statement)


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.long)])
@pytest.mark.parametrize("place", ["events", "board", "card"])
def test_the_page_keeps_the_rules_of_accessibility(chromium, places, vclaims, theme, place):
    """No serious violation in either theme.

    The forms before the night, the board, and an open card.
    """
    url, lines, _ = places
    say(lines, 1, vclaims[0].statement)
    page = chromium.new_page(color_scheme=theme, viewport={"width": 1366, "height": 768})
    page.set_default_timeout(PATIENCE_S * 1000)
    page.goto(url.partition("?")[0] if place == "events" else url)
    if place == "events":
        page.get_by_text("Newsroom notes").click()
        page.get_by_role("button", name="Save this note").wait_for()
    else:
        page.locator(".row").first.wait_for()
    if place == "card":
        page.locator(".row").first.click()
        page.get_by_text("Why is this here?").wait_for()

    assert violations(page, theme) == []


def row_of(page, statement):
    return page.locator(".row", has_text=statement).first


def test_a_live_match_is_decided_by_key_and_by_click(chromium, places, vclaims):
    """The decision bar outlasts the redraws of the board; the debate has what was decided live."""
    url, lines, _ = places
    confirmed, rejected = vclaims[12].statement, vclaims[13].statement
    say(lines, 20, confirmed)
    say(lines, 21, rejected)
    page = watch(chromium, url)
    row_of(page, confirmed).click()
    page.get_by_label("Your name").first.focus()
    page.keyboard.type("Ada Lynn")
    page.keyboard.press("Enter")
    page.locator(".st-key-do_confirm button:not([disabled])").wait_for()
    page.get_by_label("Note").fill("half a note")
    time.sleep(3 * BOARD_POLL_S)  # the board was drawn again
    assert page.get_by_label("Note").input_value() == "half a note"
    page.keyboard.press("Tab")
    page.keyboard.press("y")
    page.locator(".row.confirm", has_text=confirmed).wait_for()

    row_of(page, rejected).click()
    page.locator(".st-key-compared", has_text=rejected).wait_for()
    page.get_by_role("button", name="Reject…").click()
    page.get_by_role("button", name="Wrong number").click()
    page.locator(".row.reject", has_text=rejected).wait_for()

    page.reload()
    page.locator(".row.confirm", has_text=confirmed).wait_for()
    page.locator(".row.reject", has_text=rejected).wait_for()
    row_of(page, confirmed).click()
    page.get_by_text("Confirmed by Ada Lynn").wait_for()
    page.get_by_role("button", name="Check the whole event").click()
    page.wait_for_url("**report=**")
    page.locator(".st-key-reading_desk").wait_for()
    page.locator(".row.confirm", has_text=confirmed).wait_for()
    page.locator(".row.reject", has_text=rejected).wait_for()
