"""Repeats: for each fact-check who made its claim in which debates, and how often after it was published.

A count credits people with words, so it counts only what a person confirmed, and strong matches of
sentences that state the whole claim themselves: no part of it, and no question, quotation, denial
or reverse of it. If the ranker gives no strengths, *likely* matches count as strong. Other passages
that no person has reviewed are to be looked at, and stand in no count. A decision that a change of
the fact-check has opened again counts as none. Fact-checks of the same sentences count them once.
Nothing is added up over fact-checks: there is no score of persons.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

import sqlalchemy as sa

from assistant.archive.archive_store import ArchivedTranscript, ArchiveStore
from assistant.archive.tables import chances, mentions, sentences, transcripts
from assistant.check.same_claim import COUNTED_CHANCE
from assistant.claims.claim_store import ClaimStore
from assistant.claims.claim_store import claims as claims_table
from assistant.core.domain import Tier, VerifiedClaim
from assistant.core.person_names import speaker_surname
from assistant.report.measured_strength import is_strong
from assistant.review import revisions
from assistant.review.decision_placement import words_of
from assistant.review.decision_store import DecisionStore
from assistant.review.decision_store import decisions as decisions_table
from features.language.conflicts import conflicts
from features.language.open_parts.whole_statements import says_whole_statement
from features.language.speech_acts import states_something

CONFIRMED = "confirmed"
UNREVIEWED = "unreviewed"
TO_LOOK_AT = "to look at"  # for readers: a passage that no person has reviewed
REVIEWED_CHANCE = 0.5  # smallest chance of an uncounted passage that a person should review
UNKNOWN_SPEAKER = "Speaker unknown"
_WORD_OF_TEXT_PATTERN = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Mention:
    """A sentence that makes the claim of a fact-check.

    ``strength``: how strong its match is, "" if the ranker gives no strengths, and None if the
    strength is unknown.
    ``state`` is ``CONFIRMED`` or ``UNREVIEWED``. ``open_again`` says why a decision on it no longer
    counts: the publisher has changed the fact-check since. ``states_claim``: its words state the
    claim, by the rules of language, and ``says_whole_claim``: they leave nothing of it out.
    """

    sentence: int
    number: int
    debate: ArchivedTranscript
    speaker: str
    text: str
    start: float | None
    tier: str
    strength: str | None
    state: str
    chance: float | None = None
    open_again: str = ""
    states_claim: bool = True
    says_whole_claim: bool = True

    @property
    def is_sure(self) -> bool:
        """Return whether it counts: confirmed, or a strong match that states the whole claim."""
        if self.state == CONFIRMED:
            return True
        # The chance that the sentence makes the claim, None if no model has estimated it.
        makes_claim = self.chance is None or self.chance >= COUNTED_CHANCE
        if not (makes_claim and self.states_claim and self.says_whole_claim):
            return False
        return is_strong(self.strength, self.tier)

    @property
    def is_worth_a_look(self) -> bool:
        """Return whether a person should review it: likely, or rather the claim than not."""
        makes_claim = self.chance is not None and self.chance >= REVIEWED_CHANCE
        return self.states_claim and (self.tier == Tier.LIKELY or makes_claim)

    @property
    def person(self) -> str:
        """Return the last name; a label without one is a person of its debate only."""
        surname = speaker_surname(self.speaker)
        if surname:
            return surname
        label = self.speaker or UNKNOWN_SPEAKER
        return f"{label} ({self.debate.id})"


@dataclass(frozen=True, slots=True)
class RepeatedClaim:
    """A fact-check with the counted passages that make its claim, the earliest first.

    Passages without a date come last. ``possible_mentions`` are passages that may make the claim and that
    no person has reviewed. ``other_fact_checks`` are other fact-checks that count the same passages.
    """

    claim: VerifiedClaim
    mentions: tuple[Mention, ...]
    possible_mentions: tuple[Mention, ...] = ()
    other_fact_checks: tuple[VerifiedClaim, ...] = ()

    @property
    def sentences(self) -> frozenset[int]:
        """Return the ids of the counted sentences."""
        return frozenset(mention.sentence for mention in self.mentions)

    def has_claim(self, claim_id: str) -> bool:
        """Return whether a fact-check is this one, or counts the same passages."""
        return claim_id in (self.claim.id, *(claim.id for claim in self.other_fact_checks))

    @property
    def debate_count(self) -> int:
        """Return in how many debates it was said."""
        return len({mention.debate.id for mention in self.mentions})

    @property
    def days(self) -> tuple[date | None, date | None]:
        """Return the first and the last day on which it was said, None where no day is known."""
        known_dates = []
        for mention in self.mentions:
            if mention.debate.event_date:
                known_dates.append(mention.debate.event_date)
        if not known_dates:
            return None, None
        # The mentions are in the order of their dates.
        return known_dates[0], known_dates[-1]

    @property
    def possible_debate_count(self) -> int:
        """Return in how many debates it was said, or may have been said."""
        mentions = (*self.mentions, *self.possible_mentions)
        return len({mention.debate.id for mention in mentions})

    def count(self, state: str) -> int:
        """Return how many of the passages are confirmed, or unreviewed."""
        return sum(mention.state == state for mention in self.mentions)

    def reopened_count(self) -> int:
        """Return how many of the passages have a decision that is open again."""
        return sum(bool(mention.open_again) for mention in self.mentions)

    def mentions_after_publication(self) -> tuple[Mention, ...]:
        """Return the passages of later days than the fact-check's; none where a day is unknown."""
        publication_date = self.claim.review_date
        if publication_date is None:
            return ()
        later_mentions = []
        for mention in self.mentions:
            event_date = mention.debate.event_date
            if event_date and event_date > publication_date:
                later_mentions.append(mention)
        return tuple(later_mentions)

    def by_speaker(self) -> list[tuple[str, list[Mention]]]:
        """Return the people who said it with their passages, those with most passages first.

        A person has the label that was used most.
        """
        mentions_by_person: dict[str, list[Mention]] = defaultdict(list)
        for mention in self.mentions:
            mentions_by_person[mention.person].append(mention)
        labelled_mentions = []
        for mentions_of_person in mentions_by_person.values():
            label = _person_label(mentions_of_person)
            labelled_mentions.append((label, mentions_of_person))

        def most_mentions_first(labelled: tuple[str, list[Mention]]) -> tuple[int, str]:
            label, mentions_of_person = labelled
            return -len(mentions_of_person), label

        return sorted(labelled_mentions, key=most_mentions_first)


