"""Kept decisions find their place again in another report of the same debate."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.core.domain import Decision, Report
from assistant.review import deciding
from assistant.review.decision_placement import MATCH_GONE, SENTENCE_GONE, words_of
from tests.assistant import made_up

CONFIRM = Decision("confirm", by="Ada")
TEXT = "The tunnel has been open since 1994."


def of(*texts: str, sha: str = "0" * 64, matched: bool = True) -> Report:
    """Return a report of these sentences; each that has the tunnel in it has the match."""
    base = made_up.report()
    sents = tuple(made_up.sentence(i, text) for i, text in enumerate(texts, 1))
    transcript = replace(
        base.transcript, sentences=sents, source=replace(base.transcript.source, sha256=sha)
    )
    bare = replace(base.sentences[0], matches=(), tier=None)
    checked = [
        replace(
            base.sentences[0] if matched and "tunnel" in s.text.casefold() else bare, sentence=s
        )
        for s in sents
    ]
    return replace(base, transcript=transcript, sentences=tuple(checked))


def kept(store, clock, report: Report, number: int = 1, decision: Decision = CONFIRM) -> None:
    placed = deciding.decided_report(store, report)
    deciding.decide(store, placed, (number, made_up.match()), decision, clock=clock)


def decided(placed) -> list[int]:
    """Return the numbers of the sentences that have a decision."""
    return [
        c.sentence.number for c in placed.report.sentences if any(m.decision for m in c.matches)
    ]


def test_the_same_transcript_checked_again_has_its_decision(store, clock):
    """Whatever scores the second check gave."""
    kept(store, clock, of("Good evening.", TEXT), 2)

    again = of("Good evening.", TEXT)
    again = replace(again, sentences=tuple(replace(c, score=9.0) for c in again.sentences))
    assert decided(deciding.decided_report(store, again)) == [2]


def test_a_corrected_file_of_the_same_debate_keeps_decisions_by_text(store, clock):
    """Another digest, a sentence more, other punctuation and case."""
    kept(store, clock, of("Good evening.", TEXT), 2)

    placed = deciding.decided_report(
        store, of("Hello.", "Good evening!", "the tunnel has been open, since 1994", sha="1" * 64)
    )

    assert decided(placed) == [3]
    assert placed.orphans == ()


def test_another_debate_has_none_of_them(store, clock):
    """Neither the bytes nor title and date are the same."""
    kept(store, clock, of(TEXT))
    other_report = of(TEXT, sha="1" * 64)
    other_report = replace(
        other_report, transcript=replace(other_report.transcript, event_date=date(2024, 9, 11))
    )

    placed = deciding.decided_report(store, other_report)

    assert decided(placed) == []
    assert placed.orphans == ()


@pytest.mark.parametrize(
    "text", ["The tunnel has been open since 1995.", "The tunnel has been closed since 1994."]
)
def test_a_decision_never_moves_to_other_words(store, clock, text):
    """Another figure is another sentence.

    The decision is listed as an orphan, in the report too.
    """
    kept(store, clock, of(TEXT))

    placed = deciding.decided_report(store, of(text))

    assert decided(placed) == []
    assert [orphan.why for orphan in placed.orphans] == [SENTENCE_GONE]
    assert any(
        "An earlier decision has no place" in w and TEXT in w for w in placed.report.warnings
    )


def test_of_two_sentences_alike_the_one_in_the_same_surroundings_is_meant(store, clock):
    """Not the nearest by number, if what stands around says otherwise."""
    kept(store, clock, of("One.", TEXT, "Two.", "Three.", "Four."), 2)

    placed = deciding.decided_report(store, of(TEXT, "Five.", "Six.", "One.", TEXT, "Two."))

    assert decided(placed) == [5]


def test_two_decisions_on_sentences_alike_stay_two(store, clock):
    """Each keeps its own."""
    report = of(TEXT, "And again:", TEXT)
    kept(store, clock, report, 1)
    kept(store, clock, report, 3, Decision("reject", "wrong time", "Ben"))

    placed = deciding.decided_report(store, report)

    assert [placed.report.sentences[i].matches[0].decision.verdict for i in (0, 2)] == [
        "confirm",
        "reject",
    ]


def test_a_confirmed_match_that_a_new_check_does_not_find_is_put_back(store, clock):
    """A person's word outlives a change of models; the match is as it was when confirmed."""
    kept(store, clock, of(TEXT))

    placed = deciding.decided_report(store, of(TEXT, matched=False))

    (match,) = placed.report.sentences[0].matches
    assert made_up.VCLAIM.statement == match.claim.statement
    assert match.decision.verdict == "confirm"
    assert made_up.match().measures == match.measures


def test_a_confirmed_match_of_a_dropped_sentence_keeps_the_sentence(store, clock):
    """It gets a rank behind all others, so that no list leaves it out."""
    report = made_up.report()
    kept(store, clock, report, 2)

    again = deciding.decided_report(store, report).report

    assert again.sentences[1].kept
    assert again.sentences[1].dropped_reason is None
    assert [c.sentence.number for c in again.ranked()] == [1, 3, 2]


def test_a_rejected_match_that_is_not_found_any_more_is_an_orphan(store, clock):
    """Listed with the reason, not dropped."""
    kept(store, clock, of(TEXT), decision=Decision("reject", "wrong topic", "Ben"))

    placed = deciding.decided_report(store, of(TEXT, matched=False))

    assert [orphan.why for orphan in placed.orphans] == [MATCH_GONE]


def test_a_match_added_by_hand_can_be_undone_and_added_again(store, clock):
    """Its versions go on where they were."""
    report = of("Nothing of the kind.", matched=False)
    kept(store, clock, report)
    record = store.all()[0]
    deciding.undo(store, record, "Ada", clock=clock)
    assert decided(deciding.decided_report(store, report)) == []

    kept(store, clock, report)

    assert decided(deciding.decided_report(store, report)) == [1]


@given(
    st.lists(st.sampled_from(["a tunnel", "the tunnel 1", "the tunnel 2", "no", "yes"]), max_size=6)
)
def test_every_decision_is_placed_or_listed(texts):
    """None gets lost, none is used twice, whatever the second transcript holds."""
    from assistant.review.decision_placement import place
    from assistant.review.decision_store import Record

    first_report = of("a tunnel", "the tunnel 1", "a tunnel", "the tunnel 2")
    records = [
        Record(
            str(i),
            1,
            0,
            deciding._current_anchor(first_report, i, made_up.match(), {}),
            CONFIRM,
            "Ada",
            "t",
        )
        for i in range(1, 5)
    ]

    placed = place(of(*texts), records)

    assert sorted("1234") == sorted(
        [r.key for r in placed.records.values()] + [o.record.key for o in placed.orphans]
    )


@given(st.text(max_size=40))
def test_words_do_not_change_with_case_and_spaces(text):
    """Folding is stable."""
    assert words_of(text) == words_of(f"  {words_of(text)} ")
