"""What there is to review, in which order, and the keys."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.core.domain import Decision
from assistant.core.errors import ReviewError
from assistant.report.view import ReportView
from assistant.review import review_queue
from tests.assistant.reports import forms
from tests.assistant.ui import factory


def of(*verdicts: str) -> list[review_queue.ReviewItem]:
    """Return an item a verdict; "" is open."""
    item = review_queue.items(ReportView(factory.report(20)), every_match=True)[0]
    decisions = [Decision(verdict, by="Ada") if verdict else None for verdict in verdicts]
    return [
        review_queue.ReviewItem(item.checked, replace(item.match, rank=i, decision=d))
        for i, d in enumerate(decisions, 1)
    ]


def test_the_best_match_of_each_sentence_comes_in_the_order_of_the_ranking():
    """One a row, or all of them."""
    report = factory.report(60)

    best = review_queue.items(ReportView(report), every_match=False)
    every = review_queue.items(ReportView(report), every_match=True)

    assert [row.best for row in report.rows()] == [i.checked.sentence.number for i in best]
    assert {item.match.rank for item in best} == {1}
    assert sum(len(c.matches) for c in report.sentences) == len(every)


def test_a_row_is_decided_with_its_folded_passages():
    """One item for all of them; any of their names leads to it."""
    queue = review_queue.items(ReportView(factory.passages(60)), every_match=False)

    assert [p.best for p in factory.passages(60).rows()] == [
        item.checked.sentence.number for item in queue
    ]
    assert [folded_item.name for folded_item in queue[1].grouped_items] == ["15.1", "23.1", "31.1"]
    assert review_queue.at(queue, "23.1") == 1


def test_every_match_of_a_row_can_be_decided_once():
    """With other matched sentences of its passages, and none twice."""
    report = factory.passages(60)

    names = [
        queue_item.name
        for item in review_queue.items(ReportView(report), every_match=True)
        for queue_item in (item, *item.grouped_items)
    ]

    assert len(names) == len(set(names)) == sum(len(c.matches) for c in report.sentences)


def test_the_first_match_is_that_of_the_order_in_which_they_stand():
    """Not the one that was ranked first."""
    report = factory.report(60)
    turned = [replace(checked, matches=checked.matches[::-1]) for checked in report.sentences]

    best = review_queue.items(
        ReportView(replace(report, sentences=tuple(turned))), every_match=False
    )

    last_matches = {c.sentence.number: c.matches[-1] for c in report.sentences if c.matches}
    assert [last_matches[row.best] for row in report.rows()] == [item.match for item in best]


def test_a_decided_match_is_always_there():
    """Whoever looks at the best ones sees what was decided on others too."""
    queue = review_queue.items(ReportView(forms.reviewed("", "reject")), every_match=False)

    assert [item.verdict for item in queue] == ["", "reject"]


def test_progress_is_told_in_words():
    """What was put off is not decided, and the words name the unit."""
    verdicts = ["confirm", "reject", "later", ""]

    assert (
        review_queue.progress(verdicts, every_match=False)
        == "2 of 4 statements decided: 1 confirmed, 1 rejected, 1 later"
    )
    assert review_queue.progress(verdicts[3:], every_match=True) == "0 of 1 match decided"
    assert review_queue.progress([], every_match=True) == "0 of 0 matches decided"


def test_a_second_decision_on_a_statement_adds_none_to_the_progress():
    report = forms.reviewed("", "")
    open_view = ReportView(report)
    decided_view = ReportView(forms.reviewed("reject", "confirm"))

    assert review_queue.verdicts_to_give(open_view, every_match=False) == [""]
    assert review_queue.verdicts_to_give(decided_view, every_match=False) == ["confirm"]
    assert review_queue.verdicts_to_give(decided_view, every_match=True) == ["reject", "confirm"]


def test_the_queue_goes_on_with_the_match_that_a_statement_shows_after_a_rejection():
    queue = review_queue.items(ReportView(forms.reviewed("reject", "")), every_match=False)

    assert [item.verdict for item in queue] == ["reject", ""]


@pytest.mark.parametrize(
    ("verdicts", "place", "expected"),
    [
        (("", "", ""), 0, 1),
        (("", "confirm", "confirm"), 2, 0),
        (("later", "confirm", "", "reject"), 3, 2),
        (("later", "confirm", "reject"), 1, 0),
        (("confirm", "reject"), 1, 1),
    ],
)
def test_the_next_is_open_then_put_off_then_nothing(verdicts, place, expected):
    """From the start again at the end."""
    assert review_queue.following(of(*verdicts), place) == expected


def test_a_name_in_the_address_leads_to_its_item():
    """An unknown one to the first that is open."""
    queue = of("confirm", "", "")

    assert review_queue.at(queue, queue[2].name) == 2
    assert review_queue.at(queue, "99.9") == 1


@given(
    st.lists(st.sampled_from(["", "later", "confirm", "reject"]), min_size=1, max_size=9), st.data()
)
def test_going_on_ends_when_everything_is_decided(verdicts, data):
    """Confirming whatever comes visits every open item once and never a decided one."""
    position = review_queue.at(of(*verdicts), "")
    for _ in range(sum(v in ("", "later") for v in verdicts)):
        assert verdicts[position] in ("", "later")
        verdicts[position] = "confirm"
        position = review_queue.following(of(*verdicts), position)

    assert not {"", "later"} & set(verdicts)


def test_keys_survive_in_their_file(tmp_path):
    """As they were kept, in lower case."""
    path = tmp_path / "keys" / "review-keys.json"
    review_queue.save_keys(path, {**review_queue.KEYS, "confirm": " A "})

    assert review_queue.load_keys(path) == {**review_queue.KEYS, "confirm": "a"}


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"confirm": "y"}', json.dumps({**review_queue.KEYS, "undo": 1})]
)
def test_a_broken_file_of_keys_gives_the_standing_ones(tmp_path, text):
    """Nobody is locked out."""
    path = tmp_path / "review-keys.json"
    path.write_text(text)

    assert dict(review_queue.KEYS) == review_queue.load_keys(path)


@pytest.mark.parametrize(
    ("key", "told"),
    [
        *(
            ("c", "caches"),
            ("R", "runs the page again"),
            ("n", "the same key"),
            ("1", "single letter"),
        ),
        *(
            ("", "single letter"),
            ("ab", "single letter"),
            ("?", "single letter"),
            ("é", "single letter"),
        ),
    ],
)
def test_keys_that_cannot_work_are_refused(key, told):
    """Those of the framework, of two actions, of the reasons, and punctuation."""
    with pytest.raises(ReviewError, match=told):
        review_queue.validated_keys({**review_queue.KEYS, "confirm": key})
