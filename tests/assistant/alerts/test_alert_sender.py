"""The sender: signed, tried again with back-off, given up after a bounded time."""

from __future__ import annotations

import base64
import hashlib
import hmac
import logging
import socket
import threading
from dataclasses import replace

import pytest

from assistant.alerts import alert_sender
from assistant.alerts.alert_events import TEST
from assistant.alerts.alert_sender import MAX_TRIES, AlertSender, pause_after
from assistant.alerts.channel_store import ChannelForm
from assistant.alerts.outbox import DeliveryState
from tests.assistant.alerts.alert_samples import sample_channel, sample_event

NOON = 1_795_780_800.0  # 27 November 2026 at 12:00 UTC


class Clock:
    def __init__(self):
        self.now = NOON

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def sender(settings, clock, private_allowed):
    opened = AlertSender.open(settings)
    opened.clock = clock
    opened.jitter = lambda: 0.0
    opened.collect = lambda now: None
    yield opened
    opened.close()


def send_one(sender, channel, event=None):
    """Store a channel and an event, and send what is due."""
    stored = sender.channels.add(channel)
    sender.outbox.collect("live", [event or sample_event()], sender.clock())
    sender.send_due()
    return stored


def test_a_webhook_is_signed(sender, receiver):
    channel = send_one(sender, sample_channel(receiver.address))

    (request,) = receiver.requests
    headers = request["headers"]
    signed = b".".join(
        (headers["webhook-id"].encode(), headers["webhook-timestamp"].encode(), request["body"])
    )
    secret = base64.b64decode(channel.secret.removeprefix("whsec_"))
    digest = hmac.new(secret, signed, hashlib.sha256).digest()
    assert headers["webhook-signature"] == "v1," + base64.b64encode(digest).decode()
    assert sender.outbox.count(DeliveryState.SENT) == 1


def test_an_attempt_that_failed_is_repeated_with_the_same_id(sender, receiver, clock):
    receiver.statuses = [500, 429, 204]
    send_one(sender, sample_channel(receiver.address))
    for pause_s in (30, 60):
        sender.send_due()  # too early
        clock.now += pause_s
        sender.send_due()

    ids = [request["headers"]["webhook-id"] for request in receiver.requests]
    assert len(ids) == 3
    assert len(set(ids)) == 1
    assert sender.outbox.count(DeliveryState.SENT) == 1


def test_an_alert_is_given_up_in_the_end_and_listed(sender, receiver, clock):
    receiver.statuses = [503] * 100
    send_one(sender, sample_channel(receiver.address))
    for _ in range(4 * MAX_TRIES):
        clock.now += 1_800
        sender.send_due()

    (failed,) = sender.outbox.in_state(DeliveryState.FAILED)
    assert len(receiver.requests) == MAX_TRIES
    assert (failed.tries, failed.error) == (MAX_TRIES, "the receiver answered with status 503.")


def test_all_attempts_together_take_less_than_a_day():
    longest_s = sum(pause_after(tries, jitter=1.0) for tries in range(1, MAX_TRIES))

    assert longest_s < 24 * 3600


@pytest.mark.parametrize(
    ("tries", "jitter", "pause_s"),
    [(1, 0, 30), (2, 0, 60), (1, 1, 36), (1, -1, 24), (11, 0, 14_400)],
)
def test_pauses_double_up_to_a_limit(tries, jitter, pause_s):
    assert pause_after(tries, jitter=jitter) == pause_s


def test_a_receiver_may_ask_for_a_longer_pause(sender, receiver, clock):
    receiver.statuses = [429]
    receiver.headers = {"Retry-After": "300"}
    send_one(sender, sample_channel(receiver.address))

    (delivery,) = sender.outbox.in_state(DeliveryState.WAITING)

    assert delivery.due == NOON + 300


def test_a_redirect_is_not_followed(sender, receiver):
    receiver.statuses = [302]
    receiver.headers = {"Location": "http://127.0.0.1:1/elsewhere"}
    send_one(sender, sample_channel(receiver.address))

    (delivery,) = sender.outbox.in_state(DeliveryState.WAITING)
    assert delivery.error == "the receiver answered with status 302."


def test_a_receiver_that_is_away_does_not_hold_up_another_channel(sender, receiver):
    sender.channels.add(sample_channel("http://127.0.0.1:9/x", name="away"))
    sender.channels.add(sample_channel(receiver.address, name="there"))
    events = [sample_event(str(number)) for number in range(5)]
    sender.outbox.collect("live", events, NOON)

    attempts = sender.send_due()

    assert attempts == 6
    assert len(receiver.requests) == 5


