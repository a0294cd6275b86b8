"""An index that several homes share.

A folder keeps its files by their digests, and a home fetches what it lacks.

In the folder of a set of models, ``CONTENT.json`` lists the segments of the index of a store's
content: SHA-256 and size of every file, and the dead rows. ``files/`` has each file once. A copy
that was cut short goes on where it stopped, and counts once its digest is right.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from assistant.claims import index_manifest
from assistant.claims.index_manifest import REBUILD, SCHEMA, Manifest
from assistant.claims.records import Progress
from assistant.core.errors import ClaimIndexError
from assistant.core.files import explained
from features.models.atomic_write import replacing, sync, sync_folder
from features.models.profile_models import Encoders

KEPT = 3  # listings: a home that is fetching an older one may end
PIECE = 1 << 20
STAGE = "fetching the index (megabytes)"
DIGESTS = "digests.json"  # in the folder of a segment: [digest, bytes] of each of its files, which never change
_FILE = re.compile(r"[\w-]{1,80}\.npy")
_DIGEST = re.compile(r"[0-9a-f]{64}")
Files = Mapping[str, tuple[str, int]]


@contextmanager
def sole_builder(shared: Path, encoders: Encoders) -> Iterator[None]:
    """Let one process of all machines build.

    Raises: IndexBusy if another does; ClaimIndexError if the disk refuses.
    """
    folder = _folder(shared, encoders)
    with explained(folder, ClaimIndexError):
        (folder / "files").mkdir(parents=True, exist_ok=True)
        with index_manifest.sole_writer(folder):
            yield


def fetch(
    folder: Path,
    shared: Path,
    encoders: Encoders,
    content: str,
    *,
    progress: Progress | None = None,
) -> bool:
    """Bring the shared index of a store's content into an index folder.

    Return whether that changed it.

    Where there is no such index, a folder without any gets the newest. Segments that are there are
    not fetched.

    Raises: IndexBusy if another process writes there; ClaimIndexError for a damaged file, or if
    the disk refuses.
    """
    home = _folder(folder, encoders)
    source = _folder(shared, encoders)
    now = index_manifest.read_manifest(home)
    path = source / f"{content}.json"
    if now is None and not path.is_file():
        path = max(source.glob("*.json"), key=lambda one: one.stat().st_mtime, default=path)
    if not path.is_file() or (now is not None and now.content == path.stem):
        return False
    with explained(home, ClaimIndexError, then="What was fetched is kept."):
        home.mkdir(parents=True, exist_ok=True)
        with index_manifest.sole_writer(home):
            try:
                _take(home, source, path, progress or (lambda *_: None))
            except FileNotFoundError:  # a newer index has taken its place meanwhile
                return False
    return True


def publish(folder: Path, shared: Path, encoders: Encoders) -> None:
    """Store a finished index where other homes fetch it; call it as the ``sole_builder``.

    Raises: IndexBusy if another process writes to the index; ClaimIndexError if the disk refuses.
    """
    home = _folder(folder, encoders)
    target = _folder(shared, encoders)
    with explained(target, ClaimIndexError), index_manifest.sole_writer(home):
        manifest = index_manifest.read_manifest(home)
        if manifest is None or not manifest.content:
            return
        segments = []
        for name, dead in manifest.segments.items():
            files = _digests(home / name)
            for file, (digest, _) in files.items():
                _copy(home / name / file, target / "files" / digest, digest)
            segments.append({"files": files, "dead": dead})
        with replacing(target / f"{manifest.content}.json") as part:
            row = {"schema": SCHEMA, "models": manifest.models, "segments": segments}
            part.write_text(json.dumps(row), "utf-8")
        _tidy(target)


def _folder(folder: Path, encoders: Encoders) -> Path:
    return index_manifest.model_folder(folder, index_manifest.models(encoders))


def _take(home: Path, source: Path, path: Path, progress: Progress) -> None:
    """Make the listed index that of a home."""
    listing = _listing(path)
    now = index_manifest.read_manifest(home)
    names = {_name(_digests(home / name)): name for name in (now.segments if now else ())}
    total = sum(size for files, _ in listing["segments"] for _, size in files.values())
    done = 0
    segments = {}
    for files, dead in listing["segments"]:
        key = _name(files)
        if key not in names:
            names[key] = key
            for bytes_done in _fetched(home / key, source / "files", files):
                progress(STAGE, (done + bytes_done) // PIECE, total // PIECE)
        done += sum(size for _, size in files.values())
        segments[names[key]] = dead
    manifest = Manifest(listing["models"], segments, now.made if now else 0, path.stem)
    index_manifest.write_manifest(home, manifest)


def _listing(path: Path) -> dict[str, Any]:
    """Return a listing with its segments as (files, dead rows).

    Raises: ClaimIndexError if it is damaged.
    """
    with index_manifest.damage_explained(path):
        row = json.loads(path.read_text("utf-8"))
        row["segments"] = [(_checked(one["files"]), tuple(one["dead"])) for one in row["segments"]]
        return row


def _checked(files: Mapping[str, Any]) -> Files:
    for name, (digest, _) in files.items():
        if not (_FILE.fullmatch(name) and _DIGEST.fullmatch(digest)):
            raise ValueError(f"no file of an index: {name[:80]!r}")
    return {name: (digest, int(size)) for name, (digest, size) in files.items()}


def _name(files: Files) -> str:
    """Return what a fetched segment is called.

    A digest of its files, which no number of a built one equals.
    """
    return hashlib.sha256(
        repr(sorted((name, digest) for name, (digest, _) in files.items())).encode()
    ).hexdigest()[:16]


def _digests(segment: Path) -> Files:
    """Return digest and size of each file of a segment, computed where that was not done before."""
    path = segment / DIGESTS
    known = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    files = {
        file.name: known.get(file.name) or _digest(file) for file in sorted(segment.glob("*.npy"))
    }
    if files.keys() != known.keys():
        with replacing(path) as part:
            part.write_text(json.dumps(files), "utf-8")
    return {name: (digest, size) for name, (digest, size) in files.items()}


def _digest(path: Path) -> tuple[str, int]:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest(), path.stat().st_size


def _fetched(segment: Path, source: Path, files: Files) -> Iterator[int]:
    """Make the folder of a segment, and yield after each file how many bytes are there."""
    if not segment.is_dir():
        part = segment.with_name(f"{segment.name}.part")
        done = 0
        part.mkdir(exist_ok=True)
        for name, (digest, size) in files.items():
            _copy(source / digest, part / name, digest)
            done += size
            yield done
        (part / DIGESTS).write_text(json.dumps(files), "utf-8")
        os.replace(part, segment)
        sync_folder(segment.parent)


def _copy(source: Path, target: Path, digest: str) -> None:
    """Copy a file unless it is there, from where an earlier copy stopped.

    Raises: ClaimIndexError if it has not the digest; FileNotFoundError if it has gone.
    """
    if target.exists():
        return
    part = target.with_name(f"{target.name}.part")
    hashed = hashlib.sha256()
    with source.open("rb") as data, part.open("a+b") as out:
        out.seek(0)
        for piece in iter(partial(out.read, PIECE), b""):
            hashed.update(piece)
        before = data.seek(out.tell())
        for piece in iter(partial(data.read, PIECE), b""):
            hashed.update(piece)
            out.write(piece)
    if hashed.hexdigest() != digest:
        part.unlink()
        if before:  # what was there of an earlier copy may be at fault
            return _copy(source, target, digest)
        raise ClaimIndexError(
            "is damaged: it has not its digest.", where=str(source), remedy=f"Delete it. {REBUILD}"
        )
    sync(part)
    os.replace(part, target)


def _tidy(folder: Path) -> None:
    """Delete old listings, and the files that no other has."""
    listings = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
    for path in listings[:-KEPT]:
        path.unlink()
    segments = [files for path in listings[-KEPT:] for files, _ in _listing(path)["segments"]]
    used = {digest for files in segments for digest, _ in files.values()}
    for path in (folder / "files").iterdir():
        if path.name not in used:
            path.unlink()
    sync_folder(folder)
