"""Decisions are made, changed, undone, and stored in either database."""

from __future__ import annotations

import sqlite3
import threading
from dataclasses import replace

import pytest

from assistant.core.domain import Decision
from assistant.core.errors import DecisionConflict, ReviewError
from assistant.report.view import ReportView
from assistant.review import deciding, review_queue
from assistant.review.decision_placement import DecidedReport
from assistant.review.decision_store import DecisionStore
from tests.assistant import made_up
from tests.assistant.ui import factory

CONFIRM = Decision("confirm", by="Ada", note="see p. 2")
REJECT = Decision("reject", "wrong number", "Ben")


def decided(store, decision, clock, report=None, seen_version=None):
    """Decide on the one match of the made-up report; return the record."""
    placed = deciding.decided_report(store, report or made_up.report())
    return deciding.decide(
        store,
        placed,
        (1, placed.report.sentences[0].matches[0]),
        decision,
        seen=seen_version,
        clock=clock,
    )


def standing(store, report=None) -> Decision | None:
    return (
        deciding.decided_report(store, report or made_up.report())
        .report.sentences[0]
        .matches[0]
        .decision
    )


def test_a_decision_is_there_when_the_database_is_opened_again(any_url, clock):
    """Verdict, reason, note, who and when; also after the process has gone."""
    with DecisionStore.open(any_url) as store:
        decided(store, CONFIRM, clock)

    with DecisionStore.open(any_url) as store:
        assert Decision("confirm", "", "Ada", "2024-09-11T09:00:00.000Z", "see p. 2") == standing(
            store
        )


def test_a_changed_decision_keeps_its_history(any_url, clock):
    """Nothing is overwritten."""
    with DecisionStore.open(any_url) as store:
        decided(store, CONFIRM, clock)
        record = decided(store, REJECT, clock)

        assert [r.decision.verdict for r in store.history(record.key)] == ["confirm", "reject"]
        assert standing(store).reason == "wrong number"


def test_a_second_edit_of_the_same_version_is_refused_and_names_the_first(any_url, clock):
    """Two people saw the same version; the later one is shown what the other decided."""
    with DecisionStore.open(any_url) as store:
        decided(store, CONFIRM, clock)

        with pytest.raises(
            DecisionConflict, match="Ada changed this decision in the meantime"
        ) as raised:
            decided(store, REJECT, clock, seen_version=0)

        assert raised.value.theirs.decision.verdict == "confirm"
        assert standing(store).verdict == "confirm"
        decided(store, REJECT, clock, seen_version=raised.value.theirs.version)
        assert standing(store).verdict == "reject"


def test_of_many_at_once_one_wins(any_url, clock):
    """Eight desks write the same version at the same moment.

    One is stored, seven get the conflict.
    """
    with DecisionStore.open(any_url):
        pass
    start = threading.Barrier(8)
    outcomes = []

    def desk(name: str) -> None:
        with DecisionStore.open(any_url) as store:
            placed = deciding.decided_report(store, made_up.report())
            start.wait()
            try:
                where = (1, placed.report.sentences[0].matches[0])
                deciding.decide(store, placed, where, Decision("confirm", by=name))
                outcomes.append("stored")
            except DecisionConflict:
                outcomes.append("refused")

    desks = [threading.Thread(target=desk, args=(f"desk {i}",)) for i in range(8)]
    for thread in desks:
        thread.start()
    for thread in desks:
        thread.join()

    assert sorted(outcomes) == ["refused"] * 7 + ["stored"]


def test_undo_goes_back_step_by_step_to_undecided(store, clock):
    """Never forward again, and what stood before keeps its own author and time."""
    decided(store, CONFIRM, clock)
    record = decided(store, REJECT, clock)

    once = deciding.undo(store, record, "Ben", clock=clock)
    assert once.decision.verdict == "confirm"
    assert once.decision.by == "Ada"
    assert standing(store).verdict == "confirm"
    twice = deciding.undo(store, once, "Ben", clock=clock)

    assert twice.decision is None
    assert standing(store) is None
    with pytest.raises(ReviewError, match="nothing|no decision"):
        deciding.undo(store, twice, "Ben", clock=clock)
    assert len(store.history(record.key)) == 4


