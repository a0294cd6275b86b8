"""BM25 scores of texts against many documents, from the postings of their words, in float64.

``OKAPI`` equals ``rank_bm25.BM25Okapi`` to 1e-6, with its floor for negative idf. ``LUCENE`` is
the formula that the published code of the method used through Elasticsearch, up to the constant
factor k1 + 1 of older versions (no order depends on it) and with exact document lengths, which
Lucene rounds to one byte.

All fields have one tokenizer. It folds case and width (NFKC), replaces typographic apostrophes by
plain ones, and splits a text into runs of letters and digits. It removes the commas inside a
number ("3,000" is "3000") and keeps its decimal point ("1.5"), removes a possessive "'s", joins
any other contraction ("don't" is "dont"), and replaces "%" by the word "percent". It stems
nothing. Function words (``FUNCTION_WORDS``) are left out: Okapi's floor would give each of them a
quarter of the mean weight of a word, and a spoken sentence is full of them.

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
from features.similarity.pair_runs import runs_by_sentence

_WORD_PATTERN = re.compile(r"\d+(?:,\d{3})+(?:\.\d+)?|\d+\.\d+|[^\W_]+(?:'[^\W_]+)*|%")
_PLAIN_APOSTROPHES = str.maketrans("\u2019\u2018\u02bc\u00b4`", "'''''")
TOKENIZER_VERSION = 2  # version of the rules: an index that another version made is built again
BLOCK = 256  # texts scored at a time, which limits the memory of a dense block
Ints = NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant of the formula.

    ``numerator``: whether k1 + 1 multiplies the term frequency. ``floor``: Okapi's epsilon, or
    None.
    """

    name: str
    k1: float
    b: float
    numerator: bool
    floor: float | None


OKAPI = Variant("okapi", k1=1.5, b=0.75, numerator=True, floor=0.25)
LUCENE = Variant("lucene", k1=1.2, b=0.75, numerator=False, floor=None)


def tokenize(text: str) -> list[str]:
    """Split a text into words, in order. See the module's docstring for the rules."""
    normalised_text = unicodedata.normalize("NFKC", text).casefold().translate(_PLAIN_APOSTROPHES)
    words = []
    for raw_word in _WORD_PATTERN.findall(normalised_text):
        word = raw_word if raw_word.isalpha() else _normalise(raw_word)
        if word not in FUNCTION_WORDS:
            words.append(word)
    return words


def _normalise(match: str) -> str:
    """Normalise a word that has other characters than letters."""
    if match == "%":
        return "percent"
    if match[0].isdigit():
        return match.replace(",", "").replace("'", "")
    return match.removesuffix("'s").replace("'", "")


@dataclass(frozen=True, slots=True)
class Counts:
    """The frequency of each term in each of m documents, by term.

    ``terms`` (v,): sorted ``term_key``s. Term i occurs in ``documents[starts[i]:starts[i + 1]]``, in
    ascending order, with the frequencies in the same slice of ``times``. ``lengths`` (m,): the
    number of words of each document. The arrays may be memory-mapped files.
    """

    terms: NDArray[np.uint64]
    starts: NDArray[np.int64]
    documents: NDArray[np.int32]
    times: NDArray[np.uint16]
    lengths: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.lengths)

    @classmethod
    def from_postings(
        cls,
        term_keys: NDArray[np.uint64],
        documents: Ints,
        frequencies: Ints,
        document_lengths: Ints,
    ) -> Counts:
        """Build the counts from postings (key, document, times), sorted by document."""
        # A posting is a term, a document and how many times the term is in the document. A stable
        # sort by key keeps the documents of each term in ascending order.
        postings_by_term = np.argsort(term_keys, kind="stable")
        terms, starts = np.unique(term_keys[postings_by_term], return_index=True)
        largest_count = np.iinfo(np.uint16).max
        return cls(
            terms=terms,
            starts=np.append(starts, len(term_keys)).astype(np.int64),
            documents=documents[postings_by_term].astype(np.int32),
            times=np.minimum(frequencies[postings_by_term], largest_count).astype(np.uint16),
            lengths=np.asarray(document_lengths, np.int32),
        )

    def terms_of_postings(self) -> NDArray[np.uint64]:
        """Return the term of each posting."""
        return np.repeat(self.terms, np.diff(self.starts))

    def postings(self, term: np.uint64) -> slice:
        """Return the slice of ``documents`` and ``times`` for a term, empty if it is unknown."""
        position = int(np.searchsorted(self.terms, term))
        if position == len(self.terms) or self.terms[position] != term:
            return slice(0, 0)
        return slice(int(self.starts[position]), int(self.starts[position + 1]))


