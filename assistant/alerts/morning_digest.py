"""The digest of a morning: yesterday's sentences that a fact-check covers."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from assistant.alerts import quiet_hours
from assistant.alerts.alert_events import DIGEST, AlertEvent, AlertItem
from assistant.alerts.channel_store import AlertChannel
from assistant.alerts.event_sources import EventContext, best_match, claim_fields, live_item
from assistant.core.domain import CheckedSentence, Manifest, Match, Report, Strength
from assistant.jobs.report_store import ReportStore
from assistant.report import stored_reports
from assistant.report.measured_strength import is_strong, stored_strength, with_strengths
from assistant.review import deciding

MAX_DIGEST_ITEMS = 200
MIDNIGHT = quiet_hours.parse_clock_time("00:00")


def digest_key(channel: AlertChannel, now: float) -> str:
    """Return the name of today's digest of a channel, "" before its time of day."""
    today = datetime.fromtimestamp(now, channel.time_zone).date()
    clock_time = quiet_hours.parse_clock_time(channel.digest_time)
    due = quiet_hours.at_clock_time(today, clock_time, channel.time_zone)
    return f"digest/{channel.name}/{today.isoformat()}" if now >= due else ""


def digest_event(context: EventContext, channel: AlertChannel, now: float) -> AlertEvent | None:
    """Return today's digest of a channel, None if no sentence of yesterday is covered."""
    today = datetime.fromtimestamp(now, channel.time_zone).date()
    end_of_yesterday = quiet_hours.at_clock_time(today, MIDNIGHT, channel.time_zone)
    yesterday = today - quiet_hours.ONE_DAY
    begin_of_yesterday = quiet_hours.at_clock_time(yesterday, MIDNIGHT, channel.time_zone)
    items: list[AlertItem] = []
    debates = []
    for debate, debate_items in _debates(context, begin_of_yesterday, end_of_yesterday):
        items += debate_items
        debates.append(debate)
        if len(items) >= MAX_DIGEST_ITEMS:
            break
    if not items:
        return None
    event_key = digest_key(channel, now)
    return AlertEvent(DIGEST, event_key, now, tuple(items), debates=tuple(debates))


def _debates(
    context: EventContext, begin: float, end: float
) -> Iterator[tuple[str, list[AlertItem]]]:
    """Yield each debate of some time, as a purge names it, with its covered sentences."""
    database_url = context.settings.database
    with ReportStore.open(database_url) as store:
        for report_id in context.tables.shared_report_ids(begin, end):
            stored_report = store.report(report_id)
            if stored_report is None:
                continue
            report = with_strengths(stored_reports.load(stored_report))
            decided_report = deciding.with_decisions(report, database_url)
            debate_items = covered_items(decided_report)
            if debate_items:
                yield report.transcript.source.sha256, debate_items
    items_by_event: dict[str, list[AlertItem]] = {}
    for result in context.tables.live_results(begin, end):
        match, strength = best_match(result)
        if match is not None and _covers(match, strength):
            items_by_event.setdefault(result.event, []).append(live_item(result, match))
    for event, debate_items in items_by_event.items():
        yield f"live:{event}", debate_items


def _covers(match: Match, strength: str | None) -> bool:
    """Return whether a match with a stored strength covers the statement."""
    return strength == Strength.GOOD or is_strong(strength, match.tier)


def covered_items(report: Report) -> list[AlertItem]:
    """Return the sentences of a report that a fact-check covers, without rejected matches."""
    items = []
    for checked_sentence in report.sentences:
        match = _covering_match(checked_sentence, report.manifest)
        if match is None:
            continue
        fields = {
            "title": report.transcript.title,
            "speaker": checked_sentence.sentence.speaker or "",
            "sentence": checked_sentence.sentence.text,
        }
        items.append(AlertItem({**fields, **claim_fields(match.claim)}, match.claim.url))
    return items


def _covering_match(checked: CheckedSentence, manifest: Manifest) -> Match | None:
    """Return the best match that covers a sentence and is not rejected, None if none does."""
    for match in checked.matches:
        is_rejected = match.decision is not None and match.decision.verdict == "reject"
        if _covers(match, stored_strength(match, manifest)) and not is_rejected:
            return match
    return None
