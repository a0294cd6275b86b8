"""A live sentence that is checked alone has the same outcome as in the finished transcript."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from assistant.check.report_warnings import FIRST_LOOK, UNFIT_RANKER
from assistant.core.settings import EMBEDDED
from assistant.live.engine import Engine
from assistant.live.event import Event, LiveSentence, Outcome
from assistant.live.event_log import EventLog
from assistant.live.event_report import WAITING_REASON, report
from assistant.live.event_report import transcript as as_transcript
from assistant.live.live_lines import Arrival, Line
from assistant.live.sentence_checks import Checker
from assistant.pipeline import check
from assistant.report import stored_reports
from features.similarity.context_window import LIVE
from tests.assistant.live.following import EVENT
from tests.assistant.test_pipeline import TEXTS, index, transcript  # noqa: F401


def live(sent):
    return LiveSentence(
        sent.number, sent.number, sent.text, sent.speaker, sent.start, sent.end, True, 1, 0.0, 0.0
    )


@pytest.fixture(scope="module")
def whole(index):  # noqa: F811
    return check(transcript(), index, EMBEDDED)


@pytest.mark.parametrize("place", range(len(TEXTS)))
def test_alone_it_is_checked_as_in_its_transcript(index, whole, place):  # noqa: F811
    """Score, tier, matches and their order are the same, to the precision of the models."""
    expected = whole.sentences[place]
    event = Event("city", whole.transcript.title, whole.transcript.event_date)
    checker = Checker(index, EMBEDDED)

    talk = [live(checked.sentence) for checked in whole.sentences]
    (sifted,) = checker.score_worthiness([talk[place]], [talk])
    result = (
        sifted.outcome_if_dropped or checker.check(event, [talk[place]], [LIVE.of(TEXTS, place)])[0]
    )

    assert (expected.kept, expected.dropped_reason or "") == (result.kept, result.reason)
    assert pytest.approx(sifted.worthiness, abs=1e-5) == expected.check_worthiness
    if expected.kept:
        (alone,) = stored_reports.load(result.report).sentences
        assert expected.listed_tier == result.tier
        assert [m.claim.id for m in expected.matches] == [m.claim.id for m in alone.matches]
        assert pytest.approx(result.score, abs=1e-3) == expected.score


def test_together_each_gets_what_it_gets_alone(index, whole):  # noqa: F811
    """And a report of its own, in which it is the only sentence."""
    event = Event("city", whole.transcript.title, whole.transcript.event_date)
    checker = Checker(index, EMBEDDED)
    sentences = [live(checked.sentence) for checked in whole.sentences]

    windows = [LIVE.of(TEXTS, text_index) for text_index in range(len(TEXTS))]

    for sentence, window, result in zip(
        sentences, windows, checker.check(event, sentences, windows), strict=True
    ):
        (alone,) = checker.check(event, [sentence], [window])
        assert alone.kept == result.kept
        assert alone.reason == result.reason
        assert alone.tier == result.tier
        assert alone.claim == result.claim
        if alone.kept:
            assert pytest.approx(result.score, abs=1e-3) == alone.score
            ((live_sentence,), (file_sentence,)) = (
                stored_reports.load(f.report).sentences for f in (alone, result)
            )
            assert [
                match_row.listed for match_row in stored_reports.load(result.report).rows()
            ] == [1] or result.tier is None
            assert live_sentence.sentence == file_sentence.sentence
            assert live_sentence.rank == file_sentence.rank
            assert [m.claim for m in live_sentence.matches] == [
                m.claim for m in file_sentence.matches
            ]


SCHOOLS = ("Look at the schools of this city.", "They lost 300 teachers in two years.")


def sifted(checker, texts):
    """Return the sentences of a talk as they are sifted one after the other, each when it has just been said."""
    talk = []
    for number, text in enumerate(texts, 1):
        talk.append(LiveSentence(number, number, text, "REYES", None, None, True, 1, 0.0, 0.0))
        (result,) = checker.score_worthiness([talk[-1]], [talk])
        talk[-1] = replace(
            talk[-1], kept=not result.outcome_if_dropped, worthiness=result.worthiness
        )
        yield result, tuple(talk)


def test_what_is_said_next_recalls_what_was_dropped():
    """A sentence is dropped only if its passage is, and its passage ends where the talk has come to."""
    checker = Checker(None, EMBEDDED)

    (first_result, _), (second, talk) = sifted(checker, SCHOOLS)

    assert first_result.outcome_if_dropped
    assert not second.outcome_if_dropped
    assert talk[:1] == second.recalled_sentences
    (again,) = checker.score_worthiness(talk[:1], [talk])
    assert again.outcome_if_dropped is None


def test_another_speaker_recalls_nothing():
    """A passage is one speaker's."""
    checker = Checker(None, EMBEDDED)
    (_, talk), _ = sifted(checker, SCHOOLS)
    answer = LiveSentence(2, 2, SCHOOLS[1], "OKAFOR", None, None, True, 1, 0.0, 0.0)

    (result,) = checker.score_worthiness([answer], [(*talk, answer)])

    assert not result.outcome_if_dropped
    assert result.recalled_sentences == ()