def test_after_an_undo_a_decision_can_be_made_again(store, clock):
    """The next version follows the undo."""
    deciding.undo(store, decided(store, CONFIRM, clock), "Ada", clock=clock)

    again = decided(store, REJECT, clock)

    assert again.version == 3
    assert standing(store).verdict == "reject"
    assert deciding.undo(store, again, "Ben", clock=clock).decision is None


def test_the_last_decision_of_a_person_is_found(store, clock):
    """That is what the undo key takes back."""
    first_record = decided(store, CONFIRM, clock)

    records = store.all()
    assert deciding.last_decision_by(records, "Ada") == first_record
    assert deciding.last_decision_by(records, "Ben") is None


# of the factory's passages
ROW = 4
FOLDED = (15, 23, 31)


def row_decided(store, clock, decision=CONFIRM, numbers=(ROW, *FOLDED)) -> DecidedReport:
    """Decide on the passages of a row at once; return what was placed before."""
    placed_before = deciding.decided_report(store, factory.passages())
    first_matches = {
        c.sentence.number: c.matches[0] for c in placed_before.report.sentences if c.matches
    }
    deciding.decide_all(
        store, placed_before, [(n, first_matches[n]) for n in numbers], decision, clock=clock
    )
    return placed_before


def row_now(store) -> tuple[str, tuple[int, ...]]:
    """Return the decision on the row, and the sentences of the passages that are folded below it."""
    report = deciding.decided_report(store, factory.passages()).report
    item = next(
        i
        for i in review_queue.items(ReportView(report), every_match=False)
        if i.checked.sentence.number == ROW
    )
    return item.verdict, tuple(
        decided_item.checked.sentence.number for decided_item in item.grouped_items
    )


def test_a_row_is_decided_as_one_and_undone_as_one(store, clock):
    """One record a sentence, all of one moment; one undo takes all of them back."""
    row_decided(store, clock)

    assert row_now(store) == ("confirm", FOLDED)
    assert {"2024-09-11T09:00:00.000Z"} == {r.decision.at for r in store.all()}
    assert len(store.all()) == 4
    placed = deciding.decided_report(store, factory.passages())
    deciding.undo_all(
        store,
        placed.records.values(),
        deciding.last_decision_by(store.all(), "Ada"),
        "Ada",
        clock=clock,
    )
    assert row_now(store) == ("", FOLDED)


@pytest.mark.parametrize("earlier", [(), (ROW, *FOLDED)])
def test_a_passage_that_is_decided_apart_is_a_row_of_its_own(store, clock, earlier):
    """Before the row is decided, and after.

    Later decisions on the row leave it, even if they are the same.
    """
    row_decided(store, clock, numbers=earlier)
    row_decided(store, clock, Decision("later", by="Ada"), (23,))

    assert row_now(store) == ("confirm" if earlier else "", (15, 31))
    row_decided(store, clock, Decision("later", by="Ada"), (ROW, 15, 31))
    assert row_now(store) == ("later", (15, 31))
    report = deciding.decided_report(store, factory.passages()).report
    assert 23 in [report_row.best for report_row in report.rows()]


def decided_second(store, clock, decision, *, theirs):
    """Decide on the passages of a row after a colleague decided on one of them, unseen."""
    seen_report = deciding.decided_report(store, factory.passages())
    row_decided(store, clock, theirs, (23,))
    first_matches = {
        c.sentence.number: c.matches[0] for c in seen_report.report.sentences if c.matches
    }
    places = [(number, first_matches[number]) for number in (ROW, *FOLDED)]
    return deciding.decide_all(store, seen_report, places, decision, clock=clock)


def verdicts_of(store, number):
    """Return the verdicts of all versions of the decision on a sentence, oldest first."""
    (record,) = [record for record in store.all() if record.anchor.number == number]
    return [version.decision.verdict for version in store.history(record.key)]


def test_of_a_row_only_the_decision_of_a_colleague_is_contested(store, clock):
    """The others count at once; theirs counts, and both are in the history."""
    (contested,) = decided_second(store, clock, CONFIRM, theirs=REJECT)

    assert row_now(store) == ("confirm", (15, 31))
    assert (contested.sentence_number, contested.decision) == (23, CONFIRM)
    assert contested.counting_record.decision.verdict == "reject"
    assert verdicts_of(store, 23) == ["reject", "confirm", "reject"]


