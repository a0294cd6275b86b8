"""Merging of claims at an import: keys of one claim, and the fields of the merged claim.

Values only: ``import_tally.py`` decides for each row, and the store writes the results.

Two rows are one claim if their addresses, statements and publishers agree
(``claim_fields.url_key``, ``claim_fields.statement_key``, ``same_publisher``). A row of another
publisher never changes a stored claim, nor does one of another source if only one of the two has
an address (``is_proven_by_address``).
"""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import date
from typing import Any

from assistant.claims import claim_fields, page_addresses, page_sites, ratings
from assistant.claims.retractions import is_retracted_rating
from assistant.core.domain import VerifiedClaim
from features.language.same_words import same_words

_ALL_FIELDS = tuple(claim_field.name for claim_field in fields(VerifiedClaim))
_REVIEW_FIELDS = ("rating", "rating_class", "review_date")
_MERGED_FIELDS = tuple(name for name in _ALL_FIELDS if name not in ("id", *_REVIEW_FIELDS))


def page_statement_key(vclaim: VerifiedClaim) -> str:
    """Return 32 hexadecimal digits for the page and the statement of a claim.

    All rows of one claim have the same key. Without an address, publisher, title and review date
    represent the page.
    """
    page = [claim_fields.url_key(vclaim.url, vclaim.publisher)]
    if not vclaim.url:
        page.append(claim_fields.statement_key(vclaim.title))
        page.append(str(vclaim.review_date or ""))
    return claim_fields.digest(*page, claim_fields.statement_key(vclaim.statement))


def review_key(vclaim: VerifiedClaim) -> str:
    """Return 32 hexadecimal digits for the words of a check, whatever the address of its page.

    Publisher, site, claimant, statement, rating and review date; "" unless rating, date and
    address are known.
    """
    if not (vclaim.url and vclaim.rating and vclaim.review_date):
        return ""
    return claim_fields.digest(
        "check",
        ratings.publisher_key(vclaim.publisher),
        page_sites.page_site(vclaim.url),
        claim_fields.statement_key(vclaim.statement),
        claim_fields.statement_key(vclaim.claimant),
        claim_fields.statement_key(vclaim.rating),
        vclaim.review_date.isoformat(),
    )


def same_publisher(old: VerifiedClaim, new: VerifiedClaim) -> bool:
    """Return whether a row may change a stored claim.

    It must have the same publisher, and the same site if both have an address. A stored claim
    without a publisher takes the publisher of the row.
    """
    if old.url and new.url and not _is_one_site(old.url, new.url):
        return False
    if not old.publisher:
        return True
    return ratings.publisher_key(old.publisher) == ratings.publisher_key(new.publisher)


def is_proven_by_address(old: VerifiedClaim, new: VerifiedClaim) -> bool:
    """Return whether a row of another source may speak for the publisher of a stored claim.

    Anybody may write a publisher's name. If only one of the two has an address, no site speaks
    for the name.
    """
    return bool(old.url) == bool(new.url)


def _is_one_site(url: str, other_url: str) -> bool:
    """Return whether two pages belong to one site; a page whose site is unknown is only itself."""
    if page_addresses.page_key(url) == page_addresses.page_key(other_url):
        return True
    site = page_sites.page_site(url)
    return bool(site) and site == page_sites.page_site(other_url)


def claim_digest(vclaim: VerifiedClaim) -> str:
    """Return 32 hexadecimal digits that change with any field of a claim but its id."""
    values = [str(getattr(vclaim, name) or "") for name in _ALL_FIELDS if name != "id"]
    return claim_fields.digest(*values)


def is_retraction(vclaim: VerifiedClaim) -> bool:
    """Return whether a row says that its publisher has retracted the fact-check."""
    return is_retracted_rating(vclaim.rating)


def updated(old: VerifiedClaim, new: VerifiedClaim) -> VerifiedClaim:
    """Return the claim with the fields of a newer row of its own source.

    An empty field never erases a filled one. A rating and its date change together, and a rating
    belongs to its statement: another statement without a rating has none.
    """
    merged_fields = {name: getattr(new, name) or getattr(old, name) for name in _MERGED_FIELDS}
    merged_fields["url"] = page_addresses.best_address(old.url, new.url)
    review_fields = _newer_review_fields(old, new)
    return replace(old, **merged_fields, **review_fields)


