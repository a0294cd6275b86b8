"""A recording in a real browser.

Sent in pieces, played from the chosen sentence, word by word, and deleted.
"""

from __future__ import annotations

import math
import wave
from array import array

import pytest

from tests.assistant.ui import factory

pytestmark = [pytest.mark.browser, pytest.mark.slow]
RATE = 8000
SECONDS = 180
PLAYER = ".lx-player audio"


@pytest.fixture(scope="session")
def tone(tmp_path_factory):
    """Three minutes of a tone as a WAV file."""
    path = tmp_path_factory.mktemp("sound") / "city hall.wav"
    second = array("h", (int(3000 * math.sin(i / 6)) for i in range(RATE)))
    with wave.open(str(path), "wb") as out:
        out.setparams((1, 2, RATE, 0, "NONE", ""))
        out.writeframes(second.tobytes() * SECONDS)
    return path


def test_a_recording_is_sent_and_plays_at_the_sentence_whose_time_is_clicked(page, app, tone):
    """The word that is being said is marked, the speed can be chosen, a key stops it, and it can be deleted."""
    page.goto(f"{app.url}/?report=cityhall&view=Transcript")
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_text("Add the recording of this debate").click()
    page.locator(".lx-send input").set_input_files(str(tone))
    page.wait_for_selector(PLAYER)
    [recording] = [path for path in (app.home / "recordings").iterdir() if path.is_file()]
    assert tone.read_bytes() == recording.read_bytes()

    sentence = factory.report(40).transcript.sentences[9]
    page.locator(f"#lx-row-{sentence.number} .time").click()
    until(page, f"audio => audio.currentTime > {sentence.start} && !audio.paused")
    page.locator(".lx-player .words mark").wait_for()
    page.get_by_label("Speed").select_option("2")
    until(page, "audio => audio.playbackRate === 2")
    page.locator(".lx-player .words").click()
    page.keyboard.press("a")
    until(page, "audio => audio.paused")

    page.get_by_role("button", name="Delete the recording").click()
    page.get_by_role("button", name="Delete it", exact=True).click()
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_text("Add the recording of this debate").wait_for()
    assert not recording.exists()
    assert page.elsewhere == []
    assert page.complaints == []


def until(page, holds: str) -> None:
    """Wait until something holds for the player, which is in a tree of its own."""
    page.wait_for_function(holds, arg=page.locator(PLAYER).element_handle())