@dataclass(frozen=True, slots=True)
class RepeatCounts:
    """The repeated claims, with the numbers of all transcripts, checked ones and fact-checks.

    ``to_look_at`` are claims that are not counted in several debates, but may have been made there.
    """

    transcripts: int
    checked: int
    fact_checks: int
    repeated: tuple[RepeatedClaim, ...]
    to_look_at: tuple[RepeatedClaim, ...] = ()


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
    # The mentions of each fact-check by its id: those that count, and those to be reviewed.
    counted_mentions: dict[str, list[Mention]] = defaultdict(list)
    unsure_mentions: dict[str, list[Mention]] = defaultdict(list)
    for claim_id, mention in _read_mentions(archive, entries, _read_verdicts(decisions)):
        if mention.is_sure:
            counted_mentions[claim_id].append(mention)
        elif all_possible or mention.is_worth_a_look:
            unsure_mentions[claim_id].append(mention)

    # A fact-check without a counted mention is read only if several debates may make its claim.
    read_ids = dict.fromkeys(counted_mentions)
    for claim_id, mentions_of_claim in unsure_mentions.items():
        debate_ids = {mention.debate.id for mention in mentions_of_claim}
        if all_possible or len(debate_ids) > 1:
            read_ids[claim_id] = None
    claim_by_id = claims.many(read_ids)
    repeated_claims = []
    unsure_claims = []
    for claim_id, claim in claim_by_id.items():
        repeated_claim = RepeatedClaim(
            claim,
            mentions=tuple(sorted(counted_mentions[claim_id], key=_time_order)),
            possible_mentions=tuple(sorted(unsure_mentions[claim_id], key=_time_order)),
        )
        if all_possible or repeated_claim.mentions:
            repeated_claims.append(repeated_claim)
        else:
            unsure_claims.append(repeated_claim)

    listed_claims = merge_same_passages(repeated_claims)
    to_look_at = _claims_to_look_at([*listed_claims, *unsure_claims])
    if not all_possible:
        listed_claims = [claim for claim in listed_claims if claim.debate_count >= debates]
    listed_claims.sort(
        key=lambda claim: (-claim.debate_count, -len(claim.mentions), claim.claim.id)
    )
    checked_count = sum(entry.stamp != "" for entry in entries.values())
    return RepeatCounts(
        len(entries), checked_count, len(repeated_claims), tuple(listed_claims), to_look_at
    )


