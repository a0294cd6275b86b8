"""When two rows are one claim, and what the one claim then says. Pure: values in, values out.

Two rows are one claim if their addresses and their statements agree (``fields.url_key``, ``fields.statement_key``).
"""

from __future__ import annotations

from dataclasses import fields as fields_of
from dataclasses import replace

from assistant.claims import fields
from assistant.ground.domain import VerifiedClaim

_FREE = tuple(f.name for f in fields_of(VerifiedClaim) if f.name not in ("id", "rating_class"))


def same_key(vclaim: VerifiedClaim) -> str:
    """Return what the rows of one claim share: 32 digits that stand for its page and its statement.

    Where no address says which page it is, publisher, title and day of the review have to.
    """
    page = [fields.url_key(vclaim.url, vclaim.publisher)]
    if not vclaim.url:
        page += [fields.statement_key(vclaim.title), str(vclaim.review_date or "")]
    return fields.digest(*page, fields.statement_key(vclaim.statement))


def digest(vclaim: VerifiedClaim) -> str:
    """Return 32 hexadecimal digits that change with any field of a claim but its id."""
    return fields.digest(*(str(getattr(vclaim, f.name) or "") for f in fields_of(VerifiedClaim) if f.name != "id"))


def updated(old: VerifiedClaim, new: VerifiedClaim) -> VerifiedClaim:
    """Return the claim as its own source now gives it. An empty field never erases one that was there."""
    changes = {name: getattr(new, name) or getattr(old, name) for name in _FREE}
    rated = new if new.rating else old
    return replace(old, **changes, rating_class=rated.rating_class)


def filled(old: VerifiedClaim, new: VerifiedClaim) -> VerifiedClaim:
    """Return the claim with its gaps filled from another row."""
    changes = {name: getattr(old, name) or getattr(new, name) for name in _FREE}
    rated = old if old.rating else new
    return replace(old, **changes, rating_class=rated.rating_class)


def rated_anew(old: VerifiedClaim, new: VerifiedClaim) -> VerifiedClaim:
    """Return the claim with the rating of another source's row if that is of a later review."""
    if new.rating and new.review_date and old.review_date and new.review_date > old.review_date:
        return replace(old, rating=new.rating, rating_class=new.rating_class, review_date=new.review_date)
    return old
