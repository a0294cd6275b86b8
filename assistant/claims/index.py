"""The claim index: the verified claims as arrays by position, ready to be searched.

``index_building.py`` makes it, ``check/measures.py`` searches it. Positions 0..m-1 follow the order of the claims' ids.
Large arrays stay on the disk until they are used.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistant.claims import index_building, index_manifest
from assistant.claims import index_segment as segments
from assistant.claims.index_building import Claims
from assistant.claims.index_segment import Array, Segment
from assistant.claims.records import Progress
from assistant.ground.domain import VerifiedClaim
from features import bm25
from features.batching import one_blas_thread, threads
from features.models import Encoders
from features.spec import Floats

LIFTED_KEPT = 800_000  # article sentences whose SimCSE vectors stay in memory: 600 MB at most


def _column(field: str) -> Any:
    """Return a property with a field of the claims by position, a tuple (m,)."""
    return cached_property(lambda index: tuple(getattr(claim, field) for claim in index._claims))


class ClaimIndex:
    """Verified claims by position, (m,). It never changes: ``open`` again to see what was added since."""

    ids, statements, titles = _column("id"), _column("statement"), _column("title")
    claimants, ratings, rating_classes = _column("claimant"), _column("rating"), _column("rating_class")

    def __init__(self, parts: Sequence[Segment], dead: Sequence[Iterable[int]], encoders: Encoders) -> None:
        self._parts, self._encoders = list(parts), encoders
        alive = [(p, row) for p, part in enumerate(self._parts) for row in sorted(set(range(len(part))) - set(dead[p]))]
        alive.sort(key=lambda place: self._parts[place[0]].claims[place[1]].id)
        self._places = np.array(alive, np.int64).reshape(-1, 2)  # (m, 2): segment, row
        self._claims = tuple(self._parts[p].claims[row] for p, row in alive)
        self._vectors: dict[str, Floats] = {}
        self._bm25: dict[str, bm25.BM25] = {}
        self._lifted: dict[int, Array] = {}
        self._lifted_kept = LIFTED_KEPT
        self._lifted_rows = 0

    @classmethod
    def open(cls, folder: Path, encoders: Encoders) -> ClaimIndex:
        """Return the index in a folder as it is now, articles included as far as they are ready.

        Raises: ClaimIndexError if there is none, it is damaged, or other models made it.
        """
        home = index_manifest.model_folder(Path(folder), index_manifest.models(encoders))
        manifest = index_manifest.read_manifest(home)
        if manifest is None:
            raise index_manifest.missing(Path(folder))
        return cls(index_manifest.read_segments(home, manifest), list(manifest.segments.values()), encoders)

    @classmethod
    def build(
        cls,
        store: Claims,
        folder: Path,
        encoders: Encoders,
        *,
        articles: bool = True,
        progress: Progress | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> ClaimIndex:
        """Return the index in a folder, brought up to date with the store first. See ``index_building.build``."""
        parts = index_building.build(
            store, Path(folder), encoders, articles=articles, progress=progress, cancelled=cancelled
        )
        return cls(*zip(*parts, strict=True), encoders) if parts else cls([], [], encoders)

    @classmethod
    def in_memory(cls, claims: Iterable[VerifiedClaim], encoders: Encoders) -> ClaimIndex:
        """Return the index of a few claims without writing anything. Of two claims with one id the later counts."""
        unique = list({claim.id: claim for claim in claims}.values())
        part = segments.encode(unique, [fingerprint(claim) for claim in unique], encoders)
        for block in part.blocks_missing():
            segments.add_block(part, block, segments.encode_block(part, block, encoders, exact=True))
        return cls([part], [()], encoders)

    def __len__(self) -> int:
        return len(self._claims)

    @cached_property
    def claim_days(self) -> NDArray[np.int32]:
        """Return the ordinals of the days on which the claims were made, 0 where unknown."""
        return _days(c.claim_date for c in self._claims)

    @cached_property
    def review_days(self) -> NDArray[np.int32]:
        """Return the ordinals of the days on which the claims were checked, 0 where unknown."""
        return _days(c.review_date for c in self._claims)

    @property
    def newest_review(self) -> date | None:
        """Return the latest day on which a claim was checked, None where no day is known."""
        latest = int(self.review_days.max(initial=0))
        return date.fromordinal(latest) if latest else None

    @cached_property
    def bodies_ready(self) -> NDArray[np.bool_]:
        """Return whether each claim's article can be searched; one without an article always can."""
        ready = [part.bodies_ready() for part in self._parts]
        return np.array([ready[p][row] for p, row in self._places], bool)

    @cached_property
    def digest(self) -> str:
        """Return 16 hexadecimal digits that stand for the claims and the models."""
        content = [self._parts[p].fingerprints[row] for p, row in self._places]
        made_by = index_manifest.models(self._encoders)
        return hashlib.sha256(repr((sorted(made_by.items()), content)).encode()).hexdigest()[:16]

    @cached_property
    def fingerprints(self) -> Mapping[str, str]:
        """Return the store's digest of each claim as it was when it was indexed, by id."""
        return {c.id: self._parts[p].fingerprints[row] for c, (p, row) in zip(self._claims, self._places, strict=True)}

    def behind(self, store: Claims) -> int:
        """Return how many claims of a store are new, changed or deleted since they were indexed."""
        return len(set(self.fingerprints.items()) ^ set(store.fingerprints().items()))

    def claim(self, i: int) -> VerifiedClaim:
        """Return the claim at a position, with its article."""
        p, row = self._places[i]
        return replace(self._claims[i], body=self._parts[p].body(row))

    def body_spans(self, i: int) -> NDArray[np.int32]:
        """Return the character spans of the sentences of an article, (s, 2)."""
        p, row = self._places[i]
        return self._parts[p].body_spans(row)

    def body_vectors(self, i: int, family: str = "sbert") -> Floats:
        """Return the vectors of the sentences of an article, (s, d); none until they are ready."""
        p, row = self._places[i]
        if family == "simcse" and self._encoders.simcse_is_head:
            return self._lifted_body(i)
        return np.asarray(self._parts[p].body_vectors(row, family), np.float32)

    def statement_states(self, i: int) -> Array:
        """Return the token states of a statement, (t, d) float16 unit rows."""
        p, row = self._places[i]
        return self._parts[p].statement_states(row)

    @property
    def statement_vectors(self) -> Floats:
        """Return the SBERT vectors of the statements, (m, d)."""
        return self.vectors("sbert", "statement")

    @property
    def title_vectors(self) -> Floats:
        """Return the SBERT vectors of the titles, (m, d); zero where a claim has none."""
        return self.vectors("sbert", "title")

    def vectors(self, family: str, field: str) -> Floats:
        """Return the vectors of a family (sbert or simcse) for a field (statement or title), (m, d)."""
        key = f"{family}-{field}"
        if key not in self._vectors:
            if family == "simcse" and self._encoders.simcse_is_head:
                self._vectors[key] = self._encoders.lift(self.vectors("sbert", field))
            else:
                self._vectors[key] = self._gathered([part.vectors[key] for part in self._parts])
        return self._vectors[key]

    def counts(self, field: str) -> bm25.Counts:
        """Return the word counts of a field (statement, title or body)."""
        with index_manifest.damage_explained(
            next((part.folder for part in self._parts if part.folder), Path("memory"))
        ):
            merged = segments.merged_counts(self._parts, field)
        rows = self._rows()
        if np.array_equal(rows, np.arange(merged.frequencies.shape[0])):
            return merged
        return bm25.take(merged, rows)

    def bm25(self, field: str) -> bm25.BM25:
        """Return the BM25 (Okapi) of a field."""
        if field not in self._bm25:
            self._bm25[field] = bm25.BM25(self.counts(field))
        return self._bm25[field]

    def keep_lifted(self, rows: int) -> None:
        """Limit how many article sentences' SimCSE vectors are cached; the latest ones stay."""
        self._lifted_kept = rows
        self._forget()

    def lift_bodies(self, positions: Iterable[int]) -> None:
        """Compute SimCSE's vectors of some articles, several at a time.

        They are cached in half precision for the next transcript; the oldest are dropped when there are too many.
        Where SimCSE is not a head on SBERT, this does nothing.
        """
        if not self._encoders.simcse_is_head:
            return
        waiting = [i for i in dict.fromkeys(positions) if i not in self._lifted]
        with one_blas_thread(), ThreadPoolExecutor(threads()) as pool:
            for i, lifted in zip(waiting, pool.map(self._lift, waiting), strict=True):
                self._lifted[i] = lifted
                self._lifted_rows += len(lifted)
                self._forget()

    def _forget(self) -> None:
        while self._lifted_rows > self._lifted_kept:
            self._lifted_rows -= len(self._lifted.pop(next(iter(self._lifted))))

    def _lift(self, i: int) -> Array:
        """Return SimCSE's vectors of an article, in half precision.

        Each article is a product of its own, by one thread: the last bits of a row depend on where in a product it
        stands, and on how threads share the product.
        """
        with one_blas_thread():
            return self._encoders.lift(self.body_vectors(i)).astype(np.float16)

    def _lifted_body(self, i: int) -> Floats:
        """Return SimCSE's vectors of an article, computed now if they are not cached."""
        self.lift_bodies([i])
        lifted = self._lifted.get(i)
        return np.asarray(self._lift(i) if lifted is None else lifted, np.float32)

    def _gathered(self, arrays: Sequence[Array]) -> Floats:
        if not len(self):
            return np.zeros((0, self._encoders.sbert.width), np.float32)
        return np.concatenate(arrays)[self._rows()]

    def _rows(self) -> NDArray[np.int64]:
        """Return the row of each position when the segments are joined, (m,)."""
        starts = np.cumsum([0, *map(len, self._parts)])
        return starts[self._places[:, 0]] + self._places[:, 1]


def _days(dates: Iterable[date | None]) -> NDArray[np.int32]:
    return np.array([day.toordinal() if day else 0 for day in dates], np.int32)


def fingerprint(claim: VerifiedClaim) -> str:
    """Return a digest that changes with any field of a claim."""
    return hashlib.sha256(repr(claim).encode()).hexdigest()
