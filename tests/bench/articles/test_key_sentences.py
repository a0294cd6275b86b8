"""Key sentences: which three come first, which label belongs to which, and the table of labels."""

from __future__ import annotations

import numpy as np

from bench.articles import key_sentences as bench
from training.mtm.queries import Query

SENTENCES = ["Taxes rose.", "The senator\nspoke.", "We rate this false.", "Jobs fell.", "End."]


def pair(number: int) -> bench.Pair:
    query = Query(f"q{number}", f"Claim {number}", (0,), "statement", "test")
    return bench.Pair(query, f"a{number}", SENTENCES, [(i * 20, i * 20 + 10) for i in range(5)])


FOUND = [pair(1), pair(2)]
CHOSEN = [[0, 1, 2], [2, 0, 1]]


def test_first_three_are_the_best_by_score():
    """Best first, equal ones by place, fewer if there are no more."""
    assert bench.first_three(np.array([0.5, 0.5, 0.1, 0.9])) == [3, 0, 1]
    assert bench.first_three(np.array([0, 1])) == [1, 0]


def test_labels_come_back_to_their_sentences():
    """A label belongs to a query, an article and offsets."""
    labels = bench.read_labels()
    assert len(labels) == 1141
    assert sum(labels.values()) == 533
    right, unread = bench.right(
        FOUND, CHOSEN, {sentence.key(i): i == 0 for sentence in FOUND for i in range(4)}
    )

    assert right.tolist() == [[True, False, False], [False, True, False]]
    assert unread == 0


def test_a_sentence_that_nobody_read_counts_as_wrong():
    """Other weights choose other sentences: those are counted apart and not taken for right."""
    right, unread = bench.right(FOUND, [[4, 0, 1], [0, 1, 2]], {pair(1).key(0): True})

    assert right.tolist() == [[False, True, False], [False, False, False]]
    assert unread == 5


def test_the_row_of_a_system():
    """Shares by rank, one of three, and the paired interval around the difference."""
    own_choice = np.array(
        [[True, False, False]] * 6 + [[False, True, True]] * 2 + [[False] * 3] * 2
    )
    rival = np.array([[False, True, False]] * 6 + [[False] * 3] * 4)

    table_row = bench.row_of("MTM", own_choice, rival)

    assert table_row["one of 3"] == 0.8
    assert table_row["P@1"] == 0.6
    assert table_row["P@2"] == 0.4
    low, high = bench.interval(own_choice[:, 0].astype(float) - rival[:, 0])
    assert 0 < low <= 0.6 <= high <= 1
