"""The flat table of pairs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from assistant.check.pairs import Pairs


def pairs() -> Pairs:
    """Three sentences, the second without a candidate."""
    return Pairs.from_claims([np.array([4, 2]), np.zeros(0, int), np.array([7])])


def test_pairs_are_sorted_by_sentence() -> None:
    """One row per candidate, in the order of the search."""
    assert pairs().sentence_index.tolist() == [0, 0, 2]
    assert pairs().claim_index.tolist() == [4, 2, 7]
    assert pairs().sentence_count == 3


def test_each_sentence_has_a_slice() -> None:
    """A sentence without a candidate has an empty one."""
    assert pairs().slices() == [slice(0, 2), slice(2, 2), slice(2, 3)]


def test_nothing_is_known_at_first() -> None:
    """Similarity features are 0, log-odds and inputs NaN."""
    assert not pairs().similarities.any()
    assert np.isnan(pairs().same_claim).all()
    assert np.isnan(pairs().inputs).all()


def test_further_pairs_follow_those_of_their_sentence() -> None:
    """Every column moves with its pair."""
    further = Pairs.from_claims([np.array([9]), np.array([5]), np.zeros(0, int)])
    further = replace(further, found_without_context=np.zeros(2, bool))

    joined = pairs().joined(further)

    assert joined.sentence_index.tolist() == [0, 0, 0, 1, 2]
    assert joined.claim_index.tolist() == [4, 2, 9, 5, 7]
    assert joined.found_without_context.tolist() == [True, True, False, False, True]
    assert joined.position_in_sentence.tolist() == [0, 1, 2, 0, 0]


def test_some_pairs_keep_their_order() -> None:
    """The number of sentences stays."""
    some = pairs().only(np.array([False, True, True]))

    assert some.claim_index.tolist() == [2, 7]
    assert some.sentence_count == 3


def test_a_key_belongs_to_one_pair() -> None:
    """It is made of both positions."""
    assert pairs().keys(10).tolist() == [4, 2, 27]
