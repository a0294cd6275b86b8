"""``/v1/checks``: start, progress, reports, owners, idempotency keys, decisions, the archive."""

from __future__ import annotations

import asyncio
import json
import time
from datetime import date

import pytest
from starlette.requests import ClientDisconnect

from assistant.api.check_routes import CountedStream
from assistant.api.services import TokenCounts
from assistant.live.access_tokens import Scope
from tests.assistant.test_pipeline import TEXTS

PATIENCE_S = 120
DEBATE = "".join(f"RIVERA: {text}\n\n" for text in TEXTS).encode()
ALL_BUT_ALL = [scope for scope in Scope if scope is not Scope.ALL_CHECKS]


@pytest.fixture
def client(served_home):
    served_home.services.begin()
    return served_home.client


def start(client, headers, body=DEBATE, **parameters):
    query = {"name": "2024-09-10_city.txt", **parameters}
    return client.post("/v1/checks", params=query, content=body, headers=headers)


def finished(client, headers, check_id):
    end = time.monotonic() + PATIENCE_S
    while True:
        state = client.get(f"/v1/checks/{check_id}", headers=headers).json()
        if state.get("state") in ("done", "failed", "cancelled"):
            return state
        assert time.monotonic() < end, state
        time.sleep(0.1)


@pytest.fixture
def owner(give):
    return give(*ALL_BUT_ALL)


@pytest.fixture
def check_id(client, owner):
    answer = start(client, owner)
    assert answer.status_code == 202
    assert finished(client, owner, answer.json()["id"])["state"] == "done"
    return answer.json()["id"]


def test_a_transcript_becomes_a_report(client, owner, check_id):
    state = client.get(f"/v1/checks/{check_id}", headers=owner).json()
    report = client.get(state["report"], headers=owner).json()

    assert state["error"] == ""
    assert report["schema"] == "lectern.report/1"
    assert [sentence["text"] for sentence in report["sentences"]] == list(TEXTS)


@pytest.mark.parametrize(
    ("form", "media_type"),
    [
        ("json", "application/json"),
        ("html", "text/html"),
        ("csv", "text/csv"),
        ("md", "text/markdown"),
        ("jsonld", "application/ld+json"),
    ],
)
def test_a_report_comes_in_every_form(client, owner, check_id, form, media_type):
    answer = client.get(f"/v1/checks/{check_id}?form={form}", headers=owner)

    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(media_type)
    again = client.get(
        f"/v1/checks/{check_id}?form={form}",
        headers={**owner, "If-None-Match": answer.headers["etag"]},
    )
    assert again.status_code == 304


@pytest.mark.parametrize("form", ["exe", "srt"])
def test_a_form_that_cannot_be_written_is_a_problem(client, owner, check_id, form):
    answer = client.get(f"/v1/checks/{check_id}?form={form}", headers=owner)

    assert answer.status_code == 422


def test_the_progress_is_a_stream_of_events(client, owner, check_id):
    answer = client.get(f"/v1/checks/{check_id}/events", headers=owner)

    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.text.startswith("event: done\ndata: {")
    assert json.loads(answer.text.partition("data: ")[2])["id"] == check_id


@pytest.mark.threat("api client")
def test_the_check_of_another_owner_is_not_found(client, give, owner, check_id):
    """Its state, its report, its events, its decisions; and it cannot be cancelled."""
    other = give(*ALL_BUT_ALL)
    answers = [
        client.get(f"/v1/checks/{check_id}", headers=other),
        client.get(f"/v1/checks/{check_id}?form=json", headers=other),
        client.get(f"/v1/checks/{check_id}/events", headers=other),
        client.get(f"/v1/checks/{check_id}/decisions", headers=other),
        client.put(
            f"/v1/checks/{check_id}/decisions/2/c1", headers=other, json={"verdict": "confirm"}
        ),
        client.delete(f"/v1/checks/{check_id}/decisions/2/c1", headers=other),
        client.delete(f"/v1/checks/{check_id}", headers=other),
    ]
    unknown = client.get(f"/v1/checks/{'0' * 32}", headers=other)

    assert [answer.status_code for answer in answers] == [404] * 7
    assert answers[0].json() == unknown.json()
    listed = client.get("/v1/checks", headers=other).json()["items"]
    assert check_id not in [state["id"] for state in listed]


