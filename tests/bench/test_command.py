"""The command line that all benches share: statuses, the JSON file, and tables."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from assistant.core.errors import LecternError
from bench.command import command, data_option, printed, table
from training.shared.intervals import Share


def measure(options: argparse.Namespace) -> dict[str, object] | None:
    """Fail as the folder's name says, else return a share."""
    if options.data == Path("missing"):
        raise LecternError("no such file.", where="missing")
    if options.data == Path("nonsense"):
        raise argparse.ArgumentError(None, "--data nonsense: give a folder")
    return None if options.data == Path("nothing") else {"likely": Share(1, 4), "name": "é"}


MAIN = command(measure, data_option)


def test_a_report_is_written_as_json(tmp_path: Path) -> None:
    """Shares with their intervals, text as it is.

    Nothing is written where a bench returns nothing.
    """
    out = tmp_path / "report.json"
    assert MAIN(["--data", "nothing", "--json", str(out)]) == 0
    assert not out.exists()
    assert MAIN(["--data", ".", "--json", str(out)]) == 0
    assert json.loads(out.read_text("utf-8")) == {"likely": [0.25, 0.0456, 0.6994], "name": "é"}
    assert "é" in out.read_text("utf-8")


def test_a_user_s_error_is_one_line_and_status_1(capsys: pytest.CaptureFixture[str]) -> None:
    """On standard error, without a traceback."""
    assert MAIN(["--data", "missing"]) == 1
    assert capsys.readouterr().err == "missing: no such file.\n"


def test_options_that_make_no_sense_end_in_the_usage(capsys: pytest.CaptureFixture[str]) -> None:
    """Status 2, with the bench's name."""
    with pytest.raises(SystemExit, match="2"):
        MAIN(["--data", "nonsense"])
    usage, *_, message = capsys.readouterr().err.splitlines()
    assert "python -m tests.bench.test_command" in usage
    assert "--data nonsense: give a folder" in message


def test_a_table_aligns_its_columns() -> None:
    """The first to the left, the others to the right; a row may lack a column."""
    lines = table(
        [{"system": "a", "MAP": 0.5}, {"system": "long", "interval": (0.1, 0.25)}]
    ).splitlines()
    assert lines == [
        "system    MAP        interval",
        "a       0.500                ",
        "long           0.100 to 0.250",
    ]


def test_shares_are_printed_with_their_counts(capsys: pytest.CaptureFixture[str]) -> None:
    """By name, one a line."""
    assert printed({"both": Share(3, 4), "bars": "reached"})["bars"] == "reached"
    first_line, second = capsys.readouterr().out.splitlines()
    assert first_line.split()[:2] == ["both", "75.0%"]
    assert first_line.endswith("of 4")
    assert second.split() == ["bars", "reached"]
