"""The values that every stage passes to the next: frozen, checked nowhere but at the edge, with no input or output.

A stage is a function from one of these to another; nothing here knows files, models or screens.
The words are those of docs/architecture.md; a field that is unknown is ``None`` (or ``""`` for text).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Any

OWN_NOTE = "own note"  # the publisher of what a newsroom wrote down for itself: a claim to find again, no fact-check


class RatingClass(StrEnum):
    """What a publisher's rating amounts to; the publisher's own words always stand beside it."""

    TRUE = "TRUE"
    FALSE = "FALSE"
    MIXTURE = "MIXTURE"
    OTHER = "OTHER"
    NOT_A_TRUTH_RATING = "NOT-A-TRUTH-RATING"


class Tier(StrEnum):
    """How sure a match is; a match below *possible* is not shown."""

    LIKELY = "likely"
    POSSIBLE = "possible"


class Stance(StrEnum):
    """What an input sentence does with a verified claim."""

    REPEATS = "repeats"
    CONTRADICTS = "contradicts"
    UNCLEAR = "unclear"


class Agreement(StrEnum):
    """How the numbers, names or dates of a sentence stand to those of a verified claim."""

    SAME = "same"
    DIFFERENT = "different"
    MISSING = "missing"


class Why(StrEnum):
    """What a key sentence is there for, in the order in which they are read."""

    REPEATS = "repeats the claim"
    NEAREST = "nearest in meaning to the sentence"
    PATTERN = "debunking pattern"
    DECIDES = "decides the rating"


class MatchOrder(StrEnum):
    """What the matches of one tier are ordered by; ``BEFORE`` also leaves out what was not checked before the event."""

    CLOSEST = "closest"
    NEWEST = "newest"
    NEAREST = "nearest"
    BEFORE = "before"
    CLUSTER = "cluster"


class Relation(StrEnum):
    """How an article stands to the wording of a sentence: of the two texts, and no verdict on what was said."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    UNSETTLED = "does not settle"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One input sentence. ``line`` is its line (or cue, row, paragraph) in the source, from 1; times are seconds."""

    number: int
    line: int
    text: str
    speaker: str | None = None
    start: float | None = None
    end: float | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """Where a transcript came from: the file's own name, the format it was read as, the digest of its bytes."""

    name: str
    format: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Transcript:
    """Sentences in reading order, and what had to be guessed to get them."""

    title: str
    event_date: date | None
    source: Source
    sentences: tuple[Sentence, ...]
    warnings: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Sentence]:
        return iter(self.sentences)

    def __len__(self) -> int:
        return len(self.sentences)


@dataclass(frozen=True, slots=True)
class VerifiedClaim:
    """A claim that a publisher has checked. ``rating`` is verbatim; ``body`` is the article, one paragraph a line."""

    id: str
    statement: str
    title: str = ""
    body: str = ""
    claimant: str = ""
    claim_date: date | None = None
    rating: str = ""
    rating_class: RatingClass = RatingClass.OTHER
    review_date: date | None = None
    publisher: str = ""
    url: str = ""
    language: str = "en"


@dataclass(frozen=True, slots=True)
class KeySentence:
    """A sentence of an article, verbatim. ``body[start:end] == text``; ``why`` says in words what it is there for.

    What is there for several reasons names them all, with commas between; ``score`` is that of the first.
    """

    index: int
    start: int
    end: int
    text: str
    score: float
    why: str

    @property
    def whys(self) -> tuple[Why, ...]:
        """Return the reasons that Lectern knows; none where ``why`` is in other words, as in reports of long ago."""
        return tuple(why for why in Why if why in self.why.split(", "))


@dataclass(frozen=True, slots=True)
class EvidenceStep:
    """A sentence of an article, verbatim, and how the article stands to the wording once it was read."""

    index: int
    start: int
    end: int
    text: str
    relation: Relation


@dataclass(frozen=True, slots=True)
class ArticleRelation:
    """How an article stands to a wording, how sure that is (0 to 1), and the sentences in the order of reading."""

    relation: Relation
    confidence: float
    steps: tuple[EvidenceStep, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person decided about a match: ``verdict`` is confirm, reject or later."""

    verdict: str
    reason: str = ""
    by: str = ""
    at: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Match:
    """A verified claim that a sentence repeats, or may repeat, with the evidence for it.

    ``measures`` follow ``features.catalogue.MEASURES``. ``contributions`` are keyed by the inputs of the ranker
    that ordered the sentences and sum to the score of this pair; empty where the ranker has none to give.
    ``agreement`` is keyed numbers, names, dates. ``relation`` is None where Lectern is not sure enough to say one.
    ``sureness`` has the same names and sums to what *likely* goes by; empty where that is the score, or was not kept.
    ``against`` names what was found to keep the match from *likely*, as ``features.conflict`` does.
    """

    claim: VerifiedClaim
    rank: int
    score: float
    tier: Tier | None
    measures: tuple[float, ...]
    contributions: Mapping[str, float] = field(default_factory=dict)
    stance: Stance = Stance.UNCLEAR
    agreement: Mapping[str, Agreement] = field(default_factory=dict)
    key_sentences: tuple[KeySentence, ...] = ()
    decision: Decision | None = None
    sureness: Mapping[str, float] = field(default_factory=dict)
    against: tuple[str, ...] = ()
    relation: ArticleRelation | None = None


@dataclass(frozen=True, slots=True)
class CheckedSentence:
    """An input sentence with what was found for it. A dropped one has a reason, and no rank, score, tier or match.

    ``nearest`` is the best candidate of a kept sentence that was too far to be a match: shown on demand only.
    """

    sentence: Sentence
    check_worthiness: float
    kept: bool
    dropped_reason: str | None = None
    rank: int | None = None
    score: float | None = None
    tier: Tier | None = None
    matches: tuple[Match, ...] = ()
    nearest: Match | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """What made a report: with the same manifest and the same source, the same bytes come out."""

    lectern: str
    profile: str
    models: Mapping[str, str]
    database: Mapping[str, Any]
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Report:
    """A checked transcript. ``sentences`` is in reading order and holds every sentence of the transcript."""

    transcript: Transcript
    sentences: tuple[CheckedSentence, ...]
    manifest: Manifest
    warnings: tuple[str, ...] = ()

    def ranked(self) -> tuple[CheckedSentence, ...]:
        """Return the kept sentences, best first."""
        return tuple(sorted((s for s in self.sentences if s.rank is not None), key=lambda s: s.rank or 0))

    def counts(self) -> dict[str, int]:
        """Return the number of sentences, of check-worthy ones, and of those with a likely and a possible match."""
        return {
            "sentences": len(self.sentences),
            "check_worthy": sum(s.kept for s in self.sentences),
            "likely": sum(s.tier is Tier.LIKELY for s in self.sentences),
            "possible": sum(s.tier is Tier.POSSIBLE for s in self.sentences),
        }
