"""One segment of the claim index: claims as columns in a folder that is written once.

A build writes up to a thousand claims at a time; ``index_merging.py`` makes large segments of
small ones. Only codes and the vectors of article sentences are added later. ``index_manifest.py``
lists the segments of an index.

Files: ``texts*.npy`` (``TEXT_FIELDS`` of every claim, as UTF-8), ``bodies*.npy``, ``days.npy``,
``classes.npy``, ``vectors-*.npy`` (float32) of the rows in ``rows-*.npy``, ``states.npy`` (float16
token states of the statements, as many as are stored), ``spans.npy`` (characters of the article
sentences), ``bm25-*.npy``, and, added block by block, ``articles-*.npy`` (float16 vectors of
article sentences). If SimCSE is a head on SBERT, its vectors have the head's digest in their name:
those of another head are computed again, those of the encoder stay. A large segment also gets
``codes-*.npy`` (int8) and ``codes-*-off.npy`` (their step and error), which make the comparison
with a single sentence fast.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistant.claims.index_columns import Array, FieldVectors, TextColumn, start_offsets
from assistant.core.domain import RatingClass, VerifiedClaim
from assistant.core.files import folder_to_fill
from assistant.transcripts.sentences import sentence_spans
from features.models.atomic_write import replacing
from features.models.batching import one_blas_thread, threads
from features.models.encoders import Encoder
from features.models.profile_models import Encoders
from features.similarity import bm25, nearest

SEARCHED_FIELDS = ("statement", "title", "body")
TEXT_FIELDS = (
    "id",
    "statement",
    "title",
    "claimant",
    "rating",
    "publisher",
    "url",
    "language",
    "fingerprint",
)
CLAIM_TEXT_FIELDS = tuple(name for name in TEXT_FIELDS if name != "fingerprint")
# Claims whose articles are encoded together. A build that is killed loses at most one block,
# about ten seconds of work.
BLOCK_CLAIMS = 128
WHOLE_SEGMENT = -1  # the block number of all articles of a merged segment
# Sentences of an article that are compared by meaning and can be quoted. The longest of 19,250
# PolitiFact articles has 406. All words of an article can be searched.
MAX_ARTICLE_SENTENCES = 512
COUNT_ARRAYS = ("terms", "starts", "documents", "times", "lengths")
PLAIN_ARRAYS = ("days", "classes", "spans", "span_starts", "states", "state_starts")
_EMPTY_ARRAY_BYTES = 128  # size of a file with a header only
SAMPLED_ROWS = 500
_CLASSES = tuple(RatingClass)


@dataclass(frozen=True)
class Segment:
    """Claims and their arrays, one row per claim.

    ``texts`` has the ``TEXT_FIELDS`` of one claim after the other. ``days`` (m, 2) are the ordinals
    of claim and review, 0 if unknown. ``span_starts`` and ``state_starts`` (m + 1,) give for each
    row where its items begin in ``spans`` and ``states``. ``vectors`` are keyed ``sbert-statement``,
    ``sbert-title`` and, if SimCSE has a model of its own, ``simcse-statement``, ``simcse-title``.
    ``articles`` are keyed (family, block).
    """

    texts: TextColumn
    bodies: TextColumn
    days: NDArray[np.int32]
    classes: NDArray[np.uint8]
    spans: Array  # (s, 2) int32, characters of a body
    span_starts: Array
    states: Array  # (t, d) float16
    state_starts: Array
    vectors: Mapping[str, FieldVectors]
    counts: Mapping[str, bm25.Counts]
    folder: Path | None = None
    articles: dict[tuple[str, int], Array] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.classes)

    def text(self, row: int, name: str) -> str:
        """Return one of the ``TEXT_FIELDS`` of a row."""
        return self.texts[row * len(TEXT_FIELDS) + TEXT_FIELDS.index(name)]

    def column(self, name: str) -> list[str]:
        """Return one of the ``TEXT_FIELDS`` of every row, (m,)."""
        return self.texts.every_nth(TEXT_FIELDS.index(name), len(TEXT_FIELDS))

    def rating_class(self, row: int) -> RatingClass:
        """Return the class of a row's rating."""
        return _CLASSES[self.classes[row]]

    def claim(self, row: int) -> VerifiedClaim:
        """Return the claim of a row, with its article."""
        text_by_field = {field_name: self.text(row, field_name) for field_name in CLAIM_TEXT_FIELDS}
        claim_day, review_day = self.days[row].tolist()
        return VerifiedClaim(
            **text_by_field,
            claim_date=_date_of(claim_day),
            review_date=_date_of(review_day),
            body=self.bodies[row],
            rating_class=self.rating_class(row),
        )

    def body_spans(self, row: int) -> Array:
        """Return the character spans of the sentences of a row's article, (s, 2)."""
        return self.spans[self.span_starts[row] : self.span_starts[row + 1]]

    def statement_states(self, row: int) -> Array:
        """Return the token states of a row's statement, (t, d) float16; none if not stored."""
        return self.states[self.state_starts[row] : self.state_starts[row + 1]]

    def body_vectors(self, row: int, family: str) -> Array:
        """Return the vectors of the sentences of a row's article, (s, d) float16.

        None until they are computed.
        """
        # The vectors of all article sentences are in one array, or in one per block of claims.
        # ``span_starts`` numbers the first sentence of each row in the whole segment.
        first_span = 0
        vectors = self.articles.get((family, WHOLE_SEGMENT))
        if vectors is None:
            block_number = row // BLOCK_CLAIMS
            first_span = self.span_starts[block_number * BLOCK_CLAIMS]
            vectors = self.articles.get((family, block_number))
        if vectors is None:
            # Not computed yet.
            width = self.vectors["sbert-statement"].vectors.shape[1]
            return np.zeros((0, width), np.float16)
        first_vector = self.span_starts[row] - first_span
        end_vector = self.span_starts[row + 1] - first_span
        return vectors[first_vector:end_vector]

    @cached_property
    def families(self) -> tuple[str, ...]:
        """Return the families whose vectors are stored: sbert, or sbert and simcse."""
        # Names are FAMILY-FIELD; a dict keeps each family once, in order.
        families = dict.fromkeys(name.partition("-")[0] for name in self.vectors)
        return tuple(families)

    def blocks_missing(self, families: Sequence[str] = ()) -> list[int]:
        """List the blocks with articles whose vectors of some families are not computed yet.

        ``families``: all families of the segment if none are given.
        """
        incomplete_families = []
        for family in families or self.families:
            if (family, WHOLE_SEGMENT) not in self.articles:
                incomplete_families.append(family)
        if not incomplete_families:
            return []
        # Where each block begins, as a row (blocks + 1,) and as an article sentence (blocks + 1,).
        block_start_rows = np.arange(0, len(self) + BLOCK_CLAIMS, BLOCK_CLAIMS)
        block_start_rows = np.minimum(block_start_rows, len(self))
        block_start_sentences = self.span_starts[block_start_rows]
        blocks_with_articles = np.flatnonzero(np.diff(block_start_sentences)).tolist()

        def is_missing(block: int) -> bool:
            return any((family, block) not in self.articles for family in incomplete_families)

        return [block for block in blocks_with_articles if is_missing(block)]

    def bodies_ready(self) -> NDArray[np.bool_]:
        """Return for each row whether its article can be searched, (m,).

        A row without an article counts as ready.
        """
        # Articles are encoded in blocks of claims: a row is ready if its block is, (m,).
        sentence_counts = np.diff(self.span_starts)
        block_of_row = np.arange(len(self)) // BLOCK_CLAIMS
        is_missing = np.isin(block_of_row, self.blocks_missing())
        return (sentence_counts == 0) | ~is_missing

    def block_rows(self, block: int) -> range:
        """Return the rows of a block."""
        first_row = block * BLOCK_CLAIMS
        return range(first_row, min(first_row + BLOCK_CLAIMS, len(self)))

    def block_texts(self, block: int) -> list[str]:
        """Return the article sentences of a block, in order."""
        texts = []
        for row in self.block_rows(block):
            body = self.bodies[row]
            texts += [body[start:end] for start, end in self.body_spans(row)]
        return texts


