"""Words out of sound that goes on: what two hearings in a row agree on is final (local agreement).

Source: Macháček, Dabre and Bojar 2023, "Turning Whisper into Real-Time Transcription System", section 3. The sound
that is heard again and again begins where a sentence ended, so that it stays short; after a pause all is final.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from assistant.ground.domain import Word
from assistant.hearing.decoding import RATE
from assistant.hearing.stretches import PAD_S, Samples, speech

TRIM_S = 12.0  # sound heard again and again; what is final before that is left behind
LONGEST_S = 27.0  # Whisper hears thirty seconds
PAUSE_S = 0.7  # after a pause as long as this, nothing changes any more
SAME_S = 0.1  # words that end so shortly after the last final one are that one
REPEATED = 5  # words at a border that may have been heard twice
_ENDS = (".", "?", "!")
Recognise = Callable[[Samples, float, bool], list[Word]]  # samples, the second at which they begin, whether in haste


@dataclass
class Agreement:
    """The state of a stream: sound that is still heard, from second ``begin``, and words that are not agreed on yet.

    ``said`` is the second up to which all is final, ``last`` are the last final words.
    """

    recognise: Recognise
    begin: float = 0.0
    said: float = 0.0
    last: list[str] = field(default_factory=list)
    tentative: list[Word] = field(default_factory=list)
    sound: Samples = field(default_factory=lambda: np.zeros(0, np.float32))

    @property
    def end(self) -> float:
        """Return the second up to which sound has come."""
        return self.begin + len(self.sound) / RATE

    def hear(self, samples: Samples, *, over: bool = False) -> list[Word]:
        """Add sound and return the words that are final now; ``over``: no more will come."""
        self.sound = np.concatenate([self.sound, samples])
        final: list[Word] = []
        while self.end - self.begin > LONGEST_S:
            final += self._first_part()
        return final + self._rest(over)

    def _first_part(self) -> list[Word]:
        """Return as final what is said in as much sound as the recogniser takes, and leave it.

        It ends at the last pause, without one after a whole word.
        """
        part = self.sound[: int(LONGEST_S * RATE)]
        spoken = speech(part)
        pause = spoken[-2].end if len(spoken) > 1 else 0
        heard = self._new(self.recognise(part[: pause or len(part)], self.begin, False)) if spoken else []
        self.tentative = heard if pause else heard[:-1]
        if pause:
            return self._all_final(self.begin + pause / RATE)
        return self._all_final(self.tentative[-1].end if self.tentative else self.begin + LONGEST_S - PAD_S)

    def _rest(self, over: bool) -> list[Word]:
        """Return what is final in sound that the recogniser takes at once."""
        spoken = speech(self.sound)
        if not spoken:
            return self._all_final(self.end - PAD_S)
        paused = len(self.sound) - spoken[-1].end > (PAUSE_S - PAD_S) * RATE
        heard = self._new(self.recognise(self.sound, self.begin, not (over or paused)))  # what is final: with care
        before, self.tentative = self.tentative, heard
        if over or paused:
            return self._all_final(self.end if over else self.begin + spoken[-1].end / RATE)
        agreed = heard[: _agreeing(before, heard)]
        self._settle(agreed)
        self.tentative = heard[len(agreed) :]
        self._trim(agreed)
        return agreed

    def _new(self, heard: Sequence[Word]) -> list[Word]:
        """Return the words that are not final yet."""
        fresh = [word for word in heard if word.end > self.said + SAME_S]
        for size in range(min(REPEATED, len(fresh), len(self.last)), 0, -1):
            again = [_key(word) for word in fresh[:size]] == self.last[-size:]
            if again and fresh[0].start < self.said + SAME_S:
                return fresh[size:]
        return fresh

    def _settle(self, words: Sequence[Word]) -> None:
        if words:
            self.said = words[-1].end
            self.last = [*self.last, *(_key(word) for word in words)][-REPEATED:]

    def _all_final(self, upto: float) -> list[Word]:
        """Return the tentative words as final, and leave the sound up to a second behind."""
        words, self.tentative = self.tentative, []
        self._settle(words)
        self._leave(upto)
        self.said = max(self.said, self.begin) if words else self.begin
        return words

    def _trim(self, agreed: Sequence[Word]) -> None:
        """Leave behind what is final, up to the end of a sentence if there is one."""
        if self.end - self.begin > TRIM_S and agreed:
            ends = [word.end for word in agreed if word.text.endswith(_ENDS)]
            self._leave((ends or [agreed[-1].end])[-1])

    def _leave(self, upto: float) -> None:
        cut = min(max(int((upto - self.begin) * RATE), 0), len(self.sound))
        self.sound, self.begin = self.sound[cut:], self.begin + cut / RATE


def _agreeing(before: Sequence[Word], now: Sequence[Word]) -> int:
    """Return how many words at the beginning are the same in both hearings."""
    same = 0
    for old, new in zip(before, now, strict=False):
        if _key(old) != _key(new):
            break
        same += 1
    return same


def _key(word: Word) -> str:
    return word.text.casefold().strip(".,!?;:\"'")
