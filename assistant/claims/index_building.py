"""Builds the claim index, or brings it up to date.

It adds the store's new or changed claims and drops deleted ones. Statements and titles come first
and can be searched while the articles follow. Each step is stored when it is done, so that a
killed run continues from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from assistant.claims import index_manifest, index_merging, index_segment
from assistant.claims.index_manifest import ClaimSource, IndexManifest
from assistant.claims.index_segment import Segment
from assistant.core.errors import Cancelled, ClaimIndexError
from assistant.core.files import explained
from assistant.core.progress_callback import Progress
from features.models.profile_models import Encoders

if TYPE_CHECKING:
    from assistant.claims.claim_store import ClaimStore

# Claims in a new segment. A build that is killed loses at most their statements, some seconds of
# work.
SEGMENT_CLAIMS = 1000
# Up to so many articles are encoded exactly: loading the runtime that is faster with many would
# take longer.
EXACT_MAX_ARTICLES = 200
# Statements whose token states are stored, 22 kB each; the others are computed when needed.
MAX_STORED_STATES = 100_000


def build(
    store: ClaimSource,
    folder: Path,
    encoders: Encoders,
    *,
    articles: bool = True,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> None:
    """Bring the index in a folder up to date with a store.

    ``articles=False`` stops as soon as statements can be searched. ``progress`` gets ("statements"
    or "articles", done, total), counted in claims.

    Raises: ClaimIndexError if another process is indexing or the disk refuses; Cancelled if
    ``cancelled`` says so.
    """
    model_digests = index_manifest.model_digests(encoders)
    model_folder = index_manifest.model_folder(folder, model_digests)
    remedy = f"The finished part of the index is stored. {index_manifest.REBUILD}"
    with explained(folder, ClaimIndexError, then=remedy):
        model_folder.mkdir(parents=True, exist_ok=True)
        with index_manifest.sole_writer(model_folder):
            builder = _IndexBuilder(
                model_folder,
                encoders,
                progress or (lambda *_: None),
                cancelled or (lambda: False),
            )
            store_digest = index_manifest.content_digest(store)
            # The manifest lists the segments of the index, which each step changes.
            manifest = index_manifest.read_manifest(model_folder) or IndexManifest(model_digests)
            manifest = builder.add_claims(store, manifest)
            if articles:
                builder.add_articles(index_manifest.read_segments(model_folder, manifest))
                manifest = index_merging.merge_small_segments(model_folder, manifest)
                for segment in index_manifest.read_segments(model_folder, manifest):
                    index_segment.add_codes(segment)
            if manifest.content != store_digest:
                manifest = replace(manifest, content=store_digest)
                index_manifest.write_manifest(model_folder, manifest)


def drop_outdated(store: ClaimStore, folder: Path, encoders: Encoders) -> bool:
    """Drop the claims that are withdrawn, and those with another rating or statement by now.

    Such a claim is found again when it is indexed; until then its old words are not. Return whether
    there were any.

    Raises: ClaimIndexError if another process is indexing.
    """
    model_folder = index_manifest.model_folder(folder, index_manifest.model_digests(encoders))
    with explained(folder, ClaimIndexError), index_manifest.sole_writer(model_folder):
        manifest = index_manifest.read_manifest(model_folder)
        if manifest is None:
            return False
        segment_list = index_manifest.read_segments(model_folder, manifest)
        segments = dict(zip(manifest.segments, segment_list, strict=True))
        store_fingerprints = store.fingerprints()
        changed_rows = {}
        for claim_id, segment_row, fingerprint in _live_claims(manifest, segments):
            if store_fingerprints.get(claim_id) != fingerprint:
                changed_rows[claim_id] = segment_row
        reviews = store.current_reviews(changed_rows)
        outdated_rows = []
        for claim_id, segment_row in changed_rows.items():
            indexed_claim = segments[segment_row.segment_name].claim(segment_row.row)
            review = reviews.get(claim_id)
            if review is None or review.withdrawn:
                outdated_rows.append(segment_row)
                continue
            has_other_statement = indexed_claim.statement != review.statement
            has_other_rating = indexed_claim.rating != review.rating
            if has_other_statement or has_other_rating:
                outdated_rows.append(segment_row)
        if outdated_rows:
            manifest = replace(_without_rows(manifest, segments, outdated_rows), content="")
            index_manifest.write_manifest(model_folder, manifest)
        return bool(outdated_rows)


@dataclass(frozen=True, slots=True)
class _SegmentRow:
    """A row of a segment, by the segment's name."""

    segment_name: str
    row: int


