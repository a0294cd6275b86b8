"""Weights between two others, and which share of the way ships."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from training.entailment.blend import blend, chosen, scaled

START = {
    "same.weight": torch.tensor([[1.0, -2.0]]).half(),
    "classifier.bias": torch.tensor([4.0]).half(),
}
END = {
    "same.weight": torch.tensor([[3.0, 2.0]]).half(),
    "classifier.bias": torch.tensor([0.0]).half(),
}


def test_no_share_is_the_start_and_all_of_it_the_end() -> None:
    """Half of the way is the mean."""
    for share, expected in ((0.0, START), (1.0, END)):
        assert all(
            torch.equal(tensor, expected[name]) for name, tensor in blend(START, END, share).items()
        )
    assert blend(START, END, 0.5)["same.weight"].tolist() == [[2.0, 0.0]]


def test_only_the_head_of_the_same_claim_is_scaled() -> None:
    """Log-odds in units: the labels keep their temperature."""
    scaled_weights = scaled(START, 2.0)
    assert scaled_weights["same.weight"].tolist() == [[0.5, -1.0]]
    assert scaled_weights["classifier.bias"].tolist() == [4.0]


@given(st.dictionaries(st.floats(0, 1), st.floats(0, 1), min_size=1), st.floats(0, 1))
def test_the_largest_accurate_share_or_the_most_accurate(
    accuracies: dict[float, float], least: float
) -> None:
    """No share above the chosen one is accurate enough.

    Without one that is, none is more accurate.
    """
    share = chosen(accuracies, least)
    if accuracies[share] >= least:
        assert all(
            accuracies[other_share] < least for other_share in accuracies if other_share > share
        )
    else:
        assert max(accuracies.values()) == accuracies[share]


@pytest.mark.parametrize(("least", "expected"), [(0.74, 0.7), (0.5, 1.0), (0.9, 0.5)])
def test_chosen_on_an_example(least: float, expected: float) -> None:
    """The further the weights went, the better, as long as they are accurate enough."""
    assert chosen({0.5: 0.75, 0.7: 0.74, 1.0: 0.73}, least) == expected
