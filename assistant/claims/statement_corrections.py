"""Statements that a publisher has reworded on their page, for sources whose rows have no ids.

Such a row has a new id, because ids are made from address and statement. It corrects a claim if
its page had a similar statement, of the same publisher, that the source has no longer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import NamedTuple

import sqlalchemy as sa

from assistant.claims import claim_fields, claim_versions, page_addresses, ratings
from assistant.claims.claim_rows import chunks, read_claim, read_summary, values_to_store
from assistant.claims.merging import is_later, updated
from assistant.claims.stored_claims import IncomingClaim, StoredClaim, StoredClaims
from assistant.claims.stored_tables import claim_keys, claim_sources, claims
from assistant.core.domain import VerifiedClaim

# Share of the words of the shorter statement that the other one has.
MIN_SHARED_WORD_SHARE = 0.6
Page = tuple[str, str]  # the key of the page, and of its publisher


class _Correction(NamedTuple):
    """A claim and the new claim that corrects it, and the share of words that they have both."""

    shared_words: float
    old: VerifiedClaim
    new: VerifiedClaim


def join_corrected_statements(
    connection: sa.Connection, missing_ids: Iterable[str], new_ids: Iterable[str], source: str
) -> set[str]:
    """Give each claim that was reworded its new words; return the ids of these claims.

    ``missing_ids`` are claims that the source has no longer, ``new_ids`` those that are new.
    """
    missing_by_page = _claims_by_page(_read_claims(connection, missing_ids))
    if not missing_by_page:
        return set()
    new_by_page = _claims_by_page(_read_claims(connection, new_ids))
    corrected_ids = set()
    for page, old_claims in missing_by_page.items():
        for correction in _corrections(old_claims, new_by_page.get(page, [])):
            _replace_by_correction(connection, correction, source)
            corrected_ids.add(correction.old.id)
    return corrected_ids


def _read_claims(connection: sa.Connection, claim_ids: Iterable[str]) -> list[VerifiedClaim]:
    """Read claims with an address."""
    stored = []
    for some_ids in chunks(claim_ids):
        query = sa.select(claims).where(claims.c.id.in_(some_ids), claims.c.url != "")
        stored += [read_claim(row) for row in connection.execute(query)]
    return stored


def _claims_by_page(vclaims: Iterable[VerifiedClaim]) -> dict[Page, list[VerifiedClaim]]:
    """Return claims by their page and publisher."""
    claims_by_page = defaultdict(list)
    for claim in vclaims:
        publisher = ratings.publisher_key(claim.publisher)
        claims_by_page[page_addresses.page_key(claim.url), publisher].append(claim)
    return claims_by_page


def _corrections(
    old_claims: Iterable[VerifiedClaim], new_claims: Iterable[VerifiedClaim]
) -> list[_Correction]:
    """Return the corrections of a page, each claim in one of them, the most similar first."""
    possible_corrections = []
    for old_claim in old_claims:
        for new_claim in new_claims:
            word_share = _shared_words(old_claim.statement, new_claim.statement)
            is_old_later = is_later(old_claim.review_date, new_claim.review_date)
            if word_share >= MIN_SHARED_WORD_SHARE and not is_old_later:
                possible_corrections.append(_Correction(word_share, old_claim, new_claim))
    possible_corrections.sort(key=_most_similar_first)
    used_ids: set[str] = set()
    corrections = []
    for possible_correction in possible_corrections:
        ids = {possible_correction.old.id, possible_correction.new.id}
        if ids.isdisjoint(used_ids):
            used_ids |= ids
            corrections.append(possible_correction)
    return corrections


def _most_similar_first(correction: _Correction) -> tuple[float, str, str]:
    """Return the sort key of a correction among all corrections of its page."""
    return -correction.shared_words, correction.old.id, correction.new.id


def _shared_words(statement: str, other: str) -> float:
    """Return the share of the words of the shorter statement that the other one has."""
    words = set(claim_fields.statement_key(statement).split())
    other_words = set(claim_fields.statement_key(other).split())
    shorter_count = min(len(words), len(other_words))
    return len(words & other_words) / max(1, shorter_count)


def _replace_by_correction(connection: sa.Connection, correction: _Correction, source: str) -> None:
    """Give a claim the words of its correction, and drop the new claim that had them."""
    old_claim = correction.old
    new_claim = correction.new
    # The new row is deleted everywhere: it becomes the new version of the old claim.
    connection.execute(claims.delete().where(claims.c.id == new_claim.id))
    connection.execute(claim_keys.delete().where(claim_keys.c.claim_id == new_claim.id))
    connection.execute(claim_sources.delete().where(claim_sources.c.claim_id == new_claim.id))
    stored = _read_stored_claim(connection, old_claim)
    stored_claims = StoredClaims.from_summaries((), {}, {})
    stored_claims.by_key[stored.page_statement_key].append(stored)
    now = datetime.now(UTC)
    stored_claims.replace_claim(
        stored, updated(old_claim, new_claim), IncomingClaim.from_row(0, new_claim)
    )
    connection.execute(
        claims.update().where(claims.c.id == old_claim.id), values_to_store(stored, now)
    )
    claim_versions.store_replaced(connection, [stored], source, now)
    known_keys = claim_keys.c.key.in_(sorted(stored.new_keys))
    connection.execute(claim_keys.delete().where(claim_keys.c.claim_id == old_claim.id, known_keys))
    key_rows = [{"key": key, "claim_id": old_claim.id} for key in sorted(stored.new_keys)]
    if key_rows:
        connection.execute(claim_keys.insert(), key_rows)


def _read_stored_claim(connection: sa.Connection, claim: VerifiedClaim) -> StoredClaim:
    """Return a stored claim with its text."""
    summary = read_summary(connection, claim.id)
    return StoredClaim(
        id=summary.id,
        digest=summary.digest,
        page_statement_key=summary.page_statement_key,
        source=summary.source,
        attribution=summary.attribution,
        licence=summary.licence,
        claim=claim,
    )
