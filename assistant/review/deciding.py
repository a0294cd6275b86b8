"""Deciding on matches: makes, changes and undoes decisions on a report, and reads them back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TypeVar

from assistant.core.domain import Decision, Match, Report
from assistant.core.errors import DecisionConflict, ReviewError
from assistant.report import stored_reports
from assistant.review.decision_placement import Placed, place, words_of
from assistant.review.decision_store import Anchor, DecisionStore, Record

VERDICTS = ("confirm", "reject", "later")
# Why a match is rejected.
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
T = TypeVar("T")


def now() -> str:
    """Return the time in UTC to the millisecond: 2024-09-11T09:30:00.250Z."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def placed(store: DecisionStore, report: Report) -> Placed:
    """Return a report with the decisions on its transcript, also those made on an earlier report."""
    transcript = report.transcript
    return place(
        report, store.of(transcript.source.sha256, transcript.title, transcript.event_date)
    )


def with_decisions(report: Report, database: str) -> Report:
    """Return the report with the decisions in a database.

    Those without a place in it are among its warnings.
    """
    with DecisionStore.open(database) as store:
        return placed(store, report).report


def decide(
    store: DecisionStore,
    report: Placed,
    where: tuple[int, Match],
    decision: Decision,
    *,
    seen: int | None = None,
    clock: Callable[[], str] = now,
) -> Record:
    """Store a decision on the match of a sentence and return it.

    ``where`` is the sentence's number and the match.

    ``seen`` is the version that the person was shown, if not the one in ``report``.

    Raises: ReviewError if the decision is incomplete; DecisionConflict if somebody else decided
    since.
    """
    _check(decision)
    number, match = where
    known = report.records.get((number, match.claim.id))
    anchor = known.anchor if known else _anchor(report.report, number, match)
    version = (known.version if known else 0) if seen is None else seen
    key = known.key if known else key_of(anchor)
    return follow(store, Record(key, version, 0, anchor, None, "", ""), decision, clock=clock)


def decide_all(
    store: DecisionStore,
    report: Placed,
    places: Iterable[tuple[int, Match]],
    decision: Decision,
    *,
    clock: Callable[[], str] = now,
) -> None:
    """Store one decision on several matches, all at the same moment, by which they belong together.

    Raises: ReviewError if the decision is incomplete; DecisionConflict if somebody else decided on
    one of them since, when the others are stored.
    """
    at = clock()
    _each(places, lambda where: decide(store, report, where, decision, clock=lambda: at))


def follow(
    store: DecisionStore, record: Record, decision: Decision, *, clock: Callable[[], str] = now
) -> Record:
    """Store a decision that follows a version the person has seen, perhaps somebody else's, and return it.

    Raises: ReviewError if the decision is incomplete; DecisionConflict if somebody else decided
    since.
    """
    _check(decision)
    at = clock()
    made = Decision(decision.verdict, decision.reason, decision.by, at, decision.note)
    return store.write(
        Record(record.key, record.version + 1, record.version, record.anchor, made, decision.by, at)
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
    earlier = next((r for r in store.history(record.key) if r.version == record.before), None)
    decision, before = (earlier.decision, earlier.before) if earlier else (None, 0)
    return store.write(
        Record(record.key, record.version + 1, before, record.anchor, decision, by, clock())
    )


def undo_all(
    store: DecisionStore,
    records: Iterable[Record],
    last: Record,
    by: str,
    *,
    clock: Callable[[], str] = now,
) -> None:
    """Undo a decision on every match on which it was made.

    Raises: as ``undo``, when the others are undone.
    """
    together = [record for record in records if record.decision == last.decision]
    _each(together, lambda record: undo(store, record, by, clock=clock))


def last_by(records: Iterable[Record], name: str) -> Record | None:
    """Return the newest current decision of a person, None if there is none."""
    own = [record for record in records if record.decision and record.decision.by == name]
    return max(
        own, key=lambda r: (r.decision.at, r.version) if r.decision else ("", 0), default=None
    )


def key_of(anchor: Anchor) -> str:
    """Return the key of a new decision.

    Two people who decide at the same time get the same one.
    """
    parts = (anchor.document, str(anchor.number), words_of(anchor.text), anchor.claim_id)
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "replace")).hexdigest()[:KEY_DIGITS]


def _each(values: Iterable[T], write: Callable[[T], object]) -> None:
    """Write each value; raise the first conflict at the end."""
    refused = None
    for value in values:
        try:
            write(value)
        except DecisionConflict as error:
            refused = refused or error
    if refused is not None:
        raise refused


def _check(decision: Decision) -> None:
    if decision.verdict not in VERDICTS:
        raise ReviewError(
            f"no verdict {decision.verdict!r}.", remedy=f"Use one of {', '.join(VERDICTS)}."
        )
    if not decision.by.strip():
        raise ReviewError(
            "a decision needs the name of who made it.", remedy="Give your name first."
        )
    if (decision.verdict == "reject") != (decision.reason in REASONS):
        remedy = f"Reject with one of: {', '.join(REASONS)}; other verdicts have no reason."
        raise ReviewError(
            f"reason {decision.reason!r} does not go with {decision.verdict!r}.", remedy=remedy
        )


def _anchor(report: Report, number: int, match: Match) -> Anchor:
    at = next(i for i, checked in enumerate(report.sentences) if checked.sentence.number == number)
    sents = [checked.sentence for checked in report.sentences]
    transcript = report.transcript
    sent = sents[at]
    return Anchor(
        document=transcript.source.sha256,
        title=transcript.title,
        event_date=transcript.event_date,
        number=number,
        speaker=sent.speaker or "",
        start=sent.start,
        text=sent.text,
        text_before=sents[at - 1].text if at else "",
        text_after=sents[at + 1].text if at + 1 < len(sents) else "",
        claim_id=match.claim.id,
        statement=match.claim.statement,
        made_with=json.dumps(asdict(report.manifest), sort_keys=True),
        match=json.dumps(stored_reports.match_row(match), ensure_ascii=True),
    )
