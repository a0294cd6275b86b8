"""Writes files and folders, each complete or not at all, and explains a full or read-only disk in one line.

Every file that Lectern keeps is written here; ``features.models.atomic_write`` has the temporary
name and the renaming.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from assistant.core.errors import LecternError
from features.models.atomic_write import replacing, sync, sync_folder, temporary

NAME_BYTES = 255  # of one entry, the most that file systems take
FULL = (None, errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # None: numpy's short write


def write(
    path: Path,
    content: bytes | str,
    *,
    error: type[LecternError] = LecternError,
    private: bool = False,
) -> None:
    """Write a file (text as UTF-8) in a folder that is made if need be.

    ``private``: only its owner may read it.

    Raises: ``error`` if the disk is full or refuses; the old file is unchanged then.
    """
    with explained(path, error):
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as part:
            if private:
                part.touch(0o600)
            part.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)


def write_folder(
    folder: Path, files: Mapping[str, bytes], *, error: type[LecternError] = LecternError
) -> None:
    """Write the files of a folder by name: all of them or none. Other files of the folder stay.

    Raises: ``error`` if the disk is full or refuses.
    """
    with explained(folder, error):
        folder.parent.mkdir(parents=True, exist_ok=True)
        with filling(folder) as part:
            for name, data in files.items():
                (part / name).write_bytes(data)


def member(folder: Path, name: str) -> Path | None:
    """Return the entry of a folder with this name, None if the name or a link leads elsewhere.

    For names that come from a database, which somebody else may have written.
    """
    if not name or "\0" in name or len(name.encode()) > NAME_BYTES:
        return None
    path = (folder / name).resolve()
    return path if path.parent == folder.resolve() else None


@contextmanager
def filling(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder to fill.

    When the ``with`` ends it becomes ``folder``, or its files move in there.

    After an error ``folder`` is unchanged and the temporary one is gone. Raises: OSError.
    """
    part = temporary(folder)
    part.mkdir()
    try:
        yield part
        for path in part.iterdir():
            sync(path)
        _move(part, folder)
        sync_folder(folder.parent)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _move(part: Path, folder: Path) -> None:
    try:
        os.rename(part, folder)
    except OSError:
        if not folder.is_dir():
            raise
        for path in part.iterdir():  # the folder exists, or another process has just made it
            os.replace(path, folder / path.name)


@contextmanager
def explained(
    where: Path, error: type[LecternError] = LecternError, *, then: str = ""
) -> Iterator[None]:
    """Turn an OSError into one line that says what to do. ``then``: what to do after that.

    Raises: ``error``.
    """
    try:
        yield
    except OSError as refusal:
        is_full = refusal.errno in FULL
        what = "the disk is full." if is_full else f"cannot be written ({refusal.strerror})."
        remedy = (
            "Free some space."
            if is_full
            else "Choose a folder that you may write to (LECTERN_HOME or --out)."
        )
        raise error(what, where=str(where), remedy=f"{remedy} {then}".rstrip()) from refusal