def test_a_contested_decision_counts_once_its_author_says_so(store, clock):
    """Nothing is overwritten: undo brings the other one back."""
    (contested,) = decided_second(store, clock, CONFIRM, theirs=REJECT)

    record = deciding.follow(store, contested.counting_record, contested.decision, clock=clock)

    assert record.decision.verdict == "confirm"
    assert deciding.undo(store, record, "Ada", clock=clock).decision.verdict == "reject"


@pytest.mark.parametrize("decision", [CONFIRM, replace(CONFIRM, by="Ben")])
def test_the_same_decision_of_two_people_is_not_contested(store, clock, decision):
    assert decided_second(store, clock, decision, theirs=CONFIRM) == []
    assert verdicts_of(store, 23) == ["confirm", "confirm", "confirm"]


@pytest.mark.parametrize(
    "decision",
    [
        Decision("later", by="Ben"),
        Decision("confirm", by="Ben", note="only the first part"),
        Decision("reject", "wrong place", "Ben"),
    ],
)
def test_another_verdict_reason_or_note_is_contested(store, clock, decision):
    (contested,) = decided_second(store, clock, decision, theirs=CONFIRM)

    assert contested.counting_record.decision.by == CONFIRM.by
    assert contested.decision == decision


@pytest.mark.parametrize(
    "decision",
    [
        *(Decision("confirm", by=" "), Decision("maybe", by="Ada"), Decision("reject", by="Ada")),
        *(
            Decision("reject", "because", "Ada"),
            Decision("confirm", "wrong topic", "Ada"),
            Decision("", by="Ada"),
        ),
    ],
)
def test_a_decision_that_is_not_whole_is_refused(store, clock, decision):
    """Without a name, with an unknown verdict, without a reason, with a reason that is none.

    Nothing is stored.
    """
    with pytest.raises(ReviewError):
        decided(store, decision, clock)

    assert store.all() == []


def test_sqlite_keeps_a_write_ahead_log(tmp_path, clock):
    """A desk can read while another writes."""
    path = tmp_path / "lectern.db"
    with DecisionStore.open(f"sqlite:///{path}") as store:
        decided(store, CONFIRM, clock)

    assert sqlite3.connect(path).execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_decisions_lie_beside_the_fact_checks(tmp_path, clock):
    """One database for both, in either order of opening."""
    from assistant.claims.claim_store import ClaimStore

    url = f"sqlite:///{tmp_path / 'lectern.db'}"
    with DecisionStore.open(url) as store:
        decided(store, CONFIRM, clock)
        with ClaimStore.open(url) as claims:
            claims.upsert([made_up.VCLAIM], source="test")

        assert standing(store).verdict == "confirm"


def decided_at(store, sentence_number, moment, by="Ada"):
    """Confirm the first match of a sentence while the clock shows a moment; return the record."""
    placed = deciding.decided_report(store, factory.passages())
    matches = {
        checked.sentence.number: checked.matches[0]
        for checked in placed.report.sentences
        if checked.matches
    }
    where = (sentence_number, matches[sentence_number])
    confirm = Decision("confirm", by=by)
    return deciding.decide(store, placed, where, confirm, clock=lambda: moment)


@pytest.mark.parametrize(
    "moments",
    [
        ("2024-10-27T02:30:00.000Z", "2024-10-27T01:30:00.000Z"),
        ("2031-01-01T00:00:00.000Z", "2024-01-01T00:00:00.000Z"),
        ("2024-01-01T00:00:00.000Z", "2024-01-01T00:00:00.000Z"),
        ("2024-01-01T00:00:00.000Z", "2024-01-01T00:00:01.000Z"),
    ],
    ids=["an hour back", "years back", "same moment", "forward"],
)
def test_undo_takes_the_last_decision_whatever_the_clock_said(any_url, moments):
    with DecisionStore.open(any_url) as store:
        decided_at(store, ROW, moments[0])
        last_record = decided_at(store, FOLDED[0], moments[1])

        assert deciding.last_decision_by(store.all(), "Ada") == last_record


def test_an_undo_of_another_person_makes_no_decision_the_last_one(store):
    """Ben changes a decision of Ada's and takes that back: her last decision is still another."""
    moment = "2024-01-01T00:00:00.000Z"
    decided_at(store, ROW, moment)
    last_record = decided_at(store, FOLDED[0], moment)
    deciding.undo(store, decided_at(store, ROW, moment, by="Ben"), "Ben")

    assert deciding.last_decision_by(store.all(), "Ada") == last_record
