"""The outbox: each alert of each channel, stored until it is sent or given up.

An alert is claimed before it is sent. If its process is killed, another one claims it again and
sends it with the same id, so that nothing is lost, and a receiver recognises a repetition.
"""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

import sqlalchemy as sa

from assistant.alerts.alert_events import TEST, AlertEvent, AlertMessage
from assistant.alerts.channel_store import AlertChannel
from assistant.alerts.tables import channels, deliveries, progress
from assistant.core.database import Database
from assistant.core.errors import Busy, SettingsError
from assistant.core.processes import is_alive

LEASE_S = 120.0  # longer than any attempt
FARTHEST_DUE_S = 2 * 86_400.0  # quiet hours and pauses are shorter
MAX_WAITING_PER_CHANNEL = 1_000
TOO_MANY_WAIT = f"{MAX_WAITING_PER_CHANNEL:,} alerts waited for this channel already."
MAX_TESTS = 5
TESTS_WITHIN_S = 600.0
KEPT_S = 30 * 86_400.0  # sent and failed alerts are listed for so long


class DeliveryState(StrEnum):
    """The state of an alert of a channel."""

    WAITING = "waiting"
    SENT = "sent"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Delivery:
    """An alert of a channel, as it is listed. ``tries`` counts failed attempts."""

    id: str
    channel: str
    kind: str
    state: DeliveryState
    made: float
    due: float
    tries: int
    error: str
    ended: float | None


@cache
def sending_process() -> str:
    """Return the name of this process among all that ever send from an outbox."""
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"


