"""Manual entry of a single fact-check: by the link of its page, its JSON-LD, a form, or as a newsroom note."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from urllib.parse import urlsplit

from assistant.claims import claimreview, fields
from assistant.claims.records import Attributed, Refused
from assistant.ground import confined, web
from assistant.ground.domain import OWN_NOTE, RatingClass, VerifiedClaim
from assistant.ground.errors import MalformedClaim

FORM = ("statement", "rating", "publisher", "url", "claimant", "claim_date", "review_date", "title", "body")


def from_link(url: str, *, may: web.Allowed = web.public) -> list[VerifiedClaim]:
    """Return the fact-checks in the ClaimReview of a page.

    Raises: NetworkError if the page cannot be fetched; MalformedClaim if it has none.
    """
    url = url.strip()
    data = web.fetch(url, may=may)
    rows = confined.each(claimreview.page, data, url, where=url[: web.SHOWN], refusal=MalformedClaim)
    remedy = "Give its JSON-LD, or fill in the form."
    return [vclaim if vclaim.url else replace(vclaim, url=url) for vclaim in _claims(rows, where=url, remedy=remedy)]


def from_json(text: str) -> list[VerifiedClaim]:
    """Return the fact-checks in a piece of JSON-LD, with or without the ``<script>`` around it.

    Raises: MalformedClaim if it is not JSON or has no fact-check.
    """
    remedy = "Copy the whole of the page's ClaimReview."
    rows = confined.each(claimreview.written, text, "JSON-LD", where="JSON-LD", refusal=MalformedClaim)
    return _claims(rows, where="JSON-LD", remedy=remedy)


def from_form(given: Mapping[str, str]) -> VerifiedClaim:
    """Return the fact-check of a form; ``FORM`` lists its fields.

    Raises: MalformedClaim if the statement, the publisher or the address is missing, or a date is invalid.
    """
    row = {name: str(given.get(name, "")).strip() for name in FORM}
    for name, called in (("statement", "the claim"), ("publisher", "the publisher"), ("url", "the address")):
        if not row[name]:
            raise MalformedClaim(f"{called} is missing.", remedy="Fill it in.")
    if urlsplit(row["url"]).scheme not in ("http", "https"):
        raise MalformedClaim(f"{row['url']!r} is no web address.", remedy="It has to begin with https:// or http://.")
    for name in ("claim_date", "review_date"):
        if row[name] and fields.day(row[name]) is None:
            raise MalformedClaim(f"{row[name]!r} is no date.", remedy="Write it as 2024-09-10.")
    return fields.claim(row)


def from_note(statement: str, *, about: str = "", claimant: str = "") -> VerifiedClaim:
    """Return a newsroom note as a claim: what may be said, what is known about it, and who may say it.

    It has no rating, no address and no date, and its publisher is ``OWN_NOTE``. Raises: MalformedClaim if it is empty.
    """
    row = {"statement": statement.strip(), "body": about.strip(), "claimant": claimant.strip(), "publisher": OWN_NOTE}
    if not row["statement"]:
        raise MalformedClaim("the note is empty.", remedy="Write what may be said, as one sentence.")
    return replace(fields.claim(row, prefix="note"), rating_class=RatingClass.OTHER)


def _claims(rows: Iterable[Attributed | Refused], *, where: str, remedy: str) -> list[VerifiedClaim]:
    rows = list(rows)
    claims = [row.claim for row in rows if isinstance(row, Attributed)]
    if not claims:
        reasons = "; ".join(row.reason for row in rows if isinstance(row, Refused))
        why = f" ({reasons})" if reasons else ""
        raise MalformedClaim(f"no ClaimReview that can be used{why}.", where=where, remedy=remedy)
    return claims
