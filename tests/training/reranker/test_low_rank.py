"""The low-rank change: its training, and the merged model in bytes, which gives the same logits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import MPNetConfig, MPNetModel, PreTrainedTokenizerFast

from features.models import onnx_mpnet
from features.models.reranker import LABELS, SingleReranker, log_odds
from training.reranker.large import beginning
from training.reranker.low_rank import (
    FIRST_CHANGED_LAYER,
    SCALE,
    LowRankLinear,
    make_low_rank,
)
from training.reranker.train import SHARES
from training.shared import cards
from training.shared.loaders import Pair

WORDS = "exports doubled in four years taxes fell never rose".split()
PAIRS = [
    Pair("exports doubled in four years", "taxes never rose", 0, "test"),
    Pair("taxes fell", "exports doubled", 2, "test"),
    Pair("exports fell in four years", "exports never fell", 1, "test"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a small model of the same kind, with a vocabulary of its own."""
    path = tmp_path_factory.mktemp("mpnet")
    torch.manual_seed(1)
    config = MPNetConfig(
        vocab_size=16,
        hidden_size=32,
        num_hidden_layers=FIRST_CHANGED_LAYER + 2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    MPNetModel(config).save_pretrained(path)
    vocabulary = {token: i for i, token in enumerate(["<s>", "<pad>", "</s>", "[UNK]", *WORDS])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> </s> $B </s>",
        special_tokens=[("<s>", 0), ("</s>", 2)],
    )
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", unk_token="[UNK]", model_max_length=64
    )
    fast.save_pretrained(path)
    return path


def test_only_factors_and_head_are_learnt(folder: Path) -> None:
    """The layers below the first changed one stay whole, and nothing changes before training."""
    trainer = make_low_rank(folder, labels=3, max_length=32, seed=17)
    names = set(trainer.shipped())
    layers = {int(name.split(".")[2]) for name in names if name.startswith("encoder.layer.")}
    assert layers == {FIRST_CHANGED_LAYER, FIRST_CHANGED_LAYER + 1}
    assert {"classifier.weight", "classifier.bias"} < names
    assert all(name.endswith((".down", ".up")) for name in names if name.startswith("encoder"))
    layer = LowRankLinear(torch.nn.Linear(8, 4))
    states = torch.randn(5, 8)
    assert torch.equal(layer(states), layer.fixed(states))


def test_training_lowers_the_loss_and_leaves_the_base(folder: Path) -> None:
    """The fixed matrices are the same afterwards."""
    trainer = make_low_rank(folder, labels=3, max_length=32, seed=17)
    fixed = trainer.model.trunk.encoder.layer[-1].output.dense.fixed.weight.clone()
    losses = [trainer.learn(PAIRS, 0.005) for _ in range(60)]
    assert losses[-1] < losses[0] / 2
    assert torch.equal(trainer.model.trunk.encoder.layer[-1].output.dense.fixed.weight, fixed)


def test_what_runs_says_what_was_learnt(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The merged model gives the same logits; in products of bytes they differ a little."""
    trainer = make_low_rank(folder, labels=3, max_length=32, seed=17)
    for _ in range(20):
        trainer.learn(PAIRS, 0.005)
    path = tmp_path / "low-rank.safetensors"
    card = {"labels": list(LABELS), "scale": SCALE, "max_length": 32}
    cards.write_model(path, trainer.shipped(), card)
    trainer.model.trunk.float()
    expected = trainer.logits(PAIRS)

    merged = onnx_mpnet.low_rank_classifier(folder, str(path))
    tokens = trainer.tokens(PAIRS)
    (logits,) = merged(tokens["input_ids"], tokens["attention_mask"], None)
    # training computes in bf16, whose rounding stays in the factors
    assert logits.detach() == pytest.approx(expected.numpy(), abs=0.05)

    @contextmanager
    def test_folder() -> Iterator[Path]:
        yield folder

    monkeypatch.setattr(onnx_mpnet, "mpnet_folder", test_folder)
    monkeypatch.setenv("LECTERN_CACHE", str(tmp_path / "cache"))
    runner = onnx_mpnet.low_rank_runner(str(path), 32)
    reranker = SingleReranker(runner, LABELS)
    odds = reranker.read([pair.premise for pair in PAIRS], [pair.hypothesis for pair in PAIRS])
    assert odds == pytest.approx(log_odds(expected.numpy()), abs=0.25)
    assert runner.digest != onnx_mpnet.MPNET_SHA256


def test_the_readings_begin_at_what_was_learnt_of_the_same_claim(
    folder: Path, tmp_path: Path
) -> None:
    """The labels' logits are shares of its log-odds, and the factors stay."""
    from safetensors.torch import save_file

    trainer = make_low_rank(folder, labels=3, max_length=32, seed=17, has_same=True)
    tensors = trainer.shipped()
    path = tmp_path / "entailment.safetensors"
    save_file(tensors, path)
    begun = beginning(path)
    assert "same.weight" not in begun
    state = torch.randn(32)
    same = float(tensors["same.weight"].float()[0] @ state + tensors["same.bias"].float()[0])
    logits = begun["classifier.weight"] @ state + begun["classifier.bias"]
    assert logits.tolist() == pytest.approx([SHARES[label] * same for label in LABELS], abs=1e-3)
    name = next(name for name in tensors if name.endswith(".down"))
    assert torch.equal(begun[name], tensors[name])
