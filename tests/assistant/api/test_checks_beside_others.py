"""A check by the API beside one by the command line, and a recording that is uploaded."""

from __future__ import annotations

import hashlib
import io
import json
import wave
from dataclasses import replace

import pytest

from assistant.commands.cli import main
from assistant.jobs import job_specs
from assistant.jobs.check_service import CheckService
from assistant.jobs.job_specs import JobSpec
from assistant.report import stored_reports
from tests.assistant.api.test_check_routes import DEBATE, client, finished, owner, start
from tests.assistant.made_up import report

__all__ = ["client", "owner"]
SAMPLE_RATE_HZ = 8_000


def sound() -> bytes:
    """Return a second of silence as a WAV file."""
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(SAMPLE_RATE_HZ)
        writer.writeframes(bytes(2 * SAMPLE_RATE_HZ))
    return file.getvalue()


@pytest.mark.slow
def test_a_check_by_the_api_has_the_report_of_the_command_line(
    client, owner, served_home, tmp_path
):
    path = tmp_path / "2024-09-10_city.txt"
    path.write_bytes(DEBATE)
    home = ["--home", str(served_home.settings.home)]
    check_id = start(client, owner, name=path.name).json()["id"]
    assert finished(client, owner, check_id)["state"] == "done"

    by_api = client.get(f"/v1/checks/{check_id}?form=json", headers=owner).json()
    out = tmp_path / "out"
    assert main(["check", str(path), "--format", "json", "--out", str(out), *home]) == 0

    (report_file,) = out.glob("*.json")
    assert json.loads(report_file.read_bytes()) == by_api


@pytest.fixture
def transcribed_files(monkeypatch):
    """Return the bytes of the recordings that are transcribed. Nothing here takes a model."""
    contents = []

    def check(service, spec, *_):
        return stored_reports.archive(replace(report(), transcript=spec.transcript))

    def transcribe(service, recording, file, *_):
        contents.append(file.read_bytes())
        return job_specs.to_bytes(JobSpec(report().transcript))

    monkeypatch.setattr(CheckService, "_check", check)
    monkeypatch.setattr(CheckService, "_transcribe", transcribe)
    return contents


def test_an_uploaded_recording_is_stored_transcribed_and_checked(
    client, owner, served_home, transcribed_files
):
    recording = sound()
    answer = start(client, owner, recording, name="night.wav", title="Night")

    assert answer.status_code == 202
    check_id = answer.json()["id"]
    assert finished(client, owner, check_id)["state"] == "done"
    made_report = client.get(f"/v1/checks/{check_id}?form=json", headers=owner).json()
    assert made_report["title"] == "Night"
    assert transcribed_files == [recording]
    stored = served_home.services.recordings.of(hashlib.sha256(recording).hexdigest())
    assert stored.name == "night.wav"
