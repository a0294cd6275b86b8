"""Recordings of debates: owned files in the data directory, or paths of files elsewhere.

A browser sends a recording in pieces that are written to disk at once, so that sending can be
resumed after an interruption. The recording belongs to the transcript with the same digest, or to
the transcript that a person added it to, and is deleted when that transcript is purged.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from assistant.core import files, replacement
from assistant.core.database import Database
from assistant.core.debate_records import StoredDebate
from assistant.core.errors import TranscriptError
from assistant.core.schema import LOCAL_ROWS, metadata

RECORDINGS_FOLDER = "recordings"  # in the data directory
INCOMING_FOLDER = "parts"  # in the folder of recordings
QUOTA_BYTES = 50 * 10**9  # all recordings in Lectern's folder together
FREE_DISK_BYTES = 10**9  # stay free on the disk
ANNOUNCEMENT_SUFFIX = ".json"
ANNOUNCED_LIMIT_S = 3600.0  # for so long, room is reserved for a recording without any bytes
INCOMING_KEY_PATTERN = re.compile("[0-9a-f]{64}")
CUT_SHORT_PREFIX = "recording:"
BLOCK_BYTES = 1 << 20  # of one write to disk
recordings_table = sa.Table(
    "desk_recordings",
    metadata,
    sa.Column("document", sa.Text, primary_key=True),  # SHA-256 of the source of the transcript
    sa.Column("name", sa.Text, nullable=False),
    # the name of a file in Lectern's folder, or the absolute path of a file elsewhere; earlier
    # versions stored absolute paths of files in Lectern's folder, of which only the name counts
    sa.Column("path", sa.Text, nullable=False),
    # whether the file is in Lectern's folder
    sa.Column("kept", sa.Boolean, nullable=False),
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
    """The recording of the debate whose transcript has the digest ``document``.

    ``is_owned``: the file is in Lectern's folder, not only referred to by its path.
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
        """Return the file that a browser plays, None if it doesn't exist or isn't made yet."""
        file = self.playback_copy or self.file
        return file if file is not None and file.is_file() else None

    @property
    def existing_file(self) -> Path | None:
        """Return the file of the recording itself, None if it doesn't exist."""
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
        query = sa.select(recordings_table).where(recordings_table.c.document == document)
        with self._reading() as connection:
            recording_row = connection.execute(query).first()
        return None if recording_row is None else self._recording_in_row(recording_row)

    def add(self, recording: Recording) -> None:
        """Store a recording in place of an earlier one, whose own files are deleted.

        Raises: ValueError if a file that Lectern is to own isn't in its folder.
        """
        earlier_recording = self.of(recording.document)
        has_document = recordings_table.c.document == recording.document
        values = self._column_values(recording)
        with self._writing() as connection:
            connection.execute(recordings_table.delete().where(has_document))
            connection.execute(recordings_table.insert().values(**values))
        if earlier_recording is not None:
            self._delete_unused_files(earlier_recording)

    def forget(self, document: str) -> None:
        """Forget a recording, and delete the files that Lectern owns and no other recording uses."""
        recording = self.of(document)
        if recording is None:
            return
        query = recordings_table.delete().where(recordings_table.c.document == document)
        with self._writing() as connection:
            connection.execute(query)
        self._delete_unused_files(recording)

    def discard(self, file: Path) -> None:
        """Delete a file in Lectern's folder unless a recording uses it."""
        self._delete_unused_files(Recording("", file.name, file.resolve(), is_owned=True))

    def debates(self) -> list[StoredDebate]:
        """Return the transcripts with a recording."""
        columns = recordings_table.c
        query = sa.select(columns.document, columns.title, columns.event_date, columns.added)
        debates = []
        with self._reading() as connection:
            for document, title, event_date, added_at in connection.execute(query):
                record_counts = {"recordings": 1}
                debate = StoredDebate.of_file(document, title, event_date, added_at, record_counts)
                debates.append(debate)
        return debates

    def _recording_in_row(self, recording_row: sa.Row[Any]) -> Recording:
        """Return a stored recording with its files."""
        # Lectern owns the files of uploads (``kept``); others stay where a person has them. The
        # column ``opus`` has the file of the playback copy.
        if recording_row.kept:
            file = self._owned_file(recording_row.path)
        else:
            file = _referred_file(recording_row.path)
        return Recording(
            recording_row.document,
            recording_row.name,
            file,
            recording_row.kept,
            self._owned_file(recording_row.opus),
            recording_row.title,
            recording_row.event_date,
            recording_row.added_by,
            recording_row.added,
        )

    def _column_values(self, recording: Recording) -> dict[str, Any]:
        """Return the values of a recording's row, with names instead of paths of owned files."""
        # A file in Lectern's folder is stored by its name, a file elsewhere by its path.
        if recording.is_owned:
            stored_path = self._owned_name(recording.file)
        else:
            stored_path = str(recording.file)
        playback_name = ""
        if recording.playback_copy is not None:
            playback_name = self._owned_name(recording.playback_copy)
        return {
            "document": recording.document,
            "name": recording.name,
            "path": stored_path,
            "kept": recording.is_owned,
            "opus": playback_name,
            "title": recording.title,
            "event_date": recording.event_date,
            "added_by": recording.added_by,
            "added": recording.added,
        }

    def _owned_file(self, stored_path: str) -> Path | None:
        """Return the file in Lectern's folder with the name in a stored path, None if unsafe."""
        return files.member(self.folder, Path(stored_path).name)

    def _owned_name(self, file: Path | None) -> str:
        """Return the name under which a file in Lectern's folder is stored."""
        if file is None or self._owned_file(file.name) != file.resolve():
            raise ValueError(f"there is no file {file} in the folder {self.folder}.")
        return file.name

    def _delete_unused_files(self, forgotten_recording: Recording) -> None:
        """Delete the owned files of a forgotten recording that no other recording uses."""
        used_files = set()
        with self._reading() as connection:
            for recording_row in connection.execute(sa.select(recordings_table)):
                recording = self._recording_in_row(recording_row)
                used_files |= {recording.file, recording.playback_copy}
        owned_files = [forgotten_recording.playback_copy]
        if forgotten_recording.is_owned:
            owned_files.append(forgotten_recording.file)
        for file in owned_files:
            if file is not None and file not in used_files:
                replacement.delete_owned(self.folder, file.name)


