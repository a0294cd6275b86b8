"""Why a match has its rank."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import date
from types import SimpleNamespace

import pytest

from assistant.core.domain import Agreement, Difference, RatingClass, Stance, Strength, Tier
from assistant.ui import rank_reasons
from features.language.conflicts import CONFLICTS
from features.similarity import input_catalogue
from features.similarity.catalogue import NAMES
from tests.assistant.ui import factory

MATCH = factory.match(0, 1, None)


def test_groups_lose_nothing_of_the_score():
    """The groups sum to what the contributions sum to."""
    assert sum(MATCH.contributions.values()) == pytest.approx(
        sum(g.total for g in rank_reasons.rank_groups(MATCH))
    )


def test_groups_come_largest_first_and_the_largest_fills_the_chart():
    """Order is by size, whatever the sign; shares lie between 0 and 1."""
    sizes = [abs(g.total) for g in rank_reasons.rank_groups(MATCH)]

    assert sorted(sizes, reverse=True) == sizes
    assert [
        rank_reasons.rank_groups(MATCH)[0].share,
        all(0 <= g.share <= 1 for g in rank_reasons.rank_groups(MATCH)),
    ] == [1.0, True]


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("bertscore", "BERTScore"),
        ("nli_neutral", "NLI"),
        ("sbert_standing", "SBERT"),
        ("bm25_body_2", "BM25"),
        ("date_gap", "other inputs"),
        ("days_apart", "dates"),
        ("base", "start"),
    ],
)
def test_an_input_belongs_to_the_group_of_its_family(name, family):
    """Measures, and inputs made from them, are in the group of their family."""
    (group,) = rank_reasons.rank_groups(replace(MATCH, contributions={name: 0.5}))

    assert family == group.label


def test_a_ranker_without_contributions_has_no_chart():
    """No bars are better than invented ones; the raw measures are still shown."""
    bare = replace(MATCH, contributions={})

    assert rank_reasons.rank_groups(bare) == ()
    assert len(NAMES) == sum(len(values) for _, values in rank_reasons.raw_measures(bare))


def test_raw_values_stand_beside_their_contribution():
    """A measure has its raw value, an input that is none has not."""
    raw = {p.name: p.raw_value for g in rank_reasons.rank_groups(MATCH) for p in g.contributions}

    assert MATCH.measures[NAMES.index("bm25_statement")] == raw["bm25_statement"]
    assert raw["date_gap"] is None


def test_the_line_in_words_has_both_sides():
    """What lifts the match, and what a reader should doubt."""
    match = replace(
        MATCH,
        stance=Stance.CONTRADICTS,
        agreement={
            "numbers": Agreement.SAME,
            "names": Agreement.DIFFERENT,
            "dates": Agreement.MISSING,
        },
    )

    reason_text = rank_reasons.rank_words(match, "Taxes rose.", date(2024, 9, 10))

    assert (
        reason_text
        == "For: close in meaning, words in common, one follows from the other, same numbers. "
        "Against: one of the two denies it or says the opposite, other names, may be out of date, "
        "fact-checked about 6 years before this debate."
    )


def test_an_unknown_date_speaks_against():
    """A check without a date is a reason for doubt."""
    claim = replace(MATCH.claim, claim_date=None, review_date=None)
    match = replace(MATCH, agreement={}, claim=claim)

    assert rank_reasons.speaks_against(match, "Taxes rose.", date(2024, 9, 10)) == [
        "date of the fact-check unknown"
    ]


SETTINGS = {"likely": -0.42, "ranker": "lectern"}
SENTENCE = next(s for s in factory.report(60).sentences if s.tier is Tier.LIKELY)


@pytest.mark.parametrize(
    ("tier", "sureness", "against", "expected"),
    [
        (
            Tier.LIKELY,
            {"base": -7.5, "bertscore": 7.4},
            (),
            "claimed (−0.10, likely begins at −0.42). No conflict was found",
        ),
        (
            Tier.POSSIBLE,
            {"base": -7.5, "bertscore": 6.0},
            (),
            "Not sure enough by what is said and claimed (−1.50",
        ),
        (
            Tier.POSSIBLE,
            {"bertscore": 1.0},
            ("figures", "denial"),
            "against it: other figures, one of the two denies it.",
        ),
        (Tier.POSSIBLE, {"base": -7.5}, ("names",), "other names; not sure enough by"),
        (Tier.LIKELY, {}, (), "No conflict was found between the two texts."),
        (Tier.POSSIBLE, {}, (), ""),
    ],
)
def test_what_makes_a_match_likely_or_keeps_it_from_that_is_said(tier, sureness, against, expected):
    """The sum and the border, what capped it, or nothing where an old report does not store it."""
    match = replace(
        MATCH,
        tier=tier,
        sureness=sureness,
        against=against,
        stance=Stance.REPEATS,
        agreement={},
    )
    tier_text = rank_reasons.tier_words(match, SENTENCE, SETTINGS)
    assert expected in tier_text
    assert bool(expected) == bool(tier_text)
    assert rank_reasons.tier_title(match) == (
        "Why likely" if tier is Tier.LIKELY else "Why possible, not likely"
    )


def test_a_short_sentence_and_a_rating_that_settles_nothing_are_said():
    """Neither can be seen in the numbers."""
    short = replace(SENTENCE, sentence=replace(SENTENCE.sentence, text="It rains."))
    possible = replace(MATCH, tier=Tier.POSSIBLE)
    likely = replace(MATCH, tier=Tier.LIKELY)
    assert (
        rank_reasons.tier_words(possible, short, SETTINGS)
        == "A sentence of fewer than 5 words is never likely."
    )
    assert "rating is mixed" in rank_reasons.tier_words(
        likely, replace(SENTENCE, tier=Tier.POSSIBLE), SETTINGS
    )
    assert "rating is mixed" not in rank_reasons.tier_words(likely, SENTENCE, SETTINGS)


def test_what_speaks_for_and_against_likely_has_the_words_of_the_rank():
    """Both sides by size; a ranker without sureness, and a report that did not keep it, say so."""
    sureness = {
        "base": -7.5,
        "sbert_statement": 0.9,
        "same_speaker": 0.4,
        "numbers_clash": -0.6,
        "days_apart": -0.7,
    }
    match = replace(MATCH, sureness=sureness)
    assert (
        rank_reasons.confidence_words(match, SETTINGS)
        == "For: close in meaning, same speaker. Against: said long before or after the event, different numbers."
    )
    assert sum(sureness.values()) == pytest.approx(
        sum(g.total for g in rank_reasons.tier_groups(match))
    )
    assert "check the transcript again" in rank_reasons.confidence_words(MATCH, SETTINGS)
    assert "goes by the score" in rank_reasons.confidence_words(
        MATCH, {"ranker": "ranksvm-max-skip"}
    )


def test_every_conflict_and_every_input_has_words():
    """No reader is shown the name of a rule or a column."""
    match = replace(MATCH, tier=Tier.POSSIBLE, against=CONFLICTS)
    tier_text = rank_reasons.tier_words(match, SENTENCE, SETTINGS).partition("against it: ")[2]
    assert not set(CONFLICTS) & set(tier_text.rstrip(".").split(", "))


def test_every_input_of_the_shipped_ranker_has_words():
    """No reader is shown the name of a column."""
    match = replace(MATCH, contributions=dict.fromkeys(input_catalogue.NAMES, 0.1))

    assert [
        p.name
        for g in rank_reasons.rank_groups(match)
        for p in g.contributions
        if p.meaning == p.name.replace("_", " ")
    ] == []


def test_the_largest_bar_of_the_shipped_ranker_has_a_name():
    """Each input of the table is in a group that says what it compares."""
    for name in input_catalogue.NAMES:
        (group,) = rank_reasons.rank_groups(replace(MATCH, contributions={name: 0.5}))
        assert group.label != input_catalogue.Group().label


def test_where_every_pair_starts_stands_last_and_scales_nothing():
    """A large start does not make the bars of what was measured small."""
    groups = rank_reasons.rank_groups(
        replace(MATCH, contributions={"base": -9.0, "sbert_statement": 0.5, "bertscore": 0.25})
    )

    assert [(g.label, g.share) for g in groups] == [
        ("SBERT", 1.0),
        ("BERTScore", 0.5),
        ("start", 1.0),
    ]


def test_nli_that_has_not_read_a_pair_is_not_measured():
    """Three zeros are no probabilities."""
    values = {name: 0.0 if name.startswith("nli") else 0.5 for name in NAMES}
    unread = dict(rank_reasons.raw_measures(replace(MATCH, measures=tuple(values.values()))))

    assert [math.isnan(value) for _, value in unread["NLI"]] == [True] * 3
    assert not any(math.isnan(value) for family in ("BM25", "SBERT") for _, value in unread[family])


def test_a_further_match_speaks_for_itself():
    """Its score also holds what lifts the first; what its own sureness goes by does not."""
    match = replace(
        MATCH, contributions={"reread": 2.0}, sureness={"numbers_shared": 0.1, "bm25_title": 1.0}
    )

    assert "fits when read in context" in rank_reasons.speaks_for(replace(match, rank=1))
    further = rank_reasons.speaks_for(replace(match, rank=2))
    assert "words in common" in further
    assert "fits when read in context" not in further


def test_the_text_models_give_no_reason_beside_a_conflict():
    """A reader is not told that both make one claim, and then that they don't."""
    scores = {"same_claim": 1.0, "nli_entailment": 1.0, "sbert_statement": 0.5}
    match = replace(MATCH, contributions=scores, sureness=scores)
    conflicting = replace(match, against=("figures",))

    assert input_catalogue.SAME_CLAIM in rank_reasons.speaks_for(match)
    assert input_catalogue.FOLLOWS in rank_reasons.confidence_words(match, SETTINGS)
    for reasons in (
        ", ".join(rank_reasons.speaks_for(conflicting)),
        rank_reasons.confidence_words(conflicting, SETTINGS),
    ):
        assert input_catalogue.SAME_CLAIM not in reasons
        assert input_catalogue.FOLLOWS not in reasons
        assert "close in meaning" in reasons


