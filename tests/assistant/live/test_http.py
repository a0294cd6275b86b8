"""The HTTP door: what it takes, and that each fault is a clear 4xx that changes nothing."""

from __future__ import annotations

import json
import socket
import threading
import time

import pytest

from assistant.live.engine import Engine
from assistant.live.http import MOST_BYTES, LiveApi
from assistant.live.json_lines import InvalidLine, read_line
from tests.assistant.live.following import EVENT, WordChecker, said

testclient = pytest.importorskip("starlette.testclient")
HOST, SOCKET = "http://127.0.0.1:8600", "ws://127.0.0.1:8600"


@pytest.fixture
def engine(log):
    return Engine(log, EVENT, WordChecker())


@pytest.fixture
def client(engine):
    return testclient.TestClient(LiveApi({"city": engine}, patience_s=0.5).app(), base_url=HOST)


def rows(*tables):
    return "\n".join(json.dumps(table) for table in tables)


def test_json_lines_become_sentences(client, log):
    """A later line with the same id replaces the earlier."""
    first = {"id": 1, "speaker": "REYES", "text": "We built 400 schools.", "start": 1.5, "end": 4}
    assert {"lines": 2, "changed": 2} == client.post(
        "/live/city/lines", content=rows(first, {"id": "2", "text": "No."})
    ).json()

    client.post("/live/city/lines", content=rows({**first, "text": "We built 500 schools."}))

    assert [("REYES", "We built 500 schools."), (None, "No.")] == said(log)


@pytest.mark.parametrize(
    ("path", "body", "status", "reason"),
    [
        ("/live/city/lines", "no json", 400, "line 1: not JSON"),
        ("/live/city/lines", rows({"id": 1, "text": "Good."}, {"id": 2}), 400, "line 2: no field 'text'"),
        ("/live/city/lines", rows({"id": 1, "text": "Good.", "colour": "red"}), 400, "unknown field 'colour'"),
        ("/live/city/lines", rows({"id": 1, "text": "Good.", "start": "soon"}), 400, "expected seconds"),
        ("/live/city/lines", rows({"id": 1, "text": "Good.", "final": 1}), 400, "expected true or false"),
        ("/live/city/lines", rows({"id": 1, "text": "x" * 20_001}), 400, "20,000 characters"),
        ("/live/city/lines", "", 400, "no line"),
        ("/live/city/lines", b"\xff\xfe", 400, "not UTF-8"),
        ("/live/city/lines", "[" * 100_000, 400, "not JSON"),
        ("/live/city/lines", "x" * (MOST_BYTES + 1), 413, "Send fewer lines"),
        ("/live/town/lines", rows({"id": 1, "text": "Good."}), 404, "no event 'town' is open"),
        ("/closedcaption?event=town", "2026-01-01T00:00:01\nTEXT\n", 404, "no event 'town' is open"),
        ("/closedcaption", b"\xff\xfe", 400, "not UTF-8"),
    ],
)
def test_a_fault_is_told_and_changes_nothing(client, log, path, body, status, reason):
    """The status and the reason; no line of the request is stored."""
    answer = client.post(path, content=body)

    assert (status, []) == (answer.status_code, said(log))
    assert reason in answer.json()["error"]


@pytest.mark.parametrize(
    ("headers", "query", "status"),
    [
        ({}, "", 401),
        ({"Authorization": "Bearer wrong"}, "", 401),
        ({"Authorization": "Bearer open sesame"}, "", 200),
        ({}, "?token=open%20sesame", 200),
        ({}, "?cid=open%20sesame&seq=1", 200),
        ({"Authorization": "Bearer open sesame", "Origin": "https://elsewhere.example"}, "", 403),
    ],
)
def test_a_token_opens_the_door(engine, log, headers, query, status):
    """Three ways to give it; a page of another site is turned away even with it."""
    client = testclient.TestClient(LiveApi({"city": engine}, "open sesame").app(), base_url="http://desk.example")

    answer = client.post("/live/city/lines" + query, content=rows({"id": 1, "text": "Good."}), headers=headers)

    assert (status, [(None, "Good.")] if status == 200 else []) == (answer.status_code, said(log))


def test_without_a_token_only_this_computer_may_knock(engine):
    """A name that another site made point here is not ours."""
    client = testclient.TestClient(LiveApi({"city": engine}).app(), base_url="http://rebound.example")

    assert 403 == client.post("/live/city/lines", content=rows({"id": 1, "text": "Good."})).status_code


def test_captions_come_as_encoders_send_them(client, log):
    """Times and texts, cut anywhere; the same post again, as encoders do after a fault, says nothing twice."""
    body = "2026-01-01T00:00:01.500\nWE BUILT FOUR HUNDRED\n2026-01-01T00:00:03.000 region:reg1#cue1\nSCHOOLS. AND\n"
    for _ in range(2):
        assert 200 == client.post("/closedcaption?seq=1", content=body).status_code
    client.post("/closedcaption?seq=2", content="2026-01-01T00:00:05.000\nMORE IS TO COME.\n")

    assert ["WE BUILT FOUR HUNDRED SCHOOLS.", "AND MORE IS TO COME."] == [text for _, text in said(log)]


def test_a_socket_takes_lines_and_answers_each(client, log):
    """A malformed message is answered with the reason; the next one is taken."""
    with client.websocket_connect(SOCKET + "/live/city/socket") as live:
        answers = []
        for message in (
            '{"id": "a"}',
            rows({"id": "a", "text": "We built", "final": False}),
            rows({"id": "a", "text": "We built it."}),
        ):
            live.send_text(message)
            answers.append(live.receive_json())

    assert ["no field 'text'. Nothing was stored.", 1, 1] == [a.get("error", a.get("changed")) for a in answers]
    assert [(None, "We built it.")] == said(log)


def test_a_socket_of_an_unknown_event_is_refused(client):
    """Before it is opened, with the status of a request."""
    with (
        pytest.raises(testclient.WebSocketDenialResponse) as refused,
        client.websocket_connect(SOCKET + "/live/town/socket"),
    ):
        pass

    assert 404 == refused.value.status_code


def test_health_is_told(client):
    """What waits and how long."""
    client.post("/live/city/lines", content=rows({"id": 1, "text": "We built 400 schools."}))

    told = client.get("/live/city/health").json()

    assert ("city", 1, False) == (told["event"], told["waiting"], told["behind"])


def test_a_slow_sender_is_not_waited_for(engine, log):
    """A body that stops in the middle is given up, over a real socket; the door goes on serving others."""
    import uvicorn

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    config = uvicorn.Config(LiveApi({"city": engine}, patience_s=0.3).app(), port=port, log_level="error")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    end = time.monotonic() + 60
    while not server.started and time.monotonic() < end:
        time.sleep(0.02)
    head = b"POST /live/city/lines HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=60) as slow:
        slow.sendall(head + b'{"id": 1, "te')
        answer = slow.recv(4096)
    server.should_exit = True
    thread.join(60)

    assert b"408" in answer.split(b"\r\n")[0]
    assert [] == said(log)


@pytest.mark.parametrize(
    "row", ['{"id": true, "text": "a"}', '{"id": "", "text": "a"}', '{"id": 1, "text": "a", "end": NaN}']
)
def test_what_no_line_can_be_is_refused(row):
    """Truth values are no ids, an empty id is none, NaN is no time."""
    with pytest.raises(InvalidLine):
        read_line(row, "test")
