"""Local agreement: however sound is cut into steps, each word becomes final once, in order, after a restart too."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.ground.domain import Word
from assistant.hearing import streaming
from assistant.hearing.decoding import RATE
from assistant.hearing.streaming import Agreement
from assistant.hearing.stretches import Stretch

WORD_S = 0.5
SAMPLES_OF_A_WORD = int(WORD_S * RATE)


def sound_of(words: int) -> np.ndarray:
    """Return sound in which every half second is one word; its samples are the word's number."""
    return np.repeat(np.arange(1, words + 1, dtype=np.float32), SAMPLES_OF_A_WORD)


def recognise(samples: np.ndarray, start: float, haste: bool = False) -> list[Word]:
    """Return the words in such sound; one that is not over yet is misheard, each time in another way."""
    words = []
    for number in np.unique(samples[samples > 0]):
        places = np.flatnonzero(samples == number)
        begin, end = start + places[0] / RATE, start + (places[-1] + 1) / RATE
        whole = len(places) == SAMPLES_OF_A_WORD
        if whole or places[-1] + 1 == len(samples):
            words.append(Word(f"w{number:.0f}" if whole else f"misheard{len(samples)}", begin, end, 0.9))
    return words


def speech(samples: np.ndarray) -> list[Stretch]:
    """Return that speech is wherever the samples are not zero."""
    loud = np.flatnonzero(samples)
    return [Stretch(int(loud[0]), int(loud[-1]) + 1)] if len(loud) else []


@pytest.fixture(autouse=True)
def detection(monkeypatch):
    """Speech is found without a model."""
    monkeypatch.setattr(streaming, "speech", speech)


@given(st.lists(st.integers(RATE // 4, 40 * RATE), min_size=1, max_size=8), st.data())
def test_every_word_is_final_once_and_in_order_after_restarts_too(steps, data):
    """Any steps, any restart from what a cursor keeps: the final words are those that were said."""
    words = sum(steps) // SAMPLES_OF_A_WORD + 1
    sound = np.concatenate([sound_of(words), np.zeros(2 * RATE, np.float32)])
    state, place, final = Agreement(recognise), 0, []
    for step in [*steps, len(sound)]:
        final += state.hear(sound[place : place + step], over=place + step >= len(sound))
        place = min(place + step, len(sound))
        if data.draw(st.booleans()):  # killed: what is kept is where to hear from, and what was said
            state = Agreement(recognise, state.begin, state.said, list(state.last))
            place = round(state.begin * RATE)

    final += state.hear(sound[place:], over=True)
    assert [f"w{number}" for number in range(1, words + 1)] == [word.text for word in final]


def test_a_pause_makes_all_final_and_leaves_the_sound_behind():
    """After a pause the last words need no second hearing, and nothing is kept in memory."""
    state = Agreement(recognise)

    said = state.hear(np.concatenate([sound_of(3), np.zeros(RATE, np.float32)]))

    assert ["w1", "w2", "w3"] == [word.text for word in said]
    assert state.begin >= 1.5


def test_silence_is_left_behind():
    """Silence of any length takes no memory."""
    state = Agreement(recognise)

    for _ in range(100):
        assert [] == state.hear(np.zeros(RATE, np.float32))

    assert len(state.sound) <= RATE
    assert 100 == pytest.approx(state.end)


def test_sound_that_is_heard_again_stays_short():
    """Speech without any pause is cut where words are agreed on, so that no hearing takes longer than the last."""
    state, sound, final = Agreement(recognise), sound_of(240), []

    for place in range(0, len(sound), RATE):
        final += state.hear(sound[place : place + RATE])
        assert state.end - state.begin <= streaming.TRIM_S + 2

    assert len(final) >= 236
