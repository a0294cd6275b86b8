"""The application behind the pages: runs checks as jobs, opens stored reports, reads fact-checks.

One CheckService serves the whole process. Everything that outlives the process is in the database.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from assistant import __version__
from assistant.check.progress import cancellable_progress
from assistant.check.report_warnings import about_check
from assistant.claims.likely_names import fitting_names, split_names
from assistant.core import clean_text, files
from assistant.core.domain import Report, Sentence, Transcript, VerifiedClaim
from assistant.core.errors import MalformedTranscript, TranscriptError
from assistant.core.settings import Settings
from assistant.core.shipped_files import SAMPLE_TRANSCRIPTS
from assistant.jobs import job_specs
from assistant.jobs.corrections import Correction, CorrectionStore, corrected_report
from assistant.jobs.job_specs import JobSpec
from assistant.jobs.job_state import Job, JobState
from assistant.jobs.recordings import Recording, RecordingStore
from assistant.jobs.report_store import JobRequest, ReportHead, ReportStore
from assistant.jobs.worker_pool import IsCancelled, OnProgress, WorkerPool
from assistant.report import stored_reports
from assistant.transcripts.formats import EXTENSIONS
from features.models.weight_files import reranker_folder

if TYPE_CHECKING:
    from assistant.check.preview import OnFirstLook
    from assistant.claims.claim_store import ClaimStore
    from assistant.claims.records import StoreStatus

# Reference labels that lie beside the sample transcripts
REFERENCE_PREFIX = "gold"
LEGACY_REPORTS_FOLDER = "reports"  # the folder in which versions up to schema 2 kept reports
CHECK_ID_LENGTH = 20
SHOWN_DIGEST_CHARACTERS = 16
TRANSCRIPTION_ID_PREFIX = "hear-"  # begins the id of a job that transcribes a recording
PLAYBACK_ID_PREFIX = "play-"  # begins the id of a job that makes a playback copy
DEFAULT_RANKER = "lectern"


@dataclass
class CheckService:
    """The application behind the pages: settings, jobs and the claim store of this process.

    ``current_person`` returns who is at the page at this moment, "" if that is unknown.
    ``has_preview``: whether a page waits for the sentences that may match while a check runs.
    """

    settings: Settings
    jobs: WorkerPool
    current_person: Callable[[], str] = str
    has_preview: bool = True
    _claim_store: ClaimStore | None = None

    @classmethod
    def open(
        cls,
        settings: Settings,
        *,
        current_person: Callable[[], str] = str,
        has_preview: bool = True,
    ) -> CheckService:
        """Return the service for the settings' database; import files of earlier versions.

        Raises: StoreError.
        """
        report_store = ReportStore.open(settings.database)
        report_store.import_legacy_files(settings.home / LEGACY_REPORTS_FOLDER)
        return cls(settings, WorkerPool(report_store), current_person, has_preview)

    @contextmanager
    def store(self) -> Iterator[ClaimStore]:
        """Yield the claim store, opened once per process."""
        if self._claim_store is None:
            from assistant.claims.claim_store import ClaimStore

            self._claim_store = ClaimStore.open(self.settings.database)
        yield self._claim_store

    def close(self) -> None:
        """Stop the jobs and close the database."""
        self.jobs.close()
        self.jobs.report_store.close()
        if self._claim_store is not None:
            self._claim_store.close()

    def status(self) -> StoreStatus:
        """Return the counts and dates of the fact-checks."""
        with self.store() as store:
            return store.status()

    def newest_review_date(self) -> date | None:
        """Return the day of the newest review of the database, None if no review has a date."""
        with self.store() as store:
            _, newest_day = store.size()
        return newest_day

    def claim(self, claim_id: str) -> VerifiedClaim | None:
        """Return a claim with its article, None if the database doesn't have it any more."""
        with self.store() as store:
            return store.get(claim_id)

    def start(self, spec: JobSpec, *, again: bool = False) -> Job:
        """Start a check, or return the job that runs or ran with the same specification.

        Raises: Busy, StoreError.
        """
        job_id = check_job_id(spec, self.settings, self.status().digest)
        request = JobRequest(job_id, spec.transcript.title, self.current_person(), spec)
        on_preview = partial(self.jobs.show_preview, job_id) if self.has_preview else None
        return self.jobs.submit(request, partial(self._check, spec, on_preview), again=again)

    def job_spec(self, job_id: str) -> JobSpec | None:
        """Return the specification of a check without a report."""
        return self.jobs.report_store.job_spec(job_id)

    def interrupted_checks(self) -> dict[str, JobSpec]:
        """Return the specifications, by report id, of checks whose process stopped before the end."""
        return self.jobs.report_store.interrupted_specs(now=self.jobs.clock())

    def resume(self, job_id: str) -> Job:
        """Start an interrupted check from the beginning, with the database as it is now."""
        job = self.start(self.interrupted_checks()[job_id])
        if job.id != job_id:
            # the database has changed since then: the new job has the specification
            self.jobs.report_store.delete_job(job_id)
        return job

    def report(self, report_id: str) -> Report | None:
        """Return a stored report, None if there is no such report.

        Raises: MalformedTranscript with the report's id if it cannot be read.
        """
        version = self.jobs.report_store.version(report_id)
        if version is None:
            return None
        return _load_report(self.jobs.report_store, report_id, version)

    def rename_debate(self, document: str, title: str) -> None:
        """Give a title to all reports of a transcript.

        Raises: MalformedTranscript if the title is empty, StoreError.
        """
        words = " ".join(clean_text.cleaned(title).split())
        if not words:
            raise MalformedTranscript("a debate needs a title.", remedy="Nothing was changed.")
        self.jobs.report_store.rename_debate(document, words)

    def correct_sentence(self, report_id: str, correction: Correction) -> None:
        """Change one sentence of a stored report, check it again, and store who did so and when.

        Raises: TranscriptError, StoreError, ClaimIndexError.
        """
        report = self.report(report_id)
        if report is None:
            raise MalformedTranscript("this report no longer exists.", where=report_id)
        new_report = corrected_report(
            report,
            correction.number,
            correction.text,
            correction.speaker,
            partial(self._check_as_before, report),
        )
        self.jobs.report_store.store_report(
            report_id, stored_reports.archive(new_report), now=self.jobs.clock()
        )
        with CorrectionStore.open(self.settings.database) as store:
            store.add(correction)

    def transcribe(self, job_id: str) -> Job:
        """Start or resume the transcription of a recording; its outcome is a job specification.

        ``job_id`` comes from ``transcription_job_id``.

        Raises: TranscriptError if the recording isn't found, Busy, StoreError.
        """
        # The id is a prefix, the digest of the recording, and the names that it may contain.
        digest_and_names = job_id.removeprefix(TRANSCRIPTION_ID_PREFIX)
        recording_digest, _, joined_names = digest_and_names.partition("-")
        with self._open_recordings() as recording_store:
            recording = recording_store.of(recording_digest)
        if recording is None or recording.existing_file is None:
            where = recording_digest[:SHOWN_DIGEST_CHARACTERS]
            if recording is not None:
                where = str(recording.file or recording.name)
            raise TranscriptError(
                "no longer exists.", where=where, remedy="Send the recording again."
            )
        expected_names = tuple(joined_names.split(", ")) if joined_names else ()
        request = JobRequest(
            job_id, recording.name, self.current_person(), document=recording_digest
        )
        work = partial(self._transcribe, recording, recording.existing_file, expected_names)
        return self.jobs.submit(request, work, again=True)

    def make_playable(self, recording: Recording, *, again: bool = False) -> Job:
        """Start the job that makes a playback copy, or return that job, running or ended.

        Raises: Busy, StoreError.
        """
        job_id = PLAYBACK_ID_PREFIX + recording.document
        job = self.jobs.get(job_id)
        # A finished job is started again, a failed one only with ``again``.
        has_unfinished_job = job is not None and job.state is not JobState.DONE
        if job is not None and has_unfinished_job and not again:
            return job
        person = self.current_person()
        request = JobRequest(job_id, recording.name, person, document=recording.document)
        work = partial(_make_playable, recording)
        return self.jobs.submit(request, work, again=True)

    def transcribed(self, job_id: str) -> Transcript | None:
        """Return the transcript of a recording, None unless its job succeeded."""
        outcome = self.jobs.result(job_id)
        return job_specs.from_bytes(outcome).transcript if outcome else None

    def forget_transcription(self, job_id: str) -> None:
        """Delete an interrupted transcription with its recording and its partial words."""
        from assistant.transcription.checkpoints import delete_checkpoint

        digest_and_names = job_id.removeprefix(TRANSCRIPTION_ID_PREFIX)
        recording_digest, _, _ = digest_and_names.partition("-")
        with self._open_recordings() as recording_store:
            recording_store.forget(recording_digest)
        delete_checkpoint(self.settings.home, recording_digest)
        self.jobs.report_store.delete_job(job_id)

    def interrupted_transcriptions(self) -> list[Job]:
        """Return the transcription jobs whose process stopped before their end."""
        return self.jobs.report_store.interrupted_jobs(
            TRANSCRIPTION_ID_PREFIX, now=self.jobs.clock()
        )

    def report_heads(self, limit: int = 8) -> list[ReportHead]:
        """Return the newest stored reports, newest first."""
        return self.jobs.report_store.report_heads(limit)

    def unreadable_reports(self) -> list[str]:
        """Return the names of report files of earlier versions that cannot be read."""
        folder = self.settings.home / LEGACY_REPORTS_FOLDER
        return sorted(path.name for path in folder.glob("*.json"))

    def _open_recordings(self) -> RecordingStore:
        return RecordingStore.open_in(self.settings.home, self.settings.database)

    def _check_as_before(self, report: Report, transcript: Transcript) -> Report:
        """Check a transcript with the settings of an earlier report."""
        from assistant import pipeline

        settings = report.manifest.settings
        return pipeline.check(
            transcript,
            pipeline.open_index(self.settings),
            self.settings.profile,
            as_of_event=bool(settings.get("as_of_event")),
            ranker=str(settings.get("ranker", DEFAULT_RANKER)),
        )

    def _transcribe(
        self,
        recording: Recording,
        file: Path,
        hot_words: tuple[str, ...],
        on_progress: OnProgress,
        is_cancelled: IsCancelled,
    ) -> bytes:
        """Transcribe a recording, make its playback copy, and return a job specification."""
        on_progress("loading the models", 0, 0)
        from assistant.jobs import vocabulary_hints, voiceprints
        from assistant.transcription.transcriber import TranscriptionOptions
        from assistant.transcripts import recordings

        progress = cancellable_progress(on_progress, is_cancelled)
        options = TranscriptionOptions(
            self.settings.home,
            self.settings.speech_model,
            bool(self.settings.network),
            hot_words=hot_words,
            known=voiceprints.known_voiceprints(self.settings),
            terms=vocabulary_hints.load(self.settings, progress),
            progress=progress,
        )
        transcript = recordings.transcript(file, recording.name, options, None, None)
        lacks_playback_copy = recording.playback_copy is not None and recording.playable is None
        if lacks_playback_copy:
            _make_playable(recording, on_progress, is_cancelled)
        return job_specs.to_bytes(JobSpec(transcript))

    def _check(
        self,
        spec: JobSpec,
        on_preview: OnFirstLook | None,
        on_progress: OnProgress,
        is_cancelled: IsCancelled,
    ) -> bytes:
        """Run a check and return its report as it is stored."""
        on_progress("loading the models", 0, 0)
        from assistant import pipeline
        from assistant.transcription.checkpoints import delete_checkpoint

        progress = cancellable_progress(on_progress, is_cancelled)
        report = pipeline.check(
            spec.transcript,
            pipeline.open_index(self.settings, progress=progress),
            self.settings.profile,
            as_of_event=spec.as_of_event,
            ranker=spec.ranker,
            progress=on_progress,
            cancelled=is_cancelled,
            on_first_look=on_preview,
        )
        # The words stay in the job's specification until the report is stored.
        delete_checkpoint(self.settings.home, spec.transcript.source.sha256)
        return stored_reports.archive(report)


