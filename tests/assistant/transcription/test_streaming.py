"""Sound that goes on: however it is cut into steps, each word becomes final once, in order, after a restart too."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.core.domain import SpokenWord
from assistant.transcription import (
    recogniser,
    speech_segments,
    streaming,
    transcriber,
    whisper_model,
)
from assistant.transcription.decoding import SAMPLE_RATE_HZ
from assistant.transcription.recogniser import PrecedingSound, SpeechContext
from assistant.transcription.speech_segments import SpeechSegment
from assistant.transcription.streaming import FinalWordRules, LowLatencyStream, WindowedStream
from bench.hearing import streaming as bench
from bench.hearing.words import errors
from tests.assistant.transcription import sounds

WORD_S = 0.5
SAMPLES_OF_A_WORD = int(WORD_S * SAMPLE_RATE_HZ)


def sound_of(words: int) -> np.ndarray:
    """Return sound in which every half second is one word; its samples are the word's number."""
    return np.repeat(np.arange(1, words + 1, dtype=np.int16), SAMPLES_OF_A_WORD)


def recognise(samples: np.ndarray, start: float, previous_text: str = "") -> list[SpokenWord]:
    """Return the words in such sound; one of which more than half is missing is not heard."""
    numbers = np.rint(samples * 32768).astype(int)
    words = []
    for number in np.unique(numbers[numbers > 0]):
        word_samples = np.flatnonzero(numbers == number)
        if len(word_samples) > SAMPLES_OF_A_WORD // 2:
            words.append(
                SpokenWord(
                    f"w{number}",
                    start + word_samples[0] / SAMPLE_RATE_HZ,
                    start + (word_samples[-1] + 1) / SAMPLE_RATE_HZ,
                    0.9,
                )
            )
    return words


