"""Which source has which claims: to say at an import which of them its source has no longer."""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa

from assistant.claims.stored_tables import claim_sources, claims

MAX_STATEMENT_VALUES = 500  # older versions of SQLite take 999
BEFORE_ANY_IMPORT = ""


def note_former_claims(connection: sa.Connection, source: str) -> None:
    """Note the claims that a source brought before Lectern noted its imports."""
    columns = claim_sources.c
    is_noted = sa.exists().where((columns.claim_id == claims.c.id) & (columns.source == source))
    # An earlier Lectern did not note which claims a source has: their import is not known.
    column_names = ["source", "claim_id", "import_id"]
    inserted_values = (sa.literal(source), claims.c.id, sa.literal(BEFORE_ANY_IMPORT, sa.Text))
    unnoted_claims = sa.select(*inserted_values).where(claims.c.source == source, ~is_noted)
    insert_statement = claim_sources.insert().from_select(column_names, unnoted_claims)
    connection.execute(insert_statement)


def note_claims(
    connection: sa.Connection, source: str, import_id: str, claim_ids: Iterable[str]
) -> None:
    """Note that an import of a source has these claims."""
    sorted_ids = sorted(claim_ids)
    for id_batch in in_chunks(sorted_ids):
        columns = claim_sources.c
        is_noted_already = (columns.source == source) & columns.claim_id.in_(id_batch)
        connection.execute(claim_sources.delete().where(is_noted_already))
        new_rows = [
            {"source": source, "claim_id": claim_id, "import_id": import_id}
            for claim_id in id_batch
        ]
        connection.execute(claim_sources.insert(), new_rows)


def missing_ids(connection: sa.Connection, source: str, import_id: str) -> list[str]:
    """Return the claims that a source had in an earlier import, but not in this one."""
    columns = claim_sources.c
    query = (
        sa.select(columns.claim_id)
        .join(claims, claims.c.id == columns.claim_id)
        .where(columns.source == source, columns.import_id != import_id)
        .order_by(columns.claim_id)
    )
    return list(connection.execute(query).scalars())


def ids_of_source(connection: sa.Connection, source: str) -> list[str]:
    """Return the claims that a source has or had, and that no other source has."""
    columns = claim_sources.c
    # A row of ``claim_sources`` for the same claim and another source
    row_of_other_source = claim_sources.alias()
    has_other_source = sa.exists().where(
        (row_of_other_source.c.claim_id == columns.claim_id)
        & (row_of_other_source.c.source != source)
    )
    ids_noted_only_here = sa.select(columns.claim_id).where(
        columns.source == source, ~has_other_source
    )
    # A claim without any such row is from the source that its own row names.
    has_noted_source = sa.exists().where(columns.claim_id == claims.c.id)
    is_of_source_by_own_row = (claims.c.source == source) & ~has_noted_source
    query = sa.select(claims.c.id).where(
        claims.c.id.in_(ids_noted_only_here) | is_of_source_by_own_row
    )
    return list(connection.execute(query.order_by(claims.c.id)).scalars())


def count(connection: sa.Connection, source: str) -> int:
    """Count the claims that a source has or had."""
    columns = claim_sources.c
    joined = claim_sources.join(claims, claims.c.id == columns.claim_id)
    query = sa.select(sa.func.count()).select_from(joined).where(columns.source == source)
    return int(connection.execute(query).scalar_one())


def in_chunks(values: list[str]) -> Iterable[list[str]]:
    """Yield values in lists that fit in one statement."""
    for start in range(0, len(values), MAX_STATEMENT_VALUES):
        yield values[start : start + MAX_STATEMENT_VALUES]
