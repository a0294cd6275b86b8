"""Channels of alerts on the page: added, tested, changed, paused and removed."""

from __future__ import annotations

import time

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from assistant.alerts.alert_events import ALERT_KINDS, CHECK_ENDED
from assistant.alerts.channel_store import ChannelForm, ChannelStore
from assistant.alerts.outbox import Outbox
from assistant.core.access import Role
from assistant.core.errors import AccessDenied
from assistant.reports.markdown_form import escape_markdown
from assistant.ui import account, alert_channels
from assistant.ui.shared_resources import check_service
from tests.assistant.alerts.alert_samples import sample_channel, sample_event
from tests.assistant.alerts.conftest import private_allowed, receiver
from tests.assistant.ui.conftest import PATIENCE_S, ROOT
from tests.assistant.ui.test_pages import labels, shown, text

__all__ = ["private_allowed", "receiver"]
PAGE = str(ROOT / "assistant" / "ui" / "pages" / "alerts_page.py")


@pytest.fixture
def url(home):
    return f"sqlite:///{home / 'lectern.db'}"


@pytest.fixture
def page(home):
    """The page, not yet run."""
    return AppTest.from_file(PAGE, default_timeout=PATIENCE_S)


def stored(url):
    with ChannelStore.open(url) as channels:
        return channels.all()


def add(url, address, **changes):
    with ChannelStore.open(url) as channels:
        return channels.add(sample_channel(address, **changes))


def click(page, label):
    next(button for button in page.button if button.label == label).click().run()
    assert not page.exception


def test_a_channel_is_added_with_the_ticked_events(page, url):
    page.run()
    assert "You have no channels yet" in text(page)
    page.text_input(key="alert_name").input("ada")
    page.text_input(key="alert_address").input("ada@example.org")
    for kind in ALERT_KINDS:
        if kind != CHECK_ENDED:
            page.checkbox(key=f"alert_kind_new_{kind}").uncheck()
    click(page, "Add channel")

    (channel,) = stored(url)
    assert (channel.name, channel.address) == ("ada", "ada@example.org")
    assert (channel.form, channel.kinds) == (ChannelForm.MAIL, frozenset([CHECK_ENDED]))
    assert "The channel is added" in page.success[0].value
    assert "ada@example.org" in text(page)


def test_every_kind_of_event_has_a_tick(page):
    page.run()

    ticks = [tick.label for tick in page.checkbox]
    assert ticks == [escape_markdown(label) for label in ALERT_KINDS.values()]


def test_a_refusal_says_why_and_stores_nothing(page, url):
    page.run()
    page.text_input(key="alert_name").input("ada")
    page.text_input(key="alert_address").input("ada")
    click(page, "Add channel")

    assert "isn't a valid mail address" in shown(page.error[0].value)
    assert stored(url) == []
    assert page.text_input(key="alert_address").value == "ada"


def test_an_outcome_is_drawn_beside_its_button(page, url):
    """The form is long: at the head of the page its error would be out of sight."""
    add(url, "https://hooks.example/x", owner="")
    page.run()
    page.text_input(key="alert_address").input("not an address")
    click(page, "Add channel")
    elements = kinds_in_order(page)
    assert elements.index("Add channel") < elements.index("error")

    click(page, "Pause")
    elements = kinds_in_order(page)
    assert elements.index("Resume") < elements.index("success") < elements.index("Add channel")

    click(page, "Remove channel")
    elements = kinds_in_order(page)
    assert elements.index("success") < elements.index("Add channel")


def kinds_in_order(page) -> list[str]:
    """Return the labels of the buttons, and the kinds of the other elements, as they are drawn."""
    return [element.label if element.type == "button" else element.type for element in page.main]


@pytest.mark.threat("reader")
def test_a_new_webhook_shows_its_secret_once_and_never_its_address(
    page, url, receiver, private_allowed
):
    page.run()
    page.selectbox(key="alert_form").select(ChannelForm.WEBHOOK)
    page.text_input(key="alert_name").input("hook")
    page.text_input(key="alert_address").input(receiver.address)
    click(page, "Add channel")

    (channel,) = stored(url)
    assert page.code[0].value == channel.secret
    page.run()
    assert len(page.code) == 0
    assert channel.secret not in text(page)
    assert "s3cret" not in text(page)


