"""The shelf: reports and jobs in the claim store's database, where every process of the app sees them.

A job is of the process that took it, which says every few seconds that it lives. The order of a
job whose process has gone stays, so that it can be run again.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa

from assistant.core import audit, files
from assistant.core.database import Database
from assistant.core.debate_records import Debate
from assistant.core.errors import Busy
from assistant.core.processes import alive
from assistant.jobs import job_specs
from assistant.jobs.job_specs import JobSpec
from assistant.jobs.job_state import UNFINISHED_STATES, Job, JobProgress, JobState
from assistant.jobs.tables import jobs, reports

PROCESS_TIMEOUT_S = 90  # a process that has not said for so long that it lives has gone
HEAD_COLUMNS = [column for column in reports.c if column.name not in ("document", "report")]
JOB_COLUMNS = [column for column in jobs.c if column.name not in ("ordered", "outcome")]


class TimelinePoint(NamedTuple):
    """A sentence with a match: how far into the debate it is, 0 to 1, the class of its first rating, how sure it is."""

    at: float
    rating_class: str
    tier: str


@dataclass(frozen=True, slots=True)
class ReportHead:
    """What the list of stored reports shows of one; ``timeline`` is its picture in small."""

    id: str
    title: str
    event_date: date | None
    source: str
    counts: Mapping[str, int]
    as_of_event: bool
    written: float  # seconds since 1970
    timeline: tuple[TimelinePoint, ...] = ()


@dataclass(frozen=True, slots=True)
class JobRequest:
    """What somebody asks for: a check with its ``spec``, the hearing of a ``document``, or an import."""

    id: str
    title: str
    requested_by: str = ""
    spec: JobSpec | None = None
    document: str = ""


@cache
def this_process() -> str:
    """Return the name of this process among all that ever share a database.

    A host may use a number again.
    """
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"


class ReportStore(Database):
    """Reports and jobs. Use it in a ``with``, or close it."""

    def claim_job(
        self, ask: JobRequest, *, most: int, now: float, again: bool = False
    ) -> Job | None:
        """Take a job for this process.

        Return None, or the job that another process runs or has done already.

        ``again``: also if it is done. Raises: Busy if the person has ``most`` jobs that wait or run.
        """
        with self._writing() as connection:
            row = connection.execute(sa.select(*JOB_COLUMNS).where(jobs.c.id == ask.id)).first()
            if row is not None and _runs(row, now):
                return _job(row)
            if not again and (kept := _kept(connection, ask.id)):
                return kept
            own = sa.select(*JOB_COLUMNS).where(
                jobs.c.who == ask.requested_by, jobs.c.state.in_(UNFINISHED_STATES)
            )
            if sum(_runs(other, now) for other in connection.execute(own)) >= most:
                raise Busy(
                    f"you have {most} jobs already that wait or run.",
                    remedy="Wait until one is done.",
                )
            connection.execute(jobs.delete().where(jobs.c.id == ask.id))
            connection.execute(jobs.insert().values(**_row(ask, now)))
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
        """Store the end of a job and what it made: a report of a check, JSON of an import."""
        values: dict[str, Any] = {"state": str(state), "error": error, "ended": now, "beat": now}
        with self._writing() as connection:
            chosen = sa.select(jobs.c.who, jobs.c.asked, jobs.c.ordered.is_not(None)).where(
                jobs.c.id == job_id
            )
            who, asked, is_check = connection.execute(chosen).one()
            if outcome is not None and is_check:
                replace_report(connection, job_id, outcome, now)
                values |= {"ordered": None}
            elif outcome is not None:
                values |= {"outcome": outcome}
            connection.execute(jobs.update().where(jobs.c.id == job_id).values(**values))
            what = "check" if is_check else "import"
            audit.note(connection, audit.Entry(now, who, what, job_id, now - asked, str(state)))

    def record_progress(self, running: Iterable[Job], *, now: float) -> set[str]:
        """Store the progress of jobs of this process and that it lives.

        Return the ids of those asked to stop.
        """
        with self._writing() as connection:
            for job in running:
                p = job.progress
                values = {
                    "state": str(job.state),
                    "stage": p.stage,
                    "done": p.done,
                    "total": p.total,
                    "beat": now,
                }
                unfinished = jobs.c.state.in_(
                    UNFINISHED_STATES
                )  # it may have ended since it was looked at
                connection.execute(
                    jobs.update().where(jobs.c.id == job.id, unfinished).values(**values)
                )
            asked = sa.select(jobs.c.id).where(jobs.c.stop, jobs.c.process == this_process())
            return set(
                connection.execute(asked.where(jobs.c.state.in_(UNFINISHED_STATES))).scalars()
            )

    def ask_to_stop(self, job_id: str) -> None:
        """Ask the process that runs a job to stop it."""
        with self._writing() as connection:
            connection.execute(jobs.update().where(jobs.c.id == job_id).values(stop=True))

    def job(self, job_id: str, *, now: float) -> Job | None:
        """Return a job as it was last stored.

        None if there is none, or its process has gone before its end.
        """
        with self._reading() as connection:
            row = connection.execute(sa.select(*JOB_COLUMNS).where(jobs.c.id == job_id)).first()
            if row is not None and (_runs(row, now) or _job(row).has_ended):
                return _job(row)
            return _kept(connection, job_id)

    def running_jobs(self, *, now: float) -> list[Job]:
        """Return the jobs that wait or run in any process, in their order."""
        return [_job(row) for row in self._unfinished() if _runs(row, now)]

    def counts(self, *, now: float) -> dict[str, int]:
        """Return how many jobs are in each state, "interrupted" where their process has gone, and how many reports."""
        c = jobs.c
        chosen = (
            sa.select(c.state, sa.func.count())
            .where(c.state.not_in(UNFINISHED_STATES))
            .group_by(c.state)
        )
        unfinished = self._unfinished()
        with self._reading() as connection:
            ended = {state: number for state, number in connection.execute(chosen)}
            stored = connection.execute(
                sa.select(sa.func.count()).select_from(reports)
            ).scalar_one()
        live = Counter(row.state if _runs(row, now) else "interrupted" for row in unfinished)
        return {
            **dict.fromkeys((*map(str, JobState), "interrupted"), 0),
            **ended,
            **live,
            "reports": stored,
        }

    def interrupted_specs(self, *, now: float) -> dict[str, JobSpec]:
        """Return the orders, by id, of checks whose process has gone before their end."""
        gone = [
            row.id
            for row in self._unfinished()
            if not _runs(row, now) and self.written_at(row.id) is None
        ]
        found = {job_id: self.job_spec(job_id) for job_id in gone}
        return {job_id: order for job_id, order in found.items() if order}

    def interrupted_jobs(self, beginning: str, *, now: float) -> list[Job]:
        """Return the jobs with this beginning of their id whose process has gone before their end."""
        return [
            _job(row)
            for row in self._unfinished()
            if row.id.startswith(beginning) and not _runs(row, now)
        ]

    def job_spec(self, job_id: str) -> JobSpec | None:
        """Return the order of a check that has no report; None if it has one, or is no check."""
        with self._reading() as connection:
            data = connection.execute(sa.select(jobs.c.ordered).where(jobs.c.id == job_id)).scalar()
        return job_specs.from_bytes(zlib.decompress(data)) if data else None

    def outcome(self, job_id: str) -> bytes | None:
        """Return what an import or a hearing made, None if it has not ended well."""
        with self._reading() as connection:
            return connection.execute(sa.select(jobs.c.outcome).where(jobs.c.id == job_id)).scalar()

    def store_report(self, report_id: str, report: bytes, *, now: float) -> None:
        """Store a report, in place of an earlier one.

        Raises: ValueError, KeyError or TypeError if it is none.
        """
        with self._writing() as connection:
            replace_report(connection, report_id, report, now)

    def written_at(self, report_id: str) -> float | None:
        """Return when a report was written, None if there is none."""
        with self._reading() as connection:
            return connection.execute(
                sa.select(reports.c.written).where(reports.c.id == report_id)
            ).scalar()

    def report(self, report_id: str) -> bytes | None:
        """Return a stored report, None if there is none."""
        with self._reading() as connection:
            data = connection.execute(
                sa.select(reports.c.report).where(reports.c.id == report_id)
            ).scalar()
        return zlib.decompress(data) if data else None

    def report_heads(self, limit: int, *, ids: Sequence[str] | None = None) -> list[ReportHead]:
        """Return the newest stored reports, newest first; ``ids``: only of these."""
        chosen = sa.select(*HEAD_COLUMNS)
        if ids is not None:
            chosen = chosen.where(reports.c.id.in_(ids))
        with self._reading() as connection:
            rows = connection.execute(
                chosen.order_by(reports.c.written.desc(), reports.c.id).limit(limit)
            )
            return [_report_head(row) for row in rows]

    def delete_job(self, job_id: str) -> None:
        """Remove a job that no process runs; its report, if there is one, stays."""
        with self._writing() as connection:
            connection.execute(jobs.delete().where(jobs.c.id == job_id))

    def debates(self) -> list[Debate]:
        """Return the transcripts of which there are reports or jobs."""
        found = []
        with self._reading() as connection:
            for what, table, when in (
                ("reports", reports, reports.c.written),
                ("jobs", jobs, jobs.c.asked),
            ):
                c = table.c
                columns = (
                    sa.func.max(c.title),
                    sa.func.max(c.event_date),
                    sa.func.max(when),
                    sa.func.count(),
                )
                chosen = (
                    sa.select(c.document, *columns).where(c.document != "").group_by(c.document)
                )
                for document, title, day, newest, count in connection.execute(chosen):
                    found.append(Debate(document, "", title, day, newest, {what: count}))
        return found

    def purge(self, document: str, *, now: float) -> None:
        """Delete the reports and jobs of a transcript. Raises: Busy if it is being checked."""
        with self._writing() as connection:
            own = sa.select(*JOB_COLUMNS).where(jobs.c.document == document)
            if any(_runs(row, now) for row in connection.execute(own)):
                raise Busy(
                    "is being checked at this moment.",
                    where=document[:16],
                    remedy="Cancel that, or wait.",
                )
            connection.execute(jobs.delete().where(jobs.c.document == document))
            connection.execute(reports.delete().where(reports.c.document == document))

    def delete_imports(self, *, before: float) -> None:
        """Delete what imports that ended before a moment have told."""
        with self._writing() as connection:
            connection.execute(jobs.delete().where(jobs.c.document == "", jobs.c.ended < before))

    def import_legacy_files(self, folder: Path) -> None:
        """Take in the reports and orders that schema 2 kept as files.

        A damaged file stays where it is.
        """
        for path in sorted(folder.glob("*.json")) + sorted(folder.glob("*.order")):
            with suppress(OSError, ValueError, KeyError, TypeError):
                then = path.stat().st_mtime
                with self._writing() as connection:
                    if path.suffix == ".json":
                        replace_report(connection, path.stem, path.read_bytes(), then)
                    elif not self._has(connection, path.stem):
                        order = job_specs.from_bytes(path.read_bytes())
                        row = _row(JobRequest(path.stem, order.transcript.title, spec=order), then)
                        connection.execute(jobs.insert().values(**{**row, "process": ""}))
                path.unlink()
        files.sync_folder(folder)

    def _has(self, connection: sa.Connection, job_id: str) -> bool:
        return (
            connection.execute(sa.select(jobs.c.id).where(jobs.c.id == job_id)).first() is not None
        )

    def _unfinished(self) -> list[sa.Row[Any]]:
        chosen = (
            sa.select(*JOB_COLUMNS)
            .where(jobs.c.state.in_(UNFINISHED_STATES))
            .order_by(jobs.c.asked, jobs.c.id)
        )
        with self._reading() as connection:
            return list(connection.execute(chosen))


def _kept(connection: sa.Connection, report_id: str) -> Job | None:
    """Return the job of a stored report, done; None if there is no report."""
    title = connection.execute(sa.select(reports.c.title).where(reports.c.id == report_id)).scalar()
    return None if title is None else Job(report_id, title, JobState.DONE)


def replace_report(connection: sa.Connection, report_id: str, report: bytes, now: float) -> None:
    """Store a report in place of an earlier one.

    Raises: ValueError, KeyError or TypeError if it is none.
    """
    table = json.loads(report)
    day = table["event_date"]
    row = {
        "id": report_id,
        "document": table["source"]["sha256"],
        "title": table["title"],
        "event_date": date.fromisoformat(day) if day else None,
        "source": table["source"]["name"],
        "counts": json.dumps(table["counts"]),
        "strip": json.dumps(_strip(table["sentences"])),
        "as_of_event": bool(table["manifest"]["settings"].get("as_of_event")),
        "written": now,
        "report": zlib.compress(report),
    }
    connection.execute(reports.delete().where(reports.c.id == report_id))
    connection.execute(reports.insert().values(**row))


def delete_reports(connection: sa.Connection, report_ids: Sequence[str]) -> None:
    """Remove reports."""
    connection.execute(reports.delete().where(reports.c.id.in_(report_ids)))


def _strip(sentences: list[dict[str, Any]]) -> list[TimelinePoint]:
    return [
        TimelinePoint(
            round(place / len(sentences), 4),
            row["matches"][0]["claim"]["rating_class"],
            row["tier"],
        )
        for place, row in enumerate(sentences)
        if row["tier"] and row["matches"]
    ]


def _report_head(row: sa.Row[Any]) -> ReportHead:
    return ReportHead(
        row.id,
        row.title,
        row.event_date,
        row.source,
        json.loads(row.counts),
        row.as_of_event,
        row.written,
        tuple(TimelinePoint(*point) for point in json.loads(row.strip)),
    )


def _row(ask: JobRequest, now: float) -> dict[str, Any]:
    transcript = ask.spec.transcript if ask.spec else None
    return {
        "id": ask.id,
        "document": transcript.source.sha256 if transcript else ask.document,
        "title": ask.title,
        "event_date": transcript.event_date if transcript else None,
        "who": ask.requested_by,
        "state": str(JobState.WAITING),
        "process": this_process(),
        "asked": now,
        "beat": now,
        "ordered": zlib.compress(job_specs.to_bytes(ask.spec)) if ask.spec else None,
    }


def _job(row: sa.Row[Any]) -> Job:
    progress = JobProgress(row.stage, row.done, row.total)
    return Job(
        row.id,
        row.title,
        JobState(row.state),
        progress,
        row.error,
        requested_by=row.who,
        is_import=not row.document,
    )


def _runs(row: sa.Row[Any], now: float) -> bool:
    """Return whether a living process has the job."""
    if (
        JobState(row.state) not in UNFINISHED_STATES
        or now - row.beat > PROCESS_TIMEOUT_S
        or not row.process
    ):
        return False
    host, number, _ = row.process.rsplit(":", 2)
    if host != socket.gethostname() or row.process == this_process():
        return True
    return int(number) != os.getpid() and alive(int(number))