def _date_of(ordinal: int) -> date | None:
    """Return the date of an ordinal, None for 0."""
    return date.fromordinal(ordinal) if ordinal else None


def article_families(encoders: Encoders) -> dict[str, str]:
    """Return the stored name of the vectors of article sentences, for sbert and for simcse."""
    simcse_name = "simcse"
    if encoders.simcse_is_head:
        simcse_name = f"simcse_{encoders.simcse.digest[:8]}"
    return {"sbert": "sbert", "simcse": simcse_name}


def article_spans(body: str) -> list[tuple[int, int]]:
    """Return the character span of each sentence of an article, whose paragraphs are lines.

    Of a very long article, only the first ``MAX_ARTICLE_SENTENCES`` are returned.
    """
    spans: list[tuple[int, int]] = []
    offset = 0
    for paragraph in body.split("\n"):
        spans += [(offset + start, offset + end) for start, end in sentence_spans(paragraph)]
        offset += len(paragraph) + 1
        if len(spans) >= MAX_ARTICLE_SENTENCES:
            break
    return spans[:MAX_ARTICLE_SENTENCES]


def encode_claims(
    claims: Sequence[VerifiedClaim],
    fingerprints: Sequence[str],
    encoders: Encoders,
    *,
    with_token_states: bool = True,
) -> Segment:
    """Make the segment of some claims with everything but the vectors of their articles.

    Without ``with_token_states``, the segment lacks the states of the statements, nine tenths of
    its size.
    """
    # Claims have columns of texts, dates and vectors. The columns that need no model are made by
    # another thread while the models compute.
    with ThreadPoolExecutor(max_workers=1) as worker:
        other_columns = worker.submit(_columns_without_models, claims, fingerprints)
        statements = [claim.statement for claim in claims]
        titles = [claim.title for claim in claims]

        token_states: Sequence[Array] = []
        if with_token_states:
            statement_vectors, token_states = encoders.read(statements)
        else:
            statement_vectors = encoders.sbert.encode(statements)
        vectors = {
            "sbert-statement": _field_vectors(statements, statement_vectors),
            "sbert-title": _encoded_field(encoders.sbert, titles),
        }
        if not encoders.simcse_is_head:
            vectors["simcse-statement"] = _encoded_field(encoders.simcse, statements)
            vectors["simcse-title"] = _encoded_field(encoders.simcse, titles)

        # The states of all tokens, (t, d), and where those of each statement begin, (n + 1,).
        joined_states = np.zeros((0, 0), np.float16)
        state_starts = np.zeros(len(claims) + 1, np.int64)
        if token_states:
            joined_states = np.concatenate(token_states).astype(np.float16)
            state_starts = start_offsets(token_states)
        return Segment(
            vectors=vectors,
            states=joined_states,
            state_starts=state_starts,
            **other_columns.result(),
        )


