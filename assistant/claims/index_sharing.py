"""Sharing of an index between several data directories.

A shared folder keeps the index files by their digests, and each data directory fetches the files
that it lacks.

In the folder of a set of models, ``CONTENT.json`` lists the segments of the index of a store's
content: SHA-256 and size of every file, and the dead rows. ``files/`` has each file once. A copy
that was interrupted continues from where it stopped, and counts once its digest is right.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from assistant.claims import index_manifest
from assistant.claims.index_manifest import INDEX_SCHEMA, REBUILD, IndexManifest
from assistant.core.errors import ClaimIndexError
from assistant.core.files import explained
from assistant.core.progress_callback import Progress, no_progress
from features.models.atomic_write import replacing, sync, sync_folder
from features.models.profile_models import Encoders

MAX_LISTINGS = 3  # older ones are kept so that a fetch of one can end
COPY_BYTES = 1 << 20
STAGE = "fetching the index (megabytes)"
# In the folder of a segment: [digest, bytes] of each of its files, which never change.
DIGEST_FILE = "digests.json"
_FILE_NAME_PATTERN = re.compile(r"[\w-]{1,80}\.npy")
_SHA256_PATTERN = re.compile(r"[0-9a-f]{64}")
SegmentFiles = Mapping[str, tuple[str, int]]  # digest and size of each file, by name


@contextmanager
def sole_builder(shared: Path, encoders: Encoders) -> Iterator[None]:
    """Let one process of all machines build.

    Raises: IndexBusy if another does; ClaimIndexError if the disk refuses.
    """
    folder = _model_folder(shared, encoders)
    with explained(folder, ClaimIndexError):
        (folder / "files").mkdir(parents=True, exist_ok=True)
        with index_manifest.sole_writer(folder):
            yield


def fetch(
    folder: Path,
    shared: Path,
    encoders: Encoders,
    store_digest: str,
    *,
    progress: Progress | None = None,
) -> bool:
    """Fetch the shared index of a store's content into an index folder.

    If there is no such index, a folder without any index gets the newest one. Segments that the
    folder already has are not fetched. Returns whether the folder's index changed.

    Raises: IndexBusy if another process writes there; ClaimIndexError for a damaged file, or if
    the disk refuses.
    """
    local_folder = _model_folder(folder, encoders)
    shared_folder = _model_folder(shared, encoders)
    manifest = index_manifest.read_manifest(local_folder)
    # A listing is named by the digest of the store's content.
    listing_path = shared_folder / f"{store_digest}.json"
    if manifest is None and not listing_path.is_file():
        # The newest index of other contents has most of the claims.
        listing_path = max(shared_folder.glob("*.json"), key=_modified_at, default=listing_path)
    is_current = manifest is not None and manifest.content == listing_path.stem
    if is_current or not listing_path.is_file():
        return False
    with explained(local_folder, ClaimIndexError, then="What was fetched is kept."):
        local_folder.mkdir(parents=True, exist_ok=True)
        with index_manifest.sole_writer(local_folder):
            try:
                _fetch_listed(local_folder, shared_folder, listing_path, progress or no_progress)
            except FileNotFoundError:
                # A newer index has replaced it meanwhile.
                return False
    return True


def publish(folder: Path, shared: Path, encoders: Encoders) -> None:
    """Store a finished index for other data directories; call it as the ``sole_builder``.

    Raises: IndexBusy if another process writes to the index; ClaimIndexError if the disk refuses.
    """
    local_folder = _model_folder(folder, encoders)
    shared_folder = _model_folder(shared, encoders)
    with explained(shared_folder, ClaimIndexError), index_manifest.sole_writer(local_folder):
        manifest = index_manifest.read_manifest(local_folder)
        if manifest is None or not manifest.content:
            return
        listed_segments = []
        for name, dead_rows in manifest.segments.items():
            files = _segment_files(local_folder / name)
            for file_name, (digest, _) in files.items():
                _copy_file(
                    local_folder / name / file_name, shared_folder / "files" / digest, digest
                )
            listed_segments.append({"files": files, "dead": dead_rows})
        # The listing is written last, so that it never names a file that isn't there yet.
        listing = {"schema": INDEX_SCHEMA, "models": manifest.models, "segments": listed_segments}
        with replacing(shared_folder / f"{manifest.content}.json") as temporary_file:
            temporary_file.write_text(json.dumps(listing), "utf-8")
        _delete_old_listings(shared_folder)


def _model_folder(folder: Path, encoders: Encoders) -> Path:
    return index_manifest.model_folder(folder, index_manifest.model_digests(encoders))


def _modified_at(path: Path) -> float:
    return path.stat().st_mtime


@dataclass(frozen=True, slots=True)
class _ListedSegment:
    """A segment in a listing: its files, and its rows that are dead."""

    files: SegmentFiles
    dead_rows: tuple[int, ...]

    @property
    def size(self) -> int:
        """Return the bytes of all files."""
        return sum(size for _, size in self.files.values())


@dataclass(frozen=True, slots=True)
class _Listing:
    """A listing of a shared index."""

    models: Mapping[str, str]
    segments: list[_ListedSegment]


def _fetch_listed(
    local_folder: Path, shared_folder: Path, listing_path: Path, progress: Progress
) -> None:
    """Make the listed index the index of a folder."""
    listing = _read_listing(listing_path)
    manifest = index_manifest.read_manifest(local_folder) or IndexManifest(listing.models)
    # The segments that the folder has, by a digest of their files.
    segment_name_by_key = {}
    for name in manifest.segments:
        segment_name_by_key[_segment_key(_segment_files(local_folder / name))] = name
    total_bytes = sum(listed_segment.size for listed_segment in listing.segments)
    done_bytes = 0
    dead_rows_by_segment = {}
    for listed_segment in listing.segments:
        segment_key = _segment_key(listed_segment.files)
        if segment_key not in segment_name_by_key:
            # A fetched segment is named by its key.
            segment_name_by_key[segment_key] = segment_key
            for copied_bytes in _fetch_segment(
                local_folder / segment_key, shared_folder / "files", listed_segment.files
            ):
                done_pieces = (done_bytes + copied_bytes) // COPY_BYTES
                progress(STAGE, done_pieces, total_bytes // COPY_BYTES)
        done_bytes += listed_segment.size
        dead_rows_by_segment[segment_name_by_key[segment_key]] = listed_segment.dead_rows
    fetched_manifest = IndexManifest(
        listing.models, dead_rows_by_segment, manifest.made, listing_path.stem
    )
    index_manifest.write_manifest(local_folder, fetched_manifest)


def _read_listing(path: Path) -> _Listing:
    """Read a listing. Raises: ClaimIndexError if it is damaged."""
    with index_manifest.damage_explained(path):
        listing_json = json.loads(path.read_text("utf-8"))
        listed_segments = []
        for segment in listing_json["segments"]:
            files = _checked_files(segment["files"])
            listed_segments.append(_ListedSegment(files, tuple(segment["dead"])))
        return _Listing(listing_json["models"], listed_segments)


def _checked_files(files: Mapping[str, Any]) -> SegmentFiles:
    """Return the files of a segment; raise ValueError for a name or digest that can't be one."""
    checked = {}
    for name, (digest, size) in files.items():
        is_safe_name = _FILE_NAME_PATTERN.fullmatch(name) is not None
        if not is_safe_name or not _SHA256_PATTERN.fullmatch(digest):
            raise ValueError(f"{name[:80]!r} isn't an index file")
        checked[name] = (digest, int(size))
    return checked


