"""The claims of a report as they are stored: each is read again and compared with the index."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
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


def with_stored_claims(
    checked_sentences: Sequence[CheckedSentence], index: ClaimIndex
) -> tuple[tuple[CheckedSentence, ...], tuple[str, ...]]:
    """Return sentences whose matches have the claims of the store, and the ids left out.

    A claim that was changed in the store since it was indexed is shown as it is stored now. A match
    whose claim the store does not have is left out: nobody vouches for its words. An index that was
    opened without a store stays as it is.

    Raises: ClaimIndexError if the index says something else about a claim than the store from
    which it was made; StoreError if the store can't be read.
    """
    indexed_claims = {match.claim.id: match.claim for match in _matches(checked_sentences)}
    stored_claims = current_versions(indexed_claims.values(), index)
    # Claims that were deleted from the store, but are still in the index
    missing_ids = tuple(claim_id for claim_id in indexed_claims if claim_id not in stored_claims)
    if missing_ids:
        checked_sentences = [
            _without_claims(sentence, missing_ids) for sentence in checked_sentences
        ]
    changed_claims = {}
    for claim_id, stored_claim in stored_claims.items():
        if _shown_values(stored_claim) != _shown_values(indexed_claims[claim_id]):
            changed_claims[claim_id] = stored_claim
    if changed_claims:
        checked_sentences = [
            _with_claims(sentence, changed_claims) for sentence in checked_sentences
        ]
    return tuple(checked_sentences), missing_ids


def current_versions(
    claims: Iterable[VerifiedClaim], index: ClaimIndex
) -> dict[str, VerifiedClaim]:
    """Return claims of an index by id as the store has them now, without those that it lacks.

    Raises: as ``reread``.
    """
    indexed_claims = {claim.id: claim for claim in claims}
    if index.stored_claims is None or not indexed_claims:
        return indexed_claims
    stored_claims = index.stored_claims.many(indexed_claims)
    differing_ids = []
    for claim_id, stored_claim in stored_claims.items():
        if _shown_values(stored_claim) != _shown_values(indexed_claims[claim_id]):
            differing_ids.append(claim_id)
    if differing_ids:
        _require_changed(differing_ids, index)
    return dict(stored_claims)


def _matches(sentences: Sequence[CheckedSentence]) -> Iterable[Match]:
    for checked in sentences:
        yield from checked.matches
        if checked.nearest is not None:
            yield checked.nearest


def _shown_values(claim: VerifiedClaim) -> tuple[object, ...]:
    return tuple(getattr(claim, name) for name in COMPARED_FIELDS)


def _require_changed(claim_ids: Iterable[str], index: ClaimIndex) -> None:
    """Raise ClaimIndexError if a claim differs although it wasn't changed since it was indexed."""
    assert index.stored_claims is not None
    stored_fingerprints = index.stored_claims.fingerprints()
    indexed_fingerprints = index.fingerprints
    for claim_id in claim_ids:
        # Its words differ, so its fingerprint must, too.
        has_same_fingerprint = stored_fingerprints.get(claim_id) == indexed_fingerprints.get(
            claim_id
        )
        if has_same_fingerprint:
            message = f"the index differs from the database for fact-check {claim_id}."
            remedy = (
                "The index is damaged. Delete the folder `index` in the data directory, "
                "then run `python -m assistant claims index`."
            )
            raise ClaimIndexError(message, remedy=remedy)


def _without_claims(
    checked_sentence: CheckedSentence, claim_ids: Collection[str]
) -> CheckedSentence:
    """Return a sentence without the matches that have these claims; the others move up."""
    # Only a sentence without a match has a nearest candidate.
    if checked_sentence.nearest is not None and checked_sentence.nearest.claim.id in claim_ids:
        return replace(checked_sentence, nearest=None, on_topic=False)
    remaining_matches = [
        match for match in checked_sentence.matches if match.claim.id not in claim_ids
    ]
    if len(remaining_matches) == len(checked_sentence.matches):
        return checked_sentence
    matches = tuple(replace(match, rank=rank) for rank, match in enumerate(remaining_matches, 1))
    tiers_of_matches = [match.tier for match in matches]
    tier = checked_sentence.tier
    # The match that gave the sentence its tier may have been removed.
    if tier not in tiers_of_matches:
        tier = tiers_of_matches[0] if tiers_of_matches else None
    return replace(checked_sentence, matches=matches, tier=tier)


def _with_claims(checked: CheckedSentence, changed: Mapping[str, VerifiedClaim]) -> CheckedSentence:
    matches = tuple(_with_claim(match, changed) for match in checked.matches)
    nearest = None if checked.nearest is None else _with_claim(checked.nearest, changed)
    return replace(checked, matches=matches, nearest=nearest)


def _with_claim(match: Match, changed: Mapping[str, VerifiedClaim]) -> Match:
    claim = changed.get(match.claim.id)
    return match if claim is None else replace(match, claim=claim)
