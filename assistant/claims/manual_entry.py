"""Manual entry of a single fact-check.

From the link of its page, its JSON-LD, a form, or as a newsroom note. A page counts for its own
site only: a ClaimReview whose address is on another site is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from urllib.parse import urlsplit

from assistant.claims import claim_fields, claimreview, page_sites
from assistant.claims.records import AttributedClaim, RefusedRow
from assistant.core import confined
from assistant.core.domain import OWN_NOTE, RatingClass, VerifiedClaim
from assistant.core.errors import MalformedClaim
from assistant.web import fetching

FORM_FIELDS = (
    "statement",
    "rating",
    "publisher",
    "url",
    "claimant",
    "claim_date",
    "review_date",
    "title",
    "body",
)
_REQUIRED_FIELDS = {
    "statement": "the claim",
    "rating": "the rating",
    "publisher": "the publisher",
    "url": "the address",
}
NO_RATING = "no rating"  # text for an article without one
_ADDRESS_REMEDY = "The address must begin with https:// or http://."


def from_link(
    url: str, *, is_allowed: fetching.AddressTest = fetching.is_public
) -> list[VerifiedClaim]:
    """Return the fact-checks in the ClaimReview of a page.

    Its site is the site of the URL after redirects.

    Raises: NetworkError if the page cannot be fetched; MalformedClaim if it has no fact-check, or
    one of another site.
    """
    with fetching.Fetcher(is_allowed=is_allowed) as fetcher:
        page_url, page = fetcher.get(url)
    where = page_url[: fetching.MAX_SHOWN_CHARACTERS]
    rows = confined.each(
        claimreview.claims_in_page, page, page_url, page_url, where=where, refusal=MalformedClaim
    )
    remedy = "Enter the JSON-LD of the page, or fill in the form."
    return _claims_of_page(_valid_claims(rows, where=where, remedy=remedy), page_url)


def from_json(text: str, page_url: str) -> list[VerifiedClaim]:
    """Return the fact-checks in the JSON-LD of a page, with or without the ``<script>`` around it.

    Raises: MalformedClaim if the page's address is missing, or if the text is not JSON, has no
    fact-check, or has one of another site than the page's.
    """
    page_url = page_url.strip()
    if not page_url:
        message = "the address of the page is missing."
        raise MalformedClaim(message, remedy="Copy the address from your browser.")
    _require_web_address(page_url)
    rows = confined.each(
        claimreview.claims_in_text, text, "JSON-LD", where="JSON-LD", refusal=MalformedClaim
    )
    remedy = "Copy the page's complete ClaimReview."
    return _claims_of_page(_valid_claims(rows, where="JSON-LD", remedy=remedy), page_url)


def from_form(form_texts: Mapping[str, str]) -> VerifiedClaim:
    """Return the fact-check of a form; ``FORM_FIELDS`` lists its fields.

    Raises: MalformedClaim with all fields to fill in if the statement, the rating, the publisher or
    the address is missing, or with all texts that aren't an address or a date.
    """
    values = {name: str(form_texts.get(name, "")).strip() for name in FORM_FIELDS}
    missing_fields = [shown for name, shown in _REQUIRED_FIELDS.items() if not values[name]]
    if missing_fields:
        *first_fields, last_field = missing_fields
        if not first_fields:
            remedy = "Fill in this field."
            if not values["rating"]:
                remedy = f"If the article has none, write “{NO_RATING}”."
            raise MalformedClaim(f"{last_field} is missing.", remedy=remedy)
        fields = f"{', '.join(first_fields)} and {last_field}"
        raise MalformedClaim(f"{fields} are missing.", remedy="Fill in these fields.")
    if values["rating"].casefold().strip(".") == NO_RATING:
        values["rating"] = ""
    reasons = []
    remedies = []
    if not _is_web_address(values["url"]):
        reasons.append(f"{values['url']!r} isn't a valid web address")
        remedies.append(_ADDRESS_REMEDY)
    for name in ("claim_date", "review_date"):
        if values[name] and claim_fields.parse_day(values[name]) is None:
            reasons.append(f"{values[name]!r} isn't a valid date")
            remedies.append("Write dates as YYYY-MM-DD.")
    if reasons:
        remedy = " ".join(dict.fromkeys(remedies))
        raise MalformedClaim(f"{', and '.join(reasons)}.", remedy=remedy)
    return claim_fields.parse_claim(values)


def from_note(statement: str, *, about: str = "", claimant: str = "") -> VerifiedClaim:
    """Return a newsroom note as a claim.

    A note has a statement that may be made, background about it, and a likely speaker. It has no
    rating, no address and no date, and its publisher is ``OWN_NOTE``. Raises: MalformedClaim if it
    is empty.
    """
    values = {
        "statement": statement.strip(),
        "body": about.strip(),
        "claimant": claimant.strip(),
        "publisher": OWN_NOTE,
    }
    if not values["statement"]:
        remedy = "Write the claim that you expect, as one sentence."
        raise MalformedClaim("the note is empty.", remedy=remedy)
    note = claim_fields.parse_claim(values, prefix="note")
    return replace(note, rating_class=RatingClass.OTHER)


def _claims_of_page(claims: list[VerifiedClaim], page_url: str) -> list[VerifiedClaim]:
    """Return a page's fact-checks, each with an address.

    Raises: MalformedClaim if one is on another site.
    """
    # Anybody may write a ClaimReview for another site's page.
    page_site = page_sites.page_site(page_url)
    for claim in claims:
        claim_site = page_sites.page_site(claim.url)
        if claim.url and (not claim_site or claim_site != page_site):
            shown_site = claim_site or claim.url[: fetching.MAX_SHOWN_CHARACTERS]
            message = f"the ClaimReview is for a page on {shown_site!r}, not on {page_site!r}."
            remedy = "Give the address of the fact-check on its publisher's site."
            where = page_url[: fetching.MAX_SHOWN_CHARACTERS]
            raise MalformedClaim(message, where=where, remedy=remedy)
    return [claim if claim.url else replace(claim, url=page_url) for claim in claims]


def _require_web_address(url: str) -> None:
    """Raise MalformedClaim unless a text is the address of a web page."""
    if not _is_web_address(url):
        raise MalformedClaim(f"{url!r} isn't a valid web address.", remedy=_ADDRESS_REMEDY)


def _is_web_address(url: str) -> bool:
    return urlsplit(url).scheme in ("http", "https") and bool(claim_fields.site_host(url))


def _valid_claims(
    rows: Iterable[AttributedClaim | RefusedRow], *, where: str, remedy: str
) -> list[VerifiedClaim]:
    """Return the valid claims. Raises: MalformedClaim with the reasons if there are none."""
    claims = []
    reasons = []
    for row in rows:
        if isinstance(row, AttributedClaim):
            claims.append(row.claim)
        else:
            reasons.append(row.reason)
    if not claims:
        why = "; ".join(reasons) or "no ClaimReview was found"
        raise MalformedClaim(f"contains no usable ClaimReview ({why}).", where=where, remedy=remedy)
    return claims
