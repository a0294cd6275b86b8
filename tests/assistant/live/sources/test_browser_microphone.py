"""A browser's microphone as a source.

What is on the disk is heard, after a kill too, until the browser ends it.
"""

from __future__ import annotations

from itertools import islice
from threading import Event as Flag

import numpy as np
import pytest

from assistant.core import settings
from assistant.live.event import Event
from assistant.live.event_log import EventLog
from assistant.live.sources import browser_microphone
from assistant.transcription import recogniser, speech_segments, streaming, whisper_model
from assistant.transcription.decoding import SAMPLE_RATE_HZ
from tests.assistant.live.sources.test_listen import words_of
from tests.assistant.transcription.test_streaming import SAMPLES_OF_A_WORD, recognise, speech

BEFORE = 40
WORDS = 60


@pytest.fixture
def source(monkeypatch, tmp_path):
    """A source whose words a recogniser knows."""
    monkeypatch.setattr(whisper_model, "load_speech_model", lambda *_, **__: None)
    monkeypatch.setattr(
        recogniser, "recognise", lambda _, samples, start, *__, **___: recognise(samples, start)
    )
    monkeypatch.setattr(speech_segments, "detect_speech", speech)
    monkeypatch.setattr(streaming, "detect_speech", speech)
    return browser_microphone.source("night", settings.load(home=tmp_path))


def sound(first_second: int, last_second: int) -> bytes:
    return np.repeat(
        np.arange(first_second, last_second, dtype=np.int16), SAMPLES_OF_A_WORD
    ).tobytes()


def test_what_a_browser_sent_is_heard_once_although_listening_was_killed(source, tmp_path):
    """What was not final is heard again from the disk; what comes later goes on from there."""
    source.sound_buffer.open()
    source.sound_buffer.add(0, sound(1, BEFORE + 1))
    with EventLog.open(f"sqlite:///{tmp_path / 'live.db'}") as log:
        log.begin(Event("night", "night"), 0.0)
        first_arrivals = source.follow("", Flag())
        arrivals = list(islice(first_arrivals, 1))
        log.store_lines("night", source.name, arrivals[0].lines, now=0.0, cursor=arrivals[0].cursor)
        first_arrivals.close()  # killed

        assert 0 < browser_microphone.heard_to(log, "night") < BEFORE * SAMPLES_OF_A_WORD
        source.sound_buffer.add(BEFORE * SAMPLES_OF_A_WORD, sound(BEFORE + 1, WORDS + 1))
        source.sound_buffer.close()
        arrivals += source.follow(log.cursor("night", source.name), Flag())

    assert [f"w{i}" for i in range(1, WORDS + 1)] == words_of(arrivals)
    assert source.sound_buffer.length == 0  # nothing of it stays


def test_a_browser_that_sends_nothing_is_told_about(source, monkeypatch):
    """Once, and again when its sound comes."""
    monkeypatch.setattr(browser_microphone, "SILENT_S", 0.6)
    source.sound_buffer.open()
    sound_parts = source.parts(0.0, Flag())
    assert next(sound_parts) == browser_microphone.SILENT

    source.sound_buffer.add(0, sound(1, 3))
    assert ["sound comes again.", sound(1, 3)] == list(islice(sound_parts, 2))


def test_each_event_has_its_own_sound(tmp_path):
    """One browser's event is not heard in another's."""
    loaded_settings = settings.load(home=tmp_path)
    assert (
        browser_microphone.source("a", loaded_settings).sound_buffer
        != browser_microphone.source("b", loaded_settings).sound_buffer
    )
    assert SAMPLE_RATE_HZ == 16_000  # what the page sends
