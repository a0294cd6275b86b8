"""The files of all-mpnet-base-v2: joined from five packages, and held to the published weights."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import pytest

from features.models import mpnet_package
from features.models.model_spec import ModelUnavailable
from features.models.mpnet_package import MPNET, NEEDED_FILES, WEIGHTS_NAME, mpnet_folder

WEIGHTS = b"weights of a test"


@pytest.fixture
def part_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Return three parts of a ZIP file that holds every needed file and one that is not needed."""
    whole_path = tmp_path / "whole.zip"
    with zipfile.ZipFile(whole_path, "w") as archive:
        for name in (*NEEDED_FILES, "desktop.ini"):
            archive.writestr(f"{MPNET}/{name}", WEIGHTS if name == WEIGHTS_NAME else name)
    content = whole_path.read_bytes()
    third = len(content) // 3
    paths = []
    for number, piece in enumerate(
        (content[:third], content[third : 2 * third], content[2 * third :])
    ):
        paths.append(tmp_path / f"part.{number}")
        paths[-1].write_bytes(piece)
    monkeypatch.delenv("LECTERN_MODELS", raising=False)
    monkeypatch.setattr(mpnet_package, "_part_paths", lambda: paths)
    monkeypatch.setattr(mpnet_package, "MPNET_SHA256", hashlib.sha256(WEIGHTS).hexdigest())
    return paths


def test_the_parts_are_joined_and_only_needed_files_are_written(part_paths: list[Path]) -> None:
    """The folder is gone when the context ends."""
    with mpnet_folder() as folder:
        assert {path.name for path in folder.iterdir()} == set(NEEDED_FILES)
        assert (folder / WEIGHTS_NAME).read_bytes() == WEIGHTS
    assert not folder.exists()


@pytest.mark.threat("publisher")
def test_other_weights_are_refused(part_paths: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """A package whose weights are not those that were published cannot be used."""
    monkeypatch.setattr(mpnet_package, "MPNET_SHA256", "0" * 64)
    with pytest.raises(ModelUnavailable, match="SHA-256"), mpnet_folder():
        pass


def test_a_damaged_part_is_named(part_paths: list[Path]) -> None:
    """The message says what to run."""
    part_paths[-1].write_bytes(b"cut off")
    with pytest.raises(ModelUnavailable, match="make clean"), mpnet_folder():
        pass


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says how to install it."""
    monkeypatch.delenv("LECTERN_MODELS", raising=False)
    monkeypatch.setattr(mpnet_package, "MPNET_PACKAGE", "no-such-package-of-lectern")
    with (
        pytest.raises(ModelUnavailable, match=r"no-such-package-of-lectern-001.*make large"),
        mpnet_folder(),
    ):
        pass


@pytest.mark.threat("publisher")
def test_a_folder_of_ones_own_is_verified_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``LECTERN_MODELS`` names its parent, and the folder is used as it is."""
    folder = tmp_path / mpnet_package.MPNET_PACKAGE
    folder.mkdir()
    monkeypatch.setenv("LECTERN_MODELS", str(tmp_path))
    with pytest.raises(ModelUnavailable, match="missing"), mpnet_folder():
        pass
    (folder / WEIGHTS_NAME).write_bytes(WEIGHTS)
    monkeypatch.setattr(mpnet_package, "MPNET_SHA256", hashlib.sha256(WEIGHTS).hexdigest())
    with mpnet_folder() as used_folder:
        assert used_folder == folder
    assert folder.exists()
