"""Recordings of debates: kept in the home folder or referred to by their path, and forgotten when a person says so.

A recording arrives in pieces that are written to disk at once, so that one that was interrupted
goes on where it was. It belongs to the transcript with its digest, or to the one that it was added
to, and goes when that is purged.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from assistant.core import files
from assistant.core.database import Database
from assistant.core.debate_records import Debate
from assistant.core.errors import TranscriptError
from assistant.core.schema import LOCAL_ROWS, metadata

# in the home folder, and in that one
RECORDINGS_FOLDER = "recordings"
INCOMING_FOLDER = "parts"
QUOTA_BYTES = 50 * 10**9  # bytes of all recordings that are kept
FREE_DISK_BYTES = 10**9  # bytes of the disk that stay free
BLOCK_BYTES = 1 << 20
recordings_table = sa.Table(
    "desk_recordings",
    metadata,
    # an earlier version stored absolute paths of files that Lectern keeps; only their names count
    sa.Column("document", sa.Text, primary_key=True),  # SHA-256 of the source of the transcript
    sa.Column("name", sa.Text, nullable=False),
    # the name of a file in Lectern's folder, or the absolute path of a file that is referred to
    sa.Column("path", sa.Text, nullable=False),
    sa.Column(
        "kept", sa.Boolean, nullable=False
    ),  # the file is in Lectern's folder, not only referred to
    # the name of the file in Lectern's folder that is played instead, "" if there is none
    sa.Column("opus", sa.Text, nullable=False),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("event_date", sa.Date),
    sa.Column("added_by", sa.Text, nullable=False),
    sa.Column("added", sa.Float, nullable=False),  # seconds since 1970
    # a path means nothing on another computer, and a hostile backup could name any file
    info={LOCAL_ROWS: sa.not_(sa.column("kept"))},
)


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording of the debate whose transcript has this digest.

    ``is_owned``: its file is in Lectern's folder, not only referred to.
    ``file`` and ``playback_copy`` are None if the stored name leads out of that folder.
    """

    document: str
    name: str
    file: Path | None
    is_owned: bool
    playback_copy: Path | None = None
    title: str = ""
    event_date: date | None = None
    added_by: str = ""
    added: float = 0.0

    @property
    def playable(self) -> Path | None:
        """Return the file that a browser plays, None if it has gone or is not made yet."""
        file = self.playback_copy or self.file
        return file if file is not None and file.is_file() else None

    @property
    def existing_file(self) -> Path | None:
        """Return the file of the recording itself, None if it has gone."""
        return self.file if self.file is not None and self.file.is_file() else None


class RecordingStore(Database):
    """The recordings of one database, and their files in one data directory.

    Open it with ``open_in``. Use it in a ``with``, or close it. No stored name reaches a file
    outside the folder of recordings, unless a person has referred to that file by its path.
    """

    folder: Path

    @classmethod
    def open_in(cls, data_directory: Path, url: str) -> RecordingStore:
        """Return the recordings of the database at a URL, whose files are in a data directory.

        Raises: StoreError.
        """
        store = cls.open(url)
        store.folder = data_directory / RECORDINGS_FOLDER
        return store

    def of(self, document: str) -> Recording | None:
        """Return the recording of a transcript, None if there is none."""
        with self._reading() as connection:
            row = connection.execute(
                sa.select(recordings_table).where(recordings_table.c.document == document)
            ).first()
        return None if row is None else self._recording(row)

    def add(self, recording: Recording) -> None:
        """Store where a recording is, in place of an earlier one, whose own files are deleted.

        Raises: ValueError if a file that Lectern is to keep isn't in its folder.
        """
        earlier = self.of(recording.document)
        values = self._values(recording)
        with self._writing() as connection:
            connection.execute(
                recordings_table.delete().where(recordings_table.c.document == recording.document)
            )
            connection.execute(recordings_table.insert().values(**values))
        if earlier is not None:
            self._delete_unused_files(earlier)

    def forget(self, document: str) -> None:
        """Forget a recording; its file is deleted if it is Lectern's own and no other transcript has it."""
        found = self.of(document)
        if found is None:
            return
        with self._writing() as connection:
            connection.execute(
                recordings_table.delete().where(recordings_table.c.document == document)
            )
        self._delete_unused_files(found)

    def debates(self) -> list[Debate]:
        """Return the transcripts of which there is a recording."""
        c = recordings_table.c
        with self._reading() as connection:
            rows = connection.execute(sa.select(c.document, c.title, c.event_date, c.added)).all()
        return [
            Debate(document, "", title, day, added, {"recordings": 1})
            for document, title, day, added in rows
        ]

    def _recording(self, row: sa.Row[Any]) -> Recording:
        """Return a stored recording with its files."""
        return Recording(
            row.document,
            row.name,
            self._own_file(row.path) if row.kept else _referred_file(row.path),
            row.kept,
            self._own_file(row.opus),
            row.title,
            row.event_date,
            row.added_by,
            row.added,
        )

    def _values(self, recording: Recording) -> dict[str, Any]:
        """Return the values of a recording's row: names of files that Lectern keeps, else a path."""
        if recording.is_owned:
            path = self._own_name(recording.file)
        else:
            path = str(recording.file)
        opus = "" if recording.playback_copy is None else self._own_name(recording.playback_copy)
        return {
            "document": recording.document,
            "name": recording.name,
            "path": path,
            "kept": recording.is_owned,
            "opus": opus,
            "title": recording.title,
            "event_date": recording.event_date,
            "added_by": recording.added_by,
            "added": recording.added,
        }

    def _own_file(self, stored: str) -> Path | None:
        """Return the file in Lectern's folder that a stored name or an earlier version's path names."""
        return files.member(self.folder, Path(stored).name)

    def _own_name(self, file: Path | None) -> str:
        """Return the name under which a file of Lectern's folder is stored."""
        if file is None or self._own_file(file.name) != file.resolve():
            raise ValueError(f"{file} isn't a file in {self.folder}.")
        return file.name

    def _delete_unused_files(self, gone: Recording) -> None:
        """Delete the files of a forgotten recording that are Lectern's own and no other's."""
        with self._reading() as connection:
            remaining = [
                self._recording(row) for row in connection.execute(sa.select(recordings_table))
            ]
        used = {file for each in remaining for file in (each.file, each.playback_copy)}
        own = [gone.playback_copy]
        if gone.is_owned:
            own.append(gone.file)
        for file in own:
            if file is not None and file not in used and file.is_file():
                file.unlink(missing_ok=True)


