"""What the card adds about parts, figures and age, as rows of its list of facts: words of both texts in, HTML out."""

from __future__ import annotations

from datetime import date
from html import escape

from assistant.explain.ageing import ageing
from assistant.explain.settled import settles
from assistant.ground.domain import Match, Tier
from features.agreement import roundings


def rows(sentence: str, match: Match, event: date | None) -> list[tuple[str, str]]:
    """Return which part the claim settles, which figures agree only by rounding, and why it may have aged.

    What there is nothing to say about has no row.
    """
    found = roundings(sentence, match.claim.statement)
    rounded = "; ".join(f"{here} here, {there} in the claim" for here, there in found)
    told = [
        ("Settles" if match.tier is Tier.LIKELY else "May settle", settles(sentence, match.claim.statement)),
        ("Rounds to", rounded),
        ("Age", "; ".join(ageing(match.claim, event))),
    ]
    return [(label, escape(words)) for label, words in told if words]
