"""Stores reports and jobs in the database, where every process of the app sees them.

A job belongs to the process that claimed it. That process records every few seconds that it is
running. If it stops, the specification of its job stays, so that the job can be run again.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import socket
import zlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa

from assistant.core import audit, files, replacement
from assistant.core.database import Database
from assistant.core.debate_records import StoredDebate
from assistant.core.errors import Busy
from assistant.core.processes import is_alive
from assistant.jobs import job_specs
from assistant.jobs.job_specs import JobSpec
from assistant.jobs.job_state import UNFINISHED_STATES, Job, JobProgress, JobState
from assistant.jobs.tables import jobs, reports

LEGACY_ID_PATTERN = re.compile("[0-9a-f]{16}(?:[0-9a-f]{4})?")  # the name of a file of schema 2

# a process that has recorded no progress for so long has stopped
PROCESS_TIMEOUT_S = 90
INTERRUPTED = "interrupted"  # counted beside the states: its process has stopped
HEAD_COLUMNS = [column for column in reports.c if column.name != "report"]
JOB_COLUMNS = [column for column in jobs.c if column.name not in ("ordered", "outcome")]


class TimelinePoint(NamedTuple):
    """A sentence with a match: its position in the debate (0 to 1), rating class and strength.

    ``strength`` is "" in heads from before it was stored, and for rankers without strengths.
    """

    position: float
    rating_class: str
    tier: str
    strength: str = ""


@dataclass(frozen=True, slots=True)
class ReportHead:
    """A stored report as the list of reports shows it, with its timeline in small."""

    id: str
    title: str
    event_date: date | None
    source: str
    counts: Mapping[str, int]
    as_of_event: bool
    written: float  # seconds since 1970
    timeline: tuple[TimelinePoint, ...] = ()
    document: str = ""  # SHA-256 of the transcript's file


@dataclass(frozen=True, slots=True)
class JobRequest:
    """A request for a check with its ``spec``, the transcription of a ``document``, or an import."""

    id: str
    title: str
    requested_by: str = ""
    spec: JobSpec | None = None
    document: str = ""


@cache
def this_process() -> str:
    """Return the name of this process among all that ever share a database.

    It ends with a random part, because a host may use a process number again.
    """
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"


class ReportStore(Database):
    """The reports and jobs of one database. Use it in a ``with``, or close it."""

    def claim_job(
        self, request: JobRequest, *, max_running_jobs: int, now: float, again: bool = False
    ) -> Job | None:
        """Claim a job for this process; return the existing job instead if there is one.

        A job exists if another process runs it, or if its report is stored and ``again`` is false.

        Raises: Busy if the person has ``max_running_jobs`` unfinished jobs.
        """
        same_job_query = sa.select(*JOB_COLUMNS).where(jobs.c.id == request.id)
        jobs_of_person_query = sa.select(*JOB_COLUMNS).where(
            jobs.c.who == request.requested_by, jobs.c.state.in_(UNFINISHED_STATES)
        )
        with self._writing() as connection:
            same_job_row = connection.execute(same_job_query).first()
            if same_job_row is not None and _is_running(same_job_row, now):
                return _job_in_row(same_job_row)
            if not again:
                finished_job = _job_of_report(connection, request.id)
                if finished_job is not None:
                    return finished_job
            # A job of a process that has stopped is unfinished, too, and does not count.
            job_rows = connection.execute(jobs_of_person_query)
            running_count = sum(_is_running(job_row, now) for job_row in job_rows)
            if running_count >= max_running_jobs:
                raise Busy(
                    f"you already have {max_running_jobs} waiting or running jobs.",
                    remedy="Wait until one is done.",
                )
            connection.execute(jobs.delete().where(jobs.c.id == request.id))
            connection.execute(jobs.insert().values(**_job_values(request, now)))
            return None

    def finish_job(
        self,
        job_id: str,
        state: JobState,
        *,
        now: float,
        error: str = "",
        outcome: bytes | None = None,
    ) -> None:
        """Store the end of a job and its outcome: the report of a check, or JSON of other jobs."""
        # The column ``beat`` has the last sign of life of the process that works on the job.
        job_values: dict[str, Any] = {
            "state": str(state),
            "error": error,
            "ended": now,
            "beat": now,
        }
        # The column ``ordered`` has the specification of a check; an import has none.
        job_columns = (jobs.c.who, jobs.c.asked, jobs.c.ordered.is_not(None))
        query = sa.select(*job_columns).where(jobs.c.id == job_id)
        with self._writing() as connection:
            requested_by, requested_at, is_check = connection.execute(query).one()
            if outcome is not None and is_check:
                replace_report(connection, job_id, outcome, now)
                # The specification, with the whole transcript, is not needed any more.
                job_values["ordered"] = None
            elif outcome is not None:
                job_values["outcome"] = outcome
            connection.execute(jobs.update().where(jobs.c.id == job_id).values(**job_values))
            action = "check" if is_check else "import"
            seconds = now - requested_at
            audit_entry = audit.AuditEntry(now, requested_by, action, job_id, seconds, str(state))
            audit.store_entry(connection, audit_entry)

    def record_progress(self, running_jobs: Iterable[Job], *, now: float) -> set[str]:
        """Store the progress of this process's jobs; return the ids of jobs that should stop."""
        # a job may have ended since the caller listed it
        is_unfinished = jobs.c.state.in_(UNFINISHED_STATES)
        ids_to_stop_query = sa.select(jobs.c.id).where(
            jobs.c.stop, jobs.c.process == this_process(), is_unfinished
        )
        with self._writing() as connection:
            for job in running_jobs:
                values = {
                    "state": str(job.state),
                    "stage": job.progress.stage,
                    "done": job.progress.done,
                    "total": job.progress.total,
                    "beat": now,
                }
                connection.execute(
                    jobs.update().where(jobs.c.id == job.id, is_unfinished).values(**values)
                )
            return set(connection.execute(ids_to_stop_query).scalars())

    def ask_to_stop(self, job_id: str) -> None:
        """Ask the process that runs a job to stop it."""
        with self._writing() as connection:
            connection.execute(jobs.update().where(jobs.c.id == job_id).values(stop=True))

    def job(self, job_id: str, *, now: float) -> Job | None:
        """Return a job as it was last stored, None if it is unknown or its process has stopped."""
        query = sa.select(*JOB_COLUMNS).where(jobs.c.id == job_id)
        with self._reading() as connection:
            job_row = connection.execute(query).first()
            if job_row is not None:
                job = _job_in_row(job_row)
                if job.has_ended or _is_running(job_row, now):
                    return job
            # A report may have come from another computer, without its job.
            return _job_of_report(connection, job_id)

    def running_jobs(self, *, now: float) -> list[Job]:
        """Return the jobs that wait or run in any process, in the order of their requests."""
        return [
            _job_in_row(job_row) for job_row in self._unfinished_rows() if _is_running(job_row, now)
        ]

    def counts(self, *, now: float) -> dict[str, int]:
        """Count the jobs by state, the interrupted jobs and the reports."""
        ended_jobs_query = (
            sa.select(jobs.c.state, sa.func.count())
            .where(jobs.c.state.not_in(UNFINISHED_STATES))
            .group_by(jobs.c.state)
        )
        report_count_query = sa.select(sa.func.count()).select_from(reports)
        counts = {str(state): 0 for state in JobState}
        counts[INTERRUPTED] = 0
        unfinished_rows = self._unfinished_rows()
        with self._reading() as connection:
            for state, job_count in connection.execute(ended_jobs_query):
                counts[state] = job_count
            counts["reports"] = connection.execute(report_count_query).scalar_one()
        for job_row in unfinished_rows:
            state = job_row.state if _is_running(job_row, now) else INTERRUPTED
            counts[state] += 1
        return counts

    def interrupted_specs(self, *, now: float) -> dict[str, JobSpec]:
        """Return the specifications, by id, of checks whose process stopped before their end."""
        spec_by_id = {}
        for job_row in self._unfinished_rows():
            if _is_running(job_row, now) or self.written_at(job_row.id) is not None:
                continue
            spec = self.job_spec(job_row.id)  # None for a job that isn't a check
            if spec is not None:
                spec_by_id[job_row.id] = spec
        return spec_by_id

    def interrupted_jobs(self, id_prefix: str, *, now: float) -> list[Job]:
        """Return the jobs with an id prefix whose process stopped before their end."""
        interrupted_jobs = []
        for job_row in self._unfinished_rows():
            if job_row.id.startswith(id_prefix) and not _is_running(job_row, now):
                interrupted_jobs.append(_job_in_row(job_row))
        return interrupted_jobs

    def job_spec(self, job_id: str) -> JobSpec | None:
        """Return the specification of a check without a report, None if there is none."""
        query = sa.select(jobs.c.ordered).where(jobs.c.id == job_id)
        with self._reading() as connection:
            compressed = connection.execute(query).scalar()
        return job_specs.from_bytes(zlib.decompress(compressed)) if compressed else None

    def outcome(self, job_id: str) -> bytes | None:
        """Return the outcome of an import or a transcription, None unless it succeeded."""
        query = sa.select(jobs.c.outcome).where(jobs.c.id == job_id)
        with self._reading() as connection:
            return connection.execute(query).scalar()

    def store_report(self, report_id: str, report: bytes, *, now: float) -> None:
        """Store a report in place of an earlier one.

        Raises: ValueError, KeyError or TypeError if it isn't a report.
        """
        with self._writing() as connection:
            replace_report(connection, report_id, report, now)

    def written_at(self, report_id: str) -> float | None:
        """Return when a report was written, None if there is no such report."""
        query = sa.select(reports.c.written).where(reports.c.id == report_id)
        with self._reading() as connection:
            return connection.execute(query).scalar()

    def version(self, report_id: str) -> tuple[float, str] | None:
        """Return when a report was written, and its title, None if there is no such report."""
        query = sa.select(reports.c.written, reports.c.title).where(reports.c.id == report_id)
        with self._reading() as connection:
            version_row = connection.execute(query).first()
        return None if version_row is None else (version_row.written, version_row.title)

    def rename_debate(self, document: str, title: str) -> None:
        """Give a title to all reports of a transcript. When they were written stays."""
        query = sa.select(reports.c.id, reports.c.report, reports.c.written)
        query = query.where(reports.c.document == document)
        with self._writing() as connection:
            for stored_row in connection.execute(query).all():
                # A report is stored as compressed JSON.
                report_values = json.loads(zlib.decompress(stored_row.report))
                report_values["title"] = title
                renamed_report = json.dumps(report_values, ensure_ascii=False).encode()
                replace_report(connection, stored_row.id, renamed_report, stored_row.written)

    def report(self, report_id: str) -> bytes | None:
        """Return a stored report, None if there is no such report."""
        with self._reading() as connection:
            return read_report(connection, report_id)

    def report_heads(self, limit: int, *, ids: Sequence[str] | None = None) -> list[ReportHead]:
        """Return the newest stored reports (only those with ``ids`` if given), newest first."""
        query = sa.select(*HEAD_COLUMNS)
        if ids is not None:
            query = query.where(reports.c.id.in_(ids))
        query = query.order_by(reports.c.written.desc(), reports.c.id).limit(limit)
        with self._reading() as connection:
            return [_report_head(report_row) for report_row in connection.execute(query)]

    def delete_job(self, job_id: str) -> None:
        """Delete a job that no process runs. Its report stays."""
        with self._writing() as connection:
            connection.execute(jobs.delete().where(jobs.c.id == job_id))

    def debates(self) -> list[StoredDebate]:
        """Return the transcripts that have reports or jobs."""
        return [
            *self._debates_of(reports, "reports", reports.c.written),
            *self._debates_of(jobs, "jobs", jobs.c.asked),
        ]

    def purge(self, document: str, *, now: float) -> None:
        """Delete the reports and jobs of a transcript. Raises: Busy if it is being checked."""
        jobs_of_document = sa.select(*JOB_COLUMNS).where(jobs.c.document == document)
        with self._writing() as connection:
            job_rows = connection.execute(jobs_of_document)
            if any(_is_running(job_row, now) for job_row in job_rows):
                raise Busy(
                    "this transcript is being checked.",
                    where=document[:16],
                    remedy="Cancel the check, or wait until it ends.",
                )
            connection.execute(jobs.delete().where(jobs.c.document == document))
            connection.execute(reports.delete().where(reports.c.document == document))

    def delete_imports(self, *, ended_before: float) -> None:
        """Delete the jobs and outcomes of imports that ended before a moment."""
        with self._writing() as connection:
            connection.execute(
                jobs.delete().where(jobs.c.document == "", jobs.c.ended < ended_before)
            )

    def import_legacy_files(self, folder: Path) -> None:
        """Import the reports and job specifications that schema 2 kept as files.

        A damaged file stays in the folder, and so does one that Lectern did not name or that
        differs from the stored report.
        """
        # Reports are JSON; a job specification has the suffix .order.
        paths = sorted(folder.glob("*.json")) + sorted(folder.glob("*.order"))
        for path in paths:
            has_legacy_name = LEGACY_ID_PATTERN.fullmatch(path.stem) is not None
            if not has_legacy_name or path.is_symlink():
                continue
            with suppress(OSError, ValueError, KeyError, TypeError):
                self._import_legacy_file(path)
                replacement.delete_owned(folder, path.name)
        files.sync_folder(folder)

    def _import_legacy_file(self, path: Path) -> None:
        written = path.stat().st_mtime
        content = path.read_bytes()
        stored = self.report(path.stem) if path.suffix == ".json" else None
        if stored not in (None, content):
            raise ValueError(f"the file {path.name} differs from the stored report.")
        with self._writing() as connection:
            if path.suffix == ".json":
                replace_report(connection, path.stem, content, written)
            elif not self._has_job(connection, path.stem):
                spec = job_specs.from_bytes(content)
                request = JobRequest(path.stem, spec.transcript.title, spec=spec)
                values = _job_values(request, written)
                values["process"] = ""
                connection.execute(jobs.insert().values(**values))

    def _has_job(self, connection: sa.Connection, job_id: str) -> bool:
        query = sa.select(jobs.c.id).where(jobs.c.id == job_id)
        return connection.execute(query).first() is not None

    def _unfinished_rows(self) -> list[sa.Row[Any]]:
        query = (
            sa.select(*JOB_COLUMNS)
            .where(jobs.c.state.in_(UNFINISHED_STATES))
            .order_by(jobs.c.asked, jobs.c.id)
        )
        with self._reading() as connection:
            return list(connection.execute(query))

    def _debates_of(
        self, table: sa.Table, records_name: str, time_column: sa.Column[float]
    ) -> list[StoredDebate]:
        """Return the transcripts with rows in a table, the rows counted under a kind."""
        columns = table.c
        query = (
            sa.select(
                columns.document,
                sa.func.max(columns.title),
                sa.func.max(columns.event_date),
                sa.func.max(time_column),
                sa.func.count(),
            )
            .where(columns.document != "")
            .group_by(columns.document)
        )
        with self._reading() as connection:
            return [
                StoredDebate.of_file(document, title, day, newest_time, {records_name: count})
                for document, title, day, newest_time, count in connection.execute(query)
            ]


