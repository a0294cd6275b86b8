"""Repeats: for each fact-check who made its claim in which debates, and how often after it was published.

A count credits people with words, so it counts only what a person confirmed, and strong matches of
sentences that state the claim themselves: no question, quotation, denial or reverse of it. Other
passages that no person has reviewed are to be looked at, and stand in no count. A decision that a
change of the fact-check has opened again counts as none. Fact-checks of the same sentences count
them once. Nothing is added up over fact-checks: there is no score of persons.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain

import sqlalchemy as sa

from assistant.archive.archive_store import ArchivedTranscript, ArchiveStore
from assistant.archive.tables import chances, mentions, sentences, transcripts
from assistant.check.same_claim import COUNTED_CHANCE
from assistant.claims.claim_store import ClaimStore
from assistant.claims.claim_store import claims as claims_table
from assistant.core.domain import Tier, VerifiedClaim
from assistant.core.person_names import speaker_surname
from assistant.review import revisions
from assistant.review.decision_placement import words_of
from assistant.review.decision_store import DecisionStore
from assistant.review.decision_store import decisions as decisions_table
from features.language.conflicts import conflicts
from features.language.speech_acts import states_something

CONFIRMED = "confirmed"
UNREVIEWED = "unreviewed"
TO_LOOK_AT = "to look at"  # for readers: a passage that no person has reviewed
REVIEWED_CHANCE = 0.5  # smallest chance of an uncounted passage that a person should review
UNKNOWN_SPEAKER = "Speaker unknown"
_WORD_OF_WORDING = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Mention:
    """A sentence that makes the claim of a fact-check.

    ``state`` is ``CONFIRMED`` or ``UNREVIEWED``. ``open_again`` says why a decision on it no longer
    counts: the publisher has changed the fact-check since. ``states_claim``: its words state the
    claim, by the rules of language.
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
    states_claim: bool = True

    @property
    def is_sure(self) -> bool:
        """Return whether it counts: confirmed, or a strong match that states the claim itself."""
        if self.state == CONFIRMED:
            return True
        makes_claim = self.chance is None or self.chance >= COUNTED_CHANCE
        return self.tier == Tier.LIKELY and makes_claim and self.states_claim

    @property
    def is_worth_a_look(self) -> bool:
        """Return whether a person should review it: likely, or rather the claim than not."""
        makes_claim = self.chance is not None and self.chance >= REVIEWED_CHANCE
        return self.states_claim and (self.tier == Tier.LIKELY or makes_claim)

    @property
    def person(self) -> str:
        """Return the last name; a label without one is a person of its debate only."""
        return (
            speaker_surname(self.speaker) or f"{self.speaker or UNKNOWN_SPEAKER} ({self.debate.id})"
        )


@dataclass(frozen=True, slots=True)
class RepeatedClaim:
    """A fact-check with the counted passages that make its claim, the earliest first.

    Passages without a date come last. ``to_look_at`` are passages that may make the claim and that
    no person has reviewed. ``also_checked`` are other fact-checks that count the same passages.
    """

    claim: VerifiedClaim
    mentions: tuple[Mention, ...]
    to_look_at: tuple[Mention, ...] = ()
    also_checked: tuple[VerifiedClaim, ...] = ()

    @property
    def sentences(self) -> frozenset[int]:
        """Return the ids of the counted sentences."""
        return frozenset(mention.sentence for mention in self.mentions)

    def has_claim(self, claim_id: str) -> bool:
        """Return whether a fact-check is this one, or counts the same passages."""
        return claim_id in (self.claim.id, *(claim.id for claim in self.also_checked))

    @property
    def debates(self) -> int:
        """Return in how many debates it was said."""
        return len({m.debate.id for m in self.mentions})

    @property
    def days(self) -> tuple[date | None, date | None]:
        """Return the first and the last day on which it was said, None where no day is known."""
        dates = [mention.debate.event_date for mention in self.mentions]
        known_dates = [day for day in dates if day]
        return (known_dates[0], known_dates[-1]) if known_dates else (None, None)

    def count(self, state: str) -> int:
        """Return how many of the passages are confirmed, or unreviewed."""
        return sum(m.state == state for m in self.mentions)

    def open_again_count(self) -> int:
        """Return how many of the passages have a decision that is open again."""
        return sum(bool(mention.open_again) for mention in self.mentions)

    def after(self) -> tuple[Mention, ...]:
        """Return the passages of later days than the fact-check's; none where a day is unknown."""
        published = self.claim.review_date
        if published is None:
            return ()
        return tuple(
            mention
            for mention in self.mentions
            if mention.debate.event_date and mention.debate.event_date > published
        )

    def by(self) -> list[tuple[str, list[Mention]]]:
        """Return the people who said it with their passages, those with most passages first.

        A person has the label that was used most.
        """
        people: dict[str, list[Mention]] = defaultdict(list)
        for mention in self.mentions:
            people[mention.person].append(mention)
        named = [(_person_label(said), said) for said in people.values()]
        return sorted(named, key=lambda row: (-len(row[1]), row[0]))


