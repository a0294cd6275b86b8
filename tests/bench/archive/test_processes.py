"""The comparison of runs: what is measured of processes, and the home that links to a finished index."""

import subprocess
import sys
import threading

import pytest

pytest.importorskip("psutil")

from bench.archive import processes

WORKS = """
import time
while time.process_time() < 0.5:
    pass
print(flush=True)
time.sleep(60)
"""
ENDED_BY_ITS_PARENT = f"""
import os, subprocess, sys
child = subprocess.Popen([sys.executable, "-c", {WORKS!r}], stdout=subprocess.PIPE)
child.stdout.readline()
input()
child.kill()
os._exit(0)
"""


def test_work_of_a_process_that_nobody_waits_for_counts(monkeypatch):
    """The seconds of a child that is killed and not waited for, as Ray's workers are, are those last looked at."""
    monkeypatch.setattr(processes, "LOOK_S", 0.01)
    used, most, over = {}, dict.fromkeys(("workers_gb", "all_gb", "private_gb"), 0.0), threading.Event()
    process = subprocess.Popen([sys.executable, "-c", ENDED_BY_ITS_PARENT], stdin=subprocess.PIPE)
    watch = threading.Thread(target=processes._watch, args=(process.pid, "ray", most, used, over))
    watch.start()
    while sum(used.values()) < 0.5 and process.poll() is None:
        over.wait(0.05)
    process.communicate(b"\n")
    over.set()
    watch.join()

    assert process.returncode == 0
    assert sum(used.values()) >= 0.5
    assert len(used) == 2
    assert most["all_gb"] > 0
