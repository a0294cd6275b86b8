"""The sample fact-checks and sample debates are what their notes say.

Fields, dates, counts, quotes, gold.
"""

import json
import re
from collections import Counter
from dataclasses import fields, replace
from datetime import date
from pathlib import Path

import pytest

from assistant import pipeline, transcripts
from assistant.check import loaded_models
from assistant.claims.claim_index import ClaimIndex
from assistant.claims.importers import read_claims
from assistant.core.domain import (
    Agreement,
    Difference,
    Sentence,
    Source,
    Strength,
    Tier,
    Transcript,
    VerifiedClaim,
)
from assistant.core.settings import EMBEDDED
from assistant.report import wording
from assistant.transcripts.sentences import sentence_spans
from features.language.agreement import agreement
from features.language.open_parts.noted_parts import noted_parts
from tests.assistant import made_up

ROOT = Path(__file__).parent.parent
SAMPLES = ROOT / "sample_claims" / "samples.jsonl"
DEBATES = ROOT / "sample_transcripts"
RATINGS = {
    "True": "TRUE",
    "Mostly True": "TRUE",
    "Half True": "MIXTURE",
    "Mostly False": "FALSE",
    "False": "FALSE",
    "Pants on Fire": "FALSE",
}
NAMES = {
    "2024-10-03_ridgeway-energy-forum.docx": "docx",
    "2025-05-08_lindmoor-university.json": "whisperx",
    "2025-09-18_harrow-falls.vtt": "webvtt",
    "2026-02-24_kestrel-bay-senate.txt": "text",
}
REPEATS = {"close", "rewording", "rounding", "spoken-number", "context", "half-true"}
TRAPS = {
    "negated",
    "quoted-to-deny",
    "other-figure",
    "other-year",
    "other-place",
    "other-person",
    "same-words",
}
QUOTED_WORDS = 5


def _lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


CLAIMS = _lines(SAMPLES)
CLAIM = {row["id"]: row for row in CLAIMS}
GOLD = _lines(DEBATES / "gold.jsonl")
each_claim = pytest.mark.parametrize("row", CLAIMS, ids=lambda row: row["id"])


@pytest.fixture(scope="module")
def debates():
    """Return the sample debates as the readers give them, by file name."""
    return {name: transcripts.read(DEBATES / name) for name in NAMES}


def _words(text):
    return re.findall(r"[\w$.']*\w", text.lower())


def _sentences(body):
    return [body[start:end] for start, end in sentence_spans(body)]


def test_at_least_120_with_ids_of_their_own():
    """There are at least 120 fact-checks, and no id, statement, title or link occurs twice."""
    assert len(CLAIMS) >= 120
    for field in ("id", "statement", "title", "url"):
        assert len({claim_row[field] for claim_row in CLAIMS}) == len(CLAIMS)


def test_importer_takes_every_line():
    """The importer reads each line as a verified claim and refuses none."""
    imported_claims = list(read_claims(SAMPLES))
    assert [getattr(claim_row, "claim", claim_row).id for claim_row in imported_claims] == [
        claim_row["id"] for claim_row in CLAIMS
    ]


@each_claim
def test_fields_of_a_verified_claim(row):
    """A line has exactly the fields of VerifiedClaim, all filled, and is marked as a sample."""
    assert set(row) == {f.name for f in fields(VerifiedClaim)}
    assert all(isinstance(value, str) and value.strip() == value != "" for value in row.values())
    assert row["publisher"] == "Lectern sample desk"
    assert row["language"] == "en"
    assert f"https://example.org/samples/{row['id'].removeprefix('sample-')}" == row["url"]


@each_claim
def test_dates_and_rating(row):
    """A claim from 2008 to 2025 is reviewed 1 to 20 days later and has the class of its rating."""
    claim_date = date.fromisoformat(row["claim_date"])
    checked = date.fromisoformat(row["review_date"])
    assert 2008 <= claim_date.year <= 2025
    assert 1 <= (checked - claim_date).days <= 20
    assert row["rating_class"] == RATINGS[row["rating"]]


