"""The outbox: each event once per channel, claimed by one process, nothing dropped."""

from __future__ import annotations

import pytest

from assistant.alerts import outbox
from assistant.alerts.alert_events import CHECK_ENDED, LIVE_MATCH, TEST
from assistant.alerts.channel_store import NEWSROOM, ChannelStore
from assistant.alerts.outbox import DeliveryState, Outbox
from assistant.core.errors import SettingsError
from tests.assistant.alerts.alert_samples import sample_channel, sample_event
from tests.assistant.review.conftest import any_url

__all__ = ["any_url"]
HOOK = "https://hooks.example/x"
NOW = 2_000.0


@pytest.fixture
def stores(any_url):
    with ChannelStore.open(any_url) as channels, Outbox.open(any_url) as opened:
        yield channels, opened


@pytest.fixture
def channel(stores):
    return stores[0].add(sample_channel(HOOK))


@pytest.fixture
def box(stores, channel):
    return stores[1]


def waiting(box):
    return box.in_state(DeliveryState.WAITING)


def test_an_event_is_stored_once_per_channel(stores, box):
    stores[0].add(sample_channel(HOOK, name="second", owner="bob"))

    assert box.collect("live", [sample_event()], NOW) == 2
    assert box.collect("live", [sample_event()], NOW + 1) == 0
    assert sorted(delivery.channel for delivery in waiting(box)) == ["desk", "second"]
    assert box.collected_until("live") == NOW + 1


def test_a_channel_gets_the_kinds_that_it_asked_for(stores):
    channels, box = stores
    channels.add(sample_channel(HOOK, kinds=frozenset([CHECK_ENDED])))

    assert box.collect("live", [sample_event()], NOW) == 0


def test_a_channel_gets_nothing_from_before_it_was_made(stores):
    channels, box = stores
    channels.add(sample_channel(HOOK, made=1_500.0))

    assert box.collect("live", [sample_event(at=1_499.0), sample_event("b", at=1_500.0)], NOW) == 1


@pytest.mark.threat("reader")
@pytest.mark.parametrize(
    ("owner", "is_shared", "channel_owner", "count"),
    [
        ("ann", True, "ann", 1),
        ("ann", True, "bob", 0),
        ("ann", True, NEWSROOM, 1),
        ("ann", False, NEWSROOM, 0),
        ("ann", False, "ann", 1),
        ("", True, "bob", 1),
    ],
)
def test_an_event_of_a_person_reaches_no_other_person(
    stores, owner, is_shared, channel_owner, count
):
    channels, box = stores
    channels.add(sample_channel(HOOK, owner=channel_owner))

    event = sample_event(owner=owner, is_shared=is_shared)

    assert box.collect("live", [event], NOW) == count


def test_a_claimed_alert_has_its_event_and_is_not_claimed_twice(box):
    box.collect("live", [sample_event()], NOW)

    delivery, message = box.claim(NOW)

    assert message.event == sample_event()
    assert message.id == delivery.id
    assert box.claim(NOW) is None


def test_the_claim_of_a_killed_process_is_taken_over_at_once(box, monkeypatch):
    box.collect("live", [sample_event()], NOW)
    claimed_by_other, _ = box.claim(NOW)
    monkeypatch.setattr(outbox, "sending_process", lambda: "elsewhere:1:ab")
    monkeypatch.setattr(outbox, "is_alive", lambda number: False)

    assert box.claim(NOW) is not None
    assert waiting(box) == [claimed_by_other]


def test_the_claim_of_another_computer_is_taken_over_after_its_lease(box, monkeypatch):
    monkeypatch.setattr(outbox, "sending_process", lambda: "elsewhere:1:ab")
    box.collect("live", [sample_event()], NOW)
    box.claim(NOW)
    monkeypatch.undo()

    assert box.claim(NOW + outbox.LEASE_S - 1) is None
    assert box.claim(NOW + outbox.LEASE_S) is not None


def test_alerts_are_claimed_in_the_order_in_which_they_are_due(box):
    box.collect("live", [sample_event("late")], NOW + 10)
    box.collect("live", [sample_event("early")], NOW)

    keys = [box.claim(NOW + 20)[1].event.key for _ in range(2)]

    assert keys == ["early", "late"]


def test_the_alerts_of_one_channel_are_claimed_without_those_of_another(stores, box):
    stores[0].add(sample_channel(HOOK, name="second"))
    box.collect("live", [sample_event()], NOW)

    delivery, _ = box.claim(NOW, only_channel="second")

    assert delivery.channel == "second"
    assert box.claim(NOW, only_channel="second") is None


def test_the_active_channels_with_a_due_alert_are_found(stores, box):
    channels, _ = stores
    for name in ("paused", "second"):
        channels.add(sample_channel(HOOK, name=name))
    channels.pause("paused", NOW)
    box.collect("live", [sample_event()], NOW)
    delivery, _ = box.claim(NOW, only_channel="second")
    box.try_later(delivery.id, NOW + 10, "", tries=1)

    assert box.due_channels(NOW) == ["desk"]
    assert box.due_channels(NOW + 10) == ["desk", "second"]


