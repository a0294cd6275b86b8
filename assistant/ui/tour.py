"""Draws the tour of the result page, which each browser shows once."""

from __future__ import annotations

from assistant.ui.component import component

STOPS = (
    (
        ".st-key-list",
        "Passages that a fact-check may settle, best first. A solid bar: likely, about nine of ten "
        "settle it or a part of it. A broken bar: possible, look closer.",
    ),
    (
        ".st-key-picture",
        "The whole debate. Click a mark to read its card; drag over a stretch to list only what was said in it.",
    ),
    (
        ".st-key-card",
        "The proof: who rated which claim how and when, what agrees and what differs, and the article's sentences.",
    ),
    (
        ".st-key-head",
        "Decide row by row under Review, then Export. Words with a dotted line explain themselves; ? lists the keys.",
    ),
)


def tour() -> None:
    """Draw the tour where it stands in the page, above what it is about."""
    stops = [{"about": about, "words": words} for about, words in STOPS]
    component("tour")(key="tour", data={"stops": stops})
