"""What `make run` does before the app opens: sample fact-checks where there are none, one debate checked."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from assistant import pipeline, transcripts
from assistant.claims import importers
from assistant.claims.store import SAMPLES, ClaimStore
from assistant.desk.desk import Desk, Order, sample_files
from assistant.desk.jobs import Jobs, State
from assistant.ground.settings import Settings

SAMPLE_CLAIMS = Path(__file__).resolve().parents[2] / "sample_claims" / "samples.jsonl"
POLL_S = 0.2


def prepare(settings: Settings, *, progress: Callable[[str, int, int], None]) -> Iterator[str]:
    """Yield in words what was done: samples loaded if the database is empty, the index, the first sample checked."""
    settings.home.mkdir(parents=True, exist_ok=True)
    with closing(ClaimStore.open(settings.database)) as store:
        if not store.status().claims:
            result = store.upsert(importers.read_claims(SAMPLE_CLAIMS), source=SAMPLES)
            yield f"{result.new:,} sample fact-checks loaded."
        only_samples = store.status().only_samples
    index = pipeline.open_index(settings, progress=progress)
    yield f"{len(index):,} fact-checks are searchable."
    if only_samples:
        yield _check_first_sample(settings, progress)


def _check_first_sample(settings: Settings, progress: Callable[[str, int, int], None]) -> str:
    first = sample_files()[0]
    jobs = Jobs(settings.home / "reports")
    job = Desk(settings, jobs).start(Order(transcripts.read(first)))
    while not job.over:
        time.sleep(POLL_S)
        job = jobs.get(job.id) or job
        progress(job.progress.stage, job.progress.done, job.progress.total)
    jobs.close()
    return f"{first.name} is checked." if job.state is State.DONE else f"{first.name}: {job.error}"
