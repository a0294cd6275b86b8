"""A negation turns the relation of two texts by logic."""

from __future__ import annotations

import random

import pytest

from training.edits.negations import negation_pairs, turned
from training.shared.loaders import LABELS, Pair


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The dam is safe.", "The dam is not safe."),
        ("The dam is not safe.", "The dam is safe."),
        ("The dam wasn't safe.", "The dam was safe."),
        ("Nobody is sure.", None),
        ("It is not that it was never safe.", None),
        ("Water rises.", None),
    ],
)
def test_turned_adds_or_takes_away_one_not(text: str, expected: str | None) -> None:
    """Where a second negation or none that can be taken away stands, nothing is made."""
    assert turned(text, random.Random(0)) == expected


def relations(label: str, premise: str, hypothesis: str) -> set[tuple[str, str, str]]:
    """Return everything that the rules make of one pair."""
    pair = Pair(premise, hypothesis, LABELS.index(label), "given")
    made_pairs = [negation for seed in range(300) for negation in negation_pairs([pair], seed=seed)]
    return {
        (made_pair.premise, made_pair.hypothesis, LABELS[made_pair.label])
        for made_pair in made_pairs
    }


def test_an_entailment_between_different_texts() -> None:
    """Not the one says nothing of the other.

    The denied conclusion denies what it followed from.
    """
    p = "The old dam was built well"
    not_p = "The old dam was not built well"
    q = "The dam is safe"
    not_q = "The dam is not safe"
    assert relations("entailment", p, q) == {
        (p, not_q, "contradiction"),
        (not_p, q, "neutral"),
        (not_p, not_q, "neutral"),
        (not_q, not_p, "entailment"),
    }


def test_an_entailment_between_like_texts_goes_both_ways() -> None:
    """Two wordings of one thing: denying one contradicts the other."""
    p = "The dam is safe"
    q = "The dam is safe now"
    not_p = "The dam is not safe"
    not_q = "The dam is not safe now"
    assert relations("entailment", p, q) == {
        (p, not_q, "contradiction"),
        (not_p, q, "contradiction"),
        (not_p, not_q, "entailment"),
        (not_q, not_p, "entailment"),
    }


def test_a_contradiction_becomes_an_entailment_and_neutral_stays() -> None:
    """What cannot be true with p is false where p is true."""
    p = "The old dam was built well"
    q = "The dam is unsafe"
    assert (p, "The dam is not unsafe", "entailment") in relations("contradiction", p, q)
    assert {label for *_, label in relations("neutral", p, q)} == {"neutral"}


def test_what_stays_open_is_kept_once_in_four_times() -> None:
    """Most negations leave everything open; they do not fill the set."""
    pairs = [Pair("The dam is safe.", "Water rises.", LABELS.index("neutral"), "given")] * 400
    assert 60 < len(negation_pairs(pairs, seed=1)) < 140