@each_claim
def test_article(row):
    """An article has 8 to 20 sentences, quotes the statement, and names its own rating and no other in its ruling."""
    sentences = _sentences(row["body"])
    assert 8 <= len(sentences) <= 20
    statement = " ".join(_words(row["statement"]))
    quotes = [_words(quote) for quote in re.findall(r'"([^"]+)"', row["body"])]
    assert any(len(quote) >= QUOTED_WORDS and " ".join(quote) in statement for quote in quotes)
    ruling = " ".join(sentences[-2:])
    longest_first = "|".join(sorted(RATINGS, key=len, reverse=True))
    assert re.findall(longest_first, ruling)[-1] == row["rating"]


def test_ratings_and_years_are_spread():
    """Each rating occurs at least ten times, and no year holds more than one article in eight."""
    ratings = Counter(claim_row["rating"] for claim_row in CLAIMS)
    assert set(ratings) == set(RATINGS)
    assert min(ratings.values()) >= 10
    years = Counter(claim_row["claim_date"][:4] for claim_row in CLAIMS)
    assert set(years) == {str(year) for year in range(2008, 2026)}
    assert max(years.values()) <= len(CLAIMS) / 8


def test_no_boilerplate():
    """No sentence of four words or more stands in two articles."""
    sentence_counts = Counter(
        sentence
        for claim_row in CLAIMS
        for sentence in set(_sentences(claim_row["body"]))
        if len(sentence.split()) > 3
    )
    assert [sentence for sentence, count in sentence_counts.items() if count > 1] == []


@pytest.mark.parametrize("name", NAMES)
def test_debate_is_read(name, debates):
    """A debate is read in its format, with 120 to 300 sentences and the date of its file name."""
    transcript = debates[name]
    assert transcript.source.format == NAMES[name]
    assert 120 <= len(transcript) <= 300
    assert date.fromisoformat(name[:10]) == transcript.event_date
    assert 2024 <= transcript.event_date.year <= 2026
    assert len({sent.speaker for sent in transcript if sent.speaker}) >= 3


@pytest.mark.parametrize("name", NAMES)
def test_gold_sentences_stand_in_the_debate(name, debates):
    """Each gold text equals exactly one sentence of its debate, said by the speaker that the gold names."""
    spoken = Counter((sent.text, sent.speaker) for sent in debates[name])
    judged = [
        (gold_row["text"], gold_row["speaker"])
        for gold_row in GOLD
        if gold_row["transcript"] == name
    ]
    assert [pair for pair in judged if spoken[pair] != 1] == []
    assert len(set(judged)) == len(judged)


@pytest.mark.parametrize("name", NAMES)
def test_shares_of_the_gold(name, debates):
    """A debate repeats at least 15 claims, holds at least 10 traps, and at least 60 % of it matches nothing."""
    debate_rows = [gold_row for gold_row in GOLD if gold_row["transcript"] == name]
    assert sum(gold_row["relevant"] for gold_row in debate_rows) >= 15
    assert sum(gold_row["kind"] in TRAPS for gold_row in debate_rows) >= 10
    assert len(debate_rows) <= 0.4 * len(debates[name])


def test_gold_rows_are_consistent():
    """A repeat names its claims, a trap what it resembles.

    Repeats of half-true claims are not relevant.
    """
    for gold_row in GOLD:
        assert set(gold_row) == {
            "transcript",
            "text",
            "speaker",
            "claims",
            "kind",
            "relevant",
            "resembles",
        }
        assert gold_row["transcript"] in NAMES
        assert set(gold_row["claims"] + gold_row["resembles"]) <= set(CLAIM)
        assert bool(gold_row["claims"]) == (gold_row["kind"] in REPEATS)
        assert bool(gold_row["resembles"]) == (gold_row["kind"] in TRAPS)
        half_true = any(CLAIM[claim]["rating"] == "Half True" for claim in gold_row["claims"])
        assert (bool(gold_row["claims"]) and not half_true) == gold_row["relevant"]
        assert half_true == (gold_row["kind"] == "half-true")


