"""A browser's microphone on the page Live.

Chromium plays a file as its microphone, and words stand on the board.
"""

from __future__ import annotations

import pytest

from assistant.claims import importers
from assistant.transcription.decoding import SAMPLE_RATE_HZ
from tests.assistant.transcription import sounds
from tests.browser.conftest import CHROMIUM, FLAGS, PATIENCE_S, ROOT, App, furnish
from tests.free_ports import free_port

pytestmark = [pytest.mark.browser, pytest.mark.long]
SECONDS = 30
FAKE = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    """The app on a home folder of its own with a few sample fact-checks."""
    home = tmp_path_factory.mktemp("home")
    furnish(home, list(importers.read_claims(ROOT / "sample_claims" / "samples.jsonl"))[:5])
    served = App(home, free_port())
    served.start()
    yield served
    served.stop()


def opened(browser, app, name):
    """Return the board of a new event that listens to the browser."""
    page = browser.new_page(viewport={"width": 1366, "height": 768})
    page.set_default_timeout(PATIENCE_S * 1000)
    page.goto(f"{app.url}/live")
    page.get_by_label("Name of the event").fill(name)
    page.get_by_role("combobox", name="Source").click()
    page.get_by_role("option", name="The microphone of this browser").click()
    page.get_by_text("must know and agree").wait_for()
    page.get_by_role("button", name="Start monitoring", exact=True).click()
    return page


@pytest.fixture
def another(browser):
    """Starts a Chromium with other flags, by the driver of the one that all tests share."""
    started: list = []

    def start(*flags):
        started.append(browser.browser_type.launch(executable_path=CHROMIUM, args=[*FLAGS, *flags]))
        return started[-1]

    yield start
    for each in started:
        each.close()


def test_words_said_into_the_microphone_stand_on_the_board_also_after_a_kill(
    another, app, tmp_path
):
    """The app is killed while the browser records.

    What was said meanwhile is sent later, and nothing is missing.
    """
    path = sounds.write(
        tmp_path / "said.wav", sounds.sample()[: SECONDS * SAMPLE_RATE_HZ], "pcm_s16le"
    )
    browser = another(*FAKE, f"--use-file-for-fake-audio-capture={path}%noloop")
    page = opened(browser, app, "Night")
    page.get_by_text("Not recording yet").wait_for()
    page.get_by_role("button", name="Start the microphone").click()
    page.get_by_text("Recording since").wait_for()
    page.get_by_text("Transcript", exact=True).click()
    page.locator(".row", has_text="Good evening").first.wait_for()

    app.stop()
    page.locator(
        ".lx-microphone:popover-open", has_text="wait to be sent"
    ).wait_for()  # over the dialogue
    app.start()
    page.get_by_text("but nobody listens").wait_for()
    page.get_by_role("button", name="Go on with the microphone").click()
    page.locator(".row", has_text="auditorium").first.wait_for()
    page.locator(".row", has_text="second").first.wait_for()

    page.get_by_role("button", name="Stop the microphone").click()
    page.get_by_text("All that was recorded has been sent").wait_for()
    page.get_by_text("Not connected").wait_for()
    assert not page.get_by_role("button", name="Stop monitoring").is_visible()


@pytest.mark.parametrize(
    ("flags", "say"),
    [((), "connect one"), (FAKE[1:], "allow it beside the address")],
    ids=["none", "not allowed"],
)
def test_without_a_microphone_or_permission_the_page_says_what_to_do(another, app, flags, say):
    """The error is one line beside the button, and another try is possible."""
    page = opened(another(*flags), app, f"Night, {say}")
    page.get_by_role("button", name="Start the microphone").click()

    page.locator(".say", has_text=say).wait_for()  # the name of the event has it, too
    assert page.get_by_role("button", name="Start the microphone").is_visible()
