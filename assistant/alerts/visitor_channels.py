"""The channels that one person may see and change: their own ones, and for some the newsroom's.

A channel of another owner looks like an unknown one.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from assistant.alerts.alert_sender import AlertSender, require_allowed
from assistant.alerts.channel_store import NO_CHANNEL, AlertChannel, ChannelForm, checked_channel
from assistant.alerts.outbox import Delivery, DeliveryState
from assistant.core.errors import SettingsError

NO_ALERT = "this alert can't be sent again."
LIST_REMEDY = "Reload the page to see your channels."
MAX_LISTED_ALERTS = 200


@dataclass(frozen=True, slots=True)
class ChannelHours:
    """The hours of a channel as they are stored: quiet ones, their zone, and of the digest."""

    quiet_hours: str = ""
    zone: str = "UTC"
    digest_time: str = "07:30"


@dataclass(frozen=True)
class VisitorChannels:
    """The channels whose owner is one of ``owners``, and the alerts of these channels.

    ``may_use_web``: whether the person may name web addresses, else only mail addresses.
    """

    sender: AlertSender
    owners: Collection[str]
    may_use_web: bool = True

    def all(self) -> list[AlertChannel]:
        """Return the channels by name."""
        return [channel for channel in self.sender.channels.all() if channel.owner in self.owners]

    def get(self, name: str) -> AlertChannel:
        """Return a channel. Raises: SettingsError if it is unknown or has another owner."""
        for channel in self.all():
            if channel.name == name:
                return channel
        raise SettingsError(NO_CHANNEL, where=name[:80], remedy=LIST_REMEDY)

    def add(self, channel: AlertChannel) -> AlertChannel:
        """Store a new channel of one of the owners. Raises: SettingsError."""
        if channel.owner not in self.owners:
            message = "you can't add a channel for another person."
            raise SettingsError(message, remedy="Ask your administrator.")
        if channel.form is not ChannelForm.MAIL and not self.may_use_web:
            message = "only editors can add web addresses, because private networks are allowed."
            raise SettingsError(
                message, remedy="Use a mail address, or ask an editor to add the channel."
            )
        channel = checked_channel(channel)
        if self.sender.settings.network is not False:
            require_allowed(channel)
        return self.sender.channels.add(channel)

    def change(self, name: str, kinds: Collection[str], hours: ChannelHours) -> None:
        """Store other kinds of events and hours of a channel. Raises: SettingsError."""
        changed_channel = replace(
            self.get(name),
            kinds=frozenset(kinds),
            quiet_hours=hours.quiet_hours,
            zone=hours.zone,
            digest_time=hours.digest_time,
        )
        self.sender.channels.change(changed_channel)

    def pause(self, name: str, since: float | None) -> None:
        """Pause a channel, or resume it with None. Raises: SettingsError."""
        self.sender.channels.pause(self.get(name).name, since)

    def remove(self, name: str, now: float) -> None:
        """Delete a channel; its unsent alerts are listed as failed. Raises: SettingsError."""
        self.sender.channels.remove(self.get(name).name, now)

    def send_test(self, name: str) -> Delivery | None:
        """Send a test message now, and return how that went. Raises: SettingsError."""
        return self.sender.send_test(self.get(name))

    def in_state(self, state: DeliveryState) -> list[Delivery]:
        """Return the newest alerts of the channels in a state, newest first."""
        made = {channel.name: channel.made for channel in self.all()}
        listed = self.sender.outbox.in_state(state, limit=MAX_LISTED_ALERTS, channel_names=made)
        # An earlier channel of the same name may have had another owner.
        return [delivery for delivery in listed if delivery.made >= made[delivery.channel]]

    def send_again(self, delivery_id: str, now: float) -> None:
        """Let a failed alert be tried again. Raises: SettingsError."""
        delivery = self.sender.outbox.get(delivery_id)
        if delivery is None:
            raise SettingsError(NO_ALERT, remedy=LIST_REMEDY)
        # The alert may be of an earlier channel of this name, with another owner.
        is_of_earlier_channel = self.get(delivery.channel).made > delivery.made
        if is_of_earlier_channel:
            raise SettingsError(NO_ALERT, remedy=LIST_REMEDY)
        self.sender.outbox.send_again(delivery_id, now)
