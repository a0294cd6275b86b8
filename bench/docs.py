"""Writes the generated pages of docs/.

Measures, transcript formats, modules, the command line and the threat model, from their tables.

``python -m bench.docs``. A test fails when a page is out of date.
"""

from __future__ import annotations

import argparse
import ast
from collections.abc import Iterator
from pathlib import Path

from assistant.commands.cli import parser
from assistant.transcripts.formats import TRANSCRIPT_FORMATS
from bench.lexicon import lexicon
from bench.threat_model import threat_page
from features.similarity.catalogue import MEASURES

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
HEADS = lexicon(__file__)
PRODUCT = ("assistant", "features", "ranking")


def pages() -> dict[str, str]:
    """Return the generated pages by file name."""
    return {
        "measures.md": measures(),
        "command-line.md": command_line(),
        "transcripts.md": transcripts(),
        "modules.md": modules(),
        "threat-model.md": threat_page(),
    }


def measures() -> str:
    """Return the page about the 19 measures, one row each, in the order of the columns."""
    lines = [
        f"| {i} | `{m.name}` | {m.family} | {m.field} | {m.meaning} |"
        for i, m in enumerate(MEASURES)
    ]
    return HEADS.measures + "\n".join(lines) + "\n"


def transcripts() -> str:
    """Return the page about the transcript formats, one row each, in the order in which they are tried."""
    lines = [
        f"| {form.label} | {form.extensions.replace(' ', ', ')} | `{form.name}` |"
        for form in TRANSCRIPT_FORMATS
    ]
    return HEADS.transcripts + "\n".join(lines) + "\n"


def modules() -> str:
    """Return the page about the modules of the product.

    For each the first line of its docstring, by room.
    """
    packages: dict[str, list[str]] = {}
    for folder in PRODUCT:
        for path in sorted((ROOT / folder).rglob("*.py")):
            docstring = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
            summary = docstring.split("\n\n")[0].replace("\n", " ")
            if path.name == "__init__.py" and not summary:
                continue
            package = str(path.parent.relative_to(ROOT))
            packages.setdefault(package, []).append(f"| `{path.name}` | {summary} |")
    tables = []
    for package, lines in packages.items():
        head = f"\n## {package}\n\n| module | |\n|---|---|\n"
        tables.append(head + "\n".join(lines) + "\n")
    return HEADS.modules + "".join(tables)


def command_line() -> str:
    """Return the page about the command line: the help of every command."""
    blocks = [
        f"## {name}\n\n```\n{text.rstrip()}\n```\n"
        for name, text in _helps("python -m assistant", parser())
    ]
    return HEADS.command_line + "\n".join(blocks)


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
