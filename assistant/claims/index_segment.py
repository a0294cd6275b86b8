"""One segment of the claim index: up to a thousand claims as arrays in a folder that is written once.

Only the vectors of article sentences are added later. Which segments make up an index is in ``index_manifest.py``.

Files: ``claims.jsonl`` (all fields but the body, and the fingerprint), ``bodies.npy`` (UTF-8 bytes), ``vectors-*.npy``
(float32), ``states.npy`` (float16 token states of the statements), ``spans.npy`` (characters of the article sentences),
``bm25-*.npz``, and, block by block as they are computed, ``articles-*.npy`` (float16 vectors of article sentences).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from assistant.ground.domain import RatingClass, VerifiedClaim
from assistant.ground.files import filling
from assistant.transcripts.sentences import split
from features import bm25
from features.atomic import replacing
from features.models import Encoders

FIELDS = ("statement", "title", "body")
BLOCK = 128  # claims whose articles are encoded together; being killed costs at most one block, about ten seconds
Array = NDArray[Any]
_OPEN: WeakValueDictionary[tuple[str, int, int], Segment] = WeakValueDictionary()  # segments that this process uses
_MERGED: dict[str, tuple[tuple[Segment, ...], bm25.Counts]] = {}  # by field: 60 MB for 19,250 articles, saves a second


@dataclass(frozen=True)
class Segment:
    """Claims and their arrays. ``starts`` say for each row where its part of the joined array begins, (m + 1,).

    ``vectors`` are keyed ``sbert-statement``, ``sbert-title`` and, where SimCSE has a model of its own,
    ``simcse-statement``, ``simcse-title``. ``articles`` are keyed (family, block).
    """

    claims: tuple[VerifiedClaim, ...]  # without bodies
    fingerprints: tuple[str, ...]
    bodies: Array  # (bytes,) uint8
    body_starts: Array
    spans: Array  # (s, 2) int32, characters of a body
    span_starts: Array
    vectors: Mapping[str, Array]
    states: Array  # (t, d) float16
    state_starts: Array
    counts: Mapping[str, bm25.Counts]
    folder: Path | None = None
    articles: dict[tuple[str, int], Array] = field(default_factory=dict)
    shared: Segment | None = field(default=None, repr=False)  # the same for every reading of the folder

    def __len__(self) -> int:
        return len(self.claims)

    def body(self, row: int) -> str:
        """Return the article of a row."""
        return bytes(self.bodies[self.body_starts[row] : self.body_starts[row + 1]]).decode("utf-8")

    def body_spans(self, row: int) -> Array:
        """Return the character spans of the sentences of a row's article, (s, 2)."""
        return self.spans[self.span_starts[row] : self.span_starts[row + 1]]

    def statement_states(self, row: int) -> Array:
        """Return the token states of a row's statement, (t, d) float16."""
        return self.states[self.state_starts[row] : self.state_starts[row + 1]]

    def body_vectors(self, row: int, family: str) -> Array:
        """Return the vectors of the sentences of a row's article, (s, d) float16; none until they are computed."""
        block = self.articles.get((family, row // BLOCK))
        if block is None:
            return np.zeros((0, self.vectors["sbert-statement"].shape[1]), np.float16)
        first = self.span_starts[row // BLOCK * BLOCK]
        return block[self.span_starts[row] - first : self.span_starts[row + 1] - first]

    @cached_property
    def families(self) -> tuple[str, ...]:
        """Return the families whose vectors are stored: sbert, or sbert and simcse."""
        return tuple(dict.fromkeys(name.split("-")[0] for name in self.vectors))

    def blocks_missing(self) -> list[int]:
        """Return the blocks whose articles have no vectors yet."""
        blocks = range(-(-len(self) // BLOCK))
        return [b for b in blocks if any((family, b) not in self.articles for family in self.families)]

    def bodies_ready(self) -> NDArray[np.bool_]:
        """Return for each row whether its article can be searched; one without an article always can, (m,)."""
        return (np.diff(self.span_starts) == 0) | ~np.isin(np.arange(len(self)) // BLOCK, self.blocks_missing())

    def block_texts(self, block: int) -> list[str]:
        """Return the article sentences of a block, in order."""
        rows = range(block * BLOCK, min((block + 1) * BLOCK, len(self)))
        articles = [(self.body(row), self.body_spans(row)) for row in rows]
        return [body[start:end] for body, spans in articles for start, end in spans]


def article_spans(body: str) -> list[tuple[int, int]]:
    """Return the character span of each sentence of an article, whose paragraphs are lines."""
    spans: list[tuple[int, int]] = []
    start = 0
    for paragraph in body.split("\n"):
        spans += [(start + first, start + last) for first, last in split(paragraph)]
        start += len(paragraph) + 1
    return spans


def encode(claims: Sequence[VerifiedClaim], fingerprints: Sequence[str], encoders: Encoders) -> Segment:
    """Return the segment of some claims with everything but the vectors of their articles."""
    with ThreadPoolExecutor(1) as worker:  # words are counted while the models compute
        texts = worker.submit(_texts, claims)
        statements, titles = [c.statement for c in claims], [c.title for c in claims]
        vectors, states = encoders.read(statements)
        named = {"sbert-statement": vectors, "sbert-title": encoders.sbert.encode(titles)}
        if not encoders.simcse_is_head:
            simcse = encoders.simcse
            named |= {"simcse-statement": simcse.encode(statements), "simcse-title": simcse.encode(titles)}
        return Segment(
            claims=tuple(replace(c, body="") for c in claims),
            fingerprints=tuple(fingerprints),
            vectors=named,
            states=np.concatenate(states).astype(np.float16) if states else np.zeros((0, 0), np.float16),
            state_starts=_starts(states),
            **texts.result(),
        )


def _texts(claims: Sequence[VerifiedClaim]) -> dict[str, Any]:
    """Return the fields of a segment that no model computes: articles, their sentences, word counts."""
    bodies = [c.body.encode("utf-8", "replace") for c in claims]
    spans = [article_spans(body.decode("utf-8")) for body in bodies]
    return {
        "bodies": np.frombuffer(b"".join(bodies), np.uint8),
        "body_starts": _starts(bodies),
        "spans": np.array([span for article in spans for span in article], np.int32).reshape(-1, 2),
        "span_starts": _starts(spans),
        "counts": {name: bm25.count(getattr(c, name) for c in claims) for name in FIELDS},
    }


def encode_block(segment: Segment, block: int, encoders: Encoders, *, exact: bool) -> dict[str, Array]:
    """Return the vectors of a block's article sentences by family, (s, d) float16.

    ``exact`` keeps float32 arithmetic where a faster one would differ by a cosine of about 0.0001.
    """
    texts = segment.block_texts(block)
    sbert = encoders.sbert if exact else encoders.sbert.bulk()
    vectors = {"sbert": sbert.encode(texts).astype(np.float16)}
    if "simcse" in segment.families:
        vectors["simcse"] = encoders.simcse.encode(texts).astype(np.float16)
    return vectors


def add_block(segment: Segment, block: int, vectors: Mapping[str, Array]) -> None:
    """Add the vectors of a block's articles to a segment, and to its folder if it has one."""
    for family, array in vectors.items():
        if segment.folder is not None:
            path = segment.folder / f"articles-{family}-{block:04}.npy"
            with replacing(path) as part, part.open("wb") as file:
                np.save(file, array)
            array = _read(path)
        segment.articles[family, block] = array


def save(segment: Segment, folder: Path) -> Segment:
    """Write a segment as a new folder, complete or not at all, and return it as read from there."""
    with filling(folder) as part:
        _write(segment, part)
    return read(folder)


def _write(segment: Segment, folder: Path) -> None:
    rows = map(_row, segment.claims, segment.fingerprints)
    lines = "".join(json.dumps(row) + "\n" for row in rows)  # ASCII: no character is taken for a line break
    (folder / "claims.jsonl").write_text(lines, "ascii")
    for name in _ARRAYS:
        np.save(folder / f"{name}.npy", getattr(segment, name))
    for name, array in segment.vectors.items():
        np.save(folder / f"vectors-{name}.npy", array)
    for name, counts in segment.counts.items():
        table = counts.frequencies
        terms = np.frombuffer("\n".join(counts.terms).encode(), np.uint8)
        np.savez(folder / f"bm25-{name}.npz", data=table.data, indices=table.indices, indptr=table.indptr, terms=terms)


def read(folder: Path) -> Segment:
    """Return the segment in a folder; its large arrays stay on the disk until they are used.

    What never changes is shared by all readings in this process; the article vectors are those there now.

    Raises: OSError, ValueError or KeyError if a file is missing or damaged.
    """
    status = (folder / "claims.jsonl").stat()
    key = (str(folder.absolute()), status.st_ino, status.st_mtime_ns)  # a folder may be deleted and made again
    shared = _OPEN.get(key)
    if shared is None:
        shared = _OPEN[key] = _read_shared(folder)
    segment = replace(shared, shared=shared, articles={})
    for path in sorted(folder.glob("articles-*.npy")):
        _, family, block = path.stem.split("-")
        segment.articles[family, int(block)] = _read(path)
    return segment


def _read_shared(folder: Path) -> Segment:
    """Return the segment in a folder without the vectors of its articles."""
    rows = [json.loads(line) for line in (folder / "claims.jsonl").read_text("ascii").splitlines()]
    return Segment(
        claims=tuple(_claim(row) for row in rows),
        fingerprints=tuple(row["fingerprint"] for row in rows),
        **{name: _read(folder / f"{name}.npy") for name in _ARRAYS},
        vectors={p.stem.removeprefix("vectors-"): _read(p) for p in sorted(folder.glob("vectors-*.npy"))},
        counts=StoredCounts(folder),
        folder=folder,
    )


_ARRAYS = ("bodies", "body_starts", "spans", "span_starts", "states", "state_starts")


def _starts(parts: Sequence[Any]) -> Array:
    return np.cumsum([0, *(len(part) for part in parts)], dtype=np.int64)


def _read(path: Path) -> Array:
    if path.stat().st_size <= 128:  # an empty array has a header only, and cannot be mapped
        return np.load(path)
    return np.load(path, mmap_mode="r")


class StoredCounts(Mapping[str, bm25.Counts]):
    """The word counts in a segment's folder, read when first used: many uses of an index need none."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __getitem__(self, field: str) -> bm25.Counts:
        return _counts(self._folder / f"bm25-{field}.npz")

    def __iter__(self) -> Iterator[str]:
        return iter(FIELDS)

    def __len__(self) -> int:
        return len(FIELDS)


def _counts(path: Path) -> bm25.Counts:
    with np.load(path) as table:
        terms = bytes(table["terms"]).decode()
        names = tuple(terms.split("\n")) if terms else ()
        arrays = (table["data"], table["indices"], table["indptr"])
        return bm25.Counts(names, sparse.csr_array(arrays, shape=(len(arrays[2]) - 1, len(names))))


def merged_counts(segments: Sequence[Segment], field: str) -> bm25.Counts:
    """Return the word counts of a field (statement, title or body) in some segments, one after the other.

    They are cached, and made from the last ones as far as both begin with the same segments.
    """
    stored = tuple(segment.shared for segment in segments if segment.shared)
    if len(stored) < len(segments):  # made in memory: nothing is ever added to them
        return bm25.merge([segment.counts[field] for segment in segments])
    known, counts = _MERGED.get(field, ((), bm25.merge([])))
    differs = (i for i, (new, old) in enumerate(zip(stored, known, strict=False)) if new is not old)
    same = next(differs, min(len(stored), len(known)))
    if same < max(len(stored), len(known)):
        before = bm25.Counts(counts.terms, counts.frequencies[: sum(map(len, stored[:same]))])
        counts = bm25.merge([before, *(segment.counts[field] for segment in stored[same:])])
        _MERGED[field] = stored, counts
    return counts


def _row(claim: VerifiedClaim, fingerprint: str) -> dict[str, Any]:
    row: dict[str, Any] = {k: v for k, v in asdict(claim).items() if k != "body"}
    for name in ("claim_date", "review_date"):
        row[name] = row[name].isoformat() if row[name] else None
    return {**row, "fingerprint": fingerprint}


def _claim(row: dict[str, Any]) -> VerifiedClaim:
    fields = {k: v for k, v in row.items() if k != "fingerprint"}
    for name in ("claim_date", "review_date"):
        fields[name] = date.fromisoformat(fields[name]) if fields[name] else None
    return VerifiedClaim(**{**fields, "rating_class": RatingClass(fields["rating_class"])})
