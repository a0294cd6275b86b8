"""The measures of sentences with the whole database of claims, as the published code of the method takes them.

BM25 (Lucene's formula) keeps the first hundred claims of each field. BERTScore, NLI and the
cosines with statement and title exist only for the first hundred by BM25 of the article, the gate;
all else is 0. The cosines with the sentences of articles exist for every claim. A half-true claim
that is skipped counts 0 everywhere. NLI is that of the product: the best pairs of a sentence among
its candidates (``--nli-candidates``), 0 for the others; the published code read all.

Statistics of BM25 are those of the database chosen; as of the event, later claims are left out of
every search.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from assistant.check.pair_features import NLI, compare
from assistant.check.pairs import Pairs
from assistant.core.domain import RatingClass
from bench.paper.article_cosines import KEPT, scan
from features.similarity import bm25
from features.similarity.catalogue import COLUMN, MEASURES, NAMES
from training.shared.debates import PAPER_CLAIMS, Debate, cached
from training.shared.measures import Bench, rows_of

Floats = NDArray[np.floating]
Ints = NDArray[np.integer]
Mask = NDArray[np.bool_]
GATE = 100
FIELDS = ("statement", "title", "body")
FAMILIES = ("simcse", "sbert")
BM25S = [COLUMN[f"bm25_{field}"] for field in FIELDS]
BODY = [COLUMN[f"{family}_body_{i}"] for family in FAMILIES for i in range(1, 5)]
GATED = [i for i in range(len(MEASURES)) if i not in BM25S + BODY]
PLACED = (
    *NAMES,
    "nli_entailment+contradiction",
)  # the orders of claims: each measure, and a sum of two


@dataclass(frozen=True, slots=True)
class Whole:
    """The n sentences of a debate against a database.

    ``gate`` (n, 100): positions of the claims of the gate, the first first, -1 for none; ``X`` (n, 100, 19) their
    measures; ``half_true`` (n, 100). ``largest`` (2, n, 19, 30): the largest values of each measure over the database,
    [1] with half-true claims at 0. ``places`` (20, a): the place, from 1, among all claims of the claim of each of the
    a annotated ``pairs``, by each of ``PLACED`` (of equals the first comes first), 0 if the database lacks it.
    """

    gate: Ints
    X: Floats
    half_true: Mask
    largest: Floats
    places: Ints
    pairs: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class _Scorers:
    """BM25 of the three fields of a database: ``rows`` are its claims among all ``m``."""

    fields: Mapping[str, bm25.BM25]
    rows: Ints
    m: int

    @classmethod
    def of(cls, bench: Bench, database: Mask) -> _Scorers:
        rows = np.flatnonzero(database)
        counts = {field: bm25.select_documents(bench.index.counts(field), rows) for field in FIELDS}
        return cls({f: bm25.BM25(c, bm25.LUCENE) for f, c in counts.items()}, rows, len(database))

    def scores(self, texts: Sequence[str]) -> dict[str, Floats]:
        """Return the scores of texts with all claims by field, (n, m) each, 0 outside the database."""
        scores = {field: np.zeros((len(texts), self.m), np.float32) for field in self.fields}
        for start in range(0, len(texts), bm25.BLOCK):
            block = slice(start, start + bm25.BLOCK)
            for field, scorer in self.fields.items():
                scores[field][block, self.rows] = scorer.scores(texts[block])
        return scores


def annotated(debate: Debate) -> tuple[tuple[int, str], ...]:
    """Return the (line, claim) of every judged or linked pair of a debate."""
    return tuple(sorted({(pair.line, pair.claim) for pair in debate.pairs}))


def measured(bench: Bench, debates: Sequence[Debate]) -> dict[tuple[str, bool], Whole]:
    """Return the measures of debates by name and setting (False: all claims, True.

    As of the event).

    They are computed once for both databases and settings, in some minutes, and cached.
    """
    key = [bench.index.digest, str(sorted(bench.models.items())), bench.encoders.nli.digest]
    key += [
        str(bench.nli_candidates),
        *(part for d in debates for part in (d.name, *d.texts, str(annotated(d)))),
    ]
    kept = cached(bench.cache, "whole", key, lambda: _build(bench, debates))
    return {
        (debate.name, late): _read(
            kept, f"{debate.name}/{bench.paper_only:d}{late:d}/", annotated(debate)
        )
        for debate in debates
        for late in (False, True)
    }


def _read(kept: Mapping[str, NDArray], name: str, pairs: tuple[tuple[int, str], ...]) -> Whole:
    parts = {part: kept[name + part] for part in ("gate", "X", "half_true", "largest", "places")}
    return Whole(**parts, pairs=pairs)


def _build(bench: Bench, debates: Sequence[Debate]) -> dict[str, NDArray]:
    vectors = [bench.encoders.sbert.encode(debate.texts) for debate in debates]
    starts = np.cumsum([0, *map(len, vectors)])
    rows = [start + _rows(debate) for debate, start in zip(debates, starts, strict=False)]
    classes, kinds = _classes(bench, debates)
    articles = _articles(bench, debates, vectors, classes, np.concatenate(rows))
    ends = np.cumsum([0, *map(len, rows)])
    scorers = {paper: _Scorers.of(bench, in_paper(bench) | (not paper)) for paper in (False, True)}
    arrays: dict[str, NDArray] = {}
    for i, debate in enumerate(debates):
        of_texts = slice(starts[i], starts[i + 1])
        of_annotated = slice(ends[i], ends[i + 1])
        cosines = articles[0][:, :, of_texts], articles[1][:, of_annotated]
        arrays |= _debate(bench, debate, cosines, kinds, scorers)
        print(f"whole database: {debate.name}", file=sys.stderr, flush=True)
    return arrays


def _rows(debate: Debate) -> Ints:
    """The sentences that have an annotated pair."""
    wanted = {line for line, _ in annotated(debate)}
    return np.array([i for i, line in enumerate(debate.lines) if line in wanted], np.int64)


def _half_true(bench: Bench) -> Mask:
    return np.array([kind is RatingClass.MIXTURE for kind in bench.index.rating_classes], bool)


def _classes(bench: Bench, debates: Sequence[Debate]) -> tuple[Ints, Ints]:
    """Return the class of each claim (m,), and of each class.

    Half-true, in the paper's database, latest review day.
    """
    days = np.array(sorted({debate.day for debate in debates}))
    period = np.searchsorted(days, bench.index.review_days, side="right")
    table = np.stack([_half_true(bench), in_paper(bench), period], axis=1).astype(np.int64)
    kinds, classes = np.unique(table, axis=0, return_inverse=True)
    kinds[:, 2] = np.append(days - 1, np.iinfo(np.int64).max)[kinds[:, 2]]
    return classes.ravel(), kinds


def in_paper(bench: Bench) -> Mask:
    """Return which claims are in the paper's database, (m,)."""
    return np.array(
        [int(claim.rpartition("-")[2]) < PAPER_CLAIMS for claim in bench.index.ids], bool
    )


