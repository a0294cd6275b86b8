"""A restored backup sends no alert that may have been sent since."""

from __future__ import annotations

import pytest

from assistant.alerts import tables
from assistant.alerts.alert_sender import AlertSender
from assistant.alerts.outbox import DeliveryState
from assistant.core import database_copies
from assistant.core.settings import Settings
from tests.assistant.alerts.alert_samples import sample_channel, sample_event

LONG_AGO = 1_700_000_000.0


@pytest.fixture
def restored(settings, tmp_path, receiver, private_allowed):
    """The sender of a database that was restored from a backup with two waiting alerts."""
    backup = tmp_path / "backup"
    sender = AlertSender.open(settings)
    sender.channels.add(sample_channel(receiver.address))
    sender.outbox.collect("live", [sample_event("a"), sample_event("b")], LONG_AGO)
    sender.close()
    database_copies.back_up(settings.database, backup, progress=lambda *_: None)
    home = tmp_path / "restored"
    home.mkdir()
    restored_settings = Settings(home=home)
    database_copies.restore(backup, restored_settings.database, progress=lambda *_: None)
    opened = AlertSender.open(restored_settings)
    opened.collect = lambda now: None
    yield opened
    opened.close()


def test_channels_are_paused_and_alerts_that_waited_are_listed_as_failed(restored):
    (channel,) = restored.channels.all()
    failures = restored.outbox.in_state(DeliveryState.FAILED)

    assert channel.paused is not None
    assert [failure.error for failure in failures] == [tables.RESTORED_ERROR] * 2


@pytest.mark.threat("operator")
def test_nothing_old_is_sent_once_a_channel_is_resumed(restored, receiver):
    restored.channels.pause("desk", None)
    restored.send_due()

    assert receiver.requests == []


def test_an_alert_that_waited_is_sent_if_a_person_asks_for_it(restored, receiver):
    restored.channels.pause("desk", None)
    failed, _ = restored.outbox.in_state(DeliveryState.FAILED)
    restored.outbox.send_again(failed.id, restored.clock())
    restored.send_due()

    assert len(receiver.requests) == 1


@pytest.mark.threat("operator")
def test_events_from_before_the_restore_are_not_collected_again(restored):
    assert restored.outbox.collected_until("live") > LONG_AGO
