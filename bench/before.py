"""Is a check faster than an earlier commit's, and does it need less memory, on the same machine in the same hour?

    git worktree add --detach FOLDER 0f4b907
    python -m bench.before --tree FOLDER --data DIR --index FOLDER --their-index FOLDER [--runs 3] [--json FILE]

The 1,245 sentences of Singapore against the 19,250 indexed claims, each check in a process of its
own that has opened its index; the two commits take turns, so that whatever else the machine does
slows both. ``--debates N`` then checks N others of the sixty-three in one process of each commit,
and ``--claims N`` indexes the first N claims from nothing, articles included. Expected: at most
.55 of the seconds of 0f4b907, .8 for the index; at most 1.6 GB of private memory in a check, 1.8
GB in ten debates and in the index.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from assistant.core.errors import LecternError
from bench.command import command, data_option, option, table
from bench.speed import DEBATE, INDEX
from training.shared.debates import Debate, others, seven

ROOT = Path(__file__).parents[1]
# What each process runs, in the folder of its commit: only names that both have.
HEAD = """
import hashlib, json, sys, threading, time
from datetime import date
from itertools import islice
from pathlib import Path
from assistant.domain import Sentence, Source, Transcript, VerifiedClaim
from assistant.settings import EMBEDDED
from assistant.claims.importers import read_claims
from assistant.claims.claim_index import ClaimIndex
from assistant.pipeline import check
try:
    from assistant.check.loaded_models import encoders
except ImportError:
    from assistant.tools import encoders

most, over = [0], threading.Event()
def look():
    while not over.wait(.05):
        rows = open("/proc/self/status").read().splitlines()
        most[0] = max(most[0], int(next(r for r in rows if r.startswith("RssAnon")).split()[1]))
threading.Thread(target=look, daemon=True).start()
rows = []
def timed(work):
    wall, processor = time.perf_counter(), time.process_time()
    work()
    rows.append([time.perf_counter() - wall, time.process_time() - processor])
"""
CHECKS = """
index = ClaimIndex.open(Path(sys.argv[2]), encoders(EMBEDDED))
for name, day, lines, texts, speakers in json.loads(Path(sys.argv[1]).read_text()):
    sentences = tuple(map(Sentence, range(1, len(texts) + 1), lines, texts, speakers))
    transcript = Transcript(name, date.fromordinal(day), Source(name, "bench", ""), sentences)
    timed(lambda: check(transcript, index))
"""
INDEX_MADE = """
class Store:
    def __init__(self, claims):
        self.claims = {claim.id: claim for claim in claims}
    def fingerprints(self):
        return {i: hashlib.sha256(repr(claim).encode()).hexdigest() for i, claim in self.claims.items()}
    def many(self, ids):
        return {i: self.claims[i] for i in ids if i in self.claims}
claims = (row for row in read_claims(Path(sys.argv[1])) if isinstance(row, VerifiedClaim))
store = Store(list(islice(claims, int(sys.argv[3]))))
timed(lambda: ClaimIndex.build(store, Path(sys.argv[2]), encoders(EMBEDDED)))
"""
TAIL = """
print(json.dumps({"rows": rows, "private_mb": most[0] / 1024}))
"""


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Print and return what both commits take, run by run."""
    sides = {"here": (ROOT, options.index)}
    if options.tree:
        sides["before"] = (options.tree, options.their_index)
    (event,) = [debate for debate in seven(options.data) if debate.name == DEBATE]
    runs: dict[str, list[dict[str, Any]]] = {side: [] for side in sides}
    for _ in range(options.runs):
        for side, (tree, index) in sides.items():
            runs[side].append(_checked([event], tree, index))
            print(f"  {side:7} {runs[side][-1]}   load {os.getloadavg()[0]:.1f}", flush=True)
    report: dict[str, Any] = {"one debate": _compared(runs)} if options.runs else {}
    if options.debates:
        other_debates = others(options.data)[: options.debates]
        debate_runs = {
            side: [_checked(other_debates, tree, index)] for side, (tree, index) in sides.items()
        }
        report[f"{len(other_debates)} debates"] = _compared(debate_runs)
    if options.claims:
        index_runs = {
            side: [_indexed(options.data, options.claims, tree)]
            for side, (tree, _) in sides.items()
        }
        report[f"an index of {options.claims} claims"] = _compared(index_runs)
    for name, sides_figures in report.items():
        print(name)
        print(table({"": side, **values} for side, values in sides_figures.items()))
    return report


def _checked(debates: Iterable[Debate], tree: Path, index: Path) -> dict[str, Any]:
    """Return seconds by the wall and by the processor, and the most private memory, of checks in one new process."""
    debate_values = []
    for debate in debates:
        debate_values.append([debate.name, debate.day, debate.lines, debate.texts, debate.speakers])
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(debate_values, file)
        file.flush()
        return _run(CHECKS, tree, file.name, str(Path(index).resolve()))


def _indexed(data: Path, claims: int, tree: Path) -> dict[str, Any]:
    """Return the same of an index of the first claims of the data folder, made in one new process."""
    with tempfile.TemporaryDirectory() as folder:
        return _run(
            INDEX_MADE,
            tree,
            str((data / "politifact" / "claims.jsonl.gz").resolve()),
            folder,
            str(claims),
        )


def _run(script: str, tree: Path, *arguments: str) -> dict[str, Any]:
    command = [sys.executable, "-c", HEAD + script + TAIL, *arguments]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True)
    if done.returncode:
        raise LecternError(f"the run in {tree} failed: {done.stderr.strip().splitlines()[-1]}")
    results = json.loads(done.stdout)
    wall, processor = (round(sum(values), 2) for values in zip(*results["rows"], strict=True))
    return {"seconds": wall, "processor": processor, "private_mb": round(results["private_mb"])}


def _compared(runs: Mapping[str, list[dict[str, Any]]]) -> dict[str, dict[str, float]]:
    """Return each side's medians, and the ratio of this commit's to the earlier one's."""
    medians: dict[str, dict[str, float]] = {}
    for side, side_runs in runs.items():
        medians[side] = {}
        for key in side_runs[0]:
            medians[side][key] = statistics.median(run[key] for run in side_runs)
    if "before" in medians:
        earlier = medians["before"]
        medians["part of it"] = {
            key: round(value / earlier[key], 3) for key, value in medians["here"].items()
        }
    return medians


main = command(
    measure,
    data_option,
    option(
        "--tree",
        type=Path,
        metavar="DIR",
        help="a working tree of the earlier commit; without it this one alone",
    ),
    option(
        "--index",
        type=Path,
        default=INDEX,
        metavar="DIR",
        help="this commit's index (bench.speed builds it)",
    ),
    option("--their-index", type=Path, metavar="DIR", help="the earlier commit's index"),
    option("--runs", type=int, default=3, help="of one debate, by turns; 0: none"),
    option(
        "--debates", type=int, default=0, metavar="N", help="so many more debates in one process"
    ),
    option(
        "--claims",
        type=int,
        default=0,
        metavar="N",
        help="an index of so many claims, from nothing",
    ),
)

if __name__ == "__main__":
    sys.exit(main())
