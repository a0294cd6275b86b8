"""The command ``alerts``."""

from __future__ import annotations

import re
import time

import pytest

from assistant.alerts.channel_store import ChannelForm, ChannelStore
from assistant.alerts.outbox import DeliveryState, Outbox
from assistant.commands import alerting
from assistant.commands.cli import main
from assistant.core.settings import Settings
from tests.assistant.alerts.alert_samples import sample_event
from tests.assistant.alerts.conftest import private_allowed, receiver

__all__ = ["private_allowed", "receiver"]


@pytest.fixture
def home(tmp_path):
    return ["--home", str(tmp_path)]


@pytest.fixture
def url(tmp_path):
    return Settings(home=tmp_path).database


@pytest.fixture
def added(home, receiver, private_allowed, capsys):
    command = ["alerts", "add", "desk", "--form", "webhook", "--address", receiver.address]
    assert main([*command, "--zone", "Europe/Berlin", *home]) == 0
    return capsys.readouterr()


def test_the_forms_are_those_of_the_store():
    assert tuple(ChannelForm) == alerting.FORMS


def test_a_new_webhook_shows_its_secret_once(added, home, capsys):
    secret = added.out.strip()

    assert re.fullmatch(r"whsec_\S{44}", secret)
    assert main(["alerts", "list", *home]) == 0
    listed = capsys.readouterr().out
    assert listed.split("\t")[:4] == ["desk", "newsroom", "webhook", "http://127.0.0.1/…"]
    assert secret not in listed


def test_a_test_message_is_sent(added, home, receiver):
    assert main(["alerts", "test", "desk", *home]) == 0

    (request,) = receiver.requests
    assert b"alerts reach you here" in request["body"]


def test_a_test_message_that_fails_says_why(added, home, receiver, capsys):
    receiver.statuses = [404]

    assert main(["alerts", "test", "desk", *home]) == 1
    error = capsys.readouterr().err
    assert "the receiver answered with status 404." in error
    assert "s3cret" not in error


def test_a_paused_channel_sends_no_test_message_and_says_so(added, home, receiver, capsys):
    assert main(["alerts", "pause", "desk", *home]) == 0

    assert main(["alerts", "test", "desk", *home]) != 0
    assert "the channel is paused." in capsys.readouterr().err
    assert receiver.requests == []


def test_what_is_due_is_sent(added, home, receiver, url):
    with Outbox.open(url) as outbox:
        outbox.collect("live", [sample_event(at=2e9)], 1.0)

    assert main(["alerts", "send", "--once", *home]) == 0
    assert len(receiver.requests) == 1


def test_a_failed_alert_is_listed_and_tried_again(added, home, url, capsys):
    # Later than the channel: an alert of an earlier channel of its name is never sent again.
    now = time.time()
    with Outbox.open(url) as outbox:
        outbox.collect("live", [sample_event(at=2e9)], now)
        delivery, _ = outbox.claim(now + 1)
        outbox.give_up(delivery.id, now + 1, "the receiver answered 500.", tries=12)

    assert main(["alerts", "failed", *home]) == 0
    cells = capsys.readouterr().out.strip().split("\t")
    assert (cells[0], cells[1], cells[-1]) == (delivery.id, "failed", "the receiver answered 500.")
    assert main(["alerts", "failed", "--again", delivery.id, *home]) == 0
    with Outbox.open(url) as outbox:
        assert outbox.count(DeliveryState.WAITING) == 1


def test_a_channel_is_paused_resumed_and_removed(added, home, url):
    for verb, is_paused in (("pause", True), ("resume", False)):
        assert main(["alerts", verb, "desk", *home]) == 0
        with ChannelStore.open(url) as channels:
            assert bool(channels.get("desk").paused) == is_paused
    assert main(["alerts", "remove", "desk", *home]) == 0
    with ChannelStore.open(url) as channels:
        assert channels.all() == []


@pytest.mark.threat("editor")
@pytest.mark.parametrize("address", ["http://127.0.0.1:1/s3cret", "http://10.1.2.3/s3cret"])
def test_a_channel_in_a_private_network_is_refused(home, url, address, capsys):
    command = ["alerts", "add", "desk", "--form", "slack", "--address", address, *home]

    assert main(command) == 1
    error = capsys.readouterr().err
    assert "private network" in error
    assert "s3cret" not in error


def test_an_unknown_channel_is_refused(home, capsys):
    assert main(["alerts", "test", "desk", *home]) == 1
    assert "no such channel" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("mail_table", "is_told"),
    [("", True), ('[mail]\nhost = "m.example"\nsender = "a@m.example"\n', False)],
)
def test_a_mail_channel_without_a_mail_server_is_added_with_a_note(
    home, tmp_path, capsys, mail_table, is_told
):
    (tmp_path / "lectern.toml").write_text(mail_table)
    command = ["alerts", "add", "desk", "--form", "mail", "--address", "desk@news.example"]

    assert main([*command, *home]) == 0

    assert ("note: no mail server is set" in capsys.readouterr().err) == is_told