def gaps_filled(old: VerifiedClaim, new: VerifiedClaim) -> VerifiedClaim:
    """Return the claim with its gaps filled from another row.

    A rating that is filled in has the later of both dates: the stored one may be of a later review
    without a rating, and an earlier date would let older rows replace the claim.
    """
    merged_fields = {name: getattr(old, name) or getattr(new, name) for name in _MERGED_FIELDS}
    is_same_page = page_addresses.page_key(old.url) == page_addresses.page_key(new.url)
    if is_same_page:
        merged_fields["url"] = page_addresses.best_address(old.url, new.url)
    review_fields = _review_fields(old)
    if _has_same_statement(old, new):
        if not old.rating and new.rating:
            review_fields = _review_fields(new)
            review_fields["review_date"] = _later_day(old.review_date, new.review_date)
        elif _has_same_rating(old, new):
            review_fields["review_date"] = old.review_date or new.review_date
    return replace(old, **merged_fields, **review_fields)


def with_later_rating(old: VerifiedClaim, new: VerifiedClaim) -> VerifiedClaim:
    """Return the claim with the rating of a row from another source, if its review is later."""
    if new.rating and is_later(new.review_date, old.review_date):
        return replace(old, **_review_fields(new))
    return old


def is_later(day: date | None, other_day: date | None) -> bool:
    """Return whether a day is after another; an unknown day is neither before nor after."""
    return day is not None and other_day is not None and day > other_day


def _later_day(day: date | None, other_day: date | None) -> date | None:
    """Return the later of two days, or the one that is known."""
    return max(filter(None, (day, other_day)), default=None)


def is_revised(old: VerifiedClaim, new: VerifiedClaim) -> bool:
    """Return whether a rating or a statement that was published has been replaced."""
    if not _has_same_statement(old, new):
        return True
    return bool(old.rating) and not _has_same_rating(old, new)


def _newer_review_fields(old: VerifiedClaim, new: VerifiedClaim) -> dict[str, Any]:
    """Return rating, class and date after a newer row."""
    # The old rating was about other words.
    if not _has_same_statement(old, new):
        return _review_fields(new)
    if new.rating and not old.rating:
        return _first_rating_fields(old, new)
    if new.rating and not _has_same_rating(old, new):
        return _review_fields(new)
    # A row without a rating, unlike the old one, brings no newer review.
    if old.rating and not new.rating:
        return _review_fields(old)
    review_fields = _review_fields(new if new.rating else old)
    review_fields["review_date"] = new.review_date or old.review_date
    return review_fields


def _first_rating_fields(old: VerifiedClaim, new: VerifiedClaim) -> dict[str, Any]:
    """Return the review of a row for a claim without a rating; a known date stays known."""
    return {**_review_fields(new), "review_date": new.review_date or old.review_date}


def _review_fields(vclaim: VerifiedClaim) -> dict[str, Any]:
    """Return the fields of a claim that belong together: rating, its class and its date."""
    return {
        "rating": vclaim.rating,
        "rating_class": vclaim.rating_class,
        "review_date": vclaim.review_date,
    }


def _has_same_statement(old: VerifiedClaim, new: VerifiedClaim) -> bool:
    """Return whether two statements are one, however their figures and abbreviations are written."""
    return same_words(old.statement) == same_words(new.statement)


def _has_same_rating(old: VerifiedClaim, new: VerifiedClaim) -> bool:
    """Return whether two ratings are the same words."""
    return claim_fields.statement_key(old.rating) == claim_fields.statement_key(new.rating)


def other_ids(vclaim: VerifiedClaim, source: str) -> tuple[str, str]:
    """Return two ids for a claim whose own id is taken, with its source and its publisher.

    The second is for another publisher of the same source, whose rows may share page and
    statement, and so the id.
    """
    with_source = f"{source}:{vclaim.id}"
    publisher_digest = claim_fields.digest(
        ratings.publisher_key(vclaim.publisher), page_sites.page_site(vclaim.url)
    )
    return with_source, f"{with_source}:{publisher_digest[:8]}"
