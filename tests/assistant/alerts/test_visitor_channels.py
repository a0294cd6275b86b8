"""A person manages their own channels, and no channel of another person."""

from __future__ import annotations

import pytest

from assistant.alerts.alert_events import CHECK_ENDED
from assistant.alerts.alert_sender import AlertSender
from assistant.alerts.channel_store import NEWSROOM, ChannelForm
from assistant.alerts.outbox import MAX_TESTS, TESTS_WITHIN_S, DeliveryState
from assistant.alerts.visitor_channels import ChannelHours, VisitorChannels
from assistant.core.errors import Busy, SettingsError
from tests.assistant.alerts.alert_samples import sample_channel, sample_event

NOW = 1_795_780_800.0
MAIL = "bob@example.org"


@pytest.fixture
def sender(settings, private_allowed):
    opened = AlertSender.open(settings)
    opened.collect = lambda now: None
    yield opened
    opened.close()


@pytest.fixture
def own(sender, receiver):
    """The channels of Ann, who has one; Bob and the newsroom have one each."""
    sender.channels.add(sample_channel(receiver.address, name="ann", owner="ann"))
    sender.channels.add(sample_channel(receiver.address, name="bob", owner="bob"))
    sender.channels.add(sample_channel(receiver.address, name="all", owner=NEWSROOM))
    return VisitorChannels(sender, {"ann"})


def failed_id(sender, channel):
    """Return the id of a failed alert of a channel."""
    sender.outbox.collect("live", [sample_event()], NOW)
    while (claimed := sender.outbox.claim(NOW)) is not None:
        delivery, _ = claimed
        sender.outbox.give_up(delivery.id, NOW, "the receiver answered 500.", tries=12)
    failures = sender.outbox.in_state(DeliveryState.FAILED, channel_names=[channel])
    return failures[0].id


def test_a_person_sees_the_channels_of_the_named_owners(own):
    editor = VisitorChannels(own.sender, {"ann", NEWSROOM})

    assert [channel.name for channel in own.all()] == ["ann"]
    assert [channel.name for channel in editor.all()] == ["all", "ann"]


@pytest.mark.threat("reviewer")
@pytest.mark.parametrize("name", ["bob", "all", "nobody"])
@pytest.mark.parametrize(
    "action",
    [
        lambda own, name: own.get(name),
        lambda own, name: own.change(name, [CHECK_ENDED], ChannelHours()),
        lambda own, name: own.pause(name, NOW),
        lambda own, name: own.remove(name, NOW),
        lambda own, name: own.send_test(name),
    ],
)
def test_a_channel_of_another_owner_looks_like_an_unknown_one(own, receiver, action, name):
    before = own.sender.channels.all()

    with pytest.raises(SettingsError, match=f"{name}: there is no such channel."):
        action(own, name)

    assert own.sender.channels.all() == before
    assert receiver.requests == []


@pytest.mark.threat("reviewer")
def test_failed_alerts_of_other_owners_are_neither_listed_nor_tried_again(own, sender):
    alert_id = failed_id(sender, "bob")

    with pytest.raises(SettingsError):
        own.send_again(alert_id, NOW)

    listed = own.in_state(DeliveryState.FAILED)
    assert [delivery.channel for delivery in listed] == ["ann"]
    assert sender.outbox.get(alert_id).state == DeliveryState.FAILED


@pytest.mark.threat("reviewer")
@pytest.mark.parametrize("owner", ["bob", NEWSROOM])
def test_no_channel_is_added_for_another_owner(own, owner):
    with pytest.raises(SettingsError, match="another person"):
        own.add(sample_channel(MAIL, ChannelForm.MAIL, name="new", owner=owner))


@pytest.mark.threat("reviewer")
@pytest.mark.parametrize("form", [form for form in ChannelForm if form is not ChannelForm.MAIL])
def test_only_editors_name_web_addresses_if_private_networks_are_allowed(own, form):
    reviewer = VisitorChannels(own.sender, {"ann"}, may_use_web=False)

    with pytest.raises(SettingsError, match="only editors"):
        reviewer.add(sample_channel("http://10.0.0.1/!a:b", form, name="new", owner="ann"))

    reviewer.add(sample_channel(MAIL, ChannelForm.MAIL, name="mail", owner="ann"))


@pytest.mark.threat("reviewer")
def test_an_address_in_a_private_network_is_refused_when_it_is_added(own, monkeypatch):
    monkeypatch.delenv("LECTERN_PRIVATE_NETWORKS")

    with pytest.raises(SettingsError, match="private network"):
        own.add(sample_channel("http://127.0.0.1/s3cret", name="new", owner="ann"))


def test_kinds_and_hours_of_a_channel_are_changed_and_nothing_else(own):
    before = own.get("ann")

    own.change("ann", [CHECK_ENDED], ChannelHours("22:00-07:00", "Europe/Berlin", "08:00"))

    after = own.get("ann")
    assert (after.kinds, after.quiet_hours) == (frozenset([CHECK_ENDED]), "22:00-07:00")
    assert (after.zone, after.digest_time) == ("Europe/Berlin", "08:00")
    assert (after.address, after.secret) == (before.address, before.secret)


@pytest.mark.parametrize(
    ("kinds", "hours"),
    [
        ([], ChannelHours()),
        (["weather"], ChannelHours()),
        ([CHECK_ENDED], ChannelHours(quiet_hours="22:00-")),
        ([CHECK_ENDED], ChannelHours(zone="Mars")),
    ],
)
def test_a_change_that_cannot_be_used_is_refused(own, kinds, hours):
    before = own.get("ann")

    with pytest.raises(SettingsError):
        own.change("ann", kinds, hours)

    assert own.get("ann") == before


def test_a_test_message_is_sent_at_once(own, receiver):
    delivery = own.send_test("ann")

    assert (delivery.state, len(receiver.requests)) == (DeliveryState.SENT, 1)


def test_a_failed_alert_of_a_person_is_tried_again(own, sender):
    alert_id = failed_id(sender, "ann")

    own.send_again(alert_id, NOW)

    assert sender.outbox.get(alert_id).state == DeliveryState.WAITING


@pytest.mark.threat("reviewer")
def test_test_messages_cannot_flood_a_receiver(own, sender, receiver):
    sender.clock = lambda: NOW
    for _ in range(MAX_TESTS):
        own.send_test("ann")

    with pytest.raises(Busy, match="5 test messages within 10 minutes"):
        own.send_test("ann")

    assert len(receiver.requests) == MAX_TESTS
    sender.clock = lambda: NOW + TESTS_WITHIN_S + 1
    assert own.send_test("ann").state == DeliveryState.SENT


@pytest.mark.threat("reviewer")
def test_the_alerts_of_a_removed_channel_are_not_listed_for_a_newer_one(own, sender, receiver):
    alert_id = failed_id(sender, "bob")
    sender.channels.remove("bob", NOW + 1)
    newer = sample_channel(receiver.address, name="bob", owner="ann", made=NOW + 2)
    sender.channels.add(newer)

    listed = own.in_state(DeliveryState.FAILED)

    assert [delivery.channel for delivery in listed] == ["ann"]
    with pytest.raises(SettingsError, match="can't be sent again"):
        own.send_again(alert_id, NOW + 3)
