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
from assistant.claims.merging import check_key, other_ids, same_key
from assistant.claims.stored_claims import IncomingClaim, StoredClaim, StoredClaims, StoredHead
from assistant.claims.stored_tables import claim_keys, claims
from assistant.core import schema
from assistant.core.domain import RatingClass, VerifiedClaim

BATCH_ROWS = 500
CLAIM_FIELDS = tuple(claim_field.name for claim_field in fields(VerifiedClaim))
KEY_COLUMNS = ("digest", "same_key", "source", "attribution", "licence")
# The version of the keys of pages; claims with keys of an earlier version get new ones.
KEY_VERSION = "3"
KEY_SETTING = "claim_keys"
stored_columns = [claims.c[name] for name in CLAIM_FIELDS]
_head_columns = [claims.c[head_field.name] for head_field in fields(StoredHead)]


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
        keys = {incoming_claim.same_key, incoming_claim.check_key} - {""}
        all_keys |= keys
        for id_or_key in ids | keys:
            claims_by_id_or_key[id_or_key].append(incoming_claim)

    further_keys = _further_keys(connection, all_keys)
    all_ids |= further_keys.keys()
    conditions = [claims.c.id.in_(some_ids) for some_ids in chunks(all_ids)]
    conditions += [claims.c.same_key.in_(keys) for keys in chunks(all_keys)]
    heads = {}
    for condition in conditions:
        for row in connection.execute(sa.select(*_head_columns).where(condition)):
            heads[row.id] = StoredHead(*row)

    changing_ids = []
    for head in heads.values():
        candidates = claims_by_id_or_key[head.id] + claims_by_id_or_key[head.same_key]
        for key in further_keys.get(head.id, ()):
            candidates = candidates + claims_by_id_or_key[key]
        if head.may_change(candidates):
            changing_ids.append(head.id)
    full_claims = {}
    for some_ids in chunks(changing_ids):
        query = sa.select(*stored_columns).where(claims.c.id.in_(some_ids))
        for row in connection.execute(query):
            full_claims[row.id] = read_claim(row)
    return StoredClaims.from_heads(heads.values(), full_claims, further_keys)


def read_head(connection: sa.Connection, claim_id: str) -> StoredHead:
    """Read the short fields of a stored claim."""
    query = sa.select(*_head_columns).where(claims.c.id == claim_id)
    return StoredHead(*connection.execute(query).one())


def _further_keys(connection: sa.Connection, keys: set[str]) -> dict[str, set[str]]:
    """Return the keys that claims have besides their ``same_key``, by the ids of the claims."""
    keys_by_id: dict[str, set[str]] = defaultdict(set)
    for some_keys in chunks(keys):
        query = sa.select(claim_keys).where(claim_keys.c.key.in_(some_keys))
        for key, claim_id in connection.execute(query):
            keys_by_id[claim_id].add(key)
    return keys_by_id


def store_new_keys(connection: sa.Connection, stored_claims: Iterable[StoredClaim]) -> None:
    """Store the keys by which an import has found claims for the first time."""
    key_rows = [
        {"key": key, "claim_id": stored.id}
        for stored in stored_claims
        for key in sorted(stored.new_keys)
    ]
    if key_rows:
        connection.execute(claim_keys.insert(), key_rows)


def renew_keys(connection: sa.Connection) -> None:
    """Compute the keys of all claims again if an earlier Lectern computed them."""
    if schema.read_setting(connection, KEY_SETTING) == KEY_VERSION:
        return
    known_keys = {tuple(row) for row in connection.execute(sa.select(claim_keys))}
    key_rows = []
    changed_rows = []
    columns = [column for column in stored_columns if column.name != "body"]
    for row in connection.execute(sa.select(*columns, claims.c.same_key)):
        vclaim = read_claim(row)
        page_and_statement = same_key(vclaim)
        if page_and_statement != row.same_key:
            changed_rows.append({"claim_id": row.id, "new_key": page_and_statement})
        words = check_key(vclaim)
        if words and (words, row.id) not in known_keys:
            key_rows.append({"key": words, "claim_id": row.id})
    if changed_rows:
        update = claims.update().where(claims.c.id == sa.bindparam("claim_id"))
        connection.execute(update.values(same_key=sa.bindparam("new_key")), changed_rows)
    if key_rows:
        connection.execute(claim_keys.insert(), key_rows)
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
    vclaim = stored.claim
    if vclaim is None:
        raise ValueError(f"the text of {stored.id!r} was not read before writing it")
    values = {name: getattr(vclaim, name) for name in CLAIM_FIELDS}
    for name in KEY_COLUMNS:
        values[name] = getattr(stored, name)
    values["rating_class"] = vclaim.rating_class.value
    values["id"] = stored.id
    values["imported_at"] = now
    values["words"] = " " + statement_key(f"{vclaim.statement} {vclaim.claimant}")
    values["body_length"] = len(vclaim.body)
    return values
