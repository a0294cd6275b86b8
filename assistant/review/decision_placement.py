"""Places stored decisions on a report: by the words of the sentence, then by its position.

Decisions that fit nowhere are listed. A sentence is the same if its words are: case, punctuation
and the spelling of figures may differ (``features.language.same_words``), values and names may not.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from assistant.core.domain import CheckedSentence, Match, Report, Sentence, Tier
from assistant.core.identity_cache import IdentityCache
from assistant.passages.listing import rearranged
from assistant.report import stored_reports
from assistant.review import revisions
from assistant.review.debate_identity import count_same_neighbours
from assistant.review.decision_store import Anchor, Record
from assistant.review.revisions import Reviews
from features.language.same_words import same_words

MatchKey = tuple[int, str]  # the number of a sentence and the id of a claim
SENTENCE_GONE = "its sentence is not in this transcript"
MATCH_GONE = "its fact-check is not among the matches of the sentence"


@dataclass(frozen=True, slots=True)
class Orphan:
    """A decision that has no place in a report, and why."""

    record: Record
    why: str


@dataclass(frozen=True, slots=True)
class DecidedReport:
    """A report with its decisions; ``records`` has them by sentence number and claim id."""

    report: Report
    records: Mapping[MatchKey, Record] = field(default_factory=dict)
    orphans: tuple[Orphan, ...] = ()


@dataclass(frozen=True, slots=True)
class _Revision:
    """The sentences of a report with the words of fact-checks at one moment."""

    reviews: Reviews
    sentences: tuple[CheckedSentence, ...]


@dataclass(slots=True)
class _Placing:
    """The revision with which a report was placed last."""

    revision: _Revision | None = None


# A report is placed again after every decision: its sentences and most fact-checks are the same.
_INDICES_BY_SENTENCES: IdentityCache[dict[str, list[int]]] = IdentityCache(16)
_PLACING_BY_REPORT: IdentityCache[_Placing] = IdentityCache(16)


def words_of(text: str) -> str:
    """Return the words of a sentence in one spelling, which must be the same for a decision."""
    return same_words(text)


def place(
    report: Report, records: Iterable[Record], reviews: Reviews = MappingProxyType({})
) -> DecidedReport:
    """Return the report with every decision in its place, and the decisions that have none.

    A confirmed match that the report lacks is added as it was when it was confirmed. Passages that
    were decided on separately are listed separately. ``reviews`` has the fact-checks as they are
    now: a decision on one that has changed since is open again.
    """
    report = _with_revised_matches(report, reviews)
    records = list(records)
    # A record is a stored decision; its anchor says which sentence and fact-check it is about. An
    # orphan is a decision without a place in this report.
    indices_by_words = sentence_indices(report) if records else {}
    record_by_match: dict[MatchKey, Record] = {}
    orphans = []
    sentences = list(report.sentences)
    # A decision on an unchanged sentence comes first: another one cannot take its place.
    exact_records_first = sorted(records, key=lambda record: not _is_exact(report, record.anchor))
    for record in exact_records_first:
        indices = indices_by_words.get(words_of(record.anchor.text), [])
        sentence_index = sentence_index_of(report, indices, record.anchor, record_by_match)
        if sentence_index is None:
            if record.decision:
                orphans.append(Orphan(record, SENTENCE_GONE))
            continue
        decided_sentence = _with_decision(sentences[sentence_index], record, report, reviews)
        if decided_sentence is None and record.decision:
            orphans.append(Orphan(record, _why_gone(record, reviews)))
            continue
        if decided_sentence is not None:
            sentences[sentence_index] = decided_sentence
        number = sentences[sentence_index].sentence.number
        record_by_match[number, record.anchor.claim_id] = record
    warnings = (*report.warnings, *_orphan_warnings(orphans))
    decided_report = replace(report, sentences=tuple(sentences), warnings=warnings)
    return DecidedReport(rearranged(decided_report), record_by_match, tuple(orphans))


def sentence_indices(report: Report) -> dict[str, list[int]]:
    """Return the indices of the sentences of a report by their words in one spelling."""
    sentences = [checked_sentence.sentence for checked_sentence in report.sentences]
    return _INDICES_BY_SENTENCES.result(sentences, lambda: _indices_by_words(sentences))


def _indices_by_words(sentences: Iterable[Sentence]) -> dict[str, list[int]]:
    indices: dict[str, list[int]] = defaultdict(list)
    for index, sentence in enumerate(sentences):
        indices[words_of(sentence.text)].append(index)
    return dict(indices)


def _with_revised_matches(report: Report, reviews: Reviews) -> Report:
    """Return the report with the words of every change of a fact-check since the check."""
    if not reviews:
        return report
    last_placing = _PLACING_BY_REPORT.result([report], _Placing)
    revision = last_placing.revision
    if revision is None or revision.reviews != reviews:
        sentences = tuple(_revised_sentence(checked, reviews) for checked in report.sentences)
        revision = _Revision(dict(reviews), sentences)
        last_placing.revision = revision
    return replace(report, sentences=revision.sentences)


def _revised_sentence(checked_sentence: CheckedSentence, reviews: Reviews) -> CheckedSentence:
    """Return a sentence with the words of every change, the same object if nothing has changed."""
    nearest = checked_sentence.nearest
    if nearest is not None:
        nearest = revisions.with_revision_note(nearest, reviews)
    is_changed = nearest is not checked_sentence.nearest
    matches = []
    for match in checked_sentence.matches:
        revised_match = revisions.with_revision_note(match, reviews)
        # An unchanged match is returned as the same object.
        is_changed = is_changed or revised_match is not match
        matches.append(revised_match)
    if not is_changed:
        return checked_sentence
    return replace(checked_sentence, matches=tuple(matches), nearest=nearest)


def _why_gone(record: Record, reviews: Reviews) -> str:
    """Return why a decision has no match in the report."""
    withdrawal = revisions.withdrawn_words(reviews.get(record.anchor.claim_id))
    return f"its fact-check was {withdrawal}" if withdrawal else MATCH_GONE


def _is_exact(report: Report, anchor: Anchor) -> bool:
    """Return whether the sentence of the anchor's number has its text."""
    index = anchor.number - 1
    return index < len(report.sentences) and report.sentences[index].sentence.text == anchor.text


