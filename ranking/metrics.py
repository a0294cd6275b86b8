"""Ranking metrics over TREC runs and qrels.

Average precision and its variants, reciprocal rank, hits, recall.

A run is ``{qid: {item: score}}``, qrels are ``{qid: {item: relevance}}``; above 0 is relevant. For
sentence ranking the qid is the transcript and the item a line; for claim ranking the qid is the
sentence and the item a claim.

Rules of every metric: equal scores are ordered by line number (``natural``). A relevant item that
is missing in the run counts as not found. Means are taken over the qids that have a relevant item;
one that is missing in the run counts 0. Grades above 0 count alike. MAP_inner is MAP over a run of
claims with sentences as qids.

Source of MAP_H, MAP_0 and MAP_0.5: Shaar et al., Assisting the Human Fact-Checkers, equations 2 to
4.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from math import isnan

Scores = Mapping[str, float]
Run = Mapping[str, Scores]
Relevance = Mapping[str, int]
Qrels = Mapping[str, Relevance]
QueryMeasure = Callable[[Scores, Relevance], float]

_DIGITS_PATTERN = re.compile(r"(\d+)")


@lru_cache(maxsize=1 << 16)
def natural(item: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sorting key that puts line 9 before line 10.

    Digits count as numbers, everything else as text.
    """
    sort_key = []
    for digits_or_text in _DIGITS_PATTERN.split(item):
        if digits_or_text.isdecimal():
            sort_key.append((0, int(digits_or_text), ""))
        elif digits_or_text:
            sort_key.append((1, 0, digits_or_text))
    return tuple(sort_key)


def ordered(scores: Scores) -> list[str]:
    """Return the items best first; equal scores by line number.

    Raises: ValueError for a score that is not a number.
    """
    for item, score in scores.items():
        if isnan(score):
            raise ValueError(f"the score of {item} is not a number")
    return sorted(scores, key=lambda item: (-scores[item], natural(item)))


def relevant_items(relevance: Relevance) -> set[str]:
    """Return the items whose relevance is above 0."""
    return {item for item, grade in relevance.items() if grade > 0}


def average_precision(
    scores: Scores,
    relevance: Relevance,
    *,
    depth: int | None = None,
    found: Collection[str] | None = None,
    miss: float = 1.0,
) -> float:
    """Return the mean over the relevant items of the precision at their rank, 0..1.

    0 if nothing is relevant. ``depth``: items below this rank are not found. ``found``: the
    relevant items that come with a right claim; every other relevant item adds only ``miss`` to
    the running count of hits (AP_0: 0, AP_0.5: .5, AP: 1).
    """
    relevant_set = relevant_items(relevance)
    if not relevant_set:
        return 0.0
    hit_count = 0.0
    precision_sum = 0.0
    # Add up the precision at the rank of each relevant item.
    for rank, item in enumerate(ordered(scores)[:depth], 1):
        if item not in relevant_set:
            continue
        if found is None or item in found:
            hit_count += 1.0
        else:
            hit_count += miss
        precision_sum += hit_count / rank
    return precision_sum / len(relevant_set)


def average_precision_h(
    scores: Scores, relevance: Relevance, found: Collection[str], *, literal: bool = False
) -> float:
    """Return AP_H: only relevant items in ``found`` contribute and count as hits.

    The denominator keeps them all. ``literal``: equation 2 to the letter, where the precision
    counts every relevant item (AP_H may then exceed AP_0).
    """
    relevant_set = relevant_items(relevance)
    if not relevant_set:
        return 0.0
    hit_count = 0.0
    precision_sum = 0.0
    for rank, item in enumerate(ordered(scores), 1):
        if item not in relevant_set:
            continue
        if item in found:
            hit_count += 1.0
            precision_sum += hit_count / rank
        elif literal:
            hit_count += 1.0
    return precision_sum / len(relevant_set)


def average_precision_at(ranks: Iterable[int], relevant: int) -> float:
    """Return AP from the ranks, from 1, of the retrieved ones among ``relevant`` items."""
    if not relevant:
        return 0.0
    total = sum(hits / rank for hits, rank in enumerate(sorted(ranks), 1))
    return total / relevant


