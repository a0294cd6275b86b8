"""Manual entry of a single fact-check.

By the link of its page, its JSON-LD, a form, or as a newsroom note.

A page speaks for its own site only: a ClaimReview whose address is on another site is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from urllib.parse import urlsplit

from assistant.claims import claim_fields, claimreview
from assistant.claims.records import Attributed, Refused
from assistant.core import confined
from assistant.core.domain import OWN_NOTE, RatingClass, VerifiedClaim
from assistant.core.errors import MalformedClaim
from assistant.web import fetching

FORM = (
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


def from_link(url: str, *, may: fetching.Allowed = fetching.public) -> list[VerifiedClaim]:
    """Return the fact-checks in the ClaimReview of a page.

    Its site is that of the URL after redirects.

    Raises: NetworkError if the page cannot be fetched; MalformedClaim if it has no fact-check, or
    one of another site.
    """
    with fetching.Fetcher(may=may) as fetcher:
        page_url, data = fetcher.get(url)
    rows = confined.each(
        claimreview.page, data, page_url, where=page_url[: fetching.SHOWN], refusal=MalformedClaim
    )
    remedy = "Give its JSON-LD, or fill in the form."
    return _of_page(_claims(rows, where=page_url[: fetching.SHOWN], remedy=remedy), page_url)


def from_json(text: str, page_url: str) -> list[VerifiedClaim]:
    """Return the fact-checks in a piece of JSON-LD of a page, with or without the ``<script>`` around it.

    Raises: MalformedClaim if the page's address is missing, or if the text is not JSON, has no
    fact-check, or has one of another site than the page's.
    """
    page_url = page_url.strip()
    if not page_url:
        raise MalformedClaim(
            "the address of the page is missing.", remedy="Copy it from the address bar."
        )
    _demand_web_address(page_url)
    remedy = "Copy the whole of the page's ClaimReview."
    rows = confined.each(
        claimreview.written, text, "JSON-LD", where="JSON-LD", refusal=MalformedClaim
    )
    return _of_page(_claims(rows, where="JSON-LD", remedy=remedy), page_url)


def from_form(given: Mapping[str, str]) -> VerifiedClaim:
    """Return the fact-check of a form; ``FORM`` lists its fields.

    Raises: MalformedClaim if the statement, the publisher or the address is missing, or a date is
    invalid.
    """
    row = {name: str(given.get(name, "")).strip() for name in FORM}
    for name, called in (
        ("statement", "the claim"),
        ("publisher", "the publisher"),
        ("url", "the address"),
    ):
        if not row[name]:
            raise MalformedClaim(f"{called} is missing.", remedy="Fill it in.")
    _demand_web_address(row["url"])
    for name in ("claim_date", "review_date"):
        if row[name] and claim_fields.day(row[name]) is None:
            raise MalformedClaim(f"{row[name]!r} is no date.", remedy="Write it as 2024-09-10.")
    return claim_fields.claim(row)


def from_note(statement: str, *, about: str = "", claimant: str = "") -> VerifiedClaim:
    """Return a newsroom note as a claim.

    What may be said, what is known about it, and who may say it.

    It has no rating, no address and no date, and its publisher is ``OWN_NOTE``. Raises:
        MalformedClaim if it is empty.
    """
    row = {
        "statement": statement.strip(),
        "body": about.strip(),
        "claimant": claimant.strip(),
        "publisher": OWN_NOTE,
    }
    if not row["statement"]:
        raise MalformedClaim(
            "the note is empty.", remedy="Write what may be said, as one sentence."
        )
    return replace(claim_fields.claim(row, prefix="note"), rating_class=RatingClass.OTHER)


def _of_page(claims: list[VerifiedClaim], page_url: str) -> list[VerifiedClaim]:
    """Return a page's fact-checks, each with an address.

    Raises: MalformedClaim if one is on another site.
    """
    page_site = claim_fields.site(page_url)
    for vclaim in claims:
        claim_site = claim_fields.site(vclaim.url)
        if vclaim.url and (not claim_site or claim_site != page_site):
            what = f"the ClaimReview is for a page on {claim_site or vclaim.url[: fetching.SHOWN]!r}, not on {page_site!r}."
            remedy = "Give the address of the fact-check on its publisher's site."
            raise MalformedClaim(what, where=page_url[: fetching.SHOWN], remedy=remedy)
    return [vclaim if vclaim.url else replace(vclaim, url=page_url) for vclaim in claims]


def _demand_web_address(url: str) -> None:
    """Raise MalformedClaim unless a text is the address of a web page."""
    if urlsplit(url).scheme not in ("http", "https") or not claim_fields.site(url):
        raise MalformedClaim(
            f"{url!r} isn't a web address.", remedy="It must begin with https:// or http://."
        )


def _claims(
    rows: Iterable[Attributed | Refused], *, where: str, remedy: str
) -> list[VerifiedClaim]:
    rows = list(rows)
    claims = [row.claim for row in rows if isinstance(row, Attributed)]
    if not claims:
        reasons = "; ".join(row.reason for row in rows if isinstance(row, Refused))
        why = f" ({reasons})" if reasons else ""
        raise MalformedClaim(f"no ClaimReview that can be used{why}.", where=where, remedy=remedy)
    return claims
