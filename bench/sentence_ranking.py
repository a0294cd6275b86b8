"""Which sentences can a published fact-check settle? Leave one transcript out, everything chosen inside.

``python -m bench.sentence_ranking --data DIR [--table 2|4|5|6] [--debates DIR] [--database all|paper] [--json FILE]``

Without ``--debates``: the seven annotated debates, each scored by rankers that were learnt without it. With it: a
folder of linked debates; one of the sixty-three is scored by rankers learnt without its fold (alphabetical place modulo
7), a debate that no training has seen by the shipped weights. The row ``lectern`` is the shipped system, the row
``ranksvm-max-skip`` the published method with its variant chosen inside the training transcripts.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from assistant import rankers
from assistant.domain import RatingClass
from assistant.errors import LecternError
from bench import counting, data, examples, gold, scoring, systems
from bench.data import Debate
from bench.examples import Example
from bench.gold import Gold
from bench.measures import Bench
from bench.opening import add_options, open_bench
from bench.systems import Scored

System = tuple[str, Callable[[Sequence[Example], systems.Training], Scored]]
UNDECIDABLE = (RatingClass.MIXTURE, RatingClass.NOT_A_TRUTH_RATING)


@dataclass(frozen=True, slots=True)
class Task:
    """Debates to test, what may train, and the gold, in both settings (False: all claims, True: as of the event)."""

    tested: dict[bool, list[Example]]
    training: list[Example]
    gold: dict[bool, Gold]
    folds: dict[str, int]

    def train_for(self, example: Example) -> list[Example]:
        """Return every training example outside the fold of a debate."""
        fold = self.folds.get(example.debate.name)
        return [e for e in self.training if self.folds.get(e.debate.name) != fold or fold is None]


def the_seven(bench: Bench, folder: Path, *, with_links: bool) -> Task:
    """Return the task of the annotated debates. ``with_links``: the sixty-three may train too."""
    debates = data.seven(folder)
    both = {late: [_judged(bench, d, late) for d in debates] for late in (False, True)}
    others = [_linked(bench, d, False) for d in data.others(folder)] if with_links else []
    golds = {late: _gold_of(bench, debates, late, gold.verdicts) for late in (False, True)}
    return Task(both, both[False] + others, golds, data.folds(debates))


def linked_debates(bench: Bench, folder: Path, debates: Path) -> Task:
    """Return the task of a folder of linked debates; the seven and the other folds of the sixty-three train."""
    known = data.others(folder)
    tested = [debate for debate in data.linked(debates) if debate.name not in data.SEVEN]
    both = {late: [_linked(bench, d, late) for d in tested] for late in (False, True)}
    names = {debate.name for debate in known}
    seen = any(debate.name in names for debate in tested)
    training = [_judged(bench, d, False) for d in data.seven(folder)] if seen else []
    training += [_linked(bench, d, False) for d in known] if seen else []
    kinds = zip(bench.index.ids, bench.index.rating_classes, strict=True)
    undecidable = {claim for claim, kind in kinds if kind in UNDECIDABLE}
    golds = {
        late: _gold_of(bench, tested, late, partial(gold.links, undecidable=undecidable)) for late in (False, True)
    }
    return Task(both, training, golds, data.folds(known))


def _judged(bench: Bench, debate: Debate, late: bool) -> Example:
    return examples.judged(debate, bench.inputs(debate, as_of_event=late), bench.ids)


def _linked(bench: Bench, debate: Debate, late: bool) -> Example:
    return examples.linked(debate, bench.inputs(debate, as_of_event=late), bench.ids)


def _gold_of(bench: Bench, debates: Sequence[Debate], late: bool, make: Callable[..., Gold]) -> Gold:
    parts = [make([d], usable=set(bench.ids[bench.usable(d, as_of_event=late)].tolist())) for d in debates]
    found = Gold()
    for part in parts:
        found.sentences.update(part.sentences)
        found.claims.update(part.claims)
    return found


def main_systems(kernels: Sequence[str]) -> list[System]:
    """Return the rows of the default table."""
    chosen = systems.chosen_max_skip(kernels)
    return [
        ("lectern", partial(systems.learnt, fit=systems.shipped_lectern)),
        ("lectern/recipe chosen inside", partial(systems.learnt, fit=systems.chosen_lectern())),
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
        row = {}
        for late in (False, True):
            scored = system(task.tested[late], task.train_for)
            measured = scoring.row(name, task.tested[late], scored, task.gold[late], bench.ids)
            row = row | {"as_of_event": measured} if late else measured
        print(scoring.table([row]).splitlines()[1], f" as of event {row['as_of_event']['MAP']:.3f}", flush=True)
        found.append(row)
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
        task = linked_debates(bench, options.data, options.debates)
    else:
        task = the_seven(bench, options.data, with_links=options.table is None and systems.SHIPPED.linked > 0)
    wanted = makers[options.table](options.kernels)
    if not task.training:
        names = (rankers.LECTERN, rankers.RANKSVM)
        wanted = [(name, partial(systems.shipped, ranker=rankers.load(name))) for name in names]
        wanted += [_single("sbert_statement"), _single("bm25_body")]
    print(scoring.table([{"system": "system"}][:0]))
    return run(task, wanted, bench)


if __name__ == "__main__":
    sys.exit(main())
