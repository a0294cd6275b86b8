"""The form of the timeline: the address decides, and a review begins without it."""

from __future__ import annotations

import pytest
import streamlit as st

from assistant.ui import debate_timeline
from assistant.ui.debate_timeline import HIDDEN, LANES, STRIP


@pytest.mark.parametrize(
    ("address", "is_review", "form"),
    [
        ("", False, STRIP),
        ("", True, HIDDEN),
        ("lanes", True, LANES),
        ("strip", True, STRIP),
        ("off", False, HIDDEN),
        ("sideways", False, STRIP),
        ("sideways", True, HIDDEN),
    ],
)
def test_the_address_chooses_the_form(monkeypatch, address, is_review, form):
    values = {debate_timeline.TIMELINE_PARAMETER: address} if address else {}
    monkeypatch.setattr(st, "query_params", values)

    assert debate_timeline.chosen_timeline_form(is_review=is_review) == form


@pytest.mark.parametrize(
    ("form", "usual", "expected"),
    [
        (STRIP, STRIP, {}),
        (STRIP, HIDDEN, {"picture": "strip"}),
        (HIDDEN, STRIP, {"picture": "off"}),
        (HIDDEN, HIDDEN, {}),
    ],
)
def test_the_usual_form_leaves_the_address_short(monkeypatch, form, usual, expected):
    values = {"picture": "lanes"}
    monkeypatch.setattr(st, "query_params", values)

    debate_timeline._choose_form(form, usual)

    assert values == expected
