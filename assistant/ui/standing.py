"""What the card adds about figures and age, as rows of its list of facts: words of both texts in, HTML out."""

from __future__ import annotations

from datetime import date
from html import escape

from assistant.ageing import ageing
from assistant.domain import Match
from features.agreement import roundings


def rows(sentence: str, match: Match, event: date | None) -> list[tuple[str, str]]:
    """Return which figures agree only by rounding, and why the claim may have aged; nothing where neither is so."""
    found = roundings(sentence, match.claim.statement)
    rounded = "; ".join(f"{here} here, {there} in the claim" for here, there in found)
    told = [("Rounds to", escape(rounded)), ("Age", escape("; ".join(ageing(match.claim, event))))]
    return [(label, words) for label, words in told if words]