def test_a_shared_check_is_found_by_others(client, give, owner):
    shared_id = start(client, owner, shared=True).json()["id"]
    other = give(Scope.READ_CHECKS)

    assert client.get(f"/v1/checks/{shared_id}", headers=other).status_code == 200
    listed = client.get("/v1/checks", headers=other).json()["items"]
    assert shared_id in [state["id"] for state in listed]


def test_a_token_for_all_checks_finds_those_of_others_and_of_the_app(client, give, check_id):
    reader = give(Scope.READ_CHECKS, Scope.ALL_CHECKS)
    records = client.app.app.state.services.checks.records
    report_id = records.get(check_id).job

    assert client.get(f"/v1/checks/{check_id}", headers=reader).status_code == 200
    assert client.get(f"/v1/checks/{report_id}?form=json", headers=reader).status_code == 200


def test_the_same_key_starts_no_second_check(client, owner):
    headers = {**owner, "Idempotency-Key": "night-1"}
    first_answer = start(client, headers)
    second_answer = start(client, headers)

    assert second_answer.status_code == 202
    assert second_answer.json()["id"] == first_answer.json()["id"]


@pytest.mark.parametrize(
    ("body", "parameters"), [(DEBATE + b"RIVERA: More.\n", {}), (DEBATE, {"title": "Other"})]
)
def test_the_same_key_with_another_request_is_refused(client, owner, body, parameters):
    headers = {**owner, "Idempotency-Key": "night-2"}
    start(client, headers)

    assert start(client, headers, body, **parameters).status_code == 422


def test_keys_of_two_owners_are_apart(client, give, owner):
    headers = {**owner, "Idempotency-Key": "night-3"}
    other = {**give(*ALL_BUT_ALL), "Idempotency-Key": "night-3"}

    assert start(client, headers).json()["id"] != start(client, other).json()["id"]


@pytest.mark.parametrize(
    ("body", "parameters", "status"),
    [
        (b"", {}, 422),
        (b"\x89PNG\r\n\x1a\n" + bytes(200), {}, 422),
        (DEBATE, {"name": ""}, 422),
        (DEBATE, {"event_date": "soon"}, 422),
        (DEBATE, {"unknown": "1"}, 422),
        (DEBATE, {"name": "talk.txt", "before_event": True}, 422),
    ],
)
def test_a_wrong_check_is_refused_and_nothing_is_stored(client, give, body, parameters, status):
    headers = give(*ALL_BUT_ALL)

    answer = start(client, headers, body, **parameters)

    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    listed = client.get("/v1/checks", headers=headers).json()["items"]
    assert [state for state in listed if not state["shared"]] == []


def test_title_and_day_can_be_given(client, owner):
    options = {"title": "The night", "event_date": date(2025, 2, 3)}
    check_id = start(client, owner, **options).json()["id"]
    finished(client, owner, check_id)

    report = client.get(f"/v1/checks/{check_id}?form=json", headers=owner).json()
    assert (report["title"], report["event_date"]) == ("The night", "2025-02-03")


def test_decisions_are_made_read_and_undone(client, owner, check_id):
    address = f"/v1/checks/{check_id}/decisions/2/c1"
    made = client.put(address, headers=owner, json={"verdict": "confirm", "note": "checked"})
    listed = client.get(f"/v1/checks/{check_id}/decisions", headers=owner).json()["items"]
    report = client.get(f"/v1/checks/{check_id}?form=json", headers=owner).json()
    undone = client.delete(address, headers=owner)

    assert made.status_code == 200
    assert listed == [made.json()]
    assert made.json()["by"].startswith("token program")
    assert report["sentences"][1]["matches"][0]["decision"]["verdict"] == "confirm"
    assert undone.json()["verdict"] == ""
    assert client.get(f"/v1/checks/{check_id}/decisions", headers=owner).json()["items"] == []


def test_a_decision_on_a_version_that_has_changed_is_a_conflict(client, owner, check_id):
    address = f"/v1/checks/{check_id}/decisions/2/c1"
    current = client.put(address, headers=owner, json={"verdict": "later"}).json()["version"]

    stale = client.put(address, headers=owner, json={"verdict": "confirm", "version": current - 1})

    assert stale.status_code == 409
    assert stale.json()["version"] == current