class Outbox(Database):
    """The outbox of one database. Use it in a ``with``, or close it."""

    def collected_until(self, source: str) -> float | None:
        """Return until when the events of a source were collected, None if they never were."""
        query = sa.select(progress.c.collected_until).where(progress.c.source == source)
        with self._reading() as connection:
            return connection.execute(query).scalar()

    def collect(self, source: str, events: Iterable[AlertEvent], until: float) -> int:
        """Store the alerts of some events, and until when the events of a source are collected.

        Both are one transaction. Return the number of new alerts.
        """
        with self._writing() as connection:
            added = _add_all(connection, list(events), until)
            _note_progress(connection, source, until)
        return added

    def collect_digest(self, key: str, channel: str, event: AlertEvent | None, now: float) -> None:
        """Store the digest of a channel, None if there is nothing in it, once."""
        with self._writing() as connection:
            if event is not None and not _is_stored(connection, channel, event.key):
                _insert(connection, channel, event, now)
            _note_progress(connection, key, now)

    def add_test(self, channel: AlertChannel, event: AlertEvent, now: float) -> str:
        """Store a test alert of one channel, and return its id. Raises: Busy after several tests.

        Otherwise tests could flood the mailbox of a stranger.
        """
        columns = deliveries.c
        is_of_channel = columns.channel == channel.name
        is_recent = columns.made.between(now - TESTS_WITHIN_S, now)
        count_query = sa.select(sa.func.count()).select_from(deliveries)
        count_query = count_query.where(is_of_channel, columns.kind == TEST, is_recent)
        with self._writing() as connection:
            recent_test_count = connection.execute(count_query).scalar_one()
            if recent_test_count >= MAX_TESTS:
                message = f"this channel got {MAX_TESTS} test messages within 10 minutes."
                raise Busy(message, remedy="Try again later.")
            return _insert(connection, channel.name, event, now)

    def due_channels(self, now: float) -> list[str]:
        """Return the active channels with an alert that is due, the longest due one first."""
        columns = deliveries.c
        query = sa.select(columns.channel).where(_is_due(now)).group_by(columns.channel)
        query = query.order_by(sa.func.min(columns.due), columns.channel)
        with self._reading() as connection:
            return list(connection.execute(query).scalars())

    def claim(
        self, now: float, *, only_channel: str = "", only_id: str = ""
    ) -> tuple[Delivery, AlertMessage] | None:
        """Claim the alert that has been due for the longest time, None if no alert is due.

        ``only_channel``, ``only_id``: claim an alert of this channel, or this alert.
        """
        columns = deliveries.c
        query = sa.select(deliveries).where(_is_due(now))
        if only_channel:
            query = query.where(columns.channel == only_channel)
        if only_id:
            query = query.where(columns.id == only_id)
        query = query.order_by(columns.due, columns.made, columns.id)
        with self._writing() as connection:
            for record in connection.execute(query):
                if _is_leased(record, now):
                    continue
                lease_values = {"process": sending_process(), "leased_until": now + LEASE_S}
                lease_update = deliveries.update().where(columns.id == record.id)
                connection.execute(lease_update.values(**lease_values))
                event = AlertEvent.from_json(record.content)
                return _delivery(record), AlertMessage(record.id, event)
        return None

    def mark_sent(self, delivery_id: str, now: float) -> None:
        """Note that an alert was sent, and forget its content."""
        self._release(delivery_id, state="sent", ended=now, content="", error="")

    def try_later(self, delivery_id: str, due: float, error: str, *, tries: int) -> None:
        """Note a failed attempt, and when the alert is due again."""
        self._release(delivery_id, due=due, error=error, tries=tries)

    def give_up(self, delivery_id: str, now: float, error: str, *, tries: int) -> None:
        """Note that an alert is given up; it is listed as failed."""
        self._release(delivery_id, state="failed", ended=now, error=error, tries=tries)

    def give_up_old(self, channel_name: str, made_before: float, now: float, error: str) -> None:
        """Give up the alerts of a channel that have waited since some time."""
        columns = deliveries.c
        is_waiting = (columns.channel == channel_name) & (columns.state == "waiting")
        # The column has the process that is sending the alert at this moment, if any.
        is_being_sent = columns.process != ""
        failing_update = deliveries.update().where(
            is_waiting, columns.made < made_before, sa.not_(is_being_sent)
        )
        with self._writing() as connection:
            connection.execute(failing_update.values(state="failed", ended=now, error=error))

    def send_again(self, delivery_id: str, now: float) -> None:
        """Let a failed alert be tried again, as if it were new. Raises: SettingsError."""
        columns = deliveries.c
        has_failed = (columns.id == delivery_id) & (columns.state == "failed")
        # An alert that was refused because too many waited has no content.
        has_failed &= columns.content != ""
        # Not a newer channel of the same name, which may have another owner.
        has_channel = sa.exists().where(
            channels.c.name == columns.channel, channels.c.made <= columns.made
        )
        waiting_update = deliveries.update().where(has_failed, has_channel)
        waiting_values = {"state": "waiting", "due": now, "tries": 0, "ended": None}
        with self._writing() as connection:
            changed_count = connection.execute(waiting_update.values(**waiting_values)).rowcount
        if changed_count == 0:
            message = "there is no failed alert with this id to send again."
            remedy = "See `python -m assistant alerts failed`."
            raise SettingsError(message, where=delivery_id[:80], remedy=remedy)

    def get(self, delivery_id: str) -> Delivery | None:
        """Return an alert, None if there is none with this id."""
        listed = self._listed(deliveries.c.id == delivery_id)
        return listed[0] if listed else None

    def in_state(
        self,
        state: DeliveryState,
        *,
        limit: int = 200,
        channel_names: Collection[str] | None = None,
    ) -> list[Delivery]:
        """Return the newest alerts in a state, newest first, of all channels or of some."""
        condition = deliveries.c.state == str(state)
        if channel_names is not None:
            condition &= deliveries.c.channel.in_(sorted(channel_names))
        return self._listed(condition, limit)

    def count(self, state: DeliveryState) -> int:
        """Count the alerts in a state."""
        counted = sa.select(sa.func.count()).select_from(deliveries)
        with self._reading() as connection:
            query = counted.where(deliveries.c.state == str(state))
            return int(connection.execute(query).scalar_one())

    def forget_old(self, now: float) -> None:
        """Delete alerts that ended long ago; events that old are not collected again."""
        oldest_kept_s = now - KEPT_S
        is_old = deliveries.c.ended < oldest_kept_s
        is_digest = progress.c.source.startswith("digest/")
        is_old_digest = is_digest & (progress.c.collected_until < oldest_kept_s)
        # Usually nothing is old: looking first spares the lock on the database.
        with self._reading() as connection:
            old_query = sa.select(deliveries.c.id).where(is_old).limit(1)
            has_old_alert = connection.execute(old_query).first() is not None
        if not has_old_alert:
            return
        with self._writing() as connection:
            connection.execute(deliveries.delete().where(is_old))
            connection.execute(progress.delete().where(is_old_digest))

    def purge(self, debate: str) -> None:
        """Delete the alerts that quote a debate: a document, or ``live:`` and an event."""
        quoted = deliveries.c.debates.contains(f"\n{debate}\n", autoescape=True)
        with self._writing() as connection:
            connection.execute(deliveries.delete().where(quoted))

    def _release(self, delivery_id: str, **values: Any) -> None:
        """Change an alert that this process has claimed, and give it back."""
        is_claimed = deliveries.c.id == delivery_id
        with self._writing() as connection:
            change = deliveries.update().where(is_claimed)
            connection.execute(change.values(process="", leased_until=0.0, **values))

    def _listed(self, condition: sa.ColumnElement[bool], limit: int = 1) -> list[Delivery]:
        query = sa.select(deliveries).where(condition)
        query = query.order_by(deliveries.c.made.desc(), deliveries.c.id).limit(limit)
        with self._reading() as connection:
            return [_delivery(record) for record in connection.execute(query)]


