"""Deciding on matches: makes, changes and undoes decisions on a report, and reads them back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime

from assistant.core.domain import Decision, Match, Report
from assistant.core.errors import DecisionConflict, ReviewError
from assistant.report import stored_reports
from assistant.review import revisions
from assistant.review.debate_identity import note_debate, records_of
from assistant.review.decision_placement import DecidedReport, place
from assistant.review.decision_store import Anchor, DecisionStore, Record
from assistant.review.revisions import Reviews
from features.language.same_words import same_words

VERDICTS = ("confirm", "reject", "later")
# Reasons to reject a match.
REASONS = (
    "wrong topic",
    "wrong number",
    "wrong person",
    "wrong place",
    "wrong time",
    "not a claim",
    "other",
)
KEY_DIGITS = 32
FIELD_SEPARATOR = "\x1f"


def now() -> str:
    """Return the time in UTC to the millisecond: 2024-09-11T09:30:00.250Z."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def decided_report(store: DecisionStore, report: Report) -> DecidedReport:
    """Return a report with the decisions on its transcript, earlier ones included."""
    records = records_of(store, report)
    # The fact-checks behind decisions and matches: their publishers may have changed them since.
    claim_ids = {record.anchor.claim_id for record in records}
    for checked_sentence in report.sentences:
        claim_ids |= {match.claim.id for match in checked_sentence.matches}
        if checked_sentence.nearest is not None:
            claim_ids.add(checked_sentence.nearest.claim.id)
    current_reviews = store.current_reviews(claim_ids)
    return place(report, records, current_reviews)


def with_decisions(report: Report, database: str) -> Report:
    """Return the report with the decisions in a database; orphans become warnings."""
    with DecisionStore.open(database) as store:
        return decided_report(store, report).report


def decide(
    store: DecisionStore,
    report: DecidedReport,
    numbered_match: tuple[int, Match],
    decision: Decision,
    *,
    seen: int | None = None,
    clock: Callable[[], str] = now,
) -> Record:
    """Store a decision on a match, given with the number of its sentence, and return it.

    ``seen`` is the version that the person was shown, if not the one in ``report``.

    Raises: ReviewError if the decision is incomplete; DecisionConflict if somebody else decided
    since.
    """
    _require_valid(decision)
    number, match = numbered_match
    current_record = report.records.get((number, match.claim.id))
    reviews = store.current_reviews([match.claim.id])
    anchor = _current_anchor(report.report, number, match, reviews)
    if current_record is None:
        key = key_of(anchor)
        version = 0
    else:
        # The position stays; the words on which the person decides are new.
        anchor = replace(
            current_record.anchor,
            statement=anchor.statement,
            made_with=anchor.made_with,
            match=anchor.match,
        )
        key = current_record.key
        version = current_record.version
    if seen is not None:
        version = seen
    note_debate(store, report.report, anchor)
    seen_record = Record(
        key=key,
        version=version,
        before=0,
        anchor=anchor,
        decision=None,
        done_by="",
        done_at="",
    )
    return follow(store, seen_record, decision, clock=clock)


@dataclass(frozen=True, slots=True)
class ContestedDecision:
    """A decision that came second: a person must say which of the two counts.

    ``counting`` is the version of the other person, which counts until then. ``sentence_number``
    names the sentence of the match.
    """

    sentence_number: int
    counting_record: Record
    decision: Decision


def decide_all(
    store: DecisionStore,
    report: DecidedReport,
    numbered_matches: Iterable[tuple[int, Match]],
    decision: Decision,
    *,
    clock: Callable[[], str] = now,
) -> list[ContestedDecision]:
    """Store one decision on several matches, which belong together by its moment.

    If a colleague decided otherwise on a match since the report was placed, both decisions are
    stored, and the other one counts. Return these cases.

    Raises: ReviewError if the decision is incomplete.
    """
    decided_at = clock()
    contested_decisions = []
    for number, match in numbered_matches:
        try:
            decide(store, report, (number, match), decision, clock=lambda: decided_at)
        except DecisionConflict as conflict:
            # Another person has just decided: both decisions are stored, one of them counts.
            counting_record = store_second(
                store, conflict.theirs, decision, clock=lambda: decided_at
            )
            if not is_same_decision(counting_record.decision, decision):
                contested_decisions.append(ContestedDecision(number, counting_record, decision))
    return contested_decisions


def follow(
    store: DecisionStore, record: Record, decision: Decision, *, clock: Callable[[], str] = now
) -> Record:
    """Store a decision that follows a version the person has seen, and return it.

    Raises: ReviewError if the decision is incomplete; DecisionConflict if somebody else decided
    since.
    """
    _require_valid(decision)
    return store.write(_next_version(record, decision, clock()))


def store_second(
    store: DecisionStore, theirs: Record, decision: Decision, *, clock: Callable[[], str] = now
) -> Record:
    """Store a decision that came second, without letting it count.

    The history gets the decision, then the other person's one again. Return the version that
    counts.

    Raises: ReviewError if the decision is incomplete; DecisionConflict if there is a newer one.
    """
    _require_valid(decision)
    moment = clock()
    second = _next_version(theirs, decision, moment)
    restored = replace(theirs, version=second.version + 1, done_by=decision.by, done_at=moment)
    return store.write_versions(second, restored)[-1]


