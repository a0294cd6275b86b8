"""Brings a claim index up to date with a claim store: what is new or changed is added, what is gone is left out.

Statements and titles come first and can be searched while the articles follow. Every step is kept as soon as it is
done, so that a killed run goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from assistant.claims import index_manifest as files
from assistant.claims import index_segment as segments
from assistant.claims.index_segment import Segment
from assistant.ground.domain import VerifiedClaim
from assistant.ground.errors import Cancelled, ClaimIndexError
from assistant.ground.files import explained
from features.models import Encoders

PART = 1000  # claims in a segment: what a kill can cost is the reading of their statements, some seconds
FEW = 200  # articles: loading the runtime that is faster with many takes longer than reading these exactly
Progress = Callable[[str, int, int], None]


class Claims(Protocol):
    """What is asked of a claim store."""

    def fingerprints(self) -> Mapping[str, str]:
        """Return id and digest of every claim."""
        ...

    def many(self, ids: Iterable[str]) -> Mapping[str, VerifiedClaim]:
        """Return some claims by their ids."""
        ...


def build(
    store: Claims,
    folder: Path,
    encoders: Encoders,
    *,
    articles: bool = True,
    exact: bool = False,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> list[tuple[Segment, tuple[int, ...]]]:
    """Return the segments of an index brought up to date with a store, each with its rows that no longer hold.

    ``articles=False`` stops when statements can be searched.

    ``exact`` reads articles in float32 even where bfloat16 is faster. ``progress`` is told ("statements" or
    "articles", done, total), counted in claims.

    Raises: ClaimIndexError if another process is at it or the disk refuses; Cancelled if ``cancelled`` says so.
    """
    report, stopped = progress or (lambda *_: None), cancelled or (lambda: False)
    made_by = files.models(encoders)
    home = files.place(folder, made_by)
    with explained(folder, ClaimIndexError, then=f"What is done is kept. {files.REBUILD}"):
        home.mkdir(parents=True, exist_ok=True)
        with files.sole_writer(home):
            manifest = files.read_manifest(home) or files.Manifest(made_by)
            parts = _add_claims(store, home, manifest, encoders, report, stopped)
            if articles:
                _add_articles([part for part, _ in parts], encoders, exact, report, stopped)
            return parts


def _add_claims(
    store: Claims,
    home: Path,
    manifest: files.Manifest,
    encoders: Encoders,
    report: Progress,
    stopped: Callable[[], bool],
) -> list[tuple[Segment, tuple[int, ...]]]:
    """Return the segments of an index that now holds every claim of the store as it is, and their dead rows."""
    wanted = store.fingerprints()
    parts = dict(zip(manifest.segments, files.read_segments(home, manifest), strict=True))
    held = {
        claim.id: fingerprint
        for name, part in parts.items()
        for row, (claim, fingerprint) in enumerate(zip(part.claims, part.fingerprints, strict=True))
        if row not in manifest.segments[name]
    }
    new = [claim for claim in wanted if held.get(claim) != wanted[claim]]
    gone = held.keys() - wanted.keys()
    if gone or not manifest.segments:
        manifest = _without(manifest, parts, gone)
        files.write_manifest(home, manifest)
    for start in range(0, len(new), PART):
        _check(stopped)
        report("statements", len(wanted) - len(new) + start, len(wanted))
        ids = new[start : start + PART]
        found = store.many(ids)
        claims = [found[i] for i in ids if i in found]  # a claim may have been deleted since
        part = segments.encode(claims, [wanted[c.id] for c in claims], encoders)
        name = f"{manifest.made + 1:06}"
        parts[name] = segments.save(part, home / name)
        manifest = _without(manifest, parts, {c.id for c in claims})
        manifest = replace(manifest, segments={**manifest.segments, name: ()}, made=manifest.made + 1)
        files.write_manifest(home, manifest)
    report("statements", len(wanted), len(wanted))
    return [(parts[name], dead) for name, dead in manifest.segments.items()]


def _without(manifest: files.Manifest, parts: Mapping[str, Segment], gone: Iterable[str]) -> files.Manifest:
    """Return the manifest in which the rows of some claims no longer hold; a segment without rows is dropped."""
    names = set(gone)
    left = {}
    for name, dead in manifest.segments.items():
        part = parts[name]
        rows = tuple(row for row, claim in enumerate(part.claims) if row in dead or claim.id in names)
        if len(rows) < len(part):
            left[name] = rows
    return replace(manifest, segments=left)


def _add_articles(
    parts: Sequence[Segment], encoders: Encoders, exact: bool, report: Progress, stopped: Callable[[], bool]
) -> None:
    total = sum(len(part) for part in parts)
    missing = [(part, block) for part in parts for block in part.blocks_missing()]
    waiting = sum(min(segments.BLOCK, len(part) - block * segments.BLOCK) for part, block in missing)
    done, exact = total - waiting, exact or waiting <= FEW
    for part, block in missing:
        _check(stopped)
        report("articles", done, total)
        segments.add_block(part, block, segments.encode_block(part, block, encoders, exact=exact))
        done += min(segments.BLOCK, len(part) - block * segments.BLOCK)
    report("articles", total, total)


def _check(stopped: Callable[[], bool]) -> None:
    if stopped():
        raise Cancelled("Indexing was stopped; what is done is kept.")
