"""BM25 of texts against many documents, by the postings of their words, in float64.

``OKAPI`` equals ``rank_bm25.BM25Okapi`` to 1e-6, its floor for negative idf included. ``LUCENE`` is the formula that
the published code of the method used through Elasticsearch, up to the constant factor k1 + 1 of older versions (no
order depends on it) and with exact document lengths, which Lucene rounds to one byte.

One tokenizer serves all fields. It folds case and width (NFKC), takes typographic apostrophes for
plain ones, reads runs of letters and digits, drops the commas inside a number ("3,000" is "3000"),
keeps its decimal point ("1.5"), drops a possessive "'s", joins any other contraction ("don't" is
"dont"), and reads "%" as the word "percent". Nothing is stemmed. Function words
(``FUNCTION_WORDS``) are dropped everywhere: Okapi's floor would give each of them a quarter of the
mean weight of a word, and a spoken sentence is full of them.

Source: Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009; Kamphuis et al., Which
BM25, 2020.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from features.language.function_words import FUNCTION_WORDS

_WORD = re.compile(r"\d+(?:,\d{3})+(?:\.\d+)?|\d+\.\d+|[^\W_]+(?:'[^\W_]+)*|%")
_QUOTES = str.maketrans("\u2019\u2018\u02bc\u00b4`", "'''''")
TOKENIZER = 2  # raised when the rules change: an index with other words is another index
BLOCK = 256  # texts scored at a time: bounds the memory of a dense block
Ints = NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class Variant:
    """A formula. ``numerator``: whether k1 + 1 multiplies the term frequency.

    ``floor``: epsilon of Okapi, or None.
    """

    name: str
    k1: float
    b: float
    numerator: bool
    floor: float | None


OKAPI = Variant("okapi", k1=1.5, b=0.75, numerator=True, floor=0.25)
LUCENE = Variant("lucene", k1=1.2, b=0.75, numerator=False, floor=None)


def tokenize(text: str) -> list[str]:
    """Return the words of a text, in order. See the module's docstring for the rules."""
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_QUOTES)
    words = [word if word.isalpha() else _word(word) for word in _WORD.findall(folded)]
    return [word for word in words if word not in FUNCTION_WORDS]


def _word(match: str) -> str:
    if match == "%":
        return "percent"
    if match[0].isdigit():
        return match.replace(",", "").replace("'", "")
    return match.removesuffix("'s").replace("'", "")


@dataclass(frozen=True, slots=True)
class Counts:
    """How often each term occurs in each of m documents, by term.

    ``terms`` (v,): sorted ``key``s. Term i occurs in ``documents[starts[i]:starts[i + 1]]``, which rise, and there as
    often as ``times`` says. ``lengths`` (m,): the number of words of each document. The arrays may be mapped files.
    """

    terms: NDArray[np.uint64]
    starts: NDArray[np.int64]
    documents: NDArray[np.int32]
    times: NDArray[np.uint16]
    lengths: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.lengths)

    @classmethod
    def of(cls, keys: NDArray[np.uint64], documents: Ints, times: Ints, lengths: Ints) -> Counts:
        """Return the counts of (term, document, times), sorted by document, in any order of the terms."""
        order = np.argsort(keys, kind="stable")
        terms, starts = np.unique(keys[order], return_index=True)
        often = np.minimum(times[order], np.iinfo(np.uint16).max).astype(np.uint16)
        starts = np.append(starts, len(keys)).astype(np.int64)
        return cls(
            terms, starts, documents[order].astype(np.int32), often, np.asarray(lengths, np.int32)
        )

    def by_posting(self) -> NDArray[np.uint64]:
        """Return the term of each posting."""
        return np.repeat(self.terms, np.diff(self.starts))


@lru_cache(maxsize=1 << 16)
def key(term: str) -> int:
    """Return the 64 bits that stand for a term.

    Two of a million terms share them once in 10^7 indexes.
    """
    return int.from_bytes(
        blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little"
    )


