"""Low-rank differences to the package: the nearest of their rank, and their size on disk."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import load_file

from features.articles.mtm.loading import factors
from features.weights import MODELS
from training.entailment.deltas import FULL, package, shortened


@given(st.integers(2, 9), st.integers(2, 9), st.integers(1, 9), st.integers(0, 50))
def test_factors_leave_what_the_smaller_singular_values_hold(rows: int, columns: int, rank: int, seed: int) -> None:
    """The squared distance is the sum of the squares of the values left out (Eckart and Young)."""
    delta = torch.randn(rows, columns, generator=torch.Generator().manual_seed(seed))
    left, right = factors(delta, rank)
    assert left.shape[1] == right.shape[0] == min(rank, rows, columns)
    distance = float((delta - left @ right).square().sum())
    assert distance == pytest.approx(float(torch.linalg.svdvals(delta)[rank:].square().sum()), abs=1e-3)


def test_only_matrices_that_become_smaller_are_shortened() -> None:
    """Sizes by hand: 2 bytes a number; biases, heads and a matrix of two rows stay to the bit."""
    tensors = {
        "encoder.dense.weight": torch.randn(20, 30).half(),
        "encoder.dense.bias": torch.randn(20).half(),
        "embeddings.types.weight": torch.randn(2, 30).half(),
        "classifier.weight": torch.randn(3, 30).half(),
    }
    base = {name: torch.randn(tensor.shape) for name, tensor in tensors.items() if name != "classifier.weight"}
    made, size = shortened(tensors, base, 4)
    assert size == 2 * (4 * (20 + 30) + 20 + 2 * 30 + 3 * 30)
    assert [name for name in tensors if not torch.equal(made[name], tensors[name])] == ["encoder.dense.weight"]
    difference = made["encoder.dense.weight"] - base["encoder.dense.weight"]
    assert torch.linalg.matrix_rank(difference, atol=1e-3) == 4


def test_the_full_rank_is_what_ships() -> None:
    """To the byte; a low one is smaller, and every layer of the trunk has its counterpart in the package."""
    shipped, base = load_file(MODELS / "nli.safetensors"), package()
    assert {name for name in shipped if name.startswith("encoder.")} <= base.keys()
    made, size = shortened(shipped, base, FULL)
    assert all(torch.equal(made[name], tensor) for name, tensor in shipped.items())
    assert size == sum(tensor.nbytes for tensor in shipped.values())
