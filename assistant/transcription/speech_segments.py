"""Stretches of speech: where somebody speaks, by silero's voice detection, cut at pauses to what a model hears at once.

Only these stretches reach the recogniser, because Whisper writes words even where there is only
silence or music.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assistant.transcription.decoding import SAMPLE_RATE_HZ

Samples = NDArray[np.float32]
WINDOW_S = 58.0  # read at once, and the most that is heard again after a kill
MAX_SEGMENT_S = 28.0  # Whisper hears thirty seconds at a time
MIN_WINDOW_S = 15.0  # of a window that is read by itself
SEGMENT_PAUSE_S = 2.5  # speech after a longer pause begins a new stretch
SEGMENT_MARGIN_S = 0.2  # around a stretch, so that no first or last sound is lost
SEGMENT_LEAD_S = (
    0.2  # more of it before the first word, which is misheard where sound begins at once
)
MIN_SPEECH_S = 0.25
SPEECH_PROBABILITY = 0.5  # probability of speech


@dataclass(frozen=True, slots=True)
class SpeechSegment:
    """A stretch in which somebody speaks, in samples from the beginning of the recording."""

    start: int
    end: int


def segment_windows(
    sound: NDArray[np.int16], begin: int = 0
) -> Iterator[tuple[int, list[SpeechSegment]]]:
    """Yield the recording in parts from a sample.

    The sample up to which a part goes, and the stretches in it.
    """
    while begin < len(sound):
        end = min(begin + int(WINDOW_S * SAMPLE_RATE_HZ), len(sound))
        found = join_short_pauses(detect_speech(as_floats(sound[begin:end])))
        last = found[-1] if found else None
        if last and end < len(sound) and _goes_on(last, end - begin, alone=len(found) == 1):
            found.pop()
            end = begin + last.start
        yield end, [SpeechSegment(begin + part.start, begin + part.end) for part in found]
        begin = end


def _goes_on(last: SpeechSegment, length: int, *, alone: bool) -> bool:
    """Whether the last stretch of a window waits for the next window.

    It may be longer there, or still short.
    """
    reaches_the_end = length - last.end < SEGMENT_PAUSE_S * SAMPLE_RATE_HZ
    return (
        reaches_the_end
        and last.start > 0
        and not (alone and last.start < MIN_WINDOW_S * SAMPLE_RATE_HZ)
    )


def detect_speech(samples: Samples) -> list[SpeechSegment]:
    """Return where somebody speaks in these samples, apart at every short pause."""
    from faster_whisper.vad import VadOptions, get_speech_timestamps

    options = VadOptions(
        threshold=SPEECH_PROBABILITY,
        min_silence_duration_ms=200,
        min_speech_duration_ms=int(MIN_SPEECH_S * 1000),
        max_speech_duration_s=MAX_SEGMENT_S,
        speech_pad_ms=int(SEGMENT_MARGIN_S * 1000),
    )
    return [
        SpeechSegment(row["start"], row["end"]) for row in get_speech_timestamps(samples, options)
    ]


def join_short_pauses(parts: list[SpeechSegment]) -> list[SpeechSegment]:
    """Return speech joined over short pauses, as far as a model hears at once, with some sound before it."""
    found: list[SpeechSegment] = []
    for part in parts:
        before = found[-1] if found else None
        near = before is not None and part.start - before.end <= SEGMENT_PAUSE_S * SAMPLE_RATE_HZ
        if (
            before is not None
            and near
            and part.end - before.start <= MAX_SEGMENT_S * SAMPLE_RATE_HZ
        ):
            found[-1] = SpeechSegment(before.start, part.end)
        else:
            found.append(
                SpeechSegment(
                    max(
                        part.start - int(SEGMENT_LEAD_S * SAMPLE_RATE_HZ),
                        before.end if before else 0,
                    ),
                    part.end,
                )
            )
    return found


def as_floats(samples: NDArray[np.int16]) -> Samples:
    """Return samples of 16 bits as -1 to 1."""
    return samples.astype(np.float32) / np.float32(32768)
