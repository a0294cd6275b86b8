"""Places stored decisions on a report: by the words of the sentence, then by its position.

Lists what fits nowhere.

A sentence is the same if its words are: case, punctuation and spaces may differ, figures and names
may not.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from assistant.core.domain import CheckedSentence, Match, Report, Tier
from assistant.passages.listing import rearranged
from assistant.report import stored_reports
from assistant.review.decision_store import Anchor, Record

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
    """A report with its decisions; ``records`` are the decisions by their place in it."""

    report: Report
    records: Mapping[Place, Record] = field(default_factory=dict)
    orphans: tuple[Orphan, ...] = ()


def words_of(text: str) -> str:
    """Return the folded words of a sentence, which must be the same for a decision to apply."""
    return " ".join(re.findall(r"\w+(?:[.,]\d+)*", text.casefold()))


def place(report: Report, records: Iterable[Record]) -> Placed:
    """Return the report with every decision in its place, and the decisions that have none.

    A confirmed match that the report lacks is added as it was when it was confirmed. Passages that
    were decided on apart are rows of their own.
    """
    by_words: dict[str, list[int]] = defaultdict(list)
    for sentence_index, checked in enumerate(report.sentences):
        by_words[words_of(checked.sentence.text)].append(sentence_index)
    by_place: dict[Place, Record] = {}
    orphans = []
    sentences = list(report.sentences)
    for record in sorted(records, key=lambda r: not _exact(report, r.anchor)):
        i = _sentence(report, by_words[words_of(record.anchor.text)], record.anchor, by_place)
        if i is None:
            orphans += [Orphan(record, SENTENCE_GONE)] if record.decision else []
            continue
        changed = _with(sentences[i], record, report)
        if changed is None and record.decision:
            orphans.append(Orphan(record, MATCH_GONE))
            continue
        sentences[i] = changed or sentences[i]
        by_place[sentences[i].sentence.number, record.anchor.claim_id] = record
    warnings = (*report.warnings, *_warnings(orphans))
    decided = rearranged(replace(report, sentences=tuple(sentences), warnings=warnings))
    return Placed(decided, by_place, tuple(orphans))


def _exact(report: Report, anchor: Anchor) -> bool:
    at = anchor.number - 1
    return at < len(report.sentences) and report.sentences[at].sentence.text == anchor.text


def _sentence(
    report: Report, places: list[int], anchor: Anchor, taken: Mapping[Place, Record]
) -> int | None:
    """Return the index of the sentence.

    Of several alike the one with the same neighbours, then the nearest.
    """
    sents = [checked.sentence for checked in report.sentences]
    free = [i for i in places if (sents[i].number, anchor.claim_id) not in taken]

    def distance(i: int) -> tuple[int, bool, int]:
        before = sents[i - 1].text if i else ""
        after = sents[i + 1].text if i + 1 < len(sents) else ""
        around = (before == anchor.text_before) + (after == anchor.text_after)
        return (
            -around,
            (sents[i].speaker or "") != anchor.speaker,
            abs(sents[i].number - anchor.number),
        )

    return min(free, key=distance, default=None)


def _with(checked: CheckedSentence, record: Record, report: Report) -> CheckedSentence | None:
    """Return the sentence with the decision on its match, None if it has no such match."""
    decision = record.decision
    claim_id = record.anchor.claim_id
    if any(match.claim.id == claim_id for match in checked.matches):
        matches = tuple(
            replace(m, decision=decision) if m.claim.id == claim_id else m for m in checked.matches
        )
        return replace(checked, matches=matches)
    if decision is None or decision.verdict != "confirm":
        return None
    return _added(checked, replace(match_of(record.anchor), decision=decision), report)


def match_of(anchor: Anchor) -> Match:
    """Return the match as it was when somebody decided on it."""
    return stored_reports.load_match(json.loads(anchor.match))


def _added(checked: CheckedSentence, match: Match, report: Report) -> CheckedSentence:
    """Return the sentence with one more match.

    A dropped sentence is kept from now on, ranked last.
    """
    last = max((c.rank or 0 for c in report.sentences), default=0)
    return replace(
        checked,
        kept=True,
        dropped_reason=None,
        rank=checked.rank or last + checked.sentence.number,
        score=match.score if checked.score is None else checked.score,
        tier=checked.tier or match.tier or Tier.POSSIBLE,
        matches=(*checked.matches, replace(match, rank=len(checked.matches) + 1)),
    )


def _warnings(orphans: Iterable[Orphan]) -> list[str]:
    return [
        f"An earlier decision has no place in this report ({o.why}): {o.record.decision.verdict} by "
        f"{o.record.decision.by}, “{o.record.anchor.text}”, {o.record.anchor.statement}"
        for o in orphans
        if o.record.decision
    ]
