"""Low-rank adapters: training begins with the frozen layers' output and moves the adapters alone."""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import nn

from training.shared.classifier import MasterWeights, make_trainer
from training.shared.loaders import Pair
from training.shared.low_rank import SCALE, LowRank, adapt

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


def test_training_begins_at_the_layers_as_they_are() -> None:
    """The second matrix is zero, so nothing is added; every linear layer has its own pair of matrices."""
    trunk = tiny()
    before = states(trunk)
    adapt(trunk, 3)
    assert torch.equal(states(trunk), before)
    adapters = [module for module in trunk.modules() if isinstance(module, LowRank)]
    assert len(adapters) == 2 * 6
    for adapter in adapters:
        nn.init.normal_(adapter.up, std=0.1)
    assert not torch.allclose(states(trunk), before, atol=1e-3)


def test_an_adapted_layer_by_hand() -> None:
    """W x + b + s B A x."""
    adapted = LowRank(nn.Linear(3, 2), 1)
    nn.init.normal_(adapted.up)
    x = torch.randn(4, 3)
    wanted = x @ adapted.layer.weight.T + adapted.layer.bias + SCALE * (x @ adapted.down.T) @ adapted.up.T
    assert torch.allclose(adapted(x), wanted, atol=1e-6)
    assert torch.linalg.matrix_rank(adapted.up @ adapted.down) == 1


def test_a_step_moves_the_adapters_and_the_head_alone() -> None:
    """Layers, norms and embeddings of the package stay to the bit; what ships is what was trained."""
    trainer = make_trainer(labels=3, max_length=32, seed=3, precision="fp32")
    adapt(trainer.model.trunk, 2)
    trainer.model.to(trainer.device)
    trainer = replace(trainer, master=MasterWeights([p for p in trainer.model.parameters() if p.requires_grad]))
    before = {name: p.detach().clone() for name, p in trainer.model.named_parameters()}
    for _ in range(3):
        trainer.learn(PAIRS, 1e-2)
    moved = {name for name, p in trainer.model.named_parameters() if not torch.equal(before[name], p)}
    adapted = {name for name in before if name.endswith((".up", ".down")) or name.startswith("classifier.")}
    assert moved == adapted
    assert {name.removeprefix("trunk.") for name in adapted} == trainer.shipped().keys()
