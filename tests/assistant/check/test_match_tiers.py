"""Likely becomes possible where the words say that it is another claim, and nothing else changes."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from assistant.check.match_tiers import Days, capped, stance_of
from assistant.check.pairs import Pairs
from assistant.check.rankers import Ranking
from features.similarity.catalogue import COLUMN
from ranking.tier_thresholds import LIKELY, NONE, POSSIBLE

TEXTS = ("Crime in Germany is way up this year.", "Crime in Germany is way down this year.")
STATEMENTS = ("Crime in Germany is way up.", "The weather in Germany is way too warm.")


def made(tiers: list[int], lifts: list[bool] | None = None) -> tuple[Ranking, Pairs]:
    """Two sentences with the same two claims each, and their tiers pair by pair."""
    pairs = replace(
        Pairs.from_positions(2, np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])),
        may_raise_sentence=np.array(lifts or [True] * 4),
        word_count=np.full(4, 8),
    )
    best_of_first = max(tiers[:2])
    best_of_second = max(tiers[2:])
    no_score = np.zeros(4)
    ranking = Ranking(
        sentence_scores=np.zeros(2),
        sentence_tiers=np.array([best_of_first, best_of_second]),
        pair_scores=no_score,
        pair_tiers=np.array(tiers),
        best_pair=np.array([0, 2]),
        stances=np.zeros(4, str),
        contributions=np.zeros((4, 0)),
        contribution_names=(),
        sureness=no_score,
        standalone_scores=no_score,
        on_topic=np.ones(4, bool),
    )
    return ranking, pairs


def test_the_opposite_is_possible_at_most() -> None:
    """The pair falls, and the sentence with it; the other sentence keeps its match."""
    capped_ranking = capped(*made([LIKELY, NONE, LIKELY, NONE]), TEXTS, STATEMENTS)
    assert capped_ranking.pair_tiers.tolist() == [LIKELY, NONE, POSSIBLE, NONE]
    assert capped_ranking.sentence_tiers.tolist() == [LIKELY, POSSIBLE]


def test_another_likely_pair_keeps_its_sentence_likely() -> None:
    """Unless its claim may not lift a sentence."""
    tiers = [LIKELY, NONE, LIKELY, LIKELY]
    assert capped(*made(tiers), TEXTS, STATEMENTS).sentence_tiers.tolist() == [LIKELY, LIKELY]
    half_true = capped(*made(tiers, [True, True, True, False]), TEXTS, STATEMENTS)
    assert half_true.sentence_tiers.tolist() == [LIKELY, POSSIBLE]


def test_a_shown_match_repeats_or_contradicts_its_claim() -> None:
    """The opposite direction contradicts; what is not shown has no stance."""
    capped_ranking = capped(*made([LIKELY, NONE, POSSIBLE, NONE]), TEXTS, STATEMENTS)
    assert capped_ranking.stances.tolist() == ["repeats", "unclear", "contradicts", "unclear"]
    assert stance_of({"figures"}) == "unclear"


def test_what_stands_against_a_shown_match_is_kept() -> None:
    """By the names of its conflicts, for shown pairs only, in their order."""
    capped_ranking = capped(*made([LIKELY, NONE, POSSIBLE, NONE]), TEXTS, STATEMENTS)
    assert {pair: tuple(names) for pair, names in capped_ranking.conflicts.items()} == {
        2: ("direction",)
    }
    assert capped(*made([LIKELY, NONE, NONE, NONE]), TEXTS, STATEMENTS).conflicts == {}


def test_days_decide_what_last_year_is() -> None:
    """The same words, years apart, are another claim."""
    ranking, inputs = made([LIKELY, NONE, NONE, NONE])
    statement = "Crime in Germany fell last year, they say."
    texts = (statement, TEXTS[1])
    statements = (statement, STATEMENTS[1])
    first_day = date(2014, 5, 1).toordinal()
    second_day = date(2018, 5, 1).toordinal()
    days = Days(second_day, np.array([first_day, second_day]))

    with_days = capped(ranking, inputs, texts, statements, days)
    without_days = capped(ranking, inputs, texts, statements)

    assert with_days.pair_tiers.tolist() == [POSSIBLE, NONE, NONE, NONE]
    assert without_days.pair_tiers[0] == LIKELY


def test_nothing_is_raised_or_hidden() -> None:
    """Possible and unshown pairs stay as they are."""
    tiers = [POSSIBLE, NONE, POSSIBLE, NONE]
    assert capped(*made(tiers), TEXTS, STATEMENTS).pair_tiers.tolist() == tiers


INVERSIONS = [
    ("Lorne has fewer houses than it has boats.", "Lorne has more boats than houses."),
    ("Ten years ago we had 300 more pilots here.", "We have 300 fewer pilots here than we had ten years ago."),
    ("Ninety percent of the pilots can't swim.", "Only 10 percent of the pilots can swim."),
    ("Every town except Lorne has a ferry.", "Lorne is the only town without a ferry."),
    ("We haven't seen tolls this high in 40 years.", "Tolls are the highest in 40 years."),
]  # fmt: skip
NO_INVERSIONS = [
    ("Pilots in Lorne earn a lot for what they do.", "Pilots in Lorne earn next to zilch for what they do."),
    ("Lorne has fewer boats than it has houses.", "Lorne has more boats than houses."),
    ("Ninety percent of the pilots can swim.", "Only 10 percent of the pilots can swim."),
    ("Every town and Lorne has a ferry.", "Lorne is the only town without a ferry."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("texts", "tier"),
    [(texts, LIKELY) for texts in INVERSIONS] + [(texts, POSSIBLE) for texts in NO_INVERSIONS],
)
def test_a_contradiction_counts_unless_the_sentence_inverts_the_claim(
    texts: tuple[str, str], tier: int
) -> None:
    ranking, pairs = made([LIKELY, NONE, NONE, NONE])
    pairs.similarities[0, COLUMN["nli_contradiction"]] = 0.95
    sentence, statement = texts

    capped_ranking = capped(ranking, pairs, (sentence, TEXTS[1]), (statement, STATEMENTS[1]))

    assert capped_ranking.pair_tiers[0] == tier


@pytest.mark.parametrize(
    ("entailment", "tier"), [(0.95, LIKELY), (0.5, POSSIBLE)], ids=["follows", "unclear"]
)
def test_another_wording_alone_is_outweighed_by_entailment(entailment: float, tier: int) -> None:
    """ "Dreamt up" for "created": other words, but the sentence follows from the claim."""
    ranking, pairs = made([LIKELY, NONE, NONE, NONE])
    pairs.similarities[0, COLUMN["nli_entailment"]] = entailment
    texts = ("Obamacare dreamt up death panels that decide which seniors get care.", TEXTS[1])
    statement = "The Affordable Care Act created death panels that decide which seniors get care."

    capped_ranking = capped(ranking, pairs, texts, (statement, STATEMENTS[1]))

    assert capped_ranking.pair_tiers[0] == tier


def test_entailment_outweighs_no_other_conflict() -> None:
    ranking, pairs = made([NONE, NONE, LIKELY, NONE])
    pairs.similarities[2, COLUMN["nli_entailment"]] = 0.99

    capped_ranking = capped(ranking, pairs, TEXTS, STATEMENTS)

    assert capped_ranking.pair_tiers[2] == POSSIBLE


def test_a_statement_that_is_too_long_to_compare_is_possible_at_most() -> None:
    """A conflict may hide in it."""
    statements = (f"{STATEMENTS[0]} {'It was warm. ' * 200}", STATEMENTS[1])
    same_texts = (STATEMENTS[0], STATEMENTS[0])
    tiers = [LIKELY, NONE, NONE, NONE]
    assert capped(*made(tiers), same_texts, STATEMENTS).pair_tiers.tolist() == tiers
    capped_ranking = capped(*made(tiers), same_texts, statements)
    assert capped_ranking.pair_tiers.tolist() == [POSSIBLE, NONE, NONE, NONE]
    assert capped_ranking.conflicts == {}