@lru_cache(maxsize=1 << 16)
def term_key(term: str) -> int:
    """Return the 64-bit key of a term.

    In one of 10^7 indexes, two of a million terms share a key.
    """
    digest = blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def count_terms(texts: Iterable[str]) -> Counts:
    """Count the terms of some documents."""
    # One posting per document and term; arrays of C numbers take a tenth of the memory of lists.
    term_keys = array("Q")
    document_indices = array("i")
    frequencies = array("i")
    document_lengths = array("i")
    for document, text in enumerate(texts):
        words = tokenize(text)
        document_lengths.append(len(words))
        for word, frequency in Counter(words).items():
            term_keys.append(term_key(word))
            document_indices.append(document)
            frequencies.append(frequency)
    return Counts.from_postings(
        np.array(term_keys, np.uint64),
        np.array(document_indices, np.int32),
        np.array(frequencies, np.int32),
        np.array(document_lengths, np.int32),
    )


def merge_counts(segments: Sequence[Counts]) -> Counts:
    """Merge the counts of several segments, document after document."""
    if not segments:
        return count_terms(())
    term_keys = [segment.terms_of_postings() for segment in segments]
    document_indices = []
    first_document = 0
    for segment in segments:
        document_indices.append(segment.documents + first_document)
        first_document += len(segment)
    frequencies = [segment.times for segment in segments]
    document_lengths = [segment.lengths for segment in segments]
    return Counts.from_postings(
        np.concatenate(term_keys),
        np.concatenate(document_indices),
        np.concatenate(frequencies),
        np.concatenate(document_lengths),
    )


def select_documents(counts: Counts, selected_documents: Ints) -> Counts:
    """Return the counts of some documents, each at most once, in the order given."""
    # A posting is a term in a document. The new number of its document, -1 if it is left out.
    new_documents = _positions(selected_documents, len(counts))[counts.documents]
    # The postings of the documents that stay, in the order of their new numbers.
    kept_postings = np.flatnonzero(new_documents >= 0)
    kept_postings = kept_postings[np.argsort(new_documents[kept_postings], kind="stable")]
    return Counts.from_postings(
        counts.terms_of_postings()[kept_postings],
        new_documents[kept_postings],
        counts.times[kept_postings],
        counts.lengths[selected_documents],
    )