@dataclass(frozen=True, slots=True)
class RepeatCounts:
    """The repeated claims, with the numbers of all transcripts, checked ones and fact-checks."""

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
    """Return the repeated claims, those made in most debates first.

    ``all_possible``: every possible match is to be looked at, and claims without a counted passage
    are among them; ``debates``: the least number of debates with a counted passage.
    """
    entries = {entry.id: entry for entry in archive.entries()}
    counted: dict[str, list[Mention]] = defaultdict(list)
    to_look_at: dict[str, list[Mention]] = defaultdict(list)
    for claim_id, mention in _mentions(archive, entries, _verdicts(decisions)):
        if mention.is_sure:
            counted[claim_id].append(mention)
        elif all_possible or mention.is_worth_a_look:
            to_look_at[claim_id].append(mention)
    listed_ids = list(counted)
    if all_possible:
        listed_ids = list(dict.fromkeys((*counted, *to_look_at)))
    known = claims.many(listed_ids)
    repeated = []
    for claim_id in listed_ids:
        if claim_id in known:
            said = tuple(sorted(counted[claim_id], key=_time_order))
            unsure = tuple(sorted(to_look_at[claim_id], key=_time_order))
            repeated.append(RepeatedClaim(known[claim_id], said, unsure))
    merged = merge_same_passages(repeated)
    chosen = [row for row in merged if all_possible or row.debates >= debates]
    chosen.sort(key=lambda row: (-row.debates, -len(row.mentions), row.claim.id))
    checked_count = sum(bool(entry.stamp) for entry in entries.values())
    return RepeatCounts(len(entries), checked_count, len(repeated), tuple(chosen))


def merge_same_passages(rows: Iterable[RepeatedClaim]) -> list[RepeatedClaim]:
    """Return the repeated claims, those whose passages all count for another one merged into it.

    The same goes for fact-checks with the same statement that share a passage.
    """
    most_first = sorted(rows, key=lambda row: (-len(row.mentions), -row.debates, row.claim.id))
    merged: list[RepeatedClaim] = []
    indices_by_sentence: dict[int, list[int]] = defaultdict(list)
    for row in most_first:
        shared = (indices_by_sentence[sentence] for sentence in row.sentences)
        candidates = sorted(set(chain.from_iterable(shared)))
        host = next((index for index in candidates if _counts_the_same(merged[index], row)), None)
        if host is None:
            host = len(merged)
            merged.append(row)
        else:
            merged[host] = _merged(merged[host], row)
        for sentence in row.sentences:
            indices_by_sentence[sentence].append(host)
    return merged


def _counts_the_same(host: RepeatedClaim, row: RepeatedClaim) -> bool:
    """Return whether a row that shares a passage with another one has nothing of its own."""
    same_statement = words_of(host.claim.statement) == words_of(row.claim.statement)
    return same_statement or row.sentences <= host.sentences