def is_same_decision(decision: Decision | None, other: Decision | None) -> bool:
    """Return whether two decisions say the same, whoever made them."""
    if decision is None or other is None:
        return decision is other
    words = (decision.verdict, decision.reason, decision.note)
    return words == (other.verdict, other.reason, other.note)


def _next_version(record: Record, decision: Decision, moment: str) -> Record:
    """Return the version with a decision that follows a version."""
    return Record(
        key=record.key,
        version=record.version + 1,
        # Undoing this decision restores the version that the person has seen.
        before=record.version,
        anchor=record.anchor,
        decision=replace(decision, at=moment),
        done_by=decision.by,
        done_at=moment,
    )


def undo(
    store: DecisionStore, record: Record, by: str, *, clock: Callable[[], str] = now
) -> Record:
    """Undo a version and return the new current one: the decision before it, or none.

    Raises: ReviewError if there is nothing to undo; DecisionConflict if somebody else decided
    since.
    """
    if record.decision is None:
        raise ReviewError("there is no decision to undo.")
    # No decision is deleted: the undo is a new version with the contents of the earlier one, or
    # without a decision if there was none before.
    undone_version = Record(
        key=record.key,
        version=record.version + 1,
        before=0,
        anchor=record.anchor,
        decision=None,
        done_by=by,
        done_at=clock(),
    )
    # ``before`` is the number of the version that an undo restores, 0 for an undecided match.
    for earlier_record in store.history(record.key):
        if earlier_record.version == record.before:
            undone_version = replace(
                undone_version,
                before=earlier_record.before,
                anchor=earlier_record.anchor,
                decision=earlier_record.decision,
                sequence=earlier_record.sequence,
            )
    return store.write(undone_version)


def undo_all(
    store: DecisionStore,
    records: Iterable[Record],
    undone_record: Record,
    by: str,
    *,
    clock: Callable[[], str] = now,
) -> None:
    """Undo a decision on every match on which it was made.

    Raises: as ``undo``, after the other matches are undone.
    """
    conflicts = []
    for record in records:
        if record.decision != undone_record.decision:
            continue
        try:
            undo(store, record, by, clock=clock)
        except DecisionConflict as conflict:
            conflicts.append(conflict)
    if conflicts:
        raise conflicts[0]


def last_decision_by(records: Iterable[Record], name: str) -> Record | None:
    """Return the newest current decision of a person, None if there is none.

    Decisions are numbered as they are made: clocks are set back, and differ between computers.
    """
    records_of_person = []
    for record in records:
        if record.decision is not None and record.decision.by == name:
            records_of_person.append(record)
    return max(
        records_of_person,
        key=lambda record: (record.sequence, record.version),
        default=None,
    )


def key_of(anchor: Anchor) -> str:
    """Return the key of a new decision, the same for people who decide at the same time."""
    identity = (anchor.document, str(anchor.number), same_words(anchor.text), anchor.claim_id)
    identity_bytes = FIELD_SEPARATOR.join(identity).encode("utf-8", "replace")
    return hashlib.sha256(identity_bytes).hexdigest()[:KEY_DIGITS]


def _require_valid(decision: Decision) -> None:
    if decision.verdict not in VERDICTS:
        remedy = f"Use one of {', '.join(VERDICTS)}."
        raise ReviewError(f"{decision.verdict!r} isn't a valid decision.", remedy=remedy)
    if not decision.by.strip():
        remedy = "Enter your name first."
        raise ReviewError("a decision needs the name of the person who makes it.", remedy=remedy)
    needs_reason = decision.verdict == "reject"
    has_reason = decision.reason in REASONS
    if needs_reason != has_reason:
        problem = f"the verdict {decision.verdict!r} can't have the reason {decision.reason!r}."
        remedy = f"Reject with one of: {', '.join(REASONS)}. Other verdicts have no reason."
        raise ReviewError(problem, remedy=remedy)


def position_anchor(report: Report, number: int, match: Match) -> Anchor:
    """Return the position of a match of a sentence, given by its number, without the check."""
    transcript = report.transcript
    sentences = [checked_sentence.sentence for checked_sentence in report.sentences]
    index = [sentence.number for sentence in sentences].index(number)
    sentence = sentences[index]
    previous_text = sentences[index - 1].text if index > 0 else ""
    next_text = sentences[index + 1].text if index + 1 < len(sentences) else ""
    return Anchor(
        document=transcript.source.sha256,
        title=transcript.title,
        event_date=transcript.event_date,
        number=number,
        speaker=sentence.speaker or "",
        start=sentence.start,
        text=sentence.text,
        text_before=previous_text,
        text_after=next_text,
        claim_id=match.claim.id,
        statement=match.claim.statement,
        made_with="",
        match="",
    )


def _current_anchor(report: Report, number: int, match: Match, reviews: Reviews) -> Anchor:
    """Return the anchor of a decision on a match of a sentence, given by its number."""
    # An anchor says on which sentence and fact-check a person decided. It keeps the match itself,
    # with the words of the fact-check as they are now.
    undecided_match = replace(match, decision=None, reopened=None, revised="")
    match_values = stored_reports.match_row(undecided_match)
    match_values = revisions.with_reviewed_words(match_values, reviews)
    return replace(
        position_anchor(report, number, match),
        statement=match_values["claim"]["statement"],
        made_with=json.dumps(asdict(report.manifest), sort_keys=True),
        match=json.dumps(match_values, ensure_ascii=True),
    )
