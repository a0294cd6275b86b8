"""A finished card of the sample debate, which shows newcomers at a glance what Lectern does."""

from __future__ import annotations

import json
from datetime import date
from functools import cache

import streamlit as st

from assistant import transcripts
from assistant.core.access import Role
from assistant.core.domain import Match, RatingClass, Tier, VerifiedClaim
from assistant.core.shipped_files import SAMPLE_CLAIMS
from assistant.jobs.check_service import CheckService, sample_files
from assistant.jobs.job_specs import JobSpec
from assistant.ui import account, card_html
from assistant.ui.report_list import LISTED_REPORTS
from features.similarity.catalogue import MEASURES

# A statement of the first sample debate, and the sample fact-check that covers it.
EXAMPLE_QUOTE = (
    "Five countries sat down in Baghdad in 1960 and founded OPEC, and from that day they have had "
    "a hand on our pump."
)
EXAMPLE_SPEAKER = "Achterberg"
EXAMPLE_CLAIM_ID = "sample-0058"
EXAMPLE_EVENT = date(2024, 10, 3)
EXAMPLE_NOTE = "Invented debate, invented fact-check"


def draw_example(check_service: CheckService) -> None:
    """Draw the card, and the button that opens the sample debate."""
    st.html(example_html())
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            "Open the sample debate",
            key="open_sample",
            on_click=_open_sample,
            args=(check_service,),
        )
        st.html(f'<p class="lx-soft lx-tight">{EXAMPLE_NOTE}</p>')


@cache
def example_html() -> str:
    """Return the statement beside its fact-check, with the rating, as HTML."""
    claim = example_claim()
    # the card shows no score, so zeros stand for all of them
    no_measures = (0.0,) * len(MEASURES)
    match = Match(claim, rank=1, score=0.0, tier=Tier.LIKELY, measures=no_measures)
    match_parts = card_html.match_html(match, EXAMPLE_QUOTE, EXAMPLE_EVENT, EXAMPLE_SPEAKER)
    rating_mark = card_html.rating_badge(claim.rating, claim.rating_class)
    rating_line = card_html.rating_line(match, EXAMPLE_EVENT)
    return (
        f'<div class="lx-example">{match_parts.texts}<div class="lx-rated">{rating_mark}</div>'
        f'<p class="lx-said">{rating_line}</p></div>'
    )


def example_claim() -> VerifiedClaim:
    """Return the fact-check of the example, read from the samples."""
    with SAMPLE_CLAIMS.open(encoding="utf-8") as lines:
        for line in lines:
            values = json.loads(line)
            if values["id"] == EXAMPLE_CLAIM_ID:
                return VerifiedClaim(
                    id=values["id"],
                    statement=values["statement"],
                    claimant=values["claimant"],
                    claim_date=date.fromisoformat(values["claim_date"]),
                    rating=values["rating"],
                    rating_class=RatingClass(values["rating_class"]),
                    review_date=date.fromisoformat(values["review_date"]),
                    publisher=values["publisher"],
                )
    raise LookupError(f"the fact-check {EXAMPLE_CLAIM_ID} is not among the sample fact-checks.")


def _open_sample(check_service: CheckService) -> None:
    """Open the newest report of the first sample; check it first if it has none."""
    account.require(Role.READER)
    path = sample_files()[0]
    for head in check_service.report_heads(LISTED_REPORTS):
        if head.source == path.name:
            st.query_params["report"] = head.id
            return
    account.require(Role.REVIEWER)
    job = check_service.start(JobSpec(transcripts.read(path)))
    st.query_params["report"] = job.id
