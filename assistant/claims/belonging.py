"""Whether a fetched page is about its claim, by the claim's own words. Two texts in, words out; knows no network.

A link may lead to another article, to a list or to a notice. Own articles name what the claim is about; another
article shares its common words only. The border was chosen on 490 PolitiFact claims and tried once on 500 others,
each with its own article and with that of another claim (docs/claims.md).
"""

from __future__ import annotations

from features.bm25 import tokenize
from features.coverage import load_word_weights

LEAST = 0.4  # share of the weight of the claim's words that its own article has
NAMED = 3


def share(statement: str, body: str) -> float:
    """Return how much of the weight of a statement's words a page has, 0 to 1; 1 for a statement without words."""
    weights = _weights(statement)
    there = set(tokenize(body))
    total = sum(weights.values())
    return sum(weight for word, weight in weights.items() if word in there) / total if total else 1.0


def doubt(statement: str, body: str) -> str:
    """Return in a sentence or two that a page does not seem to be about a statement, "" where it does."""
    has = share(statement, body)
    if has >= LEAST:
        return ""
    weights, there = _weights(statement), set(tokenize(body))
    shared = sorted((word for word in weights if word in there), key=lambda word: -weights[word])[:NAMED]
    named = f"its words share only {_listed(shared)} with it" if shared else "it has none of its words"
    return f"This page does not seem to be about the claim: {named}. Read it before you rely on it."


def _weights(statement: str) -> dict[str, float]:
    known = load_word_weights()
    return {word: known.weights.get(word, known.unseen) for word in tokenize(statement)}


def _listed(words: list[str]) -> str:
    quoted = [f"“{word}”" for word in words]
    return " and ".join(filter(None, (", ".join(quoted[:-1]), quoted[-1])))
