"""A pipe: lines as they come, its end, a line that is too long."""

from __future__ import annotations

import os
import threading

from assistant.live.sources.pipe import PipeSource
from tests.assistant.live.following import arrivals, finals


def piped(data: bytes, cursor=""):
    read_end, write = os.pipe()

    def say():
        with os.fdopen(write, "wb") as out:
            out.write(data)

    threading.Thread(target=say).start()  # a pipe holds 64 kB
    with os.fdopen(read_end, "rb") as stream:
        return arrivals(PipeSource(stream), cursor)


def test_lines_come_until_the_pipe_ends():
    """The last line needs no line break; an open cue is complete at the end."""
    came = piped(b"00:00:01,000|00:00:02,000|CC1|POP|ONE.\n00:00:02,000|00:00:03,000|CC1|POP|TWO.")

    assert [(line.text, line.start) for line in finals(came)] == [("ONE.", 1.0), ("TWO.", 2.0)]


def test_a_new_pipe_says_new_lines():
    """Two runs share no unit, so that nothing overwrites earlier text."""
    first_arrivals = piped(b"One.\n")
    second = piped(b"One.\n", first_arrivals[0].cursor)

    assert {line.unit for line in finals(first_arrivals) + finals(second)} == {"1:0", "2:0"}


def test_a_line_of_a_pipe_that_is_too_long_is_left_out():
    """The lines around it come, and one warning."""
    came = piped(b"One.\n" + b"x" * 70_000 + b"\nTwo.\n")

    assert [line.text for line in finals(came)] == ["One.", "Two."]
    assert sum(bool(arrival.warning) for arrival in came) == 1
