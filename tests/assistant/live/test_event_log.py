"""The log of live events: lines replace each other, sentences follow them, results stay with the text they are of."""

from __future__ import annotations

from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.core.domain import Tier
from assistant.core.errors import SettingsError
from assistant.live import event_view
from assistant.live.event import Event, Outcome, speaker_key
from assistant.live.event_log import STABLE_TEXT_S, EventLog
from assistant.live.live_lines import Line, LineCut
from features.similarity.context_window import LIVE, Window
from tests.assistant.live.following import said


def line(unit, text, **fields):
    return Line("test", unit, text, **fields)


def take(log, *lines, now=1000.0, cursor=None):
    return log.store_lines("city", "test", lines, now=now, cursor=cursor)


def test_a_later_line_with_the_same_unit_replaces_the_earlier(log):
    """A correction leaves one sentence, in the new words, unchecked again."""
    take(log, line("a", "Crime is up by ten percent."))
    (sentence,) = log.waiting("city", now=1001, limit=9)
    outcome = Outcome(0.9, True, tier=Tier.LIKELY, claim="c1", strength="good")
    log.store_outcome(sentence, outcome, now=1002)
    (checked,) = log.sentences("city")
    assert checked.strength == "good"

    take(log, line("a", "Crime is down by ten percent."), now=1003)

    (now,) = log.sentences("city")
    assert now.text == "Crime is down by ten percent."
    assert now.checked is None
    assert now.tier is None
    assert now.strength == ""
    assert now.revision == 2
    assert sentence.number == now.number


def test_the_same_line_again_changes_nothing(log):
    """Sources repeat themselves; the result of a sentence stays."""
    take(log, line("a", "Crime is up by ten percent."))
    (sentence,) = log.waiting("city", now=1001, limit=9)
    log.store_outcome(sentence, Outcome(0.9, True, tier=Tier.LIKELY), now=1002)

    assert take(log, line("a", "Crime is up by ten percent."), now=1003) == 0
    assert log.waiting("city", now=2000, limit=9) == []


def test_text_that_may_change_waits_until_it_is_stable(log):
    """An unfinished line is checked after two quiet seconds; every change begins them anew."""
    take(log, line("a", "We have built", final=False), now=1000)
    take(log, line("a", "We have built 400 schools", final=False), now=1001)

    assert log.waiting("city", now=1001 + STABLE_TEXT_S - 0.1, limit=9) == []
    assert [s.text for s in log.waiting("city", now=1001 + STABLE_TEXT_S, limit=9)] == [
        "We have built 400 schools"
    ]

    take(log, line("a", "We have built 400 schools."), now=1002)
    assert [s.text for s in log.waiting("city", now=1002, limit=9)] == [
        "We have built 400 schools."
    ]


def test_a_result_of_older_words_is_not_kept(log):
    """A sentence that was corrected while it was checked keeps waiting."""
    take(log, line("a", "Crime is up by ten percent."))
    (sentence,) = log.waiting("city", now=1001, limit=9)
    take(log, line("a", "Crime is down by ten percent."), now=1001)

    assert log.store_outcome(sentence, Outcome(0.9, True, tier=Tier.LIKELY), now=1002) == 0
    assert len(log.waiting("city", now=1002, limit=9)) == 1


def test_sentences_run_over_lines_that_are_cut_anywhere(log):
    """Captions are joined until a sentence ends.

    A correction in the middle changes that sentence only.
    """
    for unit, text in enumerate(
        ("Good evening. We have", "built 400 schools", "in ten years. And we", "will build more.")
    ):
        take(log, line(str(unit), text, cut=LineCut.ANYWHERE))

    texts = [text for _, text in said(log)]
    early_sentences = log.sentences("city")
    take(log, line("1", "built 500 schools", cut=LineCut.ANYWHERE))

    assert texts == [
        "Good evening.",
        "We have built 400 schools in ten years.",
        "And we will build more.",
    ]
    first_sentence, second, third = log.sentences("city")
    assert early_sentences[0] == first_sentence
    assert early_sentences[2] == third
    assert second.text == "We have built 500 schools in ten years."


def test_a_correction_that_joins_two_sentences_takes_the_second_away(log):
    """What no line says any more is gone from the board."""
    take(log, line("a", "It rained all day. Taxes rose."))
    take(log, line("a", "It rained all day while taxes rose."))

    assert said(log) == [(None, "It rained all day while taxes rose.")]


