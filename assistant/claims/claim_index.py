"""The claim index: the verified claims as columns by position, ready to be searched.

``index_building.py`` makes it, ``check/pair_features.py`` searches it. Positions 0..m-1 follow the order of the claims' ids.
The columns are mapped files: a claim becomes a ``VerifiedClaim`` when it is asked for.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistant.claims import index_building, index_manifest
from assistant.claims import index_segment as segments
from assistant.claims.index_columns import Array, Column, Vectors, starts
from assistant.claims.index_manifest import Claims
from assistant.claims.index_segment import Segment
from assistant.claims.records import Progress
from assistant.core.domain import RatingClass, VerifiedClaim
from features.models.batching import one_blas_thread
from features.models.model_spec import Floats
from features.models.profile_models import Encoders
from features.similarity import bm25, nearest

STATES_KEPT = 8_000  # statements whose token states stay in memory once computed, 180 MB: those of a whole check


def _text(name: str) -> Any:
    """Return a property with a text field of the claims by position, (m,), each read when it is used."""
    return cached_property(lambda index: index._column(lambda part, row: part.text(row, name)))


class ClaimIndex:
    """Verified claims by position, (m,).

    It never changes: ``open`` again to see what was added since.
    """

    ids = _text("id")
    statements = _text("statement")
    titles = _text("title")
    claimants = _text("claimant")
    ratings = _text("rating")

    def __init__(
        self,
        parts: Sequence[Segment],
        dead: Sequence[Iterable[int]],
        encoders: Encoders,
        content: str = "",
    ) -> None:
        """``dead``: the rows of each segment that do not count.

        ``content``: the store's digest if it has just that.
        """
        self._parts = list(parts)
        self._encoders = encoders
        self._content = content
        self._firsts = starts(self._parts)
        rows = [
            np.delete(np.arange(len(part)), list(gone))
            for part, gone in zip(parts, dead, strict=True)
        ]
        places = [
            np.stack((np.full(len(row), p), row), 1).astype(np.int32) for p, row in enumerate(rows)
        ]
        self._places = np.concatenate([np.zeros((0, 2), np.int32), *places])  # (m, 2): segment, row
        ids = self._whole("id")
        self._places = self._places[sorted(range(len(ids)), key=ids.__getitem__)]
        self._position = np.full(
            self._firsts[-1], -1, np.int32
        )  # of each row of the joined segments
        self._position[self._rows()] = np.arange(len(self._places))
        self._vectors: dict[str, Vectors] = {}
        self._filled: dict[str, list[NDArray[np.int32]]] = {}
        self._bm25: dict[str, bm25.BM25] = {}
        self._states: dict[int, Array] = {}

    @classmethod
    def open(cls, folder: Path, encoders: Encoders) -> ClaimIndex:
        """Return the index in a folder as it is now, articles included as far as they are ready.

        Raises: ClaimIndexError if there is none, it is damaged, or other models made it.
        """
        home = index_manifest.model_folder(Path(folder), index_manifest.models(encoders))
        manifest, parts = index_manifest.read(home)
        if manifest is None:
            raise index_manifest.missing(Path(folder))
        return cls(parts, list(manifest.segments.values()), encoders, manifest.content)

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
        """Return the index in a folder, brought up to date with the store first.

        See ``index_building.build``.
        """
        index_building.build(
            store, Path(folder), encoders, articles=articles, progress=progress, cancelled=cancelled
        )
        return cls.open(folder, encoders)

    @classmethod
    def in_memory(cls, claims: Iterable[VerifiedClaim], encoders: Encoders) -> ClaimIndex:
        """Return the index of a few claims without writing anything.

        Of two claims with one id the later counts.
        """
        unique = list({claim.id: claim for claim in claims}.values())
        part = segments.encode(unique, [fingerprint(claim) for claim in unique], encoders)
        for block in part.blocks_missing(list(segments.article_families(encoders).values())):
            segments.add_block(
                part, block, segments.encode_block(part, block, encoders, exact=True)
            )
        return cls([part], [()], encoders)

    def __len__(self) -> int:
        return len(self._places)

    @cached_property
    def rating_classes(self) -> Sequence[RatingClass]:
        """Return the classes of the ratings by position, (m,)."""
        return self._column(lambda part, row: part.rating_class(row))

    @cached_property
    def claim_days(self) -> NDArray[np.int32]:
        """Return the ordinals of the days on which the claims were made, 0 where unknown."""
        return self._joined([part.days for part in self._parts])[:, 0]

    @cached_property
    def review_days(self) -> NDArray[np.int32]:
        """Return the ordinals of the days on which the claims were checked, 0 where unknown."""
        return self._joined([part.days for part in self._parts])[:, 1]

    @property
    def newest_review(self) -> date | None:
        """Return the latest day on which a claim was checked, None where no day is known."""
        latest = int(self.review_days.max(initial=0))
        return date.fromordinal(latest) if latest else None

    @cached_property
    def bodies_ready(self) -> NDArray[np.bool_]:
        """Return whether each claim's article can be searched.

        One without an article always can.
        """
        return self._joined([part.bodies_ready() for part in self._parts])

    @cached_property
    def digest(self) -> str:
        """Return 16 hexadecimal digits that stand for the claims and the models."""
        made_by = sorted(index_manifest.models(self._encoders).items())
        return hashlib.sha256(repr((made_by, self._whole("fingerprint"))).encode()).hexdigest()[:16]

    @property
    def fingerprints(self) -> dict[str, str]:
        """Return the digest of each claim as it was indexed, by id."""
        return dict(zip(self._whole("id"), self._whole("fingerprint"), strict=True))

    def behind(self, store: Claims) -> int:
        """Return how many claims of a store are new, changed or deleted since they were indexed."""
        if self._content and self._content == index_manifest.content_of(store):
            return 0
        return len(self.fingerprints.items() ^ store.fingerprints().items())

    def position(self, claim_id: str) -> int | None:
        """Return the position of a claim, None if it is not in the index."""
        place = bisect_left(self.ids, claim_id)
        return place if place < len(self) and self.ids[place] == claim_id else None

    def claim(self, i: int) -> VerifiedClaim:
        """Return the claim at a position, with its article."""
        p, row = self._places[i]
        return self._parts[p].claim(row)

    def body_spans(self, i: int) -> NDArray[np.int32]:
        """Return the character spans of the sentences of an article, (s, 2)."""
        p, row = self._places[i]
        return self._parts[p].body_spans(row)

    def body_vectors(self, i: int, family: str = "sbert") -> Floats:
        """Return the vectors of the sentences of an article, (s, d); none until they are ready."""
        p, row = self._places[i]
        stored = self._parts[p].body_vectors(row, self._families[family])
        if (
            family == "simcse" and not len(stored) and self._encoders.simcse_is_head
        ):  # indexed before this head came
            with one_blas_thread():
                stored = segments.lift(self._parts[p].body_vectors(row, "sbert"), self._encoders)
        return np.asarray(stored, np.float32)

    @cached_property
    def _families(self) -> dict[str, str]:
        return segments.article_families(self._encoders)

    def statement_states(self, i: int) -> Array:
        """Return the token states of a statement, (t, d) float16 unit rows.

        Computed now if they are not kept.
        """
        p, row = self._places[i]
        kept = self._parts[p].statement_states(row)
        if len(kept):
            return kept
        if i not in self._states:
            self.read_states([i])
        return self._states[i]

    def read_states(self, positions: Iterable[int]) -> None:
        """Compute the token states of some statements together, of those that are not stored.

        They are cached in half precision; once there are too many, the oldest that this call does
        not need are dropped.
        """
        chosen = dict.fromkeys(positions)
        lacking = [i for i in chosen if i not in self._states and not self._has_states(i)]
        if not lacking:
            return
        computed = self._encoders.bertscore.token_states([self.statements[i] for i in lacking])
        self._states |= {
            i: states.astype(np.float16) for i, states in zip(lacking, computed, strict=True)
        }
        for i in [i for i in self._states if i not in chosen][
            : max(0, len(self._states) - STATES_KEPT)
        ]:
            del self._states[i]

    def _has_states(self, i: int) -> bool:
        p, row = self._places[i]
        return len(self._parts[p].statement_states(row)) > 0

    @property
    def statement_vectors(self) -> Vectors:
        """Return the SBERT vectors of the statements, (m, d)."""
        return self.vectors("sbert", "statement")

    def vectors(self, family: str, field: str) -> Vectors:
        """Return the vectors of a family (sbert or simcse) for a field (statement or title), (m, d)."""
        key = f"{family}-{field}"
        if key not in self._vectors:
            lifted = family == "simcse" and self._encoders.simcse_is_head
            parts = [part.vectors[f"sbert-{field}" if lifted else key] for part in self._parts]
            lift = self._encoders.lift if lifted else None
            self._vectors[key] = Vectors(
                parts, self._places, lambda: self._encoders.sbert.width, lift
            )
        return self._vectors[key]

    def nearest(
        self, sentences: Floats, field: str, depth: int, allowed: NDArray[np.bool_]
    ) -> list[NDArray[np.int32]]:
        """Return for each sentence the ``depth`` allowed claims (m,) whose field has the highest SBERT cosine.

        The best come first; ties go to the lower position. Claims without the field are never
        among them.
        """
        found = [[np.zeros(0, np.int32)] for _ in sentences]
        every = bool(allowed.all())
        for part, positions in zip(self._parts, self._filled_positions(field), strict=True):
            filled = part.vectors[f"sbert-{field}"]
            may = positions >= 0 if every else (positions >= 0) & allowed[positions]
            proposed = nearest.proposed(sentences, filled.vectors, depth, may, filled.codes)
            for rows, mine in zip(proposed, found, strict=True):
                mine.append(positions[rows])
        proposals = [np.concatenate(mine) for mine in found]
        vectors = self.vectors("sbert", field)
        return [
            bm25.highest(nearest.exact(sentence, vectors[claims]), claims, depth)
            for sentence, claims in zip(sentences, proposals, strict=True)
        ]

    def _filled_positions(self, field: str) -> list[NDArray[np.int32]]:
        """Return for each segment the positions of the claims that have a field, -1 for dead rows."""
        if field not in self._filled:
            filled = [part.vectors[f"sbert-{field}"].rows for part in self._parts]
            self._filled[field] = [
                self._position[at + rows] for at, rows in zip(self._firsts, filled, strict=False)
            ]
        return self._filled[field]

    def counts(self, field: str) -> bm25.Counts:
        """Return the word counts of a field (statement, title or body)."""
        return bm25.take(bm25.merge([part.counts[field] for part in self._parts]), self._rows())

    def bm25(self, field: str) -> bm25.BM25:
        """Return the BM25 (Okapi) of a field."""
        if field not in self._bm25:
            counts = [part.counts[field] for part in self._parts]
            self._bm25[field] = bm25.BM25(counts, rows=self._rows())
        return self._bm25[field]

    def _column(self, value: Callable[[Segment, int], Any]) -> Column:
        parts = self._parts
        places = self._places
        return Column(len(self), lambda i: value(parts[places[i, 0]], int(places[i, 1])))

    def _whole(self, name: str) -> list[str]:
        """Return a text field of all claims by position, read at once."""
        columns = [part.column(name) for part in self._parts]
        return [columns[p][row] for p, row in self._places.tolist()]

    def _joined(self, columns: Sequence[Array]) -> Array:
        """Return the values of all segments by position."""
        return np.concatenate(columns)[self._rows()] if columns else np.zeros((0, 2), np.int32)

    def _rows(self) -> NDArray[np.int64]:
        """Return the row of each position when the segments are joined, (m,)."""
        return self._firsts[self._places[:, 0]] + self._places[:, 1]


def fingerprint(claim: VerifiedClaim) -> str:
    """Return a digest that changes with any field of a claim."""
    return hashlib.sha256(repr(claim).encode()).hexdigest()
