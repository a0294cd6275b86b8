"""Classifiers of single texts: the graph equals the network it was written from."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from features.models.classifier import load_classifier
from features.models.model_spec import ModelUnavailable
from features.models.weight_files import embedded_folder

TEXTS = [
    "Exports doubled in four years.",
    "Hi.",
    "The bridge, which opened in 1931, carries 40,000 cars a day.",
]


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write weights as training does.

    One changed tensor of the trunk, a random head, and a card.
    """
    generator = torch.Generator().manual_seed(5)
    tensors = {
        "encoder.layer.5.output.dense.bias": torch.randn(384, generator=generator),
        "classifier.weight": torch.randn(3, 384, generator=generator),
        "classifier.bias": torch.randn(3, generator=generator),
    }
    path = tmp_path_factory.mktemp("models") / "three.safetensors"
    save_file({name: tensor.half() for name, tensor in tensors.items()}, path)
    path.with_suffix(".json").write_text(
        json.dumps(
            {"labels": ["a", "b", "c"], "pooling": "mean", "max_length": 32, "temperature": 2.0}
        ),
        encoding="utf-8",
    )
    return path


def by_torch(weights: Path, text: str) -> np.ndarray:
    """Return the probabilities from transformers, one text at a time, without any of our code."""
    from safetensors.torch import load_file
    from transformers import AutoModel, AutoTokenizer

    tensors = {name: tensor.float() for name, tensor in load_file(weights).items()}
    trunk = AutoModel.from_pretrained(embedded_folder(), add_pooling_layer=False).eval()
    trunk.load_state_dict(
        {"encoder.layer.5.output.dense.bias": tensors["encoder.layer.5.output.dense.bias"]},
        strict=False,
    )
    tokens = AutoTokenizer.from_pretrained(embedded_folder())(text, return_tensors="pt")
    with torch.inference_mode():
        mean = trunk(**tokens).last_hidden_state.mean(1)
    logits = mean @ tensors["classifier.weight"].T + tensors["classifier.bias"]
    return torch.softmax(logits / 2.0, 1)[0].numpy()


def test_probabilities_equal_those_of_the_network_in_torch(weights: Path) -> None:
    """Padding in a batch changes nothing, the head sits on the mean of the last states, the temperature is applied."""
    probabilities = load_classifier(str(weights)).probabilities(TEXTS)
    assert (
        pytest.approx(np.stack([by_torch(weights, text) for text in TEXTS]), abs=1e-4)
        == probabilities
    )
    alone = np.concatenate([load_classifier(str(weights)).probabilities([text]) for text in TEXTS])
    assert pytest.approx(alone, abs=1e-5) == probabilities


def test_no_texts_give_no_rows(weights: Path) -> None:
    """The width is still the number of labels."""
    assert load_classifier(str(weights)).probabilities([]).shape == (0, 3)


def test_missing_weights_are_named(tmp_path: Path) -> None:
    """The error says which file and where."""
    with pytest.raises(ModelUnavailable, match="nothing.safetensors"):
        load_classifier(str(tmp_path / "nothing.safetensors"))