def _claims_to_look_at(claims: Iterable[RepeatedClaim]) -> tuple[RepeatedClaim, ...]:
    """Return the claims that are counted in one debate at most, but may have been made in several.

    Those that may have been made in most debates come first.
    """
    unsure_claims = []
    for claim in claims:
        if claim.debate_count < 2 <= claim.possible_debate_count:
            unsure_claims.append(claim)
    unsure_claims.sort(key=lambda claim: (-claim.possible_debate_count, claim.claim.id))
    return tuple(unsure_claims)


def merge_same_passages(repeated_claims: Iterable[RepeatedClaim]) -> list[RepeatedClaim]:
    """Return the repeated claims, those whose passages all count for another one merged into it.

    The same goes for fact-checks with the same statement that share a passage.
    """
    most_mentions_first = sorted(
        repeated_claims,
        key=lambda claim: (-len(claim.mentions), -claim.debate_count, claim.claim.id),
    )
    merged_claims: list[RepeatedClaim] = []
    # For each sentence, which of the claims in ``merged`` have it as a mention
    indices_by_sentence: dict[int, list[int]] = defaultdict(list)
    for repeated_claim in most_mentions_first:
        indices_sharing_sentence: set[int] = set()
        for sentence in repeated_claim.sentences:
            indices_sharing_sentence.update(indices_by_sentence[sentence])
        # The first claim in ``merged`` with the same passages, else a new one at the end
        merged_index = len(merged_claims)
        for index in sorted(indices_sharing_sentence):
            if _has_same_passages(merged_claims[index], repeated_claim):
                merged_index = index
                break
        if merged_index == len(merged_claims):
            merged_claims.append(repeated_claim)
        else:
            merged_claims[merged_index] = _merge_mentions(
                merged_claims[merged_index], repeated_claim
            )
        for sentence in repeated_claim.sentences:
            indices_by_sentence[sentence].append(merged_index)
    return merged_claims


def _has_same_passages(larger: RepeatedClaim, smaller: RepeatedClaim) -> bool:
    """Return whether a claim that shares a passage with a larger one adds nothing to it."""
    same_statement = words_of(larger.claim.statement) == words_of(smaller.claim.statement)
    return same_statement or smaller.sentences <= larger.sentences


