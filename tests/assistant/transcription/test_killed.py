"""kill -9 while a recording is heard.

The next call goes on, and no more than a minute of sound is heard again.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assistant.transcription import checkpoints
from assistant.transcription.decoding import SAMPLE_RATE_HZ
from tests.assistant.transcription import sounds

ROOT = Path(__file__).parents[3]
HEAR = """
import sys
from pathlib import Path
from assistant.transcription.transcriber import TranscriptionOptions, transcribe
print(len(transcribe(Path(sys.argv[1]), TranscriptionOptions(Path(sys.argv[2]))).words))
"""
PATIENCE_S = 300


def started(home: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", HEAR, str(sounds.SAMPLE), str(home)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=environment)


def heard(home: Path) -> list[dict]:
    """Return the stretches that are on the disk."""
    files = list((home / checkpoints.CHECKPOINTS_FOLDER).glob("*/*.jsonl"))
    return [
        json.loads(line)
        for file in files
        for line in file.read_text("utf-8").splitlines()
        if line.endswith("}")
    ]


@pytest.mark.long
def test_a_killed_hearing_goes_on(tmp_path):
    """Killed after its first stretch, it keeps that stretch and ends with the words of the whole recording."""
    killed_process = started(tmp_path)
    deadline = time.monotonic() + PATIENCE_S
    while not heard(tmp_path) and time.monotonic() < deadline and killed_process.poll() is None:
        time.sleep(0.05)
    killed_process.kill()
    killed_process.communicate()
    stored_windows = heard(tmp_path)

    next_process = started(tmp_path)
    words, _ = next_process.communicate(timeout=PATIENCE_S)

    assert stored_windows and stored_windows[0]["words"]
    assert all(window["end"] - window["begin"] <= 60 * SAMPLE_RATE_HZ for window in stored_windows)
    assert int(words) > 400
    assert heard(tmp_path) == []  # all is in one file now, and the samples are gone
    assert not list(tmp_path.rglob("*.s16"))
