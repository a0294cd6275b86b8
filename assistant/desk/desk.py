"""The desk of the app: starts checks as jobs, lists and opens stored reports, and answers from the fact-checks.

One Desk serves the whole process; everything that outlives it is in the home folder.
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
from typing import TYPE_CHECKING, Any, NamedTuple

from assistant import __version__
from assistant.check.warnings import about_check
from assistant.desk import orders
from assistant.desk.jobs import IsCancelled, Job, Jobs, OnProgress, State
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


class Spot(NamedTuple):
    """A sentence with a match: how far into the debate it is, 0 to 1, the class of its first rating, how sure it is."""

    at: float
    rating_class: str
    tier: str


@dataclass(frozen=True, slots=True)
class ReportHead:
    """What the list of stored reports shows of one; ``strip`` is its picture in small."""

    id: str
    title: str
    event_date: date | None
    source: str
    counts: Mapping[str, int]
    as_of_event: bool
    written: float  # seconds since 1970
    strip: tuple[Spot, ...] = ()


@dataclass
class Desk:
    """The application behind the pages: settings, jobs, the orders of this process, the claim store."""

    settings: Settings
    jobs: Jobs
    orders: dict[str, Order] = field(default_factory=dict)
    _store: ClaimStore | None = None

    @contextmanager
    def store(self) -> Iterator[ClaimStore]:
        """Yield the claim store, opened once per process."""
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
        """Return the counts and dates of the database."""
        with self.store() as store:
            return store.status()

    def claim(self, claim_id: str) -> VerifiedClaim | None:
        """Return a claim with its article, None if it is no longer in the database."""
        with self.store() as store:
            return store.get(claim_id)

    def start(self, order: Order, *, again: bool = False) -> Job:
        """Start a check, or return the job, running or done, of the same order."""
        job_id = order_id(order, self.settings, self.status().digest)
        self.orders[job_id] = order

        def work(tell: OnProgress, cancelled: IsCancelled) -> bytes:
            try:
                return self._check(order, tell, cancelled)
            finally:
                self._order_file(job_id).unlink(missing_ok=True)  # done, failed or cancelled: the page shows it

        known = self.jobs.get(job_id)
        if again or known is None or known.over and known.state is not State.DONE:
            with suppress(OSError):  # a full disk: the check reports it, or needs no space
                orders.save(order, self._order_file(job_id))
        return self.jobs.submit(job_id, order.transcript.title, work, again=again)

    def interrupted(self) -> dict[str, Order]:
        """Return the orders, by report id, whose check ended with its process or with the power."""
        left = orders.interrupted(self.jobs.folder)
        return {job_id: order for job_id, order in left if self.jobs.get(job_id) is None}

    def resume(self, job_id: str) -> Job:
        """Start an interrupted check from the beginning, under its id with the database as it is now."""
        order = self.interrupted()[job_id]
        self._order_file(job_id).unlink(missing_ok=True)
        return self.start(order)

    def report(self, report_id: str) -> Report | None:
        """Return a stored report, None if there is none.

        Raises: MalformedTranscript with the file's name if it cannot be read.
        """
        path = self.jobs.path(report_id)
        if path is None or not path.is_file():
            return None
        return _load(path, path.stat().st_mtime_ns)

    def report_heads(self, limit: int = 8) -> list[ReportHead]:
        """Return the newest stored reports, newest first."""
        return list(islice((head for _, head in self._heads() if head), limit))

    def unreadable(self) -> list[str]:
        """Return the names of the files that should be reports and cannot be read, newest first."""
        return [path.name for path, head in self._heads() if head is None]

    def _heads(self) -> Iterator[tuple[Path, ReportHead | None]]:
        """Yield every report file, newest first, with its head, None where that cannot be read."""
        paths = sorted(self.jobs.folder.glob("*.json"), key=lambda p: p.stat().st_mtime, reverse=True)
        return ((path, _head(path, path.stat().st_mtime_ns)) for path in paths)

    def _order_file(self, job_id: str) -> Path:
        return self.jobs.folder / f"{job_id}{orders.SUFFIX}"

    def _check(self, order: Order, tell: OnProgress, cancelled: IsCancelled) -> bytes:
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
    """Return an id that depends on transcript, settings, ranker and database alone."""
    from assistant.check import rankers

    transcript = order.transcript
    sentences = [(s.number, s.line, s.text, s.speaker, _times(s)) for s in transcript]
    document = (transcript.title, transcript.event_date, transcript.source, sentences)
    ranker = (order.ranker, rankers.load(order.ranker or settings.profile.ranker).digest)  # it may have learnt since
    parts = (__version__, document, order.as_of_event, ranker, settings.profile, database)
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:ID_LENGTH]


def order_of(report: Report, *, as_of_event: bool) -> Order:
    """Return the order that made a report, with ``as_of_event`` as given."""
    warnings = tuple(line for line in report.transcript.warnings if not about_check(line))
    transcript = replace(report.transcript, warnings=warnings)
    return Order(transcript, as_of_event, str(report.manifest.settings.get("ranker", "lectern")))


def sample_files() -> list[Path]:
    """Return the sample transcripts, by name."""
    return sorted(p for p in SAMPLES.glob("*") if p.suffix[1:].lower() in EXTENSIONS)


def _times(sent: Sentence) -> tuple[int | None, ...]:
    """Return start and end in milliseconds: a stored report has rounded times and must give the same id."""
    return tuple(None if t is None else round(t * 1000) for t in (sent.start, sent.end))


@lru_cache(maxsize=16)
def _load(path: Path, _written: int) -> Report:
    try:
        return stored_reports.load(path.read_bytes())
    except MalformedTranscript as error:
        raise MalformedTranscript(error.what, where=path.name, remedy=error.remedy) from error


@lru_cache(maxsize=10_000)
def _head(path: Path, written: int) -> ReportHead | None:
    try:
        table: dict[str, Any] = json.loads(path.read_bytes())
        day = table["event_date"]
        return ReportHead(
            id=path.stem,
            title=table["title"],
            event_date=date.fromisoformat(day) if day else None,
            source=table["source"]["name"],
            counts=table["counts"],
            as_of_event=bool(table["manifest"]["settings"].get("as_of_event")),
            written=written / 1e9,
            strip=_strip(table["sentences"]),
        )
    except (ValueError, KeyError, TypeError, OSError):
        return None


def _strip(sentences: list[dict[str, Any]]) -> tuple[Spot, ...]:
    return tuple(
        Spot(round(place / len(sentences), 4), row["matches"][0]["claim"]["rating_class"], row["tier"])
        for place, row in enumerate(sentences)
        if row["tier"] and row["matches"]
    )