def _merge_mentions(larger_claim: RepeatedClaim, smaller_claim: RepeatedClaim) -> RepeatedClaim:
    """Return a claim with the passages of both, each once, a confirmed one before an unreviewed."""
    # A dict keeps the last mention of a sentence: a confirmed one, if there is one.
    mentions = [*larger_claim.mentions, *smaller_claim.mentions]
    confirmed_last = sorted(mentions, key=lambda mention: mention.state == CONFIRMED)
    mention_by_sentence = {mention.sentence: mention for mention in confirmed_last}
    # Unsure mentions, of sentences without a sure one
    possible_by_sentence = {}
    for mention in (*smaller_claim.possible_mentions, *larger_claim.possible_mentions):
        if mention.sentence not in mention_by_sentence:
            possible_by_sentence[mention.sentence] = mention
    return replace(
        larger_claim,
        mentions=tuple(sorted(mention_by_sentence.values(), key=_time_order)),
        possible_mentions=tuple(sorted(possible_by_sentence.values(), key=_time_order)),
        other_fact_checks=(
            *larger_claim.other_fact_checks,
            smaller_claim.claim,
            *smaller_claim.other_fact_checks,
        ),
    )


def counts_version(archive: ArchiveStore) -> tuple[object, ...]:
    """Return a value that changes with whatever the counts depend on."""
    # Any change of a table changes its number of rows or its latest time.
    version: list[object] = []
    time_columns = (transcripts.c.changed, decisions_table.c.done_at, claims_table.c.imported_at)
    for time_column in time_columns:
        row_count = sa.func.count()
        latest_time = sa.func.max(time_column)
        query = sa.select(row_count, latest_time).select_from(time_column.table)
        (count_and_time,) = archive.rows(query)
        version.extend(count_and_time)
    return tuple(version)


def claims_of_several_people(repeated_claims: Iterable[RepeatedClaim]) -> list[RepeatedClaim]:
    """Return the fact-checks whose claim several persons made, most persons first."""

    def most_people_first(repeated_claim: RepeatedClaim) -> tuple[int, int, str]:
        return (
            -len(repeated_claim.by_speaker()),
            -len(repeated_claim.mentions),
            repeated_claim.claim.id,
        )

    shared_claims = [
        repeated_claim for repeated_claim in repeated_claims if len(repeated_claim.by_speaker()) > 1
    ]
    return sorted(shared_claims, key=most_people_first)


def mark_differences(
    first: str, second: str
) -> tuple[list[tuple[str, bool]], list[tuple[str, bool]]]:
    """Return the words of two wordings with the spaces after them, each with whether it is not in the other."""
    first_words = _WORD_OF_TEXT_PATTERN.findall(first)
    second_words = _WORD_OF_TEXT_PATTERN.findall(second)
    # Words are compared without case and punctuation.
    first_folded = [words_of(word) for word in first_words]
    second_folded = [words_of(word) for word in second_words]
    matcher = difflib.SequenceMatcher(None, first_folded, second_folded, autojunk=False)
    # The positions of the words that both wordings have, in the same order.
    first_shared: set[int] = set()
    second_shared: set[int] = set()
    for block in matcher.get_matching_blocks():
        first_shared.update(range(block.a, block.a + block.size))
        second_shared.update(range(block.b, block.b + block.size))
    return _marked_words(first_words, first_shared), _marked_words(second_words, second_shared)


def _marked_words(words: Sequence[str], shared_positions: set[int]) -> list[tuple[str, bool]]:
    """Return words, each with whether its position is not among the shared ones."""
    return [(word, position not in shared_positions) for position, word in enumerate(words)]


# The digest of a file, the words of a sentence in one spelling, the id of a fact-check.
SentenceAndClaim = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class _Verdicts:
    """The verdicts that count, and why others are open again, by sentence and fact-check."""

    verdicts: Mapping[SentenceAndClaim, str]
    open_again: Mapping[SentenceAndClaim, str]


def _read_verdicts(decisions: DecisionStore) -> _Verdicts:
    reason_by_key = revisions.decisions_open_again(decisions)
    verdicts = {}
    open_again = {}
    for record in decisions.all():
        if record.decision is None:
            continue
        anchor = record.anchor
        sentence_and_claim = (anchor.document, words_of(anchor.text), anchor.claim_id)
        if record.key in reason_by_key:
            open_again[sentence_and_claim] = reason_by_key[record.key]
        else:
            verdicts[sentence_and_claim] = record.decision.verdict
    return _Verdicts(verdicts, open_again)


