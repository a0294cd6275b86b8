"""Pairs of sentences and claims: one flat table from the search to the matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from features.similarity.catalogue import MEASURES
from features.similarity.input_catalogue import NAMES
from ranking.pooling import position_in_group

Floats = NDArray[np.floating]
Ints = NDArray[np.integer]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Pairs of n sentences and claims, one row per pair, sorted by sentence.

    The search makes the rows. Each later step returns a new value with more columns filled in.

    ``sentence_index`` (p,): the position among the n sentences; ``claim_index`` (p,): the position
    in the claim index; ``found_without_context`` (p,): whether the sentence finds the claim without its
    context. The candidates of a sentence stand in the order in which the search found them.

    ``similarities`` (p, 19): the similarity features in the order of their catalogue, 0 until they
    are computed. ``same_claim`` (p,): the cross-encoder's log-odds that both texts make the same
    claim, NaN for a pair that it has not read.

    ``inputs`` (p, f): the ranker inputs in the order of their catalogue, NaN if not known.
    ``claim_kind`` (p,): with or without an article. ``may_raise_sentence`` (p,): whether the claim may make
    its sentence a match. ``word_count`` (p,): the number of words of the sentence.
    """

    sentence_count: int
    sentence_index: Ints
    claim_index: Ints
    found_without_context: Mask
    similarities: Floats
    same_claim: Floats
    inputs: Floats
    claim_kind: Ints
    may_raise_sentence: Mask
    word_count: Ints

    def __len__(self) -> int:
        return len(self.sentence_index)

    @classmethod
    def from_claims(cls, claims_by_sentence: Sequence[Ints]) -> Pairs:
        """Return the pairs of each sentence with its claims, all found alone, nothing computed."""
        sentence_count = len(claims_by_sentence)
        claim_counts = [len(claims) for claims in claims_by_sentence]
        # Each sentence is repeated once per claim, and the claims of all sentences follow each
        # other, (p,).
        sentence_index = np.repeat(np.arange(sentence_count), claim_counts)
        claim_index = np.concatenate([np.zeros(0, np.int32), *claims_by_sentence])
        return cls.from_positions(sentence_count, sentence_index, claim_index.astype(np.int32))

    @classmethod
    def from_positions(cls, sentence_count: int, sentence_index: Ints, claim_index: Ints) -> Pairs:
        """Return pairs given by the positions of sentence and claim, (p,) each, nothing computed."""
        pair_count = len(sentence_index)
        return cls(
            sentence_count=sentence_count,
            sentence_index=sentence_index,
            claim_index=claim_index,
            found_without_context=np.ones(pair_count, bool),
            similarities=np.zeros((pair_count, len(MEASURES)), np.float32),
            same_claim=np.full(pair_count, np.nan, np.float32),
            inputs=np.full((pair_count, len(NAMES)), np.nan, np.float32),
            claim_kind=np.zeros(pair_count, np.intp),
            may_raise_sentence=np.ones(pair_count, bool),
            word_count=np.zeros(pair_count, np.int64),
        )

    @property
    def position_in_sentence(self) -> Ints:
        """Return the position of each pair among the pairs of its sentence, from 0, (p,)."""
        return position_in_group(self.sentence_index)

    def slices(self) -> list[slice]:
        """Return the slice of the pairs of each sentence, n of them."""
        # Where the pairs of each sentence begin; the last bound is the number of pairs.
        bounds = np.searchsorted(self.sentence_index, np.arange(self.sentence_count + 1)).tolist()
        return [slice(start, end) for start, end in pairwise(bounds)]

    def keys(self, claim_count: int) -> Ints:
        """Return one number per pair that no other pair of sentence and claim has, (p,)."""
        return self.sentence_index.astype(np.int64) * claim_count + self.claim_index

    def only(self, is_chosen: Mask) -> Pairs:
        """Return the chosen pairs, in the same order."""
        columns: dict[str, Any] = {name: getattr(self, name)[is_chosen] for name in COLUMNS}
        return replace(self, **columns)

    def joined(self, further_pairs: Pairs) -> Pairs:
        """Return these pairs and further ones, placed after the pairs of the same sentence."""
        # A stable sort by sentence puts each further pair after the pairs of its sentence.
        sentence_index = np.concatenate((self.sentence_index, further_pairs.sentence_index))
        sorted_order = np.argsort(sentence_index, kind="stable")
        sorted_columns: dict[str, Any] = {}
        for name in COLUMNS:
            own_values = getattr(self, name)
            further_values = getattr(further_pairs, name)
            all_values = np.concatenate((own_values, further_values))
            sorted_columns[name] = all_values[sorted_order]
        return replace(self, **sorted_columns)


COLUMNS = tuple(field.name for field in fields(Pairs) if field.name != "sentence_count")
