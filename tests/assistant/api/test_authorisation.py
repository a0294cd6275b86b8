"""Tokens of the API: scopes, expiry, limits, and that nothing is answered without them."""

from __future__ import annotations

import pytest

from assistant.live.access_tokens import AccessRight, Scope, TokenLimits

OPEN_PATHS = {"/v1/health"}


def operations(app):
    """Return method and path of each operation that needs a token."""
    found = []
    for path, path_item in app.openapi()["paths"].items():
        for method in path_item:
            if path not in OPEN_PATHS and not path.startswith("/live"):
                found.append((method.upper(), path.replace("{", "").replace("}", "")))
    return found


@pytest.mark.threat("api client")
def test_no_operation_answers_without_a_valid_token(served_home, give):
    """Without one, with a guess, in the address, expired, revoked, or one for a live event."""
    tokens = served_home.services.tokens
    expired = give(Scope.FACT_CHECKS, *Scope, limits=TokenLimits(expires=1.0))
    revoked = {"Authorization": f"Bearer {tokens.give_scopes('revoked one', list(Scope))}"}
    tokens.revoke("", "revoked one")
    live = {"Authorization": f"Bearer {tokens.give('city', 'encoder', AccessRight.WRITE)}"}
    guess = {"Authorization": "Bearer " + "x" * 43}
    basic = {"Authorization": "Basic abc"}

    answered = []
    for method, path in operations(served_home.app):
        for headers in ({}, guess, basic, expired, revoked, live):
            answer = served_home.client.request(method, path, headers=headers)
            if answer.status_code != 401:
                answered.append((method, path, headers, answer.status_code))
    assert answered == []


@pytest.mark.threat("api client")
def test_no_operation_answers_a_token_without_its_scope(served_home, give):
    described = served_home.app.openapi()["paths"]
    answered = []
    for path, path_item in described.items():
        for method, operation in path_item.items():
            if path in OPEN_PATHS or path.startswith("/live"):
                continue
            required = {scope for rule in operation["security"] for scope in rule["token"]}
            others = [scope for scope in Scope if scope not in required]
            answer = served_home.client.request(
                method, path.replace("{", "").replace("}", ""), headers=give(*others)
            )
            if answer.status_code != 403 or not required:
                answered.append((method, path, answer.status_code))
    assert answered == []


@pytest.mark.threat("api client")
def test_a_token_has_so_many_requests_a_minute(served_home, give, monkeypatch):
    monkeypatch.setattr(served_home.services, "clock", lambda: 1_000_000.0)
    headers = give(Scope.FACT_CHECKS, limits=TokenLimits(per_minute=2))

    statuses = []
    for _ in range(3):
        answer = served_home.client.get("/v1/fact-checks/c1", headers=headers)
        statuses.append(answer.status_code)
    monkeypatch.setattr(served_home.services, "clock", lambda: 1_000_060.0)
    next_minute = served_home.client.get("/v1/fact-checks/c1", headers=headers)

    assert statuses == [200, 200, 429]
    assert answer.headers["retry-after"] == "20"
    assert next_minute.status_code == 200


@pytest.mark.threat("api client")
def test_a_token_has_so_many_requests_a_day(served_home, give, monkeypatch):
    headers = give(Scope.FACT_CHECKS, limits=TokenLimits(per_day=1))
    statuses = []
    for now in (1_000_000.0, 1_003_600.0, 1_086_400.0):
        monkeypatch.setattr(served_home.services, "clock", lambda now=now: now)
        answer = served_home.client.get("/v1/fact-checks/c1", headers=headers)
        statuses.append(answer.status_code)

    assert statuses == [200, 429, 200]


def test_a_token_of_the_api_opens_no_live_event(served_home):
    token = served_home.services.tokens.give_scopes("not live", list(Scope))

    rights = [served_home.services.tokens.right(token, event) for event in ("", "city")]
    assert rights == [AccessRight.NONE, AccessRight.NONE]


def test_an_expired_token_makes_room_for_another(served_home):
    tokens = served_home.services.tokens
    tokens.give_scopes("rotating", [Scope.MATCH], TokenLimits(expires=1.0))

    newer = tokens.give_scopes("rotating", [Scope.MATCH])

    assert tokens.api_grant(newer).scopes == {Scope.MATCH}


def test_the_description_needs_no_token(served_home):
    answer = served_home.client.get("/v1/openapi.json")

    assert answer.status_code == 200
    assert answer.json()["openapi"].startswith("3.1")


def test_other_sites_are_told_nothing_by_default(served_home):
    answer = served_home.client.options(
        "/v1/match",
        headers={"Origin": "https://example.org", "Access-Control-Request-Method": "POST"},
    )

    assert "access-control-allow-origin" not in answer.headers
