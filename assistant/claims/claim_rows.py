"""Rows of the table of claims as values, and back: for reading, comparing and storing them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import fields
from datetime import datetime
from itertools import islice
from typing import Any

import sqlalchemy as sa

from assistant.claims.claim_fields import statement_key
from assistant.claims.merging import other_ids, page_statement_key, review_key
from assistant.claims.stored_claims import (
    IncomingClaim,
    StoredClaim,
    StoredClaims,
    StoredClaimSummary,
)
from assistant.claims.stored_tables import claim_keys, claims
from assistant.core import schema
from assistant.core.domain import RatingClass, VerifiedClaim

BATCH_ROWS = 500
CLAIM_FIELDS = tuple(claim_field.name for claim_field in fields(VerifiedClaim))

# The version of the keys of pages; claims with keys of an earlier version get new ones.
KEY_VERSION = "3"
KEY_SETTING = "claim_keys"
stored_columns = [claims.c[name] for name in CLAIM_FIELDS]
# in the order of the fields of StoredClaimSummary
_summary_columns = [
    claims.c.id,
    claims.c.digest,
    claims.c.same_key,
    claims.c.source,
    claims.c.attribution,
    claims.c.licence,
]


def read_stored(
    connection: sa.Connection, incoming_claims: list[IncomingClaim], source: str
) -> StoredClaims:
    """Read the stored claims that these rows may belong to; with texts if they may change."""
    all_ids: set[str] = set()
    all_keys: set[str] = set()
    claims_by_id_or_key: dict[str, list[IncomingClaim]] = defaultdict(list)
    for incoming_claim in incoming_claims:
        ids = {incoming_claim.claim.id, *other_ids(incoming_claim.claim, source)}
        all_ids |= ids
        keys = {incoming_claim.page_statement_key, incoming_claim.review_key} - {""}
        all_keys |= keys
        for id_or_key in ids | keys:
            claims_by_id_or_key[id_or_key].append(incoming_claim)

    additional_keys = _read_additional_keys(connection, all_keys)
    all_ids |= additional_keys.keys()
    conditions = [claims.c.id.in_(some_ids) for some_ids in chunks(all_ids)]
    conditions += [claims.c.same_key.in_(keys) for keys in chunks(all_keys)]
    summaries = {}
    for condition in conditions:
        for row in connection.execute(sa.select(*_summary_columns).where(condition)):
            summaries[row.id] = StoredClaimSummary(*row)

    changing_ids = []
    for summary in summaries.values():
        candidates = (
            claims_by_id_or_key[summary.id] + claims_by_id_or_key[summary.page_statement_key]
        )
        for key in additional_keys.get(summary.id, ()):
            candidates = candidates + claims_by_id_or_key[key]
        if summary.may_be_changed_by(candidates):
            changing_ids.append(summary.id)
    full_claims = {}
    for some_ids in chunks(changing_ids):
        query = sa.select(*stored_columns).where(claims.c.id.in_(some_ids))
        for row in connection.execute(query):
            full_claims[row.id] = read_claim(row)
    return StoredClaims.from_summaries(summaries.values(), full_claims, additional_keys)


def read_summary(connection: sa.Connection, claim_id: str) -> StoredClaimSummary:
    """Read the short fields of a stored claim."""
    query = sa.select(*_summary_columns).where(claims.c.id == claim_id)
    return StoredClaimSummary(*connection.execute(query).one())


def _read_additional_keys(connection: sa.Connection, keys: set[str]) -> dict[str, set[str]]:
    """Return the keys that claims have besides their ``same_key``, by the ids of the claims."""
    columns = claim_keys.c
    keys_by_claim_id: dict[str, set[str]] = defaultdict(set)
    for batch in chunks(keys):
        query = sa.select(columns.key, columns.claim_id).where(columns.key.in_(batch))
        for key, claim_id in connection.execute(query):
            keys_by_claim_id[claim_id].add(key)
    return keys_by_claim_id


def store_new_keys(connection: sa.Connection, stored_claims: Iterable[StoredClaim]) -> None:
    """Store the keys by which an import has found claims for the first time."""
    claims_with_keys = [stored for stored in stored_claims if stored.new_keys]
    # A merged claim may have a key that is stored, but that no row of this batch has.
    all_keys = {key for stored in claims_with_keys for key in stored.new_keys}
    known_keys_by_id = _read_additional_keys(connection, all_keys)
    key_rows = []
    for stored in claims_with_keys:
        unknown_keys = stored.new_keys - known_keys_by_id.get(stored.id, set())
        key_rows += [{"key": key, "claim_id": stored.id} for key in sorted(unknown_keys)]
    if key_rows:
        connection.execute(claim_keys.insert(), key_rows)


def renew_keys(connection: sa.Connection) -> None:
    """Compute the keys of all claims again if an earlier Lectern computed them."""
    has_current_keys = schema.read_setting(connection, KEY_SETTING) == KEY_VERSION
    if has_current_keys:
        return
    known_keys = {tuple(stored_row) for stored_row in connection.execute(sa.select(claim_keys))}
    new_key_rows = []
    changed_key_rows = []
    key_columns = [column for column in stored_columns if column.name != "body"]
    for stored_row in connection.execute(sa.select(*key_columns, claims.c.same_key)):
        claim = read_claim(stored_row)
        new_page_key = page_statement_key(claim)
        if new_page_key != stored_row.same_key:
            changed_key_rows.append({"claim_id": stored_row.id, "new_key": new_page_key})
        new_review_key = review_key(claim)
        if new_review_key and (new_review_key, stored_row.id) not in known_keys:
            new_key_rows.append({"key": new_review_key, "claim_id": stored_row.id})
    if changed_key_rows:
        update = claims.update().where(claims.c.id == sa.bindparam("claim_id"))
        connection.execute(update.values(same_key=sa.bindparam("new_key")), changed_key_rows)
    if new_key_rows:
        connection.execute(claim_keys.insert(), new_key_rows)
    schema.write_setting(connection, KEY_SETTING, KEY_VERSION)


def chunks(ids: Iterable[str]) -> Iterator[list[str]]:
    """Yield ids in lists that fit in one statement.

    SQLite takes 32,766 values, older versions 999.
    """
    remaining = iter(ids)
    while chunk := list(islice(remaining, BATCH_ROWS)):
        yield chunk


def read_claim(row: Any) -> VerifiedClaim:
    """Return the claim of a database row; one without a body, if it was not read."""
    values: dict[str, Any] = {name: getattr(row, name, "") for name in CLAIM_FIELDS}
    values["rating_class"] = RatingClass(values["rating_class"])
    return VerifiedClaim(**values)


def values_to_store(stored: StoredClaim, now: datetime) -> dict[str, Any]:
    """Return the database row of a claim."""
    claim = stored.claim
    if claim is None:
        raise ValueError(f"claim {stored.id!r} must be loaded before Lectern can store it again")
    values = {name: getattr(claim, name) for name in CLAIM_FIELDS}
    # The search compares the beginnings of words, so a space comes before the first word, too.
    search_words = " " + statement_key(f"{claim.statement} {claim.claimant}")
    values |= {
        "id": stored.id,
        "digest": stored.digest,
        "same_key": stored.page_statement_key,
        "source": stored.source,
        "attribution": stored.attribution,
        "licence": stored.licence,
        "rating_class": claim.rating_class.value,
        "imported_at": now,
        "words": search_words,
        "body_length": len(claim.body),
    }
    return values