@dataclass(frozen=True)
class IncomingRecording:
    """A recording that a browser is sending, of ``size`` bytes in all."""

    folder: Path
    key: str  # the same for the same file of the same person, so that sending can be resumed
    name: str
    size: int

    @classmethod
    def for_file(
        cls, home: Path, person: str, mark: str, name: str, size: int
    ) -> IncomingRecording:
        """Return the recording for a person's file; ``mark`` tells it from that person's others."""
        identity = "\0".join((person, mark, name, str(size)))
        key = hashlib.sha256(identity.encode()).hexdigest()
        return cls(home / RECORDINGS_FOLDER, key, name, size)

    @property
    def path(self) -> Path:
        """Return the file to which the bytes are written as they arrive."""
        return self.folder / INCOMING_FOLDER / self.key

    @property
    def offset(self) -> int:
        """Return the number of bytes that have arrived."""
        return self.path.stat().st_size if self.path.is_file() else 0

    def begin(self) -> None:
        """Announce the recording, and check the quota and the disk.

        The announcement is written first and counts in full for every recording that begins at
        the same time. Raises: TranscriptError if the recording would exceed the quota or fill the
        disk.
        """
        if self.size < 0:
            raise ValueError(f"{self.size} bytes isn't a valid size for a recording.")
        with files.explained(self.path, TranscriptError):
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            is_new = not self.announcement.exists()
            announcement_text = json.dumps({"name": self.name, "size": self.size})
            files.write(self.announcement, announcement_text, error=TranscriptError, private=True)
            bytes_of_other_recordings = _stored_bytes(self.folder, except_key=self.key)
            free_bytes = shutil.disk_usage(self.folder).free - FREE_DISK_BYTES
        # The bytes that have arrived are on the disk already.
        available_bytes = min(QUOTA_BYTES - bytes_of_other_recordings, free_bytes + self.offset)
        if self.size > available_bytes:
            if is_new and not self.offset:
                self.announcement.unlink(missing_ok=True)
            size_gb = self.size / 1e9
            available_gb = max(0, available_bytes) / 1e9
            raise TranscriptError(
                f"is {size_gb:.1f} GB, but only {available_gb:.1f} GB is free.",
                where=self.name,
                remedy="Delete recordings that you no longer need (`purge`), "
                "or enter the path of this recording instead of uploading it.",
            )

    def add(self, offset: int, piece: bytes) -> int:
        """Append the piece that begins at ``offset``, and return the number of bytes so far.

        Raises: ValueError if the piece begins elsewhere or exceeds the size; TranscriptError.
        """
        is_next_piece = offset == self.offset
        is_too_long = offset + len(piece) > self.size
        if not is_next_piece or is_too_long:
            raise ValueError(
                f"expected the upload to continue at byte {self.offset}, not byte {offset}."
            )
        # After a long pause other recordings may have taken the room.
        if self.announcement.is_file() and _cut_short(self.path.parent, self.key).is_expired:
            self.begin()
        with files.explained(self.path, TranscriptError), self.path.open("ab") as out:
            self.path.chmod(0o600)
            out.write(piece)
        return offset + len(piece)

    def finish(self) -> tuple[str, Path]:
        """Rename the complete file to its digest; return the digest and the new path.

        Raises: TranscriptError.
        """
        digest = file_digest(self.path)
        path = self.folder / (digest + plain_suffix(self.name))
        with files.explained(path, TranscriptError):
            self.path.replace(path)
            self.announcement.unlink(missing_ok=True)
        return digest, path

    @property
    def announcement(self) -> Path:
        """Return the file with the name and the size of the recording."""
        return self.path.with_suffix(ANNOUNCEMENT_SUFFIX)


