"""Low-rank adapters: where they begin, what a step moves, in which order ways are learnt."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest
import torch
from torch import nn

from training.entailment import lora as nli_lora
from training.entailment.lora import (
    HEADER,
    LARGE,
    RATE,
    RATES,
    SMALL,
    TRIED,
    LowRank,
    Way,
    adapt,
    make_way,
    megabytes,
    ways,
)
from training.shared import cards
from training.shared.classifier import Classifier, Trainer
from training.shared.loaders import Pair

PAIRS = [Pair("Rents rose.", "Rents fell.", 2, "a"), Pair("Rents rose.", "It rained.", 1, "a")]


def tiny() -> nn.Module:
    """Return a random BERT of two layers."""
    from transformers import BertConfig, BertModel

    torch.manual_seed(5)
    shape = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 24}
    return BertModel(BertConfig(vocab_size=30, **shape), add_pooling_layer=False).eval()


def states(trunk: nn.Module) -> torch.Tensor:
    """Return the last states of a fixed input."""
    return trunk(input_ids=torch.arange(12).view(2, 6)).last_hidden_state


def drawn(trunk: nn.Module) -> None:
    """Give the second matrix of every adapter random values, as after some steps."""
    for module in trunk.modules():
        if isinstance(module, LowRank):
            nn.init.normal_(module.up, std=0.1)


def test_training_begins_at_the_layers_as_they_are() -> None:
    """The second matrix is zero, so nothing is added; every linear layer has its own pair of matrices."""
    trunk = tiny()
    before = states(trunk)
    adapt(trunk, 3)
    assert torch.equal(states(trunk), before)
    assert sum(isinstance(module, LowRank) for module in trunk.modules()) == 2 * 6
    drawn(trunk)
    assert not torch.allclose(states(trunk), before, atol=1e-3)


def test_an_adapted_layer_by_hand() -> None:
    """W x + b + s B A x."""
    adapted = LowRank(nn.Linear(3, 2), 1)
    nn.init.normal_(adapted.up)
    x = torch.randn(4, 3)
    wanted = x @ adapted.layer.weight.T + adapted.layer.bias + nli_lora.SCALE * (x @ adapted.down.T) @ adapted.up.T
    assert torch.allclose(adapted(x), wanted, atol=1e-6)
    assert torch.linalg.matrix_rank(adapted.up @ adapted.down) == 1


@pytest.fixture(scope="module")
def learnt() -> tuple[Trainer, dict[str, torch.Tensor], dict[str, torch.Tensor]]:
    """Return a trainer of adapters after steps, and its parameters before and after."""
    trainer = make_way(Way(2, 1e-3, SMALL), seed=3)
    before = {name: p.detach().clone() for name, p in trainer.model.named_parameters()}
    for _ in range(3):
        trainer.learn(PAIRS, 1e-2)
    return trainer, before, dict(trainer.model.named_parameters())


def test_a_step_moves_the_adapters_and_the_head_alone(
    learnt: tuple[Trainer, dict[str, torch.Tensor], dict[str, torch.Tensor]],
) -> None:
    """Layers, norms and embeddings of the package stay to the bit."""
    _, before, after = learnt
    moved = {name for name, tensor in before.items() if not torch.equal(tensor, after[name])}
    assert moved == {name for name in before if name.endswith((".up", ".down")) or name.startswith("classifier.")}


def test_what_ships_is_the_adapters_and_the_head(
    learnt: tuple[Trainer, dict[str, torch.Tensor], dict[str, torch.Tensor]],
) -> None:
    """Two bytes a number: 36 layers' thin matrices of rank 2, and three rows of the head with their biases."""
    square, wide = 4 * 2 * (384 + 384), 2 * 2 * (384 + 1536)
    assert megabytes(learnt[0]) == pytest.approx(2 * (6 * (square + wide) + 3 * 385) / 1e6)


def test_rank_nothing_is_full_fine_tuning() -> None:
    """All layers learn; both ways begin at the same head."""
    full, low = make_way(Way(0, 1e-4, SMALL), seed=3), make_way(Way(2, 1e-3, SMALL), seed=3)
    assert not any(isinstance(module, LowRank) for module in full.model.modules())
    assert "encoder.layer.5.output.dense.weight" in full.shipped()
    assert isinstance(full.model, Classifier) and torch.equal(full.model.classifier.weight, low.model.classifier.weight)


def test_the_rate_is_chosen_on_the_small_part(tmp_path: Path) -> None:
    """The best of the rates that were tried is every rank's on the large part; full fine-tuning keeps its own."""
    path = tmp_path / "rows.csv"
    found = []
    for way in ways(path, 10, [8, 0]):
        found.append(way)
        matched = 0.6 if way.rate == RATES[1] else 0.4
        cards.append_row(path, HEADER, (*nli_lora.key(way, 10), matched, 0.4, 1.0, 1.0, 1.0))
    assert found[: len(RATES)] == [Way(TRIED, rate, SMALL) for rate in RATES]
    ranked = [Way(8, RATES[1], share) for share in (SMALL, LARGE)], [Way(0, RATE, share) for share in (SMALL, LARGE)]
    assert found[len(RATES) :] == [way for both in zip(*ranked, strict=True) for way in both]


def test_a_row_says_what_was_learnt(tmp_path: Path) -> None:
    """Accuracy of each sample, loss, size and speed, under the columns of the header."""
    args = argparse.Namespace(seed=3, work=tmp_path, every=10)
    made = nli_lora.row(Way(2, 1e-3, SMALL), PAIRS * 20, {"matched": PAIRS, "snli": PAIRS}, args)
    told = dict(zip(HEADER, made, strict=True))
    assert (told["way"], told["rank"], told["pairs"]) == ("adapters", "2", "40")
    assert told["matched"] == told["snli"] and float(str(told["pairs_a_second"])) > 0
