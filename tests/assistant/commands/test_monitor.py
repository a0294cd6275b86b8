"""What an administrator's monitoring reads.

Numbers, no texts, and never a change of the database.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from assistant.claims.claim_store import ClaimStore
from assistant.commands import monitor
from assistant.core import schema
from assistant.jobs.job_specs import JobSpec
from assistant.jobs.job_state import JobState
from assistant.jobs.report_store import JobRequest, ReportStore
from assistant.live.event import Event
from assistant.live.event_log import EventLog
from assistant.live.live_lines import Line
from assistant.report import stored_reports
from tests.assistant import homes, made_up


@pytest.fixture
def busy(any_url) -> str:
    """The URL of a database with a report, a failed import, a job that waits, and a live event that is behind."""
    now = time.time()
    with ClaimStore.open(any_url) as store:
        store.upsert([made_up.VCLAIM], source="test")
    with ReportStore.open(any_url) as shelf:
        order = JobSpec(made_up.report().transcript)
        for job_id, who in (("check", "Ada"), ("waits", "Ada")):
            shelf.claim_job(
                JobRequest(job_id, "City debate", who, order), max_running_jobs=9, now=now - 5
            )
        shelf.claim_job(JobRequest("import", "Importing"), max_running_jobs=9, now=now)
        shelf.finish_job(
            "check", JobState.DONE, now=now, outcome=stored_reports.archive(made_up.report())
        )
        shelf.finish_job("import", JobState.FAILED, now=now, error="no")
    with EventLog.open(any_url) as log:
        log.begin(Event("city", "City debate"), now)
        log.store_lines(
            "city", "wire", [Line("wire", "1", "Crime fell by half.", final=True)], now=now - 4
        )
    return any_url


def test_health_is_told_in_numbers(busy):
    """Claims, jobs by state, how far a live event is behind; no title and no name."""
    answer = TestClient(monitor.app(busy)).get("/health")

    state = answer.json()
    assert answer.status_code == 200
    assert state["status"] == "ok"
    assert state["schema"] == schema.SCHEMA_VERSION
    assert state["claims"] == 1
    assert (state["jobs"]) == {
        "done": 1,
        "failed": 1,
        "waiting": 1,
        "running": 0,
        "cancelled": 0,
        "interrupted": 0,
        "reports": 1,
    }
    assert state["live"]["city"]["waiting"] == 1
    assert state["live"]["city"]["lag_s"] >= 4
    assert "City debate" not in answer.text
    assert "Ada" not in answer.text


def test_metrics_are_read_by_prometheus(busy):
    """Its own parser reads them."""
    text = TestClient(monitor.app(busy)).get("/metrics").text

    samples = [
        sample for family in text_string_to_metric_families(text) for sample in family.samples
    ]
    values = {(s.name, *sorted(s.labels.values())): s.value for s in samples}
    assert values["lectern_up",] == 1
    assert values["lectern_claims",] == 1
    assert values["lectern_jobs", "waiting"] == 1
    assert (
        1
        == values["lectern_actions_total", "check", "done"]
        == values["lectern_actions_total", "failed", "import"]
    )
    assert 5 <= values["lectern_action_seconds_sum", "check", "done"] < 60
    assert values["lectern_live_lag_seconds", "city"] >= 4


def test_looking_changes_nothing(tmp_path):
    """A database of an earlier version is told to be one and stays as it is.

    None is made where there is none.
    """
    homes.make(tmp_path)
    path = tmp_path / "lectern.db"
    bytes_before = path.read_bytes()
    client = TestClient(monitor.app(f"sqlite:///{path}"))

    answer = client.get("/health")
    assert answer.status_code == 503
    assert answer.json()["status"] == "failing"
    assert "doesn't have the tables of schema" in answer.json()["error"]
    assert "lectern_up 0.0" in client.get("/metrics").text
    assert path.read_bytes() == bytes_before

    nowhere = TestClient(monitor.app(f"sqlite:///{tmp_path / 'none' / 'lectern.db'}")).get(
        "/health"
    )
    assert nowhere.status_code == 503
    assert not Path(tmp_path / "none").exists()


def test_a_password_is_never_told():
    """The server that does not answer is named nowhere."""
    answer = TestClient(monitor.app("postgresql+psycopg://me:secret@127.0.0.1:1/lectern")).get(
        "/health"
    )

    assert answer.status_code == 503
    assert answer.json()["error"] == "cannot be reached."
    assert "secret" not in answer.text