def _make_playable(
    recording: Recording, on_progress: OnProgress, is_cancelled: IsCancelled
) -> bytes:
    """Make the playback copy of a recording, and return a non-empty outcome."""
    from assistant.transcription import playback_copy

    recorded_file = recording.existing_file
    playback_file = recording.playback_copy
    if recorded_file is None or playback_file is None:
        raise TranscriptError("no longer exists.", where=recording.name)
    with files.explained(playback_file, TranscriptError):
        playback_file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    playback_copy.make(recorded_file, playback_file, on_progress, is_cancelled)
    return b"made"


def transcription_job_id(document: str, names: str = "") -> str:
    """Return the job id for a recording's digest and the names (between commas) it may contain.

    The id says everything that the job needs, so that the job can be resumed after a kill.
    """
    hot_words = fitting_names(split_names(names))
    job_id = TRANSCRIPTION_ID_PREFIX + document
    if hot_words:
        job_id += "-" + ", ".join(hot_words)
    return job_id


def check_job_id(spec: JobSpec, settings: Settings, database_digest: str) -> str:
    """Return an id that depends on transcript, settings, ranker and database alone."""
    from assistant.check import rankers

    transcript = spec.transcript
    sentences = [
        (sentence.number, sentence.line, sentence.text, sentence.speaker, _times_ms(sentence))
        for sentence in transcript
    ]
    transcript_values = (transcript.title, transcript.event_date, transcript.source, sentences)
    # The digest belongs to the id, because the ranker may have been trained again since.
    folder = reranker_folder(settings.profile.reranker)
    ranker = rankers.load(spec.ranker or settings.profile.ranker, folder)
    ranker_values = (spec.ranker, ranker.digest)
    check_values = (
        __version__,
        transcript_values,
        spec.as_of_event,
        ranker_values,
        settings.profile,
        database_digest,
    )
    digest = hashlib.sha256(repr(check_values).encode()).hexdigest()
    return digest[:CHECK_ID_LENGTH]