def _encoded_field(encoder: Encoder, texts: Sequence[str]) -> FieldVectors:
    """Encode the texts that are not blank."""
    not_blank = [text for text in texts if text.strip()]
    return _field_vectors(texts, encoder.encode(not_blank))


def _field_vectors(texts: Sequence[str], vectors: Array) -> FieldVectors:
    """Keep the vectors of the texts that are not blank.

    ``vectors`` are those of all texts, or those of the texts that are not blank.
    """
    row_numbers = np.array([row for row, text in enumerate(texts) if text.strip()], np.int32)
    if len(vectors) == len(texts):
        vectors = vectors[row_numbers]
    return FieldVectors(row_numbers, vectors)


def _columns_without_models(
    claims: Sequence[VerifiedClaim], fingerprints: Sequence[str]
) -> dict[str, Any]:
    """Compute the fields of a segment that need no model."""
    # Spans count characters of the article as it is stored: half characters become "?".
    bodies = [claim.body.encode("utf-8", "replace").decode("utf-8") for claim in claims]
    spans_by_claim = [article_spans(body) for body in bodies]
    all_spans = list(chain.from_iterable(spans_by_claim))
    day_pairs = [
        (_day_number(claim.claim_date), _day_number(claim.review_date)) for claim in claims
    ]
    class_numbers = [_CLASSES.index(claim.rating_class) for claim in claims]
    term_counts = {}
    for name in SEARCHED_FIELDS:
        term_counts[name] = bm25.count_terms(getattr(claim, name) for claim in claims)
    return {
        "texts": TextColumn.from_texts(_all_text_fields(claims, fingerprints)),
        "bodies": TextColumn.from_texts(bodies),
        "days": np.array(day_pairs, np.int32).reshape(-1, 2),
        "classes": np.array(class_numbers, np.uint8),
        "spans": np.array(all_spans, np.int32).reshape(-1, 2),
        "span_starts": start_offsets(spans_by_claim),
        "counts": term_counts,
    }


def _day_number(day: date | None) -> int:
    """Return the ordinal of a date, 0 if there is none."""
    return day.toordinal() if day else 0


def _all_text_fields(claims: Sequence[VerifiedClaim], fingerprints: Sequence[str]) -> Iterable[str]:
    """Yield the ``TEXT_FIELDS`` of one claim after the other."""
    for claim, fingerprint in zip(claims, fingerprints, strict=True):
        texts = {**text_fields(claim), "fingerprint": fingerprint}
        for name in TEXT_FIELDS:
            yield texts[name]


