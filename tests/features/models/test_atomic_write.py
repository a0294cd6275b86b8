"""Atomic writes: the old file or the whole new one, whatever happens in between."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

from features.models import atomic_write


def names(folder):
    return sorted(p.name for p in folder.iterdir())


def test_a_file_takes_the_place_of_the_old_one(tmp_path):
    """What was written is there at the end, and nothing else."""
    path = tmp_path / "graph.onnx"
    path.write_bytes(b"old")

    with atomic_write.replacing(path) as part_path:
        part_path.write_bytes(b"new")
        assert path.read_bytes() == b"old"

    assert path.read_bytes() == b"new"
    assert names(tmp_path) == ["graph.onnx"]


def test_an_error_leaves_the_old_file(tmp_path):
    """After any error, an interrupt included, the old file is unchanged and the temporary file is gone."""
    path = tmp_path / "graph.onnx"
    path.write_bytes(b"old")

    with pytest.raises(KeyboardInterrupt), atomic_write.replacing(path) as part_path:
        part_path.write_bytes(b"ne")
        raise KeyboardInterrupt

    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["graph.onnx"]


KILLED = """
    import sys, time
    from pathlib import Path
    from features.models import atomic_write as atomic
    with atomic.replacing(Path(sys.argv[1])) as part:
        part.write_bytes(b"ne")
        print("writing", flush=True)
        time.sleep(60)
"""


def test_a_killed_writer_leaves_the_old_file(tmp_path):
    """SIGKILL in the middle: the old file holds, the next write succeeds, and a day later the leftover is removed."""
    path = tmp_path / "report.json"
    path.write_bytes(b"old")
    writer = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(KILLED), str(path)], stdout=subprocess.PIPE
    )
    assert writer.stdout.readline() == b"writing\n"
    writer.send_signal(signal.SIGKILL)
    writer.communicate()

    assert path.read_bytes() == b"old"
    (leftover,) = tmp_path.glob("*.part")
    with atomic_write.replacing(path) as part_path:
        part_path.write_bytes(b"new")
    assert (path.read_bytes(), leftover.exists()) == (
        b"new",
        True,
    )  # it may belong to a writer that is at work

    os.utime(leftover, (time.time() - 90_000,) * 2)
    with atomic_write.replacing(path) as part_path:
        part_path.write_bytes(b"newer")
    assert names(tmp_path) == ["report.json"]


def test_concurrent_writers_never_mix(tmp_path):
    """Of many writers at once one wins each time: a reader always sees one whole content."""
    path = tmp_path / "report.json"
    contents = [bytes([letter]) * 50_000 for letter in b"abcd"]
    path.write_bytes(contents[0])

    def write(content):
        for _ in range(10):
            with atomic_write.replacing(path) as part_path:
                part_path.write_bytes(content)

    writers = [threading.Thread(target=write, args=(content,)) for content in contents]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        assert path.read_bytes() in contents
    assert (path.read_bytes() in contents, names(tmp_path)) == (True, ["report.json"])


def test_files_of_other_programs_stay(tmp_path):
    """Only Lectern's own temporary files are removed, however old another program's are."""
    other_path = tmp_path / "film.part"
    other_path.write_bytes(b"")
    os.utime(other_path, (0, 0))

    with atomic_write.replacing(tmp_path / "graph.onnx") as part_path:
        part_path.write_bytes(b"")

    assert names(tmp_path) == ["film.part", "graph.onnx"]
