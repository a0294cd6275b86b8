"""The attacks: what each rule changes and what it leaves, and how what is shown is counted."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.edits.attack_rules import ADDED, CHANGED, KEPT, LEXICON, Tables, added, said_year
from bench.edits.attacks import Shown, by_kind, judged, with_bars
from bench.edits.confusions import Words
from bench.edits.statements import Edited, refused_edits
from features.language.figures.dates import dates
from ranking.tier_thresholds import LIKELY, POSSIBLE

OTHER = "Wages fell everywhere."
TABLES = Tables(Words((), frozenset({"Ohio"}), {}), (OTHER,) * 40)
CLAIM = "In 2012, Hillary Clinton voted against raising taxes on 64 companies for ten years."
RULES = {**ADDED, **CHANGED, **KEPT}
seeds = st.integers(0, 500)
years = st.integers(1930, 2020)


def attacked(kind: str, text: str, seed: int = 0) -> str:
    """The text after one attack."""
    return RULES[kind](text, random.Random(seed), TABLES) or ""


@pytest.mark.parametrize("kind", sorted(RULES))
def test_every_attack_follows_its_seed(kind: str) -> None:
    """The same seed gives the same sentence, and no attack leaves the sentence as it was."""
    assert attacked(kind, CLAIM) == attacked(kind, CLAIM) not in (CLAIM, "")


@pytest.mark.parametrize("kind", sorted(RULES))
def test_where_a_rule_does_not_fit_it_gives_nothing(kind: str) -> None:
    """No name, date, figure or synonym, and a question that nothing is joined to."""
    assert attacked(kind, "Did it rain?") == ""


@given(years, seeds)
def test_dates_by_arithmetic_are_the_same_date_or_another(year: int, seed: int) -> None:
    """So many years before or after a year, worked out by hand.

    The other date stands beside its own year.
    """
    for kind in ("date arithmetic, same date", "date arithmetic, other date"):
        date_match = re.search(
            r"(\w+) years (before|after) (\d{4})", attacked(kind, f"It grew in {year}.", seed)
        )
        assert date_match
        count = ["two", "three", "four", "five", "six"].index(date_match[1]) + 2
        meant = int(date_match[3]) + (count if date_match[2] == "after" else -count)
        assert kind.endswith("same date") == (meant == year)
        assert (int(date_match[3]) == year) == kind.endswith("other date")


@given(years, seeds)
def test_a_range_holds_its_year_or_does_not(year: int, seed: int) -> None:
    """And runs forward."""
    for kind, holds in (("date range around it", True), ("date range, other dates", False)):
        first_year, last_year = map(
            int, re.findall(r"\d{4}", attacked(kind, f"It grew in {year}.", seed))
        )
        assert first_year < last_year
        assert (first_year <= year <= last_year) == holds


@given(years)
def test_a_year_in_words_is_read_back(year: int) -> None:
    """The speller of the bench and the reader of the product were written apart."""
    if year >= 2000 or year % 100 >= 10:
        (when,) = dates(f"It grew in {said_year(year)}.")
        assert when.days_for_speaker_on(1) == dates(str(year))[0].days_for_speaker_on(1)


@given(seeds)
def test_what_is_added_can_be_taken_out_again(seed: int) -> None:
    """The sentence without the words that were put in is the sentence as it was, but for capitals and marks."""
    for kind in ADDED:
        text = attacked(kind, CLAIM, seed)
        start, end = added(CLAIM, text)
        remaining_text = text[:start] + text[end:]
        assert re.findall(r"\w+", remaining_text.casefold()) == re.findall(r"\w+", CLAIM.casefold())
        assert re.findall(r"\w+", text[start:end])


@given(seeds)
def test_a_second_hop_is_false_of_its_name(seed: int) -> None:
    """It is a fact of another name."""
    text = attacked("second hop", "Texas has closed 64 schools.", seed)
    (fact_group,) = [facts for facts in LEXICON.facts if "Texas" in facts]
    assert fact_group["Texas"] not in text
    assert any(fact in text for name, fact in fact_group.items() if name != "Texas")


def test_every_fact_belongs_to_one_name() -> None:
    """No fact is there twice."""
    facts = [fact for table in LEXICON.facts for fact in table.values()]
    assert len(facts) == len(set(facts)) > 50


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        (
            "date in words",
            "It fell since May 3, 2001.",
            "It fell since May third, two thousand one.",
        ),
        ("date in words", "No raise in the last 10 years.", "No raise in the last decade."),
        ("ambiguous name", "I beat Jeb Bush there.", "I beat Neil Bush there."),
        ("lexical substitution", "The wealthy bought homes.", "The affluent purchased houses."),
    ],
)
def test_attacks_by_hand(kind: str, text: str, expected: str) -> None:
    """Single attacks as they are documented."""
    assert attacked(kind, text) == expected


def test_likely_for_a_part_is_no_mistake_where_the_rest_is_open() -> None:
    """Settled as a whole it would be one.

    The card must name the part that the statement is about.
    """
    statement = "Our roads in Texas are falling apart."
    text = "Our roads in Texas are falling apart, and wages of nurses fell by half."
    attack = Edited("conjunction", text, "", "a", statement)
    assert judged(attack, LIKELY, True, statement) == Shown(LIKELY, True, False, True)
    assert judged(attack, POSSIBLE, True, statement) == Shown(POSSIBLE, True, False, None)
    assert judged(attack, LIKELY, False, "Wages of nurses fell by half.").part_right is False
    whole_claim = Edited("conjunction", statement, "", "a", statement)
    assert judged(whole_claim, LIKELY, True, statement).whole


def test_rows_count_what_was_shown() -> None:
    """Shares by kind; a missed bar is marked, in the likely ones or in the first ones."""
    attacks = [
        Edited(kind, "", "", "a", "", kind == "rounding") for kind in ("ambiguous name", "rounding")
    ]
    shown = [Shown(LIKELY, True, True, None), Shown(POSSIBLE, False, False, None)]
    rows_by_kind = {kind_row["kind"]: kind_row for kind_row in by_kind(attacks, shown)}
    assert rows_by_kind["ambiguous name"]["likely"].hits == 1
    assert rows_by_kind["rounding"]["seen"] == 1
    assert rows_by_kind["rounding"]["cases"] == 1
    marked = {
        kind_row["kind"]: kind_row["bar"]
        for kind_row in with_bars(rows_by_kind.values())
        if kind_row["cases"]
    }
    assert marked == {"ambiguous name": "MISSED", "rounding": "MISSED"}


def test_refused_attacks_are_named_by_kind_and_claim_alone() -> None:
    """No text."""
    refused = refused_edits("refused_attacks.tsv")
    assert refused
    assert all(kind in RULES and claim.startswith("vclaim-") for kind, claim in refused)
