"""Relation along the evidence.

What may be read, what is chosen from, and how the walk over the sentences behaves.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import save_file

from features.articles.hashed_words import HASH_BUCKETS
from features.models.model_spec import ModelUnavailable
from training.relation.article_relation import (
    CANDIDATES,
    FEATURE_COUNT,
    RELATIONS,
    STEPS,
    WEIGHTS,
    Memory,
    RelationNetwork,
    calibrated,
    candidates,
    sentence_features,
    word_vector,
)

D = 6
WIDTH = 5
SAID = 3


def network(seed: int = 0) -> RelationNetwork:
    rng = np.random.default_rng(seed)
    shapes = {
        "words": (HASH_BUCKETS, SAID),
        "rarity": (HASH_BUCKETS,),
        "inputs.weight": (WIDTH, 2 * D + FEATURE_COUNT + SAID),
        "inputs.bias": (WIDTH,),
        "cell.weight_ih": (4 * WIDTH, WIDTH),
        "cell.weight_hh": (4 * WIDTH, WIDTH),
        "cell.bias_ih": (4 * WIDTH,),
        "cell.bias_hh": (4 * WIDTH,),
        "attend.weight": (WIDTH, WIDTH),
        "hop.weight": (WIDTH, 2 * WIDTH),
        "hop.bias": (WIDTH,),
        "point.weight": (WIDTH, WIDTH),
        "relation.weight": (3, 3 * WIDTH),
        "relation.bias": (3,),
    }
    return RelationNetwork(
        {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    )


def memory(n: int, seed: int = 0) -> Memory:
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(n + 1, D)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    measures = rng.normal(size=(n, FEATURE_COUNT)).astype(np.float32)
    return Memory(
        vectors[0],
        vectors[1:],
        measures,
        tuple(f"Record {i} says {i * i} things." for i in range(n)),
    )


@given(st.integers(0, 30), st.integers(0, 1000))
def test_candidates_are_the_best_of_both_orders(n: int, seed: int) -> None:
    """None twice, as many as there are up to the limit, and the first of each order in front."""
    rng = np.random.default_rng(seed)
    decides, nearness = rng.random((2, 40)).astype(np.float32)
    indices = sorted(rng.choice(40, n, replace=False).tolist())

    candidate_indices = candidates(indices, decides, nearness)

    assert len(set(candidate_indices)) == len(candidate_indices) == min(CANDIDATES, n)
    assert set(candidate_indices) <= set(indices)
    if n:
        assert max(indices, key=lambda i: decides[i]) == candidate_indices[0]
        assert max(indices, key=lambda i: nearness[i]) in candidate_indices[:2]


def test_equal_candidates_stand_in_the_order_of_the_article() -> None:
    """Nothing decides and nothing is near: the first sentences."""
    same = np.zeros(20, np.float32)

    assert list(range(3, 3 + CANDIDATES)) == candidates(range(3, 20), same, same)


def test_what_was_not_read_has_zeros() -> None:
    """A flag says what was read; log-odds that are missing or huge stay within bounds."""
    measures = sentence_features(
        np.float32([[1, 0, 0], [0.2, 0.3, 0.5]]),
        np.float32([np.nan, 99]),
        np.float32([0.5] * 3),
        np.zeros(3),
        3,
    )

    assert measures[:, 4].tolist() == [1, 1, 0]
    assert not measures[2, :5].any()
    assert measures[0, 0] == 1
    assert measures[0, 1] == 0
    assert measures[0, 3] == 0
    assert measures[1, 3] == 2


@given(st.integers(1, 12), st.integers(0, 50))
def test_every_sentence_is_chosen_before_one_is_chosen_again(n: int, seed: int) -> None:
    """The walk has its steps whatever the memory's size, and the relation of all is the average of the steps'."""
    reading = network(seed).read(memory(n, seed))

    assert STEPS == len(reading.chosen_sentences) == len(reading.steps)
    for start in range(0, STEPS, n):
        read_places = reading.chosen_sentences[start : start + n]
        assert len(set(read_places)) == len(read_places)
    assert np.allclose(reading.steps.mean(axis=0), reading.relation, atol=1e-6)
    assert np.allclose(reading.steps.sum(axis=1), 1, atol=1e-5)
    assert len(RELATIONS) == len(reading.relation)


@given(st.permutations(range(6)))
def test_where_a_sentence_stands_in_the_memory_does_not_matter(order: list[int]) -> None:
    """The same sentences in the same order, and the same relation."""
    full_memory = memory(6)
    moved = Memory(
        full_memory.wording,
        full_memory.sentence_vectors[order],
        full_memory.sentence_features[order],
        tuple(full_memory.texts[i] for i in order),
    )

    first_reading = network().read(full_memory)
    second = network().read(moved)

    assert list(first_reading.chosen_sentences) == [order[i] for i in second.chosen_sentences]
    assert np.allclose(first_reading.relation, second.relation, atol=1e-5)


@given(st.lists(st.floats(0.01, 1), min_size=3, max_size=3), st.floats(0.3, 3))
def test_calibration_keeps_the_order(odds: list[float], temperature: float) -> None:
    """Probabilities stay probabilities, the largest the largest; temperature 1 changes nothing."""
    relation = np.float32(odds) / np.float32(odds).sum()
    calibrated_relation = calibrated(relation, temperature)

    assert np.isclose(1, calibrated_relation.sum(), atol=1e-5)
    assert np.isclose(calibrated_relation[relation.argmax()], calibrated_relation.max(), atol=1e-6)
    assert np.allclose(relation, calibrated(relation, 1.0), atol=1e-5)


def test_weights_that_are_missing_or_anothers_say_what_to_do(tmp_path: Path) -> None:
    """Not there, not this network's; those of the network load again."""
    with pytest.raises(ModelUnavailable, match="Restore the models folder"):
        RelationNetwork.load(tmp_path)
    save_file({"words": np.zeros((2, 2), np.float32)}, tmp_path / WEIGHTS)
    with pytest.raises(ModelUnavailable, match="no tensor"):
        RelationNetwork.load(tmp_path)
    save_file(dict(network().weights), tmp_path / WEIGHTS)

    assert (
        network().read(memory(4)).chosen_sentences
        == RelationNetwork.load(tmp_path).read(memory(4)).chosen_sentences
    )


def test_a_memory_of_nothing_is_refused() -> None:
    """There is nothing to point at."""
    with pytest.raises(ValueError, match="no sentence"):
        network().read(memory(0))


def test_words_are_a_unit_row_of_their_vectors() -> None:
    """One known word gives its own vector; no known word gives nothing."""
    no_rarity = np.zeros(HASH_BUCKETS, np.float32)
    rarity = np.full(HASH_BUCKETS, 7, np.float32)
    vectors = np.tile(np.float32([3, 4]), (HASH_BUCKETS, 1))

    assert word_vector("records", no_rarity, vectors).tolist() == [0, 0]
    assert word_vector("records", rarity, vectors).tolist() == pytest.approx([3, 4])
