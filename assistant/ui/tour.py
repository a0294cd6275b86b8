"""The tour of the results page, which each browser shows once."""

from __future__ import annotations

from typing import NamedTuple

from assistant.ui.component import component


class TourStop(NamedTuple):
    """A stop of the tour: the CSS selector of an element, and the words about it."""

    selector: str
    words: str


STOPS = (
    TourStop(
        ".st-key-list",
        "Passages that a fact-check may settle, best first. A solid bar: likely, about nine of ten "
        "settle it or a part of it. A broken bar: possible, look closer.",
    ),
    TourStop(
        ".st-key-picture",
        "The whole debate. Click a mark to read its card; drag over a stretch to list only what "
        "was said in it.",
    ),
    TourStop(
        ".st-key-card",
        "The proof: who rated which claim how and when, what agrees and what differs, and the "
        "article's sentences.",
    ),
    TourStop(
        ".st-key-head",
        "Decide row by row under Review, then Export. Words with a dotted line explain themselves; "
        "? lists the keys.",
    ),
)


def tour() -> None:
    """Draw the tour, above the elements that it explains."""
    stops = [{"about": stop.selector, "words": stop.words} for stop in STOPS]
    component("tour")(key="tour", data={"stops": stops})
