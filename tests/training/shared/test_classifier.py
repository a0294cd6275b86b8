"""The parts of training that can be checked by hand."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from training.entailment.scores import calibration_error
from training.shared.classifier import MasterWeights, accuracy, batches, fit_temperature, schedule
from training.shared.loaders import Pair


def pair(text: str = "a", label: int = 0) -> Pair:
    """Return a pair of short texts."""
    return Pair(text, "b", label, "test")


@given(st.integers(1, 400), st.integers(1, 40), st.integers(0, 5))
def test_batches_hold_every_pair_once(count: int, size: int, seed: int) -> None:
    """Sorting by length and shuffling lose nothing and repeat nothing."""
    pairs = [pair("x" * (i % 17) + str(i)) for i in range(count)]
    batch_list = batches(pairs, size=size, seed=seed)
    assert sorted(p for batch in batch_list for p in batch) == sorted(pairs)
    assert max(map(len, batch_list)) <= size


@given(st.integers(20, 5000))
def test_the_rate_rises_to_one_and_falls_to_nothing(total: int) -> None:
    """Never above one, never below nothing, and nothing at the end."""
    shares = [schedule(step, total) for step in range(1, total + 1)]
    assert max(shares) <= 1
    assert min(shares) >= 0
    assert shares[-1] == 0
    assert max(shares) == pytest.approx(1, abs=0.06)


@given(st.integers(1, 20))
def test_the_rate_of_a_run_of_few_steps_is_a_share_of_the_highest(total: int) -> None:
    """A run of one step too."""
    assert all(0 <= schedule(step, total) <= 1 for step in range(1, total + 1))


def test_accuracy_by_hand() -> None:
    """Two of three largest logits are the labels'."""
    logits = torch.tensor([[2.0, 1, 0], [0, 1, 2], [1, 0, 0]])
    assert accuracy(logits, [pair(label=0), pair(label=2), pair(label=1)]) == pytest.approx(2 / 3)


def test_a_classifier_that_is_right_half_the_time_gets_a_high_temperature() -> None:
    """Sure of itself and wrong as often as right: the temperature takes the certainty away."""
    logits = torch.tensor([[4.0, 0.0], [4.0, 0.0]])
    assert fit_temperature(logits, [pair(label=0), pair(label=1)]) == 3.0


def test_calibration_error_by_hand() -> None:
    """Sure to .8 and right in one of two: the gap is .3."""
    logits = torch.tensor([[math.log(0.8), math.log(0.2)]] * 2)
    assert calibration_error(logits, [pair(label=0), pair(label=1)], 1.0) == pytest.approx(
        0.3, abs=1e-6
    )


def test_copies_in_full_precision_gather_steps_too_small_for_bf16() -> None:
    """A thousand steps of a hundred-thousandth move a bf16 parameter that each alone would leave as it is."""
    parameter = torch.ones(2, dtype=torch.bfloat16).requires_grad_()
    master = MasterWeights([parameter])
    for _ in range(1000):
        parameter.grad = torch.ones(2, dtype=torch.bfloat16)
        master.step(1e-5)
    assert float(parameter[0].detach()) == pytest.approx(0.99, abs=0.004)
