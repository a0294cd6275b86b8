"""Sentence ranking: which can a published fact-check settle?

One transcript left out, everything chosen inside.

``python -m bench.sentence_ranking --data DIR [--table 2|4|5|6] [--debates DIR] [--database all|paper] [--json FILE]``
``python -m bench.sentence_ranking --data DIR [--debates DIR] --without time nli ...``: Lectern's ranker without inputs

Without ``--debates``: the seven annotated debates, each scored by rankers that were learnt without it. With it: a
folder of linked debates, the seven left out; the sixty-three of the data folder are scored fold by fold by rankers that
were learnt from the seven and the other folds, any others by the shipped weights. The row ``lectern`` is the shipped
system on the path of ``check``: what that drops counts as not found (``lectern, nothing dropped`` beside it). The row
``ranksvm-max-skip`` is the published method with its variant chosen inside the training transcripts, on the candidates
of the product. Tables 5 and 6 take the measures over the whole database, as the published code does.
Below every row are the same columns *as of the event* and, where there are any, the paper's numbers.

Expected: ``lectern`` .622 MAP on the seven (as of the event .550), .337 on the sixty-three with
``--nli-of-linked 0``.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path

import numpy as np

from assistant.check import rankers
from bench.command import command, option
from bench.paper import counting, tables, vectors
from training.ranker import systems
from training.ranker.systems import Scored
from training.shared import cards, scoring, significance
from training.shared import debates as data
from training.shared.examples import Example
from training.shared.gold import Slips
from training.shared.measures import Bench
from training.shared.opening import add_options, open_bench
from training.shared.scoring import Scores
from training.shared.tasks import Task, linked_debates, the_seven

System = tuple[str, Callable[[Sequence[Example], systems.Training], Scored]]
Scorings = dict[str, dict[bool, Scored]]  # by system, in both settings (True: as of the event)
WHOLE = f"{rankers.LECTERN}, nothing dropped"
ONCE = f"{rankers.LECTERN}, without the re-ranker"
CURVE = (1, 2, 3, 5, 10, 20, 50)
SLIPS = {slip.name.replace("_", "-"): slip.name for slip in fields(Slips)}
TABLES = {"5": tables.table_5, "6": tables.table_6}


def main_systems(
    kernels: Sequence[str], late: Sequence[Example], rank: systems.Rank
) -> list[System]:
    """Return the rows of the default table. ``late``: the tested debates as of the event.

    ``rank`` reads again.
    """
    fit_max_skip = systems.chosen_max_skip(kernels, late)
    fit = systems.chosen_lectern()
    return [
        (rankers.LECTERN, partial(systems.learnt, fit=fit, rank=rank)),
        (ONCE, partial(systems.learnt, fit=fit)),
        (rankers.RANKSVM, partial(systems.learnt, fit=fit_max_skip, claims_by_body=True)),
        *(_single(name) for name in ("sbert_statement", "bm25_statement", "bm25_body")),
        _single("sbert_statement", skip=True),
    ]


def without_systems(groups: Sequence[str]) -> list[System]:
    """Return Lectern's ranker and the same without each group of inputs, all learnt anew."""
    learners = {f"without {group}": systems.lectern_without(group) for group in groups}
    learners = {rankers.LECTERN: systems.chosen_lectern()} | learners
    return [(name, partial(systems.learnt, fit=fit)) for name, fit in learners.items()]


def _single(name: str, *, skip: bool = False) -> System:
    return f"{name}/skip" if skip else name, lambda tested, _: systems.single(
        tested, name, skip=skip
    )


