"""Notes on the difference between a sentence and a claim, with the words of both."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.core.domain import Difference, Match, Strength, VerifiedClaim
from assistant.report.difference_notes import difference_note, difference_notes
from assistant.report.wording import doubts
from features.similarity.catalogue import COLUMN

MATCH = Match(
    claim=VerifiedClaim(id="c1", statement="The bridge cost 12 million dollars."),
    rank=1,
    score=0.0,
    tier=None,
    measures=(),
)


@pytest.mark.parametrize(
    ("difference", "expected"),
    [
        (Difference("figures", "15 percent", "12 percent"), "They checked 12 percent; 15 percent was said"),
        (Difference("figures", "", "12 percent"), "They checked 12 percent, which was not said"),
        (Difference("names", "Tom Reyes", "Ana Reyes"), "They checked Ana Reyes; Tom Reyes was said"),
        (Difference("direction", "fell", "rose"), "They checked “rose”; “fell” was said"),
        (Difference("quotation", "He says that", ""), "The sentence quotes somebody: “he says that”"),
        (Difference("plan", "", "wants to close"), "They checked a plan or prospect (“wants to close”); a fact was said"),
        (Difference("cause", "due to the war", ""), "They checked it without a cause; “due to the war” was said"),
        (Difference("unchecked", "fired ten pilots", ""), "The checked statement says nothing on “fired ten pilots”"),
        (Difference("unchecked", "The trade deficit", ""), "The checked statement says nothing on “the trade deficit”"),
        (Difference("unchecked", "A dozen ships", ""), "The checked statement says nothing on “a dozen ships”"),
        (Difference("unchecked", "Reyes and Pryce", ""), "The checked statement says nothing on “Reyes and Pryce”"),
        (Difference("unchecked", "US ships", ""), "The checked statement says nothing on “US ships”"),
        (Difference("unchecked", "I paid the toll", ""), "The checked statement says nothing on “I paid the toll”"),
        (Difference("unchecked", "May in Bergen", ""), "The checked statement says nothing on “May in Bergen”"),
        (Difference("unchecked", "The Hague court", ""), "The checked statement says nothing on “The Hague court”"),
        (Difference("direction", "It fell", "They rose"), "They checked “they rose”; “it fell” was said"),
        (Difference("unsaid", "", "every month"), "The checked statement also says “every month”"),
        (Difference("last", "in Bergen", ""), "The checked statement says nothing on “in Bergen”"),
        (Difference("last", "", "in Bergen"), "The checked statement also says “in Bergen”"),
        (Difference("last", "in 50 years", "in 25 years"), "They checked “in 25 years”; “in 50 years” was said"),
        (Difference("strength", "wrote", "helped write"), "They checked “helped write”; “wrote” was said"),
        (Difference("scope", "all", ""), "They checked it without “all”"),
        (Difference("years", "last year", "Last year"), "“last year” means another time in the claim"),
        (Difference("speaker", "she", "I (Owen Pryce)"), "The sentence speaks of she, the claim of I (Owen Pryce)"),
        (Difference("names", "", ""), ""),
        (Difference("figures", "36 million", "One out of five"), "They checked one out of five; 36 million was said"),
        (Difference("names", "American", "Acme"), ""),
        (Difference("names", "Obama", "Syrian"), ""),
        (Difference("names", "Texas", "Mexico"), "They checked Mexico; Texas was said"),
        (Difference("wording", "formation is down", "startups"), ""),
        (Difference("wording", "allow a 550 percent", ""), ""),
        (Difference("wording", "new liters", ""), "They checked it without “new liters”"),
        (Difference("a later conflict", "one", ""), ""),
        (Difference("denial", "not", ""), "They checked it without a denial; “not” was said"),
        (Difference("wording", "many votes as", "most votes"), ""),
        (Difference("wording", "fewest votes", "most votes"), "They checked “most votes”; “fewest votes” was said"),
        (Difference("cause", "if you look at the toll", "because of the toll"), ""),
        (Difference("cause", "due to the war", "because of the toll"), "They checked “because of the toll”; “due to the war” was said"),
        (Difference("quotation", "And what it is about is saying that it", ""), ""),
        (Difference("quotation", "they say", ""), ""),
        (Difference("plan", "they would lose", ""), ""),
        (Difference("plan", "You'll recall", ""), ""),
        (Difference("supposition", "We closed the pier, and what did we get out of it?", ""), ""),
        (
            Difference("supposition", "Did we close the pier?", ""),
            "They checked a statement; a question or a supposition was said: “Did we close the pier?”",
        ),
        (Difference("wording", "once again", ""), ""),
        (Difference("wording", "person", "capita"), ""),
        (Difference("wording", "Earth", "world"), ""),
        (Difference("wording", "Earth", "person"), "They checked “person”; “Earth” was said"),
        (Difference("wording", "person", "ferry"), "They checked “ferry”; “person” was said"),
        (Difference("denial", "did not close", ""), "They checked it without a denial; “did not close” was said"),
    ],
)  # fmt: skip
def test_a_note_names_both_values_or_says_nothing(difference: Difference, expected: str) -> None:
    assert difference_note(difference) == expected


def test_a_general_difference_is_left_out_if_another_has_its_words() -> None:
    differences = (
        Difference("wording", "liters", "gallons"),
        Difference("units", "40 liters", "40 gallons"),
    )

    notes = difference_notes(replace(MATCH, differences=differences))

    assert notes == ["They checked 40 gallons; 40 liters was said"]


def test_long_words_are_shortened_in_the_middle() -> None:
    long_words = "the " + "very " * 40 + "long bridge"

    note = difference_note(Difference("roles", long_words, "the bridge"))

    assert note.count("…") == 1
    assert len(note) < 200


def test_the_notes_are_the_doubts_of_a_match() -> None:
    match = replace(MATCH, differences=(Difference("ranks", "highest", "second highest"),))

    assert doubts(match) == ["They checked “second highest”; “highest” was said"]


def test_a_conflict_of_a_possible_match_is_named_only_if_it_is_a_quotation() -> None:
    """Its texts seldom speak of the same matter: two words that differ mean nothing."""
    conflicts = (
        Difference("figures", "15 percent", "12 percent"),
        Difference("quotation", "He says that", ""),
    )

    good = replace(MATCH, strength=Strength.GOOD, differences=conflicts)
    possible = replace(good, strength=Strength.POSSIBLE)

    assert len(difference_notes(good)) == 2
    assert difference_notes(possible) == ["The sentence quotes somebody: “he says that”"]


@pytest.mark.parametrize("strength", [None, *Strength])
def test_an_uncovered_part_is_named_whatever_the_strength(strength: Strength | None) -> None:
    parts = (Difference("unchecked", "fired ten pilots", ""),)

    notes = difference_notes(replace(MATCH, strength=strength, uncovered=parts))

    assert notes == ["The checked statement says nothing on “fired ten pilots”"]


def test_a_remainder_is_named_in_a_possible_match_alone() -> None:
    parts = (Difference("remainder", "a paid agent", ""),)
    possible = replace(MATCH, strength=Strength.POSSIBLE, uncovered=parts)

    assert difference_notes(possible) == ["The checked statement says nothing on “a paid agent”"]
    assert difference_notes(replace(possible, strength=Strength.GOOD)) == []


@pytest.mark.parametrize(
    "part", [Difference("remainder", "a paid agent", ""), Difference("unsaid", "", "$5")]
)
def test_an_unsure_part_hides_no_conflict(part: Difference) -> None:
    conflict = Difference("denial", "never", "")

    notes = difference_notes(replace(MATCH, differences=(conflict,), uncovered=(part,)))

    assert notes == ["They checked it without a denial; “never” was said"]


def test_a_part_of_the_statement_is_not_named_beside_a_conflict() -> None:
    match = replace(
        MATCH,
        differences=(Difference("ranks", "highest", "second highest"),),
        uncovered=(Difference("unsaid", "", "every month"),),
    )

    assert difference_notes(match) == ["They checked “second highest”; “highest” was said"]


def test_two_unchecked_parts_are_named_in_one_line() -> None:
    parts = (Difference("unchecked", "fired ten pilots", ""), Difference("unchecked", "$5", ""))

    notes = difference_notes(replace(MATCH, uncovered=parts))

    assert notes == ["The checked statement says nothing on “fired ten pilots” or “$5”"]


def test_a_card_has_two_notes_at_most() -> None:
    parts = tuple(Difference("strength", f"{words} said", words) for words in ("one", "two", "six"))

    assert len(difference_notes(replace(MATCH, uncovered=parts))) == 2


def test_exchanged_roles_are_not_named_beside_a_part_of_one_text() -> None:
    roles = Difference("roles", "cats than dogs", "dogs than cats")
    part = Difference("unchecked", "fired ten pilots", "")

    alone = difference_notes(replace(MATCH, differences=(roles,)))
    beside = difference_notes(replace(MATCH, differences=(roles,), uncovered=(part,)))

    assert alone == ["They checked “dogs than cats”; “cats than dogs” was said"]
    assert beside == ["The checked statement says nothing on “fired ten pilots”"]


@pytest.mark.parametrize("conflict", ["denial", "scope", "wording"])
def test_a_single_word_is_not_named_beside_an_uncovered_part(conflict: str) -> None:
    match = replace(
        MATCH,
        strength=Strength.GOOD,
        differences=(Difference(conflict, "not", ""),),
        uncovered=(Difference("unchecked", "every day", ""),),
    )

    assert difference_notes(match) == ["The checked statement says nothing on “every day”"]


def test_two_forms_of_one_name_are_no_difference():
    assert difference_note(Difference("names", "Iranian", "Iran's")) == ""


@pytest.mark.parametrize(
    ("said", "claimed"), [("four", "4"), ("$4 million", "four million dollars")]
)
def test_two_spellings_of_one_figure_are_no_difference(said: str, claimed: str) -> None:
    """They count different things then, which the figures alone do not tell."""
    assert difference_note(Difference("figures", said, claimed)) == ""
    assert difference_note(Difference("figures", f"{said} people", f"{claimed} cars")) != ""


@pytest.mark.parametrize(
    "difference",
    [
        Difference("contradiction"),  # the text model's opinion alone
        Difference("wording", "away", ""),
        Difference("wording", "incidentally", ""),
        Difference("scope", "totally", ""),
    ],
)
def test_an_opinion_without_words_and_a_particle_are_no_note(difference: Difference) -> None:
    assert difference_notes(replace(MATCH, differences=(difference,))) == []


def test_a_figure_is_named_once() -> None:
    differences = (Difference("figures", "39 million", "43 million"),)
    parts = (Difference("unchecked", "39 million pilots", ""),)

    notes = difference_notes(replace(MATCH, differences=differences, uncovered=parts))

    assert notes == ["They checked 43 million; 39 million was said"]


def test_figures_far_apart_are_of_two_things_unless_the_unit_slipped() -> None:
    far_apart = (Difference("figures", "3.9 million", "43 million"),)
    parts = (Difference("unchecked", "3.9 million pilots", ""),)
    notes = difference_notes(replace(MATCH, differences=far_apart, uncovered=parts))
    assert notes == ["The checked statement says nothing on “3.9 million pilots”"]

    slip = (Difference("figures", "$2 million", "$2 billion"),)
    notes = difference_notes(replace(MATCH, differences=slip))
    assert notes == ["They checked $2 billion; $2 million was said"]


def test_a_condition_of_the_claim_is_named() -> None:
    part = Difference("supposition", "", "If the bridge falls")

    notes = difference_notes(replace(MATCH, uncovered=(part,)))

    assert notes == ["They checked it under a condition (“if the bridge falls”); none was said"]


def test_a_light_word_and_two_gerunds_are_no_note() -> None:
    """ "In this country" speaks of no other women, and "dying" may stand for "closing"."""
    for difference in (
        Difference("wording", "country", ""),
        Difference("wording", "ends", ""),
        Difference("wording", "closing", "dying"),
    ):
        assert difference_notes(replace(MATCH, differences=(difference,))) == []
    assert difference_note(Difference("wording", "ferries", "")) != ""
    assert difference_note(Difference("wording", "ferries", "buses")) != ""


def test_the_american_people_are_no_other_place() -> None:
    assert difference_note(Difference("places", "American", "Syrian")) == ""
    assert difference_note(Difference("places", "Norway", "Syria")) != ""


def test_a_name_that_the_statement_has_besides_is_no_other_name() -> None:
    claim = replace(MATCH.claim, statement="Ana Reyes and Tom Lee closed the bridge.")
    other_name = (Difference("names", "Tom Lee", "Ana Reyes"),)
    assert difference_notes(replace(MATCH, claim=claim, differences=other_name)) == []

    claim = replace(MATCH.claim, statement="Ana Reyes closed the bridge.")
    notes = difference_notes(replace(MATCH, claim=claim, differences=other_name))
    assert notes == ["They checked Ana Reyes; Tom Lee was said"]


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        (["last"], ["nothing on “the last one”"]),
        (["unchecked", "last"], ["nothing on “the unchecked one” or “the last one”"]),
        (["last", "unsaid"], ["nothing on “the last one”", "also says “the unsaid one”"]),
        (["last", "remainder"], ["nothing on “the last one”"]),
        (["plan", "unchecked"], ["nothing on “the unchecked one”"]),
        (["plan"], ["They checked a fact; a plan or prospect was said: “the plan one”"]),
        (["unchecked", "unsaid"], ["nothing on “the unchecked one”"]),
    ],
)
def test_a_last_difference_is_noted_alone_or_beside_parts_of_one_text(
    kinds: list[str], expected: list[str]
) -> None:
    differences = [
        Difference(kind, "", f"the {kind} one")
        if kind == "unsaid"
        else Difference(kind, f"the {kind} one", "")
        for kind in kinds
    ]

    notes = difference_notes(
        replace(MATCH, strength=Strength.POSSIBLE, uncovered=tuple(differences))
    )

    assert len(notes) == len(expected)
    assert all(note.endswith(words) for note, words in zip(notes, expected, strict=True))


def test_a_strong_match_has_no_last_difference() -> None:
    differences = (Difference("last", "in Bergen", ""),)

    assert difference_notes(replace(MATCH, strength=Strength.STRONG, uncovered=differences)) == []


def test_a_figure_of_both_texts_is_not_noted_again_as_unchecked() -> None:
    differences = (
        Difference("last", "27 ports", "31 ports"),
        Difference("unchecked", "27 ports", ""),
    )

    notes = difference_notes(replace(MATCH, strength=Strength.GOOD, uncovered=differences))

    assert notes == ["They checked “31 ports”; “27 ports” was said"]


@pytest.mark.parametrize("kind", ["unsaid", "last"])
@pytest.mark.parametrize(("entailment", "note_count"), [(0.2, 1), (0.6, 0)])
def test_an_implied_statement_has_no_part_of_its_own(
    kind: str, entailment: float, note_count: int
) -> None:
    measures = tuple(entailment if name == "nli_entailment" else 0.0 for name in COLUMN)
    of_statement = replace(
        MATCH, measures=measures, uncovered=(Difference(kind, "", "every month"),)
    )
    of_sentence = replace(of_statement, uncovered=(Difference("unchecked", "every month", ""),))

    assert len(difference_notes(of_statement)) == note_count
    assert len(difference_notes(of_sentence)) == 1


@pytest.mark.parametrize(
    ("first", "second", "note_count"),
    [
        ("they're losing ships fast", "they are losing ships so fast", 1),
        ("because the port has a bad toll system", "the pilots pay millions into the port", 2),
    ],
)
def test_a_quotation_that_repeats_another_one_is_left_out(
    first: str, second: str, note_count: int
) -> None:
    parts = (Difference("unchecked", first, ""), Difference("unchecked", second, ""))

    [note] = difference_notes(replace(MATCH, uncovered=parts))

    assert note.count("“") == note_count
