"""Counts of what was repeated: by whom, since when, after the check.

Confirmed and unreviewed apart.
"""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from datetime import date
from types import SimpleNamespace

import pytest

from assistant.archive import repeat_export, repeats
from assistant.archive.archive_store import FinishedCheck, check_key
from assistant.claims.claim_store import ClaimStore
from assistant.core.domain import Decision, RatingClass, Strength, Tier
from assistant.review import deciding
from assistant.review.decision_store import DecisionStore
from assistant.ui import archive_html
from tests.assistant.archive.conftest import DEBATES, NOW, TUNNEL, report


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
            deciding.decided_report(store, stored_report),
            (1, match),
            Decision(verdict, reason, by="Ada"),
        )


def test_a_claim_that_was_said_again(tallied):
    """Two strong passages of one person, under two labels, one of them after the check."""
    tally = tallied()
    (repeated_claim,) = tally.repeated

    assert tally.transcripts == 3
    assert tally.checked == 3
    assert tally.fact_checks == 1
    assert [(m.speaker, m.number) for m in repeated_claim.mentions[:1]] == [("Ana Rivera", 1)]
    assert repeated_claim.debate_count == 2
    assert len(repeated_claim.by_speaker()) == 1
    assert len(repeated_claim.mentions_after_publication()) == 1
    assert (DEBATES["Harbour debate"][0], DEBATES["City debate"][0]) == repeated_claim.days


def test_what_is_only_possible_counts_once_it_is_confirmed(tallied, any_url):
    """Until then it is to be looked at, if all possible matches are asked for, and in no count."""
    assert len(tallied().repeated[0].mentions) == 2
    assert tallied().repeated[0].possible_mentions == ()
    (everything,) = tallied(all_possible=True).repeated
    assert len(everything.mentions) == 2
    assert [mention.speaker for mention in everything.possible_mentions] == ["Tom Okafor"]
    assert [name for name, _ in everything.by_speaker()] == ["Ana Rivera"]

    decide(any_url, "Bridge debate", "confirm")

    (repeated_claim,) = tallied().repeated
    assert repeated_claim.count(repeats.CONFIRMED) == 1
    assert repeated_claim.count(repeats.UNREVIEWED) == 2
    assert repeats.claims_of_several_people([repeated_claim]) == [
        repeated_claim
    ]  # by two persons now


def report_of_match(title="City debate", **fields):
    """Return the report of a debate with other values in its match."""
    stored_report = report(title)
    checked = stored_report.sentences[0]
    match = replace(checked.matches[0], **fields)
    checked = replace(checked, tier=match.tier, matches=(match,))
    return replace(stored_report, sentences=(checked, *stored_report.sentences[1:]))


def store_check(archive, stored_report, *chances):
    """Store a report in place of the earlier one, and the chance that its match makes the claim."""
    title = stored_report.transcript.title
    entry = next(e for e in archive.entries() if e.title == title)
    mark = check_key(entry.digest, NOW)
    archive.finish(FinishedCheck(entry.id, entry.digest, mark, 1.0, stored_report, None, chances))


def test_a_strong_match_counts_if_it_makes_the_claim_by_its_chance(archive, tallied):
    """A possible match is to be looked at instead; without a chance the strength decides."""
    stored_report = report("City debate")
    again = report_of_match(tier=Tier.POSSIBLE, strength=Strength.POSSIBLE)
    for report_, chance, counted in (
        (stored_report, 0.9, 2),
        (again, 0.9, 1),
        (stored_report, 0.5, 1),
        (again, None, 1),
        (stored_report, None, 2),
    ):
        store_check(archive, report_, chance)
        assert len(tallied().repeated[0].mentions) == counted


