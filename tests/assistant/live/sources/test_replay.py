"""A replayed transcript: at its pace, faster, and from the cursor."""

from __future__ import annotations

import threading

import pytest

from assistant.live.sources.replay import ReplaySource, sentence_end_times
from tests.assistant.live.following import arrivals
from tests.assistant.made_up import report

TRANSCRIPT = report().transcript  # sentences end at 7, 11 and 15 seconds, the first begins at 4


class Clock:
    """A clock that a source's waiting moves on."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def said(speed, cursor=""):
    clock = Clock()
    stop = threading.Event()
    stop.wait = lambda s: setattr(clock, "now", clock.now + s)
    came = []
    for arrival in ReplaySource(TRANSCRIPT, speed, clock=clock).follow(cursor, stop):
        for line in arrival.lines:
            came.append((round(clock.now, 3), line, arrival.cursor))
    return came


def final_texts(came):
    """Return when each whole sentence came, and its number and text."""
    return [(at, line.unit, line.text) for at, line, _ in came if line.final]


@pytest.mark.parametrize(
    ("speed", "times"), [(1, [3, 7, 11]), (4, [0.75, 1.75, 2.75]), (0, [0, 0, 0])]
)
def test_sentences_come_when_they_were_said(speed, times):
    """The pauses are those of the transcript, divided by the speed."""
    expected = [
        (time, str(sentence.number), sentence.text)
        for time, sentence in zip(times, TRANSCRIPT, strict=True)
    ]
    assert final_texts(said(speed)) == expected


def test_it_goes_on_after_a_restart():
    """After the second sentence comes the third, four seconds later."""
    assert final_texts(said(1, "2")) == [(4, "3", "We built 400 schools.")]


def test_words_come_while_a_sentence_is_spoken():
    """Each interim text begins the sentence and goes on from the one before; no cursor counts it."""
    interim = [(at, line.text, cursor) for at, line, cursor in said(1, "2") if not line.final]

    assert interim == [(1, "We", None), (2, "We built", None), (3, "We built 400", None)]
    assert [line for _, line, _ in said(0) if not line.final] == []
    assert [line for _, line, _ in said(40) if not line.final] == []


def test_without_times_the_pace_is_that_of_speech():
    """Later sentences come later, long ones take longer."""
    from dataclasses import replace

    bare = replace(
        TRANSCRIPT, sentences=tuple(replace(s, start=None, end=None) for s in TRANSCRIPT)
    )

    assert sentence_end_times(bare) == sorted(set(sentence_end_times(bare)))
    assert arrivals(ReplaySource(bare, 0))[-1].cursor == "3"