def _job_of_report(connection: sa.Connection, report_id: str) -> Job | None:
    """Return a finished job for a stored report, None if there is no such report."""
    query = sa.select(reports.c.title).where(reports.c.id == report_id)
    title = connection.execute(query).scalar()
    return None if title is None else Job(report_id, title, JobState.DONE)


def replace_report(connection: sa.Connection, report_id: str, report: bytes, now: float) -> None:
    """Store a report in place of an earlier one.

    Raises: ValueError, KeyError or TypeError if it isn't a report.
    """
    report_json = json.loads(report)
    event_date = report_json["event_date"]
    check_settings = report_json["manifest"]["settings"]
    values = {
        "id": report_id,
        "document": report_json["source"]["sha256"],
        "title": report_json["title"],
        "event_date": date.fromisoformat(event_date) if event_date else None,
        "source": report_json["source"]["name"],
        "counts": json.dumps(report_json["counts"]),
        "strip": json.dumps(_timeline(report_json["sentences"])),
        "as_of_event": bool(check_settings.get("as_of_event")),
        "written": now,
        "report": zlib.compress(report),
    }
    connection.execute(reports.delete().where(reports.c.id == report_id))
    connection.execute(reports.insert().values(**values))


def read_report(connection: sa.Connection, report_id: str) -> bytes | None:
    """Return a stored report, None if it isn't there."""
    query = sa.select(reports.c.report).where(reports.c.id == report_id)
    compressed = connection.execute(query).scalar()
    return zlib.decompress(compressed) if compressed else None