def speech(samples: np.ndarray) -> list[SpeechSegment]:
    """Return that speech is wherever the samples are not zero, apart at every pause and every 28 seconds."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], samples != 0, [0]])))
    longest = int(speech_segments.MAX_SEGMENT_S * SAMPLE_RATE_HZ)
    return [
        SpeechSegment(start, min(start + longest, int(end)))
        for begin, end in zip(edges[::2], edges[1::2], strict=True)
        for start in range(int(begin), int(end), longest)
    ]


@pytest.fixture(autouse=True)
def detection(request, monkeypatch):
    """Speech is found without a model, but in tests marked long."""
    if not request.node.get_closest_marker("long"):
        monkeypatch.setattr(speech_segments, "detect_speech", speech)
        monkeypatch.setattr(streaming, "detect_speech", speech)


@settings(deadline=None)
@given(
    st.lists(st.integers(SAMPLE_RATE_HZ // 4, 40 * SAMPLE_RATE_HZ), min_size=1, max_size=8),
    st.integers(4, 60),
    st.data(),
)
def test_every_word_is_final_once_and_in_order_after_restarts_too(steps, phrase, data):
    """Any steps, any pauses, any restart from what a cursor keeps.

    The final words are those that were said.
    """
    words = sum(steps) // SAMPLES_OF_A_WORD // 2 + 1
    pause = np.zeros(SAMPLE_RATE_HZ * data.draw(st.integers(1, 4)), np.int16)
    speech_sound = sound_of(words)
    size = phrase * SAMPLES_OF_A_WORD
    sound = np.concatenate(
        [
            block
            for at in range(0, len(speech_sound), size)
            for block in (speech_sound[at : at + size], pause)
        ]
    )
    state = WindowedStream(recognise)
    position = 0
    final = []
    for step in steps:
        final += state.add_sound(sound[position : position + step])
        position = min(position + step, len(sound))
        if data.draw(
            st.booleans()
        ):  # killed: what is kept is where to hear from, and what is final
            state = WindowedStream(recognise, state.begin_s, state.final_s, state.previous_words)
            position = round(state.begin_s * SAMPLE_RATE_HZ)

    final += state.add_sound(sound[position:], is_last=True)
    assert [f"w{number}" for number in range(1, words + 1)] == [word.text for word in final]


def test_a_long_pause_makes_all_final():
    """What was said before a long pause needs no more sound."""
    final_words = WindowedStream(recognise).add_sound(
        np.concatenate([sound_of(3), np.zeros(3 * SAMPLE_RATE_HZ, np.int16)])
    )

    assert [word.text for word in final_words] == ["w1", "w2", "w3"]


@pytest.mark.parametrize(
    "block",
    [np.zeros(SAMPLE_RATE_HZ, np.int16), np.ones(SAMPLE_RATE_HZ, np.int16)],
    ids=["silence", "speech"],
)
def test_memory_is_bounded(block):
    """Neither silence nor speech without a pause of any length takes more memory than a window."""
    state = WindowedStream(recognise)

    for _ in range(150):
        state.add_sound(block)
        assert len(state.sound) <= speech_segments.WINDOW_S * SAMPLE_RATE_HZ

    assert pytest.approx(state.end_s) == 150


def heard_by_middle(
    samples: np.ndarray,
    start: float,
    previous_text: str = "",
    preceding: PrecedingSound | None = None,
) -> list[SpokenWord]:
    """Return the words in such sound whose middle is in it.

    Wherever it is cut, each word is in one of its parts.
    """
    numbers = np.rint(samples * 32768).astype(int)
    words = []
    for number in np.unique(numbers[numbers > 0]):
        word_samples = np.flatnonzero(numbers == number)
        is_cut_behind = word_samples[-1] == len(samples) - 1
        if (
            2 * len(word_samples) + is_cut_behind > SAMPLES_OF_A_WORD
        ):  # of two equal halves, the first
            words.append(
                SpokenWord(
                    f"w{number}",
                    start + word_samples[0] / SAMPLE_RATE_HZ,
                    start + (word_samples[-1] + 1) / SAMPLE_RATE_HZ,
                    0.9,
                )
            )
    return words


PAUSES_S = st.sampled_from([0.0, 0.0, 0.0, 0.1, 0.25, 0.5, 0.9, 1.5, 3.0, 6.0])  # after a word


@settings(deadline=None)
@given(
    st.lists(PAUSES_S, min_size=1, max_size=120),
    st.lists(st.integers(SAMPLE_RATE_HZ // 4, 9 * SAMPLE_RATE_HZ), min_size=1),
    st.data(),
)
def test_every_word_is_soon_final_once_and_in_order_after_restarts_too(pauses, steps, data):
    """Any pauses, any steps, any restart from what a cursor keeps.

    The final words are those that were said.
    """
    word_sounds = sound_of(len(pauses)).reshape(len(pauses), -1)
    gaps = [np.zeros(int(pause * SAMPLE_RATE_HZ), np.int16) for pause in pauses]
    sound = np.concatenate(
        [block for pair in zip(word_sounds, gaps, strict=True) for block in pair]
    )
    state = LowLatencyStream(heard_by_middle)
    position = 0
    final = []
    for step in steps:
        final += state.add_sound(sound[position : position + step])
        position = min(position + step, len(sound))
        if data.draw(st.booleans()):
            state = LowLatencyStream(
                heard_by_middle,
                state.begin_s,
                state.final_s,
                state.previous_words,
                state.preceding_count,
            )
            position = round(state.begin_s * SAMPLE_RATE_HZ)

    final += state.add_sound(sound[position:], is_last=True)
    assert [f"w{number}" for number in range(1, len(pauses) + 1)] == [word.text for word in final]


@settings(deadline=None)
@given(st.lists(PAUSES_S, min_size=30, max_size=60))
def test_no_word_waits_longer_than_the_longest_segment(pauses):
    """Whatever the pauses, a word is final after at most the longest segment and a step."""
    sound = sound_with_pauses(pauses)
    state = LowLatencyStream(heard_by_middle)
    step = SAMPLE_RATE_HZ // 2
    lags = []

    for position in range(0, len(sound), step):
        is_last = position + step >= len(sound)
        words = state.add_sound(sound[position : position + step], is_last=is_last)
        lags += [state.end_s - word.end for word in words]

    assert len(lags) == len(pauses)
    assert max(lags) <= FinalWordRules().max_segment_s + 1.0


def sound_with_pauses(pauses: list[float]) -> np.ndarray:
    """Return sound of one word before each pause, in seconds."""
    blocks = []
    for word_sound, pause in zip(
        sound_of(len(pauses)).reshape(len(pauses), -1), pauses, strict=True
    ):
        blocks.append(word_sound)
        blocks.append(np.zeros(int(pause * SAMPLE_RATE_HZ), np.int16))
    return np.concatenate(blocks)


def test_without_a_pause_a_word_waits_for_little_more_than_what_is_held_back():
    """What was heard and is not final yet follows what is, and is as long as that."""
    sound = sound_of(60)
    state = LowLatencyStream(heard_by_middle)
    step = SAMPLE_RATE_HZ // 4
    rules = FinalWordRules()
    final_count = 0

    for position in range(0, len(sound), step):
        for word in state.add_sound(sound[position : position + step]):
            final_count += 1
            assert f"w{final_count}" == word.text
            assert (
                state.end_s - word.end
                <= rules.undecided_s + rules.interval_s + WORD_S + step / SAMPLE_RATE_HZ
            )
        pending_texts = [word.text for word in state.pending_words]
        assert [
            f"w{number}" for number in range(final_count + 1, final_count + 1 + len(pending_texts))
        ] == pending_texts
        assert len(pending_texts) * WORD_S <= rules.undecided_s + rules.interval_s + WORD_S

    assert final_count > 50


def test_the_stretch_before_is_heard_with_its_words():
    """What comes after a short pause is heard as what goes on from the last stretch.

    After a long one it is not.
    """
    contexts = []

    def noting(
        samples: np.ndarray, start: float, previous_text: str, preceding: PrecedingSound | None
    ) -> list[SpokenWord]:
        contexts.append(
            (previous_text, preceding and (preceding.text, len(preceding.samples) / SAMPLE_RATE_HZ))
        )
        return heard_by_middle(samples, start)

    short = np.zeros(SAMPLE_RATE_HZ, np.int16)
    long = np.zeros(5 * SAMPLE_RATE_HZ, np.int16)
    words = sound_of(6).reshape(3, -1)
    state = LowLatencyStream(noting)
    for block in (words[0], short, words[1], long, words[2]):
        state.add_sound(block)
    state.add_sound(short[:0], is_last=True)

    assert contexts == [("", None), ("", ("w1 w2", 1.0)), ("w1 w2 w3 w4", None)]


@pytest.mark.parametrize(
    "block",
    [np.zeros(SAMPLE_RATE_HZ, np.int16), np.ones(SAMPLE_RATE_HZ, np.int16)],
    ids=["silence", "speech"],
)
def test_memory_is_bounded_where_words_are_soon_final(block):
    """Neither silence nor speech without a pause takes more than two stretches and what is near them."""
    state = LowLatencyStream(heard_by_middle)

    for _ in range(150):
        state.add_sound(block)
        assert len(state.sound) <= 20 * SAMPLE_RATE_HZ

    assert pytest.approx(state.end_s) == 150


@pytest.mark.long
def test_words_that_are_soon_final_are_nearly_as_right_as_those_of_a_finished_recording():
    """With the real model, on all of the sample.

    Few more errors against what is said, and as many words.
    """
    sound = sounds.sample()
    loaded = whisper_model.load_speech_model()
    gold = (bench.DEBATES / bench.GOLD).read_text("utf-8").splitlines()
    reference_text = " ".join(
        sentence["text"]
        for sentence in map(json.loads, gold)
        if sentence["end"] <= len(sound) / SAMPLE_RATE_HZ
    )

    def heard(
        samples: np.ndarray, start: float, previous_text: str, preceding: PrecedingSound | None
    ) -> list[SpokenWord]:
        context = SpeechContext(previous_text=previous_text, preceding=preceding)
        return recogniser.recognise(loaded, samples, start, context)

    finished = [
        word for _, words in transcriber.transcribe_samples(loaded, sound) for word in words
    ]
    state = LowLatencyStream(heard)
    live = []
    for position in range(0, len(sound), SAMPLE_RATE_HZ // 2):
        live += state.add_sound(
            sound[position : position + SAMPLE_RATE_HZ // 2],
            is_last=position + SAMPLE_RATE_HZ // 2 >= len(sound),
        )

    (wrong, number), (wrong_finished, _) = (
        errors(reference_text, " ".join(w.text for w in way)) for way in (live, finished)
    )
    assert wrong <= wrong_finished + 0.05 * number
    assert abs(len(live) - len(finished)) <= 0.05 * len(finished)
    assert sorted(word.start for word in live) == [word.start for word in live]


@pytest.mark.long
def test_the_words_are_those_of_a_finished_recording():
    """With the real model, live words are those of a finished recording.

    None is lost, none comes twice.
    """
    sound = sounds.sample()[: 60 * SAMPLE_RATE_HZ]
    loaded = whisper_model.load_speech_model()

    def heard(samples: np.ndarray, start: float, previous_text: str) -> list[SpokenWord]:
        context = SpeechContext(previous_text=previous_text)
        return recogniser.recognise(loaded, samples, start, context)

    finished = [
        word for _, words in transcriber.transcribe_samples(loaded, sound) for word in words
    ]
    state = WindowedStream(heard)
    live = []
    for position in range(0, len(sound), 2 * SAMPLE_RATE_HZ):
        live += state.add_sound(
            sound[position : position + 2 * SAMPLE_RATE_HZ],
            is_last=position + 2 * SAMPLE_RATE_HZ >= len(sound),
        )

    assert len(finished) > 60
    assert [word.text for word in finished] == [word.text for word in live]
