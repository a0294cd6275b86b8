"""A person at a terminal gets progress, tables and colours; a pipe gets plain lines."""

from __future__ import annotations

import os
import sys
import threading

import pytest

from assistant.commands import cli, terminal
from assistant.commands.rich_output import duration_words

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are those of POSIX", allow_module_level=True)

RED = "\x1b[1;31m"
WIDTH_COLUMNS = "100"


class PseudoTerminal:
    """A stream that is a terminal, and all that was written to it."""

    def __init__(self) -> None:
        self.primary_fd, secondary_fd = os.openpty()
        self.stream = os.fdopen(secondary_fd, "w", encoding="utf-8")
        self.received = b""
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def text(self) -> str:
        """Close the stream and return what it showed, with plain line ends."""
        self.stream.close()
        self.reader.join()
        os.close(self.primary_fd)
        return self.received.decode("utf-8").replace("\r\n", "\n")

    def _read(self) -> None:
        while True:
            try:
                chunk = os.read(self.primary_fd, 4096)
            except OSError:  # Linux reports the end of a terminal as an error
                return
            if not chunk:
                return
            self.received += chunk


@pytest.fixture
def terminal_stream(monkeypatch) -> PseudoTerminal:
    """A terminal with colours, 100 columns wide."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", WIDTH_COLUMNS)
    monkeypatch.delenv("NO_COLOR", raising=False)
    return PseudoTerminal()


def test_an_error_is_red_on_a_terminal(terminal_stream, monkeypatch):
    monkeypatch.setattr(sys, "stderr", terminal_stream.stream)

    terminal.say_error("debate.txt: there is no such file.")

    assert terminal_stream.text() == f"{RED}lectern:\x1b[0m debate.txt: there is no such file.\n"


def test_no_color_turns_the_red_off(terminal_stream, monkeypatch):
    monkeypatch.setattr(sys, "stderr", terminal_stream.stream)
    monkeypatch.setenv("NO_COLOR", "1")

    terminal.say_error("failed.")

    assert "31m" not in terminal_stream.text()


def test_an_error_in_a_pipe_is_plain(capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")

    terminal.say_error("[bold]failed[/bold].")

    assert capsys.readouterr().err == "lectern: [bold]failed[/bold].\n"


def test_a_long_error_is_not_broken_into_lines(terminal_stream, monkeypatch):
    monkeypatch.setattr(sys, "stderr", terminal_stream.stream)
    path = "/folder" * 40

    terminal.say_error(f"{path}: there is no such file.")

    assert path in terminal_stream.text()


def test_brackets_and_control_characters_stay_text(terminal_stream, monkeypatch):
    monkeypatch.setattr(sys, "stderr", terminal_stream.stream)

    terminal.say_error("[red]a[/red]\x1b[2J :smile:")

    assert terminal_stream.text().endswith(" [red]a[/red][2J :smile:\n")


def test_a_table_on_a_terminal_has_headings(terminal_stream, monkeypatch):
    monkeypatch.setattr(sys, "stdout", terminal_stream.stream)
    monkeypatch.setenv("NO_COLOR", "1")

    with terminal.data_table("Name", "Rating") as table:
        table.add("a\tb", "True")
        table.add("second", "False")

    lines = [line.rstrip() for line in terminal_stream.text().splitlines()]
    assert lines[1:] == ["a b     True", "second  False"]
    assert "Name" in lines[0]
    assert "Rating" in lines[0]


def test_a_table_cuts_nothing_off(terminal_stream, monkeypatch):
    monkeypatch.setattr(sys, "stdout", terminal_stream.stream)
    claim = "x" * 150

    with terminal.data_table("ID", "Claim") as table:
        table.add("7", claim)

    assert terminal_stream.text().count("x") == len(claim)


def test_a_table_in_a_pipe_is_lines_with_tabs(capsys):
    with terminal.data_table("Name", "Rating") as table:
        table.add("first", 1)
        table.add("second", "")

    assert capsys.readouterr().out == "first\t1\nsecond\t\n"


def test_rows_before_an_error_are_shown(terminal_stream, monkeypatch):
    monkeypatch.setattr(sys, "stdout", terminal_stream.stream)

    with pytest.raises(ValueError, match="second"), terminal.data_table("Name") as table:
        table.add("deleted")
        raise ValueError("second")

    assert "deleted" in terminal_stream.text()


def test_progress_shows_count_and_disappears(terminal_stream, monkeypatch):
    monkeypatch.setattr(sys, "stderr", terminal_stream.stream)

    with terminal.ProgressLine() as progress:
        progress("listening [1]", 0, 2000)
        progress("listening [1]", 1500, 2000)
        progress("ranking", 0, 0)

    shown = terminal_stream.text()
    assert "listening [1]" in shown
    assert shown.rstrip().endswith("\x1b[2K")  # the line is cleared at the end


def test_progress_in_a_pipe_prints_nothing(capsys):
    with terminal.ProgressLine() as progress:
        progress("listening", 10, 20)

    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "")


def test_data_in_a_pipe_stays_there_while_a_terminal_shows_progress(
    terminal_stream, monkeypatch, capsys
):
    monkeypatch.setattr(sys, "stderr", terminal_stream.stream)

    with terminal.ProgressLine() as progress:
        progress("listening", 10, 20)
        terminal.print_line("data")

    assert capsys.readouterr().out == "data\n"
    assert "data" not in terminal_stream.text()


def test_a_failed_command_reports_its_error_on_a_terminal(terminal_stream, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "stderr", terminal_stream.stream)

    status = cli.main(["eval", str(tmp_path / "none.run"), str(tmp_path / "none.qrels")])

    assert status == 1
    assert f"{RED}lectern:" in terminal_stream.text()


@pytest.mark.parametrize(
    ("seconds", "words"), [(12.4, "12 s"), (150, "2 min"), (5400, "1.5 h"), (59.4, "59 s")]
)
def test_a_duration_is_in_its_largest_unit(seconds, words):
    assert duration_words(seconds) == words
