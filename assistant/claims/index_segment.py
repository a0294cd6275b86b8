"""One segment of the claim index: claims as columns in a folder that is written once.

A build writes up to a thousand claims at a time; ``index_merging.py`` makes large segments of
small ones. Only codes and the vectors of article sentences are added later. Which segments make up
an index: ``index_manifest.py``.

Files: ``texts*.npy`` (``FIELDS`` of every claim, as UTF-8), ``bodies*.npy``, ``days.npy``, ``classes.npy``,
``vectors-*.npy`` (float32) of the rows in ``rows-*.npy``, ``states.npy`` (float16 token states of the statements, of so
many as are kept), ``spans.npy`` (characters of the article sentences), ``bm25-*.npy``, and, block by block as they are
computed, ``articles-*.npy`` (float16 vectors of article sentences). Where SimCSE is a head on SBERT, its vectors have
the head's digest in their name: another head's are computed anew, the encoder's stay. A large segment gets
``codes-*.npy`` (int8) with ``codes-*-off.npy`` (their step and error) as well, by which single sentences are compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistant.claims.index_columns import Array, Filled, Texts, starts
from assistant.core.domain import RatingClass, VerifiedClaim
from assistant.core.files import filling
from assistant.transcripts.sentences import split
from features.models.atomic_write import replacing
from features.models.batching import one_blas_thread, threads
from features.models.encoders import Encoder
from features.models.profile_models import Encoders
from features.similarity import bm25, nearest

SEARCHED = ("statement", "title", "body")
FIELDS = (
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
BLOCK = 128  # claims whose articles are encoded together; being killed costs at most one block, about ten seconds
WHOLE = -1  # the block of a merged segment: all its articles
_CLASSES = tuple(RatingClass)
_COUNTS = ("terms", "starts", "documents", "times", "lengths")


@dataclass(frozen=True)
class Segment:
    """Claims and their arrays.

    ``starts`` say for each row where its part of the joined array begins, (m + 1,).

    ``texts`` has the ``FIELDS`` of one claim after the other; ``days`` (m, 2) are ordinals of claim and review, 0 where
    unknown. ``vectors`` are keyed ``sbert-statement``, ``sbert-title`` and, where SimCSE has a model of its own,
    ``simcse-statement``, ``simcse-title``. ``articles`` are keyed (family, block).
    """

    texts: Texts
    bodies: Texts
    days: NDArray[np.int32]
    classes: NDArray[np.uint8]
    spans: Array  # (s, 2) int32, characters of a body
    span_starts: Array
    states: Array  # (t, d) float16
    state_starts: Array
    vectors: Mapping[str, Filled]
    counts: Mapping[str, bm25.Counts]
    folder: Path | None = None
    articles: dict[tuple[str, int], Array] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.classes)

    def text(self, row: int, name: str) -> str:
        """Return one of the ``FIELDS`` of a row."""
        return self.texts[row * len(FIELDS) + FIELDS.index(name)]

    def column(self, name: str) -> list[str]:
        """Return one of the ``FIELDS`` of every row, (m,)."""
        return self.texts.every(FIELDS.index(name), len(FIELDS))

    def rating_class(self, row: int) -> RatingClass:
        """Return the class of a row's rating."""
        return _CLASSES[self.classes[row]]

    def claim(self, row: int) -> VerifiedClaim:
        """Return the claim of a row, with its article."""
        texts = {name: self.text(row, name) for name in FIELDS if name != "fingerprint"}
        claim_day, review_day = self.days[row].tolist()
        return VerifiedClaim(
            **texts,
            claim_date=date.fromordinal(claim_day) if claim_day else None,
            review_date=date.fromordinal(review_day) if review_day else None,
            body=self.bodies[row],
            rating_class=self.rating_class(row),
        )

    def body_spans(self, row: int) -> Array:
        """Return the character spans of the sentences of a row's article, (s, 2)."""
        return self.spans[self.span_starts[row] : self.span_starts[row + 1]]

    def statement_states(self, row: int) -> Array:
        """Return the token states of a row's statement, (t, d) float16.

        None where they are not kept.
        """
        return self.states[self.state_starts[row] : self.state_starts[row + 1]]

    def body_vectors(self, row: int, family: str) -> Array:
        """Return the vectors of the sentences of a row's article, (s, d) float16.

        None until they are computed.
        """
        block = self.articles.get((family, WHOLE))
        first = 0
        if block is None:
            block = self.articles.get((family, row // BLOCK))
            first = self.span_starts[row // BLOCK * BLOCK]
        if block is None:
            return np.zeros((0, self.vectors["sbert-statement"].vectors.shape[1]), np.float16)
        return block[self.span_starts[row] - first : self.span_starts[row + 1] - first]

    @cached_property
    def families(self) -> tuple[str, ...]:
        """Return the families whose vectors are stored: sbert, or sbert and simcse."""
        return tuple(dict.fromkeys(name.split("-")[0] for name in self.vectors))

    def blocks_missing(self, families: Sequence[str] = ()) -> list[int]:
        """Return the blocks with articles that have no vectors yet, of some families.

        By default of ``families``.
        """
        wanted = [
            family for family in families or self.families if (family, WHOLE) not in self.articles
        ]
        if not wanted:
            return []
        edges = self.span_starts[np.minimum(np.arange(0, len(self) + BLOCK, BLOCK), len(self))]
        blocks = np.flatnonzero(np.diff(edges)).tolist()
        return [b for b in blocks if any((family, b) not in self.articles for family in wanted)]

    def bodies_ready(self) -> NDArray[np.bool_]:
        """Return for each row whether its article can be searched.

        One without an article always can, (m,).
        """
        return (np.diff(self.span_starts) == 0) | ~np.isin(
            np.arange(len(self)) // BLOCK, self.blocks_missing()
        )

    def block_rows(self, block: int) -> range:
        """Return the rows of a block."""
        return range(block * BLOCK, min((block + 1) * BLOCK, len(self)))

    def block_texts(self, block: int) -> list[str]:
        """Return the article sentences of a block, in order."""
        articles = [(self.bodies[row], self.body_spans(row)) for row in self.block_rows(block)]
        return [body[start:end] for body, spans in articles for start, end in spans]


def article_families(encoders: Encoders) -> dict[str, str]:
    """Return the name under which the vectors of article sentences are stored, by family.

    Sbert and simcse.
    """
    head = f"_{encoders.simcse.digest[:8]}" if encoders.simcse_is_head else ""
    return {"sbert": "sbert", "simcse": f"simcse{head}"}


def article_spans(body: str) -> list[tuple[int, int]]:
    """Return the character span of each sentence of an article, whose paragraphs are lines."""
    spans: list[tuple[int, int]] = []
    start = 0
    for paragraph in body.split("\n"):
        spans += [(start + first, start + last) for first, last in split(paragraph)]
        start += len(paragraph) + 1
    return spans


def encode(
    claims: Sequence[VerifiedClaim],
    fingerprints: Sequence[str],
    encoders: Encoders,
    *,
    states: bool = True,
) -> Segment:
    """Return the segment of some claims with everything but the vectors of their articles.

    ``states=False`` leaves out the token states of the statements, nine tenths of its size.
    """
    with ThreadPoolExecutor(1) as worker:  # words are counted while the models compute
        columns = worker.submit(_columns, claims, fingerprints)
        statements = [c.statement for c in claims]
        vectors, of_tokens = (
            encoders.read(statements) if states else (encoders.sbert.encode(statements), [])
        )
        named = {"sbert-statement": _filled(statements, vectors)}
        texts = {"statement": statements, "title": [c.title for c in claims]}
        for family in ("sbert",) if encoders.simcse_is_head else ("sbert", "simcse"):
            encoder = encoders.sbert if family == "sbert" else encoders.simcse
            for name, fields in texts.items():
                if f"{family}-{name}" not in named:
                    some = [text for text in fields if text.strip()]
                    named[f"{family}-{name}"] = _filled(fields, encoder.encode(some))
        return Segment(
            vectors=named,
            states=np.concatenate(of_tokens).astype(np.float16)
            if of_tokens
            else np.zeros((0, 0), np.float16),
            state_starts=starts(of_tokens) if of_tokens else np.zeros(len(claims) + 1, np.int64),
            **columns.result(),
        )


def _filled(texts: Sequence[str], vectors: Array) -> Filled:
    """Return the vectors of the texts that are not blank.

    ``vectors`` are those of all, or of these.
    """
    rows = np.array([row for row, text in enumerate(texts) if text.strip()], np.int32)
    return Filled(rows, vectors[rows] if len(vectors) == len(texts) else vectors)


def _columns(claims: Sequence[VerifiedClaim], fingerprints: Sequence[str]) -> dict[str, Any]:
    """Return the fields of a segment that no model computes."""
    values = (
        {**vars_of(c), "fingerprint": mark} for c, mark in zip(claims, fingerprints, strict=True)
    )
    bodies = [c.body.encode("utf-8", "replace").decode("utf-8") for c in claims]
    spans = [article_spans(body) for body in bodies]
    days = [
        [day.toordinal() if day else 0 for day in (c.claim_date, c.review_date)] for c in claims
    ]
    return {
        "texts": Texts.of(row[name] for row in values for name in FIELDS),
        "bodies": Texts.of(bodies),
        "days": np.array(days, np.int32).reshape(-1, 2),
        "classes": np.array([_CLASSES.index(c.rating_class) for c in claims], np.uint8),
        "spans": np.array([span for article in spans for span in article], np.int32).reshape(-1, 2),
        "span_starts": starts(spans),
        "counts": {name: bm25.count(getattr(c, name) for c in claims) for name in SEARCHED},
    }


def vars_of(claim: VerifiedClaim) -> dict[str, str]:
    """Return the text fields of a claim by name."""
    return {name: getattr(claim, name) for name in FIELDS if name != "fingerprint"}


def encode_block(
    segment: Segment, block: int, encoders: Encoders, *, exact: bool
) -> dict[str, Array]:
    """Return the vectors of a block's article sentences that are missing, by stored name, (s, d) float16.

    ``exact`` keeps float32 arithmetic where a faster one would differ by a cosine of about 0.00001.
    """
    names = article_families(encoders)
    vectors: dict[str, Array] = {}
    if block in segment.blocks_missing([names["sbert"]]):
        vectors["sbert"] = _encoded(
            encoders.sbert if exact else encoders.sbert.bulk(), segment.block_texts(block)
        )
    if block not in segment.blocks_missing([names["simcse"]]):
        return vectors
    if not encoders.simcse_is_head:
        return vectors | {"simcse": _encoded(encoders.simcse, segment.block_texts(block))}
    rows = segment.block_rows(block)
    if "sbert" in vectors:
        edges = segment.span_starts[rows.start : rows.stop] - segment.span_starts[rows.start]
        articles = np.split(vectors["sbert"], edges[1:])
    else:
        articles = [segment.body_vectors(row, "sbert") for row in rows]
    with one_blas_thread(), ThreadPoolExecutor(threads()) as pool:
        lifted = list(pool.map(lambda article: lift(article, encoders), articles))
    return vectors | {names["simcse"]: np.concatenate(lifted)}


def lift(article: Array, encoders: Encoders) -> Array:
    """Return SimCSE's vectors of an article from SBERT's, in half precision.

    Each article is a product of its own, by one thread: the last bits of a row depend on where in
    a product it stands, and on how threads share the product.
    """
    return encoders.lift(np.asarray(article, np.float32)).astype(np.float16)


def _encoded(encoder: Encoder, texts: Sequence[str]) -> Array:
    """Return the vectors of some texts in half precision.

    One that articles share is encoded once.
    """
    place = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    return encoder.encode(list(place)).astype(np.float16)[[place[text] for text in texts]]


def add_block(segment: Segment, block: int, vectors: Mapping[str, Array]) -> None:
    """Add the vectors of a block's articles to a segment, and to its folder if it has one."""
    for family, array in vectors.items():
        if segment.folder is not None:
            path = segment.folder / f"articles-{family}-{block:04}.npy"
            with replacing(path) as part, part.open("wb") as file:
                np.save(file, array)
            array = _read(path)
        segment.articles[family, block] = array


def add_codes(segment: Segment) -> None:
    """Write the codes of the SBERT vectors of a large segment, unless they are there.

    They count when it is read.
    """
    for name, filled in segment.vectors.items():
        if (
            segment.folder is None
            or filled.codes
            or len(filled.rows) < nearest.MANY
            or not name.startswith("sbert")
        ):
            continue
        step = nearest.step_of(filled.vectors)
        error = 0.0
        with replacing(segment.folder / f"codes-{name}.npy") as part:
            codes = np.lib.format.open_memmap(part, "w+", np.int8, filled.vectors.shape)
            for start in range(0, len(codes), nearest.ROWS):
                rows = slice(start, start + nearest.ROWS)
                codes[rows], off = nearest.encode(filled.vectors[rows], step)
                error = max(error, off)
            codes.flush()
        with replacing(segment.folder / f"codes-{name}-off.npy") as part, part.open("wb") as file:
            np.save(file, np.array([step, error]))


def save(segment: Segment, folder: Path) -> Segment:
    """Write a segment as a new folder, complete or not at all, and return it as read from there."""
    with filling(folder) as part:
        _write(segment, part)
    return read(folder)


def _write(segment: Segment, folder: Path) -> None:
    for name, array in arrays(segment).items():
        np.save(folder / f"{name}.npy", array)


def arrays(segment: Segment) -> dict[str, Array]:
    """Return every array of a segment by the name of its file, but the vectors of articles."""
    named: dict[str, Array] = {name: getattr(segment, name) for name in _ARRAYS}
    for name in ("texts", "bodies"):
        texts: Texts = getattr(segment, name)
        named |= {name: texts.data, f"{name}-starts": texts.starts}
    for name, filled in segment.vectors.items():
        named |= {f"rows-{name}": filled.rows, f"vectors-{name}": filled.vectors}
    for name, counts in segment.counts.items():
        named |= {f"bm25-{name}-{part}": getattr(counts, part) for part in _COUNTS}
    return named


def read(folder: Path) -> Segment:
    """Return the segment in a folder; its arrays stay on the disk until they are used.

    Raises: OSError, ValueError or KeyError if a file is missing or damaged.
    """

    def array(name: str) -> Array:
        return _read(folder / f"{name}.npy")

    def texts(name: str) -> Texts:
        return Texts(array(name), array(f"{name}-starts"))

    def filled(name: str) -> Filled:
        return Filled(array(f"rows-{name}"), array(f"vectors-{name}"), _codes(folder, name))

    names = [path.stem.removeprefix("vectors-") for path in sorted(folder.glob("vectors-*.npy"))]
    segment = Segment(
        texts=texts("texts"),
        bodies=texts("bodies"),
        days=array("days"),
        classes=array("classes"),
        spans=array("spans"),
        span_starts=array("span_starts"),
        states=array("states"),
        state_starts=array("state_starts"),
        vectors={name: filled(name) for name in names},
        counts={
            name: bm25.Counts(*(array(f"bm25-{name}-{part}") for part in _COUNTS))
            for name in SEARCHED
        },
        folder=folder,
    )
    for path in sorted(folder.glob("articles-*.npy")):
        _, family, block = path.stem.split("-", 2)
        segment.articles[family, WHOLE if block == "all" else int(block)] = _read(path)
    return segment


def _codes(folder: Path, name: str) -> nearest.Codes | None:
    if not (folder / f"codes-{name}-off.npy").is_file():  # which is written last
        return None
    step, error = _read(folder / f"codes-{name}-off.npy").tolist()
    return nearest.Codes(_read(folder / f"codes-{name}.npy"), step, error)


_ARRAYS = ("days", "classes", "spans", "span_starts", "states", "state_starts")


def _read(path: Path) -> Array:
    if path.stat().st_size <= 128:  # an empty array has a header only, and cannot be mapped
        return np.load(path)
    return np.load(path, mmap_mode="r").view(np.ndarray)