def job_spec_of(report: Report, *, as_of_event: bool) -> JobSpec:
    """Return the specification of a report's check, with another ``as_of_event``."""
    warnings = tuple(line for line in report.transcript.warnings if not about_check(line))
    transcript = replace(report.transcript, warnings=warnings)
    ranker = str(report.manifest.settings.get("ranker", DEFAULT_RANKER))
    return JobSpec(transcript, as_of_event, ranker)


def sample_files() -> list[Path]:
    """Return the sample transcripts, by name."""
    files = [path for path in SAMPLE_TRANSCRIPTS.glob("*") if path.suffix[1:].lower() in EXTENSIONS]
    return sorted(path for path in files if not path.name.startswith(REFERENCE_PREFIX))


def _times_ms(sentence: Sentence) -> tuple[int | None, ...]:
    """Return start and end in milliseconds.

    A stored report has rounded times and must give the same id.
    """
    times_ms: list[int | None] = []
    for seconds in (sentence.start, sentence.end):
        times_ms.append(None if seconds is None else round(seconds * 1000))
    return tuple(times_ms)


@lru_cache(maxsize=16)
def _load_report(
    report_store: ReportStore, report_id: str, _version: tuple[float, str]
) -> Report | None:
    stored_report = report_store.report(report_id)
    if not stored_report:
        return None
    try:
        return stored_reports.load(stored_report)
    except MalformedTranscript as error:
        raise MalformedTranscript(error.what, where=report_id, remedy=error.remedy) from error
