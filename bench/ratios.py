"""How many times faster than plain use of the same libraries is Lectern, commit by commit?

    python -m bench.ratios [--json FILE]

Reads the sample debates and fact-checks alone, so that every commit measures the same; both sides
of a ratio run one after the other in one process, so that a slow machine slows both. Adds a row
for this commit to docs/research/data/ratios.json, or replaces it, and writes ratios.md there again.
Expected, by
processor time: each ratio above 1.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from assistant import transcripts
from assistant.check import loaded_models
from assistant.claims.claim_index import ClaimIndex
from assistant.core.files import write
from assistant.core.settings import EMBEDDED
from bench.command import command
from bench.samples import DEBATES, ROOT, read_gold, sample_claims
from bench.speed import SLICE, Clock, ratios

ROWS = ROOT / "docs" / "research" / "data" / "ratios.json"
PAGE = ROOT / "docs" / "research" / "data" / "ratios.md"
HEAD = """# Ratios by commit

How many times less processor time Lectern takes than plain use of the same library for the same pairs, in one process,
on the sample debates and their 138 fact-checks; [speed](../speed.md) has the ratios on 19,250 articles.
Written by `python -m bench.ratios`, a part of `make bench`; the figures behind it are in `ratios.json`.

"""


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Measure this commit, write rows and page, and return the row."""
    claims = sample_claims()
    encoders = loaded_models.encoders(EMBEDDED)
    index = ClaimIndex.in_memory(claims, encoders)
    spoken = transcripts.read(DEBATES / sorted(read_gold())[-1])
    texts = [sentence.text for sentence in spoken if len(sentence.text.split()) > 4][:SLICE]
    families = ratios(texts, index, encoders, Clock())
    times_less = {name: figures["times_less_processor"] for name, figures in families.items()}
    figures = {"commit": commit(), "day": date.today().isoformat(), **times_less}
    commit_rows = []
    for commit_row in json.loads(ROWS.read_text("utf-8")) if ROWS.is_file() else []:
        if commit_row["commit"] != figures["commit"]:
            commit_rows.append(commit_row)
    commit_rows.append(figures)
    write(ROWS, (json.dumps(commit_rows, indent=1) + "\n").encode())
    write(PAGE, page(commit_rows).encode())
    return figures


def page(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the page: one line per commit, the newest first."""
    heads = list(dict.fromkeys(name for commit_row in rows for name in commit_row))
    lines = [heads, ["---"] * len(heads)]
    for commit_row in reversed(rows):
        lines.append([str(commit_row.get(name, "")) for name in heads])
    table = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    return HEAD + table


def commit(folder: Path = ROOT) -> str:
    """Return the first digits of the commit that is checked out.

    "-dirty" where files differ from it.
    """
    git_command = [
        "git",
        "-C",
        str(folder),
        "describe",
        "--always",
        "--dirty",
        "--abbrev=7",
        "--exclude",
        "*",
    ]
    return subprocess.run(git_command, capture_output=True, text=True, check=True).stdout.strip()


main = command(measure)

if __name__ == "__main__":
    sys.exit(main())