def test_a_fault_in_one_alert_does_not_stop_the_others(sender, receiver, monkeypatch):
    sender.channels.add(sample_channel(receiver.address, name="a"))
    sender.channels.add(sample_channel(receiver.address, name="b"))
    sender.outbox.collect("live", [sample_event()], NOON)
    send_message = alert_sender.send_message

    def broken(settings, channel, message):
        if channel.name == "a":
            raise KeyError("s3cret")
        send_message(settings, channel, message)

    monkeypatch.setattr(alert_sender, "send_message", broken)
    sender.send_due()

    assert len(receiver.requests) == 1
    (failed,) = sender.outbox.in_state(DeliveryState.WAITING)
    assert failed.error == "an error in Lectern (KeyError)."


def test_quiet_hours_put_alerts_off_without_counting_an_attempt(sender, receiver, clock):
    channel = sample_channel(receiver.address, quiet_hours="11:00-13:00", zone="UTC")
    send_one(sender, channel)

    (delivery,) = sender.outbox.in_state(DeliveryState.WAITING)
    assert (delivery.due, delivery.tries, receiver.requests) == (NOON + 3600, 0, [])
    clock.now += 3600
    sender.send_due()
    assert len(receiver.requests) == 1


def test_a_test_message_is_sent_in_quiet_hours_and_once(sender, receiver):
    receiver.statuses = [500]
    channel = sample_channel(receiver.address, quiet_hours="11:00-13:00", zone="UTC")
    stored = sender.channels.add(channel)
    event = sample_event(kind=TEST, key="")

    delivery = sender.send_now(sender.outbox.add_test(stored, event, NOON))

    assert (delivery.state, delivery.error) == (
        DeliveryState.FAILED,
        "the receiver answered with status 500.",
    )


@pytest.mark.parametrize("form", [ChannelForm.SLACK, ChannelForm.TEAMS])
def test_a_chat_gets_its_form(sender, receiver, form):
    send_one(sender, sample_channel(receiver.address, form))

    (request,) = receiver.requests
    key = b"blocks" if form is ChannelForm.SLACK else b"AdaptiveCard"
    assert key in request["body"]


def test_matrix_gets_a_put(sender, receiver):
    address = receiver.address.replace("/hook/s3cret", "/!abc:example.org")
    send_one(sender, sample_channel(address, ChannelForm.MATRIX))

    (request,) = receiver.requests
    assert request["method"] == "PUT"
    assert request["headers"]["authorization"] == "Bearer syt_matrix_token"


@pytest.mark.threat("editor")
@pytest.mark.parametrize(
    "host", ["127.0.0.1:1", "localhost:1", "[::1]:1", "10.0.0.1", "169.254.169.254", "[fd00::1]"]
)
def test_an_alert_is_not_sent_to_an_address_of_the_private_network(sender, monkeypatch, host):
    monkeypatch.delenv("LECTERN_PRIVATE_NETWORKS")
    send_one(sender, sample_channel(f"http://{host}/x"))

    (delivery,) = sender.outbox.in_state(DeliveryState.WAITING)
    assert delivery.error == "is in a private network, so Lectern doesn't open it."


@pytest.mark.threat("editor")
@pytest.mark.parametrize(
    "host",
    [
        *("localhost.:1", "127.1", "2130706433", "0x7f.0.0.1", "0177.0.0.1", "0", "0.0.0.0:1"),
        *("[::ffff:127.0.0.1]:1", "[::ffff:a00:1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]"),
        *("[::]", "[fe80::1]", "100.64.0.1", "224.0.0.1", "[ff02::1]", "192.0.0.1", "240.0.0.1"),
    ],
)
def test_no_spelling_of_a_private_address_is_connected_to(sender, monkeypatch, host):
    monkeypatch.delenv("LECTERN_PRIVATE_NETWORKS")
    connected = []
    monkeypatch.setattr(socket, "create_connection", lambda *args, **_: connected.append(args))
    send_one(sender, sample_channel(f"http://{host}/x"))

    (delivery,) = sender.outbox.in_state(DeliveryState.WAITING)
    assert connected == []
    assert delivery.error in (
        "is in a private network, so Lectern doesn't open it.",
        "isn't a valid web address.",
        "couldn't be found (DNS lookup failed).",
    )


