"""Voices on the screen: kept beside a recording where that is allowed and agreed to, listed and forgotten on About."""

from __future__ import annotations

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from assistant.jobs.recordings import Recording, RecordingStore
from assistant.jobs.voiceprints import VoiceprintStore
from tests.assistant.transcription import sounds
from tests.assistant.ui import factory
from tests.assistant.ui.conftest import PATIENCE_S, ROOT
from tests.assistant.ui.test_pages import labels, text

HEARD = "heard"


@pytest.fixture
def heard(home):
    """A report whose sentences have times, with its recording, on the screen; not yet run."""
    report = factory.report(60)
    timed_sentences = {
        s.number: replace(s, start=s.number * 0.6, end=s.number * 0.6 + 0.6)
        for s in report.transcript
    }
    transcript = replace(report.transcript, sentences=tuple(timed_sentences.values()))
    checked = tuple(
        replace(c, sentence=timed_sentences[c.sentence.number]) for c in report.sentences
    )
    factory.keep(home, HEARD, replace(report, transcript=transcript, sentences=checked))
    path = sounds.write(home / "a.wav", sounds.sample()[: 40 * 16_000], "pcm_s16le")
    with RecordingStore.open_in(home, f"sqlite:///{home / 'lectern.db'}") as store:
        store.add(Recording(transcript.source.sha256, "a.wav", path, False))
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE_S)
    app.query_params["report"] = HEARD
    return app


def kept(home) -> list[str]:
    with VoiceprintStore.open(f"sqlite:///{home / 'lectern.db'}") as store:
        return [voice.name for voice in store.all()]


def keep(app):
    next(b for b in app.button if b.label == "Keep this voice").click().run()
    assert not app.exception


def test_by_default_no_voice_can_be_kept(heard):
    """The form is not there, the recording is."""
    heard.run()

    assert not heard.exception
    assert "Keep this voice" not in labels(heard)
    assert "a.wav" in text(heard)


def test_a_voice_is_kept_once_it_is_agreed_to_and_can_be_forgotten(heard, home, monkeypatch):
    """From the form to the list, and away again."""
    monkeypatch.setenv("LECTERN_VOICES", "1")
    heard.run()
    assert "biometric data" in text(heard)

    keep(heard)
    assert "only where that person agrees" in heard.error[0].value
    assert not kept(home)
    heard.text_input(key="voice_name").input("Alma Reyes")
    heard.checkbox(key="voice_agreed").check()
    keep(heard)

    assert "Alma Reyes is kept" in heard.success[0].value
    assert kept(home) == ["Alma Reyes"]
    about = AppTest.from_file(
        str(ROOT / "assistant" / "ui" / "pages" / "about_page.py"), default_timeout=PATIENCE_S
    ).run()
    assert "Voices that are kept" in text(about)
    assert "Alma Reyes" in text(about)
    about.button(key="forget_voice_Alma Reyes").click().run()
    assert not about.exception
    assert not kept(home)
    assert "Voices that are kept" not in text(about)