def _articles(
    bench: Bench, debates: Sequence[Debate], vectors: Sequence[Floats], classes: Ints, rows: Ints
) -> tuple[Floats, Floats]:
    """Return the article cosines of all texts: (c, 8, n, 30) by class and (8, a, m).

    Each family has its own cache.
    """
    texts = [text for debate in debates for text in debate.texts]
    sbert = np.concatenate(vectors)
    parts = []
    for family in FAMILIES:
        encoded = sbert if family == "sbert" else bench.encoders.simcse_vectors(texts, sbert)
        key = [
            bench.index.digest,
            bench.models[family],
            "\0".join(texts),
            str(classes.tolist()),
            str(rows.tolist()),
        ]

        def build(family: str = family, encoded: Floats = encoded) -> dict[str, NDArray]:
            def progress(done: int) -> None:
                print(f"whole database: {family}, {done:,} articles", file=sys.stderr, flush=True)

            body = partial(bench.index.body_vectors, family=family)
            return dict(
                zip(
                    ("kept", "every"),
                    scan(encoded, body, classes, rows, progress=progress),
                    strict=True,
                )
            )

        parts.append(cached(bench.cache, f"articles-{family}", key, build, [scan.__module__]))
    return np.concatenate([p["kept"] for p in parts], axis=1), np.concatenate(
        [p["every"] for p in parts]
    )