def linked_systems(rank: systems.Rank, *, known: bool) -> list[System]:
    """Return the rows of linked debates.

    ``known``: they are the data folder's own, so Lectern's ranker is learnt anew.

    The published method comes with the shipped weights either way: they were learnt from the seven
    alone. ``rank``: with the re-ranker, which has learnt from half of the data folder's debates
    unless ``--folds`` is given.
    """
    shipped_or_learnt = partial(systems.shipped, ranker=rankers.load(rankers.LECTERN))
    if known:
        shipped_or_learnt = partial(systems.learnt, fit=systems.chosen_lectern())
    system_rows: dict[str, Callable[..., Scored]] = {
        rankers.LECTERN: partial(shipped_or_learnt, rank=rank),
        ONCE: shipped_or_learnt,
        rankers.RANKSVM: partial(systems.shipped, ranker=rankers.load(rankers.RANKSVM)),
    }
    return [*system_rows.items(), _single("sbert_statement"), _single("bm25_body")]


def run(
    task: Task, system_rows: Sequence[System], bench: Bench, slips: Slips, *, whole: bool = True
) -> tuple[list[dict], Scorings]:
    """Return a row for each system, both settings side by side, and the scores.

    Print each row when it is ready.

    ``whole``: no debate is thinned, so that Lectern's own row can take the path of ``check``.
    """
    print(scoring.head())
    table: list[dict] = []
    all_scores: Scorings = {}
    for name, system in system_rows:
        scores = {late: system(task.tested[late], task.train_for) for late in (False, True)}
        scores_by_row = {name: scores}
        if whole and name in (rankers.LECTERN, ONCE):
            scores_by_row = {name: _through_check(task, scores, bench)}
            if name == rankers.LECTERN:
                scores_by_row[WHOLE] = scores
        all_scores |= scores_by_row
        for row_name, suffix in itertools.product(scores_by_row, task.golds):
            columns = {}
            for late in (False, True):
                columns[late] = scoring.row(
                    row_name + suffix,
                    task.tested[late],
                    scores_by_row[row_name][late],
                    task.golds[suffix][late],
                    bench.ids,
                    slips=slips,
                )
            table.append(columns[False] | {"as_of_event": columns[True]})
            print("\n".join(scoring.lines(table[-1])), flush=True)
    relevant = {name: len(lines) for name, lines in task.golds[""][False].sentences.items()}
    print("\n" + "\n".join(scoring.fold_lines(table, relevant)))
    return table, all_scores


def _through_check(task: Task, scores: dict[bool, Scored], bench: Bench) -> dict[bool, Scored]:
    """Return scores without the sentences that ``check`` drops."""
    is_kept = {}
    for example in task.tested[False]:
        is_kept[example.debate.name] = bench.kept(example.debate)
    return {late: systems.through_check(scores[late], is_kept) for late in scores}


def write_curve(task: Task, scored: Scorings, bench: Bench, path: Path) -> None:
    """Write and draw Lectern's MAP_0 and MAP_H by how many of a sentence's first claims count."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    heads = ("claims", "MAP_0", "MAP_H", "MAP_H low", "MAP_H high")
    scores = scored[rankers.LECTERN][False]
    gold = task.golds[""][False]
    for depth_values in scoring.by_depth(task.tested[False], scores, gold, bench.ids, CURVE):
        cards.append_row(path, heads, np.round(depth_values, 4).tolist())
    cards.draw_curve(path, over="claims")


def compare(task: Task, scored: Scorings, first: str, second: str) -> dict[str, dict[str, object]]:
    """Return and print intervals and p of two systems' MAP and of their difference, in both settings."""
    comparison: dict[str, dict[str, object]] = {}
    for late, setting in ((False, "all claims"), (True, "as of the event")):
        topics = _topics(task, [scored[first][late], scored[second][late]], late)
        first_topics = [(scores[0], relevant) for scores, relevant in topics]
        second_topics = [(scores[1], relevant) for scores, relevant in topics]
        differences = []
        for scores, relevant in topics:
            first_precision = significance.average_precision(scores[0], relevant)
            second_precision = significance.average_precision(scores[1], relevant)
            differences.append(first_precision - second_precision)
        comparison[setting] = {
            first: significance.bootstrap(first_topics),
            second: significance.bootstrap(second_topics),
            "difference": sum(differences) / len(differences),
            "interval": significance.bootstrap(topics, significance.difference),
            "p, transcripts": significance.randomisation_test(np.array(differences)),
            "p, sentences": significance.swap_test(topics),
        }
        print(f"\n{setting}: {first} against {second}")
        for name, value in comparison[setting].items():
            numbers = value if isinstance(value, tuple) else (value,)
            print(f"  {name:20}" + " to ".join(f"{number:.3f}" for number in numbers))
    return comparison


