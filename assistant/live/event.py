"""A live event as values: the event, its sentences, the outcomes of their checks, repeats, and its health."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from assistant.core.domain import Sentence, Tier
from assistant.core.person_names import speaker_surname
from assistant.report.measured_strength import is_strong

BEHIND_S = 3.0
EVENT_NAME = re.compile(r"[\w][\w .,'’-]{0,79}")
_OTHER_CHARACTERS_PATTERN = re.compile(r"[^\w .,'’-]+")


def name_of_title(title: str) -> str:
    """Return a title as the name of an event: ``Q&A: who pays?`` becomes ``Q A who pays``.

    A name is part of addresses, in which ``/`` and ``&`` mean something else.
    """
    words = _OTHER_CHARACTERS_PATTERN.sub(" ", title).split()
    return " ".join(words).strip(" .,'’-")[:80].strip()


@dataclass(frozen=True, slots=True)
class Event:
    """A debate that is followed; ``name`` is its key in addresses and in the database."""

    name: str
    title: str
    day: date | None = None


@dataclass(frozen=True, slots=True)
class LiveSentence:
    """A sentence of an event as it reads now.

    ``said``, ``settled`` and ``checked`` are seconds since 1970.

    ``revision`` counts its texts so far; ``final``: only a correction changes it. Until it is ``checked`` there is no
    ``kept``, tier or score. ``claim``: the id of the best match. ``strength`` of the best match: "" if the ranker
    gives none, or an earlier version checked the sentence.
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
    strength: str = ""
    score: float | None = None
    claim: str = ""

    @property
    def is_strong(self) -> bool:
        """Return whether its best match is strong, or likely if no strength is known."""
        return is_strong(self.strength, self.tier)

    def as_sentence(self) -> Sentence:
        """Return the sentence as a transcript has it."""
        return Sentence(self.number, self.number, self.text, self.speaker, self.start, self.end)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a check; ``report`` is the stored report of this one sentence, empty if it was dropped.

    ``vector``: its SBERT vector in half precision; empty where the sentence could not be read. ``strength`` of
    the best match: "" if the ranker gives none.
    """

    worthiness: float
    kept: bool
    reason: str = ""
    tier: Tier | None = None
    score: float | None = None
    claim: str = ""
    report: bytes = b""
    vector: bytes = b""
    strength: str = ""


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    """A sentence with its check-worthiness; with its outcome if it is dropped.

    ``recalled_sentences``: sentences of its passage that were dropped before this one was said, and now are to be checked.
    """

    sentence: LiveSentence
    worthiness: float
    outcome_if_dropped: Outcome | None = None
    recalled_sentences: tuple[LiveSentence, ...] = ()


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
    """A source of an event: when its last line came, its last warning and when that was given.

    ``unheard``: seconds of sound that wait; None where the source brings words.
    """

    name: str
    last: float | None
    warning: str
    warned: float | None = None
    unheard: float | None = None


@dataclass(frozen=True, slots=True)
class Health:
    """The state of an event at a moment.

    ``waiting_count`` sentences wait, the oldest for ``lag_s`` seconds.

    ``beat``: the last sign of life of an engine; ``latency``: seconds from final line to stored matches, the median and
    the 95th percentile of the last hundred kept sentences.
    """

    feeds: tuple[Feed, ...]
    last_line_at: float | None
    waiting_count: int
    lag_s: float
    beat: float | None
    latency: tuple[float, float] | None

    @property
    def behind(self) -> bool:
        """Return whether sentences come faster than they are checked."""
        return self.lag_s > BEHIND_S

    @property
    def unheard_s(self) -> float | None:
        """Return how many seconds of sound wait at the slowest source.

        None where nothing is listened to.
        """
        return max((feed.unheard for feed in self.feeds if feed.unheard is not None), default=None)


def speaker_key(speaker: str | None) -> str:
    """Return what the labels of one person share: the surname in lower case, or the whole label.

    "" for nobody.
    """
    return speaker_surname(speaker or "") or (speaker or "").casefold().strip()
