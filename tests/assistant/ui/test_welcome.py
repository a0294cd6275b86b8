"""The words of the first screen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from assistant.jobs import check_service
from assistant.ui import welcome
from tests.assistant.ui import factory

TRANSCRIPT = factory.report(20).transcript


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("2025-09-18_harrow-falls.vtt", "Harrow Falls (vtt)"),
        ("2024-10-03_ridgeway-energy-forum.docx", "Ridgeway Energy Forum (docx)"),
        ("speech.txt", "Speech (txt)"),
    ],
)
def test_samples_are_offered_by_their_name(name, shown):
    """The date in a file's name is not what a person looks for."""
    assert welcome._sample_name(Path(name)) == shown


def test_samples_are_transcripts_only():
    """Four debates and an excerpt as sound; neither the gold files nor the note beside them."""
    assert len(check_service.sample_files()) == 5


def test_the_preview_escapes_and_numbers_every_sentence():
    """What was read can be read through, safely."""
    sents = (
        replace(TRANSCRIPT.sentences[0], text="<script>", speaker="<b>"),
        *TRANSCRIPT.sentences[1:],
    )

    shown = welcome.preview_html(replace(TRANSCRIPT, sentences=sents))

    assert len(sents) == shown.count("<p>")
    assert "<script>" not in shown
    assert "<b><b>" not in shown


def test_a_very_long_transcript_is_previewed_in_part(monkeypatch):
    """The page stays light; what is not shown is counted."""
    monkeypatch.setattr(welcome, "MAX_PREVIEW_SENTENCES", 15)

    assert "and 5 more sentences" in welcome.preview_html(TRANSCRIPT)
