"""Is a check faster than an earlier commit's, and does it need less memory, on the same machine in the same hour?

    git worktree add --detach FOLDER 0f4b907
    python -m bench.before --tree FOLDER --data DIR --index FOLDER --their-index FOLDER [--runs 3] [--json FILE]

The 1,245 sentences of Singapore against the 19,250 indexed claims, each check in a process of its own that has opened
its index; the two commits take turns, so that whatever else the machine does slows both. ``--debates N`` then checks N
others of the sixty-three in one process of each commit. Expected: at most .55 of the seconds of 0f4b907; at most 1.6 GB
of private memory in a check and 1.8 GB in ten debates.
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

from assistant.ground.errors import LecternError
from bench.command import command, data_option, option, table
from bench.speed import DEBATE, INDEX
from training.shared.debates import Debate, others, seven

ROOT = Path(__file__).parents[1]
# What each process runs, in the folder of its commit: only names that both have.
CHILD = """
import json, sys, threading, time
from datetime import date
from pathlib import Path
from assistant.domain import Sentence, Source, Transcript
from assistant.settings import EMBEDDED
from assistant.claims.index import ClaimIndex
from assistant.pipeline import check
try:
    from assistant.check.models import encoders
except ImportError:
    from assistant.tools import encoders

most, over = [0], threading.Event()
def look():
    while not over.wait(.05):
        rows = open("/proc/self/status").read().splitlines()
        most[0] = max(most[0], int(next(r for r in rows if r.startswith("RssAnon")).split()[1]))
index = ClaimIndex.open(Path(sys.argv[2]), encoders(EMBEDDED))
threading.Thread(target=look, daemon=True).start()
rows = []
for name, day, lines, texts, speakers in json.loads(Path(sys.argv[1]).read_text()):
    sentences = tuple(map(Sentence, range(1, len(texts) + 1), lines, texts, speakers))
    transcript = Transcript(name, date.fromordinal(day), Source(name, "bench", ""), sentences)
    wall, processor = time.perf_counter(), time.process_time()
    check(transcript, index)
    rows.append([time.perf_counter() - wall, time.process_time() - processor])
print(json.dumps({"rows": rows, "private_mb": most[0] / 1024}))
"""


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Print and return what both commits take, run by run."""
    sides = {"here": (ROOT, options.index), "before": (options.tree, options.their_index)}
    (event,) = [d for d in seven(options.data) if d.name == DEBATE]
    runs: dict[str, list[dict[str, Any]]] = {side: [] for side in sides}
    for _ in range(options.runs):
        for side, (tree, index) in sides.items():
            runs[side].append(_checked([event], tree, index))
            print(f"  {side:7} {runs[side][-1]}   load {os.getloadavg()[0]:.1f}", flush=True)
    report: dict[str, Any] = {"one debate": _compared(runs)}
    if options.debates:
        chosen = others(options.data)[: options.debates]
        many = {side: [_checked(chosen, tree, index)] for side, (tree, index) in sides.items()}
        report[f"{len(chosen)} debates"] = _compared(many)
    for name, row in report.items():
        print(name)
        print(table({"": side, **values} for side, values in row.items()))
    return report


def _checked(debates: Iterable[Debate], tree: Path, index: Path) -> dict[str, Any]:
    """Return seconds by the wall and by the processor, and the most private memory, of checks in one new process."""
    rows = [[d.name, d.day, d.lines, d.texts, d.speakers] for d in debates]
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(rows, file)
        file.flush()
        command = [sys.executable, "-c", CHILD, file.name, str(Path(index).resolve())]
        done = subprocess.run(command, cwd=tree, capture_output=True, text=True)
    if done.returncode:
        raise LecternError(f"the check in {tree} failed: {done.stderr.strip().splitlines()[-1]}")
    seen = json.loads(done.stdout)
    wall, processor = (round(sum(values), 2) for values in zip(*seen["rows"], strict=True))
    return {"seconds": wall, "processor": processor, "private_mb": round(seen["private_mb"])}


def _compared(runs: Mapping[str, list[dict[str, Any]]]) -> dict[str, dict[str, float]]:
    """Return each side's medians, and what part of the earlier commit's this one's are."""
    rows = {side: {key: statistics.median(run[key] for run in of) for key in of[0]} for side, of in runs.items()}
    part = {key: round(value / rows["before"][key], 3) for key, value in rows["here"].items()}
    return {**rows, "part of it": part}


main = command(
    measure,
    data_option,
    option("--tree", type=Path, required=True, metavar="DIR", help="a working tree of the earlier commit"),
    option("--index", type=Path, default=INDEX, metavar="DIR", help="this commit's index (bench.speed builds it)"),
    option("--their-index", type=Path, required=True, metavar="DIR", help="the earlier commit's index"),
    option("--runs", type=int, default=3),
    option("--debates", type=int, default=0, metavar="N", help="so many more debates in one process"),
)

if __name__ == "__main__":
    sys.exit(main())
