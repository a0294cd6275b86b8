"""Counting the annotated debates.

The paper's Tables 2 (by debate) and 4 (by rating), beside the published counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bench.command import table
from bench.paper import published
from training.shared.claims import politifact
from training.shared.debates import Debate
from training.shared.gold import DECIDED

STANCES = ("agree", "disagree")


def table_2(debates: Sequence[Debate]) -> list[dict]:
    """Return for each debate its sentences, and the sentences and pairs with a stance and with a verdict."""
    table_rows = []
    for debate in debates:
        stance = {(pair.line, pair.claim) for pair in debate.pairs if pair.stance in STANCES}
        verdict = {(pair.line, pair.claim) for pair in debate.pairs if pair.verdict in DECIDED}
        table_rows.append(
            {
                "debate": debate.name,
                "sentences": len(debate.lines),
                "stance_sentences": len({line for line, _ in stance}),
                "stance_pairs": len(stance),
                "verdict_sentences": len({line for line, _ in verdict}),
                "verdict_pairs": len(verdict),
            }
        )
    columns = list(table_rows[0])[1:]
    return [
        *table_rows,
        {
            "debate": "total",
            **{column: sum(table_row[column] for table_row in table_rows) for column in columns},
        },
    ]


def table_4(debates: Sequence[Debate], ratings: dict[str, str]) -> list[dict]:
    """Return for each rating how many judged pairs have a verdict, and how many annotated rows are left.

    The paper's column *unknown* seems to be those rows: unknown, no claim, or repeated; four of its six numbers agree.
    ``unknown_pairs``: the distinct pairs whose verdict is the word unknown.
    """
    decided = Counter[str]()
    row_counts = Counter[str]()
    unknown = Counter[str]()
    judged_pairs = [pair for debate in debates for pair in debate.pairs if pair.judged]
    for pair in judged_pairs:
        rating = ratings[pair.claim]
        row_counts[rating] += pair.rows
        decided[rating] += pair.verdict in DECIDED
        unknown[rating] += pair.verdict == "unknown"
    return [
        {
            "rating": rating_name,
            "true_or_false": decided[rating_name],
            "unknown": row_counts[rating_name] - decided[rating_name],
            "unknown_pairs": unknown[rating_name],
        }
        for rating_name, _ in row_counts.most_common()
    ]


def show(number: str, debates: Sequence[Debate], folder: Path) -> list[dict]:
    """Print a table, each row above the paper's, and return our rows."""
    if number == "2":
        table_rows = table_2(debates)
        paper = published.TABLE_2
    else:
        table_rows = table_4(debates, {claim.id: claim.rating for claim in politifact(folder)})
        paper = published.TABLE_4
    printed: list[dict] = []
    for table_row in table_rows:
        name, *counts = table_row.values()
        printed.append(table_row)
        if paper_counts := paper.get(name):
            differs = "" if tuple(counts[: len(paper_counts)]) == paper_counts else "*"
            printed.append(dict(zip(table_row, (f"  paper{differs}", *paper_counts), strict=False)))
    print(table(printed) + "\n* differs")
    return table_rows