def count(texts: Iterable[str]) -> Counts:
    """Return the counts of some documents."""
    keys = array("Q")
    documents = array("i")
    times = array("i")
    lengths = array("i")
    for number, text in enumerate(texts):
        words = tokenize(text)
        lengths.append(len(words))
        for term, often in Counter(words).items():
            keys.append(key(term))
            documents.append(number)
            times.append(often)
    return Counts.of(
        np.array(keys, np.uint64),
        *(np.array(part, np.int32) for part in (documents, times, lengths)),
    )


def merge(parts: Sequence[Counts]) -> Counts:
    """Return several counts as one, document after document."""
    if not parts:
        return count(())
    firsts = np.cumsum([0, *map(len, parts)])
    documents = np.concatenate(
        [part.documents + first for part, first in zip(parts, firsts, strict=False)]
    )
    keys = [part.by_posting() for part in parts]
    times = [part.times for part in parts]
    lengths = np.concatenate([part.lengths for part in parts])
    return Counts.of(np.concatenate(keys), documents, np.concatenate(times), lengths)


def take(counts: Counts, rows: Ints) -> Counts:
    """Return the counts of some documents, each at most once, in the order given."""
    place = _places(rows, len(counts))[counts.documents]
    kept = np.flatnonzero(place >= 0)
    kept = kept[np.argsort(place[kept], kind="stable")]
    return Counts.of(
        counts.by_posting()[kept], place[kept], counts.times[kept], counts.lengths[rows]
    )


