"""The desk of the app: starts checks as jobs, lists and opens stored reports, and answers from the fact-checks.

One CheckService serves the whole process; everything that outlives it is in the database.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from assistant import __version__
from assistant.check.progress import cancellable
from assistant.check.report_warnings import about_check
from assistant.claims.likely_names import fitting, listed
from assistant.core import files
from assistant.core.domain import Report, Sentence, Transcript, VerifiedClaim
from assistant.core.errors import MalformedTranscript, TranscriptError
from assistant.core.settings import Settings
from assistant.jobs import job_specs
from assistant.jobs.corrections import (
    CheckTranscript,
    Correction,
    CorrectionStore,
    corrected_report,
)
from assistant.jobs.job_specs import JobSpec
from assistant.jobs.job_state import Job, JobState
from assistant.jobs.recordings import Recording, RecordingStore
from assistant.jobs.report_store import JobRequest, ReportHead, ReportStore
from assistant.jobs.worker_pool import IsCancelled, OnProgress, WorkerPool
from assistant.report import stored_reports
from assistant.transcripts.formats import EXTENSIONS

if TYPE_CHECKING:
    from assistant.check.preview import OnFirstLook
    from assistant.claims.claim_store import ClaimStore, StoreStatus

SAMPLE_FOLDER = Path(__file__).resolve().parents[2] / "sample_transcripts"
LEGACY_REPORTS_FOLDER = "reports"  # the folder in which versions up to schema 2 kept reports
CHECK_ID_LENGTH = 20
TRANSCRIPTION_ID_PREFIX = "hear-"  # begins the id of a job that listens to a recording
PLAYBACK_ID_PREFIX = "play-"  # of one that makes what browsers play


@dataclass
class CheckService:
    """The application behind the pages.

    Settings, jobs, the orders of this process, the claim store.
    """

    settings: Settings
    jobs: WorkerPool
    current_person: Callable[[], str] = (
        str  # who is at the page at this moment, "" if that is not known
    )
    _store: ClaimStore | None = None

    @classmethod
    def open(cls, settings: Settings, *, current_person: Callable[[], str] = str) -> CheckService:
        """Return the desk of the settings' database.

        What earlier versions kept as files is taken in.

        Raises: StoreError.
        """
        shelf = ReportStore.open(settings.database)
        shelf.import_legacy_files(settings.home / LEGACY_REPORTS_FOLDER)
        return cls(settings, WorkerPool(shelf), current_person)

    @contextmanager
    def store(self) -> Iterator[ClaimStore]:
        """Yield the claim store, opened once per process."""
        if self._store is None:
            from assistant.claims.claim_store import ClaimStore

            self._store = ClaimStore.open(self.settings.database)
        yield self._store

    def close(self) -> None:
        """Stop the jobs and close the database."""
        self.jobs.close()
        self.jobs.report_store.close()
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

    def start(self, order: JobSpec, *, again: bool = False) -> Job:
        """Start a check, or return the job, running or done, of the same order.

        Raises: Busy; StoreError.
        """
        ask = JobRequest(
            check_job_id(order, self.settings, self.status().digest),
            order.transcript.title,
            self.current_person(),
            order,
        )
        work = partial(self._check, order, partial(self.jobs.show_preview, ask.id))
        return self.jobs.submit(ask, work, again=again)

    def job_spec(self, job_id: str) -> JobSpec | None:
        """Return the order of a check that has no report."""
        return self.jobs.report_store.job_spec(job_id)

    def interrupted_checks(self) -> dict[str, JobSpec]:
        """Return the orders, by report id, whose check ended with its process or with the power."""
        return self.jobs.report_store.interrupted_specs(now=self.jobs.clock())

    def resume(self, job_id: str) -> Job:
        """Start an interrupted check from the beginning, with the database as it is now."""
        job = self.start(self.interrupted_checks()[job_id])
        if job.id != job_id:  # the database has changed since: its order is that of the new job
            self.jobs.report_store.delete_job(job_id)
        return job

    def report(self, report_id: str) -> Report | None:
        """Return a stored report, None if there is none.

        Raises: MalformedTranscript with the report's id if it cannot be read.
        """
        written = self.jobs.report_store.written_at(report_id)
        return None if written is None else _load(self.jobs.report_store, report_id, written)

    def correct_sentence(self, report_id: str, correction: Correction) -> None:
        """Change one sentence of a stored report, check it again, and store who did so and when.

        Raises: TranscriptError; StoreError; ClaimIndexError.
        """
        report = self.report(report_id)
        if report is None:
            raise MalformedTranscript("there is no such report any more.", where=report_id)
        now = corrected_report(
            report,
            correction.number,
            correction.text,
            correction.speaker,
            self._check_again(report),
        )
        self.jobs.report_store.store_report(
            report_id, stored_reports.archive(now), now=self.jobs.clock()
        )
        with CorrectionStore.open(self.settings.database) as store:
            store.add(correction)

    def transcribe(self, job_id: str) -> Job:
        """Start to listen to a recording, or go on.

        The outcome of the job is the order of a check of what was said.

        ``job_id`` is of ``transcription_job_id``. Raises: TranscriptError if the recording has gone; Busy; StoreError.
        """
        document, _, names = job_id.removeprefix(TRANSCRIPTION_ID_PREFIX).partition("-")
        with self._recordings() as store:
            recording = store.of(document)
        if recording is None or recording.existing_file is None:
            where = str(recording.file or recording.name) if recording else document[:16]
            raise TranscriptError(
                "is no longer there.", where=where, remedy="Bring the recording again."
            )
        ask = JobRequest(job_id, recording.name, self.current_person(), document=document)
        hot_words = tuple(names.split(", ")) if names else ()
        return self.jobs.submit(
            ask, partial(self._hear, recording, recording.existing_file, hot_words), again=True
        )

    def make_playable(self, recording: Recording, *, again: bool = False) -> Job:
        """Start to make the file that browsers play, or return the job, running or ended.

        Raises: Busy; StoreError.
        """
        ask = JobRequest(
            PLAYBACK_ID_PREFIX + recording.document,
            recording.name,
            self.current_person(),
            document=recording.document,
        )
        job = self.jobs.get(ask.id)
        if job is not None and not again and job.state is not JobState.DONE:
            return job
        return self.jobs.submit(ask, partial(_make_playable, recording), again=True)

    def transcribed(self, job_id: str) -> Transcript | None:
        """Return what was said in a recording, None if its job has not ended well."""
        outcome = self.jobs.result(job_id)
        return job_specs.from_bytes(outcome).transcript if outcome else None

    def forget_transcription(self, job_id: str) -> None:
        """Forget a recording that was not heard to its end, with what was heard of it."""
        from assistant.transcription.checkpoints import delete_checkpoint

        document = job_id.removeprefix(TRANSCRIPTION_ID_PREFIX).partition("-")[0]
        with self._recordings() as store:
            store.forget(document)
        delete_checkpoint(self.settings.home, document)
        self.jobs.report_store.delete_job(job_id)

    def interrupted_transcriptions(self) -> list[Job]:
        """Return the jobs that listened to a recording when their process or the power ended."""
        return self.jobs.report_store.interrupted_jobs(
            TRANSCRIPTION_ID_PREFIX, now=self.jobs.clock()
        )

    def report_heads(self, limit: int = 8) -> list[ReportHead]:
        """Return the newest stored reports, newest first."""
        return self.jobs.report_store.report_heads(limit)

    def unreadable_reports(self) -> list[str]:
        """Return the names of the files of earlier versions that should be reports and cannot be read."""
        return sorted(
            path.name for path in (self.settings.home / LEGACY_REPORTS_FOLDER).glob("*.json")
        )

    def _recordings(self) -> RecordingStore:
        return RecordingStore.open_in(self.settings.home, self.settings.database)

    def _check_again(self, report: Report) -> CheckTranscript:
        from assistant import pipeline

        settings = report.manifest.settings
        return lambda transcript: pipeline.check(
            transcript,
            pipeline.open_index(self.settings),
            self.settings.profile,
            as_of_event=bool(settings.get("as_of_event")),
            ranker=str(settings.get("ranker", "lectern")),
        )

    def _hear(
        self,
        recording: Recording,
        file: Path,
        names: tuple[str, ...],
        tell: OnProgress,
        cancelled: IsCancelled,
    ) -> bytes:
        tell("loading the models", 0, 0)
        from assistant.jobs import vocabulary_hints, voiceprints
        from assistant.transcription.transcriber import TranscriptionOptions
        from assistant.transcripts import recordings

        chosen = self.settings
        known = voiceprints.known_voiceprints(self.settings)
        progress = cancellable(tell, cancelled)
        network = bool(chosen.network)
        expected = vocabulary_hints.load(chosen, progress)
        how = TranscriptionOptions(
            chosen.home,
            chosen.speech_model,
            network,
            hot_words=names,
            known=known,
            terms=expected,
            progress=progress,
        )
        transcript = recordings.transcript(file, recording.name, how, None, None)
        if recording.playback_copy is not None and recording.playable is None:
            _make_playable(recording, tell, cancelled)
        return job_specs.to_bytes(JobSpec(transcript))

    def _check(
        self, order: JobSpec, show: OnFirstLook, tell: OnProgress, cancelled: IsCancelled
    ) -> bytes:
        tell("loading the models", 0, 0)
        from assistant import pipeline
        from assistant.transcription.checkpoints import delete_checkpoint

        index = pipeline.open_index(self.settings, progress=cancellable(tell, cancelled))
        report = pipeline.check(
            order.transcript,
            index,
            self.settings.profile,
            as_of_event=order.as_of_event,
            ranker=order.ranker,
            progress=tell,
            cancelled=cancelled,
            on_first_look=show,
        )
        delete_checkpoint(
            self.settings.home, order.transcript.source.sha256
        )  # its order is kept until the report is stored
        return stored_reports.archive(report)


def _make_playable(recording: Recording, tell: OnProgress, cancelled: IsCancelled) -> bytes:
    from assistant.transcription import playback_copy

    source = recording.existing_file
    target = recording.playback_copy
    if source is None or target is None:
        raise TranscriptError("is no longer there.", where=recording.name)
    with files.explained(target, TranscriptError):
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    playback_copy.make(source, target, tell, cancelled)
    return b"made"


def transcription_job_id(document: str, names: str = "") -> str:
    """Return the id of the job that listens to a recording, by its digest and the names that will be said.

    ``names`` are between commas. All that the job needs is in its id, so that it goes on after a kill.
    """
    hot_words = fitting(listed(names))
    return TRANSCRIPTION_ID_PREFIX + "-".join(
        (document, *([", ".join(hot_words)] if hot_words else []))
    )


def check_job_id(order: JobSpec, settings: Settings, database: str) -> str:
    """Return an id that depends on transcript, settings, ranker and database alone."""
    from assistant.check import rankers

    transcript = order.transcript
    sentences = [(s.number, s.line, s.text, s.speaker, _times(s)) for s in transcript]
    document = (transcript.title, transcript.event_date, transcript.source, sentences)
    ranker = (
        order.ranker,
        rankers.load(order.ranker or settings.profile.ranker).digest,
    )  # it may have learnt since
    parts = (__version__, document, order.as_of_event, ranker, settings.profile, database)
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:CHECK_ID_LENGTH]


def job_spec_of(report: Report, *, as_of_event: bool) -> JobSpec:
    """Return the order that made a report, with ``as_of_event`` as given."""
    warnings = tuple(line for line in report.transcript.warnings if not about_check(line))
    transcript = replace(report.transcript, warnings=warnings)
    return JobSpec(transcript, as_of_event, str(report.manifest.settings.get("ranker", "lectern")))


def sample_files() -> list[Path]:
    """Return the sample transcripts, by name."""
    return sorted(p for p in SAMPLE_FOLDER.glob("*") if p.suffix[1:].lower() in EXTENSIONS)


def _times(sent: Sentence) -> tuple[int | None, ...]:
    """Return start and end in milliseconds.

    A stored report has rounded times and must give the same id.
    """
    return tuple(None if t is None else round(t * 1000) for t in (sent.start, sent.end))


@lru_cache(maxsize=16)
def _load(shelf: ReportStore, report_id: str, _written: float) -> Report | None:
    stored = shelf.report(report_id)
    try:
        return stored_reports.load(stored) if stored else None
    except MalformedTranscript as error:
        raise MalformedTranscript(error.what, where=report_id, remedy=error.remedy) from error