def test_every_kind_occurs():
    """The gold has every kind of repeat and of trap that the note names."""
    assert {gold_row["kind"] for gold_row in GOLD} == REPEATS | TRAPS


def test_repeats_use_other_words():
    """No repeat is a copy: of a statement's words, some are missing from every sentence that repeats it.

    A close repeat isn't a copy either, but may have all the words.
    """
    for gold_row in GOLD:
        for claim in gold_row["claims"]:
            assert CLAIM[claim]["statement"] != gold_row["text"]
            if gold_row["kind"] in ("close", "half-true"):
                continue
            assert set(_words(CLAIM[claim]["statement"])) - set(_words(gold_row["text"]))


def test_the_example_of_the_readme_is_a_sentence_of_a_sample_as_lectern_shows_it():
    """It has the whole sentence, with the caution for the part that the fact-check leaves open."""
    readme = (ROOT / "README.md").read_text("utf-8")
    quotation = re.search(r"^> ([A-Z]+): (.*)$", readme, re.M)
    [gold_row] = [
        gold_row
        for gold_row in GOLD
        if (gold_row["speaker"], gold_row["text"]) == quotation.groups()
    ]
    event_date = date.fromisoformat(gold_row["transcript"][:10])
    [claim_id] = gold_row["claims"]
    [claim] = [claim for claim in read_claims(SAMPLES) if claim.id == claim_id]
    parts = noted_parts(gold_row["text"], claim.statement, claim.claimant)
    match = replace(
        made_up.match(claim, tier=Tier.LIKELY),
        strength=Strength.GOOD,
        agreement={
            kind: Agreement(value)
            for kind, value in agreement(gold_row["text"], claim.statement).items()
        },
        uncovered=tuple(
            Difference(kind, part.in_sentence, part.in_statement) for kind, part in parts
        ),
    )

    gap = wording.gap(event_date, claim.review_date)
    lines = (
        match.strength,
        f"{wording.rating_sentence(claim)}, {gap}: {claim.statement}",
        wording.caution_line(match, event_date),
    )
    assert f"In a debate on {wording.day(event_date)}," in readme.replace("October", "Oct")
    assert " ".join(lines) in " ".join(readme.split())


TWO_CLAIMS = {
    "Smallpox was declared eradicated in 1980, and polio struck nearly 58,000 Americans in 1952.": (
        "Smallpox",
        "Polio",
    ),
    "In 1944 the top federal income tax rate was 94 percent, and the last time we had a budget surplus was in 2001.": (
        "In 1944",
        "The last time the federal government ran",
    ),
    "NATO was founded in 1949 by twelve countries and OPEC in 1960 by five countries.": (
        "NATO",
        "OPEC",
    ),
    "Lightning never strikes the same place twice, and we use only ten percent of our brains.": (
        "Lightning",
        "Human",
    ),
    "The hottest temperature ever was 134 degrees in Death Valley, and the coldest was at the South Pole.": (
        "The hottest air temperature",
        "The coldest temperature",
    ),
}


@pytest.mark.slow
def test_a_sentence_of_two_claims_shows_both_and_no_third():
    """A further match is shown for its own sake.

    The other claim that is made, nothing that the first brings along.
    """
    index = ClaimIndex.in_memory(list(read_claims(SAMPLES)), loaded_models.encoders(EMBEDDED))
    sentences = tuple(Sentence(n, n, text, "REYES") for n, text in enumerate(TWO_CLAIMS, 1))
    report = pipeline.check(
        Transcript("Debate", date(2025, 3, 12), Source("debate.txt", "text", "0" * 64), sentences),
        index,
    )
    for checked, begin in zip(report.sentences, TWO_CLAIMS.values(), strict=True):
        shown = [match.claim.statement for match in checked.matches]
        assert len(shown) == 2, checked.sentence.text
        assert {next(b for b in begin if statement.startswith(b)) for statement in shown} == set(
            begin
        )
