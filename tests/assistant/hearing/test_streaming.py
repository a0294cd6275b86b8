"""Sound that goes on: however it is cut into steps, each word becomes final once, in order, after a restart too."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.ground.domain import Word
from assistant.hearing import listening, model, recogniser, streaming, stretches
from assistant.hearing.decoding import RATE
from assistant.hearing.streaming import Stream
from assistant.hearing.stretches import Stretch
from tests.assistant.hearing import sounds

WORD_S = 0.5
SAMPLES_OF_A_WORD = int(WORD_S * RATE)


def sound_of(words: int) -> np.ndarray:
    """Return sound in which every half second is one word; its samples are the word's number."""
    return np.repeat(np.arange(1, words + 1, dtype=np.int16), SAMPLES_OF_A_WORD)


def recognise(samples: np.ndarray, start: float, before: str = "") -> list[Word]:
    """Return the words in such sound; one of which more than half is missing is not heard."""
    numbers = np.rint(samples * 32768).astype(int)
    words = []
    for number in np.unique(numbers[numbers > 0]):
        places = np.flatnonzero(numbers == number)
        if len(places) > SAMPLES_OF_A_WORD // 2:
            words.append(Word(f"w{number}", start + places[0] / RATE, start + (places[-1] + 1) / RATE, 0.9))
    return words


def speech(samples: np.ndarray) -> list[Stretch]:
    """Return that speech is wherever the samples are not zero, apart at every pause and every 28 seconds."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], samples != 0, [0]])))
    longest = int(stretches.LONGEST_S * RATE)
    return [
        Stretch(start, min(start + longest, int(end)))
        for begin, end in zip(edges[::2], edges[1::2], strict=True)
        for start in range(int(begin), int(end), longest)
    ]


@pytest.fixture(autouse=True)
def detection(request, monkeypatch):
    """Speech is found without a model, but in tests marked long."""
    if not request.node.get_closest_marker("long"):
        monkeypatch.setattr(stretches, "speech", speech)
        monkeypatch.setattr(streaming, "speech", speech)


@settings(deadline=None)
@given(st.lists(st.integers(RATE // 4, 40 * RATE), min_size=1, max_size=8), st.integers(4, 60), st.data())
def test_every_word_is_final_once_and_in_order_after_restarts_too(steps, phrase, data):
    """Any steps, any pauses, any restart from what a cursor keeps: the final words are those that were said."""
    words = sum(steps) // SAMPLES_OF_A_WORD // 2 + 1
    pause = np.zeros(RATE * data.draw(st.integers(1, 4)), np.int16)
    said = sound_of(words)
    size = phrase * SAMPLES_OF_A_WORD
    sound = np.concatenate([x for at in range(0, len(said), size) for x in (said[at : at + size], pause)])
    state, place, final = Stream(recognise), 0, []
    for step in steps:
        final += state.hear(sound[place : place + step])
        place = min(place + step, len(sound))
        if data.draw(st.booleans()):  # killed: what is kept is where to hear from, and what is final
            state = Stream(recognise, state.begin, state.said, state.before)
            place = round(state.begin * RATE)

    final += state.hear(sound[place:], over=True)
    assert [f"w{number}" for number in range(1, words + 1)] == [word.text for word in final]


def test_a_long_pause_makes_all_final():
    """What was said before a long pause needs no more sound."""
    said = Stream(recognise).hear(np.concatenate([sound_of(3), np.zeros(3 * RATE, np.int16)]))

    assert ["w1", "w2", "w3"] == [word.text for word in said]


@pytest.mark.parametrize("block", [np.zeros(RATE, np.int16), np.ones(RATE, np.int16)], ids=["silence", "speech"])
def test_memory_is_bounded(block):
    """Neither silence nor speech without a pause of any length takes more memory than a window."""
    state = Stream(recognise)

    for _ in range(150):
        state.hear(block)
        assert len(state.sound) <= stretches.WINDOW_S * RATE

    assert 150 == pytest.approx(state.end)


@pytest.mark.long
def test_the_words_are_those_of_a_finished_recording():
    """With the real model, live words are those of a finished recording: none is lost, none comes twice."""
    sound, loaded = sounds.sample()[: 60 * RATE], model.load()

    def heard(samples: np.ndarray, start: float, before: str) -> list[Word]:
        return recogniser.recognise(loaded, samples, start, before=before)

    finished = [word for _, words in listening.hear(loaded, sound) for word in words]
    state, live = Stream(heard), []
    for place in range(0, len(sound), 2 * RATE):
        live += state.hear(sound[place : place + 2 * RATE], over=place + 2 * RATE >= len(sound))

    assert len(finished) > 60
    assert [word.text for word in finished] == [word.text for word in live]
