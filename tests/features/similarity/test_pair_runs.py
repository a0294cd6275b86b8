"""Runs of pairs that belong to one sentence."""

from itertools import groupby

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from features.similarity.pair_runs import runs_by_sentence


@given(st.lists(st.integers(0, 5), max_size=30).map(sorted))
def test_each_sentence_has_the_slice_of_its_pairs(sentences: list[int]):
    expected = [(sentence, len(list(group))) for sentence, group in groupby(sentences)]
    actual = [
        (sentence, pairs.stop - pairs.start)
        for sentence, pairs in runs_by_sentence(np.array(sentences, int))
    ]
    assert actual == expected


def test_no_pairs_have_no_runs():
    assert runs_by_sentence(np.array([], int)) == []
