"""Atomic writes: a complete temporary file on the disk is renamed over the target."""

from __future__ import annotations

import os
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX = ".lectern-"
SUFFIX = ".part"
ABANDONED_AFTER_S = 86_400  # a temporary file as old as this was left by a process that was killed


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield the path of a temporary file to write.

    It takes the place of ``path`` when the ``with`` ends.

    Readers of ``path`` see the old file or the whole new one. After an error the old file is
    unchanged and the temporary file is gone. Raises: OSError.
    """
    temporary_file = temporary_path_beside(path)
    try:
        yield temporary_file
        sync(temporary_file)
        os.replace(temporary_file, path)
        sync_folder(path.parent)
    finally:
        temporary_file.unlink(missing_ok=True)


def temporary_path_beside(path: Path) -> Path:
    """Return an unused name beside a path.

    Temporary files that killed processes left there are removed.
    """
    for part in path.parent.glob(f"{PREFIX}*{SUFFIX}"):
        _remove_abandoned(part)
    return path.with_name(f"{PREFIX}{secrets.token_hex(6)}{SUFFIX}")


def sync(path: Path) -> None:
    """Return once the bytes of a file are on the disk, so that no power cut can leave an empty file behind."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Return once the names in a folder are on the disk.

    Systems that open no folders see to that themselves.
    """
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _remove_abandoned(part: Path) -> None:
    try:
        if time.time() - part.stat().st_mtime < ABANDONED_AFTER_S:
            return
        shutil.rmtree(part) if part.is_dir() else part.unlink()
    except OSError:  # another process was faster, or the file is not ours to remove
        return
