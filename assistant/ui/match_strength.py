"""The strength of a match as screens name it: strong, good or possible.

The only place where the app derives it, to be replaced once a report has it.
"""

from __future__ import annotations

from assistant.core.domain import Match, Tier

STRONG = "strong"
GOOD = "good"
POSSIBLE = "possible"
STRENGTHS = (STRONG, GOOD, POSSIBLE)
GOOD_FROM_SCORE = -1.0
STRENGTH_HELP = {
    STRONG: "In tests, nine of ten strong matches answered what was said or a part of it.",
    GOOD: "Close to what was said, and nothing was found that differs. Compare both texts.",
    POSSIBLE: "May be the same claim, or only close to it. Compare both texts before you use it.",
}


def match_strength(match: Match) -> str:
    """Return the strength of a listed match, "" for one that is not listed."""
    if match.tier is Tier.LIKELY:
        return STRONG
    if match.tier is None:
        return ""
    is_good = not match.against and match.score >= GOOD_FROM_SCORE
    return GOOD if is_good else POSSIBLE
