"""The manifest of a claim index.

Its segments, their rows that are out of date, the models, and the lock for writing.

Each set of models has a folder under the index folder, named by their digest. Its
``manifest.json`` is replaced in one step, so that a reader sees the index before or after a
change, never in between.
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

from assistant.claims import index_segment as segments
from assistant.claims.index_segment import Segment
from assistant.core.domain import VerifiedClaim
from assistant.core.errors import ClaimIndexError, IndexBusy
from features.models.atomic_write import replacing
from features.models.profile_models import Encoders
from features.similarity.bm25 import TOKENIZER

SCHEMA = "lectern.index/2"
REBUILD = "Run: python -m assistant claims index"


@dataclass(frozen=True, slots=True)
class Manifest:
    """The segments of an index by name, each with its dead rows (claims changed or deleted), and who made them."""

    models: Mapping[str, str]
    segments: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    made: int = 0  # segments ever made, so that no name is used twice
    content: str = ""  # digest of the store whose claims these are; "" while claims are being added


class Claims(Protocol):
    """What indexing needs of a claim store."""

    def fingerprints(self) -> Mapping[str, str]:
        """Return id and digest of every claim."""
        ...

    def many(self, ids: Iterable[str]) -> Mapping[str, VerifiedClaim]:
        """Return some claims by their ids, in the order asked for; unknown ids are missing."""
        ...


def content_of(store: Claims) -> str:
    """Return a store's digest of its whole content, "" if it gives none."""
    digest = getattr(store, "digest", None)
    return str(digest()) if callable(digest) else ""


def models(encoders: Encoders) -> dict[str, str]:
    """Return name and digest of the models whose output an index stores.

    A SimCSE head is computed when used.
    """
    parts = {"sbert": encoders.sbert, "bertscore": encoders.bertscore}
    if not encoders.simcse_is_head:
        parts["simcse"] = encoders.simcse  # type: ignore[assignment]
    return {part: f"{model.name} {model.digest}" for part, model in parts.items()}


def model_folder(folder: Path, made_by: Mapping[str, str]) -> Path:
    """Return the folder of the index that some models and BM25's present tokenizer make."""
    return (
        folder
        / hashlib.sha256(
            json.dumps([SCHEMA, TOKENIZER, made_by], sort_keys=True).encode()
        ).hexdigest()[:16]
    )


def read_manifest(folder: Path) -> Manifest | None:
    """Return the manifest in a folder, or None if there is none.

    Raises: ClaimIndexError if it is damaged.
    """
    path = folder / "manifest.json"
    if not path.is_file():
        return None
    with damage_explained(path):
        row = json.loads(path.read_text("utf-8"))
        rows = {name: tuple(dead) for name, dead in row["segments"].items()}
        return Manifest(row["models"], rows, row["made"], row.get("content", ""))


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Replace the manifest, then remove the segments that it no longer lists."""
    row = {"schema": SCHEMA, **asdict(manifest)}
    with replacing(folder / "manifest.json") as part:
        part.write_text(json.dumps(row, indent=1), "utf-8")
    for path in folder.iterdir():
        if path.is_dir() and path.name not in manifest.segments:
            shutil.rmtree(path, ignore_errors=True)


def read_segments(folder: Path, manifest: Manifest) -> list[Segment]:
    """Return the segments that a manifest lists.

    Raises: ClaimIndexError if one is missing or damaged.
    """
    with damage_explained(folder):
        return [segments.read(folder / name) for name in manifest.segments]


def read(folder: Path) -> tuple[Manifest | None, list[Segment]]:
    """Return the manifest in a folder, None if there is none, and its segments.

    A build may replace both meanwhile; they are read again then. Raises: ClaimIndexError if one is
    damaged.
    """
    while (manifest := read_manifest(folder)) is not None:
        try:
            return manifest, read_segments(folder, manifest)
        except ClaimIndexError:
            if read_manifest(folder) == manifest:
                raise
    return None, []


def missing(folder: Path) -> ClaimIndexError:
    """Return the error of a missing index.

    There is none, or only one of other models or of an earlier version.
    """
    paths = sorted(folder.glob("*/manifest.json"))
    if not paths:
        return ClaimIndexError("no claims are indexed yet.", where=str(folder), remedy=REBUILD)
    with damage_explained(folder):
        rows = [json.loads(path.read_text("utf-8")) for path in paths]
        models = next((row["models"] for row in rows if row["schema"] == SCHEMA), None)
    if models is None:
        what = (
            "the index was made by an earlier version of Lectern, which stored it in another form."
        )
        remedy = (
            f"{REBUILD} (it makes a new one; then the folder {paths[0].parent.name} may be deleted)"
        )
        return ClaimIndexError(what, where=str(folder), remedy=remedy)
    made_by = ", ".join(f"{part} {name.split()[0]}" for part, name in models.items())
    what = f"the index was made by other models or weights ({made_by}) than those in use."
    return ClaimIndexError(what, where=str(folder), remedy=REBUILD)


@contextmanager
def damage_explained(where: Path) -> Iterator[None]:
    """Turn a damaged or missing file into one line that says what to do.

    Raises: ClaimIndexError.
    """
    try:
        yield
    except (KeyError, TypeError, ValueError, EOFError, FileNotFoundError) as error:
        what = f"the index is damaged ({type(error).__name__}: {error})."
        raise ClaimIndexError(
            what, where=str(where), remedy=f"Delete that folder. {REBUILD}"
        ) from error


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
    except ImportError:  # Windows has no such locks: one user, one process
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        remedy = "Wait until it is done; searching works meanwhile."
        raise IndexBusy("another process is indexing.", where=str(folder), remedy=remedy) from error
