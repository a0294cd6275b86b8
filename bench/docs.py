"""Writes the generated pages of docs/.

Features, transcript formats, the command line, match strength, the threat model and the HTTP API,
from their tables.

``python -m bench.docs``. A test fails when a page is out of date. ``--modules`` prints the list of
modules instead.
"""

from __future__ import annotations

import argparse
import ast
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from assistant.commands.cli import parser
from assistant.report.measured_strength import AS_OF_EVENT, MORNING_AFTER, STRENGTH_FILE
from assistant.transcripts.formats import TRANSCRIPT_FORMATS
from bench.api_page import api_page
from bench.lexicon import lexicon
from bench.threat_model import threat_page
from features.models.weight_files import LARGE_RERANKER, MODELS, reranker_folder
from features.similarity.catalogue import MEASURES

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
HEADS = lexicon(__file__)
PRODUCT = ("assistant", "features", "ranking")
STRENGTH_SETTINGS = {MORNING_AFTER: "The morning after", AS_OF_EVENT: "On the night"}
STRENGTH_MEANINGS = {
    "strong": "the fact-check very probably covers the statement, and no conflict was found",
    "good": "the fact-check covers the statement or a part of it",
    "possible": "the fact-check may be about the same claim",
}
STRENGTH_HEAD = (
    "| strength | tested matches | cover the statement | cover it or a part of it "
    "| share of all covered sentences |\n|---|---|---|---|---|\n"
)


def pages() -> dict[str, str]:
    """Return the generated pages by file name."""
    return {
        "reference/features.md": measures(),
        "reference/command-line.md": command_line(),
        "reference/transcript-formats.md": transcripts(),
        "explanation/what-strong-means.md": strength(),
        "admin/threat-model.md": threat_page(),
        "reference/api.md": api_page(),
    }


def measures() -> str:
    """Return the page about the 19 measures, one row each, in the order of the columns."""
    lines = []
    for i, m in enumerate(MEASURES):
        lines.append(f"| {i} | `{m.name}` | {m.family} | {m.field} | {m.meaning} |")
    return HEADS.measures + "\n".join(lines) + "\n"


def strength() -> str:
    """Return the page about match strength, with the figures of each re-ranker's file."""
    values = json.loads((MODELS / STRENGTH_FILE).read_text("utf-8"))
    large_folder = reranker_folder(LARGE_RERANKER)
    large_values = json.loads((large_folder / STRENGTH_FILE).read_text("utf-8"))
    thresholds = values["thresholds"]
    rule = (
        f"The threshold for *strong* is {thresholds['strong']:+.2f}, or {thresholds['whole']:+.2f} "
        "without a part that only one text has. The threshold for *good* is "
        f"{thresholds['good']:+.2f}. The thresholds are log-odds. If the estimated probability that the "
        "fact-check covers the statement is p, the log-odds are the logarithm of p / (1 - p). "
        "Log-odds of +1.5 mean a probability of about 82%.\n"
    )
    figures = _strength_tables(values["figures"], heading="## {}")
    large_figures = _strength_tables(
        large_values["figures"], heading="### {}, with the larger re-ranker"
    )
    meanings = "".join(f"| *{step}* | {words} |\n" for step, words in STRENGTH_MEANINGS.items())
    page = HEADS.strength + meanings + HEADS.strength_test + figures
    page += HEADS.strength_large + large_figures + _large_rule(large_values["thresholds"])
    return page + HEADS.strength_method + rule


def _strength_tables(figures: Mapping[str, Any], *, heading: str) -> str:
    tables = []
    for setting, steps in figures.items():
        rows = [_strength_row(step, figures_of_step) for step, figures_of_step in steps.items()]
        title = heading.format(STRENGTH_SETTINGS[setting])
        tables.append(f"\n{title}\n\n{STRENGTH_HEAD}{''.join(rows)}")
    return "".join(tables)


def _large_rule(thresholds: Mapping[str, float]) -> str:
    return (
        f"\nWith the larger re-ranker, the threshold for *strong* is {thresholds['strong']:+.2f}, or "
        f"{thresholds['whole']:+.2f} without a part that only one text has. The threshold for *good* "
        f"is {thresholds['good']:+.2f}.\n"
    )


def _strength_row(step: str, figures: Mapping[str, Any]) -> str:
    cells = [f"*{step}*", f"{figures['rows']:,}"]
    for name in ("settled", "in_part", "found"):
        share, low, high = figures[name]
        cells.append(f"{share:.0%} [{low:.0%}, {high:.0%}]" if figures["rows"] else "–")
    return f"| {' | '.join(cells)} |\n"


def transcripts() -> str:
    """Return the page about the transcript formats, one row each, in the order in which they are tried."""
    lines = []
    for form in TRANSCRIPT_FORMATS:
        lines.append(f"| {form.label} | {form.extensions.replace(' ', ', ')} | `{form.name}` |")
    return HEADS.transcripts + "\n".join(lines) + "\n"


def modules() -> str:
    """List the modules of the product by package, each with its purpose."""
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
    options = argparse.ArgumentParser(description="Write the generated pages of docs/.")
    options.add_argument("--modules", action="store_true", help="only print the list of modules")
    if options.parse_args().modules:
        print(modules())
        return
    for name, text in pages().items():
        (DOCS / name).write_text(text, "utf-8")
        print(f"docs/{name}")


if __name__ == "__main__":
    main()
