"""Scores of a ranker on decided pairs that it did not learn from, before and after.

Intervals, and what changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assistant.check.match_tiers import capped
from assistant.check.rankers import TIERS, PairsFirst
from ranking.tier_thresholds import LIKELY
from training.ranker.adapting import Reviewed
from training.shared.significance import average_precision, bootstrap

Floats = NDArray[np.floating]
Mask = NDArray[np.bool_]
Topic = tuple[Floats, Mask]
Scores = dict[str, dict[str, Any]]
SHOWN = 40  # changed decisions that are listed
NAMES = {
    "right": "right claim first",
    "map": "MAP, confirmed against rejected",
    "precision": "likely matches that are confirmed",
    "recall": "confirmed matches that are likely",
}


class Outcome(NamedTuple):
    """What a ranker says of the pairs of a document: score and tier of each, (p,)."""

    score: Floats
    tier: NDArray[np.integer]


Compared = tuple[Reviewed, Outcome, Outcome]  # before and after


def outcome(ranker: PairsFirst, document: Reviewed, statements: Sequence[str]) -> Outcome:
    """Return scores and tiers as a check would give them."""
    ranking = capped(ranker.rank(document.inputs), document.inputs, document.texts, statements)
    return Outcome(ranking.pair_scores, ranking.pair_tiers)


def scores(compared: Sequence[Compared]) -> Scores:
    """Return for each measure: before, after, the 95 % interval of the change, and how many it counts.

    Sentences and decisions are drawn again within each document
    (``training.shared.significance.bootstrap``); what other documents would change is not in the interval.
    """
    right = [_first(*row) for row in compared]
    decided = [_decided(*row) for row in compared]
    both = [(s, r) for s, r in decided if r.any() and not r.all()]
    tiers = [_likely(*row) for row in compared]
    together = [
        (np.concatenate([s for s, _ in tiers], axis=1), np.concatenate([r for _, r in tiers]))
    ]
    sentences = sum(len(r) for _, r in right)
    pairs = len(together[0][1])
    confirmed = int(together[0][1].sum())
    return {
        "right": _scored([t for t in right if len(t[1])], _mean, sentences),
        "map": _scored(both, average_precision, sum(len(r) for _, r in both)),
        "precision": _scored(together if pairs else [], _precision, pairs),
        "recall": _scored(together if confirmed else [], _recall, confirmed),
    }


def lines(
    compared: Sequence[Compared], scored: Scores, statements: Sequence[str], *, unknown: int = 0
) -> Iterator[str]:
    """Yield what is printed: what there is, the table of ``scores``, and the decisions whose tier changes."""
    documents = [document for document, _, _ in compared]
    confirmed, rejected, added = (
        sum(int(rows.sum()) for rows in column)
        for column in zip(
            *((d.confirmed, d.rejected, d.decided & ~d.found) for d in documents), strict=True
        )
    )
    yield f"{confirmed:,} confirmed and {rejected:,} rejected on {len(documents)} documents, held out in turn."
    if added:
        yield f"{added:,} of them name a fact-check that the search does not find."
    if unknown:
        yield f"{unknown:,} more name a fact-check that is not in the index and are left out."
    yield f"{'on held-out decisions':<36}{'before':>8}{'after':>8}   change (95 % interval)"
    for name, row in scored.items():
        yield f"{NAMES[name]:<36}" + _cells(row)
    yield from _changes(compared, statements)


def _cells(row: dict[str, Any]) -> str:
    if not row["of"]:
        return "       –       –   nothing to count"
    low, high = row["interval"]
    change = f"{row['after'] - row['before']:+.3f} ({low:+.3f} to {high:+.3f}) of {row['of']:,}"
    return f"{row['before']:8.3f}{row['after']:8.3f}   {change}"


def _changes(compared: Sequence[Compared], statements: Sequence[str]) -> Iterator[str]:
    """Yield the decisions that get another tier, those that get worse first."""
    rows = []
    for document, before, after in compared:
        for pair in np.flatnonzero(document.decided & (before.tier != after.tier)).tolist():
            confirmed = bool(document.confirmed[pair])
            better = confirmed == bool(after.tier[pair] > before.tier[pair])
            text = document.texts[document.inputs.sentence_index[pair]]
            statement = statements[document.inputs.claim_index[pair]]
            tiers = " → ".join(str(TIERS[o.tier[pair]] or "not shown") for o in (before, after))
            verdict = "confirmed" if confirmed else "rejected"
            rows.append(
                (
                    better,
                    f"  {'better' if better else 'WORSE':<7}{verdict}, {tiers}: “{text}” – {statement}",
                )
            )
    yield f"{len(rows):,} decisions get another tier" + (":" if rows else ".")
    rows.sort(key=lambda row: row[0])
    yield from (line for _, line in rows[:SHOWN])
    if len(rows) > SHOWN:
        yield f"  and {len(rows) - SHOWN:,} more"


def _scored(
    topics: Sequence[Topic], statistic: Callable[[Floats, Mask], float], of: int
) -> dict[str, Any]:
    if not topics:
        return {"before": 0.0, "after": 0.0, "interval": (0.0, 0.0), "of": 0}
    before, after = (float(np.mean([statistic(s[side], r) for s, r in topics])) for side in (0, 1))
    drawn = bootstrap(topics, lambda s, r: statistic(s[1], r) - statistic(s[0], r))
    values = {"before": round(before, 4), "after": round(after, 4)}
    return {**values, "interval": (round(drawn.low, 4), round(drawn.high, 4)), "of": of}


def _first(document: Reviewed, before: Outcome, after: Outcome) -> Topic:
    """Whether the first claim of each sentence with a confirmed one is confirmed, (2, s)."""
    inputs = document.inputs
    sentences = np.unique(inputs.sentence_index[document.confirmed])
    hits = np.zeros((2, len(sentences)))
    for side, outcome in enumerate((before, after)):
        best = np.lexsort((inputs.place, -outcome.score, inputs.sentence_index))
        first = best[np.searchsorted(inputs.sentence_index[best], sentences)]
        hits[side] = document.confirmed[first]
    return hits, np.ones(len(sentences), bool)


def _decided(document: Reviewed, before: Outcome, after: Outcome) -> Topic:
    rows = document.decided
    return np.stack((before.score[rows], after.score[rows])), document.confirmed[rows]


def _likely(document: Reviewed, before: Outcome, after: Outcome) -> Topic:
    rows = document.decided
    return np.stack([outcome.tier[rows] == LIKELY for outcome in (before, after)]).astype(
        float
    ), document.confirmed[rows]


def _mean(values: Floats, _: Mask) -> float:
    return float(values.mean())


def _precision(likely: Floats, confirmed: Mask) -> float:
    return float(likely[confirmed].sum() / max(likely.sum(), 1.0))


def _recall(likely: Floats, confirmed: Mask) -> float:
    return float(likely[confirmed].mean())
