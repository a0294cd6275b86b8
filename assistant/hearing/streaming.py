"""Words out of sound that goes on: a stretch of speech that has ended is heard once, whole, as in a recording.

Stretches end where those of a finished recording do, so that both have the same words. Nothing is left behind before
the stretch that it belongs to has been heard.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assistant.ground.domain import Word
from assistant.hearing.decoding import RATE
from assistant.hearing.recogniser import BEFORE_WORDS
from assistant.hearing.stretches import (
    APART_S,
    LEAST_SPEECH_S,
    WINDOW_S,
    Samples,
    Stretch,
    floats,
    joined,
    speech,
    stretches,
)

Recognise = Callable[[Samples, float, str], list[Word]]  # samples, the second at which they begin, the words before


@dataclass
class Stream:
    """The state of a stream: sound from second ``begin``; all up to second ``said`` is final.

    ``begin`` is that of a window, as ``stretches`` reads a recording, because silero's answer depends on what it heard.
    ``before``: the last final words, the model's context. These three are all that a restart needs.
    """

    recognise: Recognise
    begin: float = 0.0
    said: float = 0.0
    before: list[str] = field(default_factory=list)
    sound: NDArray[np.int16] = field(default_factory=lambda: np.zeros(0, np.int16))

    @property
    def end(self) -> float:
        """Return the second up to which sound has come."""
        return self.begin + len(self.sound) / RATE

    def hear(self, samples: NDArray[np.int16], *, over: bool = False) -> list[Word]:
        """Add sound and return the words that are final now; ``over``: no more will come."""
        self.sound = np.concatenate([self.sound, samples])
        words: list[Word] = []
        while len(self.sound) > WINDOW_S * RATE or (over and len(self.sound)):
            end, found = next(stretches(self.sound))
            words += self._heard(found)
            self.sound, self.begin = self.sound[end:], self.begin + end / RATE
        return words + self._heard(self._ended())

    def _ended(self) -> list[Stretch]:
        """Return the stretches that no more sound changes."""
        found = joined(speech(floats(self.sound)))
        if found and len(self.sound) - found[-1].end < APART_S * RATE:
            found.pop()
        return found

    def _heard(self, found: list[Stretch]) -> list[Word]:
        """Return the words of stretches, without sound whose words are final."""
        words: list[Word] = []
        for part in found:
            start = max(part.start, round((self.said - self.begin) * RATE))
            if part.end - start > LEAST_SPEECH_S * RATE:
                samples = floats(self.sound[start : part.end])
                found = self.recognise(samples, self.begin + start / RATE, " ".join(self.before))
                self.before = [*self.before, *(word.text for word in found)][-BEFORE_WORDS:]
                words += found
                self.said = self.begin + part.end / RATE
        return words
