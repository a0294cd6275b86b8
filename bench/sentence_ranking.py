"""Which sentences can a published fact-check settle? Leave one transcript out, everything chosen inside.

``python -m bench.sentence_ranking --data DIR [--table 2|4|5|6] [--debates DIR] [--database all|paper] [--json FILE]``

Without ``--debates``: the seven annotated debates, each scored by rankers that were learnt without it. With it: a
folder of linked debates (the sixty-three of the data folder, or any other), scored by the shipped weights, which were
learnt from the seven alone; the seven are left out. The row ``lectern`` is the shipped system, the row
``ranksvm-max-skip`` the published method with its variant chosen inside the training transcripts.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from assistant import rankers
from assistant.errors import LecternError
from bench import counting, data, scoring, systems
from bench.examples import Example
from bench.measures import Bench
from bench.opening import add_options, open_bench
from bench.systems import Scored
from bench.tasks import Task, linked_debates, the_seven

System = tuple[str, Callable[[Sequence[Example], systems.Training], Scored]]


def main_systems(kernels: Sequence[str]) -> list[System]:
    """Return the rows of the default table."""
    chosen = systems.chosen_max_skip(kernels)
    return [
        ("lectern", partial(systems.learnt, fit=systems.chosen_lectern())),
        ("ranksvm-max-skip", partial(systems.learnt, fit=chosen, claims_by_body=True)),
        *(_single(name) for name in ("sbert_statement", "bm25_statement", "bm25_body")),
        _single("sbert_statement", skip=True),
    ]


def _single(name: str, *, skip: bool = False) -> System:
    return f"{name}/skip" if skip else name, lambda tested, _: systems.single(tested, name, skip=skip)


def table_5(kernels: Sequence[str]) -> list[System]:
    """Return the single measures, and RankSVM retrieved, Max and Max with skipping for every N."""
    rows = [_single(name) for name in systems.SINGLE]
    for method in ("ranksvm-retrieved", "ranksvm-max", "ranksvm-max-skip"):
        for end, (pooling, kernel) in systems.variants(kernels, method).items():
            fit = systems.max_skip(pooling, kernel)
            rows.append((f"{method}/{end}", partial(systems.learnt, fit=fit, claims_by_body=True)))
    return rows


def table_6(kernels: Sequence[str]) -> list[System]:
    """Return RankSVM-Max with skipping, N = 5, without one family or field of measures after the other."""
    return [
        (f"{name}/{kernel}", partial(systems.learnt, fit=systems.ablated(columns, kernel), claims_by_body=True))
        for kernel in kernels
        for name, columns in systems.ABLATIONS.items()
    ]


def run(task: Task, rows: Sequence[System], bench: Bench) -> list[dict]:
    """Return a row for each system, both settings side by side; each is printed when it is done."""
    found = []
    for name, system in rows:
        scored = {late: system(task.tested[late], task.train_for) for late in (False, True)}
        for more, golds in task.golds.items():
            full, late = (
                scoring.row(name + more, task.tested[late], scored[late], golds[late], bench.ids)
                for late in (False, True)
            )
            found.append(full | {"as_of_event": late})
            print(scoring.line(full), f"{late['MAP']:9.3f}", flush=True)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table, and write it where asked."""
    parser = argparse.ArgumentParser(prog="python -m bench.sentence_ranking", description=__doc__.split("\n")[0])
    add_options(parser)
    parser.add_argument(
        "--table", choices=("2", "4", "5", "6"), help="a table of the paper (default: the shipped system)"
    )
    parser.add_argument("--debates", type=Path, metavar="DIR", help="linked debates instead of the seven")
    parser.add_argument("--kernels", nargs="+", choices=("linear", "rbf"), default=["linear"])
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    try:
        rows = _rows(options)
    except LecternError as error:
        print(error, file=sys.stderr)
        return 1
    if options.json:
        options.json.write_text(json.dumps({"rows": rows}, indent=1) + "\n", encoding="utf-8")
    return 0


def _rows(options: argparse.Namespace) -> list[dict]:
    if options.table in ("2", "4"):
        return counting.show(options.table, data.seven(options.data), options.data)
    bench = open_bench(options)
    makers = {"5": table_5, "6": table_6, None: main_systems}
    if options.debates:
        task = linked_debates(bench, options.debates)
    else:
        task = the_seven(bench, options.data)
    wanted = makers[options.table](options.kernels)
    if not task.training:
        names = (rankers.LECTERN, rankers.RANKSVM)
        wanted = [(name, partial(systems.shipped, ranker=rankers.load(name))) for name in names]
        wanted += [_single("sbert_statement"), _single("bm25_body")]
    print(scoring.head(), "as of event: MAP")
    return run(task, wanted, bench)


if __name__ == "__main__":
    sys.exit(main())
