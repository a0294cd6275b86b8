"""Collects transcripts for the archive.

From folders and files, with what a manifest and file names say about them.

A manifest is a table with the columns ``file`` (its name, or its path from the manifest), ``title``,
``date`` and ``speaker``: a name for a file that names nobody, or ``LABEL=Name; LABEL=Name`` where it names somebody else.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from assistant import transcripts
from assistant.archive.archive_store import ArchiveStore
from assistant.archive.transcript_manifest import ManifestEntry, read_manifest
from assistant.core.domain import Transcript
from assistant.core.errors import LecternError, SettingsError, TranscriptError
from assistant.core.files import shown_path
from assistant.core.replacement import kind_of_file
from assistant.transcripts import speakers, title_and_date
from assistant.transcripts import text_decoding as source_bytes
from assistant.transcripts.formats import EXTENSIONS

# Files that are used without being named if they lie in a folder that is added.
MANIFEST_FILES = ("manifest.csv", "manifest.tsv", "manifest.xlsx", "manifest.ods")
LINK_REASON = "is a link, which may lead out of the folder. Add the file by its own path."
UPLOAD_DIGITS = 12  # digits of its digest in the path of an upload
_PERSON_NAME_PATTERN = re.compile(r"[^\W\d]+(?:[-' ][^\W\d]+)*\.?")


@dataclass(frozen=True, slots=True)
class CollectedFile:
    """What became of a file: "new", "changed" or "same"; "skipped", and why."""

    path: Path
    outcome: str
    why: str = ""


def add(
    store: ArchiveStore,
    paths: Iterable[Path],
    manifest: Path | None = None,
    on_remark: Callable[[str], object] | None = None,
) -> Iterator[CollectedFile]:
    """Add the transcripts among files and folders to the archive, and yield the outcome of each.

    A file that isn't a transcript is skipped and does not fail the rest. ``on_remark`` gets a
    line for everything in a manifest that was not used.

    Raises: SettingsError if a path does not exist or a manifest cannot be read, before anything
    is added.
    """
    chosen_paths = list(paths)
    missing = [path for path in chosen_paths if not path.exists()]
    if missing:
        raise SettingsError("there is no such file or folder.", where=str(missing[0]))
    # The files in each folder; a file that is named itself is the only one "in" its path.
    files_by_path = {path: visible_files_in(path) for path in chosen_paths}
    all_files = list(chain.from_iterable(files_by_path.values()))
    folders = [path for path in chosen_paths if path.is_dir()]
    # Manifests have the titles and dates of the files.
    manifest_paths = [manifest] if manifest else _manifests_in(folders)
    entry_by_file: dict[Path, ManifestEntry] = {}
    for manifest_path in manifest_paths:
        transcript_manifest = read_manifest(manifest_path)
        entry_by_file |= transcript_manifest.by_file(folders, all_files)
        if on_remark is not None:
            for remark in transcript_manifest.remarks:
                on_remark(remark)

    resolved_manifests = {path.resolve() for path in manifest_paths}
    for path, files in files_by_path.items():
        for file in files:
            if file.resolve() in resolved_manifests:
                continue
            # A file that is named itself is read whatever its extension.
            is_named_itself = file == path and file.is_file()
            skip_reason = "" if is_named_itself else _skip_reason(file, path)
            if skip_reason:
                yield CollectedFile(file, "skipped", skip_reason)
            else:
                yield _collect_file(store, file, entry_by_file.get(file.resolve()))


def add_upload(store: ArchiveStore, data: bytes, name: str) -> CollectedFile:
    """Add an uploaded transcript to the archive. Two files with one name are two transcripts."""
    digest = hashlib.sha256(data).hexdigest()
    # An upload has no path of its own: the digest tells files of the same name apart.
    path = Path(f"uploaded {digest[:UPLOAD_DIGITS]}") / Path(name).name
    if store.has(digest):
        return CollectedFile(path, "same")
    try:
        transcript = transcripts.read_bytes(data, Path(name).name)
        transcript_with_speakers = with_speakers(transcript, "")
        outcome = store.add(transcript_with_speakers, str(path))
        return CollectedFile(path, outcome)
    except TranscriptError as error:
        # The error without the file's name, which the collected file has already
        reason = LecternError(error.what, remedy=error.remedy)
        return CollectedFile(path, "skipped", str(reason))


def _manifests_in(folders: Iterable[Path]) -> list[Path]:
    """Return the manifests of some folders, not links to other files."""
    possible_paths = [folder / name for folder in folders for name in MANIFEST_FILES]
    return [path for path in possible_paths if path.is_file() and not path.is_symlink()]


def _skip_reason(file: Path, named_path: Path) -> str:
    """Return why a file is not read, "" if it is."""
    if file.is_symlink() and file != named_path:
        return LINK_REASON
    if not file.is_file():
        return f"is {kind_of_file(file)}, not a file."
    if file.suffix[1:].lower() not in EXTENSIONS:
        return (
            "files with this extension aren't transcripts. To read it anyway, name the file itself."
        )
    return ""


def visible_files_in(path: Path) -> list[Path]:
    """Return a file, or the files and links of a folder and its subfolders, by name.

    Hidden ones are left out.
    """
    if not path.is_dir():
        return [path]
    visible_files = []
    for file in path.rglob("*"):
        names = file.relative_to(path).parts
        is_hidden = any(name.startswith(".") for name in names)
        if not is_hidden and (file.is_symlink() or file.is_file()):
            visible_files.append(file)
    return sorted(visible_files)


def _collect_file(store: ArchiveStore, path: Path, entry: ManifestEntry | None) -> CollectedFile:
    try:
        source = source_bytes.load(path)
        # A file in a manifest is read again, for the manifest may have changed.
        if entry is None:
            if store.has(source.digest):
                return CollectedFile(path, "same")
            entry = ManifestEntry()
        transcript = transcripts.read_bytes(
            source.data, source.name, title=entry.title or None, event_date=entry.event_date
        )
        transcript = with_speakers(transcript, entry.speaker)
        return CollectedFile(path, store.add(transcript, shown_path(path.resolve())))
    except TranscriptError as error:
        return CollectedFile(path, "skipped", str(LecternError(error.what, remedy=error.remedy)))


def with_speakers(transcript: Transcript, names_or_assignments: str) -> Transcript:
    """Return a transcript with the speakers that a manifest gives, else the one in the name of its file.

    ``names_or_assignments``: a name for whoever has none, or ``LABEL=Name; LABEL=Name``. A file named
    ``2024-05-01_Ann-Lee_town-hall.txt`` in which nobody is named is a speech of Ann Lee.

    Raises: TranscriptError if a label is not there.
    """
    # Assignments such as "A = Ann Lee; B = Bob Ray", or the name of a single speaker.
    if "=" in names_or_assignments:
        name_by_label = {}
        for assignment in names_or_assignments.split(";"):
            if assignment.strip():
                label, _, name = assignment.partition("=")
                name_by_label[label.strip()] = name.strip()
        return speakers.rename(transcript, name_by_label)

    name = names_or_assignments
    names_nobody = not any(sentence.speaker for sentence in transcript)
    if not name and names_nobody:
        name = _speaker_in_file_name(transcript.source.name)
    # None is the label of sentences without a speaker.
    has_unnamed_speaker = None in speakers.speakers(transcript)
    if not name or not has_unnamed_speaker:
        return transcript
    return speakers.rename(transcript, {None: name})  # type: ignore[dict-item]


def _speaker_in_file_name(file: str) -> str:
    """Return the speaker of a file named DATE_SPEAKER_PLACE, "" where a name is not built like that."""
    fields = Path(file).stem.split("_")
    if len(fields) < 3 or not title_and_date.dates_in_text(fields[0]):
        return ""
    name = fields[1].replace("-", " ").strip()
    return name if _PERSON_NAME_PATTERN.fullmatch(name) else ""