def test_a_low_entailment_is_called_no_contradiction():
    """Most pairs whose NLI inputs lower the score are neither a contradiction."""
    match = replace(MATCH, sureness={"nli_contradiction": -0.2, "nli_entailment": -0.1})

    words = rank_reasons.confidence_words(match, SETTINGS)

    assert words == "For: nothing stands out. Against: neither follows from the other."


@pytest.mark.parametrize("strength", [Strength.GOOD, Strength.POSSIBLE])
def test_nothing_is_found_only_if_the_card_names_nothing(strength):
    """A denial of one text alone, an aged claim and a changed rating are on the card, too."""
    claim = replace(MATCH.claim, statement="The accident killed hundreds today.")
    match = replace(MATCH, claim=claim, stance=Stance.REPEATS, agreement={}, strength=strength)
    event = claim.review_date

    def against(sentence, checked_match, day=None):
        return rank_reasons.rank_words(checked_match, sentence, day).partition(" Against: ")[2]

    assert against("Hundreds were killed.", match) == "nothing found."
    assert against("Nobody was killed.", match) == "only the sentence says “Nobody”."
    aged = replace(match, claim=replace(claim, claim_date=date(2001, 5, 1)))
    assert against("Hundreds were killed.", aged, event) == "may be out of date."
    revised = replace(match, revised="rated True since 3 May 2024")
    assert against("Hundreds were killed.", revised) == "rated True since 3 May 2024."
    untrue = replace(match, claim=replace(claim, rating_class=RatingClass.NOT_A_TRUTH_RATING))
    assert against("Hundreds were killed.", untrue) == "the rating is not about truth."


