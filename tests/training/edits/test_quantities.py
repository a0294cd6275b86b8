"""Bounds of quantities follow the logic of numbers, whatever the figure."""

from __future__ import annotations

import operator
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.edits.quantities import quantity, quantity_pairs
from training.shared.loaders import LABELS

TRUE = {
    "more than": operator.gt, "over": operator.gt, "less than": operator.lt, "under": operator.lt,
    "at least": operator.ge, "no less than": operator.ge, "at most": operator.le, "no more than": operator.le,
    "": operator.eq,
}  # fmt: skip
_SAID = re.compile(rf"They built ({'|'.join(filter(None, TRUE))})? ?\$?([\d,.]+) homes")


def possible(text: str, values: set[float]) -> set[float]:
    """Return which of the values a sentence leaves possible."""
    bound, figure = _SAID.fullmatch(text).groups()
    return {value for value in values if TRUE[bound or ""](value, float(figure.replace(",", "")))}


def around(text: str) -> set[float]:
    """Return a value below, at and above the figure of a sentence.

    A bound changes nowhere else.
    """
    figure = float(_SAID.fullmatch(text)[2].replace(",", ""))
    return {figure - 0.25, figure, figure + 0.25}


@given(st.integers(2, 1400), st.integers(0, 2), st.integers(0, 10_000))
def test_the_label_is_what_the_values_say(value: int, place: int, seed: int) -> None:
    """Independent of the rules.

    Sets of possible values are inside each other, apart, or neither.
    """
    texts = [f"They built {value:,} homes"] * (place + 1)
    pair = quantity_pairs(texts, seed=seed)[place]
    values = around(pair.premise) | around(pair.hypothesis)
    premise_values = possible(pair.premise, values)
    hypothesis_values = possible(pair.hypothesis, values)
    relation = (
        "entailment"
        if premise_values <= hypothesis_values
        else "contradiction"
        if not premise_values & hypothesis_values
        else "neutral"
    )
    assert relation == LABELS[pair.label] == LABELS[place]


@pytest.mark.parametrize(
    "text",
    [
        "It opened in 1971.", "Nearly 30 homes burned.", "On May 3 it rained.", "He wrote Chapter 7.", "It rained.",
        "More than 30 homes burned.", "The 2nd house burned.", "Of 10 homes none burned.", "A 30-year loan", "at 8:30",
    ],
)  # fmt: skip
def test_what_is_no_plain_count_is_left_alone(text: str) -> None:
    """Years, dates, ordinals, names of parts and figures with a bound of their own give nothing."""
    assert quantity(text, random.Random(0)) is None


def test_spelled_figures_stay_spelled_and_sentences_begin_with_a_capital() -> None:
    """ "Six homes" becomes "More than two homes", not "more than 2 homes"."""
    hypotheses = {
        pair.hypothesis
        for seed in range(40)
        for pair in quantity_pairs(["Six homes burned."], seed=seed)
    }
    assert all(text[0].isupper() and not re.search(r"\d", text) for text in hypotheses)
    assert any(text.startswith("More than ") for text in hypotheses)


def test_money_keeps_its_sign() -> None:
    """The bound stands before the sign of money."""
    hypotheses = [
        pair.hypothesis
        for seed in range(40)
        for pair in quantity_pairs(["It cost $5.50 then."], seed=seed)
    ]
    assert all(
        re.fullmatch(r"It cost (?:[a-z ]+ )?\$\d+\.\d\d then\.", text) for text in hypotheses
    )
