"""The archive from the command line, without its models.

What it says, what it prints, and how it fails.
"""

from __future__ import annotations

import json

import numpy as np
import pytest

from assistant.archive import bulk_run, cluster
from assistant.archive.sentence_vectors import VectorFolder
from assistant.commands.cli import main
from tests.assistant.archive.conftest import any_url, archive  # noqa: F401


def test_transcripts_are_added_and_listed(tmp_path, capsys):
    """What is skipped is named on standard error; the list is tab-separated."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "2024-05-01_debate.txt").write_text(
        "LEE: We built a bridge in 1994.\n\nOKAFOR: No.\n"
    )
    (tmp_path / "in" / "photo.jpg").write_bytes(b"\xff\xd8")

    assert main(["archive", "add", str(tmp_path / "in"), "--home", str(tmp_path / "home")]) == 0
    added = capsys.readouterr()
    assert main(["archive", "status", "--home", str(tmp_path / "home")]) == 0
    listed = capsys.readouterr()

    assert added.out == ""
    assert "photo.jpg" in added.err and "1 new, 1 skipped" in added.err
    assert listed.out.rstrip("\n").split("\t")[1:] == ["2024-05-01", "Debate", "2", "", "waiting"]


def test_what_was_repeated_is_exported(archive, any_url, tmp_path, capsys):  # noqa: F811
    """Three files, named on standard output."""
    out = tmp_path / "out"

    assert main(["archive", "export", "--out", str(out), "--database-url", any_url]) == 0

    names = {"repeats.json", "repeats.csv", "passages.csv"}
    assert (
        names
        == {path.name for path in out.iterdir()}
        == {line.split("/")[-1] for line in _lines(capsys)}
    )
    assert len(json.loads((out / "repeats.json").read_text("utf-8"))["repeats"]) == 1


def test_a_purge_takes_a_debate_out_of_the_archive(archive, any_url, tmp_path, capsys):  # noqa: F811
    """With reports, words and vectors; the others stay."""
    gone, *other_entries = archive.entries()
    vectors = VectorFolder.of(tmp_path, "m")
    for entry in (gone, *other_entries):
        vectors.add(entry, np.full((2, 2), 0.5, np.float16))
    home_options = ["--database-url", any_url, "--home", str(tmp_path)]

    assert main(["purge", gone.document, "--yes", *home_options]) == 0

    assert [line.split("\t")[3] for line in _lines(capsys)] == ["2 reports, 1 in the archive"]
    assert archive.entries() == other_entries
    assert set(vectors.open().ids // 100_000) == {entry.id for entry in other_entries}


@pytest.mark.parametrize("processes", ["0", "-1"])
def test_a_run_needs_a_process(processes, tmp_path):
    """Usage."""
    with pytest.raises(SystemExit) as ended:
        main(["archive", "run", "--processes", processes, "--home", str(tmp_path)])
    assert ended.value.code == 2


@pytest.mark.parametrize("command", [["run", "--scheduler"], ["worker"]])
@pytest.mark.parametrize("host", ["10.0.0.5", "0.0.0.0", "cluster.example", "127.0.0.1.example"])
@pytest.mark.threat("local account")
def test_a_scheduler_beyond_this_computer_needs_tls(command, host, tmp_path, capsys):
    """In one line, before anything is sent."""
    assert main(["archive", *command, f"tcp://{host}:8786", "--home", str(tmp_path)]) == 1
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 1
    assert "needs TLS" in errors[0]
    assert f"tls://{host}:PORT" in errors[0]


@pytest.mark.parametrize(
    ("address", "is_warned"), [("tcp://127.0.0.1:8786", True), ("tls://127.0.0.1:8786", False)]
)
def test_a_scheduler_without_tls_on_this_computer_is_used_with_a_warning(
    address, is_warned, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(cluster, "security", lambda *_: None)
    monkeypatch.setattr(cluster, "remote_cluster", lambda *_: bulk_run.local_engine({}))
    monkeypatch.setattr(bulk_run, "run_checks", lambda *_, **__: bulk_run.RunSummary(0, 0, 0))

    assert main(["archive", "run", "--scheduler", address, "--home", str(tmp_path)]) == 0

    assert ("warning: every account" in capsys.readouterr().err) == is_warned


def _lines(capsys):
    return capsys.readouterr().out.splitlines()
