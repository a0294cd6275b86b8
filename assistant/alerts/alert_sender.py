"""Sends the alerts of the outbox, and tries again later if that fails.

An attempt that failed is repeated after a pause that doubles, with jitter. After
``MAX_TRIES``, about 12 hours, an alert is given up and listed as failed.
"""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field

from assistant.alerts import chat_forms, mail_form
from assistant.alerts.alert_events import TEST, AlertEvent, AlertItem, AlertMessage
from assistant.alerts.channel_store import AlertChannel, ChannelForm, ChannelStore
from assistant.alerts.event_collector import EventCollector
from assistant.alerts.event_sources import EventContext
from assistant.alerts.event_tables import EventTables
from assistant.alerts.outbox import FARTHEST_DUE_S, Delivery, Outbox
from assistant.core.background_thread import background_thread
from assistant.core.database import Database
from assistant.core.errors import LecternError, NetworkError, SettingsError, StoreError
from assistant.core.settings import Settings
from assistant.web import sending
from assistant.web.fetching import allowed_addresses, resolve_host

SENDER_LOGGER = logging.getLogger("lectern.alerts")
SENDER_POLL_S = 2.0
FIRST_PAUSE_S = 30.0
MAX_PAUSE_S = 4 * 3600.0
MAX_TRIES = 12
JITTER = 0.2  # share of a pause by which it is longer or shorter
SENT_PER_PASS = 200
MAX_CHANNELS_AT_ONCE = 32  # more than one person may have
MAX_CHANNEL_REST_S = 900.0
MAX_FAILING_S = 86_400.0
# An attempt that takes longer is repeated by the next process, with the same id.
STOP_PATIENCE_S = 5.0


def pause_after(tries: int, *, retry_after_s: float = 0.0, jitter: float = 0.0) -> float:
    """Return the seconds until the next attempt. ``jitter``: from -1 to 1."""
    pause_s = min(FIRST_PAUSE_S * 2 ** (tries - 1), MAX_PAUSE_S)
    return max(pause_s * (1 + JITTER * jitter), retry_after_s)


class _Refusal(NetworkError):
    """The receiver has answered with an error; it may say when to ask again."""

    def __init__(self, what: str, retry_after_s: int) -> None:
        super().__init__(what)
        self.retry_after_s = retry_after_s


@dataclass
class _FailingChannel:
    """A channel whose attempts fail: since when, and how many in a row."""

    since: float
    count: int = 0