def test_an_event_has_the_passages_of_its_transcript(log, index):  # noqa: F811
    """Once all has been said and read, they are those of a finished transcript.

    What is recalled has been checked.
    """
    engine = Engine(log, EVENT, Checker(index, EMBEDDED))
    for number, text in enumerate((*SCHOOLS, *TEXTS)):
        engine.store_arrival("test", Arrival((Line("test", str(number), text, "REYES"),)))
        while engine.check_waiting():
            pass

    event_report = report(log, EVENT)
    finished = check(as_transcript(log, EVENT), index, EMBEDDED)

    assert [p.passage.sentences for p in event_report.passages][:1] == [(1, 2)]
    assert [p.passage for p in finished.passages] == [p.passage for p in event_report.passages]
    assert [c.kept for c in finished.sentences] == [c.kept for c in event_report.sentences]


def test_a_sentence_without_vector_is_a_passage_of_its_own(log, whole):
    """Such as an earlier Lectern stored, and one that waits."""
    checked = next(sentence for sentence in whole.sentences if sentence.kept)
    alone = stored_reports.archive(replace(whole, sentences=(checked,), passages=()))
    log.store_lines(
        "city",
        "test",
        tuple(Line("test", str(i), text) for i, text in enumerate(SCHOOLS)),
        now=1000.0,
    )
    first_sentence, _ = log.waiting("city", now=1001.0, limit=9)
    log.store_outcome(first_sentence, Outcome(0.9, True, report=alone), now=1002.0)

    assert [p.passage.sentences for p in report(log, EVENT).passages] == [(1,), (2,)]


def test_an_event_is_a_report_like_that_of_a_file(log, index):  # noqa: F811
    """Ranks by score over what was checked so far; what waits says so."""
    checker = Checker(index, EMBEDDED)
    log.store_lines(
        "city",
        "test",
        tuple(Line("test", str(i), text) for i, text in enumerate(TEXTS)),
        now=1000.0,
    )
    waiting = log.waiting("city", now=1001.0, limit=9)
    event = Event("city", "City debate", date(2024, 9, 10))
    for sentence_index, result in enumerate(
        checker.score_worthiness(waiting[:-1], [waiting] * (len(waiting) - 1))
    ):
        sentence_result = (
            result.sentence,
            result.outcome_if_dropped
            or checker.check(event, [result.sentence], [LIVE.of(TEXTS, sentence_index)])[0],
        )
        log.store_outcome(*sentence_result, now=1002.0)

    event_report = report(log, EVENT)

    for sentence, checked in zip(log.sentences("city"), event_report.sentences, strict=True):
        best_strength = checked.matches[0].strength if checked.matches else None
        assert sentence.strength == str(best_strength or "")
    assert any(sentence.strength for sentence in log.sentences("city"))
    assert [s.text for s in event_report.transcript] == list(TEXTS)
    ranked = event_report.ranked()
    assert [1, 2, 3][: len(ranked)] == [c.rank for c in ranked]
    assert sorted((c.score for c in ranked), reverse=True) == [c.score for c in ranked]
    assert event_report.sentences[-1].dropped_reason == WAITING_REASON
    assert waiting[0].as_sentence() == event_report.sentences[0].sentence
    assert (
        stored_reports.load(stored_reports.archive(event_report)).sentences[0].tier
        == event_report.sentences[0].tier
    )


def test_an_event_warns_of_a_ranker_that_does_not_fit(log, whole):
    """The warning of its sentences' reports is that of the event.

    Those about the database are not repeated.
    """
    unfit = f"{UNFIT_RANKER} than this profile's (nli): ranks and tiers are not calibrated for it."
    checked = next(sentence for sentence in whole.sentences if sentence.kept)
    warnings = (f"{FIRST_LOOK}: 2 articles are still being read.", unfit)
    alone = replace(whole, sentences=(checked,), warnings=warnings, passages=())
    log.store_lines("city", "test", (Line("test", "1", checked.sentence.text),), now=1000.0)
    (sentence,) = log.waiting("city", now=1001.0, limit=9)
    log.store_outcome(
        sentence, Outcome(0.9, True, report=stored_reports.archive(alone)), now=1002.0
    )

    assert report(log, EVENT).warnings == (unfit,)


def test_a_finished_event_is_a_transcript_of_what_is_final(tmp_path):
    """Words that may still change are left out; the numbers are those of a file.

    Another word is another document.
    """
    with EventLog.open(f"sqlite:///{tmp_path / 'live.db'}") as log:
        event = Event("city", "City debate", date(2024, 10, 3))
        log.begin(event, 0.0)
        log.store_lines("city", "a", (Line("a", "1", "Rents rose. Taxes fell.", "REYES"),), now=1.0)
        first_transcript = as_transcript(log, event)
        log.store_lines("city", "a", (Line("a", "2", "The dam is", "REYES", final=False),), now=2.0)
        unsettled = as_transcript(log, event)
        log.store_lines("city", "a", (Line("a", "2", "The dam is safe.", "REYES"),), now=3.0)
        last_transcript = as_transcript(log, event)

    assert [sent.text for sent in first_transcript.sentences] == [
        "Rents rose.",
        "Taxes fell.",
    ]
    assert first_transcript == unsettled
    assert [(sent.number, sent.speaker) for sent in last_transcript.sentences] == [
        (1, "REYES"),
        (2, "REYES"),
        (3, "REYES"),
    ]
    assert last_transcript.title == "City debate"
    assert last_transcript.event_date == date(2024, 10, 3)
    assert last_transcript.source.format == "live"
    assert first_transcript.source.sha256 != last_transcript.source.sha256
