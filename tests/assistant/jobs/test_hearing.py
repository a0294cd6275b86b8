"""Recordings on the desk: heard as a job, resumed after its process has gone, and purged with their debate."""

from __future__ import annotations

import time
from datetime import date

import pytest

from assistant.core.errors import TranscriptError
from assistant.core.settings import Settings
from assistant.jobs import report_store
from assistant.jobs.check_service import CheckService, transcription_job_id
from assistant.jobs.job_state import Job, JobProgress, JobState
from assistant.jobs.recordings import Recording, RecordingStore, file_digest
from assistant.jobs.report_store import JobRequest
from assistant.transcription import checkpoints, whisper_model
from assistant.transcription.decoding import SAMPLE_RATE_HZ
from tests.assistant.transcription import sounds
from tests.assistant.ui import factory

NAME = "2026-02-24_kestrel-bay.wav"


@pytest.fixture
def desk(tmp_path):
    service = CheckService.open(Settings(home=tmp_path / "home"))
    yield service
    service.close()


def brought(desk, path) -> str:
    """Return the digest of a recording that the desk refers to."""
    with RecordingStore.open_in(desk.settings.home, desk.settings.database) as store:
        store.add(Recording(file_digest(path), NAME, path, False))
    return file_digest(path)


def test_a_recording_is_heard_as_a_job_with_the_names_of_its_id(desk, tmp_path):
    """Title and date are guessed from its name.

    What was heard is kept under the names that were expected.
    """
    path = sounds.write(tmp_path / "x.wav", sounds.sample()[: 12 * SAMPLE_RATE_HZ], "pcm_s16le")
    document = brought(desk, path)

    job = desk.transcribe(transcription_job_id(document, " Nora  Brannigan,, Kestrel Bay "))
    assert not job.is_import
    factory.wait_for_jobs(desk)

    heard = desk.transcribed(job.id)
    assert heard.source.name == NAME
    assert heard.source.format == "sound"
    assert document == heard.source.sha256
    assert date(2026, 2, 24) == heard.event_date
    assert "estrel" in heard.title
    assert "two candidates" in heard.sentences[0].text
    assert heard.sentences[0].words
    key = checkpoints.cache_key(
        whisper_model.load_speech_model("", network=False).digest,
        "Nora Brannigan, Kestrel Bay",
        "None",
    )
    assert (
        desk.settings.home / checkpoints.CHECKPOINTS_FOLDER / document / f"{key}.json"
    ).is_file()


def test_what_cannot_be_heard_is_said_by_its_name(desk, tmp_path):
    """Not by that of the file in Lectern's folder.

    Nor does a recording that has gone start a job.
    """
    path = sounds.write(tmp_path / "x.wav", sounds.tone(2), "pcm_s16le")
    job_id = transcription_job_id(brought(desk, path))
    desk.transcribe(job_id)
    factory.wait_for_jobs(desk)

    assert desk.jobs.get(job_id).state == JobState.FAILED
    assert (
        desk.jobs.get(job_id).error
        == f"{NAME}: no speech was found in this recording. Check that you chose the right recording."
    )
    path.unlink()
    with pytest.raises(TranscriptError, match=r"no longer exists\. Send the recording again"):
        desk.transcribe(job_id)


def test_a_hearing_whose_process_has_gone_is_offered_and_can_be_forgotten(
    desk, tmp_path, monkeypatch
):
    """It is no load of fact-checks and no check to run again."""
    path = sounds.write(tmp_path / "x.wav", sounds.tone(1), "pcm_s16le")
    document = brought(desk, path)
    folder = checkpoints.RecordingCheckpoint.of(desk.settings.home, document).folder
    folder.mkdir()
    with monkeypatch.context() as there:
        there.setattr(report_store, "this_process", lambda: "")
        desk.jobs.report_store.claim_job(
            JobRequest(transcription_job_id(document), NAME, document=document),
            max_running_jobs=9,
            now=time.time(),
        )
    assert [transcription_job_id(document)] == [job.id for job in desk.interrupted_transcriptions()]
    assert desk.interrupted_checks() == {}

    desk.forget_transcription(transcription_job_id(document))

    assert desk.interrupted_transcriptions() == []
    assert not folder.exists()
    assert path.exists()
    with RecordingStore.open_in(desk.settings.home, desk.settings.database) as store:
        assert store.of(document) is None


def test_a_hearing_goes_with_its_debate(desk):
    """Purge lists the job, which holds all that was said, and deletes it."""
    desk.jobs.submit(JobRequest("hear-x", NAME, document="d" * 64), lambda tell, cancelled: b"{}")
    factory.wait_for_jobs(desk)
    assert [
        (debate.document, debate.record_counts) for debate in desk.jobs.report_store.debates()
    ] == [("d" * 64, {"jobs": 1})]

    desk.jobs.report_store.purge("d" * 64, now=time.time())

    assert desk.jobs.result("hear-x") is None


def test_time_left_counts_what_was_done_since_it_went_on():
    """Two hours of a recording that were heard before a kill say nothing about the speed of now."""
    progress = JobProgress("listening", done=7300, total=14400, started=100.0, done_before=7200)
    assert Job("hear-x", NAME, JobState.RUNNING, progress).seconds_left(101.0) == 71.0
