"""The engine: what waits is checked, the most check-worthy first.

Faults of a source end nothing else.
"""

from __future__ import annotations

import pytest

from assistant.core.errors import ModelUnavailable, StoreError
from assistant.live.engine import Engine
from assistant.live.event import ScoredSentence
from assistant.live.live_lines import Arrival, Line
from tests.assistant.live.following import EVENT, WordChecker


def lines(*texts):
    return Arrival(tuple(Line("test", str(i), text) for i, text in enumerate(texts)))


@pytest.fixture
def checker():
    return WordChecker()


@pytest.fixture
def engine(log, checker):
    checked_texts = []
    made_engine = Engine(
        log, EVENT, checker, on_result=lambda sentence, matches: checked_texts.append(sentence.text)
    )
    made_engine.told = checked_texts
    yield made_engine
    made_engine.close()


class Says:
    """A source that says some arrivals, then fails or ends."""

    name = "test"

    def __init__(self, *came, fault=None):
        self.came = came
        self.fault = fault

    def follow(self, cursor, stop):
        yield from self.came
        if self.fault:
            raise self.fault


def test_the_most_check_worthy_sentence_goes_first(engine, checker):
    """Of several that wait, the longest is this checker's most check-worthy.

    Dropped ones are never checked.
    """
    engine.store_arrival(
        "test",
        lines(
            "Taxes rose again.",
            "Hello there.",
            "We have built four hundred schools.",
            "It is what it is.",
        ),
    )

    while engine.check_waiting():
        pass

    assert checker.checked == [
        "We have built four hundred schools.",
        "It is what it is.",
        "Taxes rose again.",
    ]
    assert {s.text: s.kept for s in engine.log.sentences("city")}["Hello there."] is False


def test_what_is_recalled_is_checked(engine, checker, monkeypatch):
    """A dropped sentence waits again when a later one of its passage is kept, once."""
    drops = checker._dropped

    def score_worthiness(sentences, talks):
        results = []
        for sentence, talk in zip(sentences, talks, strict=True):
            long = [talk_sentence for talk_sentence in talk if not drops(talk_sentence)]
            recalled = (
                tuple(talk_sentence for talk_sentence in talk if talk_sentence.kept is False)
                if not drops(sentence)
                else ()
            )
            results.append(
                ScoredSentence(sentence, 0.5, None if long else drops(sentence), recalled)
            )
        return results

    monkeypatch.setattr(checker, "score_worthiness", score_worthiness)
    engine.store_arrival("test", lines("Taxes, then."))
    while engine.check_waiting():
        pass
    assert checker.checked == []

    engine.store_arrival("test", lines("Taxes, then.", "They rose last year."))
    while engine.check_waiting():
        pass

    assert sorted(checker.checked) == ["Taxes, then.", "They rose last year."]
    assert [sentence.kept for sentence in engine.log.sentences("city")] == [True, True]


def test_results_are_stored_before_they_are_told(log, checker):
    """A result that is reported is already in the log."""
    stored_texts = []
    engine = Engine(
        log,
        EVENT,
        checker,
        on_result=lambda s, f: stored_texts.append(log.sentences("city")[0].checked is not None),
    )
    engine.store_arrival("test", lines("Taxes rose again."))

    engine.check_waiting()

    assert stored_texts == [True]


def test_it_runs_until_its_source_has_ended_and_nothing_waits(engine):
    """A replay ends with every sentence checked."""
    engine.follow(Says(lines("Taxes rose again."), lines("Taxes rose again.", "We built schools.")))

    engine.run(until_done=True)

    assert sorted(engine.told) == ["Taxes rose again.", "We built schools."]


def test_a_source_that_breaks_is_told_of_and_keeps_what_it_said(engine):
    """The fault of one source is a warning on the board."""
    engine.follow(Says(lines("Taxes rose again."), fault=ValueError("no such shape")))

    engine.run(until_done=True)

    (feed,) = engine.log.health("city", now=0).feeds
    assert "no such shape" in feed.warning
    assert engine.told == ["Taxes rose again."]


def test_a_busy_database_is_asked_again(engine, monkeypatch):
    """Lines that could not be stored are stored later, once."""
    real = engine.log.store_lines
    failures = [StoreError("busy."), StoreError("busy.")]

    def busy(*args, **kwargs):
        if failures:
            raise failures.pop()
        return real(*args, **kwargs)

    monkeypatch.setattr(engine.log, "store_lines", busy)
    engine.follow(Says(lines("Taxes rose again.")))

    engine.run(until_done=True)

    assert engine.told == ["Taxes rose again."]