def _segment_key(files: SegmentFiles) -> str:
    """Return the name of a fetched segment: a digest of its files.

    It never equals the number of a segment that was built here.
    """
    names_and_digests = sorted((name, digest) for name, (digest, _) in files.items())
    return hashlib.sha256(repr(names_and_digests).encode()).hexdigest()[:16]


def _segment_files(segment_folder: Path) -> SegmentFiles:
    """Return digest and size of each file of a segment; they are computed once and stored."""
    digest_path = segment_folder / DIGEST_FILE
    noted_files = {}
    if digest_path.is_file():
        noted_files = json.loads(digest_path.read_text("utf-8"))
    files = {}
    for path in sorted(segment_folder.glob("*.npy")):
        digest, size = noted_files.get(path.name) or _digest_and_size(path)
        files[path.name] = (digest, size)
    if files.keys() != noted_files.keys():
        with replacing(digest_path) as temporary_file:
            temporary_file.write_text(json.dumps(files), "utf-8")
    return files


def _digest_and_size(path: Path) -> tuple[str, int]:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest(), path.stat().st_size


def _fetch_segment(segment_folder: Path, shared_files: Path, files: SegmentFiles) -> Iterator[int]:
    """Copy a segment unless it exists, and yield the number of bytes copied after each file."""
    if segment_folder.is_dir():
        return
    incomplete_folder = segment_folder.with_name(f"{segment_folder.name}.part")
    incomplete_folder.mkdir(exist_ok=True)
    copied_bytes = 0
    for name, (digest, size) in files.items():
        _copy_file(shared_files / digest, incomplete_folder / name, digest)
        copied_bytes += size
        yield copied_bytes
    (incomplete_folder / DIGEST_FILE).write_text(json.dumps(files), "utf-8")
    os.replace(incomplete_folder, segment_folder)
    sync_folder(segment_folder.parent)


