"""The order of matches: sorts the matches of each sentence of a report as the user chooses.

Only matches of the same strength change positions, or of the same tier if a report has no
strengths: ranks, scores and tiers stay, and each strength keeps its positions among the matches of
a sentence. The orders by time come from Allein et al. 2021 (``ranking.temporal``): their evidence
is a fact-check with its review date, their claim is the input sentence with the event date. A match
without a review date comes last in its strength.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial

import numpy as np
from numpy.typing import NDArray

from assistant.core.domain import CheckedSentence, Match, MatchOrder, Report, Strength, Tier
from assistant.core.errors import SettingsError
from ranking import temporal

Floats = NDArray[np.floating]

ORDER_WORDS = {
    MatchOrder.CLOSEST: "Closest in meaning",
    MatchOrder.NEWEST: "Newest fact-check",
    MatchOrder.NEAREST: "Nearest to the event",
    MatchOrder.BEFORE: "Before the event only",
    MatchOrder.CLUSTER: "Where fact-checks cluster",
}
ORDERS_BY_EVENT = (MatchOrder.NEAREST, MatchOrder.BEFORE)
EVENT_DATE_MISSING = (
    "The date of the event is not set, so Lectern can't compare it with the dates of fact-checks."
)
_SCORE_OF_DAYS_BY_ORDER: Mapping[MatchOrder, Callable[[Floats], NDArray[np.integer]]] = {
    MatchOrder.NEWEST: temporal.newest_first,
    MatchOrder.NEAREST: temporal.nearest_to_claim,
    MatchOrder.BEFORE: partial(temporal.before_only, strictly=True),
    MatchOrder.CLUSTER: temporal.nearest_to_medoid,
}


def possible_orders(event_date: date | None) -> tuple[MatchOrder, ...]:
    """Return the orders that can be chosen, with or without an event date."""
    return tuple(
        order for order in MatchOrder if event_date is not None or order not in ORDERS_BY_EVENT
    )


def valid_order(order: str, event_date: date | None) -> MatchOrder:
    """Return the order with this name.

    Raises: SettingsError if it depends on an event date that is not known.
    """
    if order not in possible_orders(event_date):
        raise SettingsError(
            f"the order '{order}' cannot be used. {EVENT_DATE_MISSING}",
            remedy="Set the date with --date YYYY-MM-DD.",
        )
    return MatchOrder(order)


def arranged(report: Report, order: MatchOrder) -> Report:
    """Return a report with its matches in an order, which its settings and warnings name.

    Raises: SettingsError if the order depends on an event date that is not known.
    """
    event = report.transcript.event_date
    if valid_order(order, event) is MatchOrder.CLOSEST:
        return report
    sentences = tuple(sentence_in_order(sentence, order, event) for sentence in report.sentences)
    matches = [match for sentence in report.sentences for match in sentence.matches]
    order_line = f"Matches of the same strength are in this order: {ORDER_WORDS[order].lower()}."
    warning = " ".join([order_line, *order_notes(matches, order, event)])
    settings = {**report.manifest.settings, "match_order": str(order)}
    return replace(
        report,
        sentences=sentences,
        manifest=replace(report.manifest, settings=settings),
        warnings=(*report.warnings, warning),
    )


def sentence_in_order(
    checked_sentence: CheckedSentence, order: MatchOrder, event_date: date | None
) -> CheckedSentence:
    """Return a sentence with its matches, or its nearest candidate, in an order."""
    if checked_sentence.nearest and _is_omitted(checked_sentence.nearest, order, event_date):
        checked_sentence = replace(checked_sentence, nearest=None, on_topic=False)
    if not checked_sentence.matches:
        return checked_sentence
    return replace(
        checked_sentence, matches=matches_in_order(checked_sentence.matches, order, event_date)
    )


def matches_in_order(
    matches: Sequence[Match], order: MatchOrder, event_date: date | None
) -> tuple[Match, ...]:
    """Return matches in an order; matches of the same day stay as they were ranked."""
    if order is MatchOrder.CLOSEST:
        return tuple(matches)
    included_matches = [match for match in matches if not _is_omitted(match, order, event_date)]
    review_dates = [match.claim.review_date for match in included_matches]
    # The days from the event to each review, (n,), and their scores in this order, (n,)
    days_to_event = temporal.days_between(review_dates, event_date or date.min)
    score_of_days = _SCORE_OF_DAYS_BY_ORDER[order]
    best_first = np.argsort(-score_of_days(days_to_event), kind="stable").tolist()
    sorted_matches = [included_matches[index] for index in best_first]
    return _with_strengths_in_place(included_matches, sorted_matches)


def _with_strengths_in_place(
    matches: Sequence[Match], sorted_matches: Sequence[Match]
) -> tuple[Match, ...]:
    """Return matches in a new order in which each strength keeps the positions that it had."""
    # With A and C strong, b possible: A, b, C and the new order C, b, A or C, A, b give C, b, A.
    sorted_by_strength: dict[Strength | Tier | None, list[Match]] = defaultdict(list)
    for match in sorted_matches:
        sorted_by_strength[match.strength or match.tier].append(match)
    ordered_matches = []
    for match in matches:
        next_of_strength = sorted_by_strength[match.strength or match.tier].pop(0)
        ordered_matches.append(next_of_strength)
    return tuple(ordered_matches)


def order_notes(matches: Sequence[Match], order: MatchOrder, event_date: date | None) -> list[str]:
    """Return in words how many matches an order omits, and how many have no date."""
    note_lines = []
    omitted_count = sum(_is_omitted(match, order, event_date) for match in matches)
    if omitted_count:
        note_lines.append(
            f"{_count_in_words(omitted_count)} not shown: checked on the day of the event or later."
        )
    undated_count = sum(match.claim.review_date is None for match in matches)
    if undated_count and order is not MatchOrder.CLOSEST:
        strength_words = "its strength" if undated_count == 1 else "their strength"
        note_lines.append(
            f"{_count_in_words(undated_count)} without a date of the fact-check: last of {strength_words}."
        )
    return note_lines


def _is_omitted(match: Match, order: MatchOrder, event_date: date | None) -> bool:
    review_date = match.claim.review_date
    if order is not MatchOrder.BEFORE or event_date is None or review_date is None:
        return False
    return review_date >= event_date


def _count_in_words(matches: int) -> str:
    return f"{matches:,} match" if matches == 1 else f"{matches:,} matches"
