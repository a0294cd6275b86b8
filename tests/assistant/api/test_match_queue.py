"""The queue of texts: fair shares, failures of one request, limits, cancellation."""

from __future__ import annotations

import threading
from datetime import date
from types import SimpleNamespace

import pytest

from assistant import pipeline
from assistant.api.match_queue import MatchQueue, MatchSettings, text_sentences
from assistant.core.errors import Busy, SettingsError
from assistant.core.settings import EMBEDDED

PATIENCE_S = 30
NOW = MatchSettings()
LATER = MatchSettings(date(2024, 9, 10))


@pytest.fixture
def batches(monkeypatch):
    """Replace the check: note the words of each batch; "bad" fails; the first batch waits."""
    noted = SimpleNamespace(words=[], has_begun=threading.Event(), may_end=threading.Event())

    def check(transcript, *_, **options):
        words = [sentence.text for sentence in transcript]
        noted.words.append(words)
        noted.has_begun.set()
        if len(noted.words) == 1:
            noted.may_end.wait(PATIENCE_S)
        if "bad" in words:
            raise ValueError("bad")
        return SimpleNamespace(sentences=[word.upper() for word in words])

    monkeypatch.setattr(pipeline, "check", check)
    return noted


@pytest.fixture
def queue(batches):
    opened = MatchQueue(lambda: None, EMBEDDED)
    yield opened
    batches.may_end.set()
    opened.close()


def test_requests_that_wait_are_matched_together(queue, batches):
    futures = [queue.submit(text_sentences(["one"]), NOW)]
    batches.has_begun.wait(PATIENCE_S)
    futures += [queue.submit(text_sentences([word]), NOW) for word in ("two", "three")]
    batches.may_end.set()

    assert [future.result(PATIENCE_S) for future in futures] == [["ONE"], ["TWO"], ["THREE"]]
    assert batches.words == [["one"], ["two", "three"]]


def test_requests_with_other_settings_are_matched_apart(queue, batches):
    futures = [queue.submit(text_sentences(["one"]), NOW)]
    batches.has_begun.wait(PATIENCE_S)
    futures += [queue.submit(text_sentences(["two"]), LATER)]
    futures += [queue.submit(text_sentences(["three"]), NOW)]
    batches.may_end.set()
    for future in futures:
        future.result(PATIENCE_S)

    assert batches.words == [["one"], ["two"], ["three"]]


def test_a_short_request_does_not_wait_for_a_long_one(queue, batches):
    long_text = " ".join(f"Sentence {number} ends." for number in range(40))
    first_future = queue.submit(text_sentences(["one"]), NOW)
    batches.has_begun.wait(PATIENCE_S)
    long_future = queue.submit(text_sentences([long_text]), NOW)
    short_future = queue.submit(text_sentences(["short"]), NOW)
    batches.may_end.set()
    results = [future.result(PATIENCE_S) for future in (first_future, long_future, short_future)]

    assert "short" in batches.words[1]
    assert [len(result) for result in results] == [1, 40, 1]
    assert long_future.result() == [f"SENTENCE {number} ENDS." for number in range(40)]


def test_a_request_that_fails_harms_no_other(queue, batches):
    first_future = queue.submit(text_sentences(["one"]), NOW)
    batches.has_begun.wait(PATIENCE_S)
    bad_future = queue.submit(text_sentences(["bad"]), NOW)
    good_future = queue.submit(text_sentences(["good"]), NOW)
    batches.may_end.set()

    assert first_future.result(PATIENCE_S) == ["ONE"]
    assert good_future.result(PATIENCE_S) == ["GOOD"]
    with pytest.raises(ValueError, match="bad"):
        bad_future.result(PATIENCE_S)


def test_a_cancelled_request_is_not_matched(queue, batches):
    first_future = queue.submit(text_sentences(["one"]), NOW)
    batches.has_begun.wait(PATIENCE_S)
    queue.submit(text_sentences(["two"]), NOW).cancel()
    third_future = queue.submit(text_sentences(["three"]), NOW)
    batches.may_end.set()
    first_future.result(PATIENCE_S)
    third_future.result(PATIENCE_S)

    assert batches.words == [["one"], ["three"]]


@pytest.mark.threat("api client")
def test_so_many_sentences_wait_and_no_more(queue, batches):
    queue.max_waiting = 2
    queue.submit(text_sentences(["one"]), NOW)
    batches.has_begun.wait(PATIENCE_S)
    queue.submit(text_sentences(["two"]), NOW)
    queue.submit(text_sentences(["three"]), NOW)

    with pytest.raises(Busy):
        queue.submit(text_sentences(["four"]), NOW)


@pytest.mark.threat("api client")
def test_one_token_never_fills_the_queue(queue, batches):
    queue.max_of_holder = 2
    queue.submit(text_sentences(["one"]), NOW, holder="a")
    batches.has_begun.wait(PATIENCE_S)
    queue.submit(text_sentences(["two", "three"]), NOW, holder="a")

    with pytest.raises(Busy, match="this token may have 2 sentences waiting"):
        queue.submit(text_sentences(["four"]), NOW, holder="a")
    other = queue.submit(text_sentences(["five"]), NOW, holder="b")
    batches.may_end.set()

    assert other.result(PATIENCE_S) == ["FIVE"]


def test_texts_that_never_fit_are_wrong_and_not_too_early(queue, batches):
    """To try again later would be in vain."""
    queue.max_waiting = 3
    queue.max_of_holder = 2

    with pytest.raises(SettingsError, match="have 3 sentences, but at most 2 are allowed"):
        queue.submit(text_sentences(["one", "two", "three"]), NOW, holder="a")
    with pytest.raises(SettingsError, match="have 4 sentences, but at most 3 are allowed"):
        queue.submit(text_sentences(["one", "two", "three", "four"]), NOW)


def test_closing_cancels_the_requests_that_wait(queue, batches):
    queue.submit(text_sentences(["one"]), NOW)
    batches.has_begun.wait(PATIENCE_S)
    waiting = queue.submit(text_sentences(["two"]), NOW)
    batches.may_end.set()
    queue.close()

    assert waiting.cancelled() or waiting.result(PATIENCE_S) == ["TWO"]


def test_a_queue_is_busy_while_it_matches(queue, batches):
    future = queue.submit(text_sentences(["one"]), NOW)
    batches.has_begun.wait(PATIENCE_S)
    is_busy = queue.is_busy()
    batches.may_end.set()
    future.result(PATIENCE_S)

    assert is_busy


def test_a_closed_queue_takes_nothing(queue):
    queue.close()

    with pytest.raises(Busy):
        queue.submit(text_sentences(["late"]), NOW)


def test_earlier_sentences_of_a_text_are_its_context():
    sentences = text_sentences(["One ends. Two ends.", "Three ends."])

    assert [sentence.window for sentence in sentences] == [
        ("One ends.",),
        ("One ends.", "Two ends."),
        ("Three ends.",),
    ]


def test_a_text_without_words_is_refused():
    with pytest.raises(SettingsError):
        text_sentences(["One.", " \n"])
