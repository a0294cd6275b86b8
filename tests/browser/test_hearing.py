"""From sound to the ranked list in a browser.

A recording is dropped, heard, checked, and plays at the sentence.
"""

from __future__ import annotations

import time

import pytest

from assistant.claims import importers
from assistant.jobs.recordings import file_digest
from assistant.transcription import checkpoints
from assistant.transcription.decoding import SAMPLE_RATE_HZ
from tests.assistant.transcription import sounds
from tests.assistant.transcription.test_killed import heard
from tests.browser.conftest import PATIENCE_S, ROOT, App, furnish
from tests.browser.test_listening import until
from tests.free_ports import free_port

pytestmark = [pytest.mark.browser, pytest.mark.long]
# seconds of the sample in which a candidate says what a sample fact-check is about
BEGIN = 44
END = 74
SAID = "joblessness"
NAME = "2026-02-24_kestrel-bay.wav"


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    """The app on a home folder of its own with all sample fact-checks."""
    home = tmp_path_factory.mktemp("home")
    furnish(home, list(importers.read_claims(ROOT / "sample_claims" / "samples.jsonl")))
    served = App(home, free_port())
    served.start()
    yield served
    served.stop()


def test_a_dropped_recording_becomes_a_ranked_list_that_plays(page, app, tmp_path):
    """Title and date are in the form; a click on the time of the sentence plays it.

    Nothing is left of the hearing.
    """
    path = sounds.write(
        tmp_path / NAME, sounds.sample()[BEGIN * SAMPLE_RATE_HZ : END * SAMPLE_RATE_HZ], "pcm_s16le"
    )
    page.goto(app.url)
    page.locator("[data-testid=stFileUploader] input[type=file]").first.set_input_files(path)
    year = page.get_by_role("group", name="Date of the event").locator("[data-type=year]")
    assert year.get_attribute("aria-valuenow") == "2026"
    assert "estrel bay" in page.get_by_label("Title", exact=True).input_value()

    page.get_by_role("button", name="Check transcript", exact=True).click()
    page.locator(".row", has_text=SAID).first.locator(".time").click()
    until(
        page, "audio => !audio.paused && audio.currentTime > 5"
    )  # it is no earlier in the recording
    page.locator(".lx-player .words", has_text=SAID).wait_for()
    assert not (app.home / checkpoints.CHECKPOINTS_FOLDER / file_digest(path)).exists()
    assert page.elsewhere == []
    assert page.complaints == []


def test_hearing_goes_on_after_the_app_was_killed(page, app, tmp_path):
    """The first screen offers it.

    What was heard before is not heard again, and the form has the whole debate.
    """
    path = sounds.write(tmp_path / "2026-02-24_whole.wav", sounds.sample(), "pcm_s16le")
    page.goto(app.url)
    page.locator("[data-testid=stFileUploader] input[type=file]").first.set_input_files(path)
    page.get_by_role("heading", name="Listening to").wait_for()
    early_rows = wait_until(lambda: heard(app.home))
    app.stop()

    app.start()
    page.goto(app.url)
    page.get_by_role("button", name="was interrupted: resume").click()
    page.get_by_role(
        "button", name="Go on", exact=True
    ).click()  # not the button before, whose name ends so, too
    later_rows = wait_until(
        lambda: heard_rows if len(heard_rows := heard(app.home)) > len(early_rows) else []
    )
    page.get_by_label("Title", exact=True).wait_for()

    assert later_rows[: len(early_rows)] == early_rows
    assert len(later_rows) == len({heard_row["begin"] for heard_row in later_rows})  # nothing twice


def wait_until(find_rows):
    """Return what is found at last."""
    end = time.monotonic() + PATIENCE_S
    while not (found_rows := find_rows()):
        assert time.monotonic() < end, "nothing was found"
        time.sleep(0.05)
    return found_rows
