"""Training with two heads: where it starts, what a step moves, what ships."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from training.entailment.train import write
from training.entailment.two_heads import TwoHeadTrainer, make_two_heads, paired
from training.shared.loaders import Pair

NLI = [Pair("Rents rose.", "Rents fell.", 2, "a"), Pair("Rents rose.", "It rained.", 1, "a")]
SAME = [
    Pair("Rents rose.", "rents went up", 1, "b"),
    Pair("Rents rose.", "The dam is safe.", 0, "b"),
]


@pytest.fixture(scope="module")
def trainer(tmp_path_factory: pytest.TempPathFactory) -> TwoHeadTrainer:
    """Return a trainer that begins at a file with one tensor of the trunk and one of a head."""
    start = tmp_path_factory.mktemp("start") / "start.safetensors"
    generator = torch.Generator().manual_seed(1)
    tensors = {
        "encoder.layer.0.output.dense.bias": torch.randn(384, generator=generator),
        "classifier.bias": torch.randn(3, generator=generator),
    }
    save_file({name: tensor.half() for name, tensor in tensors.items()}, start)
    return make_two_heads(start, max_length=32, seed=2)


def test_training_begins_exactly_at_the_weights(trainer: TwoHeadTrainer, tmp_path: Path) -> None:
    """The fp32 copies hold the fp16 tensors unrounded.

    Both heads ship, the second divided by its scale.
    """
    shipped = trainer.shipped()
    assert shipped["same.weight"].shape == (1, 384)
    assert shipped["classifier.bias"].dtype == torch.float16
    again = make_two_heads(None, max_length=32, seed=2).shipped()
    assert not torch.equal(
        shipped["encoder.layer.0.output.dense.bias"], again["encoder.layer.0.output.dense.bias"]
    )
    assert torch.equal(
        shipped["encoder.layer.1.output.dense.bias"], again["encoder.layer.1.output.dense.bias"]
    )
    write(tmp_path / "nli.safetensors", trainer, 2.0, {"what": "test"})
    halved = load_file(tmp_path / "nli.safetensors")["same.weight"]
    assert torch.allclose(halved.float(), shipped["same.weight"].float() / 2, atol=1e-4)


def test_a_step_moves_the_trunk_and_both_heads(trainer: TwoHeadTrainer) -> None:
    """Steps on one batch of each task lower their joint loss."""
    old_weights = trainer.shipped()
    losses = [trainer.learn((NLI, SAME), 3e-4) for _ in range(8)]
    new_weights = trainer.shipped()
    for name in ("classifier.weight", "same.weight", "encoder.layer.0.output.dense.bias"):
        assert not torch.equal(old_weights[name], new_weights[name])
    assert losses[-1] < losses[0]
    assert float(trainer.log_odds(SAME)[0]) > float(trainer.log_odds(SAME)[1])


def test_a_task_that_runs_out_begins_again() -> None:
    """Every step has a batch of each task, in their own order."""
    step_pairs = paired([[NLI[0]], [NLI[1]]], [[SAME[0]], [SAME[1]], [SAME[0], SAME[1]]], 3)
    assert step_pairs == [
        ([NLI[0]], [SAME[0]]),
        ([NLI[1]], [SAME[1]]),
        ([NLI[0]], [SAME[0], SAME[1]]),
    ]