@pytest.mark.threat("receiver")
def test_a_receiver_that_is_away_cannot_fill_the_database(box, monkeypatch):
    monkeypatch.setattr(outbox, "MAX_WAITING_PER_CHANNEL", 2)
    events = [sample_event(f"k{number}") for number in range(5)]

    box.collect("live", events, NOW)

    assert box.count(DeliveryState.WAITING) == 2
    failures = box.in_state(DeliveryState.FAILED)
    assert [failure.error for failure in failures] == [outbox.TOO_MANY_WAIT] * 3
    with pytest.raises(SettingsError):
        box.send_again(failures[0].id, NOW)


@pytest.mark.parametrize("set_back_s", [3 * 86_400, 400 * 86_400])
def test_an_alert_does_not_wait_for_long_after_the_clock_was_set_back(box, set_back_s):
    box.collect("live", [sample_event()], NOW + set_back_s)

    assert box.claim(NOW) is not None


def test_a_lease_does_not_last_for_long_after_the_clock_was_set_back(box, monkeypatch):
    monkeypatch.setattr(outbox, "sending_process", lambda: "elsewhere:1:ab")
    box.collect("live", [sample_event()], NOW)
    box.claim(NOW + 1_000)
    monkeypatch.undo()

    assert box.claim(NOW) is not None


def test_alerts_that_have_waited_for_long_are_given_up_together(box):
    for moment in (NOW, NOW + 10):
        box.collect("live", [sample_event(f"k{moment}")], moment)

    box.give_up_old("desk", NOW + 5, NOW + 20, "the receiver answered 500.")

    (failed,) = box.in_state(DeliveryState.FAILED)
    assert (failed.made, failed.error) == (NOW, "the receiver answered 500.")
    assert len(waiting(box)) == 1


@pytest.mark.threat("reviewer")
def test_a_failed_alert_is_not_sent_to_a_newer_channel_of_the_same_name(stores, box):
    box.collect("live", [sample_event(owner="ann")], NOW)
    channels, _ = stores
    channels.remove("desk", NOW + 1)
    channels.add(sample_channel(HOOK, owner="bob", made=NOW + 2))
    (failed,) = box.in_state(DeliveryState.FAILED)

    with pytest.raises(SettingsError):
        box.send_again(failed.id, NOW + 3)


def test_a_paused_channel_sends_nothing_until_it_is_resumed(stores, box):
    box.collect("live", [sample_event()], NOW)
    stores[0].pause("desk", NOW)

    assert box.claim(NOW) is None
    stores[0].pause("desk", None)
    assert box.claim(NOW) is not None


def test_a_sent_alert_keeps_no_text(box):
    box.collect("live", [sample_event()], NOW)
    delivery, _ = box.claim(NOW)

    box.mark_sent(delivery.id, NOW + 1)

    (sent,) = box.in_state(DeliveryState.SENT)
    assert (sent.id, sent.ended, sent.kind) == (delivery.id, NOW + 1, LIVE_MATCH)
    with box._reading() as connection:
        contents = connection.exec_driver_sql("SELECT content FROM alert_deliveries").all()
    assert contents == [("",)]


def test_a_failed_alert_is_listed_and_can_be_tried_again(box):
    box.collect("live", [sample_event()], NOW)
    delivery, _ = box.claim(NOW)
    box.give_up(delivery.id, NOW, "the receiver answered 500.", tries=12)

    (failed,) = box.in_state(DeliveryState.FAILED)
    assert failed.error == "the receiver answered 500."
    box.send_again(delivery.id, NOW + 5)
    assert [(again.id, again.tries) for again in waiting(box)] == [(delivery.id, 0)]


def test_only_a_failed_alert_can_be_tried_again(box):
    box.collect("live", [sample_event()], NOW)
    delivery, _ = box.claim(NOW)
    box.mark_sent(delivery.id, NOW)

    with pytest.raises(SettingsError):
        box.send_again(delivery.id, NOW)


def test_the_alerts_of_a_removed_channel_are_listed_as_failed(stores, box):
    box.collect("live", [sample_event()], NOW)

    stores[0].remove("desk", NOW)

    (failed,) = box.in_state(DeliveryState.FAILED)
    assert failed.error == "the channel was removed."


def test_old_alerts_are_forgotten_and_waiting_ones_are_not(box):
    box.collect("live", [sample_event("a"), sample_event("b")], NOW)
    delivery, _ = box.claim(NOW)
    box.mark_sent(delivery.id, NOW)

    box.forget_old(NOW + outbox.KEPT_S + 1)

    assert box.count(DeliveryState.SENT) == 0
    assert box.count(DeliveryState.WAITING) == 1


@pytest.mark.parametrize(
    ("debate", "remaining"), [("live:city", 0), ("live:cit", 1), ("live:city night", 1), ("%", 1)]
)
def test_a_purge_deletes_the_alerts_that_quote_a_debate(box, debate, remaining):
    box.collect("live", [sample_event()], NOW)

    box.purge(debate)

    assert box.count(DeliveryState.WAITING) == remaining


def test_a_test_alert_can_be_sent_several_times(box, channel):
    event = sample_event(kind=TEST, key="")

    ids = {box.add_test(channel, event, NOW) for _ in range(2)}

    assert len(ids) == 2
