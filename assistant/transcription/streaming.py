"""Words in sound that is still coming: final words, and words that may still change.

``WindowedStream`` waits until a segment has ended as in a finished recording, so that both have the
same words. ``LowLatencyStream`` ends a segment at the next short pause, seconds after it was said.
Sound is deleted only after the segment that it belongs to has been transcribed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from assistant.core.domain import SpokenWord
from assistant.transcription.decoding import SAMPLE_RATE_HZ
from assistant.transcription.recogniser import CONTEXT_WORDS, PrecedingSound
from assistant.transcription.speech_segments import (
    MIN_SPEECH_S,
    SEGMENT_LEAD_S,
    SEGMENT_PAUSE_S,
    WINDOW_S,
    Samples,
    SpeechSegment,
    as_floats,
    detect_speech,
    join_short_pauses,
    segment_windows,
)

# Arguments: samples, the second at which they begin, the previous text; then the preceding sound.
RecogniseSound = Callable[[Samples, float, str], list[SpokenWord]]
RecogniseContinuedSound = Callable[[Samples, float, str, PrecedingSound | None], list[SpokenWord]]

# Final sound in which speech is detected once more: speech that begins in it continues a segment.
RECHECKED_S = 1.0
MAX_PRECEDING_S = 12.0  # final sound that a segment is decoded with
SHORTENED_PRECEDING_S = 8.0  # final sound that stays once there is more than the maximum
LIVE_PADDED_S = 16.0  # padding to thirty seconds costs three times as much
MIN_ALONE_S = 0.8  # shorter sound without words is not decoded again without its preceding sound
SENTENCE_ENDS = (".", "?", "!")
QUIET_MOMENT_S = 0.05


@dataclass
class _StreamState:
    """Progress of a stream: sound from ``begin_s`` on, and final words up to ``final_s``.

    ``previous_words``: the last final words, the model's context. ``preceding_count``: the number
    of them within ``sound``. A restart needs only these four. ``pending_words`` follow the final
    words and may still change.
    """

    recognise: Callable[..., list[SpokenWord]]
    begin_s: float = 0.0
    final_s: float = 0.0
    previous_words: list[str] = field(default_factory=list)
    preceding_count: int = 0
    sound: NDArray[np.int16] = field(default_factory=lambda: np.zeros(0, np.int16))
    pending_words: list[SpokenWord] = field(default_factory=list)

    @property
    def end_s(self) -> float:
        """Return the second up to which sound has come."""
        return self.begin_s + len(self.sound) / SAMPLE_RATE_HZ

    @property
    def final_sample(self) -> int:
        """Return the sample of ``sound`` up to which all words are final."""
        return round((self.final_s - self.begin_s) * SAMPLE_RATE_HZ)


@dataclass
class WindowedStream(_StreamState):
    """A stream divided into the segments of a finished recording, by a ``RecogniseSound``.

    ``begin_s`` is the beginning of a window as in ``segment_windows``, because silero's answer
    depends on the sound before.
    """

    recognise: RecogniseSound

    def add_sound(self, samples: NDArray[np.int16], *, is_last: bool = False) -> list[SpokenWord]:
        """Add sound and return the words that are final now."""
        self.sound = np.concatenate([self.sound, samples])
        words: list[SpokenWord] = []
        while self._has_whole_window(is_last=is_last):
            # A window ends between two segments of speech, and its sound is not needed any more.
            end, segments = next(segment_windows(self.sound))
            words += self._transcribe(segments)
            self.sound = self.sound[end:]
            self.begin_s = self.begin_s + end / SAMPLE_RATE_HZ
        return words + self._transcribe(self._ended_segments())

    def _has_whole_window(self, *, is_last: bool) -> bool:
        """Return whether no further sound belongs to the first window of the sound."""
        is_long_enough = len(self.sound) > WINDOW_S * SAMPLE_RATE_HZ
        return is_long_enough or (is_last and len(self.sound) > 0)

    def _ended_segments(self) -> list[SpeechSegment]:
        """Return the segments that no further sound changes."""
        segments = join_short_pauses(detect_speech(as_floats(self.sound)))
        if segments:
            samples_since_speech = len(self.sound) - segments[-1].end
            if samples_since_speech < SEGMENT_PAUSE_S * SAMPLE_RATE_HZ:
                segments.pop()  # speech may go on: the pause is too short to end the segment
        return segments

    def _transcribe(self, segments: list[SpeechSegment]) -> list[SpokenWord]:
        """Return the words in segments, without sound whose words are final already."""
        all_words: list[SpokenWord] = []
        for segment in segments:
            # In samples of ``sound``, then in seconds of the stream
            start = max(segment.start, self.final_sample)
            is_too_short = segment.end - start <= MIN_SPEECH_S * SAMPLE_RATE_HZ
            if is_too_short:
                continue
            samples = as_floats(self.sound[start : segment.end])
            start_s = self.begin_s + start / SAMPLE_RATE_HZ
            words = self.recognise(samples, start_s, " ".join(self.previous_words))
            # The last words are the context of the next segment.
            context_words = [*self.previous_words, *(word.text for word in words)]
            self.previous_words = context_words[-CONTEXT_WORDS:]
            self.final_s = self.begin_s + segment.end / SAMPLE_RATE_HZ
            all_words += words
        return all_words


class _SegmentEnd(Enum):
    """How a segment ends: at a pause, cut without a pause, or not yet."""

    ENDED = auto()
    CUT = auto()
    OPEN = auto()


@dataclass(frozen=True)
class FinalWordRules:
    """Rules for when words are final, in seconds of sound.

    - A segment ends at its last short pause once it is ``min_segment_s`` long, or at any pause of
      ``pause_s``. Then all its words are final.
    - Without a pause it is transcribed every ``interval_s`` seconds. Words that end before its last
      ``undecided_s`` seconds are final, because the model knows the sound behind them.
    - A segment of ``max_segment_s`` without a final word is cut at its quietest moment.
    - Sound less than ``max_gap_s`` before a segment is decoded together with the segment.
    """

    min_segment_s: float = 1.75
    max_segment_s: float = 5.5
    pause_s: float = 0.4
    max_gap_s: float = 2.5
    undecided_s: float = 2.0
    interval_s: float = 1.0


@dataclass
class LowLatencyStream(_StreamState):
    """A stream whose words are final soon, by a ``RecogniseContinuedSound``.

    It keeps the sound of the last words.
    """

    recognise: RecogniseContinuedSound
    rules: FinalWordRules = FinalWordRules()
    # words of this process within ``sound``
    _recent_words: list[SpokenWord] = field(default_factory=list)
    # second up to which an open segment was transcribed
    _last_transcribed_s: float = 0.0

    def add_sound(self, samples: NDArray[np.int16], *, is_last: bool = False) -> list[SpokenWord]:
        """Add sound and return the words that are final now."""
        self.sound = np.concatenate([self.sound, samples])
        words: list[SpokenWord] = []
        while True:
            next_segment = self._next_segment(is_last=is_last)
            if next_segment is None:
                break
            segment, segment_end = next_segment
            words += self._transcribe(segment, segment_end)
        if is_last:  # no segment is left
            self._delete_sound(len(self.sound))
        return words

    def _next_segment(self, *, is_last: bool) -> tuple[SpeechSegment, _SegmentEnd] | None:
        """Return the segment to transcribe now, and how it ends; None if there is none yet."""
        # All positions are samples of ``sound``.
        final_sample = self.final_sample
        segments = self._new_speech(final_sample)
        if not segments:
            self._drop_silence(len(self.sound) - int(RECHECKED_S * SAMPLE_RATE_HZ), final_sample)
            return None
        # The segment begins where the final words end, or shortly before speech after a pause.
        speech_start = segments[0].start
        start = final_sample
        if speech_start - final_sample > RECHECKED_S * SAMPLE_RATE_HZ:
            start = speech_start - int(SEGMENT_LEAD_S * SAMPLE_RATE_HZ)

        pause = self._pause_after(start, segments, is_last=is_last)
        if pause is not None:
            return SpeechSegment(start, pause), _SegmentEnd.ENDED
        if len(self.sound) - start >= self.rules.max_segment_s * SAMPLE_RATE_HZ:
            return SpeechSegment(start, self._quietest_sample(start)), _SegmentEnd.CUT

        # Speech goes on: now and then its words are read, of which the last ones may change.
        spoken_s = (len(self.sound) - speech_start) / SAMPLE_RATE_HZ
        is_long_enough = spoken_s >= self.rules.undecided_s + self.rules.interval_s
        is_due = self.end_s - self._last_transcribed_s >= self.rules.interval_s
        if is_long_enough and is_due:
            self._last_transcribed_s = self.end_s
            return SpeechSegment(start, len(self.sound)), _SegmentEnd.OPEN
        return None

    def _new_speech(self, final_sample: int) -> list[SpeechSegment]:
        """Return the speech behind a sample, without what is too short to be words."""
        # The detection begins a little earlier, because its answer depends on the sound before.
        rechecked_size = int(RECHECKED_S * SAMPLE_RATE_HZ)
        search_start = max(final_sample - rechecked_size, 0)
        searched_sound = as_floats(self.sound[search_start:])
        segments = []
        for segment in detect_speech(searched_sound):
            # The segment counts samples from the start of the search.
            start = max(search_start + segment.start, final_sample)
            end = search_start + segment.end
            if end - start > MIN_SPEECH_S * SAMPLE_RATE_HZ:
                segments.append(SpeechSegment(start, end))
        return segments

    def _drop_silence(self, silence_end: int, final_sample: int) -> None:
        """Delete silence, and the final words before it once they are too long ago."""
        self.pending_words = []
        if silence_end - final_sample > self.rules.max_gap_s * SAMPLE_RATE_HZ:
            self._delete_sound(silence_end)

    def _delete_sound(self, end: int) -> None:
        """Delete all sound before a sample. The next segment continues none of its words."""
        self.sound = self.sound[end:]
        self.begin_s = self.begin_s + end / SAMPLE_RATE_HZ
        self.preceding_count = 0
        self.final_s = self.begin_s
        self._recent_words = []

    def _pause_after(
        self, start: int, segments: list[SpeechSegment], *, is_last: bool
    ) -> int | None:
        """Return the sample of the pause that ends the first segment, None if it is still open."""
        max_end = start + self.rules.max_segment_s * SAMPLE_RATE_HZ
        sound_end = len(self.sound)
        # A pause begins where a segment of speech ends.
        pauses = [
            segment.end
            for segment in segments
            if segment.end < sound_end and segment.end <= max_end
        ]
        if pauses:
            last_pause = pauses[-1]
            is_long_enough = last_pause - start >= self.rules.min_segment_s * SAMPLE_RATE_HZ
            if is_long_enough or sound_end >= max_end:
                return last_pause
        speech_end = segments[-1].end
        has_ended = is_last or sound_end - speech_end >= self.rules.pause_s * SAMPLE_RATE_HZ
        if has_ended and speech_end <= max_end:
            return speech_end
        return None

    def _quietest_sample(self, start: int) -> int:
        """Return the middle of the quietest moment in the second half of the longest segment."""
        # The sound is divided into moments of equal size, in samples.
        moment_size = int(QUIET_MOMENT_S * SAMPLE_RATE_HZ)
        max_segment_size = self.rules.max_segment_s * SAMPLE_RATE_HZ
        search_start = start + int(max_segment_size / 2)
        search_end = start + int(max_segment_size)
        samples = as_floats(self.sound[search_start:search_end])
        # Energy per moment: (moments * moment_size,) -> (moments, moment_size) -> (moments,)
        moment_count = len(samples) // moment_size
        moments = samples[: moment_count * moment_size].reshape(-1, moment_size)
        energy = (moments**2).sum(axis=1)
        quietest_moment = int(energy.argmin())
        quietest_start = search_start + quietest_moment * moment_size
        return quietest_start + moment_size // 2

    def _transcribe(self, segment: SpeechSegment, segment_end: _SegmentEnd) -> list[SpokenWord]:
        """Return the words of a segment that are final now.

        Their sound precedes the next segment.
        """
        start_s = self.begin_s + segment.start / SAMPLE_RATE_HZ
        gap_samples = segment.start - self.final_sample
        max_gap_samples = self.rules.max_gap_s * SAMPLE_RATE_HZ
        continues_words = self.preceding_count > 0 and gap_samples < max_gap_samples
        words = self._recognise_segment(segment, start_s, continues_words=continues_words)
        end_s = self.begin_s + segment.end / SAMPLE_RATE_HZ
        words, final_s = self._final_words_and_their_end(words, end_s, segment_end)
        if segment_end is _SegmentEnd.OPEN and not words:
            return []
        if not continues_words:  # the sound before the segment is not needed any more
            self.preceding_count = 0
            self.sound = self.sound[segment.start :]
            self.begin_s = start_s
            self._recent_words = []
        self.final_s = final_s
        self.preceding_count += len(words)
        self._recent_words += words
        all_words = [*self.previous_words, *(word.text for word in words)]
        # Besides the context, the words within the preceding sound stay.
        stored_count = CONTEXT_WORDS + self.preceding_count
        self.previous_words = all_words[-stored_count:]
        self._shorten_preceding_sound()
        return words

    def _recognise_segment(
        self, segment: SpeechSegment, start_s: float, *, continues_words: bool
    ) -> list[SpokenWord]:
        """Return the words in a segment, with its preceding sound if it continues words."""
        samples = as_floats(self.sound[segment.start : segment.end])
        if continues_words:
            # The last words are within the sound before the segment; the others are its context.
            preceding_words = self.previous_words[-self.preceding_count :]
            context_words = self.previous_words[: -self.preceding_count]
            preceding_samples = as_floats(self.sound[: segment.start])
            preceding = PrecedingSound(preceding_samples, " ".join(preceding_words))
            words = self.recognise(samples, start_s, " ".join(context_words), preceding)
            is_too_short_alone = len(samples) < MIN_ALONE_S * SAMPLE_RATE_HZ
            if words or is_too_short_alone:
                return words
        return self.recognise(samples, start_s, " ".join(self.previous_words), None)

    def _final_words_and_their_end(
        self, words: list[SpokenWord], end_s: float, segment_end: _SegmentEnd
    ) -> tuple[list[SpokenWord], float]:
        """Return the final words of a segment, and the second up to which all words are final.

        The other words become pending.
        """
        # An open segment goes on, so its last words may still change.
        final_count = len(words)
        if segment_end is _SegmentEnd.OPEN:
            final_count = _count_before(words, end_s - self.rules.undecided_s)
        elif segment_end is _SegmentEnd.CUT and len(words) > 1:
            # The cut may have divided the last word: then it is decoded again. One that overlaps
            # the first word is not, or the segment would have nothing final.
            if words[-1].start > words[0].end:
                final_count -= 1
        final_words = words[:final_count]
        self.pending_words = words[final_count:]
        if segment_end is _SegmentEnd.OPEN:
            final_s = final_words[-1].end if final_words else self.final_s
        else:
            final_s = self.pending_words[0].start if self.pending_words else end_s
        return final_words, final_s

    def _shorten_preceding_sound(self) -> None:
        """Delete the oldest final sound if there is too much, up to a new sentence if possible."""
        if self.final_s - self.begin_s <= MAX_PRECEDING_S:
            return
        late_words = [
            word
            for word in self._recent_words
            if self.final_s - word.start <= SHORTENED_PRECEDING_S
        ]
        sentence_starts = [
            word
            for previous_word, word in pairwise(late_words)
            if previous_word.text.endswith(SENTENCE_ENDS)
        ]
        # Without a word that is late enough, no sound stays.
        begin_s = self.final_s
        recent_words: list[SpokenWord] = []
        begin_candidates = sentence_starts or late_words
        if begin_candidates:
            begin_word = begin_candidates[0]
            begin_s = begin_word.start
            recent_words = self._recent_words[self._recent_words.index(begin_word) :]
        self._recent_words = recent_words
        self.preceding_count = len(recent_words)
        begin_sample = round((begin_s - self.begin_s) * SAMPLE_RATE_HZ)
        self.sound = self.sound[begin_sample:]
        self.begin_s = begin_s


def _count_before(words: Sequence[SpokenWord], second: float) -> int:
    """Return the number of words up to the first that ends after a second."""
    for index, word in enumerate(words):
        if word.end > second:
            return index
    return len(words)
