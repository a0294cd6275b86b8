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
        self.waits = []

    def __call__(self):
        return self.now


def said(speed, cursor=""):
    clock = Clock()
    stop = threading.Event()
    stop.wait = lambda s: clock.waits.append(round(s, 3)) or setattr(clock, "now", clock.now + s)
    came = list(ReplaySource(TRANSCRIPT, speed, clock=clock).follow(cursor, stop))
    return clock.waits, [(line.unit, line.text) for a in came for line in a.lines]


@pytest.mark.parametrize(("speed", "waits"), [(1, [3, 4, 4]), (4, [0.75, 1, 1]), (0, [])])
def test_sentences_come_when_they_were_said(speed, waits):
    """The pauses are those of the transcript, divided by the speed."""
    assert (waits, [(str(s.number), s.text) for s in TRANSCRIPT]) == said(speed)


def test_it_goes_on_after_a_restart():
    """After the second sentence comes the third, four seconds later."""
    assert said(1, "2") == ([4], [("3", "We built 400 schools.")])


def test_without_times_the_pace_is_that_of_speech():
    """Later sentences come later, long ones take longer."""
    from dataclasses import replace

    bare = replace(
        TRANSCRIPT, sentences=tuple(replace(s, start=None, end=None) for s in TRANSCRIPT)
    )

    assert sentence_end_times(bare) == sorted(set(sentence_end_times(bare)))
    assert arrivals(ReplaySource(bare, 0))[-1].cursor == "3"