@pytest.mark.threat("api client")
def test_a_report_has_no_decisions_without_their_scope(client, give, owner, check_id):
    client.put(f"/v1/checks/{check_id}/decisions/2/c1", headers=owner, json={"verdict": "confirm"})
    reader = give(Scope.READ_CHECKS, Scope.ALL_CHECKS)

    report = client.get(f"/v1/checks/{check_id}?form=json", headers=reader).json()

    decisions = [m["decision"] for s in report["sentences"] for m in s["matches"]]
    assert set(decisions) == {None}


@pytest.mark.parametrize(
    "body",
    [
        {"verdict": "maybe"},
        {"verdict": "reject"},
        {"verdict": "confirm", "reason": "other"},
        {"verdict": "confirm", "by": "ann"},
    ],
)
def test_an_incomplete_decision_is_refused(client, owner, check_id, body):
    answer = client.put(f"/v1/checks/{check_id}/decisions/2/c1", headers=owner, json=body)

    assert answer.status_code == 422


@pytest.mark.parametrize("place", ["2/c9", "99/c1"])
def test_a_match_that_is_not_in_the_report_is_not_found(client, owner, check_id, place):
    answer = client.put(
        f"/v1/checks/{check_id}/decisions/{place}", headers=owner, json={"verdict": "confirm"}
    )

    assert answer.status_code == 404


def test_a_check_ended_by_a_purge_is_not_found(client, owner, served_home):
    check_id = start(client, owner, DEBATE + b"RIVERA: Purge me.\n").json()["id"]
    finished(client, owner, check_id)
    records = served_home.services.checks.records
    records.purge(records.get(check_id).document)

    assert client.get(f"/v1/checks/{check_id}", headers=owner).status_code == 404


def test_repeats_of_an_empty_archive(client, owner):
    answer = client.get("/v1/archive/repeats", headers=owner).json()

    assert answer["repeats"] == []


@pytest.mark.threat("api client")
def test_a_stream_that_is_left_before_its_first_event_is_not_counted_any_more():
    ended = []

    async def events():
        yield "event: waiting\n\n"

    async def send(_):
        raise OSError("the caller has left")

    stream = CountedStream(lambda: ended.append(True), events())
    with pytest.raises(ClientDisconnect):
        asyncio.run(stream({"type": "http", "asgi": {"spec_version": "2.4"}}, None, send))

    assert ended == [True]


@pytest.mark.threat("api client")
def test_a_token_has_few_uploads_and_reports_under_way(client, owner, check_id, served_home):
    services = served_home.services
    token = owner["Authorization"].removeprefix("Bearer ")
    digest = services.tokens.api_grant(token).digest
    counts = (services.uploads, services.renderings)
    for count in counts:
        for _ in range(count.max_per_token):
            assert count.enter(digest)

    upload = start(client, owner, DEBATE)
    rendering = client.get(f"/v1/checks/{check_id}?form=json", headers=owner)
    for count in counts:
        for _ in range(count.max_per_token):
            count.leave(digest)

    assert (upload.status_code, rendering.status_code) == (429, 429)
    assert upload.headers["Retry-After"] == "10"
    assert client.get(f"/v1/checks/{check_id}?form=json", headers=owner).status_code == 200


@pytest.mark.threat("publisher")
def test_a_draft_never_ends_the_script_of_a_page(client, owner, check_id):
    client.put(f"/v1/checks/{check_id}/decisions/2/c1", headers=owner, json={"verdict": "confirm"})
    hostile = "</script><script>alert(1)</script>"
    edits = {"sentence": 2, "fact_check_id": "c1", "newsroom": "Desk", "explanation": hostile}

    draft = client.post(f"/v1/checks/{check_id}/claim-review", headers=owner, json=edits)

    assert "<" not in draft.text
    assert draft.json()["reviewRating"]["ratingExplanation"] == hostile


def test_a_broken_off_stream_is_not_counted_any_more():
    streams = TokenCounts(max_per_token=1)
    entered = [streams.enter("a"), streams.enter("a"), streams.enter("b")]
    streams.leave("a")

    assert [*entered, streams.enter("a")] == [True, False, True, True]