def _debate(
    bench: Bench,
    debate: Debate,
    articles: tuple[Floats, Floats],
    kinds: Ints,
    scorers: Mapping[bool, _Scorers],
) -> dict[str, NDArray]:
    """Return the arrays of a debate in all four settings."""
    settings = {}
    for paper in (False, True):
        searches = scorers[paper].scores(debate.texts)
        for late in (False, True):
            may = replace(bench, paper_only=paper).usable(debate, as_of_event=late)
            settings[paper, late] = may, searches, _gate(searches["body"], may)
    union = _union([gate for _, _, gate in settings.values()])
    X = _compared(bench, debate, union)
    _add_nli(bench, debate, union, X)
    arrays = {}
    for (paper, late), (may, searches, gate) in settings.items():
        counts = (kinds[:, 1] > 0) | (not paper)
        counts &= (kinds[:, 2] < debate.day) | (not late)
        tops = [articles[0][counts & (kinds[:, 0] <= half)] for half in (1, 0)]
        block = _taken(X, places_of(gate, union, len(bench.index))[1], gate, searches)
        made = _setting(bench, debate, (may, searches, gate, block), tops, articles[1])
        arrays |= {f"{debate.name}/{paper:d}{late:d}/{name}": array for name, array in made.items()}
    return arrays


def _compared(bench: Bench, debate: Debate, union: NDArray[np.int32]) -> Floats:
    """Return all measures but NLI's, (n, u, 19), cached apart.

    Other weights of NLI change none of them.
    """
    models = str(sorted(bench.models.items()))
    claims = hashlib.sha256(union.tobytes()).hexdigest()

    def build() -> dict[str, NDArray]:
        sentence_index, slot = np.nonzero(union >= 0)
        pairs = Pairs.from_positions(len(union), sentence_index, union[sentence_index, slot])
        compared = compare(pairs, debate.texts, bench.index, bench.encoders)
        X = np.zeros((*union.shape, len(MEASURES)), np.float32)
        X[sentence_index, slot] = compared.similarities
        return {"X": X}

    key = [bench.index.digest, models, claims, *debate.texts]
    return cached(bench.cache, f"gate-{debate.name}", key, build, [compare.__module__])["X"]


def _gate(scores: Floats, may: Mask) -> Ints:
    """Return the first hundred claims of each sentence, (n, 100), -1 for none.

    Of equals the one that comes first.
    """
    ordered = np.where(
        may & (scores > 0), scores.astype(np.float64) - 1e-9 * np.arange(len(may)), -np.inf
    )
    chosen = np.argpartition(-ordered, min(GATE, ordered.shape[1]) - 1, axis=1)[:, :GATE]
    values = np.take_along_axis(ordered, chosen, axis=1)
    order = np.argsort(-values, axis=1)
    return np.where(
        np.isfinite(np.take_along_axis(values, order, axis=1)),
        np.take_along_axis(chosen, order, axis=1),
        -1,
    )


def _union(gates: Sequence[Ints]) -> NDArray[np.int32]:
    """Return the different claims of several gates, rising, padded with -1 at the end."""
    distinct = [np.unique(row[row >= 0]) for row in np.concatenate(gates, axis=1)]
    union = np.full((len(distinct), max(map(len, distinct))), -1, np.int32)
    for row, claims in zip(union, distinct, strict=True):
        row[: len(claims)] = claims
    return union


def _add_nli(bench: Bench, debate: Debate, union: Ints, X: Floats) -> None:
    """Write the probabilities of the pairs that the product reads into the measures of the gate."""
    alone = replace(debate, windows=())  # the published method searches the sentence alone
    claim_count = len(bench.index)
    sentence_index, slot = np.nonzero(union >= 0)
    keys = sentence_index * claim_count + union[sentence_index, slot]
    for late in (False, True):
        pairs = replace(bench, paper_only=False).measures(alone, as_of_event=late)
        read = pairs.only(pairs.similarities[:, NLI].sum(axis=1) > 0)
        hit, row = rows_of(keys, read.keys(claim_count))
        X[sentence_index[hit], slot[hit], NLI] = read.similarities[row[hit], NLI]


def places_of(wanted: Ints, there_: Ints, claims: int) -> tuple[NDArray[np.bool_], Ints]:
    """Return which candidates (n, k) others of the same sentence have too (-1.

    None), and their places there (n, k).
    """
    rows = np.arange(len(wanted))[:, None] * claims
    keys = (rows + wanted).ravel()
    there = np.where(there_ < 0, -1, rows + there_).ravel()
    order = np.argsort(there, kind="stable")
    at = order[np.searchsorted(there, keys, sorter=order).clip(max=max(len(order) - 1, 0))]
    known = (there[at] == keys) & (wanted.ravel() >= 0)
    return known.reshape(wanted.shape), (at % there_.shape[1]).reshape(wanted.shape)


