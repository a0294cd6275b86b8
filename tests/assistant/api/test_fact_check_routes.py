"""``GET /v1/fact-checks``: words, meaning, filters, pages, one fact-check, ETags."""

from __future__ import annotations

import pytest

from assistant.live.access_tokens import Scope


@pytest.fixture
def get(served_home, give):
    headers = give(Scope.FACT_CHECKS)

    def read(path, **more_headers):
        return served_home.client.get(path, headers={**headers, **more_headers})

    return read


def ids(answer):
    return [item["id"] for item in answer.json()["items"]]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ["c2", "c1", "c3"]),
        ("words=channel+tunnel", ["c1"]),
        ("words=chan", ["c1"]),
        ("words=rivera", ["c2", "c1"]),
        ("words=100%25", ["c3"]),
        ("words=nothing+here", []),
        ("publisher=p", ["c3"]),
        ("claimant=RIV", ["c2", "c1"]),
        ("rating_class=FALSE", []),
        ("reviewed_from=2020-01-01", ["c2"]),
        ("reviewed_to=2019-12-31", ["c1"]),
        ("language=xx", []),
    ],
)
def test_words_and_filters(get, query, expected):
    assert ids(get(f"/v1/fact-checks?{query}")) == expected


def test_the_nearest_in_meaning_come_first(get):
    answer = get("/v1/fact-checks?meaning=trains+from+London+to+Paris")

    assert ids(answer)[0] == "c1"
    assert answer.json()["items"][0]["similarity"] > 0.3


def test_meaning_with_a_filter(get):
    answer = get("/v1/fact-checks?meaning=trains+from+London+to+Paris&reviewed_from=2020-01-01")

    assert ids(answer) == ["c2"]
    assert answer.json()["total"] == 1


def test_pages_follow_one_another(get):
    first_page = get("/v1/fact-checks?words=rivera&per_page=1")
    second_page = get(first_page.json()["next"])

    assert ids(first_page) + ids(second_page) == ["c2", "c1"]
    assert first_page.json()["total"] == 2
    assert first_page.headers["link"] == f'<{first_page.json()["next"]}>; rel="next"'
    assert second_page.json()["next"] is None


def test_one_fact_check_has_its_article(get):
    answer = get("/v1/fact-checks/c1")

    assert answer.json()["statement"].startswith("The Channel Tunnel")
    assert "President Mitterrand" in answer.json()["article"]


def test_an_unknown_fact_check_is_not_found(get):
    assert get("/v1/fact-checks/nope").status_code == 404


def test_a_withdrawn_fact_check_is_gone_with_its_reason(get, served_home):
    claims = served_home.services.claims
    claims.withdraw(["c3"], why="it was a mistake", withdrawn_by="ann")

    answer = get("/v1/fact-checks/c3")
    claims.restore(["c3"], restored_by="ann")

    assert answer.status_code == 410
    assert "it was a mistake" in answer.json()["detail"]


def test_the_same_answer_is_not_sent_twice(get):
    etag = get("/v1/fact-checks/c1").headers["etag"]

    assert get("/v1/fact-checks/c1", **{"If-None-Match": etag}).status_code == 304
    assert get("/v1/fact-checks/c2", **{"If-None-Match": etag}).status_code == 200


@pytest.mark.parametrize(
    "query",
    ["page=0", "per_page=101", "page=x", "rating_class=LIE", "reviewed_from=1", "unknown=1"],
)
def test_a_wrong_parameter_is_a_problem(get, query):
    assert get(f"/v1/fact-checks?{query}").status_code == 422


def test_signs_of_patterns_are_words_like_others(get):
    assert ids(get("/v1/fact-checks?claimant=%25")) == []
