"""The bench of relations: its measures against sklearn's, and what a row says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score

from bench.articles.relation import alone, first, row
from training.relation.article_relation import READ_BY_CROSS_ENCODER, Memory, sentence_features
from training.relation.case_batches import Item
from training.relation.cases import NOT_ENOUGH, REFUTES, SUPPORTS, Raw


def item(labels: list[list[float]], label: int = SUPPORTS) -> Item:
    """Return a memory of which the first sentences were read, with these probabilities."""
    n = len(labels)
    measures = sentence_features(
        np.float32(labels[:READ_BY_CROSS_ENCODER]),
        np.zeros(min(n, READ_BY_CROSS_ENCODER)),
        np.zeros(n),
        np.zeros(n),
        n,
    )
    raw = Raw("It is so.", tuple(f"Sentence {i}." for i in range(n)), label, (), "made")
    words = tuple((np.zeros(1, np.int64), np.ones(1, np.float32)) for _ in range(n))
    return Item(Memory(np.zeros(2), np.zeros((n, 2)), measures, raw.texts), words, raw)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=40))
def test_macro_f1_is_sklearns(pairs: list[tuple[int, int]]) -> None:
    """Over the relations that are wanted or chosen at all."""
    predicted, labelled = map(np.array, zip(*pairs, strict=True))
    expected = f1_score(labelled, predicted, average="macro", zero_division=0)

    assert (
        pytest.approx(expected, abs=1e-4) == row("made", np.eye(3)[predicted], labelled)["macro F1"]
    )


def test_the_cross_encoder_alone_is_the_average_of_what_was_read() -> None:
    """Entailment supports, contradiction refutes; sentences beyond those read do not count."""
    probabilities = [[0.5, 0.2, 0.3], [0.1, 0.2, 0.7]]

    (two,), (six,) = (
        alone([item(probabilities)]),
        alone([item([*(probabilities[:1] * READ_BY_CROSS_ENCODER), probabilities[1]])]),
    )

    assert np.allclose([0.3, 0.5, 0.2], two, atol=1e-3)
    assert np.allclose([0.5, 0.3, 0.2], six, atol=1e-3)


def test_a_row_has_the_majority_beside_the_accuracy() -> None:
    """Three of four right where two of four would be by the most common relation."""
    odds = np.float32([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]])
    table_row = row("made", odds, np.array([SUPPORTS, REFUTES, SUPPORTS, NOT_ENOUGH]))

    assert table_row["cases"] == 4
    assert table_row["accuracy"] == 0.75
    assert table_row["majority"] == 0.5
    assert table_row["chosen"] == {"supports": 1, "refutes": 2, "not enough": 1}
    low, high = table_row["interval"]
    assert low < 0.75 < high


def test_a_statement_counts_once() -> None:
    """Its first chain stands for it; one that nothing can be read of is left out."""
    first_item = item([[1, 0, 0]])
    other_item = item([[0, 1, 0]])

    assert first([[first_item, other_item], []]) == [first_item]
