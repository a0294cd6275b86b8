"""Decides whether a file may be replaced or deleted: only one that Lectern wrote.

Lectern knows its exported files by a list in the data directory, with a SHA-256 each in the form
of ``sha256sum``. A file that was changed later belongs to the person who changed it.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from assistant.core import files
from assistant.core.errors import LecternError

WRITTEN_LIST = "exported-files.sha256"  # in the data directory
FORCE_REMEDY = "Nothing was written. Choose another name or folder, or replace it with --force."
NO_FORCE_REMEDY = "Nothing was written. Choose another name or folder."
KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)


@dataclass(frozen=True, slots=True)
class ReplacementRule:
    """The rule for the files that one command writes, and the words of its refusals.

    ``is_own`` tells whether Lectern wrote an existing file. ``inputs``: files that the command
    reads, which are never replaced.
    """

    is_own: Callable[[Path], bool]
    inputs: tuple[Path, ...] = ()
    input_message: str = "is a file that this command reads."
    other_message: str = "exists, and Lectern did not write it or it was changed later."
    remedy: str = NO_FORCE_REMEDY

    def require(self, path: Path, error: type[LecternError]) -> None:
        """Refuse a target that would replace a file that Lectern did not write.

        Nothing is written. Raises: ``error``.
        """
        with files.explained(path, error):
            if any(is_same_file(path, input_path) for input_path in self.inputs):
                raise error(self.input_message, where=str(path), remedy=NO_FORCE_REMEDY)
            if path.is_symlink():
                message = "is a link, and Lectern doesn't replace links."
                raise error(message, where=str(path), remedy=NO_FORCE_REMEDY)
            if not path.exists():
                return
            if not path.is_file():
                message = f"is {kind_of_file(path)}, not a file."
                raise error(message, where=str(path), remedy=NO_FORCE_REMEDY)
            if not self.is_own(path):
                raise error(self.other_message, where=str(path), remedy=self.remedy)


@dataclass(frozen=True, slots=True)
class ExportFolder:
    """A folder to which a command writes files for other programs.

    ``home``: the data directory, which has the list of written files. ``inputs``: files that the
    command reads, which are never replaced. ``is_forced``: replace files of other people.
    """

    folder: Path
    home: Path
    inputs: tuple[Path, ...] = ()
    is_forced: bool = False

    def require_replaceable(self, names: Iterable[str], error: type[LecternError]) -> None:
        """Refuse names whose files Lectern did not write. Nothing is written. Raises: ``error``."""
        rule = ReplacementRule(self.is_own, self.inputs, remedy=FORCE_REMEDY)
        for name in names:
            rule.require(self.folder / name, error)

    def write(self, contents: Mapping[str, bytes], error: type[LecternError]) -> list[Path]:
        """Write files by name, all or none, and return their paths. Raises: ``error``."""
        self.require_replaceable(contents, error)
        with files.explained(self.folder, error):
            self._list_written(contents)
        files.write_folder(self.folder, contents, error=error)
        return [self.folder / name for name in contents]

    def is_own(self, path: Path) -> bool:
        """Tell whether Lectern wrote a file in its present state, or replacing is forced."""
        if self.is_forced:
            return True
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        return _list_line(digest, path) in self._listed_lines()

    def _list_written(self, contents: Mapping[str, bytes]) -> None:
        """Add files to the list before they are written, because a kill may follow."""
        listed_lines = self._listed_lines()
        self.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (self.home / WRITTEN_LIST).open("a", encoding="utf-8") as file:
            for name, content in contents.items():
                digest = hashlib.sha256(content).hexdigest()
                list_line = _list_line(digest, self.folder / name)
                if list_line not in listed_lines:
                    file.write(f"{list_line}\n")

    def _listed_lines(self) -> set[str]:
        with suppress(OSError):
            return set((self.home / WRITTEN_LIST).read_text("utf-8").splitlines())
        return set()


def deletable_file(folder: Path, name: str) -> Path | None:
    """Return the file with a name in one of Lectern's folders, None if it may not be deleted.

    A name or a link that leads elsewhere, a folder and a special file stay where they are.
    """
    path = files.member(folder, name)
    if path is None or path.name != name or not path.is_file():
        return None
    return None if (folder / name).is_symlink() else path


def delete_owned(folder: Path, name: str) -> bool:
    """Delete a file of Lectern's by its name in a folder, and return whether it was there.

    Raises: OSError.
    """
    path = deletable_file(folder, name)
    if path is None:
        return False
    path.unlink(missing_ok=True)
    return True


def require_regular_file(path: Path, error: type[LecternError]) -> None:
    """Refuse a pipe or a device, which may have no end. Other paths pass. Raises: ``error``."""
    with suppress(OSError, ValueError):
        if path.exists() and not path.is_file() and not path.is_dir():
            message = f"is {kind_of_file(path)}, not a file."
            raise error(message, where=str(path), remedy="Save the data to a file first.")


def is_same_file(path: Path, other: Path) -> bool:
    """Tell whether two paths name one file, by a link or by another spelling."""
    if path.resolve() == other.resolve():
        return True
    return path.exists() and other.exists() and path.samefile(other)


def kind_of_file(path: Path) -> str:
    """Return the kind of an existing file that isn't an ordinary one, in words."""
    mode = path.stat().st_mode
    for is_kind, words in KINDS:
        if is_kind(mode):
            return words
    return "a special file"


def _list_line(digest: str, path: Path) -> str:
    address = os.fsencode(path.resolve()).decode("utf-8", "backslashreplace")
    return f"{digest}  {' '.join(address.split())}"
