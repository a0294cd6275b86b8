"""The counts of the paper's Tables 2 and 4, from the annotated debates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bench.claims import politifact
from bench.data import Debate
from bench.gold import DECIDED

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
    """Return for each rating how many judged pairs have a verdict, and how many have the verdict unknown."""
    pairs = [(ratings[p.claim], p.verdict) for debate in debates for p in debate.pairs if p.judged]
    decided = Counter(rating for rating, verdict in pairs if verdict in DECIDED)
    unknown = Counter(rating for rating, verdict in pairs if verdict == "unknown")
    names = sorted(decided | unknown, key=lambda name: -(decided[name] + unknown[name]))
    return [{"rating": name, "true_or_false": decided[name], "unknown": unknown[name]} for name in names]


def show(table: str, debates: Sequence[Debate], folder: Path) -> list[dict]:
    """Print a table and return its rows."""
    if table == "2":
        rows = table_2(debates)
    else:
        rows = table_4(debates, {claim.id: claim.rating for claim in politifact(folder)})
    for row in [dict(zip(rows[0], rows[0], strict=True)), *rows]:
        print("\t".join(str(value) for value in row.values()))
    return rows