def test_a_good_match_is_to_be_looked_at_although_it_is_likely(archive, tallied):
    """It is in no count, and its speaker is named nowhere, until a person has confirmed it."""
    store_check(archive, report_of_match(strength=Strength.GOOD), 0.95)

    (repeated_claim,) = tallied().repeated

    assert [mention.debate.title for mention in repeated_claim.mentions] == ["Harbour debate"]
    (to_look_at,) = repeated_claim.possible_mentions
    assert (to_look_at.tier, to_look_at.strength) == ("likely", "good")
    exported = repeat_export.export_files(tallied())
    passages = csv.DictReader(io.StringIO(exported["passages.csv"].decode("utf-8-sig")))
    columns = ("tier", "strength", "state")
    assert [tuple(passage[name] for name in columns) for passage in passages] == [
        ("likely", "strong", "unreviewed"),
        ("likely", "good", "to look at"),
    ]


def test_a_claim_that_only_may_have_been_repeated_is_to_be_looked_at(archive, tallied, any_url):
    for title in ("City debate", "Harbour debate"):
        store_check(archive, report_of_match(title, strength=Strength.GOOD))

    counts = tallied()

    assert counts.repeated == ()
    (claim,) = counts.to_look_at
    assert (claim.debate_count, claim.possible_debate_count) == (0, 2)
    line = archive_html.counts_html(claim)
    assert "May have been said in 2 debates (2 passages to look at, not counted)" in line
    assert "Rivera" not in line

    decide(any_url, "City debate", "confirm")
    assert [claim.debate_count for claim in tallied().to_look_at] == [1]

    decide(any_url, "Harbour debate", "confirm")
    assert tallied().to_look_at == ()


def test_a_claim_of_one_debate_is_not_to_be_looked_at(archive, tallied, any_url):
    store_check(archive, report_of_match(strength=Strength.GOOD))
    decide(any_url, "Harbour debate", "reject", "wrong topic")

    assert tallied().to_look_at == ()


def test_a_confirmed_good_match_counts(archive, tallied, any_url):
    store_check(archive, report_of_match(strength=Strength.GOOD))
    decide(any_url, "City debate", "confirm")

    assert len(tallied().repeated[0].mentions) == 2


@pytest.mark.parametrize(
    ("models", "counted"),
    [
        ({"ranker": "ranksvm-max-skip 0a1b"}, 2),
        ({"ranker": "lectern 0a1b", "reranker": "of another version"}, 1),
    ],
)
def test_likely_stands_for_strong_only_if_the_ranker_gives_no_strengths(
    archive, tallied, models, counted
):
    stored_report = report_of_match(strength=None)
    manifest = replace(stored_report.manifest, models=models)
    store_check(archive, replace(stored_report, manifest=manifest))

    assert len(tallied().repeated[0].mentions) == counted


@pytest.mark.parametrize(
    "text",
    [
        "Did the tunnel open in 1994?",
        "My opponent keeps saying that the tunnel has been open since 1994.",
        "The tunnel has not been open since 1994.",
        "The tunnel has been open since 1998.",
    ],
)
def test_a_question_a_quotation_a_denial_and_another_year_do_not_state_the_claim(text):
    statement = "The tunnel has been open since 1994."

    assert repeats.states_claim("The tunnel has been open since 1994.", statement, "likely")
    assert not repeats.states_claim(text, statement, "likely")


def test_a_strong_match_that_does_not_state_the_claim_is_not_counted(tallied):
    (mention, *_) = tallied().repeated[0].mentions
    other_words = replace(mention, states_claim=False)

    assert (mention.is_sure, other_words.is_sure) == (True, False)
    assert replace(other_words, state=repeats.CONFIRMED).is_sure


def test_a_strong_match_of_a_part_of_the_claim_is_to_be_looked_at(archive, tallied):
    """The sentence says the first half of the statement."""
    checked = report("City debate").sentences[0]
    statement = f"{checked.sentence.text} The ferry lost 40,000 passengers."
    both_halves = replace(checked.matches[0].claim, statement=statement)
    store_check(archive, report_of_match(claim=both_halves))

    (repeated_claim,) = tallied().repeated

    assert [mention.debate.title for mention in repeated_claim.mentions] == ["Harbour debate"]
    (to_look_at,) = repeated_claim.possible_mentions
    assert (to_look_at.strength, to_look_at.says_whole_claim) == ("strong", False)


