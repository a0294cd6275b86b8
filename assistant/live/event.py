"""What is known of a live event: sentences with what was found for them, repeats, health. Frozen values, no I/O."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from assistant.ground.domain import Tier
from assistant.ground.names import speaker_surname

NAME = re.compile(r"[\w][\w .,'’-]{0,79}")


@dataclass(frozen=True, slots=True)
class Event:
    """A debate that is followed. ``name`` is what sources and addresses call it."""

    name: str
    title: str
    day: date | None = None


@dataclass(frozen=True, slots=True)
class Spot:
    """A sentence of an event as it stands now. ``said``, ``settled`` and ``checked`` are clock seconds since 1970.

    ``revision`` counts what its text has been; ``final``: it will not change by itself. Until it is ``checked`` there
    is no ``kept``, tier or score. ``claim``: the id of the best match.
    """

    id: int
    number: int
    text: str
    speaker: str | None
    start: float | None
    end: float | None
    final: bool
    revision: int
    said: float
    settled: float
    checked: float | None = None
    worthiness: float | None = None
    kept: bool | None = None
    reason: str = ""
    tier: Tier | None = None
    score: float | None = None
    claim: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """What checking a sentence gave; ``report`` is its archived report of one sentence, empty if it was dropped."""

    worthiness: float
    kept: bool
    reason: str = ""
    tier: Tier | None = None
    score: float | None = None
    claim: str = ""
    report: bytes = b""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A time at which a speaker made the claim that a fact-check is about."""

    event: str
    title: str
    day: date | None
    number: int
    said: float


@dataclass(frozen=True, slots=True)
class Feed:
    """A source of an event: when its last line came, and the last thing that was wrong with it."""

    name: str
    last: float | None
    warning: str
    warned: float | None
    beat: float | None


@dataclass(frozen=True, slots=True)
class Health:
    """How an event is followed at a moment: ``waiting`` sentences, the oldest of them ``lag`` seconds old.

    ``beat``: when an engine last gave a sign of life; ``latency``: seconds from final line to stored matches, the
    median and the 95th percentile of the last hundred kept sentences.
    """

    feeds: tuple[Feed, ...]
    last: float | None
    waiting: int
    lag: float
    beat: float | None
    latency: tuple[float, float] | None

    @property
    def behind(self) -> bool:
        """Return whether sentences come faster than they are checked."""
        return self.lag > BEHIND_S


BEHIND_S = 3.0


def who(speaker: str | None) -> str:
    """Return what one person's labels have in common: the surname in lower case, or the whole label; "" for nobody."""
    return speaker_surname(speaker or "") or (speaker or "").casefold().strip()