def test_a_sentence_that_cannot_be_checked_is_kept_as_such(engine, checker, monkeypatch):
    """An error of our own in one sentence is written beside it.

    Those that were checked with it get their results.
    """
    good = checker.check

    def check(event, many, heard):
        return good(event, [s for s in many if "rose" not in s.text or 1 / 0], heard)

    monkeypatch.setattr(checker, "check", check)
    engine.store_arrival("test", lines("Taxes rose again and again.", "We built schools."))

    while engine.check_waiting():
        pass

    first_sentence, second = engine.log.sentences("city")
    assert "could not be checked (ZeroDivisionError" in first_sentence.reason
    assert second.kept


def test_what_waits_is_checked_a_handful_at_a_time(engine, checker, monkeypatch):
    """The most check-worthy of them first; one that comes alone does not wait for others."""
    sizes = []
    check = checker.check
    monkeypatch.setattr(
        checker,
        "check",
        lambda e, sentences, heard: sizes.append(len(sentences)) or check(e, sentences, heard),
    )
    engine.store_arrival("test", lines(*(f"Sentence {i} of {'very ' * i}many." for i in range(8))))
    while engine.check_waiting():
        pass
    engine.store_arrival("test", lines("We have built four hundred schools."))
    while engine.check_waiting():
        pass

    assert sizes == [5, 3, 1]
    assert checker.checked[0][:10] == "Sentence 7"


def test_a_sentence_is_checked_with_what_was_said_before_it(engine, checker):
    """Dropped sentences are heard, too; what comes later is not."""
    engine.store_arrival(
        "test", lines("Taxes rose.", "Again.", "We built many schools.", "They closed all of them.")
    )

    while engine.check_waiting():
        pass

    heard = dict(zip(checker.checked, checker.windows, strict=True))
    assert heard["We built many schools."] == ("Taxes rose.", "Again.", "We built many schools.")
    assert heard["They closed all of them."] == (
        "Again.",
        "We built many schools.",
        "They closed all of them.",
    )


def test_more_than_the_queue_holds_is_not_shed(engine, checker, monkeypatch):
    """A burst larger than the queue is checked to the last sentence."""
    monkeypatch.setattr("assistant.live.engine.QUEUE_LENGTH", 4)
    engine.store_arrival("test", lines(*(f"Sentence number {i} of many." for i in range(30))))

    while engine.check_waiting():
        pass

    assert 30 == len(set(checker.checked)) == len(checker.checked)


def test_checks_that_end_are_told_of(engine, checker, monkeypatch):
    """Without a model nothing can be checked.

    The health line says why, and lines are stored all the same.
    """
    monkeypatch.setattr(
        checker,
        "score_worthiness",
        lambda sentences, talks: (_ for _ in ()).throw(ModelUnavailable("no weights.")),
    )
    engine.store_arrival("test", lines("Taxes rose again."))

    engine.work()

    assert [feed.warning for feed in engine.log.health("city", now=0).feeds if feed.warning] == [
        "no weights."
    ]
    assert engine.log.health("city", now=0).waiting_count == 1


@pytest.mark.parametrize("bad", ["\0", "\ud800", "\x1b", "\u0301" * 100])
def test_a_line_that_no_database_holds_is_cleaned_and_told(engine, log, bad):
    """Its source goes on, the rest of the line is stored, and the board says that something was left out."""
    bad_line = Line(
        f"test{bad}", f"1{bad}", f"We built{bad} 400 schools.", f"Ada{bad}", float("nan"), 1e300
    )

    engine.store_arrival("test", Arrival((bad_line,), f"1{bad}"))
    engine.store_arrival("test", lines("We built roads."))

    assert [s.text.replace("\u0301", "") for s in log.sentences(EVENT.name)] == [
        "We built 400 schools.",
        "We built roads.",
    ]
    assert "left out" in log.health(EVENT.name, now=0.0).feeds[0].warning


def test_a_unit_of_any_length_is_stored(engine, log):
    """Long names of units stay apart from each other."""
    engine.store_arrival(
        "test", Arrival(tuple(Line("test", "u" * 10_000 + end, f"We built {end}.") for end in "ab"))
    )

    assert [s.text for s in log.sentences(EVENT.name)] == ["We built a.", "We built b."]


def test_an_engine_beats_on_after_the_clock_was_set_back(log):
    """Else nobody would see for an hour that it lives."""
    now = [7200.0]
    engine = Engine(log, EVENT, WordChecker(), clock=lambda: now[0])
    engine._store_heartbeat()
    now[0] = 3600.0
    engine._store_heartbeat()

    assert log.health(EVENT.name, now=3600.0).beat == 3600.0
