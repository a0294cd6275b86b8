"""An entry of the archive with invented debates, which shows in an empty archive what it finds."""

from __future__ import annotations

from datetime import date
from functools import cache

from assistant.archive.archive_store import ArchivedTranscript
from assistant.archive.repeats import CONFIRMED, UNREVIEWED, Mention, RepeatedClaim
from assistant.core.domain import Strength, Tier
from assistant.ui import archive_html
from assistant.ui.example_card import EXAMPLE_QUOTE, EXAMPLE_SPEAKER, example_claim
from assistant.ui.shown_text import escape

EXAMPLE_LEAD = "A repeated claim then looks like this (invented debates, invented fact-check):"
LATER_QUOTE = "Five countries founded OPEC in Baghdad in 1960, and we pay for it to this day."
FIRST_DAY = date(2024, 10, 3)
LATER_DAY = date(2025, 9, 18)


@cache
def example_html() -> str:
    """Return a claim that came back, with its counts and its wordings, as HTML."""
    mentions = (
        _mention(1, "Ridgeway Energy Forum", FIRST_DAY, EXAMPLE_QUOTE, CONFIRMED),
        _mention(2, "Harrow Falls debate", LATER_DAY, LATER_QUOTE, UNREVIEWED),
    )
    repeated_claim = RepeatedClaim(example_claim(), mentions)
    return (
        f'<p class="lx-soft">{EXAMPLE_LEAD}</p><div class="lx-example">'
        f"<p><b>{escape(repeated_claim.claim.statement)}</b></p>{archive_html.rating_html(repeated_claim)}"
        f"{archive_html.counts_html(repeated_claim)}{archive_html.wordings_html(mentions)}</div>"
    )


def _mention(number: int, title: str, day: date, text: str, state: str) -> Mention:
    debate = ArchivedTranscript(number, "", "", title, day, "", 0)
    return Mention(
        sentence=number,
        number=number,
        debate=debate,
        speaker=EXAMPLE_SPEAKER,
        text=text,
        start=60.0 * number,
        tier=str(Tier.LIKELY),
        strength=str(Strength.STRONG),
        state=state,
    )
