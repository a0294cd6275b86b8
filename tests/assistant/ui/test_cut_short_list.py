"""The list of recordings that did not arrive whole, on the first screen."""

from __future__ import annotations

import os
import time

import pytest

from assistant.jobs import recordings
from assistant.jobs.recordings import IncomingRecording


def begun(home, name="night.mp4", age_s=3600.0):
    """Send 5 of 40 MB of a recording, some time ago; return what has arrived."""
    incoming = IncomingRecording.for_file(home, "ada", "mark", name, 40_000_000)
    incoming.begin()
    incoming.add(0, b"x" * 5_000_000)
    moment = time.time() - age_s
    os.utime(incoming.path, (moment, moment))
    os.utime(incoming.announcement, (moment, moment))
    return incoming


def html_of(app):
    return "".join(element.proto.body for element in app.get("html"))


@pytest.fixture
def first_screen(home, app):
    begun(home)
    return app.run()


def test_a_cut_short_recording_is_listed(first_screen):
    assert "night.mp4, 5.0 of 40.0 MB arrived" in html_of(first_screen)


def test_resume_says_which_file_to_choose_again(first_screen):
    (button,) = [button for button in first_screen.button if button.label == "Resume"]
    button.click().run()

    words = first_screen.info[0].value.replace("\\", "")  # Markdown is escaped
    assert words.startswith("Choose night.mp4 again")


def test_a_deleted_part_is_gone_and_noted(home, first_screen):
    (button,) = [button for button in first_screen.button if button.label == "Delete it"]
    button.click().run()

    assert recordings.cut_short_recordings(home) == []
    assert "did not arrive whole" not in html_of(first_screen)


def test_a_recording_that_is_being_sent_is_not_listed(home, app):
    begun(home, age_s=5)

    assert "did not arrive whole" not in html_of(app.run())


@pytest.mark.threat("publisher")
def test_a_name_is_shown_as_text(home, app):
    begun(home, "<b>night</b>.mp4")

    assert "&lt;b&gt;night&lt;/b&gt;.mp4" in html_of(app.run())
