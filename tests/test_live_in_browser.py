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
    first.get_by_text("Why rank").wait_for()  # the last thing on a card
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
