"""Counts of what was repeated: by whom, since when, after the check.

Confirmed and unreviewed apart.
"""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from datetime import date

import pytest

from assistant.archive import repeat_export, repeats
from assistant.archive.archive_store import FinishedCheck, check_key
from assistant.claims.claim_store import ClaimStore
from assistant.core.domain import Decision, RatingClass, Tier
from assistant.review import deciding
from assistant.review.decision_store import DecisionStore
from assistant.ui import archive_html
from tests.assistant.archive.conftest import DEBATES, NOW, report


@pytest.fixture
def tallied(archive, any_url):
    """Return a function that counts."""

    def count(**options):
        with ClaimStore.open(any_url) as claims, DecisionStore.open(any_url) as decisions:
            return repeats.count_repeats(archive, claims, decisions, **options)

    return count


def decide(any_url, title, verdict, reason=""):
    stored_report = report(title)
    with DecisionStore.open(any_url) as store:
        match = stored_report.sentences[0].matches[0]
        deciding.decide(
            store,
            deciding.placed(store, stored_report),
            (1, match),
            Decision(verdict, reason, by="Ada"),
        )


def test_a_claim_that_was_said_again(tallied):
    """Two likely passages of one person, under two labels, one of them after the check."""
    tally = tallied()
    (repeated_claim,) = tally.repeated

    assert tally.transcripts == 3
    assert tally.checked == 3
    assert tally.fact_checks == 1
    assert [(m.speaker, m.number) for m in repeated_claim.mentions[:1]] == [("Ana Rivera", 1)]
    assert repeated_claim.debates == 2
    assert len(repeated_claim.by()) == 1
    assert len(repeated_claim.after()) == 1
    assert (DEBATES["Harbour debate"][0], DEBATES["City debate"][0]) == repeated_claim.days


def test_what_is_only_possible_counts_once_it_is_confirmed(tallied, any_url):
    """Until then only where it is asked for."""
    assert len(tallied().repeated[0].mentions) == 2
    assert len(tallied(all_possible=True).repeated[0].mentions) == 3

    decide(any_url, "Bridge debate", "confirm")

    (repeated_claim,) = tallied().repeated
    assert repeated_claim.count(repeats.CONFIRMED) == 1
    assert repeated_claim.count(repeats.UNREVIEWED) == 2
    assert repeats.claims_of_several_people([repeated_claim]) == [
        repeated_claim
    ]  # by two persons now


def test_what_makes_the_claim_by_its_chance_counts(archive, tallied):
    """Whatever its tier; where no chance is known, what is likely counts."""
    entry = next(e for e in archive.entries() if e.title == "City debate")
    stored_report = report("City debate")
    match = replace(stored_report.sentences[0].matches[0], tier=Tier.POSSIBLE)
    possible_sentence = replace(stored_report.sentences[0], tier=Tier.POSSIBLE, matches=(match,))
    again = replace(stored_report, sentences=(possible_sentence, stored_report.sentences[1]))
    for report_, chance, counted in (
        (again, 0.9, 2),
        (stored_report, 0.5, 1),
        (again, None, 1),
        (stored_report, None, 2),
    ):
        mark = check_key(entry.digest, NOW)
        archive.finish(FinishedCheck(entry.id, entry.digest, mark, 1.0, report_, None, [chance]))
        assert len(tallied().repeated[0].mentions) == counted


def test_what_a_person_rejected_does_not_count(tallied, any_url):
    """The other debate is left."""
    decide(any_url, "City debate", "reject", "wrong topic")

    assert [m.debate.title for m in tallied().repeated[0].mentions] == ["Harbour debate"]
    assert tallied(debates=2).repeated == ()


def correct(any_url):
    """Let the publisher change its rating."""
    with ClaimStore.open(any_url) as claims:
        (claim,) = claims.search("", limit=1)
        corrected = replace(
            claim, rating="Mostly True", rating_class=RatingClass.TRUE, review_date=date(2026, 5, 3)
        )
        claims.upsert([corrected], source=next(iter(claims.counts("source"))))


def test_a_decision_that_is_open_again_confirms_nothing(tallied, any_url):
    """The publisher has changed its rating since; counts and export say so."""
    decide(any_url, "City debate", "confirm")
    correct(any_url)

    (repeated_claim,) = tallied().repeated
    files = repeat_export.export_files(tallied())
    (row,) = csv.DictReader(io.StringIO(files["repeats.csv"].decode("utf-8-sig")))
    passages = list(csv.DictReader(io.StringIO(files["passages.csv"].decode("utf-8-sig"))))

    assert (row["confirmed"], row["unreviewed"], row["open_again"]) == ("0", "2", "1")
    assert [passage["open_again"] for passage in passages] == [
        "",
        "open again: it was rated True; rated Mostly True since 3 May 2026",
    ]
    assert archive_html.counts(repeated_claim).count("1 open again") == 1


def test_a_rejection_that_is_open_again_rejects_nothing(tallied, any_url):
    """The passage counts as unreviewed."""
    decide(any_url, "City debate", "reject", "wrong topic")
    correct(any_url)

    assert len(tallied().repeated[0].mentions) == 2


def test_the_version_changes_with_a_decision(archive, any_url):
    """So the page counts again."""
    version_before = repeats.counts_version(archive)
    decide(any_url, "City debate", "confirm")

    assert version_before != repeats.counts_version(archive)


@pytest.mark.parametrize(
    ("first", "second", "other"),
    [
        ("It cost 5 million.", "It cost 9 million.", ["9"]),
        ("The tunnel opened.", "the Tunnel, opened", []),
        ("", "All of it is new.", ["All", "of", "it", "is", "new."]),
    ],
)
def test_the_words_that_differ_are_marked(first, second, other):
    """Case and punctuation make no difference."""
    assert [
        word for word, differs in repeats.mark_differences(first, second)[1] if differs
    ] == other


def test_an_export_says_what_its_counts_are_of(tallied):
    """JSON with all, CSV a row a fact-check and a row a passage."""
    files = repeat_export.export_files(tallied())
    exported_counts = json.loads(files["repeats.json"])
    (exported_claim,) = csv.DictReader(io.StringIO(files["repeats.csv"].decode("utf-8-sig")))
    passages = list(csv.DictReader(io.StringIO(files["passages.csv"].decode("utf-8-sig"))))

    assert exported_counts["of"] == {"transcripts": 3, "checked": 3, "fact_checks_found": 1}
    assert exported_claim["debates"] == "2"
    assert exported_claim["after_review"] == "1"
    assert exported_claim["transcripts"] == "3"
    assert [passage["after_review"] for passage in passages] == ["False", "True"]
