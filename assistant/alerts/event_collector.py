"""Collects events from their sources into the outbox, each once.

The time until which a source was collected is stored together with its alerts. The time before it
is read again, because an event may be stored later than it happened; the outbox has each event
only once.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field

from assistant.alerts import morning_digest
from assistant.alerts.alert_events import DIGEST
from assistant.alerts.channel_store import AlertChannel, ChannelStore
from assistant.alerts.event_sources import EVENT_SOURCES, EventContext, EventSource
from assistant.alerts.outbox import Outbox
from assistant.core.errors import LecternError, StoreError

COLLECTOR_LOGGER = logging.getLogger("lectern.alerts")
MAX_KNOWN_RESULTS = 20_000
DIGEST_PAUSE_S = 30.0


@dataclass
class EventCollector:
    """Collects the events of one database for the channels that exist."""

    context: EventContext
    channels: ChannelStore
    outbox: Outbox
    sources: tuple[EventSource, ...] = EVENT_SOURCES
    # When each source is due again.
    _due: dict[str, float] = field(default_factory=dict)
    _digests: set[str] = field(default_factory=set)

    def collect(self, now: float) -> None:
        """Collect the events of every source that is due. Raises: StoreError."""
        channels = [channel for channel in self.channels.all() if channel.paused is None]
        if not channels:
            return
        for source in self.sources:
            if self._is_due(source.name, now, source.pause_s):
                self._collect_source(source, now)
        if self._is_due(DIGEST, now, DIGEST_PAUSE_S):
            for channel in channels:
                self._collect_digest(channel, now)

    def _is_due(self, name: str, now: float, pause_s: float) -> bool:
        """Return whether a source is due, and note when it is due again."""
        due = self._due.get(name, 0.0)
        if now < due <= now + pause_s:
            return False
        self._due[name] = now + pause_s
        return True

    def _collect_source(self, source: EventSource, now: float) -> None:
        """Collect the events of one source; a fault of it does not stop the others."""
        # The time up to which events were collected before, None for a new source
        collected_until = self.outbox.collected_until(source.name)
        collect_from = now if collected_until is None else min(collected_until, now)
        try:
            events = source.read(self.context, collect_from - source.overlap_s)
        except StoreError:
            raise
        except LecternError as error:
            COLLECTOR_LOGGER.warning("events of %s wait: %s", source.name, error)
            return
        except Exception as error:
            kind = type(error).__name__
            COLLECTOR_LOGGER.error("events of %s wait: an error (%s)", source.name, kind)
            return
        # The context has the results that it has read: those that were not stored are read again.
        try:
            self.outbox.collect(source.name, events, now)
        except BaseException:
            self.context.read_results.clear()
            raise
        if len(self.context.read_results) > MAX_KNOWN_RESULTS:
            self.context.read_results.clear()

    def _collect_digest(self, channel: AlertChannel, now: float) -> None:
        """Store today's digest of a channel once its time has come."""
        if DIGEST not in channel.kinds:
            return
        # The key of today's digest, "" before its time; ``_digests`` are known to be stored.
        key = morning_digest.digest_key(channel, now)
        if not key or key in self._digests:
            return
        is_stored = self.outbox.collected_until(key) is not None
        if not is_stored:
            event = morning_digest.digest_event(self.context, channel, now)
            self.outbox.collect_digest(key, channel.name, event, now)
        self._digests.add(key)
