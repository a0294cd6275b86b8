"""Edits that keep a claim or make another of it, each by its documented rule."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.edits import claim_edits
from training.edits import wordings as words

DICE = random.Random(0)


@pytest.mark.parametrize(
    ("kind", "statement"),
    [
        ("figure", "They built 412 homes."),
        ("year", "The dam opened in 1971."),
        ("person", "Barack Obama signed the treaty."),
        ("place", "Rents in West Virginia rose."),
        ("direction", "Exports increased."),
        ("negation", "The dam is safe."),
        ("quantifier", "The mayor always pays."),
        ("narrower", "Rents rose."),
        ("wider", "Rents rose in Ohio."),
        ("topic", "The new harbour was closed by the mayor."),
        ("prediction", "The harbour was closed."),
        ("denied", "The harbour was closed."),
    ],
)
def test_a_breaking_edit_says_something_else(kind: str, statement: str) -> None:
    """Every kind finds its own place in a statement made for it, with both sets of wordings."""
    for held_out in (False, True):
        edited_text = claim_edits.broken(statement, kind, random.Random(3), held_out=held_out)
        assert edited_text
        assert edited_text != statement


@pytest.mark.parametrize("kind", ["figure", "year", "person", "place", "wider"])
def test_an_edit_without_a_place_to_change_makes_nothing(kind: str) -> None:
    """No figure, year, name or place: no edit."""
    assert claim_edits.broken("The dam is safe.", kind, DICE) is None


@given(st.integers(11, 10_000_000), st.integers(0, 200))
def test_a_rounded_figure_is_off_by_at_most_six_per_cent(figure: int, seed: int) -> None:
    """The hedge says the direction: nearly what is more, over what is less."""
    edited_text = claim_edits.rounding(f"They built {figure:,} homes.", random.Random(seed))
    if edited_text and not 1900 <= figure <= 2060:
        hedge, rounded_text = re.search(r"built (.+) ([\d,]+) homes", edited_text).groups()
        value = int(rounded_text.replace(",", ""))
        assert value != figure
        assert abs(value - figure) <= 0.06 * figure
        assert hedge in ("about", "roughly") or (hedge in ("more than", "over")) == (value < figure)


def test_a_year_and_a_round_figure_are_not_rounded() -> None:
    """Rounding 1971 or 500 would say another thing, or nothing new."""
    assert claim_edits.rounding("In 1971, they built 500 homes.", DICE) is None


def test_the_year_keeps_its_comma() -> None:
    """Only the figure is edited, never the punctuation after it."""
    assert re.fullmatch(r"In \d{4}, it opened\.", claim_edits.year("In 1971, it opened.", DICE))


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("Says he voted against his own bill.", "I voted against my own bill."),
        ("Says she opposes the dam.", "I oppose the dam."),
        ("Says he is the only one.", "I am the only one."),
    ],
)
def test_the_speaker_says_i(statement: str, expected: str) -> None:
    """The publisher's "Says he" is the speaker's "I"."""
    assert claim_edits.kept(statement, "pronoun", DICE, [""]) == expected


def test_a_country_is_no_person() -> None:
    """ "New Jersey has" is not turned into "He has"."""
    assert claim_edits.first_person("New Jersey has the highest rents.", DICE) is None


@given(st.text(alphabet="abc XYZ,.;!?$%019\"“”'’()-", max_size=60), st.integers(0, 50))
def test_recognised_speech_has_no_capitals_and_no_marks(text: str, seed: int) -> None:
    """What is left is lower case, digits, apostrophes and points inside figures, one space between words."""
    spoken_text = claim_edits.speech(text, random.Random(seed))
    assert spoken_text == spoken_text.lower()
    assert spoken_text == " ".join(spoken_text.split())
    assert not re.search(r"[,;!?$%\"“”()]|\.(?!\d)", spoken_text)


def test_recognised_speech_says_amounts_in_words() -> None:
    """Signs become the words that are spoken."""
    spoken_text = claim_edits.speech("It cost $1.5 million, or 300%.", random.Random(1))
    assert spoken_text == "it cost 1.5 million dollars or 300 percent"


@pytest.mark.parametrize(
    ("number", "expected"), [(0, "zero"), (13, "thirteen"), (40, "forty"), (97, "ninety-seven")]
)
def test_numbers_are_spelled(number: int, expected: str) -> None:
    """Below one hundred, as they are spoken."""
    assert claim_edits.spelled(number) == expected


@pytest.mark.parametrize(
    "table", ["FILLERS", "LONGER", "PREDICTIONS", "DENIALS", "TOPICS", "NARROWER"]
)
def test_held_out_wordings_are_others(table: str) -> None:
    """A test sentence never uses a wording that training used."""
    first_words, second = getattr(words, table)
    assert first_words
    assert second
    assert not set(first_words) & set(second)


def test_what_was_said_has_no_quotation_marks() -> None:
    """Frame, quotation marks and brackets are the publisher's."""
    assert (
        claim_edits.spoken('Says the mayor "raised [the] rents."') == "The mayor raised the rents."
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("President Barack Obama raised taxes.", "He raised taxes."),
        ("They say Nancy Pelosi lost.", "They say she lost."),
        ("Obama's plan failed.", "Obama's plan failed."),
        ("The mayor lost.", "The mayor lost."),
    ],
)
def test_a_politician_named_before_is_a_pronoun(text: str, expected: str) -> None:
    """Full name, surname and title go; a name in the genitive and names in no list stay."""
    assert claim_edits.unnamed(text, DICE) == expected


@given(st.integers(0, 300))
def test_noise_names_nobody_else(seed: int) -> None:
    """Where names must stay, they stay, whatever noise is put around them."""
    noisy_text = claim_edits.noisy(
        "Barack Obama signed it.", random.Random(seed), ["We love it."], names=False
    )
    heard = re.sub(r"\W+", " ", noisy_text.lower())
    assert "barack" in heard
    assert "obama" in heard
    assert " he " not in heard


@given(st.integers(0, 300))
def test_another_sentence_is_put_around_the_claim(seed: int) -> None:
    """The claim stands whole between how other sentences begin and end.

    What denies is never put there.
    """
    other_sentences = [
        "Well, frankly, it is time.",
        "I hope, and I mean it, that we win.",
        "We ran, as all of you here know.",
    ]
    embedded_text = claim_edits.embedded(
        "Rents rose in 1971.", random.Random(seed), other_sentences
    )
    assert "Rents rose in 1971" in embedded_text
    assert "hope" not in embedded_text


@given(st.integers(0, 300))
def test_a_stutter_adds_no_word(seed: int) -> None:
    """Words are said twice, none is new and none is lost."""
    text = "Rents rose in the old harbour."
    stuttered_text = claim_edits.stuttered(text, random.Random(seed))
    assert set(stuttered_text.split()) == set(text.split())
    assert 1 <= len(stuttered_text.split()) - len(text.split()) <= 4
