"""Cache folder of exported graphs and digests of weights, all of which can be made again."""

from __future__ import annotations

import os
import tempfile
from functools import lru_cache
from pathlib import Path


def cache_folder() -> Path:
    """Return the cache folder: ``LECTERN_CACHE``, ``LECTERN_HOME/cache`` or the platform's cache.

    If that folder cannot be written to, it is a temporary folder of this process.
    """
    configured_folder = _configured_folder()
    try:
        configured_folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=configured_folder).close()
    except OSError:  # read-only or full: cached files are made again in every process
        return Path(_process_folder().name)
    return configured_folder


def _configured_folder() -> Path:
    import platformdirs

    cache = os.environ.get("LECTERN_CACHE")
    if cache:
        return Path(cache).expanduser()
    data_folder = os.environ.get("LECTERN_HOME")
    if data_folder:
        return Path(data_folder).expanduser() / "cache"
    return Path(platformdirs.user_cache_dir("lectern", False))


@lru_cache(maxsize=1)
def _process_folder() -> tempfile.TemporaryDirectory[str]:
    """Return a temporary folder of this process, removed with its contents when the process ends."""
    return tempfile.TemporaryDirectory(prefix="lectern-", ignore_cleanup_errors=True)
