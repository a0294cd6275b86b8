"""The nearest vectors: the oracle is one product of all of them."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from features.similarity import nearest

ROOT = Path(__file__).parents[3]


def _unit(rng, count):
    vectors = rng.standard_normal((count, 32), dtype=np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.mark.parametrize("sentences", [2, 9])
@pytest.mark.parametrize("hidden", [0, 40, 900])
def test_the_nearest_are_among_those_proposed(monkeypatch, sentences, hidden):
    """However many sentences there are, with no row, a few or most of them left out, none of the nearest is missing."""
    monkeypatch.setattr(nearest, "ROWS_PER_BLOCK", 64)
    rng = np.random.default_rng(1)
    vectors = _unit(rng, 1000).astype(np.float16)
    query_vectors = _unit(rng, sentences)
    allowed = np.ones(1000, bool)
    allowed[rng.permutation(1000)[:hidden]] = False

    cosines = np.where(allowed, query_vectors @ vectors.astype(np.float32).T, -np.inf)
    for cosine_row, proposed_indices in zip(
        cosines, nearest.proposed(query_vectors, vectors, 10, allowed), strict=True
    ):
        assert set(np.argsort(-cosine_row)[:10].tolist()) <= set(proposed_indices.tolist())
        assert allowed[proposed_indices].all()


@pytest.mark.parametrize("hidden", [0, 500, 990, 997])
@pytest.mark.parametrize("spread", [1, 0.01])
def test_a_few_sentences_are_searched_by_codes(hidden, spread):
    """None of the nearest is missing, however few are allowed, and were all as near as codes cannot tell apart."""
    rng = np.random.default_rng(3)
    vectors = _unit(rng, 1000)
    query_vectors = _unit(rng, 2)
    vectors = query_vectors[:1] + spread * vectors
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    codes = nearest.Codes(*_encoded(vectors))
    allowed = np.arange(1000) >= hidden

    cosines = np.where(allowed, query_vectors @ vectors.T, -np.inf)
    for cosine_row, proposed_indices in zip(
        cosines, nearest.proposed(query_vectors, vectors, 5, allowed, codes), strict=True
    ):
        best = [i for i in np.argsort(-cosine_row)[:5].tolist() if allowed[i]]
        assert set(best) <= set(proposed_indices.tolist())
        assert allowed[proposed_indices].all()
        assert spread < 1 or hidden > 900 or len(proposed_indices) < 100  # most are told apart


def test_codes_are_off_by_no_more_than_they_say():
    """What is left of each vector without its codes is no longer than their error, and for one of them as long."""
    vectors = _unit(np.random.default_rng(4), 500)
    code_rows, step, error = _encoded(vectors)
    off = np.linalg.norm(vectors.astype(np.float64) - step * code_rows, axis=1)
    assert off.max() == pytest.approx(error, rel=1e-6)
    assert error < 0.02
    assert np.abs(code_rows).max() == 127


def _encoded(vectors):
    step = nearest.step_of(vectors)
    code_rows, error = nearest.encode(vectors, step)
    return code_rows, step, error


def test_nothing_allowed_is_nothing_found():
    """Without rows, or with none that may be found, each sentence has an empty list."""
    query_vectors = np.ones((2, 4), np.float32)
    for vector_count in (0, 3):
        proposed_indices = nearest.proposed(
            query_vectors, np.ones((vector_count, 4), np.float32), 5, np.zeros(vector_count, bool)
        )
        assert [len(indices) for indices in proposed_indices] == [0, 0]


def test_a_cosine_depends_on_its_row_alone():
    """Not a bit differs with what else is computed."""
    rng = np.random.default_rng(2)
    vectors = _unit(rng, 100)
    (query_vector,) = _unit(rng, 1)
    all_cosines = nearest.exact(query_vector, vectors)
    assert all(
        nearest.exact(query_vector, vectors[i : i + 3])[0] == all_cosines[i] for i in range(100)
    )


def test_half_precision_is_searched_in_a_process_that_has_loaded_no_model_yet() -> None:
    """The library of products and onnxruntime bear each other, whichever is loaded first."""
    script = (
        "import numpy as np; from features.similarity.nearest import highest_in_half_precision; "
        "rows = np.eye(8, dtype=np.float16); found, cosines = highest_in_half_precision(rows, np.eye(8, dtype=np.float32)[3], 2); "
        "import onnxruntime; assert found[0] == 3 and cosines[0] == 1"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=ROOT)