def _topics(task: Task, both: Sequence[Scored], late: bool) -> list[tuple[np.ndarray, np.ndarray]]:
    """The scores of two systems (2, n) and what is relevant (n,), for each debate that has a relevant sentence."""
    topics = []
    for example in task.tested[late]:
        lines = task.golds[""][late].sentences[example.debate.name]
        relevant = np.array([str(line) in lines for line in example.debate.lines], bool)
        sides: list[Scores] = [scored[example.debate.name] for scored in both]
        if relevant.any():
            topics.append((np.stack([side.sentences for side in sides]), relevant))
    return topics


def measure(options: argparse.Namespace) -> dict[str, object]:
    """Print the table that the options ask for; return its rows and the comparisons of systems."""
    if options.one_in < 1 or (options.one_in > 1 and not options.debates):
        wrong = f"--one-in {options.one_in}: give a whole number from 1 on, together with --debates"
        raise argparse.ArgumentError(None, wrong)
    if options.table in ("2", "4"):
        return {"rows": counting.show(options.table, data.seven(options.data), options.data)}
    bench = open_bench(options)
    slips = Slips(**{SLIPS[name]: True for name in options.slips})
    if options.table and not options.debates:
        on = tables.ground(bench, options.data, slips)
        if options.vectors:
            vectors.write(on.folds, options.vectors)
        return {"rows": tables.show(on, TABLES[options.table](on.folds, options.kernels))}
    if options.debates:
        task = linked_debates(bench, options.debates, options.data, one_in=options.one_in)
        task_systems = linked_systems(systems.reading_again(bench), known=bool(task.training))
    else:
        task = the_seven(bench, options.data, slips, links=True)
        task_systems = main_systems(
            options.kernels, task.tested[True], systems.reading_again(bench)
        )
    system_rows = without_systems(options.without) if options.without else task_systems
    table, scored = run(task, system_rows, bench, slips, whole=options.one_in == 1)
    if options.curve:
        write_curve(task, scored, bench, options.curve)
    compared_names = [f"without {group}" for group in options.without] or [
        rankers.RANKSVM
    ] * options.significance
    return {
        "rows": table,
        "significance": {
            name: compare(task, scored, rankers.LECTERN, name) for name in compared_names
        },
    }


main = command(
    measure,
    add_options,
    option(
        "--table",
        choices=("2", "4", "5", "6"),
        help="a table of the paper (default: the shipped system)",
    ),
    option("--debates", type=Path, metavar="DIR", help="linked debates instead of the seven"),
    option(
        "--one-in",
        type=int,
        default=1,
        metavar="N",
        help="of sentences without a link, measure one in so many: figures are higher",
    ),
    option("--kernels", nargs="+", choices=("linear", "rbf"), default=["linear"]),
    option(
        "--slips", nargs="+", choices=tuple(SLIPS), default=[], help="slips of the published code"
    ),
    option("--significance", action="store_true", help="lectern against ranksvm-max-skip"),
    option(
        "--without",
        nargs="+",
        choices=tuple(systems.GROUPS),
        default=[],
        help="lectern without groups of its inputs",
    ),
    option(
        "--vectors",
        type=Path,
        metavar="DIR",
        help="with --table 5: write the method's rows as svmlight files",
    ),
    option(
        "--curve",
        type=Path,
        metavar="CSV",
        help="write and draw Lectern's MAP_0^r and MAP_H^r by r",
    ),
)

if __name__ == "__main__":
    sys.exit(main())
