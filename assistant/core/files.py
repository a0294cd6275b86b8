"""Writes files and folders, each complete or not at all.

A full or read-only disk is explained in one line.

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
from features.models.atomic_write import replacing, sync, sync_folder, temporary_path_beside

MAX_NAME_BYTES = 255  # a longer name of an entry is refused by file systems
DISK_FULL_ERRNOS = (None, errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # None: numpy's short write


MAX_SAVED_NAME_CHARACTERS = 60  # 240 bytes at most; file systems allow 255
MAX_SUFFIX_CHARACTERS = 12


def write(
    path: Path,
    content: bytes | str,
    *,
    error: type[LecternError] = LecternError,
    private: bool = False,
) -> None:
    """Write a file (text as UTF-8); its folder is created if it doesn't exist.

    ``private``: only its owner may read it.

    Raises: ``error`` if the disk is full or refuses; the old file is unchanged then.
    """
    with explained(path, error):
        path.parent.mkdir(parents=True, exist_ok=True)
        data = content.encode("utf-8") if isinstance(content, str) else content
        with replacing(path) as temporary_path:
            if private:
                temporary_path.touch(0o600)
            temporary_path.write_bytes(data)


def write_folder(
    folder: Path, files: Mapping[str, bytes], *, error: type[LecternError] = LecternError
) -> None:
    """Write the files of a folder by name: all of them or none. Other files of the folder stay.

    Raises: ``error`` if the disk is full or refuses.
    """
    with explained(folder, error):
        folder.parent.mkdir(parents=True, exist_ok=True)
        with folder_to_fill(folder) as temporary_folder:
            for name, data in files.items():
                (temporary_folder / name).write_bytes(data)


def member(folder: Path, name: str) -> Path | None:
    """Return the entry of a folder with this name, None if the name or a link leads elsewhere.

    For names that come from a database, which another person may have written.
    """
    if not name or "\0" in name or len(name.encode()) > MAX_NAME_BYTES:
        return None
    path = (folder / name).resolve()
    return path if path.parent == folder.resolve() else None


def plain_name(name: str) -> str:
    """Return a name from outside as the name of a file: no folder, no NUL, and not too long.

    A long one keeps its beginning and its suffix.
    """
    # Half characters become question marks, and the folders before the name are left out.
    clean_name = name.replace("\0", "").encode("utf-8", "replace").decode()
    file_name = Path(clean_name).name
    if file_name in ("", ".", ".."):
        return "file"
    if len(file_name) <= MAX_SAVED_NAME_CHARACTERS:
        return file_name
    suffix = Path(file_name).suffix[-MAX_SUFFIX_CHARACTERS:]
    beginning_length = MAX_SAVED_NAME_CHARACTERS - len(suffix)
    return file_name[:beginning_length] + suffix


def shown_path(path: Path | str) -> str:
    """Return a path as text; bytes that are not UTF-8, which no database takes, show as escapes."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


@contextmanager
def folder_to_fill(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder to fill.

    When the ``with`` ends it becomes ``folder``, or its files move in there.

    After an error ``folder`` is unchanged and the temporary one is gone. Raises: OSError.
    """
    # The current folder, ".", has no name: it is filled from inside, and never renamed.
    temporary_folder = temporary_path_beside(folder if folder.name else folder / "files")
    temporary_folder.mkdir()
    try:
        yield temporary_folder
        # The files must be on the disk before the folder gets its name.
        for path in temporary_folder.iterdir():
            sync(path)
        _move(temporary_folder, folder)
        sync_folder(folder.parent)
    finally:
        shutil.rmtree(temporary_folder, ignore_errors=True)


def _move(temporary_folder: Path, folder: Path) -> None:
    """Rename a folder, or move its files if the other folder exists."""
    try:
        os.rename(temporary_folder, folder)
    except OSError:
        if not folder.is_dir():
            raise
        # The folder existed, or another process has just created it.
        for path in temporary_folder.iterdir():
            os.replace(path, folder / path.name)


@contextmanager
def explained(
    where: Path, error: type[LecternError] = LecternError, *, then: str = ""
) -> Iterator[None]:
    """Turn an OSError into one line with a remedy. ``then`` is added to the remedy.

    Raises: ``error``.
    """
    try:
        yield
    except OSError as refusal:
        if refusal.errno in DISK_FULL_ERRNOS:
            message = "the disk is full."
            remedy = "Free some space."
        else:
            message = f"cannot be written ({refusal.strerror})."
            remedy = "Choose a folder that you may write to (LECTERN_HOME or --out)."
        raise error(message, where=str(where), remedy=f"{remedy} {then}".rstrip()) from refusal
