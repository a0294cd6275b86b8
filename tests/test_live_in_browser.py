"""The live board in two real browsers, fed by a real client over HTTP, checked by real models in another process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from functools import partial

import pytest

from assistant.claims.store import SAMPLES, ClaimStore
from assistant.ui.watching import POLL_S
from tests import test_browser as browser
from tests.test_browser import PATIENCE_S, ROOT, chromium, vclaims  # noqa: F401

pytestmark = browser.pytestmark
EVENT = "City debate"


@pytest.fixture(scope="module")
def places(tmp_path_factory, vclaims):  # noqa: F811
    """The app and the HTTP door, two processes on one home folder: the page's address, the address for lines, and what
    stops the app and starts it again."""
    home = tmp_path_factory.mktemp("home")
    with ClaimStore.open(f"sqlite:///{home / 'lectern.db'}") as store:
        store.upsert(vclaims, source=SAMPLES)
    app, door = browser._free_port(), browser._free_port()
    commands = [
        ["streamlit", "run", "app.py", "--server.headless", "true", "--server.port", str(app)],
        ["assistant", "serve", "--event", EVENT, "--port", str(door), "--date", "2024-09-10"],
    ]
    commands[0] += ["--server.address", "127.0.0.1"]
    env = {k: v for k, v in os.environ.items() if not k.startswith("LECTERN_")}
    env |= {"LECTERN_HOME": str(home), "HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
    log = (home / "server.log").open("wb")
    start = partial(subprocess.Popen, cwd=ROOT, env=env, stdout=log, stderr=log)
    running = [start([sys.executable, "-m", *command]) for command in commands]

    @contextmanager
    def gone():
        running[0].kill()
        running[0].wait()
        yield
        running[0] = start([sys.executable, "-m", *commands[0]])
        browser._wait_for(f"http://127.0.0.1:{app}/_stcore/health", running[0])

    lines = f"http://127.0.0.1:{door}/live/City%20debate"
    try:
        browser._wait_for(f"http://127.0.0.1:{app}/_stcore/health", running[0])
        browser._wait_for(f"{lines}/health", running[1])
        yield f"http://127.0.0.1:{app}/live?event=City%20debate", f"{lines}/lines", gone
    finally:
        for process in running:
            process.terminate()
        for process in running:
            process.wait(PATIENCE_S)
        log.close()


def say(address, number, text, *, speaker="REYES"):
    body = json.dumps({"id": number, "speaker": speaker, "text": text}).encode()
    with urllib.request.urlopen(urllib.request.Request(address, data=body, method="POST"), timeout=60) as answer:
        assert 200 == answer.status


def watch(chromium, url):  # noqa: F811
    page = chromium.new_context(viewport={"width": 1366, "height": 768}).new_page()
    page.set_default_timeout(PATIENCE_S * 1000)
    page.goto(url)
    page.get_by_text("last line at").or_(page.get_by_text("no line yet")).first.wait_for()
    return page


def rows(page):
    return [text.strip() for text in page.locator(".row .text").all_inner_texts()]


def until(done):
    end = time.monotonic() + PATIENCE_S
    while not done():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.2)


def test_two_browsers_see_the_same_board_and_the_card_stays(chromium, places, vclaims):  # noqa: F811
    """Sentences come by POST and appear in both; in the one that reads a card they wait in a bar."""
    url, lines, _ = places
    statements = [c.statement for c in vclaims[:3]]
    first, second = watch(chromium, url), watch(chromium, url)

    say(lines, 1, statements[0])
    for page in (first, second):
        page.locator(".row").first.wait_for()
        assert [statements[0]] == rows(page)

    first.locator(".row").first.click()
    first.get_by_text("Why likely").wait_for()  # the last thing on a card
    card = first.locator(".st-key-card").inner_text()
    say(lines, 2, statements[1])
    say(lines, 3, statements[0])
    first.get_by_role("button", name="2 new").wait_for()
    until(lambda: len(rows(second)) == 3)

    assert [statements[0]] == rows(first)
    assert card == first.locator(".st-key-card").inner_text()
    assert [statements[0], statements[1], statements[0]] == rows(second)
    assert "2nd time tonight, first at" in second.locator(".row").first.inner_text()

    first.get_by_role("button", name="2 new").click()
    until(lambda: rows(first) == rows(second))
    assert card == first.locator(".st-key-card").inner_text()


def test_a_lost_connection_finds_the_board_again(chromium, places, vclaims):  # noqa: F811
    """The app goes away and comes back: the open page goes on by itself with what was said meanwhile, as a reload."""
    url, lines, gone = places
    page = watch(chromium, url)
    page.locator(".row").first.wait_for()
    before = rows(page)

    with gone():
        say(lines, 4, vclaims[3].statement)
    until(lambda: len(rows(page)) == len(before) + 1)

    assert [vclaims[3].statement, *before] == rows(page)
    page.reload()
    until(lambda: len(rows(page)) == len(before) + 1)
    assert [vclaims[3].statement, *before] == rows(page)


# Counts what the bell does, and lets it do so.
RUNG = """
window.rung = { tones: 0, notices: [] };
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) { rung.tones += 1; return start.apply(this, when); };
window.Notification = class extends Notification {
  constructor(title, options) { super(title, options); rung.notices.push(`${title}: ${options.body}`); }
};
"""


def test_a_likely_match_rings_once_where_somebody_asked_for_it(chromium, places, vclaims):  # noqa: F811
    """Nothing rings for what was there before, nor without the switches, nor twice; a reload keeps the switches."""
    url, lines, _ = places
    say(lines, 1, vclaims[0].statement)
    with chromium.new_context(permissions=["notifications"]) as context:
        context.add_init_script(RUNG)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_S * 1000)
        page.goto(url)
        page.locator(".row.likely").first.wait_for()
        before = len(rows(page))
        say(lines, 5, vclaims[4].statement)
        until(lambda: len(rows(page)) == before + 1)
        assert {"tones": 0, "notices": []} == page.evaluate("rung")

        page.get_by_label("Sound").check()
        page.get_by_label("Desktop notification").check()
        until(lambda: page.evaluate("rung.tones") == 1)  # how it sounds
        say(lines, 6, vclaims[5].statement)
        until(lambda: len(rows(page)) == before + 2)
        told = {"tones": 2, "notices": [f"Likely match: {vclaims[5].statement}"]}
        until(lambda: page.evaluate("rung") == told)
        page.get_by_text("last line at").wait_for()
        time.sleep(2 * POLL_S)  # the board was asked for again
        assert told == page.evaluate("rung")

        page.reload()
        page.locator(".row.likely").first.wait_for()
        assert page.get_by_label("Sound").is_checked() and page.get_by_label("Desktop notification").is_checked()
        assert {"tones": 0, "notices": []} == page.evaluate("rung")
        page.get_by_label("Sound").uncheck()
        page.get_by_label("Desktop notification").uncheck()
        say(lines, 7, vclaims[6].statement)
        until(lambda: len(rows(page)) == before + 3)
        assert {"tones": 0, "notices": []} == page.evaluate("rung")


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


def test_sound_waits_for_a_click_and_says_so(chromium, places, vclaims):  # noqa: F811
    """What came before the click is not rung afterwards."""
    url, lines, _ = places
    page = chromium.new_context().new_page()
    page.set_default_timeout(PATIENCE_S * 1000)
    page.add_init_script(MUTE)
    page.goto(url)
    waits = page.get_by_text("(after a click on this page)")
    waits.wait_for()
    before = len(rows(page))
    say(lines, 8, vclaims[7].statement)
    until(lambda: len(rows(page)) == before + 1)
    page.get_by_role("heading").first.click()
    waits.wait_for(state="hidden")
    assert 0 == page.evaluate("tones")
    page.context.close()


def test_a_browser_that_forbids_notifications_unticks_the_box(chromium, places):  # noqa: F811
    """And it stays so after a reload."""
    url, _, _ = places
    page = chromium.new_context().new_page()
    page.set_default_timeout(PATIENCE_S * 1000)
    page.add_init_script("Notification.requestPermission = async () => 'denied';")
    for _ in range(2):
        page.goto(url)
        box = page.get_by_label("Desktop notification")
        box.wait_for()
        assert not box.is_checked()
        box.click()
        until(lambda box=box: not box.is_checked())
    page.context.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("place", ["events", "board", "card"])
def test_the_page_keeps_the_rules_of_accessibility(chromium, places, vclaims, theme, place):  # noqa: F811
    """No serious violation in either theme: the forms before the night, the board, and an open card."""
    axe = pytest.importorskip("axe_core_python.sync_playwright").Axe()
    url, lines, _ = places
    say(lines, 1, vclaims[0].statement)
    page = chromium.new_context(color_scheme=theme, viewport={"width": 1366, "height": 768}).new_page()
    page.set_default_timeout(PATIENCE_S * 1000)
    page.goto(url.partition("?")[0] if place == "events" else url)
    if place == "events":
        page.get_by_text("Own notes").click()
        page.get_by_role("button", name="Keep this note").wait_for()
    else:
        page.locator(".row").first.wait_for()
    if place == "card":
        page.locator(".row").first.click()
        page.get_by_text("Why rank").wait_for()

    assert [] == serious(axe, page)
    page.context.close()


def serious(axe, page):
    """What breaks a rule on the page and stays, by rule and place: parts are faded while they are drawn anew."""
    end = time.monotonic() + PATIENCE_S
    while True:
        found = axe.run(page)["violations"]
        bad = [(v["id"], v["nodes"][0]["html"]) for v in found if v["impact"] in ("serious", "critical")]
        if not bad or time.monotonic() > end:
            return bad
        time.sleep(0.2)
