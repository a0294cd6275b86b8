"""In which order the matches of a sentence are shown, as a person chooses. A report in, the same report in order out.

Only matches of one tier change places with each other: ranks, scores and tiers are kept, and each tier keeps the places
that it has among the matches of a sentence. The orders by time are those of Allein et al. 2021 (``ranking.temporal``):
what they call evidence is a fact-check with the day on which it was checked, and their claim is the sentence, said on
the day of the event. A match without such a day comes last in its tier.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial

import numpy as np
from numpy.typing import NDArray

from assistant.ground.domain import CheckedSentence, Match, MatchOrder, Report
from assistant.ground.errors import SettingsError
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
NO_EVENT = "The date of the event is not set, so nobody can say which check is near it or before it."
_RANKS: Mapping[MatchOrder, Callable[[Floats], NDArray[np.integer]]] = {
    MatchOrder.NEWEST: temporal.newest_first,
    MatchOrder.NEAREST: temporal.nearest_to_claim,
    MatchOrder.BEFORE: partial(temporal.before_only, strictly=True),
    MatchOrder.CLUSTER: temporal.nearest_to_medoid,
}


def possible(event: date | None) -> tuple[MatchOrder, ...]:
    """Return the orders that an event allows: without its date, none that goes by it."""
    return tuple(order for order in MatchOrder if event is not None or order not in BY_EVENT)


def checked(order: str, event: date | None) -> MatchOrder:
    """Return the order of a name. Raises: SettingsError if it goes by the date of the event, and there is none."""
    if order not in possible(event):
        raise SettingsError(f"no order of matches '{order}' here. {NO_EVENT}", remedy="Give it (--date YYYY-MM-DD).")
    return MatchOrder(order)


def arranged(report: Report, order: MatchOrder) -> Report:
    """Return a report with its matches in an order, which its settings and warnings tell.

    Raises: SettingsError if the order goes by the date of the event, and there is none.
    """
    event = report.transcript.event_date
    if checked(order, event) is MatchOrder.CLOSEST:
        return report
    sentences = tuple(of_sentence(each, order, event) for each in report.sentences)
    told = notes([match for each in report.sentences for match in each.matches], order, event)
    line = f"Matches of one tier are in this order: {WORDS[order].lower()}."
    settings = {**report.manifest.settings, "match_order": str(order)}
    manifest = replace(report.manifest, settings=settings)
    return replace(report, sentences=sentences, manifest=manifest, warnings=(*report.warnings, " ".join([line, *told])))


def of_sentence(found: CheckedSentence, order: MatchOrder, event: date | None) -> CheckedSentence:
    """Return a sentence with its matches in an order."""
    return replace(found, matches=in_order(found.matches, order, event)) if found.matches else found


def in_order(found: Sequence[Match], order: MatchOrder, event: date | None) -> tuple[Match, ...]:
    """Return the matches of a sentence in an order; by time, those of equal days as they were ranked."""
    if order is MatchOrder.CLOSEST:
        return tuple(found)
    kept = [match for match in found if not _left_out(match, order, event)]
    days = temporal.days_between([match.claim.review_date for match in kept], event or date.min)
    best = [kept[i] for i in np.argsort(-_RANKS[order](days), kind="stable").tolist()]
    queues = {tier: iter([match for match in best if match.tier == tier]) for tier in {match.tier for match in kept}}
    return tuple(next(queues[match.tier]) for match in kept)


def notes(found: Sequence[Match], order: MatchOrder, event: date | None) -> list[str]:
    """Return in words how many matches an order leaves out, and how many come last for want of a day."""
    out = sum(_left_out(match, order, event) for match in found)
    undated = sum(match.claim.review_date is None for match in found) if order is not MatchOrder.CLOSEST else 0
    told = [f"{_count(out)} not shown: checked on the day of the event or later."] if out else []
    return told + ([f"{_count(undated)} without a date of the check: last of {_its(undated)} tier."] if undated else [])


def _left_out(match: Match, order: MatchOrder, event: date | None) -> bool:
    day = match.claim.review_date
    return bool(order is MatchOrder.BEFORE and event and day and day >= event)


def _count(matches: int) -> str:
    return f"{matches:,} match{'' if matches == 1 else 'es'}"


def _its(matches: int) -> str:
    return "its" if matches == 1 else "their"
