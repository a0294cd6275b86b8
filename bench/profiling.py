"""The profile of a whole check: time and allocations by stage, and a flame graph.

Part of ``bench.speed``.

Checks the sample debates against the sample fact-checks, as ``python -m assistant check`` does on
a warm home.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections import defaultdict
from pathlib import Path
from typing import Any

from assistant import pipeline, transcripts
from assistant.check import loaded_models
from assistant.claims.claim_index import ClaimIndex
from assistant.core.errors import LecternError
from assistant.core.settings import EMBEDDED
from bench.command import table
from bench.samples import CLAIMS, DEBATES, ROOT, read_gold, sample_claims

FLAMES = ROOT / "docs" / "curves" / "check-flames.svg"
RATE = 200  # stacks a second


class Stages:
    """Seconds by the wall and by the processor, and the most megabytes allocated, by stage of a check.

    Called as a check's progress. A stage ends where the next begins; megabytes only while
    tracemalloc traces, which sees Python's and numpy's memory, not that of the networks.
    """

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, float]] = defaultdict(
            lambda: {"seconds": 0.0, "processor": 0.0, "MB": 0.0}
        )
        self._stage = "models"
        self._wall = time.perf_counter()
        self._processor = time.process_time()

    def __call__(self, stage: str, done: int = 0, total: int = 0) -> None:
        """End the stage before, unless it is the same."""
        if stage == self._stage:
            return
        figures = self.rows[self._stage]
        wall = time.perf_counter()
        processor = time.process_time()
        figures["seconds"] += wall - self._wall
        figures["processor"] += processor - self._processor
        if tracemalloc.is_tracing():
            figures["MB"] = max(figures["MB"], tracemalloc.get_traced_memory()[1] / 2**20)
            tracemalloc.reset_peak()
        self._stage = stage
        self._wall = time.perf_counter()
        self._processor = time.process_time()


def check_samples(index: ClaimIndex) -> dict[str, dict[str, float]]:
    """Return the stages of the checks of all sample debates, one after the other."""
    stages = Stages()
    for name in sorted(read_gold()):
        pipeline.check(transcripts.read(DEBATES / name), index, progress=stages)
        stages("reading")
    return dict(stages.rows)


def profile() -> dict[str, Any]:
    """Print and return the stages of a check of the samples; write the flame graph of one of them.

    Time is measured in one run, memory in another, since tracing memory takes time itself.
    """
    claims = sample_claims()
    index = ClaimIndex.in_memory(claims, loaded_models.encoders(EMBEDDED))
    stages = check_samples(index)
    tracemalloc.start()
    traced = check_samples(index)
    tracemalloc.stop()
    stage_rows = {}
    for stage, figures in stages.items():
        stage_rows[stage] = {**figures, "MB": traced[stage]["MB"]}
    print(table(({"stage": stage, **figures} for stage, figures in stage_rows.items()), digits=2))
    flames(sorted(read_gold())[-1], FLAMES)
    print(f"  {FLAMES.relative_to(ROOT)} written")
    return {
        "stages": {
            stage: {name: round(value, 2) for name, value in figures.items()}
            for stage, figures in stage_rows.items()
        }
    }


def flames(sample: str, path: Path) -> None:
    """Write a flame graph of a check of a sample from the command line, on a home that is warm, as SVG.

    Raises: LecternError if the profiler cannot watch the check.
    """
    with tempfile.TemporaryDirectory() as home:
        environment = os.environ | {
            "LECTERN_HOME": home,
            "LECTERN_CACHE": os.environ.get("LECTERN_CACHE", home),
        }
        check = [
            sys.executable,
            "-m",
            "assistant",
            "check",
            str(DEBATES / sample),
            "--out",
            home,
            "--format",
            "json",
        ]
        load = [sys.executable, "-m", "assistant", "claims", "import", str(CLAIMS)]
        watched = [
            "py-spy",
            "record",
            "--format",
            "flamegraph",
            "--rate",
            str(RATE),
            "--output",
            str(path),
            "--",
        ]
        watched[0] = str(Path(sys.executable).with_name("py-spy"))
        for arguments in (load, check, [*watched, *check]):  # the first check warms the home
            ended = subprocess.run(
                arguments, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
            )
            if ended.returncode:
                raise LecternError(f"no flame graph: {ended.stderr.strip().splitlines()[-1]}")
    flame_graph = path.read_text("utf-8")  # the title is the whole command with its folders
    path.write_text(
        re.sub(r">[^<>]* record --format [^<>]*<", f">assistant check {sample}<", flame_graph),
        "utf-8",
    )
