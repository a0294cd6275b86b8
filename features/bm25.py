"""BM25 of texts against many documents at once, as one product of sparse matrices in float64.

``OKAPI`` equals ``rank_bm25.BM25Okapi`` to 1e-6, its floor for negative idf included. ``LUCENE`` is the formula that
the published code of the method used through Elasticsearch, up to the constant factor k1 + 1 of older versions (no
order depends on it) and with exact document lengths, which Lucene rounds to one byte.

One tokenizer serves all fields. It folds case and width (NFKC), takes typographic apostrophes for plain ones, reads
runs of letters and digits, drops the commas inside a number ("3,000" is "3000"), keeps its decimal point ("1.5"),
drops a possessive "'s", joins any other contraction ("don't" is "dont"), and reads "%" as the word "percent".
Nothing is stemmed. Function words (``FUNCTION_WORDS``) are dropped everywhere: Okapi's floor would give each of them a
quarter of the mean weight of a word, and a spoken sentence is full of them.

Source: Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009; Kamphuis et al., Which BM25, 2020.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from features.function_words import FUNCTION_WORDS

_WORD = re.compile(r"\d+(?:,\d{3})+(?:\.\d+)?|\d+\.\d+|[^\W_]+(?:'[^\W_]+)*|%")
_QUOTES = str.maketrans("\u2019\u2018\u02bc\u00b4`", "'''''")
TOKENIZER = 2  # raised when the rules change: an index with other words is another index
BLOCK = 256  # texts scored at a time: bounds the memory of a dense block


@dataclass(frozen=True, slots=True)
class Variant:
    """A formula. ``numerator``: whether k1 + 1 multiplies the term frequency. ``floor``: epsilon of Okapi, or None."""

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
    """How often each term occurs in each document: ``frequencies`` (m, v) in compressed rows, ``terms`` its columns."""

    terms: tuple[str, ...]
    frequencies: sparse.csr_array

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Return the number of words of each document, (m,)."""
        return np.asarray(self.frequencies.sum(axis=1)).ravel().astype(np.int64)


def count(texts: Iterable[str]) -> Counts:
    """Return the counts of some documents."""
    vocabulary: dict[str, int] = {}
    columns: list[int] = []
    values: list[int] = []
    starts = [0]
    for text in texts:
        for term, times in Counter(tokenize(text)).items():
            columns.append(vocabulary.setdefault(term, len(vocabulary)))
            values.append(times)
        starts.append(len(columns))
    arrays = (np.array(values, np.int32), np.array(columns, np.int32), np.array(starts, np.int64))
    return Counts(tuple(vocabulary), sparse.csr_array(arrays, shape=(len(starts) - 1, len(vocabulary))))


def merge(parts: Sequence[Counts]) -> Counts:
    """Return several counts as one, document after document."""
    vocabulary: dict[str, int] = {}
    blocks = []
    for part in parts:
        place = np.array([vocabulary.setdefault(term, len(vocabulary)) for term in part.terms], np.int32)
        blocks.append((part.frequencies, place))
    shaped = [
        sparse.csr_array((block.data, place[block.indices], block.indptr), shape=(block.shape[0], len(vocabulary)))
        for block, place in blocks
    ]
    stacked = sparse.vstack(shaped, format="csr") if shaped else sparse.csr_array((0, 0), dtype=np.int32)
    return Counts(tuple(vocabulary), stacked)


def take(counts: Counts, rows: NDArray[np.integer]) -> Counts:
    """Return the counts of some documents, in the order given."""
    return Counts(counts.terms, counts.frequencies[rows])


class BM25:
    """The scores of any text against the documents that were counted."""

    def __init__(self, counts: Counts, variant: Variant = OKAPI) -> None:
        self.variant = variant
        self._columns = {term: i for i, term in enumerate(counts.terms)}
        self._weights = _weights(counts, variant)  # (v, m)

    @classmethod
    def of(cls, texts: Iterable[str], variant: Variant = OKAPI) -> BM25:
        """Return the BM25 of some documents."""
        return cls(count(texts), variant)

    def scores(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the score of every text against every document, (n, m) float64. Repeated words count repeatedly."""
        product = self._vectors(texts) @ self._weights
        return np.asarray(product.todense(), np.float64)

    def pairs(self, texts: Sequence[str], candidates: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return the scores of each text against its own candidates, (n, k); 0 where a candidate is negative."""
        scores = np.zeros(candidates.shape)
        for start in range(0, len(texts), BLOCK):
            rows = slice(start, start + BLOCK)
            block = candidates[rows]
            scores[rows] = np.take_along_axis(self.scores(texts[rows]), np.maximum(block, 0), axis=1) * (block >= 0)
        return scores

    def _vectors(self, texts: Sequence[str]) -> sparse.csr_array:
        columns: list[int] = []
        values: list[int] = []
        starts = [0]
        for text in texts:
            known = Counter(self._columns[t] for t in tokenize(text) if t in self._columns)
            columns += known.keys()
            values += known.values()
            starts.append(len(columns))
        arrays = (np.array(values, np.float64), np.array(columns, np.int32), np.array(starts, np.int64))
        return sparse.csr_array(arrays, shape=(len(texts), len(self._columns)))


def idf(frequency: NDArray[Any], documents: int, variant: Variant) -> NDArray[np.float64]:
    """Return the inverse document frequency of terms that occur in ``frequency`` of some documents, (v,)."""
    if variant.floor is None:
        return np.log1p((documents - frequency + 0.5) / (frequency + 0.5))
    raw = np.log(documents - frequency + 0.5) - np.log(frequency + 0.5)
    return np.where(raw < 0, variant.floor * raw.mean() if raw.size else 0.0, raw)


def _weights(counts: Counts, variant: Variant) -> sparse.csr_array:
    """Return the weight of each term in each document, (v, m)."""
    documents = counts.frequencies.shape[0]
    by_term = counts.frequencies.T.tocsr()
    by_term.data = by_term.data.astype(np.float64)
    in_documents = np.diff(by_term.indptr)
    used = in_documents > 0  # a term of deleted documents only is no term
    value = np.zeros(len(in_documents))
    value[used] = idf(in_documents[used], documents, variant)
    lengths = counts.lengths
    mean = lengths.mean() if documents and lengths.any() else 1.0
    norm = variant.k1 * (1 - variant.b + variant.b * lengths / mean)
    times = by_term.data
    gain = times / (times + norm[by_term.indices]) * (variant.k1 + 1 if variant.numerator else 1.0)
    by_term.data = gain * np.repeat(value, in_documents)
    return by_term
