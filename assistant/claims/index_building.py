"""Builds the claim index, or brings it up to date: adds the store's new or changed claims and drops deleted ones.

Statements and titles come first and can be searched while the articles follow. Each step is stored when it is done, so
that a killed run continues where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from assistant.claims import index_manifest, index_segment
from assistant.claims.index_manifest import Manifest
from assistant.claims.index_segment import Segment
from assistant.claims.records import Progress
from assistant.ground.domain import VerifiedClaim
from assistant.ground.errors import Cancelled, ClaimIndexError
from assistant.ground.files import explained
from features.models import Encoders

PART = 1000  # claims in a segment; being killed costs at most their statements, some seconds
FEW = 200  # articles: loading the runtime that is faster with many takes longer than encoding these exactly
Parts = list[tuple[Segment, tuple[int, ...]]]  # segments, each with its dead rows


class Claims(Protocol):
    """What indexing needs of a claim store."""

    def fingerprints(self) -> Mapping[str, str]:
        """Return id and digest of every claim."""
        ...

    def many(self, ids: Iterable[str]) -> Mapping[str, VerifiedClaim]:
        """Return some claims by their ids, in the order asked for; unknown ids are missing."""
        ...


def build(
    store: Claims,
    folder: Path,
    encoders: Encoders,
    *,
    articles: bool = True,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Parts:
    """Return the segments of an index brought up to date with a store, each with its dead rows.

    ``articles=False`` stops as soon as statements can be searched. ``progress`` gets ("statements" or "articles",
    done, total), counted in claims.

    Raises: ClaimIndexError if another process is indexing or the disk refuses; Cancelled if ``cancelled`` says so.
    """
    made_by = index_manifest.models(encoders)
    home = index_manifest.model_folder(folder, made_by)
    with explained(folder, ClaimIndexError, then=f"What is done is kept. {index_manifest.REBUILD}"):
        home.mkdir(parents=True, exist_ok=True)
        with index_manifest.sole_writer(home):
            builder = _Builder(home, encoders, progress or (lambda *_: None), cancelled or (lambda: False))
            parts = builder.add_claims(store, index_manifest.read_manifest(home) or Manifest(made_by))
            if articles:
                builder.add_articles([part for part, _ in parts])
            return parts


@dataclass(frozen=True, slots=True)
class _Builder:
    home: Path
    encoders: Encoders
    progress: Progress
    cancelled: Callable[[], bool]

    def add_claims(self, store: Claims, manifest: Manifest) -> Parts:
        """Return the segments of an index that has every claim of the store as it is now, and their dead rows."""
        wanted = store.fingerprints()
        parts = dict(zip(manifest.segments, index_manifest.read_segments(self.home, manifest), strict=True))
        indexed = _indexed(manifest, parts)
        new = [claim for claim in wanted if indexed.get(claim) != wanted[claim]]
        deleted = indexed.keys() - wanted.keys()
        if deleted or not manifest.segments:
            manifest = _without(manifest, parts, deleted)
            index_manifest.write_manifest(self.home, manifest)
        for start in range(0, len(new), PART):
            self._report("statements", len(wanted) - len(new) + start, len(wanted))
            claims = store.many(new[start : start + PART])  # without those deleted meanwhile
            part = index_segment.encode(list(claims.values()), [wanted[i] for i in claims], self.encoders)
            name = f"{manifest.made + 1:06}"
            parts[name] = index_segment.save(part, self.home / name)
            manifest = _without(manifest, parts, claims)
            manifest = replace(manifest, segments={**manifest.segments, name: ()}, made=manifest.made + 1)
            index_manifest.write_manifest(self.home, manifest)
        self.progress("statements", len(wanted), len(wanted))
        return [(parts[name], dead) for name, dead in manifest.segments.items()]

    def add_articles(self, parts: Sequence[Segment]) -> None:
        """Add the article vectors that segments still lack, block by block."""
        total = sum(len(part) for part in parts)
        missing = [(part, block) for part in parts for block in part.blocks_missing()]
        size = index_segment.BLOCK
        sizes = [min(size, len(part) - block * size) for part, block in missing]
        done, exact = total - sum(sizes), sum(sizes) <= FEW
        for (part, block), size in zip(missing, sizes, strict=True):
            self._report("articles", done, total)
            vectors = index_segment.encode_block(part, block, self.encoders, exact=exact)
            index_segment.add_block(part, block, vectors)
            done += size
        self.progress("articles", total, total)

    def _report(self, stage: str, done: int, total: int) -> None:
        if self.cancelled():
            raise Cancelled("Indexing was stopped; what is done is kept.")
        self.progress(stage, done, total)


def _indexed(manifest: Manifest, parts: Mapping[str, Segment]) -> dict[str, str]:
    """Return id and digest of every claim in the segments that is not dead."""
    return {
        claim.id: fingerprint
        for name, part in parts.items()
        for row, (claim, fingerprint) in enumerate(zip(part.claims, part.fingerprints, strict=True))
        if row not in manifest.segments[name]
    }


def _without(manifest: Manifest, parts: Mapping[str, Segment], claims: Iterable[str]) -> Manifest:
    """Return the manifest in which the rows of some claims are dead; a segment of dead rows only is dropped."""
    ids = set(claims)
    segments = {}
    for name, dead in manifest.segments.items():
        part = parts[name]
        rows = tuple(row for row, claim in enumerate(part.claims) if row in dead or claim.id in ids)
        if len(rows) < len(part):
            segments[name] = rows
    return replace(manifest, segments=segments)
