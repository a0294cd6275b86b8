"""Text from outside can't command the terminal."""

import ast
from pathlib import Path

import pytest

from assistant.commands import terminal

COMMANDS = Path(terminal.__file__).parent


@pytest.mark.threat("publisher")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("night\x1b[2J\x1b]0;title\x07.txt", "night[2J]0;title.txt"),
        ("a\x9b31mb", "a31mb"),
        ("over\rwritten\x08", "overwritten"),
        ("abc\u202etxt.exe", "abctxt.exe"),
        ("caf\udce9.txt", "caf\\udce9.txt"),
        ("plain naïve 文 text", "plain naïve 文 text"),
    ],
)
def test_control_characters_are_not_printed(text, expected, capsys):
    terminal.say(text)
    terminal.print_cells(text, 1)
    printed = capsys.readouterr()

    assert printed.err == f"{expected}\n"
    assert printed.out.replace("over written", "overwritten") == f"{expected}\t1\n"


def test_a_line_of_data_is_one_line(capsys):
    terminal.print_line("one\ntwo")

    assert capsys.readouterr().out == "one two\n"


@pytest.mark.parametrize("path", sorted(COMMANDS.glob("*.py")), ids=lambda path: path.name)
def test_commands_print_through_this_module(path):
    calls = [
        node.lineno
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "print"
    ]

    assert path.name == "terminal.py" or calls == []