def test_a_window_is_what_a_source_said_before(log):
    """Two sentences back, as they read now, of the same source."""
    log.store_lines("city", "other", [Line("other", "0", "Meanwhile elsewhere.")], now=999)
    texts = ("One.", "Two is longer.", "Three went home.", "Four came.")
    for i, text in enumerate((*texts[:1], "Two.", *texts[2:])):
        log.store_lines("city", "test", [Line("test", str(i), text)], now=1000 + i)
    log.store_lines("city", "test", [Line("test", "1", texts[1])], now=1010)

    heard = {
        sentence.text: tuple(neighbour.text for neighbour in log.with_neighbours(sentence, LIVE))
        for sentence in log.sentences("city")
    }

    assert heard.pop("Meanwhile elsewhere.") == ("Meanwhile elsewhere.",)
    assert {text: LIVE.of(texts, text_index) for text_index, text in enumerate(texts)} == heard


def test_a_talk_is_what_was_said_around(log):
    """Of the same source, in its order, as far as there is any."""
    log.store_lines("city", "other", [Line("other", "0", "Meanwhile elsewhere.")], now=999)
    take(log, line("a", "One. Two is longer."), line("b", "Three went home."))

    talks = [
        [neighbour.text for neighbour in log.with_neighbours(s, Window(1, 1))]
        for s in log.sentences("city")
    ]

    short_text = "One."
    two = "Two is longer."
    three = "Three went home."
    assert [
        ["Meanwhile elsewhere."],
        [short_text, two],
        [short_text, two, three],
        [two, three],
    ] == talks


def test_only_a_dropped_sentence_that_reads_as_before_is_recalled(log):
    """Then it waits again, with nothing of its outcome left."""
    take(log, line("a", "It rained."), line("b", "Taxes rose last year."), line("c", "Well, well."))
    first_sentence, second, third = waiting = log.waiting("city", now=1001, limit=9)
    for sentence, is_kept in zip(waiting, (False, True, False), strict=True):
        log.store_outcome(sentence, Outcome(0.5, is_kept, vector=b"12"), now=1002)
    dropped = log.sentences("city")
    take(log, line("c", "Well, now."))

    log.let_wait_again(dropped, now=1003)

    assert [s.kept for s in log.sentences("city")] == [None, True, None]
    assert log.vectors("city") == {second.number: b"12"}
    assert {s.id for s in log.waiting("city", now=1004, limit=9)} == {first_sentence.id, third.id}
    assert log.sentences("city")[0].settled == 1003


def test_numbers_are_given_once(log):
    """Numbers grow by one in the order of arrival and are never used again."""
    take(log, line("a", "It rained all day. Taxes rose."), line("b", "Nobody came."))
    take(log, line("a", "It rained all day while taxes rose."))
    take(log, line("c", "We went home."))

    assert sorted(s.number for s in log.sentences("city")) == [1, 3, 4]


def test_lines_that_come_late_stand_where_they_came(log):
    """Nothing is lost, nothing moves on the board.

    Newest first is the order in which they came.
    """
    for now, (unit, start) in enumerate((("3", 30.0), ("1", 10.0), ("2", 20.0))):
        log.store_lines(
            "city", "test", (line(unit, f"Sentence {unit} is here.", start=start),), now=float(now)
        )
    sentences = log.sentences("city")
    for sentence in sentences:
        log.store_outcome(sentence, Outcome(0.9, True, "", Tier.LIKELY, 1.0, "c", b"{}"), now=9.0)

    assert [sentence.start for sentence in sentences] == [30.0, 10.0, 20.0]
    assert [s.start for s in event_view.ordered(log.sentences("city"), best_first=False)] == [
        20.0,
        10.0,
        30.0,
    ]


def test_the_cursor_is_stored_with_its_lines(log):
    """Where a source goes on is what was stored with its last lines."""
    take(log, line("a", "It rained all day."), cursor="12")
    take(log, line("b", "Taxes rose."))

    assert log.cursor("city", "test") == "12"
    assert log.cursor("city", "other") == ""


def test_repeats_are_counted_per_speaker_across_events(log):
    """The same person under two labels, in two debates; another person is not meant."""
    log.begin(Event("town", "Town hall"), 1.0)
    for event, speaker, now in (
        ("town", "Ana Reyes", 5.0),
        ("city", "REYES", 10.0),
        ("city", "WHITFIELD", 11.0),
    ):
        log.store_lines(
            event, "test", (line(speaker, "Crime is up by ten percent.", speaker=speaker),), now=now
        )
        (sentence,) = log.waiting(event, now=now, limit=9)
        log.store_outcome(sentence, Outcome(0.9, True, tier=Tier.LIKELY, claim="c1"), now=now + 1)

    times = log.occurrences(["c1", "c2", ""])
    assert [(r.event, r.said) for r in times["c1", speaker_key("Sen. Reyes")]] == [
        ("town", 5.0),
        ("city", 10.0),
    ]
    assert {key: len(repeats) for key, repeats in times.items()} == {
        ("c1", "reyes"): 2,
        ("c1", "whitfield"): 1,
    }
    assert log.occurrences([""]) == {}


