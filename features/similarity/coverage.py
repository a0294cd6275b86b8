"""Coverage: how much of a sentence's rare words a statement has, and the other way round.

Texts in, arrays out.

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
WORD_WEIGHTS = "word-weights.json"
BLOCK = 50_000  # pairs compared at a time: bounds memory


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
    def of(cls, texts: Iterable[str], *, least: int = 3) -> WordWeights:
        """Return log(n / documents with the word) / log(n) for words that occur in ``least`` texts or more."""
        documents: Counter[str] = Counter()
        n = 0
        for n, text in enumerate(texts, 1):  # noqa: B007
            documents.update(set(tokenize(text)))
        frequent = {word: times for word, times in sorted(documents.items()) if times >= least}
        return cls(
            {
                word: round(1 - float(np.log(times) / np.log(max(n, 2))), 4)
                for word, times in frequent.items()
            }
        )

    def to_json(self) -> dict[str, object]:
        """Return plain values that ``from_json`` reads."""
        return {"unseen": self.unseen, "weights": dict(self.weights)}

    @classmethod
    def from_json(cls, value: Mapping) -> WordWeights:
        """Return the weights that ``to_json`` gave."""
        return cls(dict(value["weights"]), float(value["unseen"]))


@lru_cache(maxsize=1)
def load_word_weights(path: Path = MODELS / WORD_WEIGHTS) -> WordWeights:
    """Return the weights that ship with Lectern."""
    return WordWeights.from_json(json.loads(path.read_text("utf-8")))


class WordBag:
    """Some texts as sparse rows over shared vocabularies of words and of neighbouring words."""

    def __init__(
        self, sentences: Sequence[str], statements: Sequence[str], weights: WordWeights
    ) -> None:
        words: dict[str, int] = {}
        rows: dict[tuple[str, str], int] = {}
        ours = [_words(t) for t in sentences]
        theirs = [_words(t) for t in statements]
        self.ours = _binary(ours, words)
        self.theirs = _binary(theirs, words)
        self.our_rows = _binary(map(_neighbours, ours), rows)
        self.their_rows = _binary(map(_neighbours, theirs), rows)
        for one, other, width in (
            ("ours", "theirs", len(words)),
            ("our_rows", "their_rows", len(rows)),
        ):
            getattr(self, one).resize(len(sentences), width)
            getattr(self, other).resize(len(statements), width)
        self.word_weights = np.array([weights.weights.get(word, weights.unseen) for word in words])
        self.row_weights = np.array(
            [sum(weights.weights.get(w, weights.unseen) for w in row) for row in rows]
        )

    @property
    def weight_of_sentences(self) -> Floats:
        """Return the summed weight of each sentence's different words, (n,)."""
        return self.ours @ self.word_weights

    def compare(self, sentence: Ints, statement: Ints) -> Coverage:
        """Return the coverage of pairs, given as positions of sentences (p,) and of statements (p,)."""
        ours = self.weight_of_sentences
        theirs = self.theirs @ self.word_weights
        our_rows = self.our_rows @ self.row_weights
        shared, rarest, in_row = (np.zeros(len(sentence)) for _ in range(3))
        for start in range(0, len(sentence), BLOCK):
            s = sentence[start : start + BLOCK]
            c = statement[start : start + BLOCK]
            common = self.ours[s].multiply(self.theirs[c]).tocsr()
            shared[start : start + BLOCK] = common @ self.word_weights
            weighed = common @ sparse.diags_array(self.word_weights)
            if weighed.shape[1]:  # a matrix without columns has no maximum
                rarest[start : start + BLOCK] = weighed.max(axis=1).toarray().ravel()
            in_row[start : start + BLOCK] = (
                self.our_rows[s].multiply(self.their_rows[c]).tocsr() @ self.row_weights
            )
        return Coverage(
            _share(shared, ours[sentence]),
            _share(shared, theirs[statement]),
            rarest,
            _share(in_row, our_rows[sentence]),
        )


@lru_cache(maxsize=1 << 16)
def _words(text: str) -> tuple[str, ...]:
    return tuple(tokenize(text))  # the same statements come back with every transcript


def _binary(texts: Iterable[Iterable], vocabulary: dict) -> sparse.csr_array:
    columns: list[int] = []
    starts = [0]
    for tokens in texts:
        columns += sorted({vocabulary.setdefault(token, len(vocabulary)) for token in tokens})
        starts.append(len(columns))
    arrays = (np.ones(len(columns)), np.array(columns, np.int32), np.array(starts, np.int64))
    return sparse.csr_array(arrays, shape=(len(starts) - 1, len(vocabulary)))


def _neighbours(tokens: Sequence[str]) -> list[tuple[str, str]]:
    return list(zip(tokens, tokens[1:], strict=False))


def _share(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
