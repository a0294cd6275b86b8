"""Linked data: confirmed matches as schema.org JSON-LD that points to ClaimReviews.

Lectern publishes no review of its own, because it rates nothing. A quotation is linked to the
checked claim, and the claim to the page of its publisher's ClaimReview; the rating is given in
words. Matches that nobody confirmed are left out and counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from assistant.core.domain import OWN_NOTE, Match, Sentence
from assistant.report import contents, wording
from assistant.report.view import ReportView


def render(view: ReportView) -> bytes:
    """Return the data as UTF-8 JSON-LD."""
    creative_work: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "CreativeWork",
        "@id": f"urn:sha256:{view.report.transcript.source.sha256}",
        "name": view.title,
    }
    if view.event_date:
        creative_work["temporalCoverage"] = view.event_date.isoformat()
    creative_work["abstract"] = (
        f"{wording.review_state(view)}. {wording.RATINGS_ARE_THE_PUBLISHERS}"
    )
    creative_work["additionalProperty"] = [
        {"@type": "PropertyValue", "name": name, "value": value}
        for name, value in contents.report_facts(view)
    ]
    creative_work["hasPart"] = list(_quotations(view))
    return contents.json_for_pages(creative_work)


def _quotations(view: ReportView) -> Iterator[dict[str, Any]]:
    """Yield the sentences with a confirmed fact-check; newsroom notes aren't fact-checks."""
    for checked_sentence in view.report.ranked():
        confirmed_matches = []
        for match in checked_sentence.matches:
            # A note of the newsroom itself is not published.
            is_published = match.claim.publisher != OWN_NOTE
            if contents.is_confirmed(match) and is_published:
                confirmed_matches.append(match)
        if confirmed_matches:
            yield _quotation(checked_sentence.sentence, confirmed_matches)


def _quotation(sentence: Sentence, matches: Sequence[Match]) -> dict[str, Any]:
    quotation: dict[str, Any] = {
        "@type": "Quotation",
        "identifier": f"s{sentence.number}",
        "text": sentence.text,
    }
    if sentence.speaker:
        quotation["spokenByCharacter"] = {"@type": "Person", "name": sentence.speaker}
    quotation["about"] = [_claim(match) for match in matches]
    return quotation


def _claim(match: Match) -> dict[str, Any]:
    claim = match.claim
    claim_data: dict[str, Any] = {
        "@type": "Claim",
        "text": claim.statement,
        "description": wording.rating_sentence(claim),
        "disambiguatingDescription": contents.review_status(match),
    }
    if claim.claimant:
        claim_data["author"] = {"@type": "Person", "name": claim.claimant}
    if claim.claim_date:
        claim_data["datePublished"] = claim.claim_date.isoformat()
    url = contents.address(claim)
    if url:
        claim_data["subjectOf"] = {"@id": url}
    return claim_data