def text_fields(claim: VerifiedClaim) -> dict[str, str]:
    """Return the text fields of a claim by name."""
    return {name: getattr(claim, name) for name in CLAIM_TEXT_FIELDS}


def encode_block(
    segment: Segment, block: int, encoders: Encoders, *, exact: bool
) -> dict[str, Array]:
    """Compute the missing vectors of a block's article sentences, (s, d) float16 by stored name.

    ``exact`` keeps float32 arithmetic; a faster one differs by a cosine of about 0.00001.
    """
    family_names = article_families(encoders)
    vectors: dict[str, Array] = {}
    if block in segment.blocks_missing([family_names["sbert"]]):
        sbert = encoders.sbert if exact else encoders.sbert.bulk()
        vectors["sbert"] = _encoded_once(sbert, segment.block_texts(block))
    if block in segment.blocks_missing([family_names["simcse"]]):
        if encoders.simcse_is_head:
            vectors[family_names["simcse"]] = _lifted_block(segment, block, vectors, encoders)
        else:
            vectors["simcse"] = _encoded_once(encoders.simcse, segment.block_texts(block))
    return vectors


def _lifted_block(
    segment: Segment, block: int, new_vectors: Mapping[str, Array], encoders: Encoders
) -> Array:
    """Compute a block's SimCSE vectors, (s, d), from its new or stored SBERT vectors."""
    rows = segment.block_rows(block)
    # The SBERT vectors of each article of the block, (sentences, d).
    if "sbert" in new_vectors:
        first_spans = segment.span_starts[rows.start : rows.stop]
        article_starts = first_spans - first_spans[0]
        sbert_vectors_by_article = np.split(new_vectors["sbert"], article_starts[1:])
    else:
        sbert_vectors_by_article = [segment.body_vectors(row, "sbert") for row in rows]

    def simcse_vectors(sbert_vectors: Array) -> Array:
        return lift(sbert_vectors, encoders)

    with one_blas_thread(), ThreadPoolExecutor(threads()) as pool:
        simcse_vectors_by_article = list(pool.map(simcse_vectors, sbert_vectors_by_article))
    return np.concatenate(simcse_vectors_by_article)


def lift(article: Array, encoders: Encoders) -> Array:
    """Compute SimCSE's vectors of an article from SBERT's, (s, d), in half precision.

    Each article is one matrix product, by one thread: the last bits of a row depend on its
    position in the product, and on how threads share the product.
    """
    return encoders.lift(np.asarray(article, np.float32)).astype(np.float16)


def _encoded_once(encoder: Encoder, texts: Sequence[str]) -> Array:
    """Encode texts in half precision, (n, d); a text that occurs twice is encoded once."""
    different_texts = list(dict.fromkeys(texts))
    row_of_text = {text: row for row, text in enumerate(different_texts)}
    different_vectors = encoder.encode(different_texts).astype(np.float16)
    rows = [row_of_text[text] for text in texts]
    return different_vectors[rows]


def add_block(segment: Segment, block: int, vectors_by_family: Mapping[str, Array]) -> None:
    """Add the vectors of a block's articles to a segment, and to its folder if it has one."""
    for family, family_vectors in vectors_by_family.items():
        kept_vectors = family_vectors
        if segment.folder is not None:
            path = segment.folder / f"articles-{family}-{block:04}.npy"
            with replacing(path) as temporary, temporary.open("wb") as file:
                np.save(file, family_vectors)
            # The mapped file takes no memory until it is read.
            kept_vectors = _map_array(path)
        segment.articles[family, block] = kept_vectors


def add_codes(segment: Segment) -> None:
    """Write the codes of the SBERT vectors of a large segment, unless they exist.

    They are used from the next time that the segment is opened.
    """
    # Codes are vectors in 8 bits per number, by which a large segment is searched faster.
    if segment.folder is None:
        return
    for name, field_vectors in segment.vectors.items():
        is_large = len(field_vectors.row_numbers) >= nearest.MIN_ROWS_FOR_CODES
        if name.startswith("sbert") and is_large and not field_vectors.codes:
            _write_codes(segment.folder, name, field_vectors.vectors)


