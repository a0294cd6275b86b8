"""The HTTP door: what it takes, and that each fault is a clear 4xx that changes nothing."""

from __future__ import annotations

import json
import socket

import pytest
import sqlalchemy as sa

from assistant.core.access import Access
from assistant.core.audit import audit_table
from assistant.core.errors import StoreError
from assistant.live.access_tokens import AccessRight, TokenStore
from assistant.live.engine import Engine
from assistant.live.ingest_server import LARGEST_BODY_BYTES, LiveApi
from assistant.live.json_lines import InvalidLine, read_line
from assistant.web.request_filter import RequestFilter
from tests.assistant.live.following import EVENT, WordChecker, said, senders
from tests.assistant.live.serving import served

testclient = pytest.importorskip("starlette.testclient")
HOST = "http://127.0.0.1:8600"
SOCKET = "ws://127.0.0.1:8600"
WRITES = {"Authorization": "Bearer open sesame"}


def right(token, event):
    """The tokens of these tests, for every event."""
    return {"open sesame": AccessRight.WRITE, "peep hole": AccessRight.READ}.get(
        token, AccessRight.NONE
    )


@pytest.fixture
def engine(log):
    return Engine(log, EVENT, WordChecker())


@pytest.fixture
def api(engine):
    return LiveApi({"city": engine}, right, patience_s=0.5, idle_s=0.5).app()


@pytest.fixture
def client(api):
    return testclient.TestClient(api, base_url=HOST, headers=WRITES)


def rows(*tables):
    return "\n".join(json.dumps(table) for table in tables)


def test_json_lines_become_sentences(client, log):
    """A later line with the same id replaces the earlier."""
    first_message = {
        "id": 1,
        "speaker": "REYES",
        "text": "We built 400 schools.",
        "start": 1.5,
        "end": 4,
    }
    assert client.post(
        "/live/city/lines", content=rows(first_message, {"id": "2", "text": "No."})
    ).json() == {"lines": 2, "changed": 2}

    client.post(
        "/live/city/lines", content=rows({**first_message, "text": "We built 500 schools."})
    )

    assert said(log) == [("REYES", "We built 500 schools."), (None, "No.")]


@pytest.mark.threat("sender")
@pytest.mark.parametrize(
    ("path", "body", "status", "reason"),
    [
        ("/live/city/lines", "no json", 400, "line 1 is invalid: the line isn't valid JSON"),
        (
            "/live/city/lines",
            rows({"id": 1, "text": "Good."}, {"id": 2}),
            400,
            "line 2 is invalid: the field 'text' is missing",
        ),
        (
            "/live/city/lines",
            rows({"id": 1, "text": "Good.", "colour": "red"}),
            400,
            "unknown field 'colour'",
        ),
        (
            "/live/city/lines",
            rows({"id": 1, "text": "Good.", "start": "soon"}),
            400,
            "must be a time in seconds",
        ),
        (
            "/live/city/lines",
            rows({"id": 1, "text": "Good.", "final": 1}),
            400,
            "must be true or false",
        ),
        ("/live/city/lines", rows({"id": 1, "text": "x" * 20_001}), 400, "20,000 characters"),
        ("/live/city/lines", "", 400, "the request body is empty"),
        ("/live/city/lines", b"\xff\xfe", 400, "isn't valid UTF-8"),
        ("/live/city/lines", "[" * 100_000, 400, "isn't valid JSON"),
        ("/live/city/lines", "x" * (LARGEST_BODY_BYTES + 1), 413, "Send fewer lines"),
        ("/live/town/lines", rows({"id": 1, "text": "Good."}), 404, "the event 'town' isn't open"),
        (
            "/closedcaption?event=town",
            "2026-01-01T00:00:01\nTEXT\n",
            404,
            "the event 'town' isn't open",
        ),
        ("/closedcaption", b"\xff\xfe", 400, "isn't valid UTF-8"),
    ],
)
def test_a_fault_is_told_and_changes_nothing(client, log, path, body, status, reason):
    """The status and the reason; no line of the request is stored."""
    answer = client.post(path, content=body)

    assert answer.status_code == status
    assert said(log) == []
    assert reason in answer.json()["error"]


@pytest.mark.threat("sender")
@pytest.mark.parametrize(
    ("headers", "path", "status"),
    [
        ({}, "/live/city/lines", 401),
        ({"Authorization": "Bearer wrong"}, "/live/city/lines", 401),
        ({"Authorization": "Basic open sesame"}, "/live/city/lines", 401),
        ({"Authorization": "Bearer peep hole"}, "/live/city/lines", 403),
        (WRITES, "/live/city/lines", 200),
        ({}, "/live/city/lines?token=open%20sesame", 401),
        ({}, "/live/city/lines?cid=open%20sesame", 401),
        ({}, "/live/town/lines", 401),
    ],
)
def test_a_token_opens_the_door(api, log, headers, path, status):
    """In the header and not in the address; without it nobody learns which events there are."""
    client = testclient.TestClient(api, base_url=HOST)

    answer = client.post(path, content=rows({"id": 1, "text": "Good."}), headers=headers)

    assert answer.status_code == status
    assert said(log) == ([(None, "Good.")] if status == 200 else [])