@dataclass(frozen=True, slots=True)
class CutShortRecording:
    """A recording of which a part has arrived; ``size`` is 0 if an earlier version began it.

    Sending is resumed when the same person adds the same file again.
    """

    key: str
    name: str
    size: int
    arrived: int
    changed: float  # seconds since 1970

    @property
    def is_expired(self) -> bool:
        """Tell whether it was announced long ago and nothing of it has arrived."""
        return not self.arrived and time.time() - self.changed > ANNOUNCED_LIMIT_S

    @property
    def label(self) -> str:
        """Return the name by which a person purges it."""
        return f"{CUT_SHORT_PREFIX}{self.key[:16]}"


def cut_short_recordings(home: Path) -> list[CutShortRecording]:
    """Return the recordings that did not arrive whole, oldest first."""
    folder = home / RECORDINGS_FOLDER / INCOMING_FOLDER
    keys = {path.stem for path in folder.glob("*") if INCOMING_KEY_PATTERN.fullmatch(path.stem)}
    return sorted((_cut_short(folder, key) for key in keys), key=lambda part: part.changed)


def delete_cut_short(home: Path, key: str) -> None:
    """Delete what has arrived of a recording."""
    folder = home / RECORDINGS_FOLDER / INCOMING_FOLDER
    for name in (key, f"{key}{ANNOUNCEMENT_SUFFIX}"):
        replacement.delete_owned(folder, name)


def _cut_short(folder: Path, key: str) -> CutShortRecording:
    partial_file = folder / key
    announcement = partial_file.with_suffix(ANNOUNCEMENT_SUFFIX)
    name, size = _read_announcement(announcement)
    arrived_bytes = partial_file.stat().st_size if partial_file.is_file() else 0
    change_times = []
    for path in (partial_file, announcement):
        if path.is_file():
            change_times.append(path.stat().st_mtime)
    return CutShortRecording(key, name, size, arrived_bytes, max(change_times, default=0.0))


def _read_announcement(announcement: Path) -> tuple[str, int]:
    """Return the name and the size in an announcement, "" and 0 if there is none."""
    try:
        values = json.loads(announcement.read_text("utf-8"))
        return str(values["name"]), max(0, int(values["size"]))
    except (OSError, ValueError, KeyError, TypeError):
        return "", 0


def _stored_bytes(folder: Path, *, except_key: str) -> int:
    """Return the bytes of all recordings, those that are being sent with their whole size."""
    stored_bytes = 0
    for path in folder.glob("*"):
        if path.is_file():
            stored_bytes += path.stat().st_size
    for upload in cut_short_recordings(folder.parent):
        if upload.key != except_key and not upload.is_expired:
            stored_bytes += max(upload.size, upload.arrived)
    return stored_bytes


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file of any size. Raises: OSError."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def plain_suffix(name: str) -> str:
    """Return the suffix of a file name, "" unless it is a dot with one to five letters or digits."""
    suffix = Path(name).suffix.lower()
    return suffix if re.fullmatch(r"\.[a-z0-9]{1,5}", suffix) else ""


def playback_copy_path(home: Path, recording: Path) -> Path:
    """Return the path for the Opus copy of a recording that browsers cannot play.

    Use it for a new copy only. Later the stored name counts, because the path of the recording
    changes when the data directory is moved.
    """
    path_digest = hashlib.sha256(str(recording).encode()).hexdigest()
    return home / RECORDINGS_FOLDER / f"{path_digest}.opus"


def _referred_file(path: str) -> Path | None:
    """Return the file that a person has referred to by its absolute path."""
    if "\0" in path or not Path(path).is_absolute():
        return None
    return Path(path).resolve()


def permitted_file(path: str, *, allowed: Callable[[Path], bool]) -> Path:
    """Return the file of this computer with a path that a person entered.

    Raises: TranscriptError if the path isn't allowed or isn't a file.
    """
    resolved_path = Path(path.strip()).expanduser().resolve()
    if not allowed(resolved_path):
        remedy = "Ask your administrator which folder of recordings you may use."
        raise TranscriptError(
            "Lectern isn't allowed to open this path.", where=str(resolved_path), remedy=remedy
        )
    if not resolved_path.is_file():
        raise TranscriptError(
            "isn't a file on the computer where Lectern runs.", where=str(resolved_path)
        )
    return resolved_path
