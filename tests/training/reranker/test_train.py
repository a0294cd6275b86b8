"""The training of the re-ranker: where it begins, what its card says."""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file, save_file

from features.models.reranker import LABELS
from features.models.weight_files import read_card
from training.reranker.pairs import AsRead
from training.reranker.train import SHARES, START, average, beginning, card


def test_it_begins_at_what_the_cross_encoder_says_of_the_same_claim() -> None:
    """The more it speaks for that, the more for *settled*, half as much for *part*.

    The layers are the same.
    """
    tensors = beginning()
    start_tensors = load_file(START)
    assert "same.weight" not in tensors
    assert tensors["classifier.weight"].shape == (len(LABELS), 384)
    state = torch.randn(384)
    logits = tensors["classifier.weight"] @ state + tensors["classifier.bias"]
    same = float(
        start_tensors["same.weight"].float().reshape(-1) @ state
        + start_tensors["same.bias"].float().reshape(-1)[0]
    )
    assert np.allclose(logits.numpy(), [SHARES[label] * same for label in LABELS], atol=1e-4)
    name = "encoder.layer.3.output.dense.weight"
    assert torch.equal(tensors[name], start_tensors[name])


def test_runs_are_averaged_weight_by_weight() -> None:
    """In fp32, then fp16: three large numbers whose sum fp16 cannot hold."""
    runs = [
        {"head": torch.tensor([value, value / 2], dtype=torch.float16)}
        for value in (32768.0, 49152.0, 65504.0)
    ]
    (name, mean), *other_means = average(runs).items()
    assert name == "head"
    assert other_means == []
    assert mean.dtype == torch.float16
    assert mean.tolist() == [
        float(torch.tensor(49141.33).half()),
        float(torch.tensor(24570.67).half()),
    ]


def test_the_card_says_what_was_left_out() -> None:
    """So that a bench can tell which re-ranker has not learnt from a debate."""
    learnt = [AsRead("a", "s", "", "t", (), "", label) for label in (0, 0, 2)]
    kept_readings = [AsRead(name, "s", "", "t", (), "", 0) for name in ("c", "b", "c")]
    args = argparse.Namespace(rounds=1, seeds=3, rate=5e-5, seed=17, start=START)
    model_card = card(args, learnt, kept_readings, {"AP, settled": 0.6})
    assert model_card["without"] == ["b", "c"]
    assert model_card["pairs"] == {"no": 2, "settled": 1}
    assert model_card["scores"] == {"AP, settled": 0.6, "pairs": 3}


def test_it_begins_at_other_weights_and_the_card_names_them(tmp_path: Path) -> None:
    """The layers are those of ``--start``, and the card gives its digest."""
    name = "encoder.layer.3.output.dense.weight"
    other_tensors = load_file(START)
    other_tensors[name] = other_tensors[name] + 1
    path = tmp_path / "other.safetensors"
    save_file(other_tensors, path)
    args = argparse.Namespace(rounds=1, seeds=1, rate=5e-5, seed=17, start=path)
    model_card = card(args, [], [], {})
    assert torch.equal(beginning(path)[name], other_tensors[name])
    assert hashlib.sha256(path.read_bytes()).hexdigest() in str(model_card["base"])
    assert "--start START" in str(model_card["command"])


def test_the_shipped_one_has_such_a_card() -> None:
    """With the labels in their order, data, command, scores and licence."""
    shipped = read_card("reranker.safetensors")
    assert shipped["labels"] == list(LABELS)
    assert len(shipped["without"]) >= 10
    assert {"what", "data", "command", "scores", "licence", "pairs"} <= shipped.keys()