def test_encoders_of_captions_give_the_token_in_the_address(api, log):
    """They can give it nowhere else; no other address takes it."""
    client = testclient.TestClient(api, base_url=HOST)

    answers = [client.post(f"/closedcaption?cid={cid}", content="2026-01-01T00:00:01\nGOOD.\n")
               for cid in ("wrong", "peep%20hole", "open%20sesame")]  # fmt: skip

    assert [answer.status_code for answer in answers] == [401, 403, 200]
    assert said(log) == [(None, "GOOD.")]


@pytest.mark.threat("sender")
def test_who_may_read_sees_the_health_alone(api):
    """A display in the studio needs no right to send."""
    client = testclient.TestClient(
        api, base_url=HOST, headers={"Authorization": "Bearer peep hole"}
    )

    assert client.get("/live/city/health").status_code == 200
    assert client.post("/live/city/lines").status_code == 403


@pytest.mark.threat("visitor")
def test_a_page_in_a_sandbox_puts_no_words_into_anybodys_mouth(api, log):
    """Its origin is `null`, and a browser sends no token that it was not given.

    Here it even has one.
    """
    client = testclient.TestClient(RequestFilter(api, Access()), base_url=HOST, headers=WRITES)

    refused = [client.post("/live/city/lines", content=rows({"id": 1, "text": "Lies."}), headers={"Origin": origin})
               for origin in ("null", "https://elsewhere.example", "file://")]  # fmt: skip

    assert [answer.status_code for answer in refused] == [403] * 3
    assert said(log) == []


@pytest.mark.threat("visitor")
def test_a_proxy_on_this_computer_opens_nothing(api, log):
    """What it passes on looks as if it came from here: the token is asked all the same."""
    client = testclient.TestClient(
        RequestFilter(api, Access()), base_url="http://127.0.0.1", client=("127.0.0.1", 5)
    )

    assert (
        client.post("/live/city/lines", content=rows({"id": 1, "text": "Lies."})).status_code == 401
    )
    assert said(log) == []


@pytest.mark.threat("sender")
def test_a_revoked_token_ends_an_open_socket(engine, log, tmp_path):
    """The next line is not taken, and the socket is closed with the reason."""
    with TokenStore.open(f"sqlite:///{tmp_path / 'live.db'}") as tokens:
        token = tokens.give("city", "encoder", AccessRight.WRITE)
        api = LiveApi({"city": engine}, tokens.right).app()
        client = testclient.TestClient(
            api, base_url=HOST, headers={"Authorization": f"Bearer {token}"}
        )
        with client.websocket_connect(SOCKET + "/live/city/socket") as live:
            live.send_text(rows({"id": 1, "text": "Good."}))
            assert live.receive_json()["changed"] == 1
            tokens.revoke("city", "encoder")
            live.send_text(rows({"id": 2, "text": "Lies."}))
            with pytest.raises(testclient.WebSocketDisconnect) as closed:
                live.receive_json()

    assert closed.value.code == 1008
    assert said(log) == [(None, "Good.")]


def test_a_line_says_whose_token_sent_it(log, tmp_path):
    """Each holder once in the log of what people do.

    Without a token of its own, the account that runs the door.
    """
    engine = Engine(log, EVENT, WordChecker(), sender="ada")
    with TokenStore.open(f"sqlite:///{tmp_path / 'live.db'}") as tokens:
        tokened = {
            name: tokens.give("city", name, AccessRight.WRITE) for name in ("encoder", "studio")
        }
        tokened["shared"] = "open sesame"
        api = LiveApi({"city": engine}, lambda token, event: AccessRight.WRITE, tokens.holder).app()
        for number, name in enumerate(["encoder", "studio", "studio", "shared"]):
            client = testclient.TestClient(
                api, base_url=HOST, headers={"Authorization": f"Bearer {tokened[name]}"}
            )
            client.post("/live/city/lines", content=rows({"id": number, "text": "Good."}))

    assert senders(log) == {
        "0": "token encoder",
        "1": "token studio",
        "2": "token studio",
        "3": "ada",
    }
    with log._reading() as connection:
        sent = (
            sa.select(audit_table.c.who)
            .where(audit_table.c.what == "send lines")
            .order_by(audit_table.c.id)
        )
        assert list(connection.execute(sent).scalars()) == ["token encoder", "token studio", "ada"]


@pytest.mark.threat("sender")
def test_an_idle_socket_is_closed(client):
    """It says why, so that a sender knows to connect again."""
    with (
        client.websocket_connect(SOCKET + "/live/city/socket") as live,
        pytest.raises(testclient.WebSocketDisconnect) as closed,
    ):
        live.receive_json()

    assert closed.value.code == 1001
    assert "connect again" in closed.value.reason


