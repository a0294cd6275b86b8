"""The domain: frozen values that each stage of a check passes to the next.

Nothing here knows files, models or screens, and values are checked only where they enter.
docs/reference/glossary.md defines the terms. An unknown field is ``None``, or ``""`` for text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Any

OWN_NOTE = "own note"  # publisher of a newsroom note: a claim to find again, not a fact-check


class RatingClass(StrEnum):
    """The class of a publisher's rating; the publisher's own words are always shown with it."""

    TRUE = "TRUE"
    FALSE = "FALSE"
    MIXTURE = "MIXTURE"
    OTHER = "OTHER"
    NOT_A_TRUTH_RATING = "NOT-A-TRUTH-RATING"


# Half true, and ratings that are not about truth (a flip-flop). They answer no claim, so they
# never raise the rank of a sentence (Shaar et al.).
MIXED = (RatingClass.MIXTURE, RatingClass.NOT_A_TRUTH_RATING)


class Tier(StrEnum):
    """The confidence level of a match; a match below *possible* is not shown."""

    LIKELY = "likely"
    POSSIBLE = "possible"


class Strength(StrEnum):
    """The steps of match strength, strongest first; models/strength.json has what each means.

    Unlike a tier, a strength does not depend on the rating: a half-true match has one as well.
    """

    STRONG = "strong"
    GOOD = "good"
    POSSIBLE = "possible"

    @classmethod
    def highest(cls, strengths: Iterable[Strength | None]) -> Strength | None:
        """Return the highest of some strengths, None if none is known."""
        present = set(strengths)
        return next((strength for strength in cls if strength in present), None)


class Stance(StrEnum):
    """The relation of an input sentence to a verified claim."""

    REPEATS = "repeats"
    CONTRADICTS = "contradicts"
    UNCLEAR = "unclear"


class Agreement(StrEnum):
    """Whether the numbers, names or dates of a sentence agree with those of a verified claim."""

    SAME = "same"
    DIFFERENT = "different"
    MISSING = "missing"


class Why(StrEnum):
    """The reasons to show a key sentence, in the order in which they are named."""

    REPEATS = "repeats the claim"
    NEAREST = "nearest in meaning to the sentence"
    PATTERN = "debunking pattern"
    DECIDES = "decides the rating"


class MatchOrder(StrEnum):
    """The orders of the matches of a tier.

    ``BEFORE`` also leaves out claims that were not checked before the event.
    """

    CLOSEST = "closest"
    NEWEST = "newest"
    NEAREST = "nearest"
    BEFORE = "before"
    CLUSTER = "cluster"


class Relation(StrEnum):
    """The relation of an article to the wording of a sentence.

    It is about the two texts, not a verdict on the statement.
    """

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    UNSETTLED = "does not settle"


class SpeakerRole(StrEnum):
    """The part of a speaker in a debate. ``OTHER`` is none of the others, as of an expert."""

    MODERATOR = "moderator"
    CANDIDATE = "candidate"
    AUDIENCE = "audience"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class SpokenWord:
    """A transcribed word: start and end in seconds, and the recogniser's probability, 0 to 1."""

    text: str
    start: float
    end: float
    probability: float = 1.0


