"""Words out of sound that goes on: which are final, and which may still change.

``Stream`` waits until a stretch has ended as in a finished recording, so that both have the same words. ``SoonStream``
ends it at the next short pause, seconds after it was said. Nothing is left behind before the stretch that it belongs to
has been heard.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from assistant.core.domain import Word
from assistant.transcription.decoding import SAMPLE_RATE_HZ
from assistant.transcription.recogniser import BEFORE_WORDS, Earlier
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

RecogniseSound = Callable[
    [Samples, float, str], list[Word]
]  # samples, the second at which they begin, the words before
RECHECKED_S = 1.0  # sound that is looked at again for speech; speech that begins so soon goes on from the stretch before
# of sound that a stretch is heard with, at most, and what is left when it is more
MAX_PRECEDING_S = 12.0
SHORTENED_PRECEDING_S = 8.0
LIVE_PADDED_S = 16.0  # of sound with silence behind it that is heard at a time; thirty seconds cost three times as much
MIN_ALONE_S = 0.8  # of sound in which the model hears nothing that goes on from the words before
SENTENCE_ENDS = (".", "?", "!")
QUIET_MOMENT_S = 0.05
RecogniseContinuedSound = Callable[
    [Samples, float, str, Earlier | None], list[Word]
]  # and the stretch just before


@dataclass
class _StreamState:
    """What a stream knows: sound from second ``begin``; all up to second ``said`` is final.

    ``before``: the last final words, the model's context; ``inside``: how many of them lie in the sound that is kept.
    These four are all that a restart needs. ``held``: words that were heard after them and may still change.
    """

    recognise: Callable[..., list[Word]]
    begin: float = 0.0
    said: float = 0.0
    before: list[str] = field(default_factory=list)
    inside: int = 0
    sound: NDArray[np.int16] = field(default_factory=lambda: np.zeros(0, np.int16))
    held: list[Word] = field(default_factory=list)

    @property
    def end(self) -> float:
        """Return the second up to which sound has come."""
        return self.begin + len(self.sound) / SAMPLE_RATE_HZ


@dataclass
class WindowedStream(_StreamState):
    """A stream that is heard in the stretches of a finished recording, by a ``Recognise``.

    ``begin`` is that of a window, as ``stretches`` reads a recording, because silero's answer depends on what it heard.
    """

    recognise: RecogniseSound

    def hear(self, samples: NDArray[np.int16], *, over: bool = False) -> list[Word]:
        """Add sound and return the words that are final now; ``over``: no more will come."""
        self.sound = np.concatenate([self.sound, samples])
        words: list[Word] = []
        while len(self.sound) > WINDOW_S * SAMPLE_RATE_HZ or (over and len(self.sound)):
            end, found = next(segment_windows(self.sound))
            words += self._heard(found)
            self.sound = self.sound[end:]
            self.begin = self.begin + end / SAMPLE_RATE_HZ
        return words + self._heard(self._ended())

    def _ended(self) -> list[SpeechSegment]:
        """Return the stretches that no more sound changes."""
        found = join_short_pauses(detect_speech(as_floats(self.sound)))
        if found and len(self.sound) - found[-1].end < SEGMENT_PAUSE_S * SAMPLE_RATE_HZ:
            found.pop()
        return found

    def _heard(self, found: list[SpeechSegment]) -> list[Word]:
        """Return the words of stretches, without sound whose words are final."""
        words: list[Word] = []
        for part in found:
            start = max(part.start, round((self.said - self.begin) * SAMPLE_RATE_HZ))
            if part.end - start > MIN_SPEECH_S * SAMPLE_RATE_HZ:
                samples = as_floats(self.sound[start : part.end])
                heard = self.recognise(
                    samples, self.begin + start / SAMPLE_RATE_HZ, " ".join(self.before)
                )
                self.before = [*self.before, *(word.text for word in heard)][-BEFORE_WORDS:]
                words += heard
                self.said = self.begin + part.end / SAMPLE_RATE_HZ
        return words


class _SegmentEnd(Enum):
    """How a stretch has ended: at a pause, cut without one, or not yet."""

    ENDED = auto()
    CUT = auto()
    OPEN = auto()


@dataclass(frozen=True)
class FinalWordRules:
    """When words are final, in seconds of sound.

    A stretch of speech ends at its last short pause once it is ``least`` long, or at any pause of
    ``pause``: all its words are final then. Where no pause comes it is heard every ``every``
    seconds, and the words that end before its last ``hold`` seconds are final: the model has heard
    what follows them. ``most``: a stretch without a final word is cut at its quietest place.
    ``recall``: what was said just before is heard with it, if it is nearer than that.
    """

    least: float = 1.75
    most: float = 5.5
    pause: float = 0.4
    recall: float = 2.5
    hold: float = 2.0
    every: float = 1.0


@dataclass
class LowLatencyStream(_StreamState):
    """A stream whose words are final soon, by a ``RecogniseAfter``.

    The sound of the last words is kept.
    """

    recognise: RecogniseContinuedSound
    ends: FinalWordRules = FinalWordRules()
    _recent: list[Word] = field(
        default_factory=list
    )  # of the words in the sound that is kept, those of this process
    _looked: float = 0.0  # the second up to which an open stretch was heard

    def hear(self, samples: NDArray[np.int16], *, over: bool = False) -> list[Word]:
        """Add sound and return the words that are final now; ``over``: no more will come."""
        self.sound = np.concatenate([self.sound, samples])
        words: list[Word] = []
        while part := self._next(over=over):
            words += self._heard(*part)
        if over:
            self._forget(len(self.sound))
        return words

    def _next(self, *, over: bool) -> tuple[SpeechSegment, _SegmentEnd] | None:
        """Return the stretch that is to be heard now and how it has ended, None if there is none yet."""
        known = round((self.said - self.begin) * SAMPLE_RATE_HZ)
        seen = max(known - int(RECHECKED_S * SAMPLE_RATE_HZ), 0)
        parts = detect_speech(as_floats(self.sound[seen:]))
        found = [SpeechSegment(max(seen + part.start, known), seen + part.end) for part in parts]
        found = [part for part in found if part.end - part.start > MIN_SPEECH_S * SAMPLE_RATE_HZ]
        if not found:
            self._leave(len(self.sound) - int(RECHECKED_S * SAMPLE_RATE_HZ), known)
            return None
        is_near = found[0].start - known <= RECHECKED_S * SAMPLE_RATE_HZ
        start = known if is_near else found[0].start - int(SEGMENT_LEAD_S * SAMPLE_RATE_HZ)
        end = self._end(start, found, over=over)
        if end is not None:
            return SpeechSegment(start, end), _SegmentEnd.ENDED
        if len(self.sound) - start >= self.ends.most * SAMPLE_RATE_HZ:
            return SpeechSegment(start, self._quietest(start)), _SegmentEnd.CUT
        spoken = (len(self.sound) - found[0].start) / SAMPLE_RATE_HZ
        if (
            spoken >= self.ends.hold + self.ends.every
            and self.end - self._looked >= self.ends.every
        ):
            self._looked = self.end
            return SpeechSegment(start, len(self.sound)), _SegmentEnd.OPEN
        return None

    def _leave(self, place: int, known: int) -> None:
        """Forget sound without speech, and the words before it, once they are too far back."""
        self.held = []
        if place - known > self.ends.recall * SAMPLE_RATE_HZ:
            self._forget(place)

    def _forget(self, place: int) -> None:
        """Forget all sound before a sample, and the words in it as what the next stretch goes on from."""
        self.sound = self.sound[place:]
        self.begin = self.begin + place / SAMPLE_RATE_HZ
        self.inside = 0
        self.said = self.begin
        self._recent = []

    def _end(self, start: int, found: list[SpeechSegment], *, over: bool) -> int | None:
        """Return the pause, as a sample, at which the first stretch ends, None if there is none yet."""
        most = start + self.ends.most * SAMPLE_RATE_HZ
        pauses = [part.end for part in found if part.end < len(self.sound) and part.end <= most]
        if pauses and (
            pauses[-1] - start >= self.ends.least * SAMPLE_RATE_HZ or len(self.sound) >= most
        ):
            return pauses[-1]
        is_over = over or len(self.sound) - found[-1].end >= self.ends.pause * SAMPLE_RATE_HZ
        return found[-1].end if is_over and found[-1].end <= most else None

    def _quietest(self, start: int) -> int:
        """Return the middle of the quietest moment in the second half of the longest stretch."""
        size = int(QUIET_MOMENT_S * SAMPLE_RATE_HZ)
        first = start + int(self.ends.most * SAMPLE_RATE_HZ / 2)
        moments = as_floats(self.sound[first : start + int(self.ends.most * SAMPLE_RATE_HZ)])
        loud = (moments[: len(moments) // size * size].reshape(-1, size) ** 2).sum(axis=1)
        return first + int(loud.argmin()) * size + size // 2

    def _heard(self, part: SpeechSegment, how: _SegmentEnd) -> list[Word]:
        """Return the words of a stretch that are final now.

        Their sound is what the next one goes on from.
        """
        known = round((self.said - self.begin) * SAMPLE_RATE_HZ)
        samples = as_floats(self.sound[part.start : part.end])
        start = self.begin + part.start / SAMPLE_RATE_HZ
        words: list[Word] = []
        goes_on = bool(self.inside) and part.start - known < self.ends.recall * SAMPLE_RATE_HZ
        if goes_on:
            earlier = Earlier(
                as_floats(self.sound[: part.start]), " ".join(self.before[-self.inside :])
            )
            words = self.recognise(samples, start, " ".join(self.before[: -self.inside]), earlier)
        if not words and not (goes_on and len(samples) < MIN_ALONE_S * SAMPLE_RATE_HZ):
            words = self.recognise(samples, start, " ".join(self.before), None)
        words, said = self._final(words, self.begin + part.end / SAMPLE_RATE_HZ, how)
        if how is _SegmentEnd.OPEN and not words:
            return []
        if not goes_on:
            self.inside = 0
            self.sound = self.sound[part.start :]
            self.begin = start
            self._recent = []
        self.said, self.inside = said, self.inside + len(words)
        self._recent += words
        self.before = [*self.before, *(word.text for word in words)][-BEFORE_WORDS - self.inside :]
        self._shorten()
        return words

    def _final(self, words: list[Word], end: float, how: _SegmentEnd) -> tuple[list[Word], float]:
        """Return the words of a stretch that are final, and the second up to which all is.

        The others are held.
        """
        number = len(words)
        if how is _SegmentEnd.OPEN:
            number = next(
                (i for i, word in enumerate(words) if word.end > end - self.ends.hold), number
            )
        elif how is _SegmentEnd.CUT and number > 1 and words[-1].start > words[0].end:
            number -= 1
        words, self.held = words[:number], words[number:]
        if how is _SegmentEnd.OPEN:
            return words, words[-1].end if words else self.said
        return words, self.held[0].start if self.held else end

    def _shorten(self) -> None:
        """Forget the first of the sound that is kept once it is too long, up to a new sentence if there is one."""
        if self.said - self.begin <= MAX_PRECEDING_S:
            return
        words = [word for word in self._recent if self.said - word.start <= SHORTENED_PRECEDING_S]
        whole = [word for before, word in pairwise(words) if before.text.endswith(SENTENCE_ENDS)]
        first = next(iter(whole or words), None)
        place = first.start if first else self.said
        self._recent = self._recent[self._recent.index(first) :] if first else []
        self.inside = len(self._recent)
        self.sound = self.sound[round((place - self.begin) * SAMPLE_RATE_HZ) :]
        self.begin = place