def test_health_tells_lag_queue_and_the_last_warning(log):
    """Two final sentences wait, the older one for four seconds."""
    take(log, line("a", "It rained all day."), now=1000)
    take(log, line("b", "Taxes rose."), now=1003)
    log.warn("city", "test", "a line was left out.", now=1003.5)

    health = log.health("city", now=1004)

    assert (health.waiting_count, health.lag_s, health.last_line_at, health.behind) == (
        2,
        4.0,
        1003,
        True,
    )
    assert health.feeds[0].warning == "a line was left out."


def test_health_tells_how_much_sound_waits_at_the_slowest_source(log):
    """Sources that bring words have none; a step without words says it, too."""
    assert log.health("city", now=1.0).unheard_s is None

    log.store_lines("city", "hall", (), now=1.0, cursor="1", unheard_s=7.5)
    log.store_lines("city", "stage", (line("a", "It rained all day."),), now=1.0, unheard_s=0.5)
    take(log, line("b", "Taxes rose."))

    assert log.health("city", now=2.0).unheard_s == 7.5


def test_an_event_keeps_its_title_and_day(log):
    """Beginning it again without them changes neither."""
    first_event = log.begin(Event("x", "The long one"), 0.0)

    assert log.begin(Event("x", ""), 1e9) == first_event
    with pytest.raises(SettingsError, match="valid event name"):
        log.begin(Event("../etc", ""), 0.0)


EVENTS = count()


@pytest.fixture(scope="module")
def one_log(tmp_path_factory):
    """A log for the events of all examples."""
    with EventLog.open(f"sqlite:///{tmp_path_factory.mktemp('logs') / 'live.db'}") as opened:
        yield opened


WORDS = st.lists(
    st.sampled_from(["We", "built", "schools.", "Taxes", "rose", "again.", "No."]),
    min_size=1,
    max_size=6,
)


@given(
    st.lists(st.tuples(st.integers(0, 5), WORDS), min_size=1, max_size=12),
    st.sampled_from(list(LineCut)),
)
def test_however_lines_come_the_sentences_are_those_of_the_last_words(one_log, messages, cut):
    """After any sequence of lines and corrections, the board reads as if only the final lines had come, in order."""
    texts = [(str(unit), " ".join(words)) for unit, words in messages]
    last_texts = dict(texts)
    stood = []
    for sent in (texts, last_texts.items()):
        event = f"event{next(EVENTS)}"
        one_log.begin(Event(event, ""), 0.0)
        for unit, text in sent:
            one_log.store_lines(event, "test", (line(unit, text, cut=cut),), now=1.0)
        one_log.store_lines(event, "test", (line("end", "The end is near.", cut=cut),), now=1.0)
        stood.append([text for _, text in said(one_log, event)])

    assert stood[1] == stood[0]


def test_the_best_come_first_by_strength_then_by_score(log):
    """The tier likely stands for strong if no strength is known."""
    outcomes = (("good", 3.0), ("strong", 1.0), ("", 2.0))
    for number in range(len(outcomes)):
        take(log, line(str(number), f"We have built {number} schools."), now=1000.0 + number)
    for sentence, (strength, score) in zip(
        log.waiting("city", now=1010, limit=9), outcomes, strict=True
    ):
        outcome = Outcome(0.9, True, tier=Tier.LIKELY, score=score, strength=strength)
        log.store_outcome(sentence, outcome, now=1011)

    ordered = event_view.ordered(log.sentences("city"), best_first=True)

    assert [sentence.strength for sentence in ordered] == ["", "strong", "good"]


def test_only_strong_matches_count_as_repeats(log):
    """The speaker of a good match isn't credited with the claim."""
    strengths = ("strong", "good", "strong")
    for number in range(len(strengths)):
        take(log, line(str(number), f"We built {number} schools.", speaker="REYES"), now=1000.0)
    for sentence, strength in zip(log.waiting("city", now=1010, limit=9), strengths, strict=True):
        outcome = Outcome(0.9, True, tier=Tier.LIKELY, claim="c1", strength=strength)
        log.store_outcome(sentence, outcome, now=1011)

    (times,) = log.occurrences(["c1"]).values()

    assert [occurrence.number for occurrence in times] == [1, 3]
