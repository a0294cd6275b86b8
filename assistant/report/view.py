"""The report view: everything that screens, report forms, review and the archive ask of a report.

Whoever shows a report builds one view and passes it on. A value is computed when it is first asked
for, and kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from assistant.core.domain import MIXED, CheckedPassage, CheckedSentence, Match, Report, Tier
from assistant.passages.listing import (
    is_confirmed,
    is_one_utterance,
    is_rejected,
    skips_mixed,
    wording_aside,
)

SETTLED_VERDICTS = ("confirm", "reject")


class SentenceMatch(NamedTuple):
    """A match with its sentence."""

    checked: CheckedSentence
    match: Match


def shown_match(checked_sentence: CheckedSentence) -> Match:
    """Return the match that stands for a sentence with matches.

    It is the first confirmed match, else the first not rejected, else the first.
    """
    for match in checked_sentence.matches:
        if is_confirmed(match):
            return match
    for match in checked_sentence.matches:
        if not is_rejected(match):
            return match
    return checked_sentence.matches[0]


@dataclass(frozen=True)
class PassageView:
    """A passage with its sentences, in reading order, and its position in the list."""

    placement: CheckedPassage
    sentences: tuple[CheckedSentence, ...]

    @property
    def number(self) -> int:
        """Return the number of the passage."""
        return self.placement.passage.number

    @property
    def rank(self) -> int | None:
        """Return the position of the passage in the list, None if it is not listed itself."""
        return self.placement.listed

    @property
    def context(self) -> str:
        """Return the earlier sentence that the passage points back to, or ""."""
        return self.placement.passage.context

    @cached_property
    def best(self) -> CheckedSentence | None:
        """Return the sentence that matches best, None if no sentence has a match."""
        for checked_sentence in self.sentences:
            if checked_sentence.sentence.number == self.placement.best:
                return checked_sentence
        return None

    @cached_property
    def matches(self) -> tuple[SentenceMatch, ...]:
        """Return the matches, each fact-check once, the best sentence first.

        If several sentences match the same fact-check, a match that a person confirmed represents
        them all.
        """
        best_number = self.placement.best

        def best_first(checked_sentence: CheckedSentence) -> tuple[bool, int]:
            is_other = checked_sentence.sentence.number != best_number
            return is_other, checked_sentence.rank or 0

        match_by_claim: dict[str, SentenceMatch] = {}
        for checked_sentence in sorted(self.sentences, key=best_first):
            is_best = checked_sentence.sentence.number == best_number
            if not is_best and wording_aside(checked_sentence):  # such as a question
                continue
            for match in checked_sentence.matches:
                former = match_by_claim.get(match.claim.id)
                is_repeat = former is not None
                is_former_confirmed = former is not None and is_confirmed(former.match)
                if is_repeat and (is_former_confirmed or not is_confirmed(match)):
                    continue
                match_by_claim[match.claim.id] = SentenceMatch(checked_sentence, match)
        return tuple(match_by_claim.values())

    @property
    def has_mixed_sentence(self) -> bool:
        """Return whether a sentence matches only fact-checks with a mixed rating."""
        return any(is_mixed_only(checked) for checked in self.sentences)

    @property
    def has_topic_sentence(self) -> bool:
        """Return whether a sentence is about a checked topic, but too far from the claim."""
        return any(checked_sentence.on_topic for checked_sentence in self.sentences)


@dataclass(frozen=True)
class PassageGroup:
    """A listed passage with the passages grouped below it."""

    listed: PassageView
    grouped: tuple[PassageView, ...]

    @property
    def rank(self) -> int | None:
        """Return the rank of the listed passage."""
        return self.listed.rank

    @property
    def passages(self) -> tuple[PassageView, ...]:
        """Return the listed passage and the grouped ones."""
        return (self.listed, *self.grouped)

    @property
    def is_rejected(self) -> bool:
        """Return whether a person rejected every match of the best sentence."""
        best = self.listed.best
        return best is not None and bool(best.matches) and is_rejected(shown_match(best))

    @cached_property
    def verdict(self) -> str:
        """Return the decision on the statement: confirm, reject, later, or nothing.

        The decision on the shown match counts. A confirmed match of another sentence counts, too.
        """
        if any(is_confirmed(sentence_match.match) for sentence_match in self.listed.matches):
            return "confirm"
        best = self.listed.best
        if best is None or not best.matches:
            return ""
        decision = shown_match(best).decision
        return decision.verdict if decision else ""

    @cached_property
    def repeats(self) -> tuple[PassageView, ...]:
        """Return the grouped passages that say it again, not those that overlap the listed one."""
        repeats = []
        for passage in self.grouped:
            if not is_one_utterance(self.listed.sentences, passage.sentences):
                repeats.append(passage)
        return tuple(repeats)


class SpeakerTurn(NamedTuple):
    """Consecutive sentences of one speaker."""

    speaker: str | None
    sentences: tuple[CheckedSentence, ...]

    @property
    def start_s(self) -> float | None:
        """Return when the turn begins, in seconds, None if it is not known."""
        return self.sentences[0].sentence.start


@dataclass(frozen=True)
class ReportView:
    """A report with everything that its readers ask of it."""

    report: Report

    @property
    def title(self) -> str:
        """Return the title of the transcript, else the name of its file."""
        transcript = self.report.transcript
        return transcript.title or transcript.source.name

    @property
    def event_date(self) -> date | None:
        """Return the date of the event, None if it is not known."""
        return self.report.transcript.event_date

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """Return ``Report.counts()``."""
        return self.report.counts()

    @cached_property
    def sentences_by_number(self) -> Mapping[int, CheckedSentence]:
        """Return the checked sentences by their numbers."""
        return {
            checked_sentence.sentence.number: checked_sentence
            for checked_sentence in self.report.sentences
        }

    @cached_property
    def passages(self) -> tuple[PassageView, ...]:
        """Return all passages in reading order."""
        views = []
        for placement in self.report.passages:
            numbers = placement.passage.sentences
            sentences = tuple(self.sentences_by_number[number] for number in numbers)
            views.append(PassageView(placement, sentences))
        return tuple(views)

    @cached_property
    def turns(self) -> tuple[SpeakerTurn, ...]:
        """Return the sentences of the transcript by turns."""
        # A run of sentences with the same speaker is a turn.
        runs = groupby(
            self.report.sentences, key=lambda checked_sentence: checked_sentence.sentence.speaker
        )
        return tuple(SpeakerTurn(speaker, tuple(sentences)) for speaker, sentences in runs)

    @cached_property
    def groups(self) -> tuple[PassageGroup, ...]:
        """Return the listed passages, best first, each with the passages grouped below it."""
        passage_by_number = {passage.number: passage for passage in self.passages}
        groups = []
        for placement in self.report.rows():  # the passages that the list shows, best first
            listed = passage_by_number[placement.passage.number]
            # ``folded``: the numbers of the passages with the same fact-check, listed below it
            grouped = tuple(passage_by_number[number] for number in placement.folded)
            groups.append(PassageGroup(listed, grouped))
        return tuple(groups)

    @cached_property
    def statements(self) -> tuple[PassageGroup, ...]:
        """Return the groups with a match: an order of matches may hide all of a best sentence."""
        statements = []
        for group in self.groups:
            best = group.listed.best
            if best is not None and best.matches:
                statements.append(group)
        return tuple(statements)

    @cached_property
    def related(self) -> tuple[PassageView, ...]:
        """Return the passages about a checked topic, too far from the claim for the list."""
        related = []
        for passage in self._unlisted_passages:
            if passage.has_topic_sentence and not passage.has_mixed_sentence:
                related.append(passage)
        return tuple(related)

    @cached_property
    def mixed(self) -> tuple[PassageView, ...]:
        """Return the passages with mixed ratings only, which are not listed."""
        return tuple(passage for passage in self._unlisted_passages if passage.has_mixed_sentence)

    @cached_property
    def _unlisted_passages(self) -> tuple[PassageView, ...]:
        """Return the passages that are neither listed nor left aside."""
        passages = []
        for passage in self.passages:
            # A listed passage has a best sentence. Questions and speeches of moderators are left
            # aside.
            is_listed = passage.placement.best is not None
            is_left_aside = passage.placement.aside
            if not is_listed and not is_left_aside:
                passages.append(passage)
        return tuple(passages)

    @cached_property
    def aside(self) -> tuple[PassageView, ...]:
        """Return the matched passages left out of the list: questions, addresses, moderators."""
        return tuple(passage for passage in self.passages if passage.placement.aside)

    @cached_property
    def skips_mixed(self) -> bool:
        """Return whether passages with mixed ratings only are left out of the list."""
        return skips_mixed(self.report)

    @cached_property
    def row_tiers(self) -> Mapping[Tier | None, int]:
        """Return the number of listed passages by tier, whatever their ratings."""
        best_sentences = [group.listed.best for group in self.groups]
        return Counter(best.listed_tier for best in best_sentences if best is not None)

    @cached_property
    def half_true_count(self) -> int:
        """Return the number of listed or skipped passages that match mixed ratings only."""
        # A mixed rating is one such as half true.
        listed_count = 0
        for group in self.groups:
            best_sentence = group.listed.best
            if best_sentence is not None and is_mixed_only(best_sentence):
                listed_count += 1
        skipped_count = len(self.mixed)
        return listed_count + skipped_count

    @cached_property
    def half_true_sentence_count(self) -> int:
        """Return the number of listed or skipped sentences that match mixed ratings only."""
        sentence_count = 0
        for passage in self.passages:
            if passage.placement.aside:
                continue
            for checked_sentence in passage.sentences:
                if is_mixed_only(checked_sentence) and not wording_aside(checked_sentence):
                    sentence_count += 1
        return sentence_count

    @cached_property
    def unmatched(self) -> tuple[CheckedSentence, ...]:
        """Return the check-worthy sentences whose passage has no match, in reading order.

        Questions, forms of address and captions are left out, and so are sentences below the
        threshold, which were searched only for the sake of their passage.
        """
        threshold = float(self.report.manifest.settings.get("check_worthiness") or 0.0)
        matched_numbers: set[int] = set()
        for passage in self.passages:
            is_listed = passage.placement.best is not None
            is_left_aside = passage.placement.aside
            if is_listed or is_left_aside:
                matched_numbers.update(
                    checked_sentence.sentence.number for checked_sentence in passage.sentences
                )
        unmatched_sentences = []
        for checked_sentence in self.report.sentences:
            # A sentence that is not kept was skipped before the search.
            is_checkworthy = (
                checked_sentence.kept and checked_sentence.check_worthiness >= threshold
            )
            is_in_matched_passage = checked_sentence.sentence.number in matched_numbers
            if not is_checkworthy or checked_sentence.matches or is_in_matched_passage:
                continue
            if not wording_aside(checked_sentence):
                unmatched_sentences.append(checked_sentence)
        return tuple(unmatched_sentences)

    @cached_property
    def matches(self) -> tuple[Match, ...]:
        """Return the matches of the listed passages, each fact-check of a passage once."""
        return tuple(match for group in self.groups for _, match in group.listed.matches)

    @cached_property
    def listed_matches(self) -> frozenset[tuple[int, str]]:
        """Return the sentence number and claim id of every match that is listed."""
        numbers_and_claims = set()
        for group in self.groups:
            for checked_sentence, match in group.listed.matches:
                numbers_and_claims.add((checked_sentence.sentence.number, match.claim.id))
        return frozenset(numbers_and_claims)

    @cached_property
    def undecided(self) -> tuple[PassageGroup, ...]:
        """Return the statements that no person has confirmed or rejected."""
        return tuple(group for group in self.statements if group.verdict not in SETTLED_VERDICTS)

    def sentence(self, number: int | None) -> CheckedSentence | None:
        """Return the checked sentence of a number, None if there is none."""
        if number is None:
            return None
        return self.sentences_by_number.get(number)

    def passage_of(self, number: int) -> PassageView | None:
        """Return the passage of a sentence, None if it is in no passage."""
        return self._passage_by_sentence.get(number)

    def group_of(self, number: int) -> PassageGroup | None:
        """Return the group that a sentence is listed or grouped in, None if it is in no group."""
        return self._group_by_sentence.get(number)

    @cached_property
    def _passage_by_sentence(self) -> Mapping[int, PassageView]:
        return {
            checked_sentence.sentence.number: passage
            for passage in self.passages
            for checked_sentence in passage.sentences
        }

    @cached_property
    def _group_by_sentence(self) -> Mapping[int, PassageGroup]:
        group_by_sentence = {}
        for group in self.groups:
            for passage in group.passages:
                for checked_sentence in passage.sentences:
                    group_by_sentence[checked_sentence.sentence.number] = group
        return group_by_sentence


def is_mixed_only(checked_sentence: CheckedSentence) -> bool:
    """Return whether a sentence has matches and all of them have a mixed rating."""
    rating_classes = {match.claim.rating_class for match in checked_sentence.matches}
    return checked_sentence.tier is None and bool(rating_classes) and rating_classes <= set(MIXED)
