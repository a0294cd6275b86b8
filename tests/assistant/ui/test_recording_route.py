"""The way of recordings: pieces with a ticket, going on where they broke off, and playing a part of one."""

from __future__ import annotations

import time

import pytest
from starlette.responses import PlainTextResponse

from assistant.ui import recording_route as route

testclient = pytest.importorskip("starlette.testclient")
ASKED = {"name": "a.wav", "size": 6, "mark": "17"}


@pytest.fixture
def client(monkeypatch):
    """A client of the route, behind which everything else is answered with "page"."""
    monkeypatch.setattr(route._tickets, "_tickets", {})
    return testclient.TestClient(route.recording_route(PlainTextResponse("page")))


def piece(client, ticket, offset, content):
    return client.patch(
        f"/recordings/{ticket}", content=content, headers={"Upload-Offset": str(offset)}
    )


def test_a_recording_goes_on_in_another_session(client, tmp_path):
    """The server says which byte comes next, and the file is whole in the end."""
    first_ticket = route.upload_ticket(tmp_path, "ada", None)
    assert client.post(f"/recordings/{first_ticket}", json=ASKED).json() == {"offset": 0}
    assert piece(client, first_ticket, 0, b"abcd").json() == {"offset": 4}
    assert route.received_recording(first_ticket) is None

    second = route.upload_ticket(tmp_path, "ada", None)
    assert client.post(f"/recordings/{second}", json=ASKED).json() == {"offset": 4}
    assert piece(client, second, 4, b"ef").json() == {"offset": 6}
    assert route.received_recording(second).finish()[1].read_bytes() == b"abcdef"


@pytest.mark.threat("reader")
def test_another_person_does_not_go_on_with_it(client, tmp_path):
    """Even with a file of the same name and size."""
    ada = route.upload_ticket(tmp_path, "ada", None)
    ben = route.upload_ticket(tmp_path, "ben", None)
    client.post(f"/recordings/{ada}", json=ASKED)
    piece(client, ada, 0, b"abcd")

    assert client.post(f"/recordings/{ben}", json=ASKED).json() == {"offset": 0}


@pytest.mark.threat("reader")
def test_without_a_ticket_nothing_is_taken_or_played(client, tmp_path):
    """Nor with one that has ended."""
    ended = route.upload_ticket(tmp_path, "ada", time.time() - 1)
    played = route.playback_ticket(tmp_path / "a.wav", time.time() - 1)

    statuses = [
        client.post(f"/recordings/{name}", json=ASKED).status_code for name in ("mallory", ended)
    ]
    assert [*statuses, client.get(f"/recordings/{played}").status_code] == [403, 403, 403]
    assert client.get("/").text == "page"


@pytest.mark.threat("reader")
@pytest.mark.parametrize("asked", [{}, [], {"name": "a", "size": "much", "mark": ""}])
def test_nonsense_is_refused_in_one_line(client, tmp_path, asked):
    """And makes no file."""
    answer = client.post(f"/recordings/{route.upload_ticket(tmp_path, '', None)}", json=asked)

    assert answer.status_code == 409
    assert answer.text.count("\n") == 0
    assert list(tmp_path.iterdir()) == []


def test_a_part_of_a_recording_is_played(client, tmp_path):
    """As browsers ask for it when somebody goes to a sentence.

    A page in disguise is never shown as one.
    """
    for name, kind in (("a.wav", "audio/"), ("a.html", "application/octet-stream")):
        (tmp_path / name).write_bytes(b"0123456789")
        ticket = route.playback_ticket(tmp_path / name, None)
        answer = client.get(f"/recordings/{ticket}", headers={"Range": "bytes=2-4"})

        assert answer.status_code == 206
        assert answer.content == b"234"
        assert answer.headers["content-type"].startswith(kind)
        assert client.delete(f"/recordings/{ticket}").status_code == 405


@pytest.mark.threat("reviewer")
@pytest.mark.parametrize(
    "content",
    [
        '{"name": "a.wav", "size": 0, "mark": "17"}',
        '{"name": "a.wav", "size": Infinity, "mark": "17"}',
        '{"name": "a.wav", "size": NaN, "mark": "17"}',
        '{"name": "a.wav", "size": -5, "mark": "17"}',
        '{"name": "a.wav", "size": true, "mark": "17"}',
        '{"name": "a.wav", "size": "6", "mark": "17"}',
        "[" * 9000,
        "[]",
        "",
        '{"name": "' + "a" * 20_000 + '", "size": 6, "mark": "17"}',
    ],
)
def test_a_recording_without_a_size_never_begins(client, tmp_path, content):
    """Nor does a description without end fill the memory."""
    ticket = route.upload_ticket(tmp_path, "ada", None)

    assert client.post(f"/recordings/{ticket}", content=content).status_code == 409
    assert not list(tmp_path.rglob("*.*"))
