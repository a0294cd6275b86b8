"""Collects transcripts for the archive.

From folders and files, with what a manifest and file names say about them.

A manifest is a CSV file with the columns ``file`` (its name, or its path from the manifest), ``title``, ``date`` and
``speaker``: a name for a file that names nobody, or ``LABEL=Name; LABEL=Name`` where it names somebody else.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from assistant import transcripts
from assistant.archive.archive_store import ArchiveStore
from assistant.core.domain import Transcript
from assistant.core.errors import LecternError, SettingsError, TranscriptError
from assistant.core.files import shown_path
from assistant.core.replacement import kind_of_file, require_regular_file
from assistant.transcripts import speakers, title_and_date
from assistant.transcripts import text_decoding as source_bytes
from assistant.transcripts.formats import EXTENSIONS

MANIFEST = "manifest.csv"  # used without being named where it lies in a folder that is added
MANIFEST_COLUMNS = ("file", "title", "date", "speaker")
LINK_REASON = "is a link, which may lead out of the folder; name it alone to have it read."
_PERSON_NAME = re.compile(r"[^\W\d]+(?:[-' ][^\W\d]+)*\.?")


@dataclass(frozen=True, slots=True)
class ManifestEntry:
    """What a manifest says about a file; "" and None where it says nothing."""

    title: str = ""
    event_date: date | None = None
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class CollectedFile:
    """What became of a file: "new", "changed" or "same"; "skipped", and why."""

    path: Path
    outcome: str
    why: str = ""


def add(
    store: ArchiveStore, paths: Iterable[Path], manifest: Path | None = None
) -> Iterator[CollectedFile]:
    """Take the transcripts among files and folders into the archive, and yield what became of each file.

    What is no transcript is skipped and does not fail the rest. Raises: SettingsError if a path is
    not there or a manifest cannot be read, before anything is taken in.
    """
    given = list(paths)
    if missing := [path for path in given if not path.exists()]:
        raise SettingsError("there is no such file or folder.", where=str(missing[0]))
    lists = (
        [manifest] if manifest else [p for folder in given if _is_own_file(p := folder / MANIFEST)]
    )
    known = {path: row for listed in lists for path, row in read_manifest(listed).items()}
    read_already = {listed.resolve() for listed in lists}
    for path, named_alone in ((file, each == file) for each in given for file in files(each)):
        if path.resolve() in read_already:
            continue
        if path.is_symlink() and not named_alone:
            yield CollectedFile(path, "skipped", LINK_REASON)
        elif not path.is_file():
            yield CollectedFile(path, "skipped", f"is {kind_of_file(path)}, not a file.")
        elif named_alone or path.suffix[1:].lower() in EXTENSIONS:
            yield _collect(store, path, known.get(path.resolve()))
        else:
            yield CollectedFile(
                path,
                "skipped",
                "files of this kind are no transcripts; name it alone to have it read.",
            )


def files(path: Path) -> list[Path]:
    """Return a file, or the files and links of a folder and its subfolders, by name.

    Hidden ones are left out.
    """
    if not path.is_dir():
        return [path]
    found = (file for file in path.rglob("*") if file.is_symlink() or file.is_file())
    return sorted(
        f for f in found if not any(part.startswith(".") for part in f.relative_to(path).parts)
    )


def _is_own_file(path: Path) -> bool:
    """Return whether a path is a file of its folder, not a link to another file."""
    return path.is_file() and not path.is_symlink()


def read_manifest(path: Path) -> dict[Path, ManifestEntry]:
    """Return what a manifest says, by the path of the file.

    Raises: SettingsError with the line.
    """
    require_regular_file(path, SettingsError)
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"cannot be read ({error}).", where=str(path), remedy="Save it as CSV in UTF-8."
        ) from error
    rows = csv.DictReader(io.StringIO(text))
    if unknown := sorted(set(rows.fieldnames or ()) - set(MANIFEST_COLUMNS)):
        remedy = f"Use {', '.join(MANIFEST_COLUMNS)}."
        raise SettingsError(f"unknown column {unknown[0]!r}.", where=str(path), remedy=remedy)
    if "file" not in (rows.fieldnames or ()):
        raise SettingsError("has no column `file`.", where=str(path))
    return {
        (path.parent / (row["file"] or "")).resolve(): _manifest_entry(
            row, f"{path}:{rows.line_num}"
        )
        for row in rows
    }


def _manifest_entry(row: Mapping[str, str | None], where: str) -> ManifestEntry:
    title, day, speaker = ((row.get(column) or "").strip() for column in MANIFEST_COLUMNS[1:])
    try:
        return ManifestEntry(title, date.fromisoformat(day) if day else None, speaker)
    except ValueError as error:
        raise SettingsError(
            f"{day!r} is not a date.", where=where, remedy="Write it as 2024-09-10."
        ) from error


def _collect(store: ArchiveStore, path: Path, known: ManifestEntry | None) -> CollectedFile:
    try:
        source = source_bytes.load(path)
        if known is None and store.has(source.digest):
            return CollectedFile(path, "same")
        said = known or ManifestEntry()
        read = transcripts.read_bytes(
            source.data, source.name, title=said.title or None, event_date=said.event_date
        )
        return CollectedFile(
            path, store.add(with_speakers(read, said.speaker), shown_path(path.resolve()))
        )
    except TranscriptError as error:
        return CollectedFile(path, "skipped", str(LecternError(error.what, remedy=error.remedy)))


def with_speakers(transcript: Transcript, given: str) -> Transcript:
    """Return a transcript with the speakers that a manifest gives, else the one in the name of its file.

    ``given``: a name for whoever has none, or ``LABEL=Name; LABEL=Name``. A file named
    ``2024-05-01_Ann-Lee_town-hall.txt`` in which nobody is named is a speech of Ann Lee.

    Raises: TranscriptError if a label is not there.
    """
    if "=" in given:
        pairs = (part.partition("=") for part in given.split(";") if part.strip())
        return speakers.rename(
            transcript, {label.strip(): name.strip() for label, _, name in pairs}
        )
    nobody = None in speakers.speakers(transcript)
    name = given or (
        "" if any(s.speaker for s in transcript) else _speaker_in_file_name(transcript.source.name)
    )
    return speakers.rename(transcript, {None: name}) if nobody and name else transcript  # type: ignore[dict-item]


def _speaker_in_file_name(file: str) -> str:
    """Return the speaker of a file named DATE_SPEAKER_PLACE, "" where a name is not built like that."""
    parts = Path(file).stem.split("_")
    if len(parts) < 3 or not title_and_date.dates(parts[0]):
        return ""
    words = parts[1].replace("-", " ").strip()
    return words if _PERSON_NAME.fullmatch(words) else ""
