"""Shared rare words, by hand and by law."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.similarity.coverage import WordBag, WordWeights

WEIGHTS = WordWeights({"people": 0.0, "jobs": 0.5, "report": 0.25})


def test_shares_by_hand() -> None:
    """Sentence: jobs .5, lost (unseen) 1; statement: jobs .5, report .25; shared: jobs."""
    bag = WordBag(["people jobs lost"], ["people jobs report"], WEIGHTS)
    shares = bag.compare(np.array([0]), np.array([0]))
    assert pytest.approx([0.5 / 1.5]) == shares.of_sentence
    assert pytest.approx([0.5 / 0.75]) == shares.of_statement
    assert pytest.approx([0.5]) == shares.rarest
    assert (
        pytest.approx([0.5 / (0.5 + 1.5)]) == shares.in_row
    )  # "people jobs" of "people jobs", "jobs lost"


def test_rarer_words_weigh_more() -> None:
    """A word of every text weighs nothing, one of few texts much.

    Rarer than ``least`` is unseen.
    """
    weights = WordWeights.of(["x b", "x b", "x c", "x c c d"], min_documents=2)
    assert weights.weights == {"x": 0.0, "b": 0.5, "c": 0.5}


def test_weights_survive_json() -> None:
    """What was written reads back the same."""
    assert WordWeights.from_json(json.loads(json.dumps(WEIGHTS.to_json()))) == WEIGHTS


words = st.lists(st.sampled_from(["jobs", "people", "tax", "report", "5"]), max_size=6).map(
    " ".join
)


@given(st.lists(words, min_size=1, max_size=4), st.lists(words, min_size=1, max_size=4))
def test_each_pair_is_compared_by_itself(sentences: list[str], statements: list[str]) -> None:
    """A pair's values do not depend on the other texts, and lie between 0 and 1."""
    grid = np.meshgrid(range(len(sentences)), range(len(statements)))
    sentence_index = grid[0].ravel()
    statement_index = grid[1].ravel()
    first = np.array([0])

    together = np.array(
        WordBag(sentences, statements, WEIGHTS).compare(sentence_index, statement_index)
    )
    alone = []
    for i, j in zip(sentence_index, statement_index, strict=True):
        bag_of_pair = WordBag([sentences[i]], [statements[j]], WEIGHTS)
        alone.append(np.array(bag_of_pair.compare(first, first)))

    assert together == pytest.approx(np.concatenate(alone, axis=1))
    assert (together >= 0).all()
    assert (together <= 1 + 1e-9).all()


@given(words)
def test_a_text_covers_itself(text: str) -> None:
    """All of its weight is shared."""
    shares = WordBag([text], [text], WEIGHTS).compare(np.array([0]), np.array([0]))
    assert pytest.approx(shares.of_statement) == shares.of_sentence
    assert shares.of_sentence[0] in (0.0, pytest.approx(1.0))
