"""Replays a recorded transcript at any speed, to try, test and show live monitoring."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from threading import Event as Flag

from assistant import transcripts
from assistant.core.domain import Transcript
from assistant.live.live_lines import Arrival, Line

WORDS_PER_S = 2.7  # 160 words a minute, where a transcript has no times
PAUSE_S = 0.3
INTERIM_S = 0.5  # between the interim texts of a sentence while it is spoken
# A screen knows a replay by this beginning of the name of its source.
REPLAY_PREFIX = "replay of"


@dataclass
class ReplaySource:
    """Sends the sentences of a transcript at their times, ``speed`` times as fast.

    0 means all at once. Until a sentence ends, its first words are sent as an interim text.
    """

    transcript: Transcript
    speed: float = 1.0
    name: str = ""
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        self.name = self.name or f"{REPLAY_PREFIX} {self.transcript.title}"

    def follow(self, cursor: str, stop: Flag) -> Iterator[Arrival]:
        """Yield one sentence at a time, beginning after the number in the cursor.

        Each comes with its last word; longer ones come in interim texts before.
        """
        # The cursor is the number of the last sentence that was sent.
        sent_count = int(cursor) if cursor.isdecimal() else 0
        end_times = sentence_end_times(self.transcript)
        # The time in the transcript from which it is replayed
        resumed_s = 0.0
        if 0 < sent_count <= len(end_times):
            resumed_s = end_times[sent_count - 1]
        started_s = self.clock()
        for number, (sentence, end_s) in enumerate(zip(self.transcript, end_times, strict=True), 1):
            if number <= sent_count:
                continue
            line = Line(
                self.name,
                str(number),
                sentence.text,
                sentence.speaker,
                sentence.start,
                sentence.end,
            )
            if self.speed:  # at speed 0, nothing waits
                previous_index = number - 2  # numbers begin at 1, indexes at 0
                previous_end_s = end_times[previous_index] if number > 1 else 0.0
                spoken_s = (end_s - previous_end_s) / self.speed
                ends_at = started_s + (end_s - resumed_s) / self.speed
                yield from self._interim_texts(line, spoken_s, ends_at, stop)
            if stop.is_set():
                return
            yield Arrival((line,), str(number))

    def _interim_texts(
        self, line: Line, spoken_s: float, ends_at: float, stop: Flag
    ) -> Iterator[Arrival]:
        """Wait until a sentence ends, and yield its words so far every ``INTERIM_S`` seconds.

        ``spoken_s``: how long it is spoken; ``ends_at``: its end by the clock.
        """
        words = line.text.split()
        sent_count = 0
        while not stop.is_set():
            left_s = ends_at - self.clock()
            if left_s <= 0:
                return
            stop.wait(min(left_s, INTERIM_S))
            left_s = max(0.0, ends_at - self.clock())
            spoken_share = 1 - left_s / spoken_s if spoken_s else 0.0
            word_count = int(len(words) * spoken_share)
            if sent_count < word_count < len(words):
                sent_count = word_count
                interim_text = " ".join(words[:word_count])
                yield Arrival((replace(line, text=interim_text, end=None, final=False),))


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
    ends_s: list[float] = []
    starts_s = [sentence.start for sentence in transcript if sentence.start is not None]
    first_start_s = starts_s[0] if starts_s else None
    for sentence in transcript:
        previous_end_s = ends_s[-1] if ends_s else 0.0
        if sentence.end is not None and first_start_s is not None:
            # No sentence ends before the one above it.
            ends_s.append(max(previous_end_s, sentence.end - first_start_s))
        else:
            word_count = len(sentence.text.split())
            estimated_length_s = word_count / WORDS_PER_S + PAUSE_S
            ends_s.append(previous_end_s + estimated_length_s)
    return ends_s
