"""Temporal orders: dated texts ranked by their distance in days to a claim or to each other.

Arrays in, order out.

An order is a rank score for each text (n,): 1 for the last, one more for each better place, the
same for equal texts, 0 for a text without a date or left out, which is masked. ``listed`` turns
rank scores into positions of texts. Source: Allein, Augenstein and Moens, Time-aware evidence
ranking for fact-checking, 2021, equations 4, 5 and 7 to 11.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]
Ranks = NDArray[np.intp]


def days_between(dates: Sequence[date | None], origin: date) -> Floats:
    """Return the days from ``origin`` to each date, negative before it and nan for None, (n,).

    Equations 4 and 5.
    """
    days = np.full(len(dates), np.nan)
    for index, day in enumerate(dates):
        if day is not None:
            days[index] = day.toordinal() - origin.toordinal()
    return days


def newest_first(days: Floats) -> Ranks:
    """Return the rank scores (n,) of days (n,), the latest highest: evidence-date order.

    Equation 7.
    """
    return _rank_scores(np.asarray(days, float))


def before_only(days: Floats, *, strictly: bool = False) -> Ranks:
    """Return the rank scores of the newest first, without what is later than day 0.

    Claim-date order, equation 8. Day 0 itself stays, unless ``strictly``, as in a search as of the
    event.
    """
    days = np.asarray(days, float)
    is_ranked = days < 0 if strictly else days <= 0
    return _rank_scores(np.where(is_ranked, days, np.nan))


def nearest_to_claim(days: Floats) -> Ranks:
    """Return the rank scores (n,), the smallest distance to day 0 highest: claim-centred order.

    Equation 9.
    """
    return _rank_scores(-np.abs(np.asarray(days, float)))


def nearest_to_medoid(days: Floats) -> Ranks:
    """Return the rank scores (n,), the smallest distance to the medoid highest.

    Evidence-centred order, equation 11.
    """
    days = np.asarray(days, float)
    centre = medoid(days)
    if centre is None:
        return np.zeros(len(days), np.intp)
    return _rank_scores(-np.abs(days - days[centre]))


def medoid(days: Floats) -> int | None:
    """Return the index of the day with the smallest sum of distances to all others.

    Equation 10. Of equal ones it is the first; None if no day is known.
    """
    days = np.asarray(days, float)
    known_indices = np.flatnonzero(np.isfinite(days))
    if not len(known_indices):
        return None
    known_days = days[known_indices]
    # The distance of each known day to each other, (k, k).
    distances = np.abs(known_days[:, None] - known_days)
    central_index = distances.sum(axis=1).argmin()
    return int(known_indices[central_index])


ORDERS: Mapping[str, Callable[[Floats], Ranks]] = {
    "evidence-date": newest_first,
    "claim-date": before_only,
    "claim-centred": nearest_to_claim,
    "evidence-centred": nearest_to_medoid,
}


def listed(ranks: Ranks) -> Ranks:
    """Return the positions of the texts by descending rank score, without the masked ones.

    Equal ones keep their order.
    """
    order = np.argsort(-np.asarray(ranks), kind="stable")
    return order[: np.count_nonzero(ranks)]


def _rank_scores(keys: Floats) -> Ranks:
    """Return 1 for the smallest key, one more for each larger one without gaps, 0 for nan."""
    # The position of each known key among the different ones, rising, from 0.
    known = np.isfinite(keys)
    ranks = np.zeros(len(keys), np.intp)
    _, position_of_key = np.unique(keys[known], return_inverse=True)
    ranks[known] = position_of_key + 1
    return ranks
