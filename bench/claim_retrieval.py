"""Claim retrieval: which fact-check is about this sentence?

CheckThat! 2021 task 2B, or any queries and qrels.

``python -m bench.claim_retrieval --data DIR [--queries TSV --qrels TSV] [--context DIR] [--table 3] [--json FILE]``

Without ``--queries``: task 2B's dev queries. The row ``lectern`` is the shipped claim ranker, learnt without the
debates that the queries come from (an id begins with its debate's name, which begins with its date); where the queries
come from no debate of the training data, the shipped weights as they are. Claims are ranked among the candidates.
``--context``: a folder of linked debates (``data/debates``); a query that is a line of one of them is searched with the
sentences around it as well, as in a transcript. Expected: MAP@5 .619 of ``lectern``, .665 with ``--context``.
With ``--table 3``: MAP_inner of the single measures on the seven debates, beside the paper's, over the whole database.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from assistant.check import rankers
from bench.command import command, option, table
from bench.paper import tables
from ranking import metrics
from training.ranker import systems
from training.ranker.learners import fit_lectern
from training.shared import debates as data
from training.shared import examples
from training.shared.debates import Debate, Pair, Qrels
from training.shared.measures import Bench
from training.shared.opening import add_options, open_bench
from training.shared.tasks import judged_examples, linked_examples

COLUMNS = ("MAP@1", "MAP@3", "MAP@5", "MRR", "Hit@1", "Hit@5")
SINGLE = "sbert_statement simcse_statement sbert_title bertscore bm25_statement bm25_title bm25_body".split()
_ID = re.compile(
    r"(?P<debate>\d{8}\S*)_(?P<line>\d+)"
)  # any name that begins with its date, as of hyphens


def as_debates(
    queries: Mapping[str, str], qrels: Qrels, context: Sequence[Debate] = ()
) -> tuple[list[Debate], dict[tuple[str, int], str]]:
    """Return the queries as debates of unknown speakers, and the query's id of each (debate, line).

    An id that names no debate goes to one debate without a date. ``context``: debates; a query
    that is one of their lines has the window of that line.
    """
    windows = {}
    for debate in context:
        for line, window in zip(debate.lines, debate.windows, strict=True):
            windows[debate.name, line] = window
    query_ids_by_debate: dict[str, list[tuple[int, str]]] = {}
    for number, query_id in enumerate(queries, 1):
        match = _ID.fullmatch(query_id)
        name = match["debate"] if match else ""
        line = int(match["line"]) if match else number
        query_ids_by_debate.setdefault(name, []).append((line, query_id))
    debates = []
    query_ids = {}
    for name, entries in query_ids_by_debate.items():
        debate_name = name or "queries"
        pairs = []
        debate_windows = []
        for line, query_id in entries:
            query_ids[debate_name, line] = query_id
            pairs += [Pair(line, claim, linked=True) for claim in qrels.get(query_id, {})]
            debate_windows.append(windows.get((name, line), (queries[query_id],)))
        debates.append(
            Debate(
                name=debate_name,
                day=data.event_day(name) if name else 0,
                lines=tuple(line for line, _ in entries),
                texts=tuple(queries[query_id] for _, query_id in entries),
                speakers=("",) * len(entries),
                pairs=tuple(pairs),
                windows=tuple(debate_windows) if windows else (),
            )
        )
    return debates, query_ids


def row(system: str, run: metrics.Run, qrels: Qrels) -> dict:
    """Return the columns of one system."""
    values = {f"MAP@{k}": metrics.mean_average_precision(run, qrels, depth=k) for k in (1, 3, 5)}
    values["MRR"] = metrics.mean(metrics.reciprocal_rank, run, qrels)
    for k in (1, 5):
        values[f"Hit@{k}"] = metrics.mean(
            lambda scores, gold, k=k: metrics.hit_at(scores, gold, k), run, qrels
        )
    return {"system": system, **{name: round(values[name], 4) for name in COLUMNS}}


def evaluate(
    bench: Bench,
    folder: Path,
    queries: Mapping[str, str],
    qrels: Qrels,
    context: Sequence[Debate] = (),
) -> list[dict]:
    """Return a row for Lectern's claim ranker and for each single measure.

    ``context``: as for ``as_debates``.
    """
    debates, qids = as_debates(queries, qrels, context)
    tested = [examples.linked(debate, bench.inputs(debate), bench.ids) for debate in debates]
    ranker = learnt_without(bench, folder, {debate.name for debate in debates})
    scored = {
        rankers.LECTERN: systems.shipped(
            tested, lambda _: (), ranker=ranker, rank=systems.reading_again(bench)
        )
    }
    scored |= {name: systems.single(tested, name) for name in SINGLE}
    table_rows = []
    for system, scores in scored.items():
        run: dict[str, dict[str, float]] = {}
        for example in tested:
            pair_scores = scores[example.debate.name].pairs
            for sentence, claim, score in zip(
                example.inputs.sentence_index, example.inputs.claim_index, pair_scores, strict=True
            ):
                query_id = qids[example.debate.name, example.debate.lines[sentence]]
                run.setdefault(query_id, {})[str(bench.ids[claim])] = float(score)
        table_rows.append(row(system, run, qrels))
    return table_rows


def learnt_without(bench: Bench, folder: Path, tested: set[str]) -> rankers.Ranker:
    """Return the claim ranker learnt without some debates.

    The shipped one where none of them is a training debate.
    """
    linked_names = {debate.name for debate in data.linked(folder / "debates")}
    if not tested & linked_names:
        return rankers.load(rankers.LECTERN)
    training = judged_examples(bench, folder) + linked_examples(bench, folder)
    return fit_lectern([example for example in training if example.debate.name not in tested])


def measure(options: argparse.Namespace) -> dict[str, list[dict]]:
    """Print the table that the options ask for, and return its rows."""
    if bool(options.queries) != bool(options.qrels):
        raise argparse.ArgumentError(None, "--queries and --qrels go together")
    if options.table:
        return {"rows": tables.show_table_3(open_bench(options), options.data)}
    if options.queries:
        queries = data.read_queries(options.queries)
        qrels = data.read_qrels(options.qrels)
    else:
        queries, qrels = data.queries(options.data / "checkthat2b", "dev", seven_too=True)
    context = data.linked(options.context) if options.context else ()
    table_rows = evaluate(open_bench(options), options.data, queries, qrels, context)
    print(table(table_rows))
    return {"rows": table_rows}


main = command(
    measure,
    add_options,
    option("--queries", type=Path, metavar="TSV", help="id and text, without header"),
    option("--qrels", type=Path, metavar="TSV", help="id, 0, claim, relevance, without header"),
    option(
        "--context",
        type=Path,
        metavar="DIR",
        help="transcripts of the queries: search with the sentences around them, too",
    ),
    option("--table", choices=("3",), help="the paper's Table 3 instead"),
)

if __name__ == "__main__":
    sys.exit(main())
