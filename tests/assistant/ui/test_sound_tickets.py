"""Tickets: what one allows, until when, and how a route tells its requests from those of the app behind it."""

from __future__ import annotations

import time

import pytest
from starlette.responses import PlainTextResponse

from assistant.ui import login_settings, sound_tickets
from assistant.ui.sound_tickets import TicketRoute, Tickets
from tests.assistant.ui.conftest import AUTH

testclient = pytest.importorskip("starlette.testclient")


@pytest.fixture
def given():
    return Tickets()


@pytest.fixture
def client(given):
    """A client of a route that answers with what a ticket allows, before an app that answers with "page"."""

    async def answer(request, ticket, allowed):
        return PlainTextResponse(f"{request.method} {allowed}")

    return testclient.TestClient(
        TicketRoute(PlainTextResponse("page"), "/sound/", given, answer, "Load it again.")
    )


def test_a_ticket_allows_what_it_was_given_for_until_it_ends(given):
    """One without an end never ends; nothing is allowed by a ticket that nobody gave."""
    lasting = given.give("a", None)
    short = given.give("b", time.time() + 60)
    ended = given.give("c", time.time() - 1)

    assert [given.allowed(ticket) for ticket in (lasting, short, ended, "mallory")] == [
        "a",
        "b",
        None,
        None,
    ]
    assert len({lasting, short, ended}) == 3


def test_the_oldest_tickets_are_forgotten_first(given, monkeypatch):
    """Many visitors do not fill the memory."""
    monkeypatch.setattr(sound_tickets, "MAX_TICKETS", 2)
    names = [given.give(i, None) for i in range(1, 4)]

    assert [given.allowed(name) for name in names] == [None, 2, 3]


def test_a_route_answers_with_a_ticket_refuses_without_and_passes_on_the_rest(client, given):
    """Below any path under which the app is served, and with any method."""
    ticket = given.give("this", None)

    answers = [
        client.post(f"/sound/{ticket}"),
        client.get(f"/lectern/sound/{ticket}"),
        client.get("/sound/mallory"),
    ]
    assert [(answer.status_code, answer.text) for answer in answers] == [
        (200, "POST this"),
        (200, "GET this"),
        (403, "Load it again."),
    ]
    assert [client.get(path).text for path in ("/", f"/other/{ticket}")] == ["page", "page"]


def test_a_ticket_allows_nothing_while_the_login_settings_cannot_be_read(
    client, given, home, write_secrets
):
    """The route of recordings and that of the microphone ask the decision that the pages ask."""
    write_secrets(AUTH)
    assert login_settings.is_configured()
    ticket = given.give("this", None)
    assert client.get(f"/sound/{ticket}").status_code == 200

    write_secrets(AUTH[:-2])

    assert client.get(f"/sound/{ticket}").status_code == 503
