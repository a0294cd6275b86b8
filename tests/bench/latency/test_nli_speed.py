"""The bench of runtimes reads the same network in each: exact ones agree, and all are compared with one peer."""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from bench.latency.nli_speed import OURS, PEER, answers, compared, runtimes, speeds, tokens_of
from training.shared.loaders import Pair

NLI = [Pair("Rents rose in June.", "Rents fell.", i % 3, "x") for i in range(6)] + [
    Pair("A dam.", "It holds water.", 0, "x")
]
SAME = [
    Pair("Rents rose.", text, i % 2, "x") for i, text in enumerate(("rents fell", "rents went up", "it rained", "yes"))
]


@pytest.fixture(scope="module")
def readers(tmp_path_factory):
    """Return random heads on the packaged trunk in every runtime."""
    generator = torch.Generator().manual_seed(8)
    sizes = {"classifier.weight": (3, 384), "classifier.bias": (3,), "same.weight": (1, 384), "same.bias": (1,)}
    folder = tmp_path_factory.mktemp("weights")
    path = folder / "two.safetensors"
    save_file({name: torch.randn(size, generator=generator) for name, size in sizes.items()}, path)
    path.with_suffix(".json").write_text(json.dumps({"pooling": "mean"}), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LECTERN_HOME", str(folder))
        return runtimes(str(path), folder)


def test_what_ships_is_the_peer_and_int8_is_not(readers):
    """onnxruntime's float32 differs from torch's by rounding; bfloat16 and eight bits are coarser."""
    said = {name: answers(reader, NLI, SAME) for name, reader in readers.items()}
    rows = {name: compared(said[name], said[PEER], NLI, SAME) for name in readers}
    apart = {name: row["largest_logit_difference"] for name, row in rows.items()}
    assert apart[PEER] == 0 and apart[OURS] < 1e-4
    assert all(1e-3 < apart[name] for name in ("torch bfloat16", "onnxruntime int8, dynamic"))
    assert rows[OURS]["same_spearman_with_the_peer"] == pytest.approx(1)
    right = np.mean(said[PEER][0].argmax(1) == [pair.label for pair in NLI])
    assert rows[PEER]["matched_accuracy"] == pytest.approx(right, abs=1e-5)


def test_ratios_are_to_the_peer(readers):
    """The peer is once as fast as itself; every runtime has a speed by the clock and by the processor."""
    exact = {name: readers[name] for name in (PEER, OURS)}
    rows = speeds(exact, tokens_of(readers[OURS], NLI), 2)
    assert rows[PEER]["times_the_peer"] == 1.0
    assert all(row["pairs_a_second"] > 0 and row["pairs_a_processor_second"] > 0 for row in rows.values())
