"""The menu of filters: how many are in use, and the meaning of each strength."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup
from streamlit.testing.v1 import AppTest

from assistant.ui import list_filters, sentence_list
from assistant.ui.match_strength import STRENGTHS, strength_meaning
from assistant.ui.review_view import Review


def _draw_menu() -> None:
    import streamlit as st

    from assistant.ui import list_filters

    keys = list_filters.filter_keys("Best first", None)
    with list_filters.filter_menu(keys, is_before="before" in st.query_params):
        pass


def menu_label(**address: str) -> str:
    """Return the label of the button of the filters for an address."""
    app = AppTest.from_function(_draw_menu)
    app.query_params.update(address)
    app.run()
    (popover,) = app.main.children.values()
    return popover.proto.popover.label


@pytest.mark.parametrize(
    ("address", "label"),
    [
        ({}, "Filters"),
        ({"s": "12", "q": "tax"}, "Filters"),
        ({"rating": "true"}, "Filters · 1"),
        ({"speaker": "Reyes", "worth": "0.5"}, "Filters · 2"),
        ({"reviewed": "open"}, "Filters"),  # a filter of another view
        ({"before": "yes"}, "Filters · 1"),
        ({"tier": "likely"}, "Filters · 1"),  # an old address
    ],
)
def test_the_button_counts_the_filters_in_use(address, label):
    assert menu_label(**address) == label


@pytest.mark.parametrize(
    ("layout", "review", "expected"),
    [
        (sentence_list.RANKED, None, ("strength", "decision")),
        (sentence_list.RANKED, Review(), ("strength", "reviewed")),
        (sentence_list.IN_ORDER, None, ("show", "decision")),
    ],
)
def test_each_view_has_filters_of_its_own_in_the_address(layout, review, expected):
    assert list_filters.filter_keys(layout, review) == expected


def test_each_strength_is_explained_in_words():
    legend = BeautifulSoup(list_filters.strength_legend(STRENGTHS), "html.parser")

    words = {line.dt.get_text(): line.dd.get_text() for line in legend.select("div")}
    assert words == {word.capitalize(): strength_meaning(word) for word in STRENGTHS}


ROWS = (
    sentence_list.Row(1, "a", "REYES", "", "likely", 1, 0.9, strength="strong", ratings=("TRUE",)),
    sentence_list.Row(2, "b", "WHITFIELD", "", "possible", 2, 0.9, strength="good", ratings=("FALSE",)),
    sentence_list.Row(3, "c", "REYES", "", "on topic", None, 0.9, strength="possible", ratings=("TRUE",)),
    sentence_list.Row(4, "d", "REYES", "", "dropped", None, 0.1),
)  # fmt: skip


@pytest.fixture
def offered(monkeypatch):
    """The counts of each filter, as its chips get them."""
    counts_by_filter = {}

    def note(label, key, counts, words_of, defaults=()):
        counts_by_filter[label] = dict(counts)
        return list_filters.options_in_address(key, counts, defaults)

    monkeypatch.setattr(list_filters, "draw_option_chips", note)
    return counts_by_filter


def address_of(monkeypatch, **values):
    query = SimpleNamespace(get_all=lambda name: values.get(name, []))
    monkeypatch.setattr(
        list_filters, "st", SimpleNamespace(query_params=query, html=lambda _: None)
    )


def test_counts_are_of_the_statements_in_the_list(offered, monkeypatch):
    """Neither of rows below the list nor of sentences without a match, as the count in the head."""
    address_of(monkeypatch)

    filters = list_filters.draw_chips(ROWS, sentence_list.RANKED, "")

    assert offered["Rating"] == {"TRUE": 1, "FALSE": 1}
    assert offered["Speaker"] == {"REYES": 1, "WHITFIELD": 1}
    assert offered["Decision"]["open"] == 2
    assert len(sentence_list.filtered_rows(ROWS, filters)) == 2


def test_counts_follow_the_rows_that_are_shown(offered, monkeypatch):
    """With the rows below the list, and for the chosen strengths alone."""
    address_of(monkeypatch)
    list_filters.draw_chips(ROWS, sentence_list.RANKED, "", shows_below=True)
    assert offered["Speaker"] == {"REYES": 2, "WHITFIELD": 1}

    address_of(monkeypatch, strength=["good"])
    list_filters.draw_chips(ROWS, sentence_list.RANKED, "")
    assert offered["Speaker"] == {"WHITFIELD": 1}


def test_a_chosen_option_is_offered_without_a_row_and_an_unknown_one_is_not(offered, monkeypatch):
    address_of(monkeypatch, strength=["good"], rating=["TRUE", "nonsense"], speaker=["REYES"])

    filters = list_filters.draw_chips(ROWS, sentence_list.RANKED, "")

    assert offered["Rating"] == {"FALSE": 1, "TRUE": 0}
    assert offered["Speaker"] == {"WHITFIELD": 1, "REYES": 0}
    assert (filters.ratings, filters.speakers) == (("TRUE",), ("REYES",))
