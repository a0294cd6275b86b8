"""Who spoke: words cut into stretches, stretches of one voice joined, and what is unsure left unknown."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from assistant.transcription import diarization

RATE = 16_000


@dataclass(frozen=True)
class Word:
    text: str
    start: float
    end: float


def words(*sentences: str, pause: float = 0.5) -> list[Word]:
    """Words of 0.4 s each, with a pause after every sentence."""
    timed_words = []
    start = 0.0
    for sentence in sentences:
        for text in sentence.split():
            timed_words.append(Word(text, start, start + 0.4))
            start += 0.4
        start += pause
    return timed_words


def vectors(directions, spread=0.05, seed=1):
    """Vectors of length 1 near the direction of each stretch's voice."""
    random = np.random.default_rng(seed)
    X = np.zeros((len(directions), 256), np.float32)
    X[np.arange(len(directions)), directions] = 1
    X += 0.1 + spread * random.standard_normal(X.shape).astype(np.float32)  # all voices share much
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def test_a_stretch_ends_with_a_sentence_or_a_pause():
    """A change of speaker is at one of the two."""
    spoken_words = [*words("I see. You do not", "and so on")]

    assert diarization.voice_spans(spoken_words) == [(0, 1), (2, 4), (5, 7)]


def buzz(pitch: float, seconds: float) -> np.ndarray:
    """A hum with overtones, the same for the same pitch but for a little noise."""
    times = np.arange(int(seconds * RATE)) / RATE
    tone = sum(np.sin(2 * np.pi * pitch * k * times) / k for k in range(1, 20))
    return (
        0.1 * tone + 0.005 * np.random.default_rng(int(pitch)).standard_normal(times.size)
    ).astype(np.float32)


def test_two_sounds_that_take_turns_are_two_speakers_in_the_order_of_appearance():
    """With the weights of the package: only the sound is made up."""
    spoken_words = words(*["one two three four five six."] * 8)
    pitches = [110.0 if index // 6 % 2 == 0 else 290.0 for index in range(len(spoken_words))]
    expected = ["Speaker 1" if pitch == 110.0 else "Speaker 2" for pitch in pitches]
    samples = np.zeros(int((spoken_words[-1].end + 1) * RATE), np.float32)
    for first_word, last_word in diarization.voice_spans(spoken_words):
        start = int(spoken_words[first_word].start * RATE)
        end = int(spoken_words[last_word].end * RATE)
        samples[start:end] = buzz(pitches[first_word], 3)[: end - start]

    def read_sound(start_s, end_s):
        return samples[int(start_s * RATE) : int(end_s * RATE)]

    assert diarization.speakers(read_sound, spoken_words, 2) == expected


def test_silence_has_no_speaker():
    """Nothing is guessed from nothing."""
    assert (
        diarization.speakers(
            lambda a, b: np.zeros(int((b - a) * RATE), np.float32), words("a b c. d e f.")
        )
        == [None] * 6
    )


def test_no_words_have_no_speakers():
    """An empty recording is no error."""
    assert diarization.speakers(lambda *_: np.zeros(0, np.float32), []) == []


@pytest.mark.parametrize("number", [None, 3])
def test_the_number_of_voices_is_found_or_given(number):
    """Three voices in forty stretches, whatever their order."""
    span_voices = np.random.default_rng(0).integers(0, 3, 40)

    labels = diarization.cluster_voices(vectors(span_voices), np.full(40, 3.0), number)

    assert (
        3
        == len({*zip(span_voices.tolist(), labels.tolist(), strict=True)})
        == len({*labels.tolist()})
    )


def test_one_voice_is_not_taken_apart():
    """Its small differences make no second speaker."""
    assert (
        diarization.cluster_voices(vectors([0] * 30, spread=0.02), np.full(30, 3.0)).tolist()
        == [0] * 30
    )


def test_what_lies_between_two_voices_is_unknown():
    """No turn is given to somebody at a guess."""
    likeness = np.array([[0.9, 0.1], [0.42, 0.41], [0.2, 0.8]])

    assert diarization.nearest_voices(likeness, np.full(3, 3.0)).tolist() == [0, -1, 1]


def test_a_short_word_within_a_turn_belongs_to_it():
    """Half a second says nothing of a voice; what stands around it does."""
    likeness = np.array([[0.9, 0.1], [0.42, 0.41], [0.8, 0.2]])

    assert diarization.nearest_voices(likeness, np.array([3.0, 0.5, 3.0])).tolist() == [0, 0, 0]
