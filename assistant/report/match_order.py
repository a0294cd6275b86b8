"""The order of matches: puts the matches of each sentence of a report in the order that the user chooses.

Only matches of the same tier change places: ranks, scores and tiers stay, and each tier keeps its
places among the matches of a sentence. The orders by time are those of Allein et al. 2021
(``ranking.temporal``): their evidence is a fact-check with its review date, their claim is the
input sentence with the event date. A match without a review date comes last in its tier.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial

import numpy as np
from numpy.typing import NDArray

from assistant.core.domain import CheckedSentence, Match, MatchOrder, Report
from assistant.core.errors import SettingsError
from ranking import temporal

Floats = NDArray[np.floating]

WORDS = {
    MatchOrder.CLOSEST: "Closest in meaning",
    MatchOrder.NEWEST: "Newest check",
    MatchOrder.NEAREST: "Nearest to the event",
    MatchOrder.BEFORE: "Before the event only",
    MatchOrder.CLUSTER: "Where the checks cluster",
}
BY_EVENT = (MatchOrder.NEAREST, MatchOrder.BEFORE)
NO_EVENT = (
    "The date of the event is not set, so nobody can say which check is near it or before it."
)
_RANKS: Mapping[MatchOrder, Callable[[Floats], NDArray[np.integer]]] = {
    MatchOrder.NEWEST: temporal.newest_first,
    MatchOrder.NEAREST: temporal.nearest_to_claim,
    MatchOrder.BEFORE: partial(temporal.before_only, strictly=True),
    MatchOrder.CLUSTER: temporal.nearest_to_medoid,
}


def possible(event: date | None) -> tuple[MatchOrder, ...]:
    """Return the orders that can be chosen: without an event date, none that depends on it."""
    return tuple(order for order in MatchOrder if event is not None or order not in BY_EVENT)


def checked(order: str, event: date | None) -> MatchOrder:
    """Return the order with this name.

    Raises: SettingsError if it depends on an event date and there is none.
    """
    if order not in possible(event):
        raise SettingsError(
            f"no order of matches '{order}' here. {NO_EVENT}", remedy="Give it (--date YYYY-MM-DD)."
        )
    return MatchOrder(order)


def arranged(report: Report, order: MatchOrder) -> Report:
    """Return a report with its matches in an order that its settings and warnings name.

    Raises: SettingsError if the order depends on an event date and there is none.
    """
    event = report.transcript.event_date
    if checked(order, event) is MatchOrder.CLOSEST:
        return report
    sentences = tuple(of_sentence(each, order, event) for each in report.sentences)
    line = f"Matches of one tier are in this order: {WORDS[order].lower()}."
    warning = " ".join(
        [line, *notes([match for each in report.sentences for match in each.matches], order, event)]
    )
    settings = {**report.manifest.settings, "match_order": str(order)}
    manifest = replace(report.manifest, settings=settings)
    return replace(
        report, sentences=sentences, manifest=manifest, warnings=(*report.warnings, warning)
    )


def of_sentence(checked: CheckedSentence, order: MatchOrder, event: date | None) -> CheckedSentence:
    """Return a sentence with its matches in an order, or without the near one that the order leaves out."""
    if checked.nearest and _left_out(checked.nearest, order, event):
        checked = replace(checked, nearest=None, on_topic=False)
    return (
        replace(checked, matches=in_order(checked.matches, order, event))
        if checked.matches
        else checked
    )


def in_order(matches: Sequence[Match], order: MatchOrder, event: date | None) -> tuple[Match, ...]:
    """Return the matches of a sentence in an order.

    Equal ones by time stay as they were ranked.
    """
    if order is MatchOrder.CLOSEST:
        return tuple(matches)
    shown = [match for match in matches if not _left_out(match, order, event)]
    days = temporal.days_between([match.claim.review_date for match in shown], event or date.min)
    best = [shown[i] for i in np.argsort(-_RANKS[order](days), kind="stable").tolist()]
    queues = {
        tier: iter([match for match in best if match.tier == tier])
        for tier in {match.tier for match in shown}
    }
    return tuple(next(queues[match.tier]) for match in shown)


def notes(matches: Sequence[Match], order: MatchOrder, event: date | None) -> list[str]:
    """Return in words how many matches an order leaves out, and how many come last because they have no date."""
    out = sum(_left_out(match, order, event) for match in matches)
    undated = (
        sum(match.claim.review_date is None for match in matches)
        if order is not MatchOrder.CLOSEST
        else 0
    )
    lines = []
    if out:
        lines.append(f"{_count(out)} not shown: checked on the day of the event or later.")
    if undated:
        tier = "its tier" if undated == 1 else "their tier"
        lines.append(f"{_count(undated)} without a date of the check: last of {tier}.")
    return lines


def _left_out(match: Match, order: MatchOrder, event: date | None) -> bool:
    day = match.claim.review_date
    return bool(order is MatchOrder.BEFORE and event and day and day >= event)


def _count(matches: int) -> str:
    return f"{matches:,} match{'' if matches == 1 else 'es'}"
