"""Replays a recorded transcript at any speed, to try, test and show live monitoring."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Event as Flag

from assistant import transcripts
from assistant.core.domain import Transcript
from assistant.live.live_lines import Arrival, Line

WORDS_PER_S = 2.7  # 160 words a minute, where a transcript has no times
PAUSE_S = 0.3


@dataclass
class ReplaySource:
    """Sends the sentences of a transcript at their times, ``speed`` times as fast.

    0 means all at once.
    """

    transcript: Transcript
    speed: float = 1.0
    name: str = ""
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        self.name = self.name or f"replay of {self.transcript.title}"

    def follow(self, cursor: str, stop: Flag) -> Iterator[Arrival]:
        """Yield one sentence at a time, beginning after the number in the cursor."""
        done = int(cursor) if cursor.isdecimal() else 0
        end_times = sentence_end_times(self.transcript)
        begun = end_times[done - 1] if 0 < done <= len(end_times) else 0.0
        started = self.clock()
        for number, (sent, at) in enumerate(zip(self.transcript, end_times, strict=True), 1):
            if number <= done:
                continue
            wait = (at - begun) / self.speed - (self.clock() - started) if self.speed else 0.0
            if (wait > 0 and stop.wait(wait)) or stop.is_set():
                return
            line = Line(self.name, str(number), sent.text, sent.speaker, sent.start, sent.end)
            yield Arrival((line,), str(number))


def make(recording: str | Transcript, options: argparse.Namespace) -> ReplaySource:
    """Return the replay of a transcript, or of the one in a file.

    Raises: LecternError if that cannot be read.
    """
    if isinstance(recording, str):
        recording = transcripts.read(recording, title=options.title, event_date=options.date)
    return ReplaySource(recording, options.speed)


def sentence_end_times(transcript: Transcript) -> list[float]:
    """Return when each sentence ends, in seconds from the first.

    Estimated from its length where times are missing.
    """
    ends: list[float] = []
    first_start = next((s.start for s in transcript if s.start is not None), None)
    for sent in transcript:
        previous_end = ends[-1] if ends else 0.0
        length = len(sent.text.split()) / WORDS_PER_S + PAUSE_S
        if sent.end is not None and first_start is not None:
            ends.append(max(previous_end, sent.end - first_start))
        else:
            ends.append(previous_end + length)
    return ends