@dataclass(frozen=True, slots=True)
class _IndexBuilder:
    """Adds claims and articles to the index in a folder."""

    model_folder: Path
    encoders: Encoders
    progress: Progress
    cancelled: Callable[[], bool]

    def add_claims(self, store: ClaimSource, manifest: IndexManifest) -> IndexManifest:
        """Index every claim of the store as it is now, and return the new manifest."""
        current = store.fingerprints()
        opened = index_manifest.read_segments(self.model_folder, manifest)
        segments = dict(zip(manifest.segments, opened, strict=True))
        indexed_rows: dict[str, _SegmentRow] = {}
        indexed_fingerprints: dict[str, str] = {}
        for claim_id, segment_row, fingerprint in _live_claims(manifest, segments):
            indexed_rows[claim_id] = segment_row
            indexed_fingerprints[claim_id] = fingerprint

        deleted_ids = indexed_rows.keys() - current.keys()
        if deleted_ids or not manifest.segments:
            deleted_rows = [indexed_rows[claim_id] for claim_id in deleted_ids]
            manifest = _without_rows(manifest, segments, deleted_rows)
            index_manifest.write_manifest(self.model_folder, manifest)

        new_ids = [
            claim_id
            for claim_id, fingerprint in current.items()
            if indexed_fingerprints.get(claim_id) != fingerprint
        ]
        stored_states = sum(_states_in(segment) for segment in segments.values())
        for start in range(0, len(new_ids), SEGMENT_CLAIMS):
            self._report_progress("statements", len(current) - len(new_ids) + start, len(current))
            # A claim that was deleted meanwhile is missing here.
            claims = store.many(new_ids[start : start + SEGMENT_CLAIMS])
            fingerprints = [current[claim_id] for claim_id in claims]
            with_states = stored_states + len(claims) <= MAX_STORED_STATES
            if with_states:
                stored_states += len(claims)
            segment = index_segment.encode_claims(
                list(claims.values()), fingerprints, self.encoders, with_token_states=with_states
            )
            number = manifest.made + 1
            name = f"{number:06}"
            segments[name] = index_segment.save_segment(segment, self.model_folder / name)
            outdated_rows = [
                indexed_rows[claim_id] for claim_id in claims if claim_id in indexed_rows
            ]
            manifest = _without_rows(manifest, segments, outdated_rows)
            dead_rows = {**manifest.segments, name: ()}
            manifest = replace(manifest, segments=dead_rows, made=number, content="")
            index_manifest.write_manifest(self.model_folder, manifest)
        self.progress("statements", len(current), len(current))
        return manifest

    def add_articles(self, segments: Sequence[Segment]) -> None:
        """Add the article vectors that segments still lack, block by block."""
        families = list(index_segment.article_families(self.encoders).values())
        missing_blocks = []
        for segment in segments:
            for block in segment.blocks_missing(families):
                missing_blocks.append((segment, block))
        # The number of articles in each missing block
        block_sizes = [len(segment.block_rows(block)) for segment, block in missing_blocks]
        missing_count = sum(block_sizes)
        # Many articles are encoded by faster arithmetic, whose vectors differ slightly.
        is_exact = missing_count <= EXACT_MAX_ARTICLES
        article_count = sum(len(segment) for segment in segments)
        done_count = article_count - missing_count
        for (segment, block), block_size in zip(missing_blocks, block_sizes, strict=True):
            self._report_progress("articles", done_count, article_count)
            vectors = index_segment.encode_block(segment, block, self.encoders, exact=is_exact)
            index_segment.add_block(segment, block, vectors)
            done_count += block_size
        self.progress("articles", article_count, article_count)

    def _report_progress(self, stage: str, done: int, total: int) -> None:
        """Report progress; raise Cancelled if the build is to stop."""
        if self.cancelled():
            raise Cancelled("Indexing was stopped. The finished part of the index is stored.")
        self.progress(stage, done, total)


def _states_in(segment: Segment) -> int:
    """Count the statements of a segment whose token states are stored."""
    return int((np.diff(segment.state_starts) > 0).sum())


def _live_claims(
    manifest: IndexManifest, segments: Mapping[str, Segment]
) -> Iterable[tuple[str, _SegmentRow, str]]:
    """Yield id, row and fingerprint of every claim in the segments that is not dead."""
    for name, segment in segments.items():
        # A row is dead if its claim was changed or deleted since the segment was written.
        dead_rows = set(manifest.segments[name])
        ids = segment.column("id")
        fingerprints = segment.column("fingerprint")
        for row, (claim_id, fingerprint) in enumerate(zip(ids, fingerprints, strict=True)):
            if row not in dead_rows:
                yield claim_id, _SegmentRow(name, row), fingerprint


def _without_rows(
    manifest: IndexManifest,
    segments: Mapping[str, Segment],
    outdated_rows: Iterable[_SegmentRow],
) -> IndexManifest:
    """Mark rows as dead, and drop each segment that has only dead rows."""
    dead_rows_by_segment = {name: set(dead_rows) for name, dead_rows in manifest.segments.items()}
    for outdated_row in outdated_rows:
        dead_rows_by_segment[outdated_row.segment_name].add(outdated_row.row)
    remaining_segments = {}
    for name, dead_rows in dead_rows_by_segment.items():
        has_live_rows = len(dead_rows) < len(segments[name])
        if has_live_rows:
            remaining_segments[name] = tuple(sorted(dead_rows))
    return replace(manifest, segments=remaining_segments)
