"""The channels by which people are alerted: where, of which events, and when not.

Addresses and secrets are stored, because they are needed to send. They are never shown or logged:
an address is shown by its host alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from assistant.alerts import quiet_hours, webhook_signature
from assistant.alerts.alert_events import ALERT_KINDS
from assistant.alerts.channel_address import checked_address, shown_address
from assistant.alerts.quiet_hours import QuietHours
from assistant.alerts.tables import channels, deliveries
from assistant.core.database import Database
from assistant.core.errors import SettingsError
from assistant.live.event import EVENT_NAME

NEWSROOM = ""  # the owner of a channel that belongs to everybody
MAX_CHANNELS_PER_OWNER = 20
CHANGEABLE_FIELDS = ("kinds", "quiet_hours", "zone", "digest_time")
NO_CHANNEL = "there is no such channel."
LIST_REMEDY = "See `python -m assistant alerts list`."


class ChannelForm(StrEnum):
    """The form of the messages of a channel."""

    WEBHOOK = "webhook"
    SLACK = "slack"
    TEAMS = "teams"
    MATRIX = "matrix"
    MAIL = "mail"


@dataclass(frozen=True, slots=True)
class AlertChannel:
    """A way to alert a person, or the newsroom if there is no ``owner``.

    ``secret`` signs webhooks, or is the access token of a Matrix account. ``kinds``: the kinds of
    events that it gets. ``quiet_hours`` such as 22:00-07:00 and ``digest_time`` such as 07:30 are
    local times of ``zone``. ``paused``: since when it gets nothing, None if it does.
    """

    name: str
    owner: str
    form: ChannelForm
    address: str = field(repr=False)
    secret: str = field(default="", repr=False)
    kinds: frozenset[str] = frozenset(ALERT_KINDS)
    quiet_hours: str = ""
    zone: str = "UTC"
    digest_time: str = "07:30"
    made: float = 0.0
    paused: float | None = None

    @property
    def place(self) -> str:
        """Return the address without the parts that give access."""
        return shown_address(self.form, self.address)

    @property
    def time_zone(self) -> ZoneInfo:
        """Return the time zone of its hours."""
        return quiet_hours.parse_zone(self.zone)

    @property
    def quiet(self) -> QuietHours | None:
        """Return its quiet hours, None if it has none."""
        return quiet_hours.parse_quiet_hours(self.quiet_hours, self.zone)


_FIELDS = [channel_field.name for channel_field in fields(AlertChannel)]


class ChannelStore(Database):
    """The channels of one database. Use it in a ``with``, or close it."""

    def add(self, channel: AlertChannel) -> AlertChannel:
        """Store a new channel, with a new secret if it is a webhook without one.

        Raises: SettingsError if a value cannot be used, the name is taken, or the owner has too
        many channels.
        """
        channel = checked_channel(channel)
        same_name_query = sa.select(channels.c.name).where(channels.c.name == channel.name)
        count_query = sa.select(sa.func.count()).select_from(channels)
        count_query = count_query.where(channels.c.owner == channel.owner)
        with self._writing() as connection:
            if connection.execute(same_name_query).first():
                remedy = "Give another name, or remove that channel."
                raise SettingsError(
                    f"there is already a channel named {channel.name!r}.", remedy=remedy
                )
            owned_count = connection.execute(count_query).scalar_one()
            if owned_count >= MAX_CHANNELS_PER_OWNER:
                message = f"this owner already has {MAX_CHANNELS_PER_OWNER} channels."
                raise SettingsError(message, remedy="Remove one of these channels first.")
            connection.execute(channels.insert().values(**_values(channel)))
        return channel

    def all(self) -> list[AlertChannel]:
        """Return all channels by name."""
        with self._reading() as connection:
            stored = connection.execute(sa.select(channels).order_by(channels.c.name))
            return [_channel(record) for record in stored]

    def of_owner(self, owner: str) -> list[AlertChannel]:
        """Return the channels of a person by name."""
        return [channel for channel in self.all() if channel.owner == owner]

    def get(self, name: str) -> AlertChannel:
        """Return a channel. Raises: SettingsError if there is none of this name."""
        with self._reading() as connection:
            query = sa.select(channels).where(channels.c.name == name)
            record = connection.execute(query).first()
        if record is None:
            raise SettingsError(NO_CHANNEL, where=name[:80], remedy=LIST_REMEDY)
        return _channel(record)

    def pause(self, name: str, since: float | None) -> None:
        """Let a channel get nothing, or, with None, alerts again. Raises: SettingsError."""
        change = channels.update().where(channels.c.name == name).values(paused=since)
        with self._writing() as connection:
            changed = connection.execute(change).rowcount
        if not changed:
            raise SettingsError(NO_CHANNEL, where=name[:80], remedy=LIST_REMEDY)

    def change(self, channel: AlertChannel) -> None:
        """Store other kinds and hours of a channel. Raises: SettingsError."""
        column_values = _values(checked_channel(channel))
        new_values = {name: column_values[name] for name in CHANGEABLE_FIELDS}
        has_name = channels.c.name == channel.name
        has_owner = channels.c.owner == channel.owner
        update = channels.update().where(has_name, has_owner).values(**new_values)
        with self._writing() as connection:
            changed_count = connection.execute(update).rowcount
        if changed_count == 0:
            raise SettingsError(NO_CHANNEL, where=channel.name[:80], remedy=LIST_REMEDY)

    def remove(self, name: str, now: float) -> None:
        """Delete a channel; its unsent alerts are listed as failed. Raises: SettingsError."""
        removal = channels.delete().where(channels.c.name == name)
        # The alerts that still wait for the channel will never be sent.
        failure_values = {"state": "failed", "error": "the channel was removed.", "ended": now}
        failing_update = deliveries.update().values(**failure_values)
        failing_update = failing_update.where(
            deliveries.c.channel == name, deliveries.c.state == "waiting"
        )
        with self._writing() as connection:
            removed_count = connection.execute(removal).rowcount
            connection.execute(failing_update)
        if removed_count == 0:
            raise SettingsError(NO_CHANNEL, where=name[:80], remedy=LIST_REMEDY)


def checked_channel(channel: AlertChannel) -> AlertChannel:
    """Return a channel whose values can be used. Raises: SettingsError."""
    if not EVENT_NAME.fullmatch(channel.name):
        remedy = "Use at most 80 letters, digits, spaces and dashes."
        raise SettingsError(f"{channel.name[:80]!r} isn't a valid channel name.", remedy=remedy)
    # Each of these raises SettingsError for a value that it cannot read.
    _require_kinds(channel.kinds)
    quiet_hours.parse_zone(channel.zone)
    quiet_hours.parse_quiet_hours(channel.quiet_hours, channel.zone)
    quiet_hours.parse_clock_time(channel.digest_time)
    column_values = _values(channel)
    column_values["address"] = checked_address(channel.form, channel.address)
    column_values["secret"] = _checked_secret(channel.form, channel.secret)
    column_values["kinds"] = channel.kinds
    return AlertChannel(**column_values)


def _require_kinds(kinds: Collection[str]) -> None:
    """Raise SettingsError unless all are kinds of events, and there is one."""
    unknown_kinds = sorted(set(kinds) - set(ALERT_KINDS))
    remedy = f"Use one or more of {', '.join(ALERT_KINDS)}."
    if unknown_kinds:
        raise SettingsError(f"{unknown_kinds[0][:40]!r} isn't a valid event type.", remedy=remedy)
    if not kinds:
        raise SettingsError("a channel needs at least one event type.", remedy=remedy)


def _checked_secret(form: ChannelForm, secret: str) -> str:
    """Return the secret of a channel. Raises: SettingsError, which doesn't show it."""
    if form is ChannelForm.WEBHOOK:
        if secret and not webhook_signature.is_secret(secret):
            remedy = "Leave out the secret, and Lectern makes one."
            raise SettingsError("the secret of a webhook must begin with whsec_.", remedy=remedy)
        return secret or webhook_signature.new_secret()
    if form is ChannelForm.MATRIX:
        if not secret.isascii() or not secret.isprintable() or not secret.strip():
            remedy = "Give the access token of the sending account."
            raise SettingsError("a Matrix channel needs an access token.", remedy=remedy)
        return secret.strip()
    if secret:
        raise SettingsError(
            f"a {form} channel doesn't use a secret.", remedy="Leave out the secret."
        )
    return ""


def _values(channel: AlertChannel) -> dict[str, Any]:
    """Return the column values of a channel."""
    values = {name: getattr(channel, name) for name in _FIELDS}
    values["kinds"] = _joined(channel.kinds)
    return values


def _joined(kinds: Iterable[str]) -> str:
    return " ".join(sorted(kinds))


def _channel(record: sa.Row[Any]) -> AlertChannel:
    values = {name: getattr(record, name) for name in _FIELDS}
    values["form"] = ChannelForm(values["form"])
    values["kinds"] = frozenset(values["kinds"].split())
    return AlertChannel(**values)
