"""The tables of verified claims, their articles, keys, sources, versions and withdrawals."""

from __future__ import annotations

import sqlalchemy as sa

from assistant.core.schema import metadata

# The same order of ids on every server.
_id_type = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
claims = sa.Table(
    "claims",
    metadata,
    sa.Column("id", _id_type, primary_key=True),
    sa.Column("digest", sa.Text, nullable=False),
    sa.Column("same_key", sa.Text, nullable=False),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("imported_at", sa.DateTime(timezone=True), nullable=False),
    sa.Column("attribution", sa.Text, nullable=False, default=""),
    sa.Column("licence", sa.Text, nullable=False, default=""),
    sa.Column("statement", sa.Text, nullable=False),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("claimant", sa.Text, nullable=False),
    sa.Column("claim_date", sa.Date),
    sa.Column("rating", sa.Text, nullable=False),
    sa.Column("rating_class", sa.Text, nullable=False),
    sa.Column("review_date", sa.Date),
    sa.Column("publisher", sa.Text, nullable=False),
    sa.Column("url", sa.Text, nullable=False),
    sa.Column("language", sa.Text, nullable=False),
    sa.Column("body_length", sa.Integer, nullable=False),
    sa.Column("words", sa.Text, nullable=False),  # statement and claimant, folded for search
    # The last column: SQLite then reads the others without the article.
    sa.Column("body", sa.Text, nullable=False),
    sa.Index("claims_digest", "id", "digest"),
    sa.Index("claims_same_key", "same_key"),
)
# Attempts to fetch the article of an address. An article that came with a claim is in ``claims``;
# neither overwrites the other, and if there are both, the one that came with the claim is used.
articles = sa.Table(
    "articles",
    metadata,
    sa.Column("url", sa.Text, primary_key=True),  # the claims' spelling
    sa.Column("outcome", sa.Text, nullable=False),  # outcome of the last attempt
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
    sa.Column("tries", sa.Integer, nullable=False),  # failed attempts since it last had an article
    sa.Column("fetched_at", sa.DateTime(timezone=True)),
    sa.Column("source_url", sa.Text, nullable=False),  # the article's address after redirects
    sa.Column("digest", sa.Text, nullable=False),
    sa.Column("body_length", sa.Integer, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
)
# Keys by which a claim is found besides its ``same_key``: other addresses of its page, and the
# words of the check.
claim_keys = sa.Table(
    "claim_keys",
    metadata,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("claim_id", _id_type, primary_key=True),
    sa.Index("claim_keys_claim", "claim_id"),
)
# Every source that has a claim, and its last import that had it.
claim_sources = sa.Table(
    "claim_sources",
    metadata,
    sa.Column("source", sa.Text, primary_key=True),
    sa.Column("claim_id", _id_type, primary_key=True),
    sa.Column("import_id", sa.Text, nullable=False),
    sa.Index("claim_sources_claim", "claim_id"),
)
# The words of a claim before each change of its statement or its rating.
claim_versions = sa.Table(
    "claim_versions",
    metadata,
    sa.Column("claim_id", _id_type, primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True),
    sa.Column("replaced_at", sa.DateTime(timezone=True), nullable=False),
    sa.Column("source", sa.Text, nullable=False),  # source of the row that changed it
    sa.Column("statement", sa.Text, nullable=False),
    sa.Column("rating", sa.Text, nullable=False),
    sa.Column("rating_class", sa.Text, nullable=False),
    sa.Column("review_date", sa.Date),
)
# Withdrawn claims, out of ``claims`` and so out of everything that is current.
withdrawn_claims = sa.Table(
    "withdrawn_claims",
    metadata,
    *[
        sa.Column(
            column.name, column.type, primary_key=column.primary_key, nullable=column.nullable
        )
        for column in claims.columns
    ],
    sa.Column("why", sa.Text, nullable=False),
    sa.Column("withdrawn_by", sa.Text, nullable=False),
    sa.Column("withdrawn_at", sa.DateTime(timezone=True), nullable=False),
    sa.Index("withdrawn_claims_same_key", "same_key"),
)
