"""The claim index: the verified claims as columns by position, ready to be searched.

``index_building.py`` builds it, ``check/pair_features.py`` searches it. Positions 0..m-1 follow the
order of the claims' ids. The columns are memory-mapped files, and a ``VerifiedClaim`` is made of
them only when it is used.
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

from assistant.claims import index_building, index_manifest, index_segment
from assistant.claims.copies import NearCopies
from assistant.claims.index_columns import Array, ClaimVectors, LazyColumn, start_offsets
from assistant.claims.index_manifest import ClaimSource
from assistant.claims.index_segment import Segment
from assistant.core.domain import RatingClass, VerifiedClaim
from assistant.core.progress_callback import Progress
from features.models.batching import one_blas_thread
from features.models.model_spec import Floats
from features.models.profile_models import Encoders
from features.similarity import bm25, nearest

# Statements whose token states stay in memory once computed: those of a whole check, 180 MB.
MAX_CACHED_STATES = 8_000


def _text_property(name: str) -> Any:
    """Make a property for a text field of the claims by position, (m,); texts are read on use."""

    # A segment is a part of the index with files of its own.
    def text_of_row(segment: Segment, row: int) -> str:
        return segment.text(row, name)

    def column_of_index(index: ClaimIndex) -> LazyColumn:
        return index._lazy_column(text_of_row)

    return cached_property(column_of_index)


class ClaimIndex:
    """Verified claims by position, (m,).

    It never changes: ``open`` again to see newer claims.
    """

    ids = _text_property("id")
    statements = _text_property("statement")
    titles = _text_property("title")
    claimants = _text_property("claimant")
    ratings = _text_property("rating")
    publishers = _text_property("publisher")
    urls = _text_property("url")

    def __init__(
        self,
        segments: Sequence[Segment],
        dead_rows: Sequence[Iterable[int]],
        encoders: Encoders,
        content: str = "",
    ) -> None:
        """Join segments, without the ``dead_rows`` of each.

        ``content``: digest of the store whose claims these are, "" if unknown.
        """
        self._segments = list(segments)
        self._encoders = encoders
        self._content = content
        # The store whose claims these are, for reading again what is shown; None in memory.
        self.stored_claims: ClaimSource | None = None
        # First row of each segment when all segments are joined, (segments + 1,).
        self._first_rows = start_offsets(self._segments)

        # Segment and row of each live claim, (m, 2), first in the order of the segments, then in
        # the order of the ids.
        blocks = [np.zeros((0, 2), np.int32)]
        for number, (segment, dead) in enumerate(zip(segments, dead_rows, strict=True)):
            live_rows = np.delete(np.arange(len(segment)), list(dead))
            segment_numbers = np.full(len(live_rows), number)
            blocks.append(np.stack((segment_numbers, live_rows), axis=1).astype(np.int32))
        self._segment_rows = np.concatenate(blocks)
        ids = self.texts_by_position("id")
        order_by_id = sorted(range(len(ids)), key=ids.__getitem__)
        self._segment_rows = self._segment_rows[order_by_id]

        # Position of each joined row, -1 for a dead one.
        self._positions = np.full(self._first_rows[-1], -1, np.int32)
        self._positions[self._joined_rows()] = np.arange(len(self._segment_rows))

        self._vectors: dict[str, ClaimVectors] = {}
        self._positions_by_field: dict[str, list[NDArray[np.int32]]] = {}
        self._bm25: dict[str, bm25.BM25] = {}
        self._cached_states: dict[int, Array] = {}

    @classmethod
    def open(cls, index_folder: Path, encoders: Encoders) -> ClaimIndex:
        """Open the index in a folder as it is now, with the articles that are ready.

        Raises: ClaimIndexError if there is none, it is damaged, or other models made it.
        """
        # Each set of models has an index of its own.
        model_digests = index_manifest.model_digests(encoders)
        model_folder = index_manifest.model_folder(Path(index_folder), model_digests)
        manifest, segments = index_manifest.read_index(model_folder)
        if manifest is None:
            raise index_manifest.missing_index(Path(index_folder))
        return cls(segments, list(manifest.segments.values()), encoders, manifest.content)

    @classmethod
    def build(
        cls,
        store: ClaimSource,
        folder: Path,
        encoders: Encoders,
        *,
        articles: bool = True,
        progress: Progress | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> ClaimIndex:
        """Bring the index in a folder up to date with the store, and open it.

        See ``index_building.build``.
        """
        index_building.build(
            store, Path(folder), encoders, articles=articles, progress=progress, cancelled=cancelled
        )
        return cls.open(folder, encoders)

    @classmethod
    def in_memory(cls, claims: Iterable[VerifiedClaim], encoders: Encoders) -> ClaimIndex:
        """Make the index of a few claims without writing anything.

        If two claims have the same id, the later one counts.
        """
        claim_by_id = {claim.id: claim for claim in claims}
        distinct_claims = list(claim_by_id.values())
        fingerprints = [fingerprint(claim) for claim in distinct_claims]
        segment = index_segment.encode_claims(distinct_claims, fingerprints, encoders)
        # The vectors of articles are computed block by block, for each family of encoders.
        families = list(index_segment.article_families(encoders).values())
        for block in segment.blocks_missing(families):
            vectors = index_segment.encode_block(segment, block, encoders, exact=True)
            index_segment.add_block(segment, block, vectors)
        no_dead_rows = ()
        return cls([segment], [no_dead_rows], encoders)

    def __len__(self) -> int:
        return len(self._segment_rows)

    @cached_property
    def rating_classes(self) -> Sequence[RatingClass]:
        """Return the classes of the ratings by position, (m,)."""
        return self._lazy_column(lambda segment, row: segment.rating_class(row))

    @cached_property
    def claim_days(self) -> NDArray[np.int32]:
        """Return the ordinals of the days on which the claims were made, 0 if unknown, (m,)."""
        return self._days[:, 0]

    @cached_property
    def review_days(self) -> NDArray[np.int32]:
        """Return the ordinals of the days on which the claims were checked, 0 if unknown, (m,)."""
        return self._days[:, 1]

    @property
    def _days(self) -> Array:
        """Join the days of claim and review, (m, 2)."""
        return self._joined_segments([segment.days for segment in self._segments])

    @property
    def newest_review(self) -> date | None:
        """Return the latest day on which a claim was checked, None if no day is known."""
        latest = int(self.review_days.max(initial=0))
        return date.fromordinal(latest) if latest else None

    @cached_property
    def copies(self) -> NearCopies:
        """Return the near copies among the claims: strangers' rows that repeat a fact-check."""
        return NearCopies(self)

    def nearest_statements(self, i: int, depth: int) -> Sequence[int]:
        """Return the claims whose statements are nearest to that at a position by cosine."""
        # One vector as a table of one row, (1, d).
        vector = np.asarray(self.statement_vectors[[i]], np.float32)
        all_allowed = np.ones(len(self), bool)
        (nearest_claims,) = self.nearest(vector, "statement", depth, all_allowed)
        return nearest_claims.tolist()

    @cached_property
    def bodies_ready(self) -> NDArray[np.bool_]:
        """Return whether the article of each claim can be searched, (m,).

        A claim without an article counts as ready.
        """
        return self._joined_segments([segment.bodies_ready() for segment in self._segments])

    @cached_property
    def digest(self) -> str:
        """Return 16 hexadecimal digits that identify the claims and the models."""
        made_by = sorted(index_manifest.model_digests(self._encoders).items())
        content = repr((made_by, self.texts_by_position("fingerprint")))
        return hashlib.sha256(content.encode()).hexdigest()[:16]

    @property
    def fingerprints(self) -> dict[str, str]:
        """Return the digest of each claim as it was indexed, by id."""
        ids = self.texts_by_position("id")
        return dict(zip(ids, self.texts_by_position("fingerprint"), strict=True))

    def behind(self, store: ClaimSource) -> int:
        """Count the claims of a store that are new, changed or deleted since they were indexed."""
        if self._content and self._content == index_manifest.content_digest(store):
            return 0
        # Pairs of an id and a digest that only the index has, or only the store. A changed claim
        # counts twice: its old digest is in the index, its new one in the store.
        index_items = self.fingerprints.items()
        store_items = store.fingerprints().items()
        return len(index_items ^ store_items)

    def position(self, claim_id: str) -> int | None:
        """Return the position of a claim, None if it is not in the index."""
        position = bisect_left(self.ids, claim_id)
        if position < len(self) and self.ids[position] == claim_id:
            return position
        return None

    def claim(self, i: int) -> VerifiedClaim:
        """Return the claim at a position, with its article."""
        segment, row = self._segment_and_row(i)
        return segment.claim(row)

    def body_spans(self, i: int) -> NDArray[np.int32]:
        """Return the character spans of the sentences of an article, (s, 2)."""
        segment, row = self._segment_and_row(i)
        return segment.body_spans(row)

    def long_article_count(self) -> int:
        """Count the articles that reach the limit of sentences compared by meaning."""
        sentence_counts = self._joined_segments(
            [np.diff(segment.span_starts) for segment in self._segments]
        )
        return int((sentence_counts >= index_segment.MAX_ARTICLE_SENTENCES).sum())

    def body_vectors(self, claim_position: int, family: str = "sbert") -> Floats:
        """Return the vectors of the sentences of an article, (s, d); none until they are ready."""
        segment, row = self._segment_and_row(claim_position)
        vectors = segment.body_vectors(row, self._families[family])
        needs_head = family == "simcse" and self._encoders.simcse_is_head
        if needs_head and not len(vectors):
            # The claim was indexed before SimCSE was a head, a layer on top of SBERT's vectors.
            sbert_vectors = segment.body_vectors(row, "sbert")
            with one_blas_thread():
                vectors = index_segment.lift(sbert_vectors, self._encoders)
        return np.asarray(vectors, np.float32)

    @cached_property
    def _families(self) -> dict[str, str]:
        return index_segment.article_families(self._encoders)

    def statement_states(self, claim_position: int) -> Array:
        """Return the token states of a statement, (t, d) float16 unit rows.

        They are computed now if they are not stored.
        """
        segment, row = self._segment_and_row(claim_position)
        stored_states = segment.statement_states(row)
        if len(stored_states):
            return stored_states
        if claim_position not in self._cached_states:
            self.read_states([claim_position])
        return self._cached_states[claim_position]

    def read_states(self, positions: Iterable[int]) -> None:
        """Compute the token states of some statements together, unless they are stored.

        They are cached in half precision. If there are too many, the oldest that this call does
        not need are dropped.
        """
        # A dict without values keeps each position once, in order.
        needed_positions = dict.fromkeys(positions)
        missing_positions = []
        for position in needed_positions:
            is_cached = position in self._cached_states
            if not is_cached and not self._has_stored_states(position):
                missing_positions.append(position)
        if not missing_positions:
            return
        statements = [self.statements[position] for position in missing_positions]
        computed_states = self._encoders.bertscore.token_states(statements)
        for position, states in zip(missing_positions, computed_states, strict=True):
            self._cached_states[position] = states.astype(np.float16)
        # The cache is in the order in which states were computed, the oldest first.
        removed_count = max(0, len(self._cached_states) - MAX_CACHED_STATES)
        removable_positions = [
            position for position in self._cached_states if position not in needed_positions
        ]
        for position in removable_positions[:removed_count]:
            del self._cached_states[position]

    def _has_stored_states(self, i: int) -> bool:
        segment, row = self._segment_and_row(i)
        return len(segment.statement_states(row)) > 0

    @property
    def statement_vectors(self) -> ClaimVectors:
        """Return the SBERT vectors of the statements, (m, d)."""
        return self.vectors("sbert", "statement")

    def vectors(self, family: str, field: str) -> ClaimVectors:
        """Return the vectors of a family (sbert, simcse) for a field (statement, title), (m, d)."""
        key = f"{family}-{field}"
        if key in self._vectors:
            return self._vectors[key]
        stored_key = key
        lift = None
        # SimCSE may be a head on SBERT, that is, some layers on top of it: then its vectors are
        # computed ("lifted") from SBERT vectors on use.
        is_computed_from_sbert = family == "simcse" and self._encoders.simcse_is_head
        if is_computed_from_sbert:
            stored_key = f"sbert-{field}"
            lift = self._encoders.lift

        def vector_width() -> int:
            return self._encoders.sbert.width

        vectors_of_segments = [segment.vectors[stored_key] for segment in self._segments]
        self._vectors[key] = ClaimVectors(
            vectors_of_segments, self._segment_rows, vector_width, lift
        )
        return self._vectors[key]

    def nearest(
        self, sentence_vectors: Floats, field: str, depth: int, allowed: NDArray[np.bool_]
    ) -> list[NDArray[np.int32]]:
        """Find the ``depth`` allowed claims whose field has the highest SBERT cosine.

        ``sentence_vectors`` (n, d) are unit vectors, ``allowed`` (m,) a mask of positions. For each
        sentence the positions come best first, and ties go to the lower position. Claims without
        the field are never among them.
        """
        # Each segment proposes claims for each sentence: by codes, which are vectors rounded to
        # 8 bits, if it has some. The empty array stands for a sentence without proposals.
        proposals_by_sentence = [[np.zeros(0, np.int32)] for _ in sentence_vectors]
        all_allowed = bool(allowed.all())
        positions_by_segment = self._positions_with_field(field)
        for segment, positions in zip(self._segments, positions_by_segment, strict=True):
            segment_vectors = segment.vectors[f"sbert-{field}"]
            # The position of a deleted claim is -1.
            is_searched = positions >= 0
            if not all_allowed:
                is_searched &= allowed[positions]
            proposed_rows_by_sentence = nearest.proposed(
                sentence_vectors, segment_vectors.vectors, depth, is_searched, segment_vectors.codes
            )
            for proposals, rows_of_sentence in zip(
                proposals_by_sentence, proposed_rows_by_sentence, strict=True
            ):
                proposals.append(positions[rows_of_sentence])

        # The proposals of all segments are compared by their exact cosines.
        claim_vectors = self.vectors("sbert", field)
        nearest_claims = []
        for sentence_vector, proposals in zip(sentence_vectors, proposals_by_sentence, strict=True):
            proposed_claims = np.concatenate(proposals)
            cosines = nearest.exact(sentence_vector, claim_vectors[proposed_claims])
            nearest_claims.append(bm25.highest_first(cosines, proposed_claims, depth))
        return nearest_claims

    def _positions_with_field(self, field: str) -> list[NDArray[np.int32]]:
        """Return for each segment the positions of the claims with a field, -1 for dead rows."""
        if field not in self._positions_by_field:
            positions_by_segment = []
            # ``_first_rows`` has one more number, the end of the last segment.
            for segment_start, segment in zip(self._first_rows, self._segments, strict=False):
                # Only claims with the field have a vector; these are their rows in the segment.
                rows_with_field = segment.vectors[f"sbert-{field}"].row_numbers
                positions_by_segment.append(self._positions[segment_start + rows_with_field])
            self._positions_by_field[field] = positions_by_segment
        return self._positions_by_field[field]

    def counts(self, field: str) -> bm25.Counts:
        """Return the word counts of a field (statement, title or body)."""
        counts = [segment.counts[field] for segment in self._segments]
        return bm25.select_documents(bm25.merge_counts(counts), self._joined_rows())

    def bm25(self, field: str) -> bm25.BM25:
        """Return the BM25 (Okapi) of a field."""
        if field not in self._bm25:
            counts = [segment.counts[field] for segment in self._segments]
            self._bm25[field] = bm25.BM25(counts, rows=self._joined_rows())
        return self._bm25[field]

    def _segment_and_row(self, i: int) -> tuple[Segment, int]:
        """Return the segment of a position, and the row in it."""
        segment_number, row = self._segment_rows[i]
        return self._segments[segment_number], int(row)

    def _lazy_column(self, value_of: Callable[[Segment, int], Any]) -> LazyColumn:
        """Make a column by position of a value that each segment gives for its rows, (m,)."""
        segments = self._segments
        segment_rows = self._segment_rows

        def value_at(position: int) -> Any:
            segment_number, row = segment_rows[position]
            return value_of(segments[segment_number], int(row))

        return LazyColumn(len(self), value_at)

    def texts_by_position(self, name: str) -> list[str]:
        """Read a text field of all claims at once, (m,)."""
        columns = [segment.column(name) for segment in self._segments]
        return [columns[number][row] for number, row in self._segment_rows.tolist()]

    def _joined_segments(self, columns: Sequence[Array]) -> Array:
        """Join the values of all segments by position."""
        if not columns:
            return np.zeros((0, 2), np.int32)
        return np.concatenate(columns)[self._joined_rows()]

    def _joined_rows(self) -> NDArray[np.int64]:
        """Return the row of each position when the segments are joined, (m,)."""
        segment_numbers = self._segment_rows[:, 0]
        rows_in_segment = self._segment_rows[:, 1]
        return self._first_rows[segment_numbers] + rows_in_segment


def fingerprint(claim: VerifiedClaim) -> str:
    """Return a digest that changes with any field of a claim."""
    return hashlib.sha256(repr(claim).encode()).hexdigest()
