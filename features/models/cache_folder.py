"""The cache folder: where exported graphs and the digests of weights are stored, all of which can be made again."""

from __future__ import annotations

import os
import tempfile
from functools import lru_cache
from pathlib import Path


def cache_folder() -> Path:
    """Return the cache folder: ``LECTERN_CACHE``, else ``LECTERN_HOME/cache``, else the platform's cache.

    Where that folder cannot be written, it is a temporary folder of this process.
    """
    import platformdirs

    named = os.environ.get("LECTERN_CACHE")
    home = os.environ.get("LECTERN_HOME")
    if named:
        folder = Path(named).expanduser()
    else:
        folder = (
            Path(home).expanduser() / "cache"
            if home
            else Path(platformdirs.user_cache_dir("lectern", False))
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:  # read-only or full: what is cached is made again in every process
        return Path(_process_folder().name)
    return folder


@lru_cache(maxsize=1)
def _process_folder() -> tempfile.TemporaryDirectory[str]:
    """Return a temporary folder of this process, removed with its contents when the process ends."""
    return tempfile.TemporaryDirectory(prefix="lectern-", ignore_cleanup_errors=True)
