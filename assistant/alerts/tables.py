"""The database tables of alerts: the channels of people, the outbox, and fetched feeds."""

from __future__ import annotations

import sqlalchemy as sa

from assistant.core.schema import REVOKED_ROWS, STALE_ROWS, metadata

RESTORED_ERROR = "it waited when the backup was made, and may have been sent since."
channels = sa.Table(
    "alert_channels",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("owner", sa.Text, nullable=False),  # account name, "" for the whole newsroom
    sa.Column("form", sa.Text, nullable=False),
    sa.Column("address", sa.Text, nullable=False),
    sa.Column("secret", sa.Text, nullable=False),  # signs webhooks, or opens a Matrix account
    sa.Column("kinds", sa.Text, nullable=False),  # kinds of events, between spaces
    sa.Column("quiet_hours", sa.Text, nullable=False),  # 22:00-07:00, "" for none
    sa.Column("zone", sa.Text, nullable=False),  # time zone of these hours and of the digest
    sa.Column("digest_time", sa.Text, nullable=False),  # 07:30
    sa.Column("made", sa.Float, nullable=False),  # seconds since 1970, as all times here
    sa.Column("paused", sa.Float),
    # A restored backup sends nothing to an address that may have been removed since.
    info={REVOKED_ROWS: lambda now: (sa.column("paused").is_(None), {"paused": now})},
)
deliveries = sa.Table(
    "alert_deliveries",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),  # sent with every attempt
    sa.Column("channel", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("event_key", sa.Text, nullable=False),  # the same event is sent once to a channel
    sa.Column("content", sa.Text, nullable=False),  # JSON, "" once it is sent
    # documents and live events that the content quotes, one per line, for a purge
    sa.Column("debates", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("made", sa.Float, nullable=False),
    sa.Column("due", sa.Float, nullable=False),
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Column("error", sa.Text, nullable=False),
    sa.Column("process", sa.Text, nullable=False),  # the process that sends it now, "" if none
    sa.Column("leased_until", sa.Float, nullable=False),
    sa.Column("ended", sa.Float),
    sa.UniqueConstraint("channel", "event_key"),
    sa.Index("alert_deliveries_due", "state", "due"),
    # They may have been sent since the backup.
    info={
        STALE_ROWS: lambda now: (
            sa.column("state") == "waiting",
            {"state": "failed", "error": RESTORED_ERROR, "ended": now},
        )
    },
)
progress = sa.Table(
    "alert_progress",
    metadata,
    sa.Column("source", sa.Text, primary_key=True),
    sa.Column("collected_until", sa.Float, nullable=False),
    # Events from before a restore were alerted to, or are listed in the app.
    info={STALE_ROWS: lambda now: (sa.column("collected_until") < now, {"collected_until": now})},
)
feeds = sa.Table(
    "refresh_feeds",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("publisher", sa.Text, nullable=False),
    sa.Column("options", sa.Text, nullable=False),  # JSON
    sa.Column("fetched", sa.Float, nullable=False),  # when it was last tried
    sa.Column("new", sa.Integer, nullable=False),  # the counts of the last time
    sa.Column("changed", sa.Integer, nullable=False),
    sa.Column("withdrawn", sa.Integer, nullable=False),
    sa.Column("missing", sa.Integer, nullable=False),
    sa.Column("error", sa.Text, nullable=False),
)
