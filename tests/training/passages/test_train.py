"""The weights of passages are replaced as a whole or not at all."""

from __future__ import annotations

import json

import pytest

from training.passages import train


def test_complete_weights_replace_the_old_file(tmp_path):
    path = tmp_path / "passages.json"
    path.write_text("old", "utf-8")

    train.write(path, {"bias": 0.5})

    assert json.loads(path.read_text("utf-8")) == {"bias": 0.5}


def test_an_error_keeps_the_old_file(tmp_path):
    path = tmp_path / "passages.json"
    path.write_text("old", "utf-8")

    with pytest.raises(TypeError):
        train.write(path, {"bias": object()})

    assert path.read_text("utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]