def test_a_channel_is_tested_paused_resumed_and_removed(page, url, receiver, private_allowed):
    add(url, receiver.address, owner="")
    page.run()
    click(page, "Test")
    assert len(receiver.requests) == 1
    click(page, "Pause")
    assert stored(url)[0].paused is not None
    assert "Test" not in labels(page)
    click(page, "Resume")
    assert stored(url)[0].paused is None
    click(page, "Remove channel")
    assert stored(url) == []


def test_a_test_that_fails_says_why_without_the_address(page, url, receiver, private_allowed):
    receiver.statuses = [404]
    add(url, receiver.address, owner="")
    page.run()
    click(page, "Test")

    assert "the receiver answered with status 404" in page.error[0].value
    assert "s3cret" not in page.error[0].value


def test_quiet_hours_are_changed(page, url):
    add(url, "https://hooks.example/x", owner="", quiet_hours="22:00-07:00", zone="Europe/Berlin")
    page.run()
    page.time_input(key="alert_until_desk").set_value(alert_channels.parse_clock_time("08:30"))
    page.run()
    click(page, "Save")

    (channel,) = stored(url)
    assert (channel.quiet_hours, channel.zone) == ("22:00-08:30", "Europe/Berlin")


def test_a_failed_alert_is_listed_and_tried_again(page, url):
    add(url, "https://hooks.example/x", owner="")
    with Outbox.open(url) as outbox:
        outbox.collect("live", [sample_event(at=time.time())], time.time())
        delivery, _ = outbox.claim(time.time())
        outbox.give_up(delivery.id, time.time(), "the receiver answered 500.", tries=12)
    page.run()
    assert "the receiver answered 500." in text(page)
    click(page, "Try again")

    assert "1 failed alert" not in text(page)
    with Outbox.open(url) as outbox:
        assert outbox.get(delivery.id).state == "waiting"


def test_alerts_that_nobody_sends_are_mentioned(page, url):
    add(url, "https://hooks.example/x", owner="")
    with Outbox.open(url) as outbox:
        outbox.collect("live", [sample_event()], time.time() - 3_600)
    page.run()

    assert "1 alert waits to be sent" in text(page)


@pytest.fixture
def person(home, monkeypatch):
    """A function that makes the caller a person with a role, who has logged in."""
    monkeypatch.setattr(st, "session_state", {})
    monkeypatch.setattr(account, "uses_login", lambda: True)

    def become(name, role):
        monkeypatch.setattr(account, "current", lambda: account.Account(name, role))

    return become


@pytest.mark.threat("reader")
def test_a_reader_changes_no_channel(person, url):
    add(url, "https://hooks.example/x", owner="cleo")
    person("cleo", Role.READER)

    alert_channels._pause("desk")

    assert stored(url)[0].paused is None
    assert "needs the reviewer role" in st.session_state[alert_channels.ERROR_KEY]


@pytest.mark.threat("reviewer")
@pytest.mark.parametrize(
    ("role", "names"), [(Role.REVIEWER, ["ben"]), (Role.EDITOR, ["ben", "newsroom"])]
)
def test_a_person_manages_their_own_channels_and_an_editor_those_of_the_newsroom(
    person, url, role, names
):
    for name, owner in (("ada", "ada"), ("ben", "ben"), ("newsroom", "")):
        add(url, "https://hooks.example/x", name=name, owner=owner)
    person("ben", role)

    own = alert_channels.open_visitor_channels()

    assert [channel.name for channel in own.all()] == names


@pytest.mark.threat("visitor")
def test_nobody_sets_up_alerts_in_an_open_app_without_a_login(home, monkeypatch):
    monkeypatch.setattr(account, "uses_login", lambda: False)
    monkeypatch.setattr(type(check_service().settings), "is_open", True, raising=False)

    with pytest.raises(AccessDenied):
        alert_channels.open_visitor_channels()
