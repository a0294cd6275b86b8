"""The manifest of a claim index, and the lock for writing it.

It lists the segments, their rows that are out of date, and the models. Each set of models has a
folder under the index folder, named by their digest. Its ``manifest.json`` is replaced in one step,
so that a reader sees the index before or after a change, never in between.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

from assistant.claims import index_segment
from assistant.claims.index_segment import Segment
from assistant.core.domain import VerifiedClaim
from assistant.core.errors import ClaimIndexError, IndexBusy
from features.models.atomic_write import replacing
from features.models.profile_models import Encoders
from features.similarity.bm25 import TOKENIZER_VERSION

INDEX_SCHEMA = "lectern.index/2"
REBUILD = "Run: python -m assistant claims index"


@dataclass(frozen=True, slots=True)
class IndexManifest:
    """The segments of an index by name, and the models that computed them.

    Each segment has the numbers of its dead rows: claims that were changed or deleted. The names of
    the fields are stored.
    """

    models: Mapping[str, str]
    segments: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    made: int = 0  # segments ever made, so that no name is used twice
    content: str = ""  # digest of the store whose claims these are; "" while claims are being added


class ClaimSource(Protocol):
    """A claim store, as far as indexing uses it."""

    def fingerprints(self) -> Mapping[str, str]:
        """Return id and digest of every claim."""
        ...

    def many(self, ids: Iterable[str]) -> Mapping[str, VerifiedClaim]:
        """Return some claims by id, in the order of ``ids``, without unknown ids."""
        ...


def content_digest(store: ClaimSource) -> str:
    """Return a store's digest of its whole content, "" if it gives none."""
    digest = getattr(store, "digest", None)
    return str(digest()) if callable(digest) else ""


def model_digests(encoders: Encoders) -> dict[str, str]:
    """Return name and digest of the models whose output an index stores.

    A SimCSE head is not among them: its vectors are computed from SBERT's on use.
    """
    models: dict[str, Any] = {"sbert": encoders.sbert, "bertscore": encoders.bertscore}
    if not encoders.simcse_is_head:
        models["simcse"] = encoders.simcse
    return {name: f"{model.name} {model.digest}" for name, model in models.items()}


def model_folder(folder: Path, made_by: Mapping[str, str]) -> Path:
    """Return the folder for the index of some models and BM25's present tokenizer."""
    key = json.dumps([INDEX_SCHEMA, TOKENIZER_VERSION, made_by], sort_keys=True)
    return folder / hashlib.sha256(key.encode()).hexdigest()[:16]


def read_manifest(folder: Path) -> IndexManifest | None:
    """Return the manifest in a folder, or None if there is none.

    Raises: ClaimIndexError if it is damaged.
    """
    path = folder / "manifest.json"
    if not path.is_file():
        return None
    with damage_explained(path):
        manifest_json = json.loads(path.read_text("utf-8"))
        return IndexManifest(
            models=manifest_json["models"],
            segments={
                name: tuple(dead_rows) for name, dead_rows in manifest_json["segments"].items()
            },
            made=manifest_json["made"],
            content=manifest_json.get("content", ""),
        )


def write_manifest(folder: Path, manifest: IndexManifest) -> None:
    """Replace the manifest, then remove the segments that it no longer lists."""
    stored_values = {"schema": INDEX_SCHEMA, **asdict(manifest)}
    with replacing(folder / "manifest.json") as temporary_file:
        temporary_file.write_text(json.dumps(stored_values, indent=1), "utf-8")
    # Each segment is a folder.
    for path in folder.iterdir():
        is_unlisted = path.name not in manifest.segments
        if path.is_dir() and is_unlisted:
            shutil.rmtree(path, ignore_errors=True)


def read_segments(folder: Path, manifest: IndexManifest) -> list[Segment]:
    """Open the segments that a manifest lists.

    Raises: ClaimIndexError if one is missing or damaged.
    """
    with damage_explained(folder):
        return [index_segment.read_segment(folder / name) for name in manifest.segments]


def read_index(folder: Path) -> tuple[IndexManifest | None, list[Segment]]:
    """Read the manifest in a folder, None if there is none, and open its segments.

    If a build replaces both meanwhile, they are read again. Raises: ClaimIndexError if one is
    damaged.
    """
    while True:
        manifest = read_manifest(folder)
        if manifest is None:
            return None, []
        try:
            return manifest, read_segments(folder, manifest)
        except ClaimIndexError:
            was_replaced = read_manifest(folder) != manifest
            if not was_replaced:
                raise


def missing_index(folder: Path) -> ClaimIndexError:
    """Make the error of a missing index.

    There is none at all, or only one of other models or of an earlier version.
    """
    manifest_paths = sorted(folder.glob("*/manifest.json"))
    if not manifest_paths:
        return ClaimIndexError("no claims are indexed yet.", where=str(folder), remedy=REBUILD)
    with damage_explained(folder):
        manifests = [json.loads(path.read_text("utf-8")) for path in manifest_paths]
    current_manifests = [stored for stored in manifests if stored["schema"] == INDEX_SCHEMA]
    if not current_manifests:
        message = "an earlier version of Lectern made the index in an older format."
        old_folder = manifest_paths[0].parent.name
        remedy = f"{REBUILD}. Then you can delete the folder {old_folder}."
        return ClaimIndexError(message, where=str(folder), remedy=remedy)
    # Each model as "NAME DIGEST", by its part of the profile.
    model_by_role = current_manifests[0]["models"]
    model_names = ", ".join(f"{role} {name.split()[0]}" for role, name in model_by_role.items())
    message = f"the index was made by other models or weights ({model_names}) than those in use."
    return ClaimIndexError(message, where=str(folder), remedy=REBUILD)


@contextmanager
def damage_explained(where: Path) -> Iterator[None]:
    """Turn a damaged or missing file into one line that says how to repair it.

    Raises: ClaimIndexError.
    """
    try:
        yield
    except (KeyError, TypeError, ValueError, EOFError, FileNotFoundError) as error:
        message = f"the index is damaged ({type(error).__name__}: {error})."
        remedy = f"Delete that folder. {REBUILD}"
        raise ClaimIndexError(message, where=str(where), remedy=remedy) from error


@contextmanager
def sole_writer(folder: Path) -> Iterator[None]:
    """Lock an index for writing; the lock of a process that dies is released.

    Raises: IndexBusy if another process, or another part of this one, has the lock.
    """
    with (folder / "writer.lock").open("w") as file:
        _lock(file, folder)
        yield


def _lock(file: Any, folder: Path) -> None:
    try:
        import fcntl
    except ImportError:  # Windows has no such locks, and one user runs one process there
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        remedy = "Wait for it to finish. You can search in the meantime."
        raise IndexBusy("another process is indexing.", where=str(folder), remedy=remedy) from error
