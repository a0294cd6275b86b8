"""Segments of speech: found by silero's voice detection, cut at pauses to Whisper's length.

Only these segments reach the recogniser, because Whisper writes words even if there is only silence
or music.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assistant.transcription.decoding import SAMPLE_RATE_HZ
from assistant.transcription.whisper_internals import speech_spans

Samples = NDArray[np.float32]
WINDOW_S = 58.0  # sound searched at once, and the most that a kill makes Lectern transcribe again
MAX_SEGMENT_S = 28.0  # Whisper reads thirty seconds at a time
MIN_WINDOW_S = 15.0  # a shorter window is searched together with the next
SEGMENT_PAUSE_S = 2.5  # speech after a longer pause begins a new segment
SHORT_PAUSE_S = 0.2
SEGMENT_MARGIN_S = 0.2  # sound kept on both sides of a segment
SEGMENT_LEAD_S = 0.2  # more sound before the first word, which is misread if sound begins at once
MIN_SPEECH_S = 0.25
SPEECH_PROBABILITY = 0.5
MS_PER_S = 1000
INT16_SCALE = 32768


@dataclass(frozen=True, slots=True)
class SpeechSegment:
    """Sound that contains speech, in samples from the beginning of the recording."""

    start: int
    end: int


def segment_windows(
    sound: NDArray[np.int16], window_start: int = 0
) -> Iterator[tuple[int, list[SpeechSegment]]]:
    """Yield the last sample of each window of a recording, and the segments in the window."""
    window_size = int(WINDOW_S * SAMPLE_RATE_HZ)
    while window_start < len(sound):
        window_end = min(window_start + window_size, len(sound))
        # The segments count samples from the beginning of the window.
        speech = detect_speech(as_floats(sound[window_start:window_end]))
        segments = join_short_pauses(speech)
        is_last_window = window_end == len(sound)
        if segments and not is_last_window:
            final_segment = segments[-1]
            is_single = len(segments) == 1
            if _belongs_to_next_window(
                final_segment, window_end - window_start, is_single=is_single
            ):
                segments.pop()
                window_end = window_start + final_segment.start  # the next window begins with it
        # Now in samples from the beginning of the recording
        segments_of_recording = []
        for segment in segments:
            start = window_start + segment.start
            segments_of_recording.append(SpeechSegment(start, window_start + segment.end))
        yield window_end, segments_of_recording
        window_start = window_end


def _belongs_to_next_window(segment: SpeechSegment, length: int, *, is_single: bool) -> bool:
    """Return whether the last segment of a window may be longer in the next window."""
    # all in samples of the window; a pause after the segment would end it
    is_open = length - segment.end < SEGMENT_PAUSE_S * SAMPLE_RATE_HZ
    if not is_open or segment.start == 0:
        return False
    leaves_short_window = is_single and segment.start < MIN_WINDOW_S * SAMPLE_RATE_HZ
    return not leaves_short_window


def detect_speech(samples: Samples) -> list[SpeechSegment]:
    """Return the segments with speech, divided at every short pause."""
    options = {
        "threshold": SPEECH_PROBABILITY,
        "min_silence_duration_ms": int(SHORT_PAUSE_S * MS_PER_S),
        "min_speech_duration_ms": int(MIN_SPEECH_S * MS_PER_S),
        "max_speech_duration_s": MAX_SEGMENT_S,
        "speech_pad_ms": int(SEGMENT_MARGIN_S * MS_PER_S),
    }
    return [SpeechSegment(start, end) for start, end in speech_spans(samples, options)]


def join_short_pauses(segments: list[SpeechSegment]) -> list[SpeechSegment]:
    """Return segments joined over short pauses up to Whisper's length, with sound before each."""
    joined_segments: list[SpeechSegment] = []
    previous_end = 0
    for segment in segments:
        is_short_pause = segment.start - previous_end <= SEGMENT_PAUSE_S * SAMPLE_RATE_HZ
        fits_previous = False
        if joined_segments:
            joined_length = segment.end - joined_segments[-1].start
            fits_previous = joined_length <= MAX_SEGMENT_S * SAMPLE_RATE_HZ
        if is_short_pause and fits_previous:
            joined_segments[-1] = SpeechSegment(joined_segments[-1].start, segment.end)
        else:
            # The segment begins a little before the speech.
            lead_start = segment.start - int(SEGMENT_LEAD_S * SAMPLE_RATE_HZ)
            start = max(lead_start, previous_end)
            joined_segments.append(SpeechSegment(start, segment.end))
        previous_end = segment.end
    return joined_segments


def as_floats(samples: NDArray[np.int16]) -> Samples:
    """Return samples of 16 bits scaled to -1 to 1."""
    return samples.astype(np.float32) / np.float32(INT16_SCALE)
