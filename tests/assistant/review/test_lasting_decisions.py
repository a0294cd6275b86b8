"""Decisions stay with their debate, speaker and sentence, and open again when a fact-check changes."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date

import pytest

from assistant import reports
from assistant.claims.claim_store import ClaimStore
from assistant.core.domain import CheckedSentence, Decision, RatingClass, Report, Sentence, Tier
from assistant.report import contents
from assistant.report.view import ReportView
from assistant.review import deciding, revisions
from assistant.review.decision_store import DecisionStore
from assistant.transcripts import speakers
from tests.assistant import made_up

WAGE = "The federal minimum wage has stayed at $7.25 an hour since July 2009."
FIRST_NIGHT = (
    ("MODERATOR", "Good evening and welcome."),
    ("REYES", WAGE),
    ("MODERATOR", "Thank you."),
    ("OKAFOR", "When the federal minimum wage began in 1938 it was one dollar an hour."),
)
SECOND_NIGHT = (
    ("HOST", "Welcome to the second night in another city."),
    ("LINDQVIST", "Let me say this first."),
    ("LINDQVIST", WAGE),
    ("HOST", "Thank you very much."),
)
CONFIRM = Decision("confirm", by="Ada")


@pytest.fixture
def database(tmp_path):
    url = f"sqlite:///{tmp_path / 'lectern.db'}"
    with ClaimStore.open(url) as claims:
        claims.upsert([made_up.VCLAIM], source="file")
    return url


@pytest.fixture
def decisions(database):
    with DecisionStore.open(database) as opened:
        yield opened


def debate(turns, *, sha="0" * 64, title="Transcript", day=date(2026, 3, 3)) -> Report:
    """Return a report in which every sentence about the wage has the match."""
    base = made_up.report()
    sentences = tuple(
        Sentence(number, number, text, speaker) for number, (speaker, text) in enumerate(turns, 1)
    )
    source = replace(base.transcript.source, sha256=sha)
    transcript = replace(
        base.transcript, title=title, event_date=day, source=source, sentences=sentences
    )
    checked = []
    for sentence in sentences:
        matches = (made_up.match(),) if "wage has" in sentence.text else ()
        bare = CheckedSentence(sentence, 0.5, kept=bool(matches))
        if matches:
            bare = replace(bare, rank=1, score=1.5, tier=Tier.LIKELY, matches=matches)
        checked.append(bare)
    return replace(base, transcript=transcript, sentences=tuple(checked), passages=())


def with_sentences(report: Report, transcript) -> Report:
    """Return a report after its transcript was corrected."""
    checked = [
        replace(old, sentence=new)
        for old, new in zip(report.sentences, transcript.sentences, strict=True)
    ]
    return replace(report, transcript=transcript, sentences=tuple(checked))


def confirm(decisions, report, number, decision=CONFIRM):
    placed = deciding.decided_report(decisions, report)
    match = placed.report.sentences[number - 1].matches[0]
    return deciding.decide(decisions, placed, (number, match), decision)


def decided(placed):
    """Return the numbers of the sentences that have a decision."""
    return [
        checked.sentence.number
        for checked in placed.report.sentences
        if any(match.decision for match in checked.matches)
    ]


def change(database, **fields):
    """Let the publisher change the fact-check."""
    with ClaimStore.open(database) as claims:
        claims.upsert([replace(made_up.VCLAIM, **fields)], source="file")


def test_another_debate_of_the_same_evening_and_title(decisions):
    confirm(decisions, debate(FIRST_NIGHT), 2)

    placed = deciding.decided_report(decisions, debate(SECOND_NIGHT, sha="1" * 64))

    assert decided(placed) == []
    assert placed.orphans == ()
    assert placed.report.warnings == made_up.report().warnings


@pytest.mark.parametrize(
    "turns",
    [
        (("HOST", "Good evening."), ("REYES", WAGE), ("HOST", "Thank you.")),
        (("REYES", WAGE),),
        (("MODERATOR", "Thank you."), ("REYES", WAGE), ("HOST", "No."), ("X", "Yes, I do.")),
    ],
    ids=["the same speaker", "one sentence", "half of it in common"],
)
def test_one_sentence_in_common_is_no_common_debate(decisions, turns):
    confirm(decisions, debate(FIRST_NIGHT), 2)

    assert decided(deciding.decided_report(decisions, debate(turns, sha="1" * 64))) == []


def test_renaming_the_debate_keeps_its_decisions(decisions):
    confirm(decisions, debate(FIRST_NIGHT), 2)

    renamed = debate(FIRST_NIGHT, title="First night", day=date(2026, 3, 4))

    assert decided(deciding.decided_report(decisions, renamed)) == [2]


def test_another_file_of_a_renamed_debate_keeps_its_decisions(decisions):
    confirm(decisions, debate(FIRST_NIGHT), 2)
    longer = (("MODERATOR", "Is this on?"), *FIRST_NIGHT, ("OKAFOR", "Good night."))

    placed = deciding.decided_report(decisions, debate(longer, sha="1" * 64, title="First night"))

    assert decided(placed) == [3]


@pytest.mark.parametrize(
    "names",
    [
        {"REYES": "Maria Reyes"},
        {"REYES": "MODERATOR"},
        {"REYES": None, "MODERATOR": "Anna", "OKAFOR": "Anna"},
    ],
    ids=["renamed", "merged", "unknown"],
)
def test_renaming_and_merging_speakers_keeps_decisions(decisions, names):
    report = debate(FIRST_NIGHT)
    confirm(decisions, report, 2)

    renamed = with_sentences(report, speakers.rename(report.transcript, names))

    assert decided(deciding.decided_report(decisions, renamed)) == [2]


def test_splitting_a_speaker_keeps_decisions(decisions):
    report = debate([("REYES", text) for _, text in FIRST_NIGHT])
    confirm(decisions, report, 2)

    assert decided(deciding.decided_report(decisions, debate(FIRST_NIGHT))) == [2]


def test_another_speakers_sentence_takes_over_nothing(decisions):
    """The decided sentence is gone; another person has said the same elsewhere."""
    turns = (*FIRST_NIGHT, ("HOST", "We go on."), ("LINDQVIST", WAGE), ("HOST", "Good night."))
    confirm(decisions, debate(turns), 2)
    without = (*turns[:1], ("REYES", "The wage is low."), *turns[2:])

    placed = deciding.decided_report(decisions, debate(without))

    assert decided(placed) == []
    assert len(placed.orphans) == 1


@pytest.mark.parametrize(
    "text",
    [
        "The federal minimum wage has stayed at 7.25 dollars an hour since July 2009",
        "the Federal minimum wage has stayed at $ 7.25 an hour, since July 2009!",
    ],
)
def test_a_correction_of_the_spelling_keeps_decisions(decisions, text):
    confirm(decisions, debate(FIRST_NIGHT), 2)
    corrected = (FIRST_NIGHT[0], ("REYES", text), *FIRST_NIGHT[2:])

    assert decided(deciding.decided_report(decisions, debate(corrected))) == [2]


@pytest.mark.parametrize("text", [WAGE.replace("$", "€"), WAGE.replace("$7.25", "-$7.25")])
def test_another_currency_or_sign_is_another_sentence(decisions, text):
    confirm(decisions, debate(FIRST_NIGHT), 2)
    corrected = (FIRST_NIGHT[0], ("REYES", text), *FIRST_NIGHT[2:])

    assert decided(deciding.decided_report(decisions, debate(corrected))) == []


NEW_RATING = {
    "rating": "Mostly False",
    "rating_class": RatingClass.FALSE,
    "review_date": date(2026, 5, 3),
}


def status(placed, number=2):
    return contents.review_status(placed.report.sentences[number - 1].matches[0])


@pytest.mark.parametrize(
    ("decision", "beginning"),
    [(CONFIRM, "Confirmed by Ada"), (Decision("reject", "wrong time", "Ada"), "Rejected by Ada")],
)
def test_a_changed_rating_opens_a_decision_again(database, decisions, decision, beginning):
    confirm(decisions, debate(FIRST_NIGHT), 2, decision)
    change(database, **NEW_RATING)

    placed = deciding.decided_report(decisions, debate(FIRST_NIGHT))

    assert decided(placed) == []
    assert status(placed).startswith(f"Open again: {beginning}")
    assert status(placed).endswith("when it was rated True; rated Mostly False since 3 May 2026")


def test_a_changed_statement_opens_a_decision_again(database, decisions):
    confirm(decisions, debate(FIRST_NIGHT), 2)
    change(database, statement="The Channel Tunnel opened in 1995.")

    placed = deciding.decided_report(decisions, debate(FIRST_NIGHT))

    assert decided(placed) == []
    assert "when it said “The Channel Tunnel opened in 1994.”" in status(placed)


def test_another_spelling_of_the_statement_opens_nothing(database, decisions):
    confirm(decisions, debate(FIRST_NIGHT), 2)
    change(database, statement="the channel tunnel opened in nineteen ninety-four", title="New")

    assert decided(deciding.decided_report(decisions, debate(FIRST_NIGHT))) == [2]


def test_a_second_decision_holds_and_undo_opens_the_first_again(database, decisions):
    confirm(decisions, debate(FIRST_NIGHT), 2)
    change(database, **NEW_RATING)

    record = confirm(decisions, debate(FIRST_NIGHT), 2, Decision("confirm", by="Ben"))
    after_second = decided(deciding.decided_report(decisions, debate(FIRST_NIGHT)))
    deciding.undo(decisions, record, "Ben")

    assert after_second == [2]
    assert status(deciding.decided_report(decisions, debate(FIRST_NIGHT))).startswith("Open again")


def test_a_withdrawn_fact_check_is_never_confirmed(database, decisions):
    confirm(decisions, debate(FIRST_NIGHT), 2)
    with ClaimStore.open(database) as claims:
        claims.withdraw([made_up.VCLAIM.id], why="retracted", withdrawn_by="Ada")

    placed = deciding.decided_report(decisions, debate(FIRST_NIGHT))
    without_match = replace(
        debate(FIRST_NIGHT),
        sentences=tuple(replace(checked, matches=()) for checked in debate(FIRST_NIGHT).sentences),
    )
    checked_again = deciding.decided_report(decisions, without_match)

    assert decided(placed) == []
    assert "withdrawn on" in status(placed)
    assert [orphan.why.split(" on ")[0] for orphan in checked_again.orphans] == [
        "its fact-check was withdrawn"
    ]


def test_a_match_of_an_older_report_says_that_its_rating_has_changed(database, decisions):
    change(database, **NEW_RATING)

    placed = deciding.decided_report(decisions, debate(FIRST_NIGHT))

    match = placed.report.sentences[1].matches[0]
    assert match.revised == "rated Mostly False since 3 May 2026"


@pytest.mark.parametrize("form", ["json", "html", "csv", "md", "txt"])
def test_an_export_says_why_a_decision_is_open(database, decisions, form):
    confirm(decisions, debate(FIRST_NIGHT), 2)
    change(database, **NEW_RATING)

    exported = reports.render(deciding.decided_report(decisions, debate(FIRST_NIGHT)).report, form)

    text = exported.decode().replace("\\", "")
    assert "it was rated True" in text
    assert "rated Mostly False since 3 May 2026" in text


def test_an_open_decision_is_neither_confirmed_nor_decided(database, decisions):
    confirm(decisions, debate(FIRST_NIGHT), 2)
    change(database, **NEW_RATING)

    view = ReportView(deciding.decided_report(decisions, debate(FIRST_NIGHT)).report)

    assert contents.review_counts(view)["undecided"] == 1
    assert contents.entries(view, contents.is_confirmed) == []


def test_a_stored_report_keeps_an_open_decision(database, decisions):
    confirm(decisions, debate(FIRST_NIGHT), 2)
    change(database, **NEW_RATING)
    report = deciding.decided_report(decisions, debate(FIRST_NIGHT)).report

    row = json.loads(reports.render(report, "json"))["sentences"][1]["matches"][0]

    assert row["decision"] is None
    assert row["reopened"]["decision"]["by"] == "Ada"


def test_purging_a_debate_forgets_its_sentences(decisions):
    record = confirm(decisions, debate(FIRST_NIGHT), 2)
    (stored_debate,) = decisions.debates()

    decisions.purge(stored_debate)

    assert decisions.sentences_of(record.anchor) is None


def test_a_decision_says_why_it_is_open_without_its_report(database, decisions):
    record = confirm(decisions, debate(FIRST_NIGHT), 2)
    change(database, **NEW_RATING)

    reviews = decisions.current_reviews([made_up.VCLAIM.id])

    words = "open again: it was rated True; rated Mostly False since 3 May 2026"
    assert revisions.reason_open_again(record, reviews) == words
