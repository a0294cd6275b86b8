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
        self.spelled = self.written.lower() in _WORDS
        if self.spelled:
            self.value = float(NUMBER_WORDS.index(self.written.lower()))
        else:
            self.value = float(self.written.replace(",", ""))
        self.decimals = len(self.written.partition(".")[2])

    def worded(self, bound: str, value: float) -> str:
        """Return the sentence with a value written like its own, after a bound ("" for none)."""
        if self.spelled and value < len(NUMBER_WORDS):
            figure = NUMBER_WORDS[int(value)]
        elif "," in self.written:
            figure = f"{value:,.{self.decimals}f}"
        else:
            figure = f"{value:.{self.decimals}f}"
        if not self.before.strip():
            if bound:
                bound = bound.capitalize()
            else:
                figure = figure.capitalize()
        space = " " if bound else ""
        return f"{self.before}{bound}{space}{self.sign}{figure}{self.after}"

    def other(self, rng: random.Random, *, above: bool) -> float:
        """Return a value above or below, not 0, which reads as another."""
        step = 10.0**-self.decimals
        if above:
            larger = round(self.value * rng.choice((1.1, 1.3, 1.6, 2, 3)), self.decimals)
            return max(larger, self.value + step)
        smaller = round(self.value * rng.choice((0.1, 0.3, 0.5, 0.7, 0.9)), self.decimals)
        return max(min(smaller, self.value - step), step)


def quantity(text: str, rng: random.Random) -> Quantity | None:
    """Return the sentence around one of its figures that is a plain count of two or more.

    None without one.
    """
    quantities = []
    for match in _FIGURE.finditer(text):
        if _BOUND.search(text[: match.start()]):
            continue
        candidate = Quantity(text, match)
        is_year = candidate.written.isdigit() and 1500 <= candidate.value <= 2100
        if candidate.value >= 2 and not is_year:
            quantities.append(candidate)
    return rng.choice(quantities) if quantities else None


def _stated(count: Quantity, relation: str, rng: random.Random) -> tuple[str, str]:
    """Return both sides of a pair with a relation, in a form drawn by chance."""
    above = rng.random() < 0.5
    bound = rng.choice(ABOVE if above else BELOW)
    other_value = count.other(rng, above=above == (relation == "contradiction"))
    form_draw = rng.random()
    premise_form, hypothesis_form = next(
        forms for share, *forms in FORMS[relation] if form_draw < share
    )
    limit = ""
    if ("limit", "same") in (premise_form, hypothesis_form):
        limit = rng.choice(("at least", "at most"))
    bounds = {"exact": "", "bound": bound, "neither": NEITHER[bound], "limit": limit}
    values = {"same": count.value, "other": other_value}
    premise = count.worded(bounds[premise_form[0]], values[premise_form[1]])
    hypothesis = count.worded(bounds[hypothesis_form[0]], values[hypothesis_form[1]])
    return premise, hypothesis


def quantity_pairs(texts: Iterable[str], *, seed: int) -> list[Pair]:
    """Return a pair for every text with a plain figure, the relations in turn."""
    rng = random.Random(seed)
    pairs = []
    for text in texts:
        count = quantity(text, rng)
        if count is None:
            continue
        relation = LABELS[len(pairs) % len(LABELS)]
        premise, hypothesis = _stated(count, relation, rng)
        pairs.append(Pair(premise, hypothesis, LABELS.index(relation), SOURCE))
    return pairs