class BM25:
    """BM25 scores of any text against a fixed set of documents.

    Only the documents that have a word of the text are read, so a million of them may stay on the
    disk.
    """

    def __init__(
        self,
        counts: Counts | Sequence[Counts],
        variant: Variant = OKAPI,
        rows: NDArray[np.integer] | None = None,
    ) -> None:
        """Prepare the scores of documents in one or several segments.

        ``rows`` (m,): the documents to score, numbered through all segments, in their order; all
        by default.
        """
        self.variant = variant
        self._segments = [counts] if isinstance(counts, Counts) else list(counts)
        # The number of the first document of each segment, and at the end the number of documents.
        self._first_documents = np.cumsum([0, *map(len, self._segments)])
        total = int(self._first_documents[-1])
        self._rows = np.arange(total) if rows is None else rows
        self._position = _positions(self._rows, total)
        no_lengths = np.zeros(0, np.int32)
        lengths = np.concatenate([no_lengths, *(segment.lengths for segment in self._segments)])
        mean_length = 1.0
        if len(self._rows) and lengths[self._rows].any():
            mean_length = lengths[self._rows].mean(dtype=np.float64)
        # (total,): the denominator of the formula without the term frequency.
        self._length_norm = variant.k1 * (1 - variant.b + variant.b * lengths / mean_length)
        self._terms, frequencies = self._document_frequencies()
        self._idf = idf(frequencies, len(self._rows), variant)

    @classmethod
    def of(cls, texts: Iterable[str], variant: Variant = OKAPI) -> BM25:
        """Return the BM25 of some documents."""
        return cls(count_terms(texts), variant)

    def scores(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the score of every text against every document, (n, m) float64.

        Repeated words count repeatedly.
        """
        scores = [self._scores_of_all(text)[self._rows] for text in texts]
        return np.array(scores).reshape(len(texts), len(self._rows))

    def best(self, text: str, depth: int, allowed: NDArray[np.bool_]) -> NDArray[np.int32]:
        """Return the documents with the highest scores among those allowed (m,), (≤ depth,).

        The best comes first, ties go to the lower position, and no score is 0.
        """
        sums = self._scores_of_all(text)
        documents = np.flatnonzero(sums > 0)
        documents = documents[self._position[documents] >= 0]
        documents = documents[allowed[self._position[documents]]]
        return highest_first(sums[documents], self._position[documents], depth)

    def pairs(
        self, texts: Sequence[str], text_index: Ints, document_index: Ints
    ) -> NDArray[np.float64]:
        """Return the scores of pairs of a text and a document, given by position, (p,) each.

        The pairs of a text are adjacent.
        """
        scores = np.zeros(len(document_index))
        for text_number, run in runs_by_sentence(text_index):
            pair_documents = self._rows[document_index[run]]
            text_scores = np.zeros(len(pair_documents))
            for term, frequency_in_text, term_idf in self._known_terms(texts[text_number]):
                for documents_with_term, frequencies, first_document in self._postings(term):
                    # Look the documents of the pairs up among the sorted ones with the term.
                    segment_positions = pair_documents - first_document
                    posting_position = np.searchsorted(documents_with_term, segment_positions)
                    posting_position = np.minimum(posting_position, len(documents_with_term) - 1)
                    pairs_with_term = np.flatnonzero(
                        documents_with_term[posting_position] == segment_positions
                    )
                    weights = self._weights(
                        frequencies[posting_position[pairs_with_term]],
                        pair_documents[pairs_with_term],
                        term_idf,
                    )
                    text_scores[pairs_with_term] += frequency_in_text * weights
            scores[run] = text_scores
        return scores

    def _scores_of_all(self, text: str) -> NDArray[np.float64]:
        """Return the score of a text against every document in the counts, (total,)."""
        scores = np.zeros(self._first_documents[-1])
        for term, frequency_in_text, term_idf in self._known_terms(text):
            for segment_documents, frequencies, first_document in self._postings(term):
                documents = segment_documents + first_document
                scores[documents] += frequency_in_text * self._weights(
                    frequencies, documents, term_idf
                )
        return scores

    def _known_terms(self, text: str) -> Iterator[tuple[np.uint64, float, float]]:
        """Yield each known term of a text: its key, its frequency in the text and its idf."""
        for word, frequency_in_text in Counter(tokenize(text)).items():
            term = np.uint64(term_key(word))
            position = int(np.searchsorted(self._terms, term))
            if position < len(self._terms) and self._terms[position] == term:
                yield term, float(frequency_in_text), float(self._idf[position])

    def _postings(
        self, term_key: np.uint64
    ) -> Iterator[tuple[NDArray[np.int32], NDArray[np.uint16], int]]:
        """Yield each segment's documents with a term, their frequencies and its first document."""
        # The documents of all segments are numbered through, each segment from its first one.
        # ``first_documents`` has one more number, the end of the last segment.
        first_documents = self._first_documents.tolist()
        for segment, first_document in zip(self._segments, first_documents, strict=False):
            postings = segment.postings(term_key)
            documents = segment.documents[postings]
            if len(documents):
                yield documents, segment.times[postings], first_document

    def _weights(
        self, frequencies: NDArray[np.uint16], documents: Ints, term_idf: float
    ) -> NDArray[np.float64]:
        """Return the weight of a term in some documents, (p,)."""
        times = frequencies.astype(np.float64)
        factor = self.variant.k1 + 1 if self.variant.numerator else 1.0
        gain = times / (times + self._length_norm[documents]) * factor
        return gain * term_idf

    def _document_frequencies(self) -> tuple[NDArray[np.uint64], Ints]:
        """Return the sorted terms of the scored documents, and the document frequency of each."""
        terms_by_segment = [np.zeros(0, np.uint64)]
        frequencies_by_segment = [np.zeros(0, np.int64)]
        first_documents = self._first_documents.tolist()
        for segment, first_document in zip(self._segments, first_documents, strict=False):
            # The documents of term i are segment.documents[starts[i] : starts[i + 1]], one posting
            # each. A document that is not scored has the position -1.
            end_document = first_document + len(segment)
            is_scored = self._position[first_document:end_document] >= 0
            segment_frequencies = np.diff(segment.starts)
            if not is_scored.all():
                # Running count of scored documents over the postings, to count those of each term.
                scored_postings_before = np.cumsum(is_scored[segment.documents])
                scored_postings_before = np.concatenate(([0], scored_postings_before))
                segment_frequencies = (
                    scored_postings_before[segment.starts[1:]]
                    - scored_postings_before[segment.starts[:-1]]
                )
            occurs_in_scored = segment_frequencies > 0
            terms_by_segment.append(segment.terms[occurs_in_scored])
            frequencies_by_segment.append(segment_frequencies[occurs_in_scored])
        # A term of several segments gets the sum of its frequencies.
        all_terms, term_index = np.unique(np.concatenate(terms_by_segment), return_inverse=True)
        summed_frequencies = np.bincount(
            term_index, np.concatenate(frequencies_by_segment), len(all_terms)
        )
        return all_terms, summed_frequencies.astype(np.int64)


def highest_first(scores: NDArray[np.floating], positions: Ints, depth: int) -> NDArray[np.int32]:
    """Return the positions of the highest scores, best first, (≤ depth,).

    Ties go to the lower position.
    """
    if 0 < depth < len(scores):
        # Only the scores from the depth-th highest on are sorted, ties with it included.
        lowest_score = np.partition(scores, -depth)[-depth]
        candidates = np.flatnonzero(scores >= lowest_score)
        scores = scores[candidates]
        positions = positions[candidates]
    best_first = np.lexsort((positions, -scores))  # the last key counts first
    return positions[best_first][:depth].astype(np.int32)


def idf(
    document_frequency: NDArray[Any], document_count: int, variant: Variant
) -> NDArray[np.float64]:
    """Return the inverse document frequency of terms, (v,), from their document frequency."""
    without_term = document_count - document_frequency
    if variant.floor is None:
        # Lucene's idf = log(1 + (N - n + 0.5) / (n + 0.5)), never negative
        return np.log1p((without_term + 0.5) / (document_frequency + 0.5))
    # idf = log((N - n + 0.5) / (n + 0.5)), negative for a term of more than half of the documents.
    # Such a term gets a share of the mean idf instead.
    raw_idf = np.log(without_term + 0.5) - np.log(document_frequency + 0.5)
    lowest_idf = variant.floor * raw_idf.mean() if raw_idf.size else 0.0
    return np.where(raw_idf < 0, lowest_idf, raw_idf)


def _positions(rows: Ints, total: int) -> NDArray[np.int32]:
    """Return the position among ``rows`` of each of all documents, -1 for the others, (total,)."""
    positions = np.full(total, -1, np.int32)
    positions[rows] = np.arange(len(rows), dtype=np.int32)
    return positions