def _note_progress(connection: sa.Connection, source: str, until: float) -> None:
    """Store until when the events of a source are collected."""
    update = progress.update().where(progress.c.source == source)
    if not connection.execute(update.values(collected_until=until)).rowcount:
        connection.execute(progress.insert().values(source=source, collected_until=until))


def _add_all(connection: sa.Connection, events: list[AlertEvent], now: float) -> int:
    """Store the alerts of events for each channel that gets them, unless they are stored."""
    if not events:
        return 0
    added_count = 0
    for channel in connection.execute(sa.select(channels)).all():
        # A full channel gets further alerts, too, but they count as failed.
        free_place_count = MAX_WAITING_PER_CHANNEL - _count_waiting(connection, channel.name)
        channel_kinds = channel.kinds.split()
        events_of_kind = [event for event in events if event.kind in channel_kinds]
        fitting_events = [event for event in events_of_kind if event.concerns(channel.owner)]
        for event in fitting_events:
            is_older_than_channel = event.at < channel.made
            if is_older_than_channel or _is_stored(connection, channel.name, event.key):
                continue
            _insert(connection, channel.name, event, now, is_full=free_place_count <= 0)
            free_place_count -= 1
            added_count += 1
    return added_count


def _count_waiting(connection: sa.Connection, channel: str) -> int:
    columns = deliveries.c
    counted = sa.select(sa.func.count()).select_from(deliveries)
    query = counted.where(columns.channel == channel, columns.state == "waiting")
    return int(connection.execute(query).scalar_one())


def _is_due(now: float) -> sa.ColumnElement[bool]:
    """Return the condition of an alert that is due, of an active channel.

    No alert is due so late as ``FARTHEST_DUE_S``, unless the clock was set back.
    """
    columns = deliveries.c
    is_active = sa.exists().where(channels.c.name == columns.channel, channels.c.paused.is_(None))
    is_in_time = (columns.due <= now) | (columns.due > now + FARTHEST_DUE_S)
    return sa.and_(columns.state == "waiting", is_in_time, is_active)


def _is_stored(connection: sa.Connection, channel: str, event_key: str) -> bool:
    columns = deliveries.c
    query = sa.select(columns.id).where(columns.channel == channel, columns.event_key == event_key)
    return connection.execute(query).first() is not None


def _insert(
    connection: sa.Connection,
    channel_name: str,
    event: AlertEvent,
    now: float,
    *,
    is_full: bool = False,
) -> str:
    """Store an alert; without its text and as failed if too many wait for the channel already."""
    delivery_id = f"msg_{secrets.token_hex(12)}"
    # An event is stored once per channel by its key; a test may be repeated.
    event_key = event.key if event.kind != TEST else delivery_id
    column_values = {
        "id": delivery_id,
        "channel": channel_name,
        "kind": event.kind,
        "event_key": event_key,
        "content": "" if is_full else event.to_json(),
        # One per line, with line ends around all, so that a purge can search for a whole line
        "debates": "\n".join(("", *event.debates, "")),
        "state": "failed" if is_full else "waiting",
        "made": now,
        "due": now,
        "tries": 0,
        "error": TOO_MANY_WAIT if is_full else "",
        "process": "",
        "leased_until": 0.0,
        "ended": now if is_full else None,
    }
    connection.execute(deliveries.insert().values(**column_values))
    return delivery_id


def _is_leased(record: sa.Row[Any], now: float) -> bool:
    """Return whether a process that still runs is sending an alert."""
    # A lease that ends later than a new one would was made before the clock was set back.
    lasts_now = now < record.leased_until <= now + LEASE_S
    if not record.process or not lasts_now:
        return False
    # A sending process is named HOST:NUMBER:TOKEN, see ``sending_process``.
    host, number_text, _ = record.process.rsplit(":", 2)
    is_on_other_host = host != socket.gethostname()
    if is_on_other_host or record.process == sending_process():
        return True
    process_number = int(number_text)
    # An earlier process may have had the number that this one has now.
    return process_number != os.getpid() and is_alive(process_number)


def _delivery(record: sa.Row[Any]) -> Delivery:
    return Delivery(
        record.id,
        record.channel,
        record.kind,
        DeliveryState(record.state),
        record.made,
        record.due,
        record.tries,
        record.error,
        record.ended,
    )