def _write_codes(folder: Path, name: str, vectors: Array) -> None:
    """Write the codes (k, d) of vectors, then their step and their largest error."""
    # Codes are the vectors rounded to multiples of a step, in 8 bits.
    step = nearest.step_of(vectors)
    largest_error = 0.0
    with replacing(folder / f"codes-{name}.npy") as temporary:
        codes = np.lib.format.open_memmap(temporary, "w+", np.int8, vectors.shape)
        for start in range(0, len(codes), nearest.ROWS_PER_BLOCK):
            block_rows = slice(start, start + nearest.ROWS_PER_BLOCK)
            block_codes, block_error = nearest.encode(vectors[block_rows], step)
            codes[block_rows] = block_codes
            largest_error = max(largest_error, block_error)
        codes.flush()
    with replacing(folder / f"codes-{name}-off.npy") as temporary, temporary.open("wb") as file:
        np.save(file, np.array([step, largest_error]))


def save_segment(segment: Segment, folder: Path) -> Segment:
    """Write a segment as a new folder, complete or not at all, and open it there."""
    with folder_to_fill(folder) as temporary_folder:
        for name, array in arrays(segment).items():
            np.save(temporary_folder / f"{name}.npy", array)
    return read_segment(folder)


def arrays(segment: Segment) -> dict[str, Array]:
    """Return every array of a segment by the name of its file, but the vectors of articles."""
    array_by_file: dict[str, Array] = {name: getattr(segment, name) for name in PLAIN_ARRAYS}
    for column_name in ("texts", "bodies"):
        column: TextColumn = getattr(segment, column_name)
        array_by_file[column_name] = column.data
        array_by_file[f"{column_name}-starts"] = column.starts
    for vectors_name, field_vectors in segment.vectors.items():
        array_by_file[f"rows-{vectors_name}"] = field_vectors.row_numbers
        array_by_file[f"vectors-{vectors_name}"] = field_vectors.vectors
    for field_name, term_counts in segment.counts.items():
        for array_name in COUNT_ARRAYS:
            array_by_file[f"bm25-{field_name}-{array_name}"] = getattr(term_counts, array_name)
    return array_by_file


def _require_finite_numbers(vectors: Array, path: Path) -> None:
    """Raise ValueError if vectors in a sample of the rows are not finite numbers."""
    step = max(1, len(vectors) // SAMPLED_ROWS)
    sample = np.asarray(vectors[::step], np.float32)
    if not np.isfinite(sample).all():
        raise ValueError(f"{path.name} contains vectors with infinite or missing numbers")


def read_segment(folder: Path) -> Segment:
    """Open the segment in a folder; its arrays stay on the disk until they are used.

    Raises: OSError, ValueError or KeyError if a file is missing or damaged.
    """

    def array(name: str) -> Array:
        return _map_array(folder / f"{name}.npy")

    def texts(name: str) -> TextColumn:
        return TextColumn(array(name), array(f"{name}-starts"))

    vectors = {}
    for path in sorted(folder.glob("vectors-*.npy")):
        name = path.stem.removeprefix("vectors-")
        stored_vectors = array(f"vectors-{name}")
        _require_finite_numbers(stored_vectors, path)
        vectors[name] = FieldVectors(
            array(f"rows-{name}"), stored_vectors, _read_codes(folder, name)
        )
    counts = {}
    for name in SEARCHED_FIELDS:
        counts[name] = bm25.Counts(*[array(f"bm25-{name}-{part}") for part in COUNT_ARRAYS])
    segment = Segment(
        texts=texts("texts"),
        bodies=texts("bodies"),
        days=array("days"),
        classes=array("classes"),
        spans=array("spans"),
        span_starts=array("span_starts"),
        states=array("states"),
        state_starts=array("state_starts"),
        vectors=vectors,
        counts=counts,
        folder=folder,
    )
    for path in sorted(folder.glob("articles-*.npy")):
        _, family, block = path.stem.split("-", 2)
        block_number = WHOLE_SEGMENT if block == "all" else int(block)
        segment.articles[family, block_number] = _map_array(path)
    return segment


def _read_codes(folder: Path, name: str) -> nearest.Codes | None:
    """Open the codes of some vectors, None if they are not complete."""
    # Codes are vectors as multiples of a step, in 8 bits. The file with the step and the largest
    # error is written last.
    step_path = folder / f"codes-{name}-off.npy"
    if not step_path.is_file():
        return None
    step, largest_error = _map_array(step_path).tolist()
    codes = _map_array(folder / f"codes-{name}.npy")
    return nearest.Codes(codes, step, largest_error)


def _map_array(path: Path) -> Array:
    """Open an array as a memory-mapped file; an empty one cannot be mapped and is loaded."""
    if path.stat().st_size <= _EMPTY_ARRAY_BYTES:
        return np.load(path)
    return np.load(path, mmap_mode="r").view(np.ndarray)
