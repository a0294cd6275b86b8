"""The sources of events: each returns the events since a time.

A row of ``EVENT_SOURCES`` is a source. A new kind of event needs a row there, and its headline in
``alert_events.ALERT_KINDS``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple

from assistant.alerts import colleague_events
from assistant.alerts.alert_events import (
    ARCHIVE_MATCH,
    CHECK_ENDED,
    LIVE_MATCH,
    REVIEW_CHANGED,
    AlertEvent,
    AlertItem,
)
from assistant.alerts.event_tables import ChangedReview, EventTables, LiveResult
from assistant.archive import alerts as archive_alerts
from assistant.archive.archive_store import ArchiveStore
from assistant.core.domain import Match, VerifiedClaim
from assistant.core.settings import Settings
from assistant.report import stored_reports, wording
from assistant.report.measured_strength import is_strong, stored_strength, with_strengths
from assistant.review import revisions
from assistant.review.decision_store import DecisionStore, Record

MAX_ARCHIVE_ALERTS = 100_000
MAX_NAMED_DEBATES = 5
OPEN_AGAIN = "open again: "  # begins the words of ``revisions.reason_open_again``


class EventContext(NamedTuple):
    """The resources that sources read, and the live results that were read before."""

    settings: Settings
    tables: EventTables
    read_results: set[tuple[str, float]]


class EventSource(NamedTuple):
    """A source of events.

    ``overlap_s``: an event may be stored so many seconds after its time, so that the time before
    the last collection is read again. ``pause_s``: between two collections.
    """

    name: str
    overlap_s: float
    pause_s: float
    read: Callable[[EventContext, float], list[AlertEvent]]


def claim_fields(claim: VerifiedClaim) -> dict[str, str]:
    """Return the texts of a fact-check by field."""
    return {
        "statement": claim.statement,
        "rating": claim.rating,
        "publisher": wording.publisher(claim),
    }


def live_match_events(context: EventContext, since: float) -> list[AlertEvent]:
    """Return the strong matches of live events, likely ones if the ranker gives no strengths."""
    events = []
    for result in context.tables.live_results(since):
        # A result is read once, unless its sentence is checked again.
        result_key_and_time = (result.key, result.checked)
        if result_key_and_time in context.read_results:
            continue
        context.read_results.add(result_key_and_time)
        match, strength = best_match(result)
        if match is not None and is_strong(strength, match.tier):
            items = (live_item(result, match),)
            debates = (f"live:{result.event}",)
            event = AlertEvent(LIVE_MATCH, result.key, result.checked, items, debates=debates)
            events.append(event)
    return events


def best_match(result: LiveResult) -> tuple[Match | None, str | None]:
    """Return the best match of a live sentence, None if it has none, and its stored strength."""
    report = with_strengths(stored_reports.load(result.report))
    matches = report.sentences[0].matches
    if not matches:
        return None, None
    return matches[0], stored_strength(matches[0], report.manifest)


def live_item(result: LiveResult, match: Match) -> AlertItem:
    """Return a live sentence and its fact-check."""
    fields = {"event": result.title, "speaker": result.speaker, "sentence": result.text}
    return AlertItem({**fields, **claim_fields(match.claim)}, match.claim.url)


def archive_events(context: EventContext, since: float) -> list[AlertEvent]:
    """Return the new fact-checks whose claims were made in the archive."""
    if context.tables.newest_archive_alert() < since:
        return []
    settings = context.settings
    with ArchiveStore.open(settings.database) as archive:
        newest = archive_alerts.newest_alerts(archive, settings, most=MAX_ARCHIVE_ALERTS)
    events = []
    for alert in newest:
        if alert.at < since:
            continue
        claim = alert.claim
        said_in = wording.count(alert.debates, "debate")
        first_year = f", first in {alert.first.year}" if alert.first else ""
        said_words = "said" if alert.is_sure else "may have been said"
        fields = {**claim_fields(claim), "debates": f"{said_words} in {said_in}{first_year}"}
        event_key = f"archive/{claim.id}/{alert.at:.3f}"
        item = AlertItem(fields, claim.url)
        events.append(AlertEvent(ARCHIVE_MATCH, event_key, alert.at, (item,)))
    return events


def review_events(context: EventContext, since: float) -> list[AlertEvent]:
    """Return the changes of fact-checks by their publishers behind confirmed matches."""
    change_by_claim = {change.claim_id: change for change in context.tables.changed_reviews(since)}
    if not change_by_claim:
        return []
    # The confirmed matches with each changed fact-check
    records_by_claim: dict[str, list[Record]] = defaultdict(list)
    with DecisionStore.open(context.settings.database) as store:
        for record in store.all():
            is_confirmed = record.decision is not None and record.decision.verdict == "confirm"
            if is_confirmed and record.anchor.claim_id in change_by_claim:
                records_by_claim[record.anchor.claim_id].append(record)
        reviews = store.current_reviews(records_by_claim)
    events = []
    for claim_id, claim_records in records_by_claim.items():
        # Why each decision is open again, "" for a decision that still stands
        reopening_reasons = [
            revisions.reason_open_again(record, reviews) for record in claim_records
        ]
        given_reasons = [reason for reason in reopening_reasons if reason]
        if given_reasons:
            event = _review_event(change_by_claim[claim_id], claim_records, given_reasons[0])
            events.append(event)
    return events


def _review_event(change: ChangedReview, records: list[Record], reopening_words: str) -> AlertEvent:
    """Return the event of a changed fact-check. ``reopening_words``: how it was and is."""
    claim = revisions.decided_claim(records[0].anchor)
    titles = sorted({record.anchor.title for record in records})
    fields = {
        "statement": claim.statement,
        "publisher": wording.publisher(claim),
        "result": reopening_words.removeprefix(OPEN_AGAIN),
        "debates": wording.enumerated(titles, MAX_NAMED_DEBATES),
    }
    # A live event has no document.
    documents = tuple(sorted({record.anchor.document for record in records} - {""}))
    # An event with a key that is stored already is not sent again.
    event_key = f"review/{change.claim_id}/{change.version}"
    item = AlertItem(fields, claim.url)
    return AlertEvent(REVIEW_CHANGED, event_key, change.at, (item,), debates=documents)


def check_events(context: EventContext, since: float) -> list[AlertEvent]:
    """Return the checks that are done or have failed, for the person who started each."""
    events = []
    for check in context.tables.ended_checks(since):
        outcome = "The report is ready." if check.is_done else f"Failed: {check.error}"
        item = AlertItem({"title": check.title, "result": outcome})
        event_key = f"check/{check.id}/{check.ended:.3f}"
        event = AlertEvent(
            CHECK_ENDED,
            event_key,
            check.ended,
            (item,),
            owner=check.who,
            is_shared=check.is_shared,
            debates=(check.document,),
        )
        events.append(event)
    return events


def mention_events(context: EventContext, since: float) -> list[AlertEvent]:
    """Return the mentions in comments."""
    return colleague_events.mentions_since(context.settings, since)


def assignment_events(context: EventContext, since: float) -> list[AlertEvent]:
    """Return the assignments of reviews."""
    return colleague_events.assignments_since(context.settings, since)


EVENT_SOURCES = (
    EventSource("live", overlap_s=600, pause_s=0, read=live_match_events),
    EventSource("checks", overlap_s=600, pause_s=10, read=check_events),
    EventSource("mentions", overlap_s=600, pause_s=10, read=mention_events),
    EventSource("assignments", overlap_s=600, pause_s=10, read=assignment_events),
    EventSource("archive", overlap_s=3_600, pause_s=30, read=archive_events),
    # An import has the time of its begin, and a large one takes long.
    EventSource("reviews", overlap_s=86_400, pause_s=30, read=review_events),
)
