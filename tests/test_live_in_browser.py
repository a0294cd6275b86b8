"""The live board in two real browsers, fed by a real client over HTTP, checked by real models in another process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.request

import pytest

from assistant.claims.store import SAMPLES, ClaimStore
from tests import test_browser as browser
from tests.test_browser import PATIENCE_S, ROOT, chromium, vclaims  # noqa: F401

pytestmark = browser.pytestmark
EVENT = "City debate"


@pytest.fixture(scope="module")
def places(tmp_path_factory, vclaims):  # noqa: F811
    """The app and the HTTP door, two processes on one home folder: the page's address, the address for lines."""
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
    running = [
        subprocess.Popen([sys.executable, "-m", *command], cwd=ROOT, env=env, stdout=log, stderr=log)
        for command in commands
    ]
    lines = f"http://127.0.0.1:{door}/live/City%20debate"
    try:
        browser._wait_for(f"http://127.0.0.1:{app}/_stcore/health", running[0])
        browser._wait_for(f"{lines}/health", running[1])
        yield f"http://127.0.0.1:{app}/live?event=City%20debate", f"{lines}/lines"
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
    url, lines = places
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
