"""Withdrawn fact-checks: moved out of the claims, so that nothing current has them, and back.

A retracted check and a wrong import are withdrawn, never deleted: their words stay readable for
the decisions and the reports that have them.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from assistant.claims.claim_sources import in_chunks
from assistant.claims.merging import (
    is_later,
    is_proven_by_address,
    is_retraction,
    other_ids,
    same_publisher,
)
from assistant.claims.records import Withdrawal
from assistant.claims.stored_claims import IncomingClaim
from assistant.claims.stored_tables import claims, withdrawn_claims
from assistant.core import audit
from assistant.core.audit import AuditEntry
from assistant.core.domain import RatingClass, VerifiedClaim

MAX_AUDITED_IDS = 100  # more claims are one entry with their number
_CLAIM_COLUMNS = [column.name for column in claims.columns]
_CLAIM_FIELDS = [claim_field.name for claim_field in fields(VerifiedClaim)]


def withdraw(
    connection: sa.Connection, claim_ids: Sequence[str], *, why: str, withdrawn_by: str
) -> list[str]:
    """Withdraw the claims with these ids that are stored, and return their ids."""
    now = datetime.now(UTC)
    withdrawn_ids = []
    for id_batch in in_chunks(sorted(set(claim_ids))):
        stored_rows = connection.execute(sa.select(claims).where(claims.c.id.in_(id_batch))).all()
        if not stored_rows:
            continue
        found_ids = [row.id for row in stored_rows]
        # A claim may have been withdrawn, have come back under its id, and go again.
        _delete_claims(connection, withdrawn_claims, found_ids)
        withdrawn_rows = [
            {
                **row._mapping,
                "why": why,
                "withdrawn_by": withdrawn_by,
                "withdrawn_at": now,
            }
            for row in stored_rows
        ]
        connection.execute(withdrawn_claims.insert(), withdrawn_rows)
        _delete_claims(connection, claims, found_ids)
        withdrawn_ids += found_ids
    _note_in_audit(connection, withdrawn_by, "withdraw", withdrawn_ids)
    return withdrawn_ids


def restore(connection: sa.Connection, claim_ids: Sequence[str], restored_by: str) -> list[str]:
    """Make withdrawn claims count again, and return their ids."""
    restored_ids = []
    for id_batch in in_chunks(sorted(set(claim_ids))):
        claim_columns = [withdrawn_claims.c[name] for name in _CLAIM_COLUMNS]
        has_free_id = ~sa.exists().where(claims.c.id == withdrawn_claims.c.id)
        query = sa.select(*claim_columns).where(withdrawn_claims.c.id.in_(id_batch), has_free_id)
        withdrawn_rows = [dict(row._mapping) for row in connection.execute(query)]
        if not withdrawn_rows:
            continue
        restorable_ids = [row_values["id"] for row_values in withdrawn_rows]
        connection.execute(claims.insert(), withdrawn_rows)
        _delete_claims(connection, withdrawn_claims, restorable_ids)
        restored_ids += restorable_ids
    _note_in_audit(connection, restored_by, "restore fact-check", restored_ids)
    return restored_ids


def read(connection: sa.Connection, claim_ids: Iterable[str] | None = None) -> list[Withdrawal]:
    """Return the withdrawn claims, newest first; only those with these ids, if given."""
    columns = withdrawn_claims.c
    query = sa.select(withdrawn_claims).order_by(columns.withdrawn_at.desc(), columns.id)
    if claim_ids is None:
        return [_withdrawal_in_row(row) for row in connection.execute(query)]
    withdrawals = []
    for id_batch in in_chunks(sorted(set(claim_ids))):
        withdrawn_rows = connection.execute(query.where(columns.id.in_(id_batch)))
        withdrawals += [_withdrawal_in_row(row) for row in withdrawn_rows]
    return withdrawals


class WithdrawnRows:
    """The rows of a batch that are withdrawn here, and so are not imported again.

    A review that is later than the withdrawn one makes the claim count again: ``revised_ids``.
    """

    def __init__(self, connection: sa.Connection, batch: Sequence[IncomingClaim]) -> None:
        self._by_id_or_key: dict[str, list[VerifiedClaim]] = {}
        self._sources: dict[str, str] = {}
        self.revised_ids: list[str] = []
        columns = withdrawn_claims.c
        ids = sorted({incoming.claim.id for incoming in batch})
        keys = sorted({incoming.page_statement_key for incoming in batch})
        for column, values in ((columns.id, ids), (columns.same_key, keys)):
            for some_values in in_chunks(values):
                query = sa.select(withdrawn_claims).where(column.in_(some_values))
                for row in connection.execute(query):
                    claim = _claim_in_row(row)
                    self._sources[row.id] = row.source
                    for id_or_key in (row.id, row.same_key):
                        self._by_id_or_key.setdefault(id_or_key, []).append(claim)
        for incoming in batch:
            for claim in self._same(incoming):
                is_newer = is_later(incoming.claim.review_date, claim.review_date)
                if not self._speaks_for(incoming, claim):
                    continue
                if is_newer and incoming.claim.rating and not is_retraction(incoming.claim):
                    self.revised_ids.append(claim.id)

    def have(self, incoming: IncomingClaim) -> bool:
        """Return whether a row is a withdrawn claim."""
        return any(claim.id not in self.revised_ids for claim in self._same(incoming))

    def with_free_id(self, incoming: IncomingClaim, source: str) -> IncomingClaim:
        """Return a row with another id if a withdrawn claim of another publisher has its id."""
        if not self._by_id_or_key:
            return incoming
        withdrawn_claims_found = self._by_id_or_key.get(incoming.claim.id, ())
        taken_ids = {claim.id for claim in withdrawn_claims_found}.difference(self.revised_ids)
        for other_id in other_ids(incoming.claim, source):
            is_free = incoming.claim.id not in taken_ids
            if is_free:
                break
            incoming.claim = replace(incoming.claim, id=other_id)
        return incoming

    def _speaks_for(self, incoming: IncomingClaim, claim: VerifiedClaim) -> bool:
        """Return whether a row may make a withdrawn claim count again."""
        if self._sources[claim.id] == incoming.source:
            return True
        return is_proven_by_address(claim, incoming.claim)

    def _same(self, incoming: IncomingClaim) -> list[VerifiedClaim]:
        """Return the withdrawn claims with a row's id or key that have its publisher."""
        candidates = [
            *self._by_id_or_key.get(incoming.claim.id, ()),
            *self._by_id_or_key.get(incoming.page_statement_key, ()),
        ]
        return [claim for claim in candidates if same_publisher(claim, incoming.claim)]


