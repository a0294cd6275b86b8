"""What is borrowed from faster-whisper works with the installed version."""

from __future__ import annotations

from importlib.metadata import version

import pytest
from packaging.specifiers import SpecifierSet

from assistant.transcription import recogniser, speech_segments, whisper_internals, whisper_model
from assistant.transcription.decoding import SAMPLE_RATE_HZ
from tests.assistant.transcription import sounds


def test_the_installed_version_is_one_that_was_tested():
    """A new version of faster-whisper may change its internals: see the module's docstring."""
    installed = version("faster-whisper")

    assert installed in SpecifierSet(whisper_internals.TESTED_VERSIONS)


@pytest.mark.slow
def test_the_words_are_those_of_the_documented_interface():
    """``WhisperModel.transcribe`` finds the same words in the beginning of the sample."""
    speech_model = whisper_model.load_speech_model()
    samples = speech_segments.as_floats(sounds.sample()[: 8 * SAMPLE_RATE_HZ])
    segments, _ = speech_model.whisper.transcribe(
        samples, language="en", beam_size=recogniser.BEAM_SIZE, without_timestamps=True
    )
    expected_text = next(segments).text.strip()

    words = recogniser.recognise(speech_model, samples)

    assert " ".join(word.text for word in words) == expected_text
