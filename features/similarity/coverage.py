"""Coverage: how much of a sentence's rare words a statement has, and the other way round.

Words are weighted by their rarity in a fixed collection of statements
(``models/word-weights.json``), so that a value means the same whether the database has a hundred
claims or a hundred thousand.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from features.models.weight_files import MODELS
from features.similarity.bm25 import tokenize

Floats = NDArray[np.floating]
Ints = NDArray[np.integer]
WORD_WEIGHTS_FILE = "word-weights.json"
PAIRS_PER_BLOCK = 50_000  # pairs compared at a time, which limits the memory


class Coverage(NamedTuple):
    """Of each pair, (p,): weight shared over the sentence's, over the statement's.

    Weight of the rarest shared word;
    shared neighbouring words over the sentence's.
    """

    of_sentence: Floats
    of_statement: Floats
    rarest: Floats
    in_row: Floats


@dataclass(frozen=True, slots=True)
class WordWeights:
    """The weight of each word, 0..1; ``unseen`` is that of a word that the collection lacks."""

    weights: Mapping[str, float]
    unseen: float = 1.0

    @classmethod
    def of(cls, texts: Iterable[str], *, min_documents: int = 3) -> WordWeights:
        """Weigh the words that occur in ``min_documents`` texts or more by their rarity.

        The weight is log(n / documents with the word) / log(n).
        """
        document_counts: Counter[str] = Counter()
        text_count = 0
        for text in texts:
            text_count += 1
            document_counts.update(set(tokenize(text)))
        weight_by_word = {}
        for word, document_count in sorted(document_counts.items()):
            if document_count >= min_documents:
                # log(n / documents) / log(n) = 1 - log(documents) / log(n)
                rarity = 1 - float(np.log(document_count) / np.log(max(text_count, 2)))
                weight_by_word[word] = round(rarity, 4)
        return cls(weight_by_word)

    def weight(self, word: str) -> float:
        """Return the weight of a word."""
        return self.weights.get(word, self.unseen)

    def to_json(self) -> dict[str, object]:
        """Return plain values that ``from_json`` reads."""
        return {"unseen": self.unseen, "weights": dict(self.weights)}

    @classmethod
    def from_json(cls, value: Mapping) -> WordWeights:
        """Return the weights that ``to_json`` gave."""
        return cls(dict(value["weights"]), float(value["unseen"]))


@lru_cache(maxsize=1)
def load_word_weights(path: Path = MODELS / WORD_WEIGHTS_FILE) -> WordWeights:
    """Return the weights that ship with Lectern."""
    return WordWeights.from_json(json.loads(path.read_text("utf-8")))


class WordBag:
    """Some texts as sparse rows over shared vocabularies of words and of neighbouring words."""

    def __init__(
        self, sentences: Sequence[str], statements: Sequence[str], weights: WordWeights
    ) -> None:
        word_columns: dict[str, int] = {}
        neighbour_columns: dict[tuple[str, str], int] = {}
        sentence_words = [_words(text) for text in sentences]
        statement_words = [_words(text) for text in statements]
        # Binary rows, one per text: (n, v) for sentences, (m, v) for statements. The statements add
        # words to the vocabulary, so the rows of the sentences are widened to it.
        self.sentence_words = _binary_matrix(sentence_words, word_columns)
        self.statement_words = _binary_matrix(statement_words, word_columns)
        self.sentence_words.resize(len(sentences), len(word_columns))
        # The same for neighbouring words.
        self.sentence_neighbours = _binary_matrix(
            map(_neighbours, sentence_words), neighbour_columns
        )
        self.statement_neighbours = _binary_matrix(
            map(_neighbours, statement_words), neighbour_columns
        )
        self.sentence_neighbours.resize(len(sentences), len(neighbour_columns))
        self.word_weights = np.array([weights.weight(word) for word in word_columns])
        self.neighbour_weights = np.array(
            [sum(map(weights.weight, neighbours)) for neighbours in neighbour_columns]
        )

    @property
    def weight_of_sentences(self) -> Floats:
        """Return the summed weight of each sentence's different words, (n,)."""
        return self.sentence_words @ self.word_weights

    def compare(self, sentence: Ints, statement: Ints) -> Coverage:
        """Return the coverage of pairs, given by positions of sentences and statements, (p,)."""
        # The weight of all words of each sentence (n,) and statement (m,), and of the pairs of
        # neighbouring words of each sentence (n,).
        sentence_weights = self.weight_of_sentences
        statement_weights = self.statement_words @ self.word_weights
        neighbour_weights = self.sentence_neighbours @ self.neighbour_weights
        shared = np.zeros(len(sentence))
        rarest = np.zeros(len(sentence))
        in_row = np.zeros(len(sentence))
        for start in range(0, len(sentence), PAIRS_PER_BLOCK):
            block = slice(start, start + PAIRS_PER_BLOCK)
            # The words that both texts of a pair have, (b, v), binary and sparse.
            common = _common_entries(
                self.sentence_words, sentence[block], self.statement_words, statement[block]
            )
            shared[block] = common @ self.word_weights
            # Each common word by its weight: the largest is the weight of the rarest one.
            common_weights = common @ sparse.diags_array(self.word_weights)
            if common_weights.shape[1]:  # a matrix without columns has no maximum
                rarest[block] = common_weights.max(axis=1).toarray().ravel()
            common_neighbours = _common_entries(
                self.sentence_neighbours,
                sentence[block],
                self.statement_neighbours,
                statement[block],
            )
            # Words that follow each other in both texts.
            in_row[block] = common_neighbours @ self.neighbour_weights
        return Coverage(
            of_sentence=_share_of_weight(shared, sentence_weights[sentence]),
            of_statement=_share_of_weight(shared, statement_weights[statement]),
            rarest=rarest,
            in_row=_share_of_weight(in_row, neighbour_weights[sentence]),
        )


def _common_entries(
    sentence_rows: sparse.csr_array,
    sentence: Ints,
    statement_rows: sparse.csr_array,
    statement: Ints,
) -> sparse.csr_array:
    """Return the columns that both texts of each pair have, (p, v)."""
    return sentence_rows[sentence].multiply(statement_rows[statement]).tocsr()


@lru_cache(maxsize=1 << 16)
def _words(text: str) -> tuple[str, ...]:
    return tuple(tokenize(text))  # the same statements come back with every transcript


def _binary_matrix(tokens_of_texts: Iterable[Iterable], column_by_token: dict) -> sparse.csr_array:
    """Return a sparse binary row per text; new tokens are added to the vocabulary."""
    # The rows in compressed form: row i is 1 in columns[starts[i] : starts[i + 1]].
    filled_columns: list[int] = []
    row_starts = [0]
    for tokens in tokens_of_texts:
        # The vocabulary numbers the tokens; a new one gets the next number.
        columns_of_text = {
            column_by_token.setdefault(token, len(column_by_token)) for token in tokens
        }
        filled_columns += sorted(columns_of_text)
        row_starts.append(len(filled_columns))
    ones = np.ones(len(filled_columns))
    arrays = (ones, np.array(filled_columns, np.int32), np.array(row_starts, np.int64))
    row_count = len(row_starts) - 1
    return sparse.csr_array(arrays, shape=(row_count, len(column_by_token)))


def _neighbours(tokens: Sequence[str]) -> list[tuple[str, str]]:
    return list(zip(tokens, tokens[1:], strict=False))


def _share_of_weight(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
