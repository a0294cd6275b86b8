"""Builds the claim index, or brings it up to date.

Adds the store's new or changed claims and drops deleted ones.

Statements and titles come first and can be searched while the articles follow. Each step is stored
when it is done, so that a killed run continues where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from assistant.claims import index_manifest, index_merging, index_segment
from assistant.claims.index_manifest import Claims, Manifest
from assistant.claims.index_segment import Segment
from assistant.claims.records import Progress
from assistant.core.errors import Cancelled, ClaimIndexError
from assistant.core.files import explained
from features.models.profile_models import Encoders

PART = 1000  # claims in a segment; being killed costs at most their statements, some seconds
FEW = 200  # articles: loading the runtime that is faster with many takes longer than encoding these exactly
STATES = 100_000  # statements whose token states are stored, 22 kB each; those of others are computed when needed


def build(
    store: Claims,
    folder: Path,
    encoders: Encoders,
    *,
    articles: bool = True,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> None:
    """Bring the index in a folder up to date with a store.

    ``articles=False`` stops as soon as statements can be searched. ``progress`` gets ("statements" or "articles",
    done, total), counted in claims.

    Raises: ClaimIndexError if another process is indexing or the disk refuses; Cancelled if
    ``cancelled`` says so.
    """
    made_by = index_manifest.models(encoders)
    home = index_manifest.model_folder(folder, made_by)
    with explained(folder, ClaimIndexError, then=f"What is done is kept. {index_manifest.REBUILD}"):
        home.mkdir(parents=True, exist_ok=True)
        with index_manifest.sole_writer(home):
            builder = _Builder(
                home, encoders, progress or (lambda *_: None), cancelled or (lambda: False)
            )
            content = index_manifest.content_of(store)
            manifest = builder.add_claims(
                store, index_manifest.read_manifest(home) or Manifest(made_by)
            )
            if articles:
                builder.add_articles(index_manifest.read_segments(home, manifest))
                manifest = index_merging.merged(home, manifest)
                for part in index_manifest.read_segments(home, manifest):
                    index_segment.add_codes(part)
            if manifest.content != content:
                index_manifest.write_manifest(home, replace(manifest, content=content))


@dataclass(frozen=True, slots=True)
class _Builder:
    home: Path
    encoders: Encoders
    progress: Progress
    cancelled: Callable[[], bool]

    def add_claims(self, store: Claims, manifest: Manifest) -> Manifest:
        """Return the manifest of an index that has every claim of the store as it is now."""
        wanted = store.fingerprints()
        parts = dict(
            zip(manifest.segments, index_manifest.read_segments(self.home, manifest), strict=True)
        )
        indexed = _indexed(manifest, parts)
        new = [
            claim for claim in wanted if claim not in indexed or indexed[claim][2] != wanted[claim]
        ]
        deleted = [indexed[claim][:2] for claim in indexed.keys() - wanted.keys()]
        if deleted or not manifest.segments:
            manifest = _without(manifest, parts, deleted)
            index_manifest.write_manifest(self.home, manifest)
        kept = sum(int((np.diff(part.state_starts) > 0).sum()) for part in parts.values())
        for start in range(0, len(new), PART):
            self._report("statements", len(wanted) - len(new) + start, len(wanted))
            claims = store.many(new[start : start + PART])  # without those deleted meanwhile
            marks = [wanted[claim] for claim in claims]
            states = kept + len(claims) <= STATES
            part = index_segment.encode(list(claims.values()), marks, self.encoders, states=states)
            kept += len(claims) * states
            name = f"{manifest.made + 1:06}"
            parts[name] = index_segment.save(part, self.home / name)
            manifest = _without(
                manifest, parts, [indexed[claim][:2] for claim in claims if claim in indexed]
            )
            segments = {**manifest.segments, name: ()}
            manifest = replace(manifest, segments=segments, made=manifest.made + 1, content="")
            index_manifest.write_manifest(self.home, manifest)
        self.progress("statements", len(wanted), len(wanted))
        return manifest

    def add_articles(self, parts: Sequence[Segment]) -> None:
        """Add the article vectors that segments still lack, block by block."""
        total = sum(len(part) for part in parts)
        families = list(index_segment.article_families(self.encoders).values())
        missing = [(part, block) for part in parts for block in part.blocks_missing(families)]
        size = index_segment.BLOCK
        sizes = [min(size, len(part) - block * size) for part, block in missing]
        done = total - sum(sizes)
        exact = sum(sizes) <= FEW
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


def _indexed(manifest: Manifest, parts: Mapping[str, Segment]) -> dict[str, tuple[str, int, str]]:
    """Return segment, row and digest of every claim in the segments that is not dead, by id."""
    indexed = {}
    for name, part in parts.items():
        dead = set(manifest.segments[name])
        for row, (claim, mark) in enumerate(
            zip(part.column("id"), part.column("fingerprint"), strict=True)
        ):
            if row not in dead:
                indexed[claim] = name, row, mark
    return indexed


def _without(
    manifest: Manifest, parts: Mapping[str, Segment], rows: Iterable[tuple[str, int]]
) -> Manifest:
    """Return the manifest in which some rows are dead; a segment of dead rows only is dropped."""
    dead = {name: set(known) for name, known in manifest.segments.items()}
    for name, row in rows:
        dead[name].add(row)
    left = {name: tuple(sorted(of)) for name, of in dead.items() if len(of) < len(parts[name])}
    return replace(manifest, segments=left)
