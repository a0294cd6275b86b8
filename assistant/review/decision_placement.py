"""Places stored decisions on a report: by the words of the sentence, then by its position.

Decisions that fit nowhere are listed. A sentence is the same if its words are: case, punctuation
and the spelling of figures may differ (``features.language.same_words``), values and names may not.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from assistant.core.domain import CheckedSentence, Match, Report, Tier
from assistant.passages.listing import rearranged
from assistant.report import stored_reports
from assistant.review import revisions
from assistant.review.debate_identity import same_surroundings
from assistant.review.decision_store import Anchor, Record
from assistant.review.revisions import Reviews
from features.language.same_words import same_words

Place = tuple[int, str]  # the number of a sentence and the id of a claim
SENTENCE_GONE = "its sentence is not in this transcript"
MATCH_GONE = "its fact-check is not among the matches of the sentence"


@dataclass(frozen=True, slots=True)
class Orphan:
    """A decision that has no place in a report, and why."""

    record: Record
    why: str


@dataclass(frozen=True, slots=True)
class Placed:
    """A report with its decisions; ``records`` has them by sentence number and claim id."""

    report: Report
    records: Mapping[Place, Record] = field(default_factory=dict)
    orphans: tuple[Orphan, ...] = ()


def words_of(text: str) -> str:
    """Return the words of a sentence in one spelling, which must be the same for a decision."""
    return same_words(text)


def place(
    report: Report, records: Iterable[Record], reviews: Reviews = MappingProxyType({})
) -> Placed:
    """Return the report with every decision in its place, and the decisions that have none.

    A confirmed match that the report lacks is added as it was when it was confirmed. Passages that
    were decided on separately are listed separately. ``reviews`` has the fact-checks as they are
    now: a decision on one that has changed since is open again.
    """
    report = _revised(report, reviews)
    records = list(records)
    indices_by_words: dict[str, list[int]] = defaultdict(list)
    for index, checked in enumerate(report.sentences if records else ()):
        indices_by_words[words_of(checked.sentence.text)].append(index)
    record_by_place: dict[Place, Record] = {}
    orphans = []
    sentences = list(report.sentences)
    exact_first = sorted(records, key=lambda record: not _is_exact(report, record.anchor))
    for record in exact_first:
        indices = indices_by_words[words_of(record.anchor.text)]
        sentence_index = _sentence_index(report, indices, record.anchor, record_by_place)
        if sentence_index is None:
            if record.decision:
                orphans.append(Orphan(record, SENTENCE_GONE))
            continue
        decided = _with(sentences[sentence_index], record, report, reviews)
        if decided is None and record.decision:
            orphans.append(Orphan(record, _why_gone(record, reviews)))
            continue
        if decided is not None:
            sentences[sentence_index] = decided
        number = sentences[sentence_index].sentence.number
        record_by_place[number, record.anchor.claim_id] = record
    warnings = (*report.warnings, *_warnings(orphans))
    decided_report = replace(report, sentences=tuple(sentences), warnings=warnings)
    return Placed(rearranged(decided_report), record_by_place, tuple(orphans))


def _revised(report: Report, reviews: Reviews) -> Report:
    """Return the report with the words of every change of a fact-check since the check."""
    if not reviews:
        return report
    sentences = tuple(_revised_sentence(checked, reviews) for checked in report.sentences)
    return replace(report, sentences=sentences)


def _revised_sentence(checked: CheckedSentence, reviews: Reviews) -> CheckedSentence:
    """Return a sentence with the words of every change, the same object if nothing has changed."""
    matches = tuple(revisions.revised(match, reviews) for match in checked.matches)
    nearest = checked.nearest and revisions.revised(checked.nearest, reviews)
    changed_pairs = zip(matches, checked.matches, strict=True)
    is_same = all(new is old for new, old in changed_pairs) and nearest is checked.nearest
    return checked if is_same else replace(checked, matches=matches, nearest=nearest)


def _why_gone(record: Record, reviews: Reviews) -> str:
    """Return why a decision has no match in the report."""
    words = revisions.withdrawn_words(reviews.get(record.anchor.claim_id))
    return f"its fact-check was {words}" if words else MATCH_GONE


def _is_exact(report: Report, anchor: Anchor) -> bool:
    """Return whether the sentence of the anchor's number has its text."""
    index = anchor.number - 1
    return index < len(report.sentences) and report.sentences[index].sentence.text == anchor.text


def _sentence_index(
    report: Report, indices: list[int], anchor: Anchor, used_places: Mapping[Place, Record]
) -> int | None:
    """Return the index of the anchor's sentence, None if the report lacks it.

    Of several sentences with the same words the one with the same neighbours, then with the same
    speaker, then the nearest. Another speaker's sentence among other neighbours is another one.
    """
    sentences = [checked.sentence for checked in report.sentences]

    def distance(index: int) -> tuple[int, bool, int]:
        sentence = sentences[index]
        other_speaker = (sentence.speaker or "") != anchor.speaker
        same_neighbours = same_surroundings(anchor, sentences, index)
        return (-same_neighbours, other_speaker, abs(sentence.number - anchor.number))

    free = []
    for index in indices:
        is_used = (sentences[index].number, anchor.claim_id) in used_places
        same_neighbours, other_speaker, sentence_distance = distance(index)
        is_other = other_speaker and not same_neighbours and sentence_distance > 0
        if not is_used and not is_other:
            free.append(index)
    return min(free, key=distance, default=None)


def _with(
    checked: CheckedSentence, record: Record, report: Report, reviews: Reviews
) -> CheckedSentence | None:
    """Return the sentence with the decision on its match, None if it has no such match."""
    decision = record.decision
    claim_id = record.anchor.claim_id
    matches = list(checked.matches)
    has_match = False
    for index, match in enumerate(matches):
        if match.claim.id == claim_id:
            has_match = True
            matches[index] = revisions.decided(match, record, reviews)
    if has_match:
        return replace(checked, matches=tuple(matches))
    if decision is None or decision.verdict != "confirm":
        return None
    if revisions.withdrawn_words(reviews.get(claim_id)):
        return None
    former = match_of(record.anchor)
    current_claim = revisions.with_current_words(former.claim, reviews)
    current = replace(former, claim=current_claim)
    return _added(checked, revisions.decided(current, record, reviews), report)


def match_of(anchor: Anchor) -> Match:
    """Return the match as it was when somebody decided on it."""
    return stored_reports.load_match(json.loads(anchor.match))


def _added(checked: CheckedSentence, match: Match, report: Report) -> CheckedSentence:
    """Return the sentence with one more match; a dropped one is kept, ranked last."""
    worst_rank = max((other.rank or 0 for other in report.sentences), default=0)
    return replace(
        checked,
        kept=True,
        dropped_reason=None,
        rank=checked.rank or worst_rank + checked.sentence.number,
        score=match.score if checked.score is None else checked.score,
        tier=checked.tier or match.tier or Tier.POSSIBLE,
        matches=(*checked.matches, replace(match, rank=len(checked.matches) + 1)),
    )


def _warnings(orphans: Iterable[Orphan]) -> list[str]:
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