@dataclass(frozen=True, slots=True)
class Sentence:
    """One input sentence.

    ``line`` is its line (or cue, row, paragraph) in the source, from 1; times are seconds.
    ``words`` are the words of a transcribed sentence; none if the source is text.
    """

    number: int
    line: int
    text: str
    speaker: str | None = None
    start: float | None = None
    end: float | None = None
    words: tuple[SpokenWord, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """Sentences of one speaker that make one claim or argument, as one would quote them.

    ``sentences`` are their numbers in reading order, one to five; another speaker's interjection
    between them is left out. ``context`` is text of the transcript that it points back to: the
    question that it answers, or the sentence with the name; "" if it needs none.
    """

    number: int
    sentences: tuple[int, ...]
    context: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """The source of a transcript: file name, the format it was read as, digest of its bytes."""

    name: str
    format: str
    sha256: str


@dataclass(frozen=True, slots=True)
class DoubtfulLabel:
    """A line that may begin with a speaker label, which was not believed.

    ``label`` are the words that may be the label, ``text`` is the line. Reading again with the
    label among the accepted ones gives its words to that speaker.
    """

    line: int
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class SpeakerEvidence:
    """A speaker with the number of turns, and the grounds for the label in words.

    ``evidence`` is "" if the format itself names the speakers.
    """

    speaker: str
    turn_count: int
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class Transcript:
    """Sentences in reading order, and warnings about guesses of the reader.

    ``doubtful_labels`` are the lines that may be speaker labels. ``speaker_evidence`` lists the
    speakers in the order of their first turn. ``speaker_roles`` are the roles that a person chose,
    with the speaker of each; they overrule those that the words show.
    """

    title: str
    event_date: date | None
    source: Source
    sentences: tuple[Sentence, ...]
    warnings: tuple[str, ...] = ()
    doubtful_labels: tuple[DoubtfulLabel, ...] = ()
    speaker_evidence: tuple[SpeakerEvidence, ...] = ()
    speaker_roles: tuple[tuple[str, SpeakerRole], ...] = ()

    def __iter__(self) -> Iterator[Sentence]:
        return iter(self.sentences)

    def __len__(self) -> int:
        return len(self.sentences)


@dataclass(frozen=True, slots=True)
class VerifiedClaim:
    """A claim that a publisher has checked.

    ``rating`` is verbatim; ``body`` is the article, one paragraph per line.
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

    ``body[start:end] == text``; ``why`` gives the reasons to show it, separated by commas;
    ``score`` belongs to the first reason.
    """

    index: int
    start: int
    end: int
    text: str
    score: float
    why: str

    @property
    def whys(self) -> tuple[Why, ...]:
        """Return the reasons as values; none if ``why`` has other words, as in early reports."""
        return tuple(why for why in Why if why in self.why.split(", "))


@dataclass(frozen=True, slots=True)
class EvidenceStep:
    """A sentence of an article, verbatim, and the relation to the wording after reading it."""

    index: int
    start: int
    end: int
    text: str
    relation: Relation


@dataclass(frozen=True, slots=True)
class ArticleRelation:
    """The relation of an article to a wording, with its probability.

    ``steps`` are the article's sentences in the order of reading.
    """

    relation: Relation
    confidence: float
    steps: tuple[EvidenceStep, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """A person's decision on a match: ``verdict`` is confirm, reject or later."""

    verdict: str
    reason: str = ""
    by: str = ""
    at: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class ReopenedDecision:
    """A decision that is open again, because the publisher has changed the fact-check since.

    ``was`` and ``since`` are the words before and after the change: "it was rated False", "rated
    Mostly True since 3 May 2024".
    """

    decision: Decision
    was: str
    since: str


@dataclass(frozen=True, slots=True)
class Difference:
    """A conflict or another part of a sentence and a claim, with the words of each, "" if not named."""

    conflict: str
    said: str = ""
    claimed: str = ""


@dataclass(frozen=True, slots=True)
class Match:
    """A verified claim that a sentence repeats, or may repeat, with the evidence for it.

    ``measures`` follow ``features.similarity.catalogue.MEASURES``; a value that a stored report
    lacks is NaN. ``contributions`` are keyed by the inputs of the ranker that ordered the
    sentences, by ``base`` and, if the pair was reranked, by ``reread``, and sum to the score of
    this pair; empty for a ranker without any. ``sureness`` has the same keys and sums to the score
    that decides *likely*; empty if that is the same score, or was not stored. ``agreement`` has
    the keys numbers, names, dates. ``against`` are the conflicts that keep the match from *likely*,
    named as in ``features.language.conflicts``, and ``differences`` are the same with the words
    that differ; a report of an older version has none. ``uncovered`` are the parts that only one of
    the two texts has, or has otherwise, named as in ``features.language.open_parts.partial_coverage``; they keep
    no match from *likely*. ``relation`` is None if Lectern is not confident
    enough to give one. ``reopened`` is a decision that the publisher's change has opened again;
    ``decision`` is None then. ``revised`` are the words of a change since the check: "rated Mostly
    True since 3 May 2024", "withdrawn on 4 May 2024". ``other_addresses`` counts the addresses at
    which strangers repeat the claim.
    ``strength`` is None below *possible*, for the published method, and for a report of a ranker
    whose scores were not measured. ``comments`` are comments of colleagues in words, only in a report
    for an export that asks for them; they are stored elsewhere.
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
    differences: tuple[Difference, ...] = ()
    uncovered: tuple[Difference, ...] = ()
    relation: ArticleRelation | None = None
    reopened: ReopenedDecision | None = None
    revised: str = ""
    other_addresses: int = 0
    strength: Strength | None = None
    comments: tuple[str, ...] = ()

    @property
    def differs(self) -> bool:
        """Return whether the match has a conflict, or other numbers, names or dates."""
        return bool(self.against) or Agreement.DIFFERENT in self.agreement.values()

    @property
    def is_strong(self) -> bool:
        """Return whether it is strong; without strengths, the tier *likely* stands for it."""
        if self.strength is None:
            return self.tier is Tier.LIKELY
        return self.strength is Strength.STRONG


@dataclass(frozen=True, slots=True)
class CheckedSentence:
    """An input sentence with its matches.

    A dropped one has a reason, and no rank, score, tier or match. ``nearest`` is the best candidate
    of a kept sentence without a match, shown on demand only. ``on_topic``: the nearest is about
    the same topic, but below the threshold of *possible*. ``restates`` is the number of a better
    ranked sentence of the same speaker that makes the same statement, None if there is none.
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
    restates: int | None = None

    @property
    def strength(self) -> Strength | None:
        """Return the highest strength of the matches, whatever their ratings."""
        return Strength.highest(match.strength for match in self.matches)

    @property
    def listed_tier(self) -> Tier | None:
        """Return the highest tier of the sentence and its matches, whatever their ratings."""
        tiers = {self.tier, *(match.tier for match in self.matches)}
        if Tier.LIKELY in tiers:
            return Tier.LIKELY
        return Tier.POSSIBLE if Tier.POSSIBLE in tiers else None


@dataclass(frozen=True, slots=True)
class CheckedPassage:
    """A passage and its position in the list of results.

    It is a row of the list, grouped under another row, or neither. ``best`` is the number of the
    sentence that matches best, None if no sentence has a match. ``listed`` is the row's position,
    from 1, and ``strength`` that of the best sentence, else the highest of all sentences. ``rank``
    and ``tier`` are position and tier in the list that skips mixed ratings, as the published method
    does. ``folded`` are the numbers of the passages of the same speaker that make the same
    statement: they are grouped under this row. ``folded_into`` is the passage that this one is
    grouped under. ``aside`` says why a passage with a match is left out of the list: one of
    ``assistant.passages.listing.ASIDES``, "" if it isn't.
    """

    passage: Passage
    best: int | None = None
    tier: Tier | None = None
    rank: int | None = None
    folded: tuple[int, ...] = ()
    folded_into: int | None = None
    strength: Strength | None = None
    listed: int | None = None
    aside: str = ""


@dataclass(frozen=True, slots=True)
class Manifest:
    """The versions behind a report: the same manifest and source give the same bytes."""

    lectern: str
    profile: str
    models: Mapping[str, str]
    database: Mapping[str, Any]
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Report:
    """A checked transcript.

    ``sentences`` has every sentence of the transcript, in reading order. ``passages`` has every
    sentence but interjections.
    """

    transcript: Transcript
    sentences: tuple[CheckedSentence, ...]
    manifest: Manifest
    warnings: tuple[str, ...] = ()
    passages: tuple[CheckedPassage, ...] = ()

    def ranked(self) -> tuple[CheckedSentence, ...]:
        """Return the kept sentences, best first."""
        ranked = [sentence for sentence in self.sentences if sentence.rank is not None]
        return tuple(sorted(ranked, key=lambda sentence: sentence.rank or 0))

    def rows(self) -> tuple[CheckedPassage, ...]:
        """Return the passages that are rows of the list, best first."""
        listed = [passage for passage in self.passages if passage.listed is not None]
        return tuple(sorted(listed, key=lambda passage: passage.listed or 0))

    def counts(self) -> dict[str, int]:
        """Count the sentences, the check-worthy ones, and sentences and rows by tier and strength."""
        # A row of the results list is a passage.
        sentence_tiers = [sentence.tier for sentence in self.sentences]
        result_rows = self.rows()
        row_tiers = [row.tier for row in result_rows]
        sentence_by_number = {checked.sentence.number: checked for checked in self.sentences}
        row_strengths = []
        for row in result_rows:
            # A row names the strength of its first match, although a later one may be stronger.
            best = sentence_by_number[row.best] if row.best is not None else None
            row_strengths.append(best.matches[0].strength if best and best.matches else None)
        return {
            "sentences": len(self.sentences),
            "check_worthy": sum(sentence.kept for sentence in self.sentences),
            "likely": sentence_tiers.count(Tier.LIKELY),
            "possible": sentence_tiers.count(Tier.POSSIBLE),
            "likely_rows": row_tiers.count(Tier.LIKELY),
            "possible_rows": row_tiers.count(Tier.POSSIBLE),
            "strong_rows": row_strengths.count(Strength.STRONG),
            "good_rows": row_strengths.count(Strength.GOOD),
            "possible_strength_rows": row_strengths.count(Strength.POSSIBLE),
        }