def reciprocal_rank(scores: Scores, relevance: Relevance, *, depth: int | None = None) -> float:
    """Return 1 / rank of the first relevant item, 0 if there is none."""
    relevant = relevant_items(relevance)
    for rank, item in enumerate(ordered(scores)[:depth], 1):
        if item in relevant:
            return 1 / rank
    return 0.0


def hit_at(scores: Scores, relevance: Relevance, k: int) -> float:
    """Return 1 if a relevant item is among the first ``k``, else 0."""
    return float(_found_in(scores, relevance, k) > 0)


def _found_in(scores: Scores, relevance: Relevance, k: int) -> int:
    if k < 1:
        raise ValueError(f"the depth must be 1 or more, not {k}")
    return len(relevant_items(relevance).intersection(ordered(scores)[:k]))


def mean(measure: QueryMeasure, run: Run, qrels: Qrels) -> float:
    """Return the mean of ``measure`` over the qids that have a relevant item.

    0 if there are none.
    """
    values = per_qid(measure, run, qrels)
    return sum(values.values()) / len(values) if values else 0.0


def per_qid(measure: QueryMeasure, run: Run, qrels: Qrels) -> dict[str, float]:
    """Return the value of ``measure`` for every qid with a relevant item, in qrels order."""
    values = {}
    for qid, relevance in qrels.items():
        if relevant_items(relevance):
            values[qid] = measure(run.get(qid, {}), relevance)
    return values


def mean_average_precision(run: Run, qrels: Qrels, *, depth: int | None = None) -> float:
    """Return MAP, or MAP@depth.

    As trec_eval does, the denominator is the number of all relevant items.
    """
    return mean(
        lambda scores, relevance: average_precision(scores, relevance, depth=depth), run, qrels
    )


def micro_recall(run: Run, qrels: Qrels, k: int) -> float:
    """Return the share of all qids' relevant items that are among the first ``k`` of their qid."""
    relevant_count = 0
    retrieved_count = 0
    for qid, relevance in qrels.items():
        scores = run.get(qid, {})
        relevant_count += len(relevant_items(relevance))
        retrieved_count += _found_in(scores, relevance, k)
    return retrieved_count / relevant_count if relevant_count else 0.0


def settled(claim_run: Run, claim_qrels: Qrels, r: int) -> set[str]:
    """Return the sentences with a relevant claim among their first ``r``.

    MAP_H, MAP_0 and MAP_0.5 depend on them.
    """
    settled_sentences = set()
    for sentence, relevance in claim_qrels.items():
        if _found_in(claim_run.get(sentence, {}), relevance, r):
            settled_sentences.add(sentence)
    return settled_sentences


def sentence_measures(
    run: Run, qrels: Qrels, found: Mapping[str, Collection[str]], *, literal: bool = False
) -> dict[str, float]:
    """Return MAP, MAP_0, MAP_05 and MAP_H of a sentence ranking.

    ``found`` maps a qid to its sentences that are ``settled``. The four keep MAP_H <= MAP_0 <=
    MAP_05 <= MAP, and MAP_05 is the mean of MAP and MAP_0. ``literal``: see
    ``average_precision_h``.
    """
    # The sums over all queries that have a relevant sentence; here a query is a transcript.
    measure_sums = dict.fromkeys(("MAP", "MAP_0", "MAP_05", "MAP_H"), 0.0)
    qids = [qid for qid, relevance in qrels.items() if relevant_items(relevance)]
    for qid in qids:
        scores = run.get(qid, {})
        relevance = qrels[qid]
        found_items = found.get(qid, ())
        measure_sums["MAP"] += average_precision(scores, relevance)
        # A relevant sentence whose claim was not found counts as ``miss`` of a hit.
        measure_sums["MAP_0"] += average_precision(scores, relevance, found=found_items, miss=0.0)
        measure_sums["MAP_05"] += average_precision(scores, relevance, found=found_items, miss=0.5)
        measure_sums["MAP_H"] += average_precision_h(
            scores, relevance, found_items, literal=literal
        )
    if not qids:
        return measure_sums
    return {name: measure_sum / len(qids) for name, measure_sum in measure_sums.items()}