def _merged(host: RepeatedClaim, row: RepeatedClaim) -> RepeatedClaim:
    """Return a row with the passages of both, each once, a confirmed one before an unreviewed one."""
    confirmed_last = sorted(
        (*host.mentions, *row.mentions), key=lambda mention: mention.state == CONFIRMED
    )
    by_sentence = {mention.sentence: mention for mention in confirmed_last}
    uncounted = {mention.sentence: mention for mention in (*row.to_look_at, *host.to_look_at)}
    for sentence in by_sentence:
        uncounted.pop(sentence, None)
    return replace(
        host,
        mentions=tuple(sorted(by_sentence.values(), key=_time_order)),
        to_look_at=tuple(sorted(uncounted.values(), key=_time_order)),
        also_checked=(*host.also_checked, row.claim, *row.also_checked),
    )


def counts_version(archive: ArchiveStore) -> tuple[object, ...]:
    """Return a value that changes with whatever the counts depend on."""
    version: list[object] = []
    change_times = (transcripts.c.changed, decisions_table.c.done_at, claims_table.c.imported_at)
    for change_time in change_times:
        query = sa.select(sa.func.count(), sa.func.max(change_time)).select_from(change_time.table)
        version += archive.rows(query)[0]
    return tuple(version)


def claims_of_several_people(rows: Iterable[RepeatedClaim]) -> list[RepeatedClaim]:
    """Return the fact-checks whose claim several persons made, most persons first."""
    several = [row for row in rows if len(row.by()) > 1]
    return sorted(several, key=lambda row: (-len(row.by()), -len(row.mentions), row.claim.id))


def mark_differences(
    first: str, second: str
) -> tuple[list[tuple[str, bool]], list[tuple[str, bool]]]:
    """Return the words of two wordings with the spaces after them, each with whether it is not in the other."""
    first_words = _WORD_OF_WORDING.findall(first)
    second_words = _WORD_OF_WORDING.findall(second)
    matcher = difflib.SequenceMatcher(
        None,
        [words_of(word) for word in first_words],
        [words_of(word) for word in second_words],
        autojunk=False,
    )
    first_shared: set[int] = set()
    second_shared: set[int] = set()
    for block in matcher.get_matching_blocks():
        first_shared.update(range(block.a, block.a + block.size))
        second_shared.update(range(block.b, block.b + block.size))
    first_marked = [(word, i not in first_shared) for i, word in enumerate(first_words)]
    second_marked = [(word, i not in second_shared) for i, word in enumerate(second_words)]
    return first_marked, second_marked


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
                states_claim=states_claim(row.text, row.statement, row.tier),
            )
            found.append((row.claim_id, mention))
    return found


def states_claim(text: str, statement: str, tier: str) -> bool:
    """Return whether a sentence states the claim itself, as far as rules of language can tell.

    They compare the texts of likely matches only, for no other match counts unreviewed.
    """
    if not states_something(text):
        return False
    return tier != Tier.LIKELY or not conflicts(text, statement)


def _mention_query() -> sa.Select:
    columns = (
        sentences.c.id,
        sentences.c.transcript,
        sentences.c.number,
        sentences.c.speaker,
        sentences.c.text,
        sentences.c.start,
        mentions.c.tier,
        mentions.c.claim_id,
        mentions.c.statement,
        chances.c.chance,
    )
    is_its_sentence = mentions.c.sentence == sentences.c.id
    is_its_chance = (chances.c.sentence == mentions.c.sentence) & (
        chances.c.claim_id == mentions.c.claim_id
    )
    query = sa.select(*columns).join_from(mentions, sentences, is_its_sentence)
    return query.join(chances, is_its_chance, isouter=True).order_by(sentences.c.id)


def _time_order(mention: Mention) -> tuple[date, int]:
    return (mention.debate.event_date or date.max, mention.sentence)


def _person_label(said: Sequence[Mention]) -> str:
    """Return the label used most.

    One that names nobody with its debate, for others have the same there.
    """
    label = Counter(m.speaker or UNKNOWN_SPEAKER for m in said).most_common(1)[0][0]
    return label if speaker_surname(label) else f"{label} in {said[0].debate.title}"
