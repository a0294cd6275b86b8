"""What the pages ask for: the database's state, reading, checking as a job, reports on disk.

One Desk serves the whole process; everything it keeps for a later visit lies under the home folder.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant import __version__
from assistant.check.warnings import about_check
from assistant.desk import orders
from assistant.desk.jobs import Asked, Job, Jobs, State, Tell
from assistant.desk.orders import Order
from assistant.ground import stored_reports
from assistant.ground.domain import Report, Sentence, VerifiedClaim
from assistant.ground.errors import MalformedTranscript
from assistant.ground.settings import Settings
from assistant.transcripts.formats import EXTENSIONS

if TYPE_CHECKING:
    from assistant.claims.store import ClaimStore, StoreStatus

SAMPLES = Path(__file__).resolve().parents[2] / "sample_transcripts"
ID_LENGTH = 20


@dataclass(frozen=True, slots=True)
class Kept:
    """The head of a report on disk."""

    id: str
    title: str
    event_date: date | None
    source: str
    counts: Mapping[str, int]
    as_of_event: bool
    written: float  # seconds since 1970


@dataclass
class Desk:
    """The application as the pages see it."""

    settings: Settings
    jobs: Jobs
    orders: dict[str, Order] = field(default_factory=dict)
    _store: ClaimStore | None = None

    @contextmanager
    def store(self) -> Iterator[ClaimStore]:
        """Give the claim store, opened once for the process."""
        if self._store is None:
            from assistant.claims.store import ClaimStore

            self.settings.home.mkdir(parents=True, exist_ok=True)
            self._store = ClaimStore.open(self.settings.database)
        yield self._store

    def close(self) -> None:
        """Stop the jobs and close the store."""
        self.jobs.close()
        if self._store is not None:
            self._store.close()

    def status(self) -> StoreStatus:
        """Return what the database holds."""
        with self.store() as store:
            return store.status()

    def claim(self, claim_id: str) -> VerifiedClaim | None:
        """Return a claim with its article; nothing if it has left the database since."""
        with self.store() as store:
            return store.get(claim_id)

    def start(self, order: Order, *, again: bool = False) -> Job:
        """Start checking, or return the job or the finished report that the same order already has."""
        job_id = order_id(order, self.settings, self.status().digest)
        self.orders[job_id] = order

        def work(tell: Tell, cancelled: Asked) -> bytes:
            try:
                return self._check(order, tell, cancelled)
            finally:
                self._noted(job_id).unlink(missing_ok=True)  # done, failed or cancelled: the reader is told

        known = self.jobs.get(job_id)
        if again or known is None or known.over and known.state is not State.DONE:
            with suppress(OSError):  # a full disk: the check itself will say so, or need no room
                orders.note(order, self._noted(job_id))
        return self.jobs.submit(job_id, order.transcript.title, work, again=again)

    def interrupted(self) -> dict[str, Order]:
        """Return the checks, by report id, that ended with the process that was at them, its machine or its power."""
        return {job_id: order for job_id, order in orders.left(self.jobs.folder) if self.jobs.get(job_id) is None}

    def resume(self, job_id: str) -> Job:
        """Start an interrupted check from its beginning, under the id that it has with the database as it is now."""
        order = self.interrupted()[job_id]
        self._noted(job_id).unlink(missing_ok=True)
        return self.start(order)

    def report(self, report_id: str) -> Report | None:
        """Return a report from disk, nothing if there is none.

        Raises: MalformedTranscript with the file's name if it cannot be read.
        """
        path = self.jobs.path(report_id)
        if path is None or not path.is_file():
            return None
        return _load(path, path.stat().st_mtime_ns)

    def kept(self, limit: int = 8) -> list[Kept]:
        """Return the heads of the newest reports, newest first."""
        heads = (head for _, head in self._heads() if head)
        return list(islice(heads, limit))

    def unreadable(self) -> list[str]:
        """Return the names of the files that should be reports and cannot be read, newest first."""
        return [path.name for path, head in self._heads() if head is None]

    def _heads(self) -> Iterator[tuple[Path, Kept | None]]:
        """Yield every report file, newest first, with its head, None where that cannot be read."""
        paths = sorted(self.jobs.folder.glob("*.json"), key=lambda p: p.stat().st_mtime, reverse=True)
        return ((path, _head(path, path.stat().st_mtime_ns)) for path in paths)

    def _noted(self, job_id: str) -> Path:
        return self.jobs.folder / f"{job_id}{orders.SUFFIX}"

    def _check(self, order: Order, tell: Tell, cancelled: Asked) -> bytes:
        tell("loading the models", 0, 0)
        from assistant import pipeline

        index = pipeline.open_index(self.settings, progress=tell)
        report = pipeline.check(
            order.transcript,
            index,
            self.settings.profile,
            as_of_event=order.as_of_event,
            ranker=order.ranker,
            progress=tell,
            cancelled=cancelled,
        )
        return stored_reports.archive(report)


def order_id(order: Order, settings: Settings, database: str) -> str:
    """Return a name that is the same for the same transcript, settings, ranker and database, and for nothing else."""
    from assistant.check import rankers

    transcript = order.transcript
    said = [(s.number, s.line, s.text, s.speaker, _times(s)) for s in transcript]
    read = (transcript.title, transcript.event_date, transcript.source, said)
    ranker = (order.ranker, rankers.load(order.ranker or settings.profile.ranker).digest)  # decisions may have moved it
    parts = (__version__, read, order.as_of_event, ranker, settings.profile, database)
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:ID_LENGTH]


def order_of(report: Report, *, as_of_event: bool) -> Order:
    """Return the order that made a report, with the switch set as wanted."""
    read = tuple(line for line in report.transcript.warnings if not about_check(line))
    transcript = replace(report.transcript, warnings=read)
    return Order(transcript, as_of_event, str(report.manifest.settings.get("ranker", "lectern")))


def sample_files() -> list[Path]:
    """Return the sample transcripts, by name."""
    return sorted(p for p in SAMPLES.glob("*") if p.suffix[1:].lower() in EXTENSIONS)


def _times(sent: Sentence) -> tuple[int | None, ...]:
    """Return start and end in milliseconds: a report on disk has rounded times, and is the same order."""
    return tuple(None if t is None else round(t * 1000) for t in (sent.start, sent.end))


@lru_cache(maxsize=16)
def _load(path: Path, _changed: int) -> Report:
    try:
        return stored_reports.load(path.read_bytes())
    except MalformedTranscript as error:
        raise MalformedTranscript(error.what, where=path.name, remedy=error.remedy) from error


@lru_cache(maxsize=256)
def _head(path: Path, changed: int) -> Kept | None:
    try:
        table: dict[str, Any] = json.loads(path.read_bytes())
        day = table["event_date"]
        return Kept(
            id=path.stem,
            title=table["title"],
            event_date=date.fromisoformat(day) if day else None,
            source=table["source"]["name"],
            counts=table["counts"],
            as_of_event=bool(table["manifest"]["settings"].get("as_of_event")),
            written=changed / 1e9,
        )
    except (ValueError, KeyError, TypeError, OSError):
        return None