def delete_reports(connection: sa.Connection, report_ids: Sequence[str]) -> None:
    """Delete reports by id."""
    connection.execute(reports.delete().where(reports.c.id.in_(report_ids)))


def _timeline(sentences: list[dict[str, Any]]) -> list[TimelinePoint]:
    # ``sentences``: from a stored report, in the published schema.
    points = []
    for index, sentence in enumerate(sentences):
        if not sentence["tier"] or not sentence["matches"]:
            continue
        best_match = sentence["matches"][0]
        point = TimelinePoint(
            position=round(index / len(sentences), 4),
            rating_class=best_match["claim"]["rating_class"],
            tier=sentence["tier"],
            strength=best_match.get("strength") or "",
        )
        points.append(point)
    return points


def _report_head(report_row: sa.Row[Any]) -> ReportHead:
    points = [TimelinePoint(*values) for values in json.loads(report_row.strip)]
    return ReportHead(
        id=report_row.id,
        title=report_row.title,
        event_date=report_row.event_date,
        source=report_row.source,
        counts=json.loads(report_row.counts),
        as_of_event=report_row.as_of_event,
        written=report_row.written,
        timeline=tuple(points),
        document=report_row.document,
    )


def _job_values(request: JobRequest, now: float) -> dict[str, Any]:
    """Return the values of the row of a new job of this process."""
    values: dict[str, Any] = {
        "id": request.id,
        "document": request.document,
        "title": request.title,
        "event_date": None,
        "who": request.requested_by,
        "state": str(JobState.WAITING),
        "process": this_process(),
        "asked": now,
        "beat": now,
        "ordered": None,
    }
    if request.spec is not None:
        transcript = request.spec.transcript
        values["document"] = transcript.source.sha256
        values["event_date"] = transcript.event_date
        values["ordered"] = zlib.compress(job_specs.to_bytes(request.spec))
    return values


def _job_in_row(job_row: sa.Row[Any]) -> Job:
    return Job(
        job_row.id,
        job_row.title,
        JobState(job_row.state),
        JobProgress(job_row.stage, job_row.done, job_row.total),
        job_row.error,
        requested_by=job_row.who,
        is_import=not job_row.document,
    )


def _is_running(job_row: sa.Row[Any], now: float) -> bool:
    """Return whether a job waits or runs in a process that is still running."""
    has_ended = JobState(job_row.state) not in UNFINISHED_STATES
    silence_s = now - job_row.beat
    if has_ended or silence_s > PROCESS_TIMEOUT_S or not job_row.process:
        return False
    # The name of a process is HOST:NUMBER:RANDOM, see this_process.
    host, process_digits, _ = job_row.process.rsplit(":", 2)
    if host != socket.gethostname():
        # A process of another computer shows only by its heartbeat. A heartbeat far in the future
        # comes from a clock that was set back since.
        return silence_s > -PROCESS_TIMEOUT_S
    if job_row.process == this_process():
        return True
    # An earlier process, which has ended, may have had the number of this one.
    process_number = int(process_digits)
    has_number_of_this_process = process_number == os.getpid()
    return not has_number_of_this_process and is_alive(process_number)
