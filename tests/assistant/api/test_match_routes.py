"""``POST /v1/match`` with the models that ship."""

from __future__ import annotations

import pytest

from assistant.live.access_tokens import Scope

TUNNEL_TEXT = "The tunnel under the Channel between England and France has been open since 1994."


@pytest.fixture
def match(served_home, give):
    headers = give(Scope.MATCH)

    def post(**body):
        return served_home.client.post("/v1/match", json=body, headers=headers)

    return post


def test_a_text_finds_its_fact_check(match):
    answer = match(texts=[TUNNEL_TEXT])

    (sentence,) = answer.json()["texts"][0]["sentences"]
    best = sentence["matches"][0]
    assert answer.status_code == 200
    assert sentence["text"] == TUNNEL_TEXT
    assert best["fact_check"]["id"] == "c1"
    assert best["fact_check"]["rating"] == "True"
    assert best["strength"] in ("strong", "good", "possible")


def test_each_text_has_its_own_sentences(match):
    texts = ["Good evening. " + TUNNEL_TEXT, "Everest is the highest mountain in the world."]

    answer = match(texts=texts).json()

    found = [[sentence["text"] for sentence in text["sentences"]] for text in answer["texts"]]
    assert found == [["Good evening.", TUNNEL_TEXT], [texts[1]]]


def test_a_sentence_has_its_characters_in_the_text(match):
    text = "  Good evening.\n" + TUNNEL_TEXT

    answer = match(texts=[text]).json()

    spans = [(s["start"], s["end"], s["text"]) for s in answer["texts"][0]["sentences"]]
    assert [text[start:end] for start, end, _ in spans] == [words for _, _, words in spans]


def test_the_answer_does_not_depend_on_the_other_texts(match):
    """A batch gives each text the matches that it has alone."""
    alone = match(texts=[TUNNEL_TEXT]).json()["texts"][0]

    together = match(texts=["Water boils at 100 degrees.", TUNNEL_TEXT]).json()["texts"][1]

    assert together == alone


def test_conflicting_figures_are_named(match):
    answer = match(texts=["The Channel Tunnel between England and France opened in 1971."]).json()

    (best, *_) = answer["texts"][0]["sentences"][0]["matches"]
    assert best["strength"] == "possible"
    assert best["differs"]


def test_fact_checks_from_after_the_event_can_be_left_out(match):
    answer = match(texts=[TUNNEL_TEXT], event_date="2018-01-01", before_event=True).json()

    ids = [m["fact_check"]["id"] for m in answer["texts"][0]["sentences"][0]["matches"]]
    assert "c1" not in ids


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"texts": []},
        {"texts": [""]},
        {"texts": [" \n "]},
        {"texts": ["x" * 5_001]},
        {"texts": ["x" * 4_999] * 5},
        {"texts": ["a"] * 21},
        {"texts": [1]},
        {"texts": ["a"], "limit": 0},
        {"texts": ["a"], "event_date": "soon"},
        {"texts": ["a"], "before_event": True},
        {"texts": ["a"], "unknown": 1},
        {"texts": ["a\0b"]},
    ],
    ids=lambda body: str(body)[:30],
)
def test_a_wrong_request_is_a_problem_with_its_reason(match, body):
    answer = match(**body)

    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["errors"]


def test_more_sentences_than_ever_fit_are_a_problem_with_the_limit(match):
    """A program that tries again later would try for ever."""
    answer = match(texts=["Yes. " * 600])

    assert answer.status_code == 422
    assert "600 sentences, but at most 500 are allowed" in answer.text


def test_half_a_character_is_a_problem(served_home, give):
    answer = served_home.client.post(
        "/v1/match",
        content=b'{"texts": ["\\ud800"]}',
        headers={**give(Scope.MATCH), "Content-Type": "application/json"},
    )

    assert answer.status_code == 422


@pytest.mark.parametrize("body", [b"", b"{", b"[1", b"\xff", b"[" * 100_000])
def test_no_json_is_a_problem(served_home, give, body):
    answer = served_home.client.post(
        "/v1/match",
        content=body,
        headers={**give(Scope.MATCH), "Content-Type": "application/json"},
    )

    assert answer.status_code in (400, 422)
    assert answer.headers["content-type"] == "application/problem+json"


def test_a_large_body_is_refused_before_it_is_read(served_home, give):
    answer = served_home.client.post("/v1/match", content=b"x" * 200_001, headers=give(Scope.MATCH))

    assert answer.status_code == 413
    assert answer.headers["content-type"] == "application/problem+json"


def test_a_large_body_without_a_length_is_refused(served_home, give):
    def pieces():
        for _ in range(300):
            yield b"x" * 1_000

    answer = served_home.client.post("/v1/match", content=pieces(), headers=give(Scope.MATCH))

    assert answer.status_code == 413
