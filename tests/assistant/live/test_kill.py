"""kill -9 at any moment: a real process that follows a growing file is killed again and again, and nothing is lost."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assistant.live.event_log import EventLog
from tests.assistant.live.following import said

ROOT = Path(__file__).parent.parent.parent.parent
FOLLOW = """
import sys
from pathlib import Path
from assistant.live.engine import Engine
from assistant.live.event_log import EventLog
from assistant.live.sources.file import FileSource
from tests.assistant.live.following import EVENT, WordChecker

with EventLog.open(sys.argv[1]) as log:
    log.begin(EVENT, 0.0)
    engine = Engine(log, EVENT, WordChecker())
    engine.follow(FileSource(Path(sys.argv[2]), poll_s=0.005))
    engine.run()
"""
KILLS = 3
LINES = 300
PATIENCE_S = 120


@pytest.mark.slow
def test_killed_at_any_moment_it_goes_on_without_loss_or_doubles(tmp_path):
    """Three kills while lines are written.

    Every line is one sentence, in order, each checked, numbered from 1.
    """
    url = f"sqlite:///{tmp_path / 'live.db'}"
    path = tmp_path / "live.txt"
    texts = [f"Sentence number {i} of this debate is here." for i in range(LINES)]
    moments = random.Random(7)
    written = 0
    for round_ in range(KILLS + 1):
        process = subprocess.Popen([sys.executable, "-c", FOLLOW, url, str(path)], cwd=ROOT)
        end = LINES if round_ == KILLS else LINES * (round_ + 1) // (KILLS + 1)
        checked_count = _checked(url)
        for text in texts[written:end]:
            with path.open("a") as out:
                out.write(text + "\n")
            time.sleep(moments.uniform(0, 0.002))
        written = end
        _wait(
            lambda minimum=checked_count, is_last=round_ == KILLS: (
                _checked(url) >= (LINES if is_last else minimum + 5)
            ),
            process,
        )
        time.sleep(moments.uniform(0, 0.05))
        os.kill(process.pid, signal.SIGKILL)
        process.wait()

    with EventLog.open(url) as log:
        sentences = log.sentences("city")
        assert [text for _, text in said(log)] == texts
        assert list(range(1, LINES + 1)) == [s.number for s in sentences]
        assert all(s.kept and s.checked and s.revision == 1 for s in sentences)


def _checked(url: str) -> int:
    with EventLog.open(url) as log:
        return sum(s.checked is not None for s in log.sentences("city"))


def _wait(done, process) -> None:
    end = time.monotonic() + PATIENCE_S
    while not done():
        assert process.poll() is None, "the process ended by itself"
        assert time.monotonic() < end, "nothing happened for two minutes"
        time.sleep(0.02)
