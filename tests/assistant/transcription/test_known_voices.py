"""Voices that are known by name: a name only where it is sure, and never the same one twice."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.core.errors import TranscriptError
from assistant.transcription import diarization, known_voices
from tests.assistant.transcription.test_diarization import buzz, words

RATE = 16_000


def unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def turned(vector: np.ndarray, cosine: float) -> np.ndarray:
    """Return a vector of length 1 with this cosine to another one."""
    aside = np.roll(vector, 1) - (np.roll(vector, 1) @ vector) * vector
    return cosine * vector + np.sqrt(1 - cosine**2) * aside / np.linalg.norm(aside)


@settings(deadline=None)
@given(st.integers(0, 6), st.integers(0, 6), st.integers(0, 10_000), st.floats(0, 1))
def test_a_name_is_given_once_and_only_to_a_voice_that_is_like_it(
    voice_count, voiceprint_count, seed, likeness
):
    """Whatever the voices: each name at most once, above the border, and to no voice that two names are like."""
    random = np.random.default_rng(seed)
    centres = unit(random.standard_normal((voice_count, 8)))
    voiceprints = unit(random.standard_normal((voiceprint_count, 8)))
    for i in range(min(voice_count, voiceprint_count)):
        voiceprints[i] = unit((likeness * centres[i] + (1 - likeness) * voiceprints[i])[None])[0]
    by_name = {f"Name {i}": voiceprint for i, voiceprint in enumerate(voiceprints)}

    names = known_voices.names(centres, by_name)

    given_names = [name for name in names if name]
    assert voice_count == len(names) and len(given_names) == len(set(given_names))
    for centre, name in zip(centres, names, strict=True):
        if name:
            other_cosines = [
                centre @ voiceprint
                for other_name, voiceprint in by_name.items()
                if other_name != name
            ]
            assert centre @ by_name[name] >= known_voices.MIN_VOICE_COSINE
            assert (
                centre @ by_name[name] - max(other_cosines, default=-1.0)
                >= known_voices.MIN_COSINE_MARGIN
            )


@pytest.mark.parametrize(
    ("cosine", "expected_name"),
    [(known_voices.MIN_VOICE_COSINE + 0.01, "Ada"), (known_voices.MIN_VOICE_COSINE - 0.01, None)],
)
def test_below_the_border_a_voice_stays_unknown(cosine, expected_name):
    """On either side of it."""
    voiceprint = unit(np.random.default_rng(1).standard_normal((1, 256)))[0]

    assert known_voices.names(turned(voiceprint, cosine)[None], {"Ada": voiceprint}) == [
        expected_name
    ]


def test_who_is_like_two_names_has_neither():
    """The same voice kept under two names is nobody's."""
    voiceprint = unit(np.random.default_rng(1).standard_normal((1, 256)))[0]

    assert known_voices.names(voiceprint[None], {"Ada": voiceprint, "Ben": voiceprint}) == [None]


def test_a_voice_is_known_again_in_another_recording():
    """With the weights of the package.

    Kept from one recording, its words have the name in the next one.
    """
    voiceprint, seconds = known_voices.voice_vector(
        lambda start, end: buzz(110.0, end - start), [(0.0, 14.0)], "Ada"
    )
    spoken_words = words(*["one two three four five six."] * 12)
    samples = np.zeros(int((spoken_words[-1].end + 1) * RATE), np.float32)
    for index, word in enumerate(spoken_words):
        pitch = 110.0 if index // 6 % 2 == 0 else 290.0
        sound = buzz(pitch, word.end - word.start)
        samples[int(word.start * RATE) :][: len(sound)] = sound

    def read(start, end):
        return samples[int(start * RATE) : int(end * RATE)]

    word_speakers = diarization.speakers(read, spoken_words, 2, {"Ada": voiceprint})
    unnamed_speakers = diarization.speakers(read, spoken_words, 2)

    assert seconds == 14.0
    assert ["Ada" if name == "Speaker 1" else name for name in unnamed_speakers] == word_speakers
    assert set(word_speakers) == {"Ada", "Speaker 2"}


def test_who_speaks_for_moments_only_is_not_kept():
    """Nor known again: a vector of a few seconds is like many."""
    with pytest.raises(TranscriptError, match="Ada: the recording contains only 6 seconds"):
        known_voices.voice_vector(
            lambda start, end: buzz(110.0, end - start), [(0.0, 3.0), (5.0, 8.0), (9.0, 9.2)], "Ada"
        )