def sentence_index_of(
    report: Report, indices: list[int], anchor: Anchor, used_places: Container[MatchKey] = ()
) -> int | None:
    """Return the index of the anchor's sentence, None if the report lacks it.

    Of several sentences with the same words the one with the same neighbours, then with the same
    speaker, then the nearest. Another speaker's sentence among other neighbours is another one.
    """
    sentences = [checked_sentence.sentence for checked_sentence in report.sentences]
    exact_index = anchor.number - 1
    if exact_index in indices and (anchor.number, anchor.claim_id) not in used_places:
        has_same_neighbours = count_same_neighbours(anchor, sentences, exact_index) == 2
        if has_same_neighbours and (sentences[exact_index].speaker or "") == anchor.speaker:
            return exact_index  # no other sentence can fit better

    candidates = []
    for index in indices:
        sentence = sentences[index]
        if (sentence.number, anchor.claim_id) in used_places:
            continue
        same_neighbour_count = count_same_neighbours(anchor, sentences, index)
        is_other_speaker = (sentence.speaker or "") != anchor.speaker
        distance = abs(sentence.number - anchor.number)
        has_nothing_in_common = is_other_speaker and same_neighbour_count == 0 and distance > 0
        if not has_nothing_in_common:
            # The smallest is best: most of the same neighbours, then the same speaker, then the
            # nearest number.
            candidates.append((-same_neighbour_count, is_other_speaker, distance, index))
    if not candidates:
        return None
    *_, best_index = min(candidates)
    return best_index


def _with_decision(
    checked_sentence: CheckedSentence, record: Record, report: Report, reviews: Reviews
) -> CheckedSentence | None:
    """Return the sentence with the decision on its match, None if it has no such match."""
    claim_id = record.anchor.claim_id
    if any(match.claim.id == claim_id for match in checked_sentence.matches):
        matches = []
        for match in checked_sentence.matches:
            is_decided = match.claim.id == claim_id
            if is_decided:
                match = revisions.with_decision(match, record, reviews)
            matches.append(match)
        return replace(checked_sentence, matches=tuple(matches))
    return _with_missing_match(checked_sentence, record, report, reviews)


def _with_missing_match(
    checked_sentence: CheckedSentence, record: Record, report: Report, reviews: Reviews
) -> CheckedSentence | None:
    """Return a sentence with a confirmed match that the report lacks, None for any other one."""
    decision = record.decision
    if decision is None or decision.verdict != "confirm":
        return None
    is_withdrawn = revisions.withdrawn_words(reviews.get(record.anchor.claim_id)) != ""
    if is_withdrawn:
        return None
    former_match = match_of(record.anchor)
    current_claim = revisions.with_current_words(former_match.claim, reviews)
    current_match = replace(former_match, claim=current_claim)
    decided_match = revisions.with_decision(current_match, record, reviews)
    return _with_added_match(checked_sentence, decided_match, report)


def match_of(anchor: Anchor) -> Match:
    """Return the match as it was when somebody decided on it."""
    return stored_reports.load_match(json.loads(anchor.match))


def _with_added_match(
    checked_sentence: CheckedSentence, match: Match, report: Report
) -> CheckedSentence:
    """Return the sentence with one more match; a dropped sentence is kept, ranked last."""
    # A sentence that was dropped has no rank, score or tier yet. Such sentences come after all
    # ranked ones, in their order in the debate.
    known_ranks = [other.rank for other in report.sentences if other.rank]
    rank_after_all = max(known_ranks, default=0) + checked_sentence.sentence.number
    last_match = replace(match, rank=len(checked_sentence.matches) + 1)
    return replace(
        checked_sentence,
        kept=True,
        dropped_reason=None,
        rank=checked_sentence.rank or rank_after_all,
        score=match.score if checked_sentence.score is None else checked_sentence.score,
        tier=checked_sentence.tier or match.tier or Tier.POSSIBLE,
        matches=(*checked_sentence.matches, last_match),
    )


def _orphan_warnings(orphans: Iterable[Orphan]) -> list[str]:
    lines = []
    for orphan in orphans:
        decision = orphan.record.decision
        anchor = orphan.record.anchor
        if decision is None:
            continue
        lines.append(
            f"An earlier decision has no place in this report ({orphan.why}): {decision.verdict} by "
            f"{decision.by}, “{anchor.text}”, {anchor.statement}"
        )
    return lines
