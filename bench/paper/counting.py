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
    rows = []
    for debate in debates:
        stance = {(p.line, p.claim) for p in debate.pairs if p.stance in STANCES}
        verdict = {(p.line, p.claim) for p in debate.pairs if p.verdict in DECIDED}
        rows.append(
            {
                "debate": debate.name,
                "sentences": len(debate.lines),
                "stance_sentences": len({line for line, _ in stance}),
                "stance_pairs": len(stance),
                "verdict_sentences": len({line for line, _ in verdict}),
                "verdict_pairs": len(verdict),
            }
        )
    columns = list(rows[0])[1:]
    return [*rows, {"debate": "total", **{c: sum(row[c] for row in rows) for c in columns}}]


def table_4(debates: Sequence[Debate], ratings: dict[str, str]) -> list[dict]:
    """Return for each rating how many judged pairs have a verdict, and how many annotated rows are left.

    The paper's column *unknown* seems to be those rows: unknown, no claim, or repeated; four of its six numbers agree.
    ``unknown_pairs``: the distinct pairs whose verdict is the word unknown.
    """
    decided = Counter[str]()
    rows = Counter[str]()
    unknown = Counter[str]()
    for pair in (p for debate in debates for p in debate.pairs if p.judged):
        rating = ratings[pair.claim]
        rows[rating] += pair.rows
        decided[rating] += pair.verdict in DECIDED
        unknown[rating] += pair.verdict == "unknown"
    return [
        {
            "rating": r,
            "true_or_false": decided[r],
            "unknown": rows[r] - decided[r],
            "unknown_pairs": unknown[r],
        }
        for r, _ in rows.most_common()
    ]


def show(number: str, debates: Sequence[Debate], folder: Path) -> list[dict]:
    """Print a table, each row above the paper's, and return our rows."""
    if number == "2":
        rows = table_2(debates)
        paper = published.TABLE_2
    else:
        rows = table_4(debates, {claim.id: claim.rating for claim in politifact(folder)})
        paper = published.TABLE_4
    printed: list[dict] = []
    for row in rows:
        name, *counts = row.values()
        printed.append(row)
        if theirs := paper.get(name):
            differs = "" if tuple(counts[: len(theirs)]) == theirs else "*"
            printed.append(dict(zip(row, (f"  paper{differs}", *theirs), strict=False)))
    print(table(printed) + "\n* differs")
    return rows
