"""Pairs about one quantity, stated exactly or as a bound ("six", "more than one"), labelled by the logic of numbers.

One figure of a real sentence is stated as it is, as a bound that follows from it, as a bound that
only may, or as one that excludes it (the relations of Naik et al. 2018, none of whose sentences is
read). Years, ordinals, dates and figures that already have a bound are left alone.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable

from training.edits.wordings import NUMBER_WORDS
from training.shared.loaders import LABELS, Pair

SOURCE = "quantities"
ABOVE = ("more than", "more than", "more than", "over")
BELOW = ("less than", "less than", "less than", "under")
NEITHER = {
    "more than": "at most",
    "over": "no more than",
    "less than": "at least",
    "under": "no less than",
}
# the bound, and whose value it has
EXACT = ("exact", "same")
BOUND = ("bound", "same")
OTHER = ("bound", "other")
# Forms of both sides by relation, each with the draw below which it is taken.
FORMS = {
    "entailment": ((0.7, EXACT, OTHER), (0.85, BOUND, OTHER), (1.0, EXACT, ("limit", "same"))),
    "neutral": ((0.7, OTHER, EXACT), (0.85, OTHER, BOUND), (1.0, ("limit", "same"), EXACT)),
    "contradiction": (
        (0.3, EXACT, BOUND),
        (0.5, EXACT, OTHER),
        (0.75, EXACT, ("exact", "other")),
        (0.9, OTHER, EXACT),
        (1.0, BOUND, ("neither", "same")),
    ),
}
_WORDS = NUMBER_WORDS[2:13]  # "one" is seldom a count
_FIGURE = re.compile(
    rf"(?<![\w.,$#/:(-])(?P<sign>\$?)(?P<value>\d[\d,]*(?:\.\d+)?|{'|'.join(_WORDS)})(?![\w.:/-]*[\w:/-])(?!,\d)",
    re.I,
)
_BOUND = re.compile(
    r"\b(?:than|over|under|above|below|about|around|nearly|almost|roughly|some|least|most|between|up to|to|and|or|"
    r"No|number|since|in|by|of|table|chapter|sections?|room|pages?|figure|part|January|February|March|April|May|June|July|August|September|October|November|December)\W*$",
    re.I,
)


class Quantity:
    """A sentence around one figure, which can be said again with another figure and with a bound before it."""

    def __init__(self, text: str, match: re.Match[str]) -> None:
        self.before = text[: match.start()]
        self.after = text[match.end() :]
        self.sign = match["sign"]
        self.written = match["value"]
        spelled = self.written.lower() in _WORDS
        self.value = float(
            NUMBER_WORDS.index(self.written.lower()) if spelled else self.written.replace(",", "")
        )
        self.spelled, self.decimals = spelled, len(self.written.partition(".")[2])

    def said(self, bound: str, value: float) -> str:
        """Return the sentence with a value written like its own, after a bound ("" for none)."""
        if self.spelled and value < len(NUMBER_WORDS):
            figure = NUMBER_WORDS[int(value)]
        else:
            figure = (
                f"{value:,.{self.decimals}f}"
                if "," in self.written
                else f"{value:.{self.decimals}f}"
            )
        if bound and not self.before.strip():
            bound = bound.capitalize()
        elif not self.before.strip():
            figure = figure.capitalize()
        return f"{self.before}{bound}{' ' * bool(bound)}{self.sign}{figure}{self.after}"

    def other(self, rng: random.Random, *, above: bool) -> float:
        """Return a value above or below, not 0, which reads as another."""
        step = 10.0**-self.decimals
        if above:
            return max(
                round(self.value * rng.choice((1.1, 1.3, 1.6, 2, 3)), self.decimals),
                self.value + step,
            )
        below = min(
            round(self.value * rng.choice((0.1, 0.3, 0.5, 0.7, 0.9)), self.decimals),
            self.value - step,
        )
        return max(below, step)


def quantity(text: str, rng: random.Random) -> Quantity | None:
    """Return the sentence around one of its figures that is a plain count of two or more.

    None without one.
    """
    quantities = [
        quantity
        for match in _FIGURE.finditer(text)
        if not _BOUND.search(text[: match.start()])
        and (quantity := Quantity(text, match)).value >= 2
        and not (quantity.written.isdigit() and 1500 <= quantity.value <= 2100)
    ]
    return rng.choice(quantities) if quantities else None


def _stated(one: Quantity, relation: str, rng: random.Random) -> tuple[str, str]:
    """Return a form of the sentence for each side of a pair, drawn from those whose relation is wanted."""
    above = rng.random() < 0.5
    bound = rng.choice(ABOVE if above else BELOW)
    other = one.other(rng, above=above == (relation == "contradiction"))
    draw = rng.random()
    sides = next(sides for share, *sides in FORMS[relation] if draw < share)
    limit = rng.choice(("at least", "at most")) if ("limit", "same") in sides else ""
    bounds = {"exact": "", "bound": bound, "neither": NEITHER[bound], "limit": limit}
    first, second = (
        one.said(bounds[form], other if value == "other" else one.value) for form, value in sides
    )
    return first, second


def quantity_pairs(texts: Iterable[str], *, seed: int) -> list[Pair]:
    """Return a pair for every text with a plain figure, the relations in turn."""
    rng = random.Random(seed)
    pairs = []
    for text in texts:
        if one := quantity(text, rng):
            relation = LABELS[len(pairs) % len(LABELS)]
            pairs.append(Pair(*_stated(one, relation, rng), LABELS.index(relation), SOURCE))
    return pairs
