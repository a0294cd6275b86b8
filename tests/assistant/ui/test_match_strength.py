"""Match strength on screens: its word, the tier in its place, and the help of each."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.core.domain import Strength, Tier
from assistant.ui.match_strength import STRENGTHS, match_strength, strength_help, strength_meaning
from tests.assistant import made_up


@pytest.mark.parametrize(
    ("strength", "tier", "expected"),
    [
        (Strength.STRONG, Tier.LIKELY, "strong"),
        (Strength.GOOD, Tier.LIKELY, "good"),
        (Strength.GOOD, Tier.POSSIBLE, "good"),
        (None, Tier.LIKELY, "likely"),
        (None, Tier.POSSIBLE, "possible"),
        (None, None, ""),
    ],
)
def test_a_match_without_a_strength_shows_its_tier(strength, tier, expected):
    """The meaning of its scores was not measured."""
    match = replace(made_up.match(), strength=strength, tier=tier)

    assert match_strength(match) == expected


@pytest.mark.parametrize("word", STRENGTHS)
def test_every_word_is_explained(word):
    """No word of the list stands alone."""
    assert strength_help(word).endswith("Compare both texts before you use it.")


@pytest.mark.parametrize("word", STRENGTHS)
def test_the_meaning_is_the_help_without_the_advice(word):
    assert strength_help(word) == f"{strength_meaning(word)} Compare both texts before you use it."