@dataclass(frozen=True)
class IncomingRecording:
    """A recording that is arriving.

    ``size`` bytes in all, of which its file has the first ones already.
    """

    folder: Path
    key: str  # the same for the same file of the same person, so that it can go on later
    name: str
    size: int

    @classmethod
    def for_file(
        cls, home: Path, person: str, mark: str, name: str, size: int
    ) -> IncomingRecording:
        """Return the part of a person's file; ``mark`` tells this file from their others."""
        key = hashlib.sha256("\0".join((person, mark, name, str(size))).encode()).hexdigest()
        return cls(home / RECORDINGS_FOLDER, key, name, size)

    @property
    def path(self) -> Path:
        """Return the file into which it is written."""
        return self.folder / INCOMING_FOLDER / self.key

    @property
    def offset(self) -> int:
        """Return how many bytes have arrived."""
        return self.path.stat().st_size if self.path.is_file() else 0

    def begin(self) -> None:
        """Make room for it.

        Raises: TranscriptError if that would exceed the quota or fill the disk.
        """
        with files.explained(self.path, TranscriptError):
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            stored = sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())
            free = shutil.disk_usage(self.folder).free - FREE_DISK_BYTES
        left = self.size - self.offset
        if stored + left > QUOTA_BYTES or left > free:
            room = max(0, min(QUOTA_BYTES - stored, free))
            what = f"has {self.size / 1e9:.1f} GB, and there is room for {room / 1e9:.1f} GB."
            remedy = "Delete recordings that are not needed (`purge`), or name its path on this computer."
            raise TranscriptError(what, where=self.name, remedy=remedy)

    def add(self, offset: int, piece: bytes) -> int:
        """Write the piece that begins at ``offset``, return how many bytes there are then.

        A piece at another place, or one that exceeds the size, is refused. Raises: ValueError,
        TranscriptError.
        """
        if offset != self.offset or offset + len(piece) > self.size:
            raise ValueError(f"byte {self.offset} comes next, not byte {offset}.")
        with files.explained(self.path, TranscriptError), self.path.open("ab") as out:
            self.path.chmod(0o600)
            out.write(piece)
        return offset + len(piece)

    def finish(self) -> tuple[str, Path]:
        """Return the digest of the whole recording and the file that it has become.

        Raises: TranscriptError.
        """
        digest = file_digest(self.path)
        path = self.folder / (digest + plain_suffix(self.name))
        with files.explained(path, TranscriptError):
            self.path.replace(path)
        return digest, path


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file of any size. Raises: OSError."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def plain_suffix(name: str) -> str:
    """Return the ending of a file's name, "" for one that is no plain ending."""
    ending = Path(name).suffix.lower()
    return ending if re.fullmatch(r"\.[a-z0-9]{1,5}", ending) else ""


def playback_copy_path(home: Path, recording: Path) -> Path:
    """Return the path for the Opus copy of a recording that browsers cannot play.

    It is stored with the recording: the same recording has another path in another home.
    """
    path_digest = hashlib.sha256(str(recording).encode()).hexdigest()
    return home / RECORDINGS_FOLDER / f"{path_digest}.opus"


def _referred_file(path: str) -> Path | None:
    """Return the file that a person has referred to by its absolute path."""
    if "\0" in path or not Path(path).is_absolute():
        return None
    return Path(path).resolve()


def permitted_file(path: str, *, allowed: Callable[[Path], bool]) -> Path:
    """Return the file of this computer that a person names.

    Raises: TranscriptError if it is none, or not allowed.
    """
    chosen = Path(path.strip()).expanduser()
    chosen = chosen.resolve()
    if not allowed(chosen):
        remedy = "Ask your administrator for the folder whose recordings may be named."
        raise TranscriptError(
            "this server does not open that path.", where=str(chosen), remedy=remedy
        )
    if not chosen.is_file():
        raise TranscriptError("is no file on the computer where Lectern runs.", where=str(chosen))
    return chosen
