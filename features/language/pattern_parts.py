"""Parts of regular expressions that are long enough to be tables."""

from __future__ import annotations


def any_of(*alternatives: str) -> str:
    """Return a pattern that matches the first of some patterns that fits."""
    return "|".join(alternatives)
