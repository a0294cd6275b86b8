"""The domain: frozen values (transcript, claim, match, report) that each stage of a check passes to the next.

Nothing here knows files, models or screens, and values are checked only where they enter. The
terms are those of docs/architecture.md; an unknown field is ``None``, or ``""`` for text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Any

OWN_NOTE = "own note"  # publisher of a newsroom note: a claim to find again, not a fact-check


class RatingClass(StrEnum):
    """The class of a publisher's rating; the publisher's own words are always shown beside it."""

    TRUE = "TRUE"
    FALSE = "FALSE"
    MIXTURE = "MIXTURE"
    OTHER = "OTHER"
    NOT_A_TRUTH_RATING = "NOT-A-TRUTH-RATING"


# Half true, and not on truth (a flip-flop): they settle nothing, so they never lift a sentence
# (Shaar et al.).
MIXED = (RatingClass.MIXTURE, RatingClass.NOT_A_TRUTH_RATING)


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
    """Whether the numbers, names or dates of a sentence agree with those of a verified claim."""

    SAME = "same"
    DIFFERENT = "different"
    MISSING = "missing"


class Why(StrEnum):
    """Why a key sentence is shown, in the order in which they are read."""

    REPEATS = "repeats the claim"
    NEAREST = "nearest in meaning to the sentence"
    PATTERN = "debunking pattern"
    DECIDES = "decides the rating"


class MatchOrder(StrEnum):
    """How the matches of a tier are ordered.

    ``BEFORE`` also leaves out what was not checked before the event.
    """

    CLOSEST = "closest"
    NEWEST = "newest"
    NEAREST = "nearest"
    BEFORE = "before"
    CLUSTER = "cluster"


class Relation(StrEnum):
    """The relation of an article to the wording of a sentence.

    About the two texts, no verdict on the statement.
    """

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    UNSETTLED = "does not settle"


@dataclass(frozen=True, slots=True)
class Word:
    """A word as it was heard: from when to when, in seconds, and the recogniser's probability, 0 to 1."""

    text: str
    start: float
    end: float
    probability: float = 1.0


@dataclass(frozen=True, slots=True)
class Sentence:
    """One input sentence.

    ``line`` is its line (or cue, row, paragraph) in the source, from 1; times are seconds.

    ``words`` are those of a sentence that was heard; none where the source is text.
    """

    number: int
    line: int
    text: str
    speaker: str | None = None
    start: float | None = None
    end: float | None = None
    words: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """What a reporter would quote as one.

    Sentences of one speaker that make one claim or argue one matter.

    ``sentences`` are their numbers in reading order, one to five; another speaker's interjection between them is left
    out. ``context`` is what it points back to, in the words of the transcript: the question that it answers, the
    sentence that has the name; "" where it stands by itself.
    """

    number: int
    sentences: tuple[int, ...]
    context: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a transcript came from.

    Its file name, the format it was read as, the digest of its bytes.
    """

    name: str
    format: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Transcript:
    """Sentences in reading order, and warnings about what had to be guessed while reading."""

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
    """A claim that a publisher has checked.

    ``rating`` is verbatim; ``body`` is the article, one paragraph a line.
    """

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
    """A sentence of an article, verbatim.

    ``body[start:end] == text``; ``why`` says in words why it is shown.

    Several reasons are separated by commas; ``score`` is that of the first.
    """

    index: int
    start: int
    end: int
    text: str
    score: float
    why: str

    @property
    def whys(self) -> tuple[Why, ...]:
        """Return the reasons that Lectern knows.

        None where ``why`` is in other words, as in early reports.
        """
        return tuple(why for why in Why if why in self.why.split(", "))


@dataclass(frozen=True, slots=True)
class EvidenceStep:
    """A sentence of an article, verbatim, and the relation of the article to the wording after reading it."""

    index: int
    start: int
    end: int
    text: str
    relation: Relation


@dataclass(frozen=True, slots=True)
class ArticleRelation:
    """The relation of an article to a wording, its probability, and the article's sentences in the order of reading."""

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

    ``measures`` follow ``features.similarity.catalogue.MEASURES``. ``contributions`` are keyed by the inputs of the ranker
    that ordered the sentences, by ``base`` and, where it was read again, by ``reread``, and sum to the score of this
    pair; empty for a ranker without any. ``agreement`` has the keys numbers, names, dates. ``relation`` is None where
    Lectern is not sure enough to give one. ``sureness`` has the same names and sums to what decides *likely*; empty
    where that is the score, or was not stored. ``against`` are the conflicts that keep the match from *likely*, named
    as in ``features.language.conflicts``. A measure that a stored report lacks is NaN.
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

    @property
    def differs(self) -> bool:
        """Return whether something was found against the match, or its numbers, names or dates are others."""
        return bool(self.against) or Agreement.DIFFERENT in self.agreement.values()


@dataclass(frozen=True, slots=True)
class CheckedSentence:
    """An input sentence with its matches.

    A dropped one has a reason, and no rank, score, tier or match.

    ``nearest`` is the best candidate of a kept sentence without a match: shown on demand only. ``on_topic``: the
    nearest is about the same topic, but below the border of *possible*.
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
    on_topic: bool = False


@dataclass(frozen=True, slots=True)
class CheckedPassage:
    """A passage with its place in the list: a row of it, folded below a row, or neither.

    ``best`` is the number of the sentence that matches best, None where none has a match; ``tier`` is its tier.
    ``rank`` is the row's place, from 1. ``folded`` are the numbers of the passages that the same fact-check settles by
    the same speaker: they are shown below this row, and ``folded_into`` is the passage below which they are.
    """

    passage: Passage
    best: int | None = None
    tier: Tier | None = None
    rank: int | None = None
    folded: tuple[int, ...] = ()
    folded_into: int | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """What made a report: the same manifest and the same source give the same bytes."""

    lectern: str
    profile: str
    models: Mapping[str, str]
    database: Mapping[str, Any]
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Report:
    """A checked transcript.

    ``sentences`` has every sentence of the transcript, in reading order; so has ``passages``,
    but for interjections.
    """

    transcript: Transcript
    sentences: tuple[CheckedSentence, ...]
    manifest: Manifest
    warnings: tuple[str, ...] = ()
    passages: tuple[CheckedPassage, ...] = ()

    def ranked(self) -> tuple[CheckedSentence, ...]:
        """Return the kept sentences, best first."""
        return tuple(
            sorted((s for s in self.sentences if s.rank is not None), key=lambda s: s.rank or 0)
        )

    def rows(self) -> tuple[CheckedPassage, ...]:
        """Return the passages that are rows of the list, best first."""
        return tuple(
            sorted((p for p in self.passages if p.rank is not None), key=lambda p: p.rank or 0)
        )

    def counts(self) -> dict[str, int]:
        """Return the number of sentences, of check-worthy ones, of those likely and possible.

        Of such rows.
        """
        tiers = [row.tier for row in self.rows()]
        return {
            "sentences": len(self.sentences),
            "check_worthy": sum(s.kept for s in self.sentences),
            "likely": sum(s.tier is Tier.LIKELY for s in self.sentences),
            "possible": sum(s.tier is Tier.POSSIBLE for s in self.sentences),
            "likely_rows": tiers.count(Tier.LIKELY),
            "possible_rows": tiers.count(Tier.POSSIBLE),
        }