def _read_mentions(
    archive: ArchiveStore, entries: Mapping[int, ArchivedTranscript], reviewed: _Verdicts
) -> list[tuple[str, Mention]]:
    """Return every mention that no person rejected, with the fact-check that it makes."""
    mentions_with_claims = []
    decided_documents_and_claims = set()
    for document, _, claim_id in (*reviewed.verdicts, *reviewed.open_again):
        decided_documents_and_claims.add((document, claim_id))
    for mention_row in archive.rows(_mention_query()):
        claim_id = mention_row.claim_id
        debate = entries[mention_row.transcript]
        verdict = ""
        open_again = ""
        # The words of other sentences need not be brought into one spelling.
        if (debate.document, claim_id) in decided_documents_and_claims:
            sentence_and_claim = (debate.document, words_of(mention_row.text), claim_id)
            verdict = reviewed.verdicts.get(sentence_and_claim, "")
            open_again = reviewed.open_again.get(sentence_and_claim, "")
        if verdict == "reject":
            continue
        mention = Mention(
            sentence=mention_row.id,
            number=mention_row.number,
            debate=debate,
            speaker=mention_row.speaker,
            text=mention_row.text,
            start=mention_row.start,
            tier=mention_row.tier,
            strength=mention_row.strength,
            state=CONFIRMED if verdict == "confirm" else UNREVIEWED,
            chance=mention_row.chance,
            open_again=open_again,
            states_claim=states_claim(mention_row.text, mention_row.statement, mention_row.tier),
            says_whole_claim=_says_whole_claim(mention_row),
        )
        mentions_with_claims.append((claim_id, mention))
    return mentions_with_claims


def states_claim(text: str, statement: str, tier: str) -> bool:
    """Return whether a sentence states the claim itself, as far as rules of language can tell.

    They compare the texts of likely matches only, for no other match counts unreviewed: every
    strong match is likely.
    """
    if not states_something(text):
        return False
    return tier != Tier.LIKELY or not conflicts(text, statement)


def _says_whole_claim(mention_row: sa.Row) -> bool:
    """Return whether a sentence says the whole claim.

    Only the texts of mentions that may count are compared, since that takes milliseconds.
    """
    chance = mention_row.chance
    has_low_chance = chance is not None and chance < COUNTED_CHANCE
    if has_low_chance or not is_strong(mention_row.strength, mention_row.tier):
        return True
    return says_whole_statement(mention_row.text, mention_row.statement)


def _mention_query() -> sa.Select:
    columns = (
        sentences.c.id,
        sentences.c.transcript,
        sentences.c.number,
        sentences.c.speaker,
        sentences.c.text,
        sentences.c.start,
        mentions.c.tier,
        mentions.c.strength,
        mentions.c.claim_id,
        mentions.c.statement,
        chances.c.chance,
    )
    is_its_sentence = mentions.c.sentence == sentences.c.id
    is_its_chance = (chances.c.sentence == mentions.c.sentence) & (
        chances.c.claim_id == mentions.c.claim_id
    )
    # A mention without a chance has None there.
    return (
        sa.select(*columns)
        .join_from(mentions, sentences, is_its_sentence)
        .outerjoin(chances, is_its_chance)
        .order_by(sentences.c.id)
    )


def _time_order(mention: Mention) -> tuple[date, int]:
    return (mention.debate.event_date or date.max, mention.sentence)


def _person_label(mentions_of_person: Sequence[Mention]) -> str:
    """Return the label used most.

    One that names nobody with its debate, for others have the same there.
    """
    label_counts = Counter(mention.speaker or UNKNOWN_SPEAKER for mention in mentions_of_person)
    ((label, _),) = label_counts.most_common(1)
    if speaker_surname(label):
        return label
    return f"{label} in {mentions_of_person[0].debate.title}"
