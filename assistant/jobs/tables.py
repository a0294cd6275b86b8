"""The database tables of reports, and of the jobs that make them or import fact-checks."""

from __future__ import annotations

import sqlalchemy as sa

from assistant.core.debate_records import StoredDebate
from assistant.core.schema import metadata

reports = sa.Table(
    "desk_reports",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("document", sa.Text, nullable=False),  # SHA-256 of the transcript's file
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("event_date", sa.Date),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("counts", sa.Text, nullable=False),  # JSON
    sa.Column("strip", sa.Text, nullable=False),  # JSON: the timeline of the matches
    sa.Column("as_of_event", sa.Boolean, nullable=False),
    sa.Column("written", sa.Float, nullable=False),  # seconds since 1970, as all times here
    # compressed by zlib; in the last column, so that SQLite reads the others without it
    sa.Column("report", sa.LargeBinary, nullable=False),
    sa.Index("desk_reports_written", "written"),
    sa.Index("desk_reports_document", "document"),
)
jobs = sa.Table(
    "desk_jobs",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    # SHA-256 of the transcript or recording, "" for an import
    sa.Column("document", sa.Text, nullable=False),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("event_date", sa.Date),
    sa.Column("who", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("stage", sa.Text, nullable=False, default=""),
    sa.Column("done", sa.Integer, nullable=False, default=0),
    sa.Column("total", sa.Integer, nullable=False, default=0),
    sa.Column("error", sa.Text, nullable=False, default=""),
    sa.Column(
        "stop", sa.Boolean, nullable=False, default=False
    ),  # whether a person asked it to stop
    sa.Column("process", sa.Text, nullable=False),  # the process that runs it, as host:pid:random
    sa.Column("asked", sa.Float, nullable=False),
    sa.Column("ended", sa.Float),
    sa.Column("beat", sa.Float, nullable=False),  # when its process last recorded progress
    # the specification of a check until its report is stored: JSON, compressed by zlib
    sa.Column("ordered", sa.LargeBinary),
    # the result of an import or a transcription: JSON
    sa.Column("outcome", sa.LargeBinary),
    sa.Index("desk_jobs_state", "state"),
)
# The checks that programs have started, and the jobs behind them (``api/check_records.py``).
checks_table = sa.Table(
    "api_checks",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("owner", sa.Text, nullable=False),  # holder of the token
    sa.Column("is_shared", sa.Boolean, nullable=False),
    sa.Column("idempotency_key", sa.Text, nullable=False),
    sa.Column("request_digest", sa.Text, nullable=False),  # SHA-256 of body and options
    sa.Column("document", sa.Text, nullable=False),  # SHA-256 of the transcript or recording
    sa.Column("transcription", sa.Text, nullable=False),  # job that transcribes, "" if none
    sa.Column("job", sa.Text, nullable=False),  # job of the check, "" before it starts
    sa.Column("options", sa.Text, nullable=False),  # JSON until the check starts
    sa.Column("error", sa.Text, nullable=False),
    sa.Column("has_ended", sa.Boolean, nullable=False),
    sa.Column("asked", sa.Float, nullable=False),  # seconds since 1970
    sa.UniqueConstraint("owner", "idempotency_key"),
    sa.Index("api_checks_unfinished", "has_ended"),
    sa.Index("api_checks_document", "document"),
)


def counted_by_document(
    connection: sa.Connection, table: sa.Table, records_name: str
) -> list[StoredDebate]:
    """Return the debates with rows in a table that has document, title, event_date and at.

    ``records_name``: the plural by which a person knows the rows.
    """
    columns = table.c
    # The records of a document have the same title and date, so any of them will do.
    title = sa.func.max(columns.title)
    event_date = sa.func.max(columns.event_date)
    newest_time = sa.func.max(columns.at)
    query = sa.select(columns.document, title, event_date, newest_time, sa.func.count())
    query = query.group_by(columns.document)
    debates = []
    for document, title_text, day, changed_at_s, count in connection.execute(query):
        record_counts = {records_name: count}
        debates.append(StoredDebate.of_file(document, title_text, day, changed_at_s, record_counts))
    return debates
