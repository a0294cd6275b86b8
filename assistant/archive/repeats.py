"""Repeats: for each fact-check who made its claim in which debates, and how often after it was published.

Counted are passages that stand in the list of a report and do not say the opposite. What a person
rejected does not count; what a person confirmed and what nobody has looked at are told apart
wherever they are counted. A decision that a change of the fact-check has opened again counts as
none. What nobody has looked at counts if it makes the claim with a chance of
``same_claim.AT_LEAST``. Nothing is added up over fact-checks: there is no score of persons.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import sqlalchemy as sa

from assistant.archive.archive_store import ArchivedTranscript, ArchiveStore
from assistant.archive.tables import chances, mentions, sentences, transcripts
from assistant.check.same_claim import COUNTED_CHANCE
from assistant.claims.claim_store import ClaimStore
from assistant.claims.claim_store import claims as stored
from assistant.core.domain import Tier, VerifiedClaim
from assistant.core.person_names import speaker_surname
from assistant.review import revisions
from assistant.review.decision_placement import words_of
from assistant.review.decision_store import DecisionStore
from assistant.review.decision_store import decisions as decided

CONFIRMED = "confirmed"
UNREVIEWED = "unreviewed"
UNKNOWN_SPEAKER = "Speaker unknown"
_WORD_OF_WORDING = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Mention:
    """A sentence that makes the claim of a fact-check.

    ``state`` is ``CONFIRMED`` or ``UNREVIEWED``. ``open_again`` says why a decision on it no longer
    counts: the publisher has changed the fact-check since.
    """

    sentence: int
    number: int
    debate: ArchivedTranscript
    speaker: str
    text: str
    start: float | None
    tier: str
    state: str
    chance: float | None = None
    open_again: str = ""

    @property
    def is_sure(self) -> bool:
        """Return whether it counts.

        Confirmed by a person, or surely the claim (likely, where no chance is known).
        """
        surely = self.tier == Tier.LIKELY if self.chance is None else self.chance >= COUNTED_CHANCE
        return self.state == CONFIRMED or surely

    @property
    def person(self) -> str:
        """Return who is taken for one person: a last name.

        A label without any is a person of its debate only.
        """
        return (
            speaker_surname(self.speaker) or f"{self.speaker or UNKNOWN_SPEAKER} ({self.debate.id})"
        )


@dataclass(frozen=True, slots=True)
class RepeatedClaim:
    """A fact-check with the passages that make its claim, the earliest first.

    Those without a date last.
    """

    claim: VerifiedClaim
    mentions: tuple[Mention, ...]

    @property
    def debates(self) -> int:
        """Return in how many debates it was said."""
        return len({m.debate.id for m in self.mentions})

    @property
    def days(self) -> tuple[date | None, date | None]:
        """Return the first and the last day on which it was said, None where no day is known."""
        known = [m.debate.event_date for m in self.mentions if m.debate.event_date]
        return (known[0], known[-1]) if known else (None, None)

    def count(self, state: str) -> int:
        """Return how many of the passages are confirmed, or unreviewed."""
        return sum(m.state == state for m in self.mentions)

    def open_again_count(self) -> int:
        """Return how many of the passages have a decision that is open again."""
        return sum(bool(mention.open_again) for mention in self.mentions)

    def after(self) -> tuple[Mention, ...]:
        """Return what was said after the day on which the fact-check was published.

        None where a day is unknown.
        """
        day = self.claim.review_date
        return tuple(
            m for m in self.mentions if day and m.debate.event_date and m.debate.event_date > day
        )

    def by(self) -> list[tuple[str, list[Mention]]]:
        """Return who said it, under the label used most, with what they said.

        Who said it most often first.
        """
        people: dict[str, list[Mention]] = defaultdict(list)
        for mention in self.mentions:
            people[mention.person].append(mention)
        named = [(_person_label(said), said) for said in people.values()]
        return sorted(named, key=lambda row: (-len(row[1]), row[0]))


@dataclass(frozen=True, slots=True)
class RepeatCounts:
    """What the counts are of: transcripts that were checked, fact-checks found in them, those among ``repeated``."""

    transcripts: int
    checked: int
    fact_checks: int
    repeated: tuple[RepeatedClaim, ...]


def count_repeats(
    archive: ArchiveStore,
    claims: ClaimStore,
    decisions: DecisionStore,
    *,
    all_possible: bool = False,
    debates: int = 1,
) -> RepeatCounts:
    """Return what was said again, the fact-checks made in most debates first.

    ``all_possible``: whatever is possible counts; ``debates``: in at least so many of them.
    """
    entries = {entry.id: entry for entry in archive.entries()}
    by_claim: dict[str, list[Mention]] = defaultdict(list)
    for claim_id, mention in _mentions(archive, entries, _verdicts(decisions)):
        if all_possible or mention.is_sure:
            by_claim[claim_id].append(mention)
    known = claims.many(by_claim)
    repeated = [
        RepeatedClaim(known[c], tuple(sorted(said, key=_time_order)))
        for c, said in by_claim.items()
        if c in known
    ]
    chosen = [row for row in repeated if row.debates >= debates]
    chosen.sort(key=lambda row: (-row.debates, -len(row.mentions), row.claim.id))
    return RepeatCounts(
        len(entries), sum(bool(e.stamp) for e in entries.values()), len(repeated), tuple(chosen)
    )


def counts_version(archive: ArchiveStore) -> tuple[object, ...]:
    """Return a value that changes with whatever the counts depend on."""
    t = transcripts.c
    d = decided.c
    c = stored.c
    asked = (
        sa.select(sa.func.count(), sa.func.max(t.changed)).select_from(transcripts),
        sa.select(sa.func.count(), sa.func.max(d.done_at)).select_from(decided),
        sa.select(sa.func.count(), sa.func.max(c.imported_at)).select_from(stored),
    )
    return tuple(value for query in asked for value in archive.rows(query)[0])


def claims_of_several_people(rows: Iterable[RepeatedClaim]) -> list[RepeatedClaim]:
    """Return the fact-checks whose claim several persons made, most persons first."""
    several = [row for row in rows if len(row.by()) > 1]
    return sorted(several, key=lambda row: (-len(row.by()), -len(row.mentions), row.claim.id))


def mark_differences(
    first: str, second: str
) -> tuple[list[tuple[str, bool]], list[tuple[str, bool]]]:
    """Return the words of two wordings with the spaces after them, each with whether it is not in the other."""
    words = [_WORD_OF_WORDING.findall(text) for text in (first, second)]
    folded = [[words_of(word) for word in text] for text in words]
    same: tuple[set[int], set[int]] = (set(), set())
    for one, other, size in difflib.SequenceMatcher(
        None, folded[0], folded[1], autojunk=False
    ).get_matching_blocks():
        same[0].update(range(one, one + size))
        same[1].update(range(other, other + size))
    marked = [
        [(word, at not in same[side]) for at, word in enumerate(words[side])] for side in (0, 1)
    ]
    return marked[0], marked[1]


SentenceAndClaim = tuple[str, str, str]  # document, words of a sentence, fact-check


@dataclass(frozen=True, slots=True)
class _Verdicts:
    """The verdicts that count, and why others are open again, by sentence and fact-check."""

    verdicts: Mapping[SentenceAndClaim, str]
    open_again: Mapping[SentenceAndClaim, str]


def _verdicts(decisions: DecisionStore) -> _Verdicts:
    words_by_key = revisions.decisions_open_again(decisions)
    verdicts = {}
    open_again = {}
    for record in decisions.all():
        if record.decision is None:
            continue
        anchor = record.anchor
        decided_place = (anchor.document, words_of(anchor.text), anchor.claim_id)
        if record.key in words_by_key:
            open_again[decided_place] = words_by_key[record.key]
        else:
            verdicts[decided_place] = record.decision.verdict
    return _Verdicts(verdicts, open_again)


def _mentions(
    archive: ArchiveStore, entries: Mapping[int, ArchivedTranscript], reviewed: _Verdicts
) -> list[tuple[str, Mention]]:
    """Return every mention that no person rejected, with the fact-check that it makes."""
    found = []
    decided_places = [*reviewed.verdicts, *reviewed.open_again]
    decided_on = {(document, claim_id) for document, _, claim_id in decided_places}
    for row in archive.rows(_mention_query()):
        debate = entries[row.transcript]
        verdict = ""
        open_again = ""
        # The words of other sentences need not be brought into one spelling.
        if (debate.document, row.claim_id) in decided_on:
            mention_place = (debate.document, words_of(row.text), row.claim_id)
            verdict = reviewed.verdicts.get(mention_place, "")
            open_again = reviewed.open_again.get(mention_place, "")
        if verdict != "reject":
            mention = Mention(
                sentence=row.id,
                number=row.number,
                debate=debate,
                speaker=row.speaker,
                text=row.text,
                start=row.start,
                tier=row.tier,
                state=CONFIRMED if verdict == "confirm" else UNREVIEWED,
                chance=row.chance,
                open_again=open_again,
            )
            found.append((row.claim_id, mention))
    return found


def _mention_query() -> sa.Select:
    s = sentences.c
    m = mentions.c
    columns = (
        s.id,
        s.transcript,
        s.number,
        s.speaker,
        s.text,
        s.start,
        m.tier,
        m.claim_id,
        chances.c.chance,
    )
    read = (chances.c.sentence == m.sentence) & (chances.c.claim_id == m.claim_id)
    query = sa.select(*columns).join_from(mentions, sentences, m.sentence == s.id)
    return query.join(chances, read, isouter=True).order_by(s.id)


def _time_order(mention: Mention) -> tuple[date, int]:
    return (mention.debate.event_date or date.max, mention.sentence)


def _person_label(said: Sequence[Mention]) -> str:
    """Return the label used most.

    One that names nobody with its debate, for others have the same there.
    """
    label = Counter(m.speaker or UNKNOWN_SPEAKER for m in said).most_common(1)[0][0]
    return label if speaker_surname(label) else f"{label} in {said[0].debate.title}"