@dataclass
class AlertSender:
    """Sends the alerts of one database.

    ``collect`` stores the alerts of new events before each pass.
    """

    settings: Settings
    channels: ChannelStore
    outbox: Outbox
    collect: Callable[[float], None] = lambda now: None
    clock: Callable[[], float] = time.time
    jitter: Callable[[], float] = lambda: random.uniform(-1.0, 1.0)
    stop: threading.Event = field(default_factory=threading.Event)
    opened: tuple[Database, ...] = ()
    # Channels whose last attempt failed, and until when their other alerts wait.
    _resting: dict[str, float] = field(default_factory=dict)
    _failures: dict[str, _FailingChannel] = field(default_factory=dict)
    # Channels to which a thread is sending.
    _busy: set[str] = field(default_factory=set)
    _attempts: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def open(cls, settings: Settings) -> AlertSender:
        """Open the sender of the database of the settings. Raises: StoreError."""
        url = settings.database
        channels = ChannelStore.open(url)
        outbox = Outbox.open(url)
        tables = EventTables.open(url)
        context = EventContext(settings, tables, read_results=set())
        collector = EventCollector(context, channels, outbox)
        return cls(settings, channels, outbox, collector.collect, opened=(channels, outbox, tables))

    def close(self) -> None:
        """Close the stores. ``stop`` lets ``run`` end before."""
        for store in self.opened:
            store.close()

    def run(self) -> None:
        """Collect and send until ``stop`` is set. A fault ends one pass, not the sender."""
        while not self.stop.is_set():
            try:
                self._start_sending()
            except StoreError as error:  # the database is busy or away
                SENDER_LOGGER.warning("alerts wait: %s", error)
            except Exception as error:
                # Without the message, which may hold an address.
                SENDER_LOGGER.error("alerts wait: an error in Lectern (%s)", type(error).__name__)
            self.stop.wait(SENDER_POLL_S)

    def send_due(self) -> int:
        """Collect events, send what is due, and return the number of attempts."""
        attempts_before = self._attempts
        for thread in self._start_sending():
            thread.join()
        return self._attempts - attempts_before

    def _start_sending(self) -> list[threading.Thread]:
        """Collect events, and start a thread for each channel with an alert that is due.

        A receiver that never answers keeps only its own channel waiting.
        """
        now = self.clock()
        self.collect(now)
        self.outbox.forget_old(now)
        threads = []
        for channel_name in self.outbox.due_channels(now):
            may_start_another = len(self._busy) < MAX_CHANNELS_AT_ONCE
            if not may_start_another or channel_name in self._busy or self._rests(channel_name):
                continue
            self._busy.add(channel_name)
            thread = threading.Thread(
                target=self._send_channel,
                args=(channel_name,),
                name=f"alerts {channel_name}",
                daemon=True,
            )
            thread.start()
            threads.append(thread)
        return threads

    def _send_channel(self, channel_name: str) -> None:
        """Send the due alerts of a channel, until one fails."""
        try:
            for _ in range(SENT_PER_PASS):
                # A channel rests for a while after a failure.
                if self.stop.is_set() or self._rests(channel_name):
                    return
                # Another process may send alerts, too: a claimed one is sent by this process.
                claimed_alert = self.outbox.claim(self.clock(), only_channel=channel_name)
                if claimed_alert is None:
                    return
                self._deliver(*claimed_alert)
                with self._lock:
                    self._attempts += 1
        except StoreError as error:
            SENDER_LOGGER.warning("alerts wait: %s", error)
        finally:
            self._busy.discard(channel_name)

    def send_now(self, delivery_id: str) -> Delivery | None:
        """Send one alert at once, and return how that went."""
        claimed = self.outbox.claim(self.clock(), only_id=delivery_id)
        if claimed is not None:
            self._deliver(*claimed)
        return self.outbox.get(delivery_id)

    def send_test(self, channel: AlertChannel) -> Delivery | None:
        """Send a test message to a channel now, and return how that went.

        Raises: SettingsError if the channel is paused; Busy after several tests.
        """
        if channel.paused:
            remedy = "Resume it first, then send the test message."
            raise SettingsError("the channel is paused.", where=channel.name, remedy=remedy)
        now = self.clock()
        return self.send_now(self.outbox.add_test(channel, event_of_test(now), now))

    def _rests(self, channel: str) -> bool:
        """Return whether a channel waits after a failure; never long after a clock was set back."""
        wait_s = self._resting.get(channel, 0.0) - self.clock()
        return 0 < wait_s <= FARTHEST_DUE_S

    def _deliver(self, delivery: Delivery, message: AlertMessage) -> None:
        """Send an alert, or note when it is due again."""
        now = self.clock()
        try:
            channel = self.channels.get(delivery.channel)
            send_time = _quiet_until(channel, now)
            if send_time > now and message.event.kind != TEST:
                self.outbox.try_later(delivery.id, send_time, delivery.error, tries=delivery.tries)
                return
            send_message(self.settings, channel, message)
        except StoreError:
            raise
        except LecternError as error:
            self._note_failure(delivery, error)
        except Exception as error:
            # One alert that cannot be sent must not stop the others.
            fault = f"an error in Lectern ({type(error).__name__})."
            self._note_failure(delivery, NetworkError(fault))
        else:
            self.outbox.mark_sent(delivery.id, self.clock())
            self._resting.pop(delivery.channel, None)
            self._failures.pop(delivery.channel, None)

    def _note_failure(self, delivery: Delivery, error: LecternError) -> None:
        # Only the finding: the place of an error of the network is the address, a secret.
        reason = error.what
        tries = delivery.tries + 1
        now = self.clock()
        retry_after_s = getattr(error, "retry_after_s", 0)
        pause_s = pause_after(tries, retry_after_s=retry_after_s, jitter=self.jitter())
        details = (delivery.id, delivery.channel, tries, reason)
        SENDER_LOGGER.warning("alert %s to %s failed, attempt %d: %s", *details)
        if tries >= MAX_TRIES or delivery.kind == TEST:
            self.outbox.give_up(delivery.id, now, reason, tries=tries)
        else:
            self.outbox.try_later(delivery.id, now + pause_s, reason, tries=tries)
        self._rest(delivery.channel, now, retry_after_s, reason)

    def _rest(self, channel_name: str, now: float, retry_after_s: float, reason: str) -> None:
        """Let a channel wait after a failure, longer after each one in a row.

        Alerts that have waited for a day then are given up: each would be tried by itself.
        """
        failing_channel = self._failures.setdefault(channel_name, _FailingChannel(since=now))
        failing_channel.count += 1
        # The pause grows with each failure in a row; the server may ask for a longer one.
        pause_s = pause_after(failing_channel.count, jitter=self.jitter())
        pause_s = min(pause_s, MAX_CHANNEL_REST_S)
        self._resting[channel_name] = now + max(pause_s, retry_after_s)
        failing_for_s = now - failing_channel.since
        if failing_for_s >= MAX_FAILING_S:
            self.outbox.give_up_old(channel_name, now - MAX_FAILING_S, now, reason)


@contextmanager
def sending_alerts(settings: Settings) -> Iterator[None]:
    """Send alerts in a thread, as long as the ``with`` lasts. Raises: StoreError."""
    with (
        closing(AlertSender.open(settings)) as sender,
        background_thread(sender.run, sender.stop, name="alerts", patience_s=STOP_PATIENCE_S),
    ):
        yield


def require_allowed(channel: AlertChannel) -> None:
    """Refuse a channel whose host is unknown or in a private network. Raises: SettingsError."""
    if channel.form is ChannelForm.MAIL:
        return
    try:
        resolve_host(channel.address, is_allowed=allowed_addresses())
    except NetworkError as error:
        # Without the address, which may hold a secret.
        message = f"the address {channel.place} {error.what}"
        raise SettingsError(message, remedy=error.remedy) from None


def event_of_test(now: float) -> AlertEvent:
    """Return the event of a test message."""
    fields = {"note": "If you can read this, alerts reach you here."}
    return AlertEvent(TEST, "", now, (AlertItem(fields),))


def send_message(settings: Settings, channel: AlertChannel, message: AlertMessage) -> None:
    """Send a message to a channel. Raises: NetworkError or SettingsError without secrets."""
    if settings.network is False:
        remedy = "Set network = true in lectern.toml."
        raise SettingsError("network access is turned off.", remedy=remedy)
    if channel.form is ChannelForm.MAIL:
        mail_form.send_mail(settings.mail, channel.address, message)
        return
    request = chat_forms.chat_request(channel, message)
    response = sending.send(request, is_allowed=allowed_addresses())
    if not response.is_success:
        raise _Refusal(
            f"the receiver answered with status {response.status}.", response.retry_after_s
        )


def _quiet_until(channel: AlertChannel, now: float) -> float:
    quiet = channel.quiet
    return quiet.over_at(now) if quiet else now
