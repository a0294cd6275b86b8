"""Channels: which can be stored, and that their secrets are not shown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.alerts.channel_store import MAX_CHANNELS_PER_OWNER, ChannelForm, ChannelStore
from assistant.core.errors import LecternError, SettingsError
from tests.assistant.alerts.alert_samples import sample_channel
from tests.assistant.review.conftest import any_url

__all__ = ["any_url"]
HOOK = "https://hooks.example/services/T0/s3cret"


@pytest.fixture
def store(settings):
    with ChannelStore.open(settings.database) as opened:
        yield opened


def test_a_channel_is_stored_and_read_in_each_database(any_url):
    with ChannelStore.open(any_url) as opened:
        added = opened.add(sample_channel(HOOK, quiet_hours="22:00-07:00", zone="Europe/Berlin"))

        assert opened.all() == [added]
        assert opened.get("desk") == added


def test_a_webhook_gets_a_secret(store):
    secrets = {store.add(sample_channel(HOOK, name=name)).secret for name in ("a", "b")}

    assert len(secrets) == 2


@pytest.mark.parametrize(
    ("form", "address"),
    [
        (ChannelForm.WEBHOOK, "ftp://hooks.example/x"),
        (ChannelForm.WEBHOOK, "hooks.example"),
        (ChannelForm.WEBHOOK, "https://ann:pw@hooks.example/x"),
        (ChannelForm.WEBHOOK, "https://hooks.example:99999/x"),
        (ChannelForm.SLACK, "https://hooks.example/a b"),
        (ChannelForm.SLACK, "https://hooks.example/\r\nHost: evil"),
        (ChannelForm.TEAMS, ""),
        (ChannelForm.MATRIX, "https://matrix.example"),
        (ChannelForm.MATRIX, "https://matrix.example/#alias:example.org"),
        (ChannelForm.MATRIX, "https://matrix.example/!a/../b:x"),
        (ChannelForm.MAIL, "ann"),
        (ChannelForm.MAIL, "ann@example.org, bob@example.org"),
        (ChannelForm.MAIL, "ann@example.org\r\nBcc: bob@example.org"),
        (ChannelForm.MAIL, "ann@@example.org"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused(store, form, address):
    with pytest.raises(SettingsError):
        store.add(sample_channel(address, form))

    assert store.all() == []


@pytest.mark.parametrize(
    ("address", "fault"),
    [
        ("ftp://hooks.example/x", "isn't a valid web address"),
        ("https://ann:pw@hooks.example/x", "contains a user name or a password"),
        (f"https://hooks.example/{'x' * 5_000}", "has more than"),
    ],
)
def test_a_refused_address_has_its_own_reason(store, address, fault):
    with pytest.raises(SettingsError, match=fault):
        store.add(sample_channel(address, ChannelForm.WEBHOOK))


@pytest.mark.parametrize(
    "changes",
    [
        {"name": ""},
        {"name": "../x"},
        {"kinds": frozenset()},
        {"kinds": frozenset(["weather"])},
        {"zone": "Mars"},
        {"quiet_hours": "late"},
        {"digest_time": "noon"},
        {"secret": "guess me"},
    ],
)
def test_a_value_that_cannot_be_used_is_refused(store, changes):
    with pytest.raises(SettingsError):
        store.add(sample_channel(HOOK, **changes))


def test_a_matrix_channel_needs_a_token(store):
    channel = sample_channel("https://matrix.example/!a:b.example", ChannelForm.MATRIX, secret=" ")

    with pytest.raises(SettingsError, match="access token"):
        store.add(channel)


def test_a_name_is_given_once(store):
    store.add(sample_channel(HOOK))

    with pytest.raises(SettingsError, match="there is already a channel named 'desk'"):
        store.add(sample_channel(HOOK, owner="bob"))


@pytest.mark.threat("reviewer")
def test_one_person_cannot_store_channels_without_end(store):
    for number in range(MAX_CHANNELS_PER_OWNER):
        store.add(sample_channel(HOOK, name=f"c{number}"))

    with pytest.raises(SettingsError, match="20 channels"):
        store.add(sample_channel(HOOK))
    store.add(sample_channel(HOOK, owner="bob"))


@pytest.mark.threat("reader")
def test_no_text_about_a_channel_shows_its_secrets(store):
    channel = store.add(sample_channel(HOOK))

    shown = f"{channel!r} {channel} {channel.place}"

    assert channel.place == "https://hooks.example/…"
    assert [part for part in ("s3cret", channel.secret) if part in shown] == []


@pytest.mark.threat("reader")
@pytest.mark.parametrize(
    "changes",
    [
        {"address": "https://u:s3cret@hooks.example/s3cret"},
        {"secret": "s3cret"},
        {"form": ChannelForm.MAIL, "address": "https://hooks.example/services/s3cret"},
        {"form": ChannelForm.MAIL, "address": "hooks.example/s3cret"},
        {"form": ChannelForm.MATRIX, "address": "https://hooks.example/services/s3cret"},
    ],
)
def test_no_refusal_of_a_channel_shows_its_secrets(store, changes):
    with pytest.raises(LecternError) as refused:
        store.add(replace(sample_channel(HOOK), **changes))

    assert "s3cret" not in str(refused.value)


@pytest.mark.threat("reader")
def test_the_address_of_a_matrix_room_is_shown_without_what_follows_it():
    address = "https://matrix.example/!room:b.example?access_token=s3cret#s3cret"
    channel = sample_channel(address, ChannelForm.MATRIX)

    assert channel.place == "https://matrix.example/!room:b.example"


def test_removing_an_unknown_channel_is_refused(store):
    with pytest.raises(SettingsError, match="no such channel"):
        store.remove("desk", 0.0)
    with pytest.raises(SettingsError, match="no such channel"):
        store.get("desk")
    with pytest.raises(SettingsError, match="no such channel"):
        store.pause("desk", 1.0)
