"""Linked data: the confirmed matches as schema.org JSON-LD that points to the publishers' ClaimReview.

Never a review of our own: nobody here rated what was said. A quotation is linked to the claim that
was checked, and the claim to the page where its publisher's ClaimReview is; the rating is given in
words. What nobody confirmed is left out and counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assistant.core.domain import OWN_NOTE, Match, Sentence
from assistant.report import contents, wording
from assistant.report.view import ReportView


def render(view: ReportView) -> bytes:
    """Return the data as UTF-8 JSON-LD."""
    confirmed = [
        (c.sentence, list(filter(contents.is_confirmed, c.matches))) for c in view.report.ranked()
    ]
    day = view.event_date
    made: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "CreativeWork",
        "@id": f"urn:sha256:{view.report.transcript.source.sha256}",
        "name": view.title,
        "temporalCoverage": day.isoformat() if day else None,
        "abstract": f"{wording.reviewed(view)}. {wording.RATINGS_ARE_THE_PUBLISHERS}",
        "additionalProperty": [
            {"@type": "PropertyValue", "name": name, "value": value}
            for name, value in contents.about(view)
        ],
        "hasPart": [quoted for row in confirmed if (quoted := _quotation(*row))["about"]],
    }
    table = {key: value for key, value in made.items() if value is not None}
    return contents.json_for_pages(table)


def _quotation(sent: Sentence, matches: Sequence[Match]) -> dict[str, Any]:
    made: dict[str, Any] = {
        "@type": "Quotation",
        "identifier": f"s{sent.number}",
        "text": sent.text,
    }
    if sent.speaker:
        made["spokenByCharacter"] = {"@type": "Person", "name": sent.speaker}
    made["about"] = [_claim(match) for match in matches if match.claim.publisher != OWN_NOTE]
    return made


def _claim(match: Match) -> dict[str, Any]:
    claim = match.claim
    made: dict[str, Any] = {
        "@type": "Claim",
        "text": claim.statement,
        "description": wording.rated(claim),
        "disambiguatingDescription": contents.status(match),
    }
    if claim.claimant:
        made["author"] = {"@type": "Person", "name": claim.claimant}
    if claim.claim_date:
        made["datePublished"] = claim.claim_date.isoformat()
    link = contents.address(claim)
    if link:
        made["subjectOf"] = {"@id": link}
    return made
