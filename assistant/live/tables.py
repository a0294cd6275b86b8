"""The database tables of live events.

Events, feeds (one row per source), lines, sentences, and tokens of senders.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from assistant.core.schema import REVOKED_ROWS, metadata


def _text(name: str, **options: Any) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False, **options)


events = sa.Table(
    "live_events",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    _text("title"),
    sa.Column("day", sa.Date),
    sa.Column("opened", sa.Float, nullable=False),
    sa.Column("beat", sa.Float),
)
feeds = sa.Table(
    "live_feeds",
    metadata,
    sa.Column("event", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, primary_key=True),
    _text("cursor", default=""),
    sa.Column("words", sa.Integer, nullable=False, default=0),
    sa.Column("marks", sa.Integer, nullable=False, default=0),
    sa.Column("last", sa.Float),
    _text("warning", default=""),
    sa.Column("warned", sa.Float),
    sa.Column("beat", sa.Float),
    sa.Column("unheard", sa.Float),  # seconds of sound that wait; NULL for sources that bring words
)
lines = sa.Table(
    "live_lines",
    metadata,
    sa.Column("event", sa.Text, primary_key=True),
    sa.Column("source", sa.Text, primary_key=True),
    sa.Column("unit", sa.Text, primary_key=True),
    sa.Column("seq", sa.Integer, nullable=False),
    _text("text"),
    sa.Column("speaker", sa.Text),
    sa.Column("start", sa.Float),
    sa.Column("end", sa.Float),
    sa.Column("final", sa.Boolean, nullable=False),
    _text("cut"),
    sa.Column("came", sa.Float, nullable=False),
    _text("sender", server_default=""),  # the account or token that sent how it reads now
    sa.Index("live_lines_order", "event", "source", "seq"),
)
sentences = sa.Table(
    "live_sentences",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    _text("event"),
    _text("source"),
    _text("unit"),
    sa.Column("part", sa.Integer, nullable=False),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    _text("text"),
    sa.Column("speaker", sa.Text),
    _text("who"),
    sa.Column("start", sa.Float),
    sa.Column("end", sa.Float),
    sa.Column("final", sa.Boolean, nullable=False),
    sa.Column("gone", sa.Boolean, nullable=False, default=False),
    sa.Column("revision", sa.Integer, nullable=False, default=1),
    sa.Column("said", sa.Float, nullable=False),
    sa.Column("settled", sa.Float, nullable=False),
    sa.Column("checked", sa.Float),
    sa.Column("worthiness", sa.Float),
    sa.Column("kept", sa.Boolean),
    _text("reason", default=""),
    sa.Column("tier", sa.Text),
    _text("strength", default=""),  # strength of the best match, "" if it has none
    sa.Column("score", sa.Float),
    _text("claim", default=""),
    sa.Column("report", sa.LargeBinary),
    sa.Column(
        "vector", sa.LargeBinary
    ),  # its SBERT vector in half precision, by which passages are found
    sa.UniqueConstraint("event", "source", "unit", "part"),
    sa.UniqueConstraint("event", "number"),
    sa.Index("live_sentences_waiting", "event", "checked", "gone"),
    sa.Index("live_sentences_repeats", "claim", "who"),
)
tokens = sa.Table(
    "live_tokens",
    metadata,
    sa.Column("digest", sa.Text, primary_key=True),  # SHA-256; the token itself is stored nowhere
    _text("event"),
    _text("name"),
    sa.Column("writes", sa.Boolean, nullable=False),
    sa.Column("made", sa.Float, nullable=False),
    sa.Column("revoked", sa.Float),
    # A token of the API has scopes, between spaces, and no event.
    _text("scopes", default=""),
    sa.Column("expires", sa.Float),  # seconds since 1970, as all times here
    sa.Column("per_minute", sa.Integer),  # requests
    sa.Column("per_day", sa.Integer),
    sa.Index("live_tokens_event", "event"),
    info={REVOKED_ROWS: lambda now: (sa.column("revoked").is_(None), {"revoked": now})},
)
