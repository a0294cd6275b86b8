"""In which order matches are shown.

Only those of one strength change places, and nothing of them changes.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.core.domain import Match, MatchOrder, Strength, Tier
from assistant.core.errors import SettingsError
from assistant.report import match_order, stored_reports
from assistant.report.view import ReportView
from assistant.reports import FORMATS, json_form, render
from tests.assistant import made_up
from tests.assistant.reports import forms

EVENT = date(2020, 6, 1)
TIMED = [order for order in MatchOrder if order is not MatchOrder.CLOSEST]


def found(days: list[int | None], tiers: list[Tier] | None = None) -> tuple[Match, ...]:
    """Matches that were checked so many days from the event; None for an unknown day."""
    tiers = tiers or [Tier.LIKELY] * len(days)
    claims = [
        replace(
            made_up.VCLAIM, id=str(i), review_date=None if day is None else EVENT + timedelta(day)
        )
        for i, day in enumerate(days)
    ]
    return tuple(
        made_up.match(claim, rank=i, score=-float(i), tier=tiers[i - 1])
        for i, claim in enumerate(claims, 1)
    )


def ids(matches: tuple[Match, ...]) -> str:
    return " ".join(match.claim.id for match in matches)


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("closest", "0 1 2 3"),
        ("newest", "3 1 0 2"),
        ("nearest", "1 0 3 2"),
        ("before", "0 2"),
        ("cluster", "0 1 3 2"),
    ],
)
def test_the_worked_example_of_the_paper(order: str, expected: str) -> None:
    """Its days, -3, 0, -8791 and 95; a check on the day of the event is not before it."""
    assert (
        ids(match_order.matches_in_order(found([-3, 0, -8791, 95]), MatchOrder(order), EVENT))
        == expected
    )


def test_matches_of_one_tier_and_several_strengths_keep_their_strengths_in_place() -> None:
    """The menu says "among matches of the same strength", whatever their tiers."""
    strengths = (Strength.GOOD, Strength.POSSIBLE, Strength.GOOD)
    matches = [
        replace(match, strength=strength)
        for match, strength in zip(found([-9, -5, -1]), strengths, strict=True)
    ]

    assert ids(match_order.matches_in_order(matches, MatchOrder.NEWEST, EVENT)) == "2 1 0"


_DAYS = st.lists(
    st.tuples(st.one_of(st.none(), st.integers(-9, 9)), st.sampled_from(Tier)),
    min_size=1,
    max_size=6,
)


@given(_DAYS, st.sampled_from(list(MatchOrder)))
def test_only_matches_of_one_tier_change_places(
    drawn: list[tuple[int | None, Tier]], order: MatchOrder
) -> None:
    """What is shown are the same values, and each tier keeps its places."""
    matches = found([day for day, _ in drawn], [tier for _, tier in drawn])
    shown = match_order.matches_in_order(matches, order, EVENT)
    expected_matches = [m for m in matches if order is not MatchOrder.BEFORE or m in shown]
    assert sorted(m.rank for m in shown) == sorted(m.rank for m in expected_matches)
    assert all(m in matches for m in shown)
    assert [m.tier for m in shown] == [m.tier for m in expected_matches]
    gone = [m.claim.review_date for m in matches if m not in shown]
    assert all(day and day >= EVENT for day in gone)
    assert order is MatchOrder.BEFORE or not gone


@given(_DAYS, st.sampled_from(TIMED))
def test_a_tier_is_in_order_and_the_undated_come_last(
    drawn: list[tuple[int | None, Tier]], order: MatchOrder
) -> None:
    """Against plain sorting; equal days stay as they were ranked."""
    matches = found([day for day, _ in drawn], [tier for _, tier in drawn])
    days = {m.claim.id: day for m, (day, _) in zip(matches, drawn, strict=True)}
    known_days = [
        day
        for day in days.values()
        if day is not None and (order is not MatchOrder.BEFORE or day < 0)
    ]
    centre = min(
        known_days, key=lambda day: sum(abs(day - other_day) for other_day in known_days), default=0
    )
    keys = {
        MatchOrder.NEWEST: lambda day: -day,
        MatchOrder.BEFORE: lambda day: -day,
        MatchOrder.NEAREST: abs,
        MatchOrder.CLUSTER: lambda day: abs(day - centre),
    }
    shown = match_order.matches_in_order(matches, order, EVENT)
    for tier in Tier:
        tier_matches = [m for m in shown if m.tier == tier]
        sort_keys = [
            (days[m.claim.id] is None, keys[order](days[m.claim.id] or 0), m.rank)
            for m in tier_matches
        ]
        sort_keys = [(undated, 0 if undated else key, rank) for undated, key, rank in sort_keys]
        assert sorted(sort_keys) == sort_keys


def test_what_is_left_out_or_last_is_said() -> None:
    """One, several, none."""
    matches = found([-3, 0, 5, None])
    assert match_order.order_notes(matches, MatchOrder.BEFORE, EVENT) == [
        "2 matches not shown: checked on the day of the event or later.",
        "1 match without a date of the fact-check: last of its strength.",
    ]
    assert match_order.order_notes(matches, MatchOrder.CLOSEST, EVENT) == []
    assert match_order.order_notes(found([1, 2]), MatchOrder.NEWEST, EVENT) == []


def test_a_near_fact_check_is_left_out_like_a_match() -> None:
    """What is only on the topic has no tier to be ordered in, but a day."""
    late, early = found([3, -3])
    sentence = made_up.report().sentences[0]
    topics = [
        replace(sentence, tier=None, matches=(), nearest=nearest_match, on_topic=True)
        for nearest_match in (late, early)
    ]
    late_topic = match_order.sentence_in_order(topics[0], MatchOrder.BEFORE, EVENT)
    early_topic = match_order.sentence_in_order(topics[1], MatchOrder.BEFORE, EVENT)
    assert late_topic.nearest is None
    assert not late_topic.on_topic
    assert early_topic.nearest == early
    assert early_topic.on_topic
    assert match_order.sentence_in_order(topics[0], MatchOrder.NEWEST, EVENT) == topics[0]


def test_an_event_without_a_date_allows_what_needs_none() -> None:
    """And what needs one is refused with the reason."""
    assert match_order.possible_orders(None) == (
        MatchOrder.CLOSEST,
        MatchOrder.NEWEST,
        MatchOrder.CLUSTER,
    )
    assert (
        ids(match_order.matches_in_order(found([-3, 0, None, 95]), MatchOrder.NEWEST, None))
        == "3 1 0 2"
    )
    assert (
        ids(match_order.matches_in_order(found([-3, 0, None, 95]), MatchOrder.CLUSTER, None))
        == "1 0 3 2"
    )
    with pytest.raises(SettingsError, match="The date of the event is not set"):
        match_order.valid_order("before", None)
    with pytest.raises(SettingsError, match="The date of the event is not set"):
        match_order.arranged(_undated(), MatchOrder.NEAREST)


def test_the_standing_order_changes_nothing() -> None:
    """Not even the value."""
    report = made_up.report()
    assert match_order.arranged(report, MatchOrder.CLOSEST) is report


@pytest.mark.parametrize(
    "form", sorted(set(FORMATS) - {"jsonld"})
)  # which holds only what was confirmed
def test_a_file_holds_the_matches_as_they_are_ordered(form: str) -> None:
    """In every form the newest fact-check comes first, and the order is named."""
    report = _of([-900, -10, -500])
    newest_first = match_order.arranged(report, MatchOrder.NEWEST)
    page_text = "".join(forms.text_of(render(newest_first, form), form).split())
    positions = [page_text.index(f"Desk{i}") for i in (1, 2, 0)]
    assert sorted(positions) == positions
    assert "newestfact-check" in page_text or form in ("csv", "srt", "vtt", "txt", "annotations")


def test_a_report_in_an_order_opens_again() -> None:
    """JSON keeps ranks, scores and tiers, and names the order among the settings."""
    report = match_order.arranged(_of([-900, 3, -500]), MatchOrder.BEFORE)
    again = stored_reports.load(json_form.render(ReportView(report)))
    assert [m.rank for m in again.sentences[0].matches] == [3, 1]
    assert again.manifest.settings["match_order"] == "before"
    assert again.counts() == _of([-900, 3, -500]).counts()
    assert "1 match not shown" in again.warnings[-1]


def _of(days: list[int | None]):
    """The made-up report with such matches of its first sentence, each by another publisher."""
    report = made_up.report()
    matches = [
        replace(m, claim=replace(m.claim, publisher=f"Desk{m.claim.id}")) for m in found(days)
    ]
    first_sentence = replace(report.sentences[0], matches=tuple(matches))
    transcript = replace(report.transcript, event_date=EVENT)
    return replace(report, transcript=transcript, sentences=(first_sentence, *report.sentences[1:]))


def _undated():
    report = made_up.report()
    return replace(report, transcript=replace(report.transcript, event_date=None))
