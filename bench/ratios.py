"""How many times faster than plain use of the same libraries is Lectern, commit by commit?

    python -m bench.ratios [--json FILE]

Reads the sample debates and fact-checks alone, so that every commit measures the same; both sides
of a ratio run one after the other in one process, so that a slow machine slows both. Adds a row
for this commit to docs/ratios.json, or replaces it, and writes docs/ratios.md again. Expected, by
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

ROWS = ROOT / "docs" / "ratios.json"
PAGE = ROOT / "docs" / "ratios.md"
HEAD = """# Ratios by commit

How many times less processor time Lectern takes than plain use of the same library for the same pairs, in one process,
on the sample debates and their 138 fact-checks; [speed](speed.md) has the ratios on 19,250 articles.
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
    less = {name: row["times_less_processor"] for name, row in families.items()}
    row = {"commit": commit(), "day": date.today().isoformat(), **less}
    rows = [
        r
        for r in (json.loads(ROWS.read_text("utf-8")) if ROWS.is_file() else [])
        if r["commit"] != row["commit"]
    ]
    rows.append(row)
    write(ROWS, (json.dumps(rows, indent=1) + "\n").encode())
    write(PAGE, page(rows).encode())
    return row


def page(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the page: a line a commit, the newest first."""
    heads = list(dict.fromkeys(name for row in rows for name in row))
    lines = [heads, ["---"] * len(heads)]
    lines += [[str(row.get(name, "")) for name in heads] for row in reversed(rows)]
    return HEAD + "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def commit(folder: Path = ROOT) -> str:
    """Return the first digits of the commit that is checked out.

    "-dirty" where files differ from it.
    """
    named = [
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
    return subprocess.run(named, capture_output=True, text=True, check=True).stdout.strip()


main = command(measure)

if __name__ == "__main__":
    sys.exit(main())
