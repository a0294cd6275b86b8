"""The strength of a match as screens name it, with the tier in its place if a report has none."""

from __future__ import annotations

from assistant.core.domain import Match, Strength, Tier
from assistant.report.measured_strength import share_in_tests

STRONG = str(Strength.STRONG)
GOOD = str(Strength.GOOD)
POSSIBLE = str(Strength.POSSIBLE)
# The tier of a report without strengths, such as one of the published method.
LIKELY = str(Tier.LIKELY)
STRENGTHS = (STRONG, LIKELY, GOOD, POSSIBLE)
_COMPARE = "Compare both texts before you use it."


def match_strength(match: Match) -> str:
    """Return the strength of a listed match, else its tier, "" for one that is not listed."""
    return str(match.strength or match.tier or "")


def strength_meaning(strength: str) -> str:
    """Return how many matches of a strength were right in tests, "" if they were not measured."""
    if strength == LIKELY:
        return "Likely the same claim."
    return share_in_tests(Strength(strength))


def strength_help(strength: str) -> str:
    """Return the meaning of a strength, or of a tier in its place, with the advice to compare."""
    return f"{strength_meaning(strength)} {_COMPARE}".strip()
