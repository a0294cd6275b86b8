"""The values of the API, made from a report."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.api.wire_types import MatchStrength
from assistant.core.domain import Strength, Tier
from tests.assistant import made_up


@pytest.mark.parametrize(
    ("strength", "tier", "expected"),
    [
        (Strength.STRONG, Tier.LIKELY, "strong"),
        (Strength.GOOD, Tier.LIKELY, "good"),
        (Strength.POSSIBLE, Tier.POSSIBLE, "possible"),
        (None, Tier.LIKELY, "possible"),
        (None, None, "related"),
    ],
)
def test_the_strength_of_a_match_is_that_of_its_report(strength, tier, expected):
    """A likely match of a report without strengths is never called strong."""
    match = replace(made_up.match(), strength=strength, tier=tier)

    assert MatchStrength.of(match) == expected
