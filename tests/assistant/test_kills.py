"""kill -9 at fifty random moments, in whatever Lectern does to its files.

Nothing is lost and nothing is doubled.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from assistant import pipeline
from assistant.claims.claim_store import ClaimStore
from assistant.core import database_copies
from assistant.core.domain import Decision, Sentence, Source, Transcript
from assistant.core.settings import Settings
from assistant.jobs.check_service import CheckService
from assistant.jobs.job_specs import JobSpec
from assistant.jobs.job_state import JobState
from assistant.live.event_log import EventLog
from assistant.report import stored_reports
from assistant.review import deciding
from assistant.review.decision_placement import DecidedReport
from assistant.review.decision_store import DecisionStore
from tests.assistant.live.following import EVENT, said
from tests.assistant.test_pipeline import TUNNEL
from tests.assistant.ui import factory

pytestmark = pytest.mark.long
ROOT = Path(__file__).parents[2]
PATIENCE_S = 240
KILLS = {"import": 9, "index": 8, "check": 9, "review": 8, "live": 8, "backup": 8}  # fifty in all
# A child does one of these once it has said that it is ready; ``home`` is its home folder.
HEAD = """
import sys
from pathlib import Path
from tests.assistant import test_kills as kills
home = Path(sys.argv[1])
"""
DO = {name: f"{HEAD}\nkills.do_{name}(home)" for name in KILLS}
ROWS = 4000
TEXTS = [f"Sentence number {i} of this debate is here." for i in range(400)]
VCLAIMS = [
    replace(
        TUNNEL,
        id=f"c{i:02}",
        url=f"https://example.org/{i}",
        statement=f"{TUNNEL.statement} It is number {i}.",
    )
    for i in range(40)
]
REPORT = factory.report(60)


def ready() -> None:
    """Tell the parent that the work begins now."""
    sys.stdout.write("ready\n")
    sys.stdout.flush()


def do_import(home: Path) -> None:
    claims = (
        replace(TUNNEL, id=f"r{i}", url=f"https://example.org/{i}", statement=f"Row {i}.")
        for i in range(ROWS)
    )
    with ClaimStore.open(url(home)) as store:
        ready()
        store.upsert(claims, source="test")


def do_index(home: Path) -> None:
    from assistant.check import loaded_models

    settings = Settings(home=home)
    loaded_models.encoders(settings.profile).sbert.encode(["warm"])
    ready()
    pipeline.build_index(settings)


def do_check(home: Path) -> None:
    with closing(CheckService.open(Settings(home=home))) as desk:
        ready()
        job = desk.start(JobSpec(transcript()))
        while not desk.jobs.get(job.id).has_ended:
            time.sleep(0.01)


def do_review(home: Path) -> None:
    placed = DecidedReport(REPORT)
    matches = [(s.sentence.number, match) for s in REPORT.sentences for match in s.matches]
    with DecisionStore.open(url(home)) as store:
        ready()
        for where in matches:
            if (key := keys(store)) and (where[0], where[1].claim.id) in key:
                continue
            deciding.decide(store, placed, where, Decision("confirm", by="Ada"))
            with (home / "acknowledged").open("a") as file:
                file.write(f"{where[0]} {where[1].claim.id}\n")


def do_live(home: Path) -> None:
    from assistant.live.engine import Engine
    from assistant.live.sources.file import FileSource
    from tests.assistant.live.following import WordChecker

    with EventLog.open(url(home)) as log:
        log.begin(EVENT, 0.0)
        engine = Engine(log, EVENT, WordChecker())
        engine.follow(FileSource(home / "live.txt", poll_s=0.005))
        ready()
        engine.run()


def do_backup(home: Path) -> None:
    ready()
    database_copies.back_up(url(home), home / "backups" / "b", progress=lambda *_: None)


def url(home: Path) -> str:
    return f"sqlite:///{home / 'lectern.db'}"


def keys(store: DecisionStore) -> set[tuple[int, str]]:
    return {(record.anchor.number, record.anchor.claim_id) for record in store.all()}


def transcript() -> Transcript:
    sentences = tuple(
        Sentence(i, i, v.statement, "RIVERA", None, None) for i, v in enumerate(VCLAIMS, 1)
    )
    return Transcript("Kills", None, Source("kills.txt", "txt", "a" * 64), sentences)


def child(home: Path, task: str) -> subprocess.Popen:
    """Return a process that has begun to work."""
    process = subprocess.Popen(
        [sys.executable, "-c", DO[task], str(home)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n", f"{task} did not begin"
    return process


def killed_often(home: Path, task: str, sound: Callable[[], object]) -> None:
    """Kill the work at random moments of the time that it takes, look each time, and let it end at last."""
    moments = random.Random(task)
    longest = 0.5
    for _ in range(KILLS[task]):
        process = child(home, task)
        began = time.monotonic()
        try:
            process.wait(moments.uniform(0, longest))
            longest = max(0.02, min(longest, time.monotonic() - began))  # it was done before
        except subprocess.TimeoutExpired:
            longest *= 1.2
        os.kill(process.pid, signal.SIGKILL) if process.poll() is None else None
        process.wait(PATIENCE_S)
        sound()
    if task != "live":  # which follows for ever
        assert child(home, task).wait(PATIENCE_S) == 0
        sound()


def test_an_import_is_whole_or_absent(tmp_path):
    """No reader ever sees a part of the rows, and in the end each is there once."""

    def sound() -> int:
        with ClaimStore.open(url(tmp_path)) as store:
            count = store.status().claims
        assert count in (0, ROWS)
        return count

    killed_often(tmp_path, "import", sound)
    assert sound() == ROWS


def test_an_index_goes_on_and_is_that_of_an_undisturbed_run(tmp_path):
    """In the end it has every claim once, and the digest of an index that nobody killed."""
    for home in (tmp_path, tmp_path / "undisturbed"):
        with ClaimStore.open(url(home)) as store:
            store.upsert(VCLAIMS, source="test")

    killed_often(tmp_path, "index", lambda: None)

    index, expected = (
        pipeline.open_index(Settings(home=home)) for home in (tmp_path, tmp_path / "undisturbed")
    )
    assert expected.digest == index.digest
    assert [v.id for v in VCLAIMS] == list(index.ids)
    assert all(index.bodies_ready)


def test_a_check_is_offered_again_or_done(tmp_path):
    """After every kill there is the report, or the order, or nothing was asked yet.

    In the end there is one report.
    """
    with ClaimStore.open(url(tmp_path)) as store:
        store.upsert(VCLAIMS, source="test")
    pipeline.build_index(Settings(home=tmp_path))

    def sound() -> None:
        with closing(CheckService.open(Settings(home=tmp_path))) as desk:
            reports = desk.report_heads()
            interrupted = desk.interrupted_checks()
            assert len(reports) + len(interrupted) <= 1
            assert all(order == JobSpec(transcript()) for order in interrupted.values())
            assert all(desk.jobs.get(head.id).state == JobState.DONE for head in reports)
            if reports:  # begin again for the next kill
                desk.jobs.report_store.purge("a" * 64, now=time.time() + 1e6)

    killed_often(tmp_path, "check", sound)
    assert child(tmp_path, "check").wait(PATIENCE_S) == 0
    expected = pipeline.check(transcript(), pipeline.open_index(Settings(home=tmp_path)))
    with closing(CheckService.open(Settings(home=tmp_path))) as desk:
        (head,) = desk.report_heads()
        assert stored_reports.archive(expected) == desk.jobs.report_store.report(head.id)


def test_every_decision_that_was_acknowledged_is_there_once(tmp_path):
    """Each is one version of one key; the log of what people do has as many."""

    def sound() -> None:
        path = tmp_path / "acknowledged"
        acknowledged = (
            {tuple(line.split(" ", 1)) for line in path.read_text().splitlines()}
            if path.exists()
            else set()
        )
        with DecisionStore.open(url(tmp_path)) as store:
            there = [(str(record.anchor.number), record.anchor.claim_id) for record in store.all()]
            assert len(there) == len(set(there))
            assert acknowledged <= set(there)
            assert all(len(store.history(record.key)) == 1 for record in store.all())

    killed_often(tmp_path, "review", sound)
    with DecisionStore.open(url(tmp_path)) as store:
        assert sum(len(s.matches) for s in REPORT.sentences) == len(store.all())


def test_a_live_event_goes_on_where_it_was(tmp_path):
    """Every line is one sentence, in order, checked once."""
    (tmp_path / "live.txt").write_text("".join(f"{text}\n" for text in TEXTS))

    killed_often(tmp_path, "live", lambda: None)

    process = child(tmp_path, "live")
    with EventLog.open(url(tmp_path)) as log:
        ends = time.monotonic() + PATIENCE_S
        while len(TEXTS) > sum(s.checked is not None for s in log.sentences("city")):
            assert time.monotonic() < ends
            assert process.poll() is None
            time.sleep(0.05)
        process.kill()
        process.wait()
        assert [text for _, text in said(log)] == TEXTS
        assert list(range(1, len(TEXTS) + 1)) == [s.number for s in log.sentences("city")]


def test_a_backup_is_whole_or_the_one_before(tmp_path):
    """What stands under its name can always be restored, and is equal to the database."""
    do_import(tmp_path)
    with database_copies.WholeDatabase.open(url(tmp_path)) as database:
        content = database.content()
    path = tmp_path / "backups" / "b"

    def sound() -> None:
        with database_copies.WholeDatabase.open(url(tmp_path)) as database:
            assert database.content() == content
        if path.exists():
            fresh = tmp_path / f"{time.monotonic_ns()}.db"
            assert (
                database_copies.restore(path, f"sqlite:///{fresh}", progress=lambda *_: None)
                == content
            )

    killed_often(tmp_path, "backup", sound)
    assert path.exists()