def repeated_claim(
    claim_id, *sentence_ids, statement="The tunnel opened in 1994.", state="unreviewed"
):
    """Return a fact-check that counts some sentences, given by their ids."""
    debate = SimpleNamespace(id=1, event_date=date(2021, 6, 2), title="City debate")
    mentions = tuple(
        repeats.Mention(
            sentence=sentence_id,
            number=sentence_id,
            debate=debate,
            speaker="Ana Rivera",
            text="It opened in 1994.",
            start=None,
            tier="likely",
            strength="strong",
            state=state,
        )
        for sentence_id in sentence_ids
    )
    claim = replace(TUNNEL, id=claim_id, statement=statement)
    return repeats.RepeatedClaim(claim, mentions)


def merged(*rows):
    """Return the ids of the merged claims with their sentences and the fact-checks in them."""
    return [
        (
            exported.claim.id,
            sorted(exported.sentences),
            [claim.id for claim in exported.other_fact_checks],
        )
        for exported in repeats.merge_same_passages(rows)
    ]


def test_two_fact_checks_of_the_same_passages_count_them_once():
    rows = (
        repeated_claim("a", 1, 2, 3, statement="It opened in 1994."),
        repeated_claim("b", 1, 2, statement="The tunnel was opened in May 1994."),
    )

    assert merged(*rows) == [("a", [1, 2, 3], ["b"])]


def test_two_fact_checks_of_one_statement_count_every_passage_once():
    rows = (repeated_claim("a", 1, 2), repeated_claim("b", 2, 3, state=repeats.CONFIRMED))

    (exported,) = repeats.merge_same_passages(rows)

    assert [mention.sentence for mention in exported.mentions] == [1, 2, 3]
    assert exported.count(repeats.CONFIRMED) == 2


def test_fact_checks_with_passages_of_their_own_stay_apart():
    rows = (
        repeated_claim("a", 1, 2, statement="It opened in 1994."),
        repeated_claim("b", 2, 3, statement="It cost nine billion."),
        repeated_claim("c", 4),
    )

    assert merged(*rows) == [("a", [1, 2], []), ("b", [2, 3], []), ("c", [4], [])]


def test_a_merged_fact_check_is_opened_by_its_own_address():
    (exported,) = repeats.merge_same_passages((repeated_claim("a", 1, 2), repeated_claim("b", 1)))

    assert [exported.has_claim(claim_id) for claim_id in ("a", "b", "c")] == [True, True, False]


def test_a_passage_to_look_at_is_exported_uncounted(tallied):
    files = repeat_export.export_files(tallied(all_possible=True))
    (exported,) = csv.DictReader(io.StringIO(files["repeats.csv"].decode("utf-8-sig")))
    passages = list(csv.DictReader(io.StringIO(files["passages.csv"].decode("utf-8-sig"))))

    assert (exported["passages"], exported["to_look_at"], exported["speakers"]) == (
        "2",
        "1",
        "Ana Rivera (2)",
    )
    assert [passage["state"] for passage in passages] == ["unreviewed"] * 2 + ["to look at"]


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
    (exported,) = csv.DictReader(io.StringIO(files["repeats.csv"].decode("utf-8-sig")))
    passages = list(csv.DictReader(io.StringIO(files["passages.csv"].decode("utf-8-sig"))))

    assert (exported["confirmed"], exported["unreviewed"], exported["open_again"]) == (
        "0",
        "2",
        "1",
    )
    assert [passage["open_again"] for passage in passages] == [
        "",
        "open again: it was rated True; rated Mostly True since 3 May 2026",
    ]
    assert archive_html.counts_html(repeated_claim).count("1 open again") == 1


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