def test_only_a_strong_match_without_differences_repeats_its_claim():
    """Numbers that a note names as different are not the same numbers."""
    match = replace(
        MATCH,
        stance=Stance.REPEATS,
        agreement={"numbers": Agreement.SAME, "names": Agreement.SAME},
        contributions={},
        strength=Strength.STRONG,
    )
    rounded = replace(match, uncovered=(Difference("figures", "16 percent", "15 percent"),))

    assert rank_reasons.speaks_for(match) == ["repeats the claim", "same numbers", "same names"]
    assert rank_reasons.speaks_for(rounded) == ["same names"]
    good = replace(match, strength=Strength.GOOD)
    assert "repeats the claim" not in rank_reasons.speaks_for(good)


def test_no_conflict_is_said_to_be_missing_beside_a_doubt():
    match = replace(MATCH, tier=Tier.LIKELY, agreement={"names": Agreement.DIFFERENT})

    tier_text = rank_reasons.tier_words(match, SENTENCE, SETTINGS)

    assert "No conflict" not in tier_text


def rows_with_scores(*scores):
    """Return listed passages whose first matches have these contributions, best first."""
    groups = []
    for contributions in scores:
        match = replace(MATCH, contributions=contributions)
        checked = replace(SENTENCE, matches=(match,))
        groups.append(SimpleNamespace(listed=SimpleNamespace(best=checked)))
    return groups


def test_a_row_says_why_it_stands_above_the_next_one():
    """The inputs in which it is ahead, largest first; the last row has no row below it."""
    groups = rows_with_scores(
        {"sbert_statement": 0.9, "bm25_body": 0.1}, {"sbert_statement": 0.2, "bm25_body": 0.3}
    )

    line = rank_reasons.rank_line(groups, 1)

    ahead = input_catalogue.speaks_for("sbert_statement")
    assert line.startswith(f"Rank 1 of 2, above the next row for: {ahead}. Strong matches")
    assert rank_reasons.rank_line(groups, 2).startswith("Rank 2 of 2. Strong matches")


def test_a_row_above_a_better_score_gives_no_reason():
    """A report of another ranker has no contributions; a decision may have moved a row."""
    behind = rows_with_scores({"sbert_statement": 0.1}, {"sbert_statement": 0.9})
    unknown = rows_with_scores({}, {})

    for groups in (behind, unknown):
        assert rank_reasons.rank_line(groups, 1).startswith("Rank 1 of 2. ")