@pytest.mark.threat("editor")
def test_a_host_name_that_changes_its_address_after_the_test_is_not_followed(
    sender, receiver, monkeypatch
):
    """The request goes to the address that was tested; the name is not looked up again."""
    monkeypatch.delenv("LECTERN_PRIVATE_NETWORKS")
    public = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("203.0.114.7", 80))]
    answers = [public]
    lookups = []
    connected_to = []

    def getaddrinfo(host, *_, **__):
        lookups.append(host)
        return answers.pop(0)

    def create_connection(address, *_, **__):
        connected_to.append(address[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    monkeypatch.setattr(socket, "create_connection", create_connection)
    send_one(sender, sample_channel("http://rebinding.example/x"))

    assert lookups == ["rebinding.example"]
    assert connected_to == ["203.0.114.7"]


@pytest.mark.threat("reader")
@pytest.mark.parametrize("address", ["http://127.0.0.1:9/s3cret", "http://no.invalid/s3cret"])
def test_no_log_and_no_listed_error_has_the_secret_address(sender, caplog, address):
    caplog.set_level(logging.DEBUG)
    channel = send_one(sender, sample_channel(address))

    (delivery,) = sender.outbox.in_state(DeliveryState.WAITING)
    shown = f"{delivery} {caplog.text}"
    assert delivery.error != ""
    assert [secret for secret in ("s3cret", channel.secret) if secret in shown] == []


@pytest.mark.threat("reader")
def test_no_log_has_the_secret_address_of_an_alert_that_was_sent(sender, receiver, caplog):
    caplog.set_level(logging.DEBUG)
    send_one(sender, sample_channel(receiver.address))

    assert len(receiver.requests) == 1
    assert "s3cret" not in caplog.text


def test_nothing_is_sent_if_the_network_is_switched_off(sender, receiver):

    sender.settings = replace(sender.settings, network=False)
    send_one(sender, sample_channel(receiver.address))

    (delivery,) = sender.outbox.in_state(DeliveryState.WAITING)
    assert (delivery.error, receiver.requests) == ("network access is turned off.", [])


@pytest.mark.threat("receiver")
def test_a_receiver_that_never_answers_does_not_keep_another_waiting(sender, receiver, monkeypatch):
    release = threading.Event()
    sender.channels.add(sample_channel("http://127.0.0.1:9/x", name="a stuck"))
    sender.channels.add(sample_channel(receiver.address, name="b"))
    sender.outbox.collect("live", [sample_event()], NOON)
    send_message = alert_sender.send_message

    def stuck(settings, channel, message):
        if channel.name == "a stuck":
            release.wait(60)
        send_message(settings, channel, message)

    monkeypatch.setattr(alert_sender, "send_message", stuck)
    stuck_thread, other_thread = sender._start_sending()
    other_thread.join(60)

    assert (len(receiver.requests), stuck_thread.is_alive()) == (1, True)
    assert sender._start_sending() == []
    release.set()
    stuck_thread.join(60)


@pytest.mark.threat("receiver")
def test_a_receiver_that_is_away_gets_few_requests_however_many_alerts_wait(
    sender, receiver, clock
):
    receiver.statuses = [503] * 1_000
    sender.channels.add(sample_channel(receiver.address))
    sender.outbox.collect("live", [sample_event(f"k{i}") for i in range(200)], NOON)
    for _ in range(12 * 6):
        clock.now += 600
        sender.send_due()

    assert len(receiver.requests) <= 60


def test_all_alerts_for_a_receiver_that_is_away_for_a_day_are_given_up(sender, receiver, clock):
    receiver.statuses = [503] * 1_000
    sender.channels.add(sample_channel(receiver.address))
    sender.outbox.collect("live", [sample_event(f"k{i}") for i in range(50)], NOON)
    for _ in range(26):
        clock.now += 3_600
        sender.send_due()

    assert sender.outbox.count(DeliveryState.WAITING) == 0
    assert sender.outbox.count(DeliveryState.FAILED) == 50


def test_a_receiver_that_is_back_gets_the_alerts_that_wait(sender, receiver, clock):
    receiver.statuses = [503] * 6
    sender.channels.add(sample_channel(receiver.address))
    sender.outbox.collect("live", [sample_event(f"k{i}") for i in range(20)], NOON)
    for _ in range(24):
        clock.now += 3_600
        sender.send_due()

    assert sender.outbox.count(DeliveryState.SENT) == 20


def test_a_channel_does_not_rest_for_long_after_the_clock_was_set_back(sender, receiver, clock):
    receiver.statuses = [503]
    send_one(sender, sample_channel(receiver.address))
    clock.now -= 30 * 86_400
    sender.send_due()

    assert len(receiver.requests) == 2