def test_captions_come_as_encoders_send_them(client, log):
    """Times and texts, cut anywhere.

    The same post again, as encoders do after a fault, says nothing twice.
    """
    body = "2026-01-01T00:00:01.500\nWE BUILT FOUR HUNDRED\n2026-01-01T00:00:03.000 region:reg1#cue1\nSCHOOLS. AND\n"
    for _ in range(2):
        assert client.post("/closedcaption?seq=1", content=body).status_code == 200
    client.post("/closedcaption?seq=2", content="2026-01-01T00:00:05.000\nMORE IS TO COME.\n")

    assert [text for _, text in said(log)] == [
        "WE BUILT FOUR HUNDRED SCHOOLS.",
        "AND MORE IS TO COME.",
    ]


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

    assert [a.get("error", a.get("changed")) for a in answers] == [
        "the field 'text' is missing. Nothing was stored.",
        1,
        1,
    ]
    assert said(log) == [(None, "We built it.")]


@pytest.mark.threat("sender")
def test_a_socket_of_an_unknown_event_is_refused(client):
    """Before it is opened, with the status of a request."""
    with (
        pytest.raises(testclient.WebSocketDenialResponse) as refused,
        client.websocket_connect(SOCKET + "/live/town/socket"),
    ):
        pass

    assert refused.value.status_code == 404


def test_health_is_told(client):
    """What waits and how long."""
    client.post("/live/city/lines", content=rows({"id": 1, "text": "We built 400 schools."}))

    health = client.get("/live/city/health").json()

    assert (health["event"], health["waiting"], health["behind"]) == ("city", 1, False)


@pytest.mark.threat("sender")
def test_a_slow_sender_is_not_waited_for(api, log):
    """A body that stops in the middle is given up, over a real socket."""
    head = b"POST /live/city/lines HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer open sesame\r\n"
    with served(api) as port, socket.create_connection(("127.0.0.1", port), timeout=60) as slow:
        slow.sendall(head + b"Content-Length: 500\r\n\r\n" + b'{"id": 1, "te')
        answer = slow.recv(4096)

    assert b"408" in answer.split(b"\r\n")[0]
    assert said(log) == []


@pytest.mark.threat("sender")
@pytest.mark.parametrize(
    "row",
    ['{"id": true, "text": "a"}', '{"id": "", "text": "a"}', '{"id": 1, "text": "a", "end": NaN}'],
)
def test_what_no_line_can_be_is_refused(row):
    """Truth values are no ids, an empty id is none, NaN is no time."""
    with pytest.raises(InvalidLine):
        read_line(row, "test")


@pytest.mark.threat("sender")
@pytest.mark.parametrize("time", [10**400, -(10**400), 10**12, 1e300])
@pytest.mark.parametrize("name", ["start", "end"])
def test_a_time_without_end_never_stops_the_receiver(client, log, name, time):
    """It is refused by POST and by WebSocket, which stays open."""
    line = json.dumps({"id": 1, "text": "We built 400 schools.", name: time})

    assert client.post("/live/city/lines", content=line).status_code == 400
    with client.websocket_connect(f"{SOCKET}/live/city/socket", headers=WRITES) as websocket:
        for _ in range(2):
            websocket.send_text(line)
            assert "must be a time in seconds" in websocket.receive_json()["error"]
    assert log.sentences("city") == []


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\u0085", "\x0b", "\x0c", "\x1c"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_a_line_separator_within_a_text_ends_no_line(client, separator, line_end):
    """JSON allows some of them within a text; the rest are escaped there."""
    text = json.dumps(
        {"id": 1, "text": f"We built{separator}400."}, ensure_ascii=separator < "\x20"
    )

    answer = client.post("/live/city/lines", content=f"{text}{line_end}{text}".encode())

    assert answer.json()["lines"] == 2


@pytest.mark.threat("sender")
def test_a_sender_never_learns_the_address_of_the_database(client, engine, monkeypatch):
    def fail(*_arguments, **_options):
        raise StoreError("cannot be reached.", where="postgresql://db.internal:5432/lectern")

    monkeypatch.setattr(Engine, "store_arrival", fail)
    answer = client.post("/live/city/lines", content=rows({"id": 1, "text": "A."}))

    assert answer.status_code == 503
    assert answer.json() == {"error": "the lines cannot be stored at the moment. Send them again."}


@pytest.mark.threat("sender")
def test_many_lines_of_a_sender_never_keep_the_other_senders_waiting(client, monkeypatch):
    """They are stored in several transactions."""
    sizes = []
    monkeypatch.setattr(
        Engine,
        "store_arrival",
        lambda engine, source, arrival, sender: sizes.append(len(arrival.lines)) or 0,
    )
    lines = [{"id": number, "text": "A."} for number in range(1200)]

    assert client.post("/live/city/lines", content=rows(*lines)).json()["lines"] == 1200
    assert sizes == [500, 500, 200]