def _copy_file(source: Path, target: Path, expected_digest: str) -> None:
    """Copy a file unless it exists, from where an earlier copy stopped.

    Raises: ClaimIndexError if its digest is wrong; FileNotFoundError if the source doesn't exist.
    """
    if target.exists():
        return
    incomplete_file = target.with_name(f"{target.name}.part")
    sha256 = hashlib.sha256()
    with source.open("rb") as source_file, incomplete_file.open("a+b") as target_file:
        # Read the bytes that an earlier copy has written, then copy the others.
        target_file.seek(0)
        for piece in _read_pieces(target_file):
            sha256.update(piece)
        resumed_at = source_file.seek(target_file.tell())
        for piece in _read_pieces(source_file):
            sha256.update(piece)
            target_file.write(piece)
    if sha256.hexdigest() != expected_digest:
        incomplete_file.unlink()
        if resumed_at > 0:
            # Perhaps only the earlier copy was damaged.
            _copy_file(source, target, expected_digest)
            return
        message = "is corrupted (checksum mismatch)."
        raise ClaimIndexError(message, where=str(source), remedy=f"Delete the file. {REBUILD}")
    sync(incomplete_file)
    os.replace(incomplete_file, target)


def _read_pieces(file: BinaryIO) -> Iterator[bytes]:
    """Yield the rest of a file a piece at a time."""
    while True:
        piece = file.read(COPY_BYTES)
        if not piece:
            return
        yield piece


def _delete_old_listings(folder: Path) -> None:
    """Delete old listings, and the files that no other listing uses."""
    oldest_first = sorted(folder.glob("*.json"), key=_modified_at)
    old_listings = oldest_first[:-MAX_LISTINGS]
    newest_listings = oldest_first[-MAX_LISTINGS:]
    for listing_path in old_listings:
        listing_path.unlink()
    used_digests: set[str] = set()
    for listing_path in newest_listings:
        for segment in _read_listing(listing_path).segments:
            used_digests.update(digest for digest, _ in segment.files.values())
    # The files are named by their digests.
    for path in (folder / "files").iterdir():
        if path.name not in used_digests:
            path.unlink()
    sync_folder(folder)
