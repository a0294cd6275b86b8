"""The menu of filters: how many are in use, and the meaning of each strength."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup
from streamlit.testing.v1 import AppTest

from assistant.ui import list_filters, sentence_list
from assistant.ui.match_strength import STRENGTHS, strength_meaning
from assistant.ui.review_view import Review
from tests.assistant.ui.conftest import set_address


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
    sentence_list.Row(1, "a", "REYES", "", "likely", 1, 0.9, strength="strong", rating_class="TRUE"),
    sentence_list.Row(2, "b", "WHITFIELD", "", "possible", 2, 0.9, strength="good", rating_class="FALSE"),
    sentence_list.Row(3, "c", "REYES", "", "on topic", None, 0.9, strength="possible", rating_class="TRUE"),
    sentence_list.Row(4, "d", "REYES", "", "dropped", None, 0.1),
)  # fmt: skip


def test_counts_are_of_the_statements_in_the_list(offered, monkeypatch):
    """Neither of rows below the list nor of sentences without a match, as the count in the head."""
    set_address(monkeypatch)

    filters = list_filters.draw_chips(ROWS, sentence_list.RANKED, "")

    assert offered["Rating"] == {"TRUE": 1, "FALSE": 1}
    assert offered["Speaker"] == {"REYES": 1, "WHITFIELD": 1}
    assert offered["Decision"]["open"] == 2
    assert len(sentence_list.filtered_rows(ROWS, filters)) == 2


def test_counts_follow_the_rows_that_are_shown(offered, monkeypatch):
    """With the rows below the list, and for the chosen strengths alone."""
    set_address(monkeypatch)
    list_filters.draw_chips(ROWS, sentence_list.RANKED, "", shows_below=True)
    assert offered["Speaker"] == {"REYES": 2, "WHITFIELD": 1}

    set_address(monkeypatch, strength=["good"])
    list_filters.draw_chips(ROWS, sentence_list.RANKED, "")
    assert offered["Speaker"] == {"WHITFIELD": 1}


def test_a_chosen_option_is_offered_without_a_row_and_an_unknown_one_is_not(offered, monkeypatch):
    set_address(monkeypatch, strength=["good"], rating=["TRUE", "nonsense"], speaker=["REYES"])

    filters = list_filters.draw_chips(ROWS, sentence_list.RANKED, "")

    assert offered["Rating"] == {"FALSE": 1, "TRUE": 0}
    assert offered["Speaker"] == {"WHITFIELD": 1, "REYES": 0}
    assert (filters.ratings, filters.speakers) == (("TRUE",), ("REYES",))