def _delete_claims(connection: sa.Connection, table: sa.Table, ids: list[str]) -> None:
    connection.execute(table.delete().where(table.c.id.in_(ids)))


def _note_in_audit(connection: sa.Connection, who: str, what: str, ids: Sequence[str]) -> None:
    """Note an action on claims in the log, each claim unless they are many."""
    abouts = list(ids)
    if len(ids) > MAX_AUDITED_IDS:
        abouts = [f"{len(ids):,} fact-checks, the first {ids[0]}"]
    for about in abouts:
        audit.store_entry(connection, AuditEntry(time.time(), who, what, about))


def _withdrawal_in_row(row: sa.Row[Any]) -> Withdrawal:
    """Return the withdrawal in a row; SQLite forgets that times are in UTC."""
    return Withdrawal(
        claim=_claim_in_row(row),
        source=row.source,
        why=row.why,
        withdrawn_by=row.withdrawn_by,
        withdrawn_at=row.withdrawn_at.replace(tzinfo=UTC),
    )


def _claim_in_row(row: sa.Row[Any]) -> VerifiedClaim:
    """Return the claim of a row of withdrawn claims."""
    values = {name: getattr(row, name) for name in _CLAIM_FIELDS}
    values["rating_class"] = RatingClass(values["rating_class"])
    return VerifiedClaim(**values)