class BM25:
    """The scores of any text against the documents that were counted.

    Nothing is computed but the documents that have a word of the text, so that a million may stay
    on the disk.
    """

    def __init__(
        self,
        counts: Counts | Sequence[Counts],
        variant: Variant = OKAPI,
        rows: NDArray[np.integer] | None = None,
    ) -> None:
        """``rows`` (m,): which of all documents in the counts there are, in their order.

        By default all.
        """
        self.variant = variant
        self._parts = [counts] if isinstance(counts, Counts) else list(counts)
        self._firsts = np.cumsum([0, *map(len, self._parts)])
        self._rows = np.arange(self._firsts[-1]) if rows is None else rows
        self._place = _places(self._rows, int(self._firsts[-1]))
        lengths = np.concatenate([np.zeros(0, np.int32), *(part.lengths for part in self._parts)])
        some = len(self._rows) and lengths[self._rows].any()
        mean = lengths[self._rows].mean(dtype=np.float64) if some else 1.0
        self._norm = variant.k1 * (1 - variant.b + variant.b * lengths / mean)
        self._terms, frequency = self._frequencies()
        self._idf = idf(frequency, len(self._rows), variant)

    @classmethod
    def of(cls, texts: Iterable[str], variant: Variant = OKAPI) -> BM25:
        """Return the BM25 of some documents."""
        return cls(count(texts), variant)

    def scores(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the score of every text against every document, (n, m) float64.

        Repeated words count repeatedly.
        """
        return np.array([self._sums(text)[self._rows] for text in texts]).reshape(
            len(texts), len(self._rows)
        )

    def best(self, text: str, depth: int, allowed: NDArray[np.bool_]) -> NDArray[np.int32]:
        """Return the documents with the highest scores above 0 among those allowed (m,), best first, (≤ depth,).

        Ties go to the lower position.
        """
        sums = self._sums(text)
        found = np.flatnonzero(sums > 0)
        found = found[self._place[found] >= 0]
        found = found[allowed[self._place[found]]]
        return highest(sums[found], self._place[found], depth)

    def pairs(self, texts: Sequence[str], candidates: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return the scores of each text against its own candidates, (n, k).

        0 where a candidate is negative.
        """
        scores = np.zeros(candidates.shape)
        if not len(self._rows):
            return scores
        for row, text in enumerate(texts):
            wanted = self._rows[np.maximum(candidates[row], 0)]
            for term, times, value in self._words(text):
                for documents, often, first in self._postings(term):
                    place = np.minimum(
                        np.searchsorted(documents, wanted - first), len(documents) - 1
                    )
                    there = np.flatnonzero(documents[place] == wanted - first)
                    weights = self._weights(often[place[there]], wanted[there], value)
                    scores[row, there] += times * weights
        return scores * (candidates >= 0)

    def _sums(self, text: str) -> NDArray[np.float64]:
        """Return the score of a text against every document in the counts, deleted ones too."""
        sums = np.zeros(self._firsts[-1])
        for term, times, value in self._words(text):
            for documents, often, first in self._postings(term):
                rows = documents + first
                sums[rows] += times * self._weights(often, rows, value)
        return sums

    def _words(self, text: str) -> Iterator[tuple[np.uint64, float, float]]:
        """Yield the known terms of a text: key, how often it occurs there, its idf."""
        for term, times in Counter(tokenize(text)).items():
            wanted = np.uint64(key(term))
            place = int(np.searchsorted(self._terms, wanted))
            if place < len(self._terms) and self._terms[place] == wanted:
                yield wanted, float(times), float(self._idf[place])

    def _postings(
        self, term: np.uint64
    ) -> Iterator[tuple[NDArray[np.int32], NDArray[np.uint16], int]]:
        """Yield the documents that have a term and how often, part by part, with the first row of the part."""
        for part, first in zip(self._parts, self._firsts.tolist(), strict=False):
            place = int(np.searchsorted(part.terms, term))
            if place < len(part.terms) and part.terms[place] == term:
                postings = slice(int(part.starts[place]), int(part.starts[place + 1]))
                yield part.documents[postings], part.times[postings], first

    def _weights(self, often: NDArray[np.uint16], rows: Ints, value: float) -> NDArray[np.float64]:
        times = often.astype(np.float64)
        gain = (
            times
            / (times + self._norm[rows])
            * (self.variant.k1 + 1 if self.variant.numerator else 1.0)
        )
        return gain * value

    def _frequencies(self) -> tuple[NDArray[np.uint64], Ints]:
        """Return the terms, sorted, and in how many documents each occurs.

        A term of deleted ones only is none.
        """
        terms = [np.zeros(0, np.uint64)]
        frequencies = [np.zeros(0, np.int64)]
        for part, first in zip(self._parts, self._firsts.tolist(), strict=False):
            there = self._place[first : first + len(part)] >= 0
            frequency = np.diff(part.starts)
            if not there.all():
                before = np.concatenate(([0], np.cumsum(there[part.documents])))
                frequency = before[part.starts[1:]] - before[part.starts[:-1]]
            terms.append(part.terms[frequency > 0])
            frequencies.append(frequency[frequency > 0])
        together, place = np.unique(np.concatenate(terms), return_inverse=True)
        return together, np.bincount(place, np.concatenate(frequencies), len(together)).astype(
            np.int64
        )


def highest(scores: NDArray[np.floating], positions: Ints, depth: int) -> NDArray[np.int32]:
    """Return the positions of the highest scores, best first, (≤ depth,).

    Ties go to the lower position.
    """
    if 0 < depth < len(scores):
        near = np.flatnonzero(scores >= np.partition(scores, -depth)[-depth])
        scores = scores[near]
        positions = positions[near]
    return positions[np.lexsort((positions, -scores))][:depth].astype(np.int32)


def idf(frequency: NDArray[Any], documents: int, variant: Variant) -> NDArray[np.float64]:
    """Return the inverse document frequency of terms that occur in ``frequency`` of some documents, (v,)."""
    if variant.floor is None:
        return np.log1p((documents - frequency + 0.5) / (frequency + 0.5))
    raw = np.log(documents - frequency + 0.5) - np.log(frequency + 0.5)
    return np.where(raw < 0, variant.floor * raw.mean() if raw.size else 0.0, raw)


def _places(rows: Ints, total: int) -> NDArray[np.int32]:
    """Return the position of each of all documents, -1 for those that are not among the rows, (total,)."""
    place = np.full(total, -1, np.int32)
    place[rows] = np.arange(len(rows), dtype=np.int32)
    return place
