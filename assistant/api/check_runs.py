"""Runs the checks of programs as jobs, and resumes them after their process has stopped.

A recording is transcribed by one job and checked by another; a thread starts the second one.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from enum import StrEnum

from assistant.api.check_records import CheckRecord, CheckRecordStore
from assistant.core.domain import Report, Transcript
from assistant.core.errors import Busy, LecternError, SettingsError, StoreError
from assistant.jobs.check_service import CheckService
from assistant.jobs.job_specs import JobSpec
from assistant.jobs.job_state import Job, JobProgress, JobState

ADVANCE_PAUSE_S = 1.0
SERVER_FAULT = (
    "The server could not finish the check: its disk, database or index refused. "
    "Ask its administrator."
)
RUNS_LOGGER = logging.getLogger("lectern.api.checks")


class CheckStage(StrEnum):
    """The state of a check of a program."""

    WAITING = "waiting"
    TRANSCRIBING = "transcribing"
    CHECKING = "checking"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    GONE = "gone"


END_STAGES = (CheckStage.DONE, CheckStage.FAILED, CheckStage.CANCELLED, CheckStage.GONE)
_STAGE_OF_JOB = {
    JobState.WAITING: CheckStage.WAITING,
    JobState.DONE: CheckStage.DONE,
    JobState.FAILED: CheckStage.FAILED,
    JobState.CANCELLED: CheckStage.CANCELLED,
}


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """The options of a check, which are stored until it starts."""

    title: str = ""
    event_date: date | None = None
    before_event: bool = False
    names: str = ""

    def to_json(self) -> str:
        """Return the options as JSON."""
        return json.dumps(asdict(self), default=str, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> CheckOptions:
        """Return the options that ``to_json`` wrote."""
        values = json.loads(text)
        event_date = values["event_date"]
        if event_date is not None:
            values["event_date"] = date.fromisoformat(event_date)
        return cls(**values)

    def spec(self, transcript: Transcript) -> JobSpec:
        """Return the specification of a check. Raises: SettingsError if a date is missing."""
        corrected_transcript = replace(
            transcript,
            title=self.title or transcript.title,
            event_date=self.event_date or transcript.event_date,
        )
        if self.before_event and corrected_transcript.event_date is None:
            message = "before_event is set, but the transcript has no date."
            raise SettingsError(message, remedy="Set event_date as well.")
        return JobSpec(corrected_transcript, self.before_event)


@dataclass(frozen=True, slots=True)
class CheckStatus:
    """The state of a check at one moment."""

    stage: CheckStage
    progress: JobProgress = JobProgress()
    error: str = ""
    title: str = ""


@dataclass(eq=False)
class CheckRuns:
    """The checks of programs, run by this process or by others with the same database."""

    service: CheckService
    records: CheckRecordStore
    clock: Callable[[], float]
    _closing: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def begin(self) -> None:
        """Start the thread that starts second jobs and resumes interrupted ones."""
        if self._thread is None:
            self._thread = threading.Thread(
                target=self._advance_often, name="checks of programs", daemon=True
            )
            self._thread.start()

    def close(self) -> None:
        """Stop the thread and the jobs of this process."""
        self._closing.set()
        if self._thread is not None:
            self._thread.join()
        self.service.close()
        self.records.close()

    def start_transcript(
        self, record: CheckRecord, transcript: Transcript, options: CheckOptions
    ) -> CheckRecord:
        """Start the check of a transcript, and return its record.

        Raises: SettingsError, Busy, StoreError; nothing is stored then.
        """
        spec = options.spec(transcript)
        stored = self.records.add(replace(record, document=transcript.source.sha256))
        if stored.job or stored.has_ended:  # an earlier request with the same key has started it
            return stored
        return self._start_or_forget(stored, lambda: self._start_check(stored, spec))

    def start_recording(
        self, record: CheckRecord, transcription_id: str, options: CheckOptions
    ) -> CheckRecord:
        """Start the transcription of a recording, which is followed by the check.

        Raises: TranscriptError, Busy, StoreError; no check is stored then.
        """
        stored_record = self.records.add(
            replace(record, transcription=transcription_id, options=options.to_json())
        )
        if (
            stored_record.job or stored_record.has_ended
        ):  # an earlier request with the same key has started it
            return stored_record
        return self._start_or_forget(stored_record, lambda: self._transcribe(stored_record))

    def status(self, record: CheckRecord) -> CheckStatus:
        """Return the state of a check as it is now."""
        if record.error:
            return CheckStatus(CheckStage.FAILED, error=record.error)
        if record.job:
            return self._status_of_job(record, record.job, CheckStage.CHECKING)
        if not record.transcription:
            # The check has no job yet, or none any more.
            return CheckStatus(CheckStage.CANCELLED if record.has_ended else CheckStage.WAITING)
        # ``transcription`` is the id of the job that transcribes the recording first.
        status = self._status_of_job(record, record.transcription, CheckStage.TRANSCRIBING)
        if status.stage is CheckStage.DONE:
            # The check of the transcript begins within a second.
            return replace(status, stage=CheckStage.WAITING)
        return status

    def report(self, record: CheckRecord) -> Report | None:
        """Return the report of a check, None if there is none yet."""
        return self.service.report(record.job) if record.job else None

    def cancel(self, record: CheckRecord) -> None:
        """Stop a check that waits or runs; a job that others wait for goes on for them."""
        # the check, or before it the transcription
        job_id = record.job or record.transcription
        if job_id and self._is_of_others(record, job_id):
            self.records.change(record.id, job="", transcription="", has_ended=True, options="")
        elif job_id:
            self.service.jobs.cancel(job_id)

    def _is_of_others(self, record: CheckRecord, job_id: str) -> bool:
        """Return whether another check has the same job, or a person has asked for it."""
        job = self.service.jobs.get(job_id)
        if job is not None and job.requested_by != _requester(record.owner):
            return True
        for other_record in self.records.unfinished():
            if other_record.id != record.id and job_id in (
                other_record.job,
                other_record.transcription,
            ):
                return True
        return False

    def advance_all(self) -> None:
        """Bring every unfinished check forward by a step, if one is due."""
        for record in self.records.unfinished():
            if self._closing.is_set():
                return
            try:
                self._advance(record)
            except (Busy, StoreError) as error:  # it is tried again
                RUNS_LOGGER.debug("check %s waits: %s", record.id, error)
            except LecternError as error:
                reason = self._error_for_programs(str(error))
                self.records.change(record.id, error=reason, has_ended=True, options="")

    def _advance(self, record: CheckRecord) -> None:
        stage = self.status(record).stage
        if stage in (CheckStage.DONE, CheckStage.FAILED, CheckStage.CANCELLED):
            self.records.change(record.id, has_ended=True, options="")
            return
        if record.job:
            self._resume_check(record)
        elif record.transcription:
            transcript = self.service.transcribed(record.transcription)
            if transcript is not None:
                spec = CheckOptions.from_json(record.options).spec(transcript)
                self._start_check(record, spec)
            elif self.service.jobs.get(record.transcription) is None:
                self._transcribe(record)

    def _resume_check(self, record: CheckRecord) -> None:
        """Start a check again whose process has stopped; one without a specification is gone."""
        has_job = self.service.jobs.get(record.job) is not None
        if has_job:
            return
        spec = self.service.job_spec(record.job)
        if spec is None:
            self.records.change(record.id, has_ended=True)
        else:
            self._start_check(record, spec)

    def _start_check(self, record: CheckRecord, spec: JobSpec) -> CheckRecord:
        job = self._service_of(record).start(spec)
        document = spec.transcript.source.sha256
        self.records.change(record.id, job=job.id, document=document, options="")
        if record.job and record.job != job.id:
            # The fact-checks have changed since; the new job has the specification.
            self.service.jobs.report_store.delete_job(record.job)
        return replace(record, job=job.id, document=document, options="")

    def _transcribe(self, record: CheckRecord) -> CheckRecord:
        self._service_of(record).transcribe(record.transcription)
        return record

    def _start_or_forget(
        self, record: CheckRecord, start: Callable[[], CheckRecord]
    ) -> CheckRecord:
        """Start a job; if that fails, forget the check, so that the key can be used again."""
        try:
            return start()
        except LecternError:
            self.records.delete(record.id)
            raise

    def _service_of(self, record: CheckRecord) -> CheckService:
        """Return the service whose jobs belong to the owner of a check."""
        return replace(self.service, current_person=lambda: _requester(record.owner))

    def _status_of_job(
        self, record: CheckRecord, job_id: str, running_stage: CheckStage
    ) -> CheckStatus:
        job = self.service.jobs.get(job_id)
        if job is None:
            # Its process has stopped: it is resumed, unless it was deleted.
            stage = CheckStage.GONE if record.has_ended else CheckStage.WAITING
            return CheckStatus(stage)
        error = self._error_for_programs(job.error)
        return CheckStatus(_stage(job, running_stage), job.progress, error, job.title)

    def _error_for_programs(self, error: str) -> str:
        """Return why a job failed, without the addresses of the database and of folders."""
        private_addresses = (self.records.name, str(self.service.settings.home))
        if any(address in error for address in private_addresses):
            return SERVER_FAULT
        return error

    def _advance_often(self) -> None:
        while not self._closing.wait(ADVANCE_PAUSE_S):
            with suppress(StoreError):  # the database is busy or away: the next time will do
                self.advance_all()


def _requester(owner: str) -> str:
    """Return the name under which the jobs of a token's holder run."""
    return f"token {owner}"


def _stage(job: Job, running_stage: CheckStage) -> CheckStage:
    return _STAGE_OF_JOB.get(job.state, running_stage)
