"""The command ``prepare``, run by `make run`.

Loads sample fact-checks into an empty database and checks a sample.
"""

from __future__ import annotations

import argparse
import time
from contextlib import closing
from typing import TYPE_CHECKING

from assistant.commands.options import load_settings
from assistant.commands.terminal import ProgressLine, say
from assistant.core.shipped_files import SAMPLE_CLAIMS

if TYPE_CHECKING:
    from assistant.core.settings import Settings

SAMPLE_CHECK_POLL_S = 0.2


def add(subcommands: argparse._SubParsersAction, shared_parser: argparse.ArgumentParser) -> None:
    """Add the command."""
    prepare = subcommands.add_parser(
        "prepare",
        parents=[shared_parser],
        help="load the sample fact-checks and check a sample debate",
    )
    prepare.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Fill an empty database with samples, make it searchable.

    With samples alone, check the first sample debate.
    """
    from assistant import pipeline
    from assistant.claims import importers
    from assistant.claims.claim_reading import SAMPLE_SOURCE
    from assistant.claims.claim_store import ClaimStore

    settings = load_settings(options)
    with closing(ClaimStore.open(settings.database)) as store:
        if not store.status().claims:
            import_report = store.upsert(importers.read_claims(SAMPLE_CLAIMS), source=SAMPLE_SOURCE)
            say(f"{import_report.new:,} sample fact-checks loaded.")
        has_only_samples = store.status().only_samples
    with ProgressLine() as progress:
        index = pipeline.open_index(settings, progress=progress)
        say(f"{len(index):,} fact-checks are searchable.")
        if has_only_samples:
            say(_check_first_sample(settings, progress))


def _check_first_sample(settings: Settings, progress: ProgressLine) -> str:
    from assistant import transcripts
    from assistant.jobs.check_service import CheckService, sample_files
    from assistant.jobs.job_specs import JobSpec
    from assistant.jobs.job_state import JobState

    sample = sample_files()[0]
    with closing(CheckService.open(settings)) as service:
        job = service.start(JobSpec(transcripts.read(sample)))
        while not job.has_ended:
            time.sleep(SAMPLE_CHECK_POLL_S)
            job = service.jobs.get(job.id) or job
            progress(job.progress.stage, job.progress.done, job.progress.total)
    if job.state is JobState.DONE:
        return f"{sample.name} is checked."
    return f"{sample.name}: {job.error}"
