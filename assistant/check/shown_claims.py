"""The claims of a report as they are stored: each is read again and compared with the index."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from assistant.claims.claim_index import ClaimIndex
from assistant.core.domain import CheckedSentence, Match, VerifiedClaim
from assistant.core.errors import ClaimIndexError

# What a report shows of a claim; its article is compared by the digests of the index.
COMPARED_FIELDS = (
    "id",
    "statement",
    "title",
    "claimant",
    "claim_date",
    "rating",
    "rating_class",
    "review_date",
    "publisher",
    "url",
)


def reread(sentences: Sequence[CheckedSentence], index: ClaimIndex) -> tuple[CheckedSentence, ...]:
    """Return sentences whose matches have the claims of the store.

    A claim that was changed in the store since it was indexed is shown as it is stored now. One
    that was deleted since stays, as at the time of the index.

    Raises: ClaimIndexError if the index says something else about a claim than the store from
    which it was made; StoreError if the store can't be read.
    """
    if index.stored_claims is None:
        return tuple(sentences)
    claims = {match.claim.id: match.claim for match in _matches(sentences)}
    if not claims:
        return tuple(sentences)
    stored_claims = index.stored_claims.many(claims)
    differing = [
        claim_id
        for claim_id, claim in claims.items()
        if claim_id in stored_claims and _shown(claim) != _shown(stored_claims[claim_id])
    ]
    if not differing:
        return tuple(sentences)
    _require_changed(differing, index)
    changed = {claim_id: stored_claims[claim_id] for claim_id in differing}
    return tuple(_with_claims(checked, changed) for checked in sentences)


def _matches(sentences: Sequence[CheckedSentence]) -> Iterable[Match]:
    for checked in sentences:
        yield from checked.matches
        if checked.nearest is not None:
            yield checked.nearest


def _shown(claim: VerifiedClaim) -> tuple[object, ...]:
    return tuple(getattr(claim, name) for name in COMPARED_FIELDS)


def _require_changed(claim_ids: Iterable[str], index: ClaimIndex) -> None:
    """Raise ClaimIndexError if a claim differs although it wasn't changed since it was indexed."""
    assert index.stored_claims is not None
    stored = index.stored_claims.fingerprints()
    indexed = index.fingerprints
    for claim_id in claim_ids:
        if stored.get(claim_id) == indexed.get(claim_id):
            message = f"says something else about fact-check {claim_id} than the database."
            remedy = (
                "The index is damaged. Delete the folder `index` in the data directory, "
                "then run `python -m assistant claims index`."
            )
            raise ClaimIndexError(message, where="the index", remedy=remedy)


def _with_claims(checked: CheckedSentence, changed: Mapping[str, VerifiedClaim]) -> CheckedSentence:
    matches = tuple(_with_claim(match, changed) for match in checked.matches)
    nearest = None if checked.nearest is None else _with_claim(checked.nearest, changed)
    return replace(checked, matches=matches, nearest=nearest)


def _with_claim(match: Match, changed: Mapping[str, VerifiedClaim]) -> Match:
    claim = changed.get(match.claim.id)
    return match if claim is None else replace(match, claim=claim)