def _taken(X: Floats, slots: Ints, gate: Ints, searches: Mapping[str, Floats]) -> Floats:
    """Return the measures of a gate, (n, 100, 19), from those of the union, with BM25 of this setting; 0 for none."""
    row = np.arange(len(gate))[:, None]
    block = X[row, slots]
    for field, column in zip(FIELDS, BM25S, strict=True):
        block[:, :, column] = searches[field][row, np.maximum(gate, 0)]
    return block * (gate >= 0)[:, :, None]


def _setting(
    bench: Bench,
    debate: Debate,
    parts: tuple[Mask, Mapping[str, Floats], Ints, Floats],
    tops: Sequence[Floats],
    every: Floats,
) -> dict[str, NDArray]:
    may, searches, gate, block = parts
    half = _half_true(bench)
    half_true = half[np.maximum(gate, 0)] & (gate >= 0)
    largest = np.zeros((2, len(gate), len(MEASURES), KEPT), np.float32)
    firsts = {column: _gate(searches[f], may) for f, column in zip(FIELDS, BM25S, strict=True)}
    read = {column: (block[:, :, column], half_true) for column in GATED}
    for field, (column, chosen) in zip(FIELDS, firsts.items(), strict=True):
        values = np.take_along_axis(searches[field], np.maximum(chosen, 0), axis=1) * (chosen >= 0)
        read[column] = values, half[np.maximum(chosen, 0)]
    for skip in (0, 1):
        for column, (values, mixed) in read.items():
            largest[skip, :, column] = _with_zeros(np.where(mixed, 0, values) if skip else values)
        joined = np.concatenate(list(tops[skip]), axis=-1)  # (8, n, 30 c)
        largest[skip][:, BODY] = _first(np.maximum(joined, 0) if skip else joined).transpose(
            1, 0, 2
        )
    places = _places(bench, debate, parts, firsts, every)
    return {
        "gate": gate.astype(np.int32),
        "X": block,
        "half_true": half_true,
        "largest": largest,
        "places": places,
    }


def _with_zeros(values: Floats) -> Floats:
    """Return the largest of a row and of the many zeros beside it, falling."""
    return _first(
        np.concatenate([values, np.zeros((*values.shape[:-1], KEPT), values.dtype)], axis=-1)
    )


def _first(values: Floats) -> Floats:
    return -np.sort(-values, axis=-1)[..., :KEPT]


def _places(
    bench: Bench,
    debate: Debate,
    parts: tuple[Mask, Mapping[str, Floats], Ints, Floats],
    firsts: Mapping[int, Ints],
    every: Floats,
) -> Ints:
    """Return the place of the claim of each annotated pair by each of ``PLACED``, (20, a)."""
    may, searches, gate, block = parts
    row_of = {line: i for i, line in enumerate(debate.lines)}
    row_of_every = {row: i for i, row in enumerate(_rows(debate).tolist())}
    place_of = {claim: i for i, claim in enumerate(bench.index.ids)}
    pairs = annotated(debate)
    places = np.zeros((len(PLACED), len(pairs)), np.int32)
    for pair, (line, claim) in enumerate(pairs):
        row = row_of[line]
        position = place_of[claim]
        if not may[position]:
            continue
        scores = np.zeros((len(PLACED), len(may)), np.float32)
        scores[BODY] = every[:, row_of_every[row]]
        there = gate[row] >= 0
        scores[np.array(GATED)[:, None], gate[row][there]] = block[row][there][:, GATED].T
        scores[-1] = scores[COLUMN["nli_entailment"]] + scores[COLUMN["nli_contradiction"]]
        for field, column in zip(FIELDS, BM25S, strict=True):
            first = firsts[column][row]
            scores[column, first[first >= 0]] = searches[field][row, first[first >= 0]]
        places[:, pair] = place(scores[:, may], int(may[:position].sum()))
    return places


def place(scores: Floats, position: int) -> Ints:
    """Return the place, from 1, of a column by each row of scores (f, m).

    Of equals the first comes first.
    """
    own = scores[:, position : position + 1]
    return 1 + (scores > own).sum(axis=1) + (scores[:, :position] == own).sum(axis=1)
