"""The way of a browser's microphone.

Pieces in order, on the disk before they are answered, from one browser.
"""

from __future__ import annotations

import time

import numpy as np
import pytest
from starlette.responses import PlainTextResponse

from assistant.live.sound_buffer import SoundBuffer
from assistant.transcription.decoding import SAMPLE_RATE_HZ
from assistant.ui import microphone_route as route

testclient = pytest.importorskip("starlette.testclient")
SECOND = np.arange(SAMPLE_RATE_HZ, dtype=np.int16).tobytes()


@pytest.fixture
def client(monkeypatch):
    """A client of the route, behind which everything else is answered with "page"."""
    monkeypatch.setattr(route._tickets, "_tickets", {})
    monkeypatch.setattr(route, "_senders", {})
    return testclient.TestClient(route.microphone_route(PlainTextResponse("page")))


@pytest.fixture
def spool(tmp_path):
    return SoundBuffer(tmp_path / "spool")


def piece(client, ticket, first_sample, content=SECOND):
    return client.patch(
        f"/microphone/{ticket}", content=content, headers={"First-Sample": str(first_sample)}
    )


def test_sound_goes_on_where_it_was_taken_also_after_a_restart(client, spool):
    """The server says which sample comes next; what was answered is on the disk."""
    first_ticket = route.upload_ticket(spool, 5 * SAMPLE_RATE_HZ, None)
    assert client.post(f"/microphone/{first_ticket}").json() == {"next": 5 * SAMPLE_RATE_HZ}
    assert piece(client, first_ticket, 5 * SAMPLE_RATE_HZ).json() == {"next": 6 * SAMPLE_RATE_HZ}
    assert spool.since(5 * SAMPLE_RATE_HZ) == SECOND

    route._tickets._tickets.clear()
    route._senders.clear()
    assert piece(client, first_ticket, 6 * SAMPLE_RATE_HZ).status_code == 403
    second = route.upload_ticket(spool, 0, None)
    assert client.post(f"/microphone/{second}").json() == {"next": 6 * SAMPLE_RATE_HZ}
    assert piece(client, second, 6 * SAMPLE_RATE_HZ).json() == {"next": 7 * SAMPLE_RATE_HZ}
    assert spool.since(6 * SAMPLE_RATE_HZ - 100) == SECOND[-200:] + SECOND


def test_a_piece_that_is_not_the_next_changes_nothing(client, spool):
    """Neither one that comes twice, nor one before which something is missing, nor half a sample."""
    ticket = route.upload_ticket(spool, 0, None)
    piece(client, ticket, 0)

    refused = [
        piece(client, ticket, 0),
        piece(client, ticket, 2 * SAMPLE_RATE_HZ),
        piece(client, ticket, SAMPLE_RATE_HZ, b"abc"),
    ]

    assert [answer.status_code for answer in refused] == [409, 409, 400]
    assert spool.since(0) == SECOND


def test_two_browsers_do_not_send_for_one_event(client, spool, monkeypatch):
    """The second one is told so until the first has been quiet for a while."""
    ada = route.upload_ticket(spool, 0, None)
    ben = route.upload_ticket(spool, 0, None)
    piece(client, ada, 0)
    answer = client.post(f"/microphone/{ben}")
    assert answer.status_code == 423
    assert answer.text == route.OTHER_SENDER

    monkeypatch.setattr(route, "SENDER_TIMEOUT_S", 0.0)
    assert client.post(f"/microphone/{ben}").json() == {"next": SAMPLE_RATE_HZ}


def test_the_end_is_noted(client, spool):
    """After the last piece; who listens then hears the rest."""
    ticket = route.upload_ticket(spool, 0, None)
    spool.open()
    piece(client, ticket, 0)
    assert not spool.is_over

    client.delete(f"/microphone/{ticket}")
    assert spool.is_over


def test_without_a_ticket_nothing_is_taken(client, spool):
    """Nor with one that has ended; other addresses are none of its business."""
    ended = route.upload_ticket(spool, 0, time.time() - 1)

    assert [piece(client, name, 0).status_code for name in ("mallory", ended)] == [403, 403]
    assert not spool.folder.exists()
    assert client.get("/").text == "page"


def test_sound_that_nobody_hears_does_not_fill_the_disk(client, spool, monkeypatch):
    """More than the last hour is refused; the browser keeps it."""
    monkeypatch.setattr(route, "MAX_BUFFERED_S", 1)
    ticket = route.upload_ticket(spool, 0, None)

    assert [piece(client, ticket, i * SAMPLE_RATE_HZ).status_code for i in range(3)] == [
        200,
        200,
        507,
    ]
    monkeypatch.setattr(route, "MAX_PIECE_BYTES", 1000)
    assert piece(client, ticket, 2 * SAMPLE_RATE_HZ).status_code == 413
