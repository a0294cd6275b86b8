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
    """Return before, after, the 95 % interval of the change, and the count, for each measure."""
    right = []
    decided = []
    likely = []
    for document, before, after in compared:
        right.append(_first(document, before, after))
        decided.append(_decided(document, before, after))
        likely.append(_likely(document, before, after))
    sentences = sum(len(mask) for _, mask in right)
    right_topics = [topic for topic in right if len(topic[1])]
    # documents with confirmed and rejected pairs
    mixed_topics = [topic for topic in decided if topic[1].any() and not topic[1].all()]
    # all decided pairs as one topic
    all_likely = np.concatenate([likely_by_side for likely_by_side, _ in likely], axis=1)
    all_confirmed = np.concatenate([mask for _, mask in likely])
    pairs = len(all_confirmed)
    confirmed = int(all_confirmed.sum())
    together = [(all_likely, all_confirmed)]
    mixed_pairs = sum(len(mask) for _, mask in mixed_topics)
    return {
        "right": _scored(right_topics, _mean, sentences),
        "map": _scored(mixed_topics, average_precision, mixed_pairs),
        "precision": _scored(together if pairs else [], _precision, pairs),
        "recall": _scored(together if confirmed else [], _recall, confirmed),
    }


def lines(
    compared: Sequence[Compared], scored: Scores, statements: Sequence[str], *, unknown: int = 0
) -> Iterator[str]:
    """Yield the lines to print: counts, the table of ``scores``, decisions whose tier changes."""
    documents = [document for document, _, _ in compared]
    confirmed = sum(int(document.confirmed.sum()) for document in documents)
    rejected = sum(int(document.rejected.sum()) for document in documents)
    added = sum(int((document.decided & ~document.found).sum()) for document in documents)
    yield f"{confirmed:,} confirmed and {rejected:,} rejected on {len(documents)} documents, held out in turn."
    if added:
        yield f"{added:,} of them name a fact-check that the search does not find."
    if unknown:
        yield f"{unknown:,} more name a fact-check that is not in the index and are left out."
    yield f"{'on held-out decisions':<36}{'before':>8}{'after':>8}   change (95 % interval)"
    for name, values in scored.items():
        yield f"{NAMES[name]:<36}" + _cells(values)
    yield from _changes(compared, statements)


def _cells(measure_values: dict[str, Any]) -> str:
    if not measure_values["of"]:
        return "       –       –   nothing to count"
    low, high = measure_values["interval"]
    change = f"{measure_values['after'] - measure_values['before']:+.3f} ({low:+.3f} to {high:+.3f}) of {measure_values['of']:,}"
    return f"{measure_values['before']:8.3f}{measure_values['after']:8.3f}   {change}"


def _changes(compared: Sequence[Compared], statements: Sequence[str]) -> Iterator[str]:
    """Yield the decisions that get another tier, those that get worse first."""
    worse_lines = []
    better_lines = []
    for document, before, after in compared:
        changed = document.decided & (before.tier != after.tier)
        for pair in np.flatnonzero(changed).tolist():
            confirmed = bool(document.confirmed[pair])
            risen = bool(after.tier[pair] > before.tier[pair])
            text = document.texts[document.inputs.sentence_index[pair]]
            statement = statements[document.inputs.claim_index[pair]]
            tier_before = TIERS[before.tier[pair]] or "not shown"
            tier_after = TIERS[after.tier[pair]] or "not shown"
            verdict = "confirmed" if confirmed else "rejected"
            change = f"{verdict}, {tier_before} → {tier_after}: “{text}” – {statement}"
            if confirmed == risen:
                better_lines.append(f"  {'better':<7}{change}")
            else:
                worse_lines.append(f"  {'WORSE':<7}{change}")
    changes = worse_lines + better_lines
    yield f"{len(changes):,} decisions get another tier" + (":" if changes else ".")
    yield from changes[:SHOWN]
    if len(changes) > SHOWN:
        yield f"  and {len(changes) - SHOWN:,} more"


def _scored(
    topics: Sequence[Topic], statistic: Callable[[Floats, Mask], float], count: int
) -> dict[str, Any]:
    if not topics:
        return {"before": 0.0, "after": 0.0, "interval": (0.0, 0.0), "of": 0}
    before = float(np.mean([statistic(values[0], mask) for values, mask in topics]))
    after = float(np.mean([statistic(values[1], mask) for values, mask in topics]))
    change = bootstrap(topics, lambda s, r: statistic(s[1], r) - statistic(s[0], r))
    return {
        "before": round(before, 4),
        "after": round(after, 4),
        "interval": (round(change.low, 4), round(change.high, 4)),
        "of": count,
    }


def _first(document: Reviewed, before: Outcome, after: Outcome) -> Topic:
    """Whether the first claim of each sentence with a confirmed one is confirmed, (2, s)."""
    inputs = document.inputs
    sentences = np.unique(inputs.sentence_index[document.confirmed])
    hits = np.zeros((2, len(sentences)))
    for side, outcome in enumerate((before, after)):
        best = np.lexsort((inputs.position_in_sentence, -outcome.score, inputs.sentence_index))
        first_pairs = best[np.searchsorted(inputs.sentence_index[best], sentences)]
        hits[side] = document.confirmed[first_pairs]
    return hits, np.ones(len(sentences), bool)


def _decided(document: Reviewed, before: Outcome, after: Outcome) -> Topic:
    decided = document.decided
    scores = np.stack((before.score[decided], after.score[decided]))
    return scores, document.confirmed[decided]


def _likely(document: Reviewed, before: Outcome, after: Outcome) -> Topic:
    decided = document.decided
    likely = np.stack((before.tier[decided] == LIKELY, after.tier[decided] == LIKELY))
    return likely.astype(float), document.confirmed[decided]


def _mean(values: Floats, _: Mask) -> float:
    return float(values.mean())


def _precision(likely: Floats, confirmed: Mask) -> float:
    return float(likely[confirmed].sum() / max(likely.sum(), 1.0))


def _recall(likely: Floats, confirmed: Mask) -> float:
    return float(likely[confirmed].mean())
