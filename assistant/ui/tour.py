"""The tour of the results page, which each browser shows once."""

from __future__ import annotations

from typing import NamedTuple

from assistant.ui.component import component


class TourStop(NamedTuple):
    """A stop of the tour: the CSS selector of an element, and the words about it.

    ``phone_words`` are the words on a phone, where a stop without them is left out.
    """

    selector: str
    words: str
    phone_words: str = ""


STOPS = (
    TourStop(
        ".st-key-list",
        "Statements that may already be fact-checked, best first: who said what, and the rating of "
        "the claim that was checked.",
        "Statements that may already be fact-checked, best first. Select one to open its card: the "
        "words said, the claim checked, and the proof.",
    ),
    TourStop(
        ".st-key-picture",
        "The whole debate. Select a mark to read its card. Drag over a part to list only the "
        "statements in it.",
    ),
    TourStop(
        ".st-key-card",
        "The proof: the words said and the claim checked, its rating, what differs, and the key "
        "sentences of the article.",
    ),
    TourStop(
        ".st-key-head",
        "Confirm with y, reject with n, then export what you confirmed. The key ? lists all keys.",
        "Confirm or reject matches on their cards, then export what you confirmed.",
    ),
)


def tour() -> None:
    """Draw the tour, above the elements that it explains."""
    stops = []
    for stop in STOPS:
        words = {"words": stop.words, "phoneWords": stop.phone_words}
        stops.append({"about": stop.selector, **words})
    component("tour")(key="tour", data={"stops": stops})
