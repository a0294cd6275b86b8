"""The sentences and labels that parts are measured on."""

from __future__ import annotations

from bench.wording.parts import DEVELOPMENT, SENTENCES, Label, Linked, labels, places, right, shares

TEXT = "Our roads are falling apart, and 43 million Americans are on food stamps."
LINKED = Linked("made up", TEXT, "43 million people are on food stamps.")


def test_a_sentence_might_be_split_at_commas_and_joining_words() -> None:
    """A comma with its joining word is one place."""
    assert places(TEXT) == [TEXT.index(" 43")]


def test_a_split_is_right_with_all_wanted_places_and_no_other() -> None:
    """A place where either will do may be missing or there."""
    assert right(LINKED, Label(0, frozenset({1}), frozenset(), frozenset({1}))) == (True, True)
    assert right(LINKED, Label(0, frozenset(), frozenset({1}), frozenset())) == (True, None)
    assert right(LINKED, Label(0, frozenset(), frozenset(), frozenset({0}))) == (False, True)


def test_the_wrong_part_is_counted() -> None:
    """Named is the second, asked for the first."""
    part_shares = shares([LINKED], [Label(0, frozenset({1}), frozenset(), frozenset({0}))])
    assert part_shares["split right"].value == 1
    assert part_shares["right part named"].value == 0


def test_every_drawn_sentence_has_a_label() -> None:
    """Seventy for building, the others for the test."""
    assert [label.place for label in labels()] == list(range(SENTENCES))
    assert 0 < DEVELOPMENT < SENTENCES
