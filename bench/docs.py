"""Writes the generated pages of docs/: measures, transcript formats and the command line, from their tables.

``python -m bench.docs``. A test fails when a page is out of date.
"""

from __future__ import annotations

import argparse
import ast
from collections.abc import Iterator
from pathlib import Path

from assistant.commands.cli import parser
from assistant.transcripts.formats import FORMATS
from features.catalogue import MEASURES

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PRODUCT = ("assistant", "features", "ranking")


def pages() -> dict[str, str]:
    """Return the generated pages by file name."""
    return {
        "measures.md": measures(),
        "command-line.md": command_line(),
        "transcripts.md": transcripts(),
        "modules.md": modules(),
    }


def measures() -> str:
    """Return the page about the 19 measures, one row each, in the order of the columns."""
    rows = [f"| {i} | `{m.name}` | {m.family} | {m.field} | {m.meaning} |" for i, m in enumerate(MEASURES)]
    head = (
        "# The 19 measures\n\n"
        "Between an input sentence and a verified claim, after Shaar et al., *Assisting the Human Fact-Checkers*. "
        "The order is that of the columns everywhere. An article with fewer than four sentences repeats its last "
        "value; a field that a claim lacks gives 0.\n\n"
        "| column | name | family | field of the claim | what it is |\n|---|---|---|---|---|\n"
    )
    return head + "\n".join(rows) + "\n"


def transcripts() -> str:
    """Return the page about the transcript formats, one row each, in the order in which they are tried."""
    rows = [f"| {form.label} | {form.extensions.replace(' ', ', ')} | `{form.name}` |" for form in FORMATS]
    head = (
        "# Transcripts that Lectern reads\n\n"
        "A file is recognised by its contents, whatever its name says. The first format of this list that fits is "
        "taken; reports store its short name. What was guessed, repaired or left out is a warning.\n\n"
        "| format | usual extensions | short name |\n|---|---|---|\n"
    )
    return head + "\n".join(rows) + "\n"


def modules() -> str:
    """Return the page about the modules of the product: for each the first line of its docstring, by room."""
    rooms: dict[str, list[str]] = {}
    for path in sorted(p for room in PRODUCT for p in (ROOT / room).rglob("*.py")):
        first = (ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").split("\n\n")[0].replace("\n", " ")
        if path.name == "__init__.py" and not first:
            continue
        rooms.setdefault(str(path.parent.relative_to(ROOT)), []).append(f"| `{path.name}` | {first} |")
    head = (
        "# The modules\n\nThe first line of every module of the product, by room; "
        "[architecture.md](architecture.md) has the picture.\n"
    )
    tables = (f"\n## {room}\n\n| module | |\n|---|---|\n" + "\n".join(rows) + "\n" for room, rows in rooms.items())
    return head + "".join(tables)


def command_line() -> str:
    """Return the page about the command line: the help of every command."""
    blocks = [f"## {name}\n\n```\n{text.rstrip()}\n```\n" for name, text in _helps("python -m assistant", parser())]
    head = (
        "# Command line\n\n"
        "Data goes to stdout or `--out`, talk to stderr. Exit status: 0 done, 1 something about the input, 2 usage. "
        "A flag beats a variable (`LECTERN_HOME`, `LECTERN_DATABASE_URL`, `LECTERN_PROFILE`, `LECTERN_NETWORK`), which "
        "beats `lectern.toml` in the home folder.\n\n"
    )
    return head + "\n".join(blocks)


def _helps(name: str, command: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    verbs = [a for a in command._actions if isinstance(a, argparse._SubParsersAction)]
    if not verbs:
        command.formatter_class = lambda prog: argparse.HelpFormatter(prog, width=100)
        yield name, command.format_help()
    for verb in verbs:
        for word, below in verb.choices.items():
            yield from _helps(f"{name} {word}", below)


def main() -> None:
    for name, text in pages().items():
        (DOCS / name).write_text(text, "utf-8")
        print(f"docs/{name}")


if __name__ == "__main__":
    main()
